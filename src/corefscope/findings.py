"""Findings: problems in an input, each with a stable code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from corefscope.escaping import visible


class Remedy(Enum):
    """What users can do about a finding; the command line names the options for it."""

    CHOOSE_FILES = "choose the files of a directory that are read"
    CHOOSE_LEVEL = "choose what is scored as one: files, documents, topics or the corpus"
    RESAMPLE_DOCUMENTS = "resample whole documents"
    NAME_COLUMNS = "name the columns"
    NAME_FORMAT = "name another format, or other options of the format"
    NAME_TAGGED_TEXT = "name the format of tagged text"
    READ_MINIMAL_SPANS = "read heads from minimal spans"
    PAIR_OTHERWISE = "pair documents in another way"
    PAIR_BY_TEXT = "pair documents by their texts"
    TREAT_OTHER_TOKENS = "choose how to treat other tokens"
    KEEP_FIRST_COPY = "keep the first copy of a mention"
    ACCEPT_LOSSES = "leave out what the format cannot express"
    GIVE_NAMES = "give a file of names"
    FIND_HEADS = "let the best layer decide where heads come from"
    MAP_TYPES = "map types of named entities"
    CHOOSE_TYPES = "choose the types that are measured, or map them"
    RESAMPLE_PARTS = "resample parts of documents"
    WRITE_SCORES = "write scores as JSON"
    WRITE_DOCUMENT_SCORES = "write the scores of each document as JSON"


class Code(Enum):
    """All findings, each with a stable code and a general description.

    ``E`` codes are errors, which stop the command; ``W`` codes are warnings, which do not.
    """

    UNBALANCED = (
        "E101",
        "brackets do not match: one closes what was never opened, or is never closed",
    )
    NO_DOCUMENT = (
        "E105",
        "there is no document: the file is empty, or the folder has no file of a known format",
    )
    SAME_DOCUMENT = ("E106", "two documents have the same name", Remedy.CHOOSE_FILES)
    BINARY = ("E107", "the file contains a NUL byte, so it is not a text file")
    UNREADABLE = ("E108", "a file cannot be opened or read, or one that belongs to it is missing")
    DAMAGED = ("E111", "the file is damaged or cut off: its gzip, JSON or XML is broken")
    BAD_SHAPE = ("E112", "the file does not have the structure that its format needs")
    BAD_SPAN = ("E113", "a mention lies outside its document or ends before it begins")
    BARE_RETURNS = ("E115", "lines end in a carriage return alone")
    NO_COREFERENCE = (
        "E117",
        "the coreference column, or a cell of it, is not where it is expected",
        Remedy.NAME_COLUMNS,
    )
    OTHER_KIND = ("E118", "the file has a format that is not supported")
    TOO_LARGE = ("E119", "the input exceeds a limit on size or nesting")
    REFUTED_CONVENTION = (
        "E120",
        "strings of mentions, or words of the text, refute how positions are read",
    )
    BAD_LINE = ("E135", "a line, a cell or an annotation cannot be read")
    NOT_IN_FILE = ("E138", "what an option or the format names is not in the file")
    NOT_PAIRED = (
        "E201",
        "documents of key and response, or of annotators, cannot be paired",
        Remedy.PAIR_OTHERWISE,
    )
    TOKEN_COUNT = (
        "E202",
        "key and response, or two annotators, have different tokens in a document",
        Remedy.TREAT_OTHER_TOKENS,
    )
    REPEATED_REFUSED = ("E203", "a mention is annotated twice, which the options do not allow")
    SCORER_REFUSES = ("E204", "the official scorer refuses this")
    MISSING_REFUSED = ("E205", "a document is missing, which the options do not allow")
    UNLIKE_MENTIONS = (
        "E206",
        "mentions are not of the kind that is needed: token spans, ids or whole mentions",
    )
    NO_SOURCE = ("E208", "tagged text needs a key with words, and cannot be the key")
    NO_HEADS = ("E220", "mentions have no heads, which head and partial matching need")
    CROSSING = ("E301", "brackets cannot express these mentions of one entity")
    NOT_EXPRESSIBLE = ("E302", "the format cannot express this")
    NEEDS_PACKAGE = ("E305", "the format or the address needs a package that is not installed")

    NO_LAYER = ("E402", "a text layer that is needed is missing")
    NO_UNIT = (
        "E501",
        "texts cannot be divided into units: windows, topics, or units of resampling",
    )
    BAD_RESULT = (
        "E502",
        "a file of scores cannot be used: it is damaged, or was computed differently",
    )
    NOT_WRITTEN = (
        "E601",
        "the output cannot be written, or would replace a file that corefscope did not write",
    )
    OUTPUT_IS_INPUT = ("E602", "the output is an input, or would be read as one")
    INTERNAL_ERROR = ("E701", "internal error: a bug in corefscope")
    NO_MEMORY = ("E702", "there is not enough memory, or a worker ended or cannot be reached")

    IRREGULAR = ("W103", "the notation is irregular, and is read as is usual")
    NOT_UTF8 = ("W107", "the text is not UTF-8; its bytes are kept as they are")
    REPEATED = (
        "W108",
        "a mention is annotated twice: the first copy counts, unless the message says otherwise",
    )
    OTHER_FILES = ("W109", "files of no known format in the directory are ignored")
    SEVERAL_ANNOTATIONS = (
        "W110",
        "there are several annotations, and one of them is read",
        Remedy.NAME_FORMAT,
    )
    LOST_LAYERS = ("W111", "text layers are not written in the output format")
    BAD_LAYER = ("W113", "a text layer cannot be read or does not fit, and is left out")
    DOUBTFUL_COLUMN = (
        "W115",
        "rows have different numbers of columns, or the column that is read is in doubt",
    )
    NO_MENTIONS = ("W116", "a file, directory or corpus has no mention at all")
    DOUBTFUL_CONVENTION = ("W120", "positions of mentions may be counted in another way")
    SKIPPED = ("W121", "a broken response file was skipped, as requested")
    INSIDE_TOKEN = ("W150", "a mention begins or ends inside a token, or at one that is no word")
    LEFT_OUT = ("W151", "a mention without a place, or never closed, is left out")
    UNLINKED = ("W157", "mentions that are linked to nothing are entities of one mention each")
    OTHER_RELATIONS = ("W160", "relations or marks are not read, or contradict each other")
    ACROSS_DOCUMENTS = (
        "W163",
        "entities of several documents are scored as one or one by one",
        Remedy.CHOOSE_LEVEL,
    )
    LOST_ANNOTATIONS = ("W170", "annotations are left out or changed in the output format")
    IGNORED = ("W181", "part of the file is ignored, because it is not where it belongs")
    MISSING = ("W201", "a document is missing from the response and counts as empty")
    EXTRA = ("W202", "a document of the response is not in the key and is ignored")
    WORDS_DIFFER = ("W203", "key and response have different words")
    TOKENS_DIFFER = ("W204", "numbers of tokens differ, or a mention lies beyond the other text")
    AS_PUBLISHED = (
        "W206",
        "the counts of the published tool leave something out, or depend on chance",
    )
    SHIFTED = ("W208", "positions match the other side far better if they are counted otherwise")
    PAIRED_OTHERWISE = (
        "W209",
        "documents are paired although their names differ",
        Remedy.PAIR_OTHERWISE,
    )
    NOTHING_READ = ("W210", "a document has nothing to read, and counts as one without entities")
    UNLIKE_SIDES = ("W212", "key and response are of different kinds, or seem to be swapped")
    DOUBTFUL_CLUSTERS = ("W213", "the clusters may be a list of spans, of documents or of links")
    NO_COMMON_MENTION = ("W215", "key and response have no mention in common")
    OFFICIAL_FAULT = ("W220", "a fault of the official scorer or protocol changes its figures here")
    FIRST_WORD_HEADS = (
        "W223",
        "mentions have their first word as head: heads are not known",
    )
    ZEROS_IN_DOUBT = (
        "W224",
        "zeros cannot be paired as they should be: by dependency, within their sentences",
    )
    OTHER_HEADS = (
        "W226",
        "some mentions have no head in the file, or heads come from dependency trees",
    )
    NOT_EXACT = ("W228", "an official figure is not reproduced exactly")
    SCORER_FAILS = ("W231", "the official scorer fails here, so there is no official score")
    NO_HEAD_FIELD = ("W237", "the declaration of a file lacks the field that heads are read from")
    CARRIED_OVER = ("W252", "tokens or words differ, and mentions are carried over to the key")
    COPY_FAILED = ("W255", "tagged text has next to nothing of its text, and counts as failed")
    ANSWER_CHANGED = (
        "W256",
        "the answer of a model is no exact copy, or some of its mentions are lost or ambiguous",
    )
    UNTAGGED = ("W258", "a document of tagged text has no tags, or tags of an unknown style")
    NO_TEXT_LAYER = ("W401", "a text layer is missing, or taken from the response")
    NAMES_FILE = (
        "W407",
        "names in the names file are repeated, lie outside the key, or cover few documents",
    )
    OTHER_LANGUAGE = ("W408", "the tags or words do not suit the English tables that are applied")
    UNMEASURED_TYPES = (
        "W409",
        "types of names are not measured, or asked for and not there",
        Remedy.MAP_TYPES,
    )
    FEW_UNITS = ("W502", "units or runs are few, unequal, or not independent")
    FAULTY_METRIC = ("W505", "a metric has known faults, or nothing to measure")
    SAME_RUNS = ("W508", "runs of a system, or two annotators, are the same in every document")
    SOME_ANNOTATED = ("W510", "only some annotators annotated a document, or two share none")
    OLD_FILES = (
        "W601",
        "files of an earlier run are removed from the output folder, or left in it",
    )
    BROKEN_EXTENSION = ("W602", "an extension of another package cannot be used")

    def __init__(self, id: str, title: str, remedy: Remedy | None = None) -> None:
        self.id = id
        self.title = title
        self.remedy = remedy
        """What helps against every finding of this code."""

    @property
    def severity(self) -> Literal["error", "warning"]:
        """``error`` or ``warning``."""
        return "error" if self.id.startswith("E") else "warning"

    @property
    def is_doubt(self) -> bool:
        """Whether it may make a result wrong, so that one should know it before reading on."""
        return self in DOUBTING

    @property
    def help(self) -> str:
        """What it means and what to do, in Markdown."""
        pages = Path(__file__).with_name("messages.md").read_text(encoding="utf-8")
        text = pages.partition(f"## {self.id}\n")[2].partition("\n## ")[0]
        return " ".join(text.split())


DOUBTING = frozenset(
    {
        *(Code.NO_MENTIONS, Code.NO_COMMON_MENTION, Code.MISSING, Code.COPY_FAILED, Code.UNTAGGED),
        *(Code.SHIFTED, Code.DOUBTFUL_CLUSTERS, Code.UNLIKE_SIDES, Code.NOTHING_READ),
        *(Code.WORDS_DIFFER, Code.OFFICIAL_FAULT, Code.SCORER_FAILS),
        *(Code.FEW_UNITS, Code.SAME_RUNS, Code.OTHER_LANGUAGE),
    }
)


class OwnCode(NamedTuple):
    """A code that an extension brings: id, title, what it means and what to do."""

    id: str
    title: str
    help: str
    remedy: Remedy | None = None
    is_doubt: bool = False

    @property
    def severity(self) -> Literal["error", "warning"]:
        """``error`` or ``warning``."""
        return "error" if self.id.startswith("E") else "warning"


AnyCode: TypeAlias = Code | OwnCode


class Finding(Struct, frozen=True):
    """One problem found in an input, and where it is."""

    code: AnyCode
    found: str
    expected: str | None = None
    """What should have been there, if something else should."""
    file: str | None = None
    line: int | None = None
    remedy: Remedy | None = None
    """What helps against it, if that depends on the case."""
    formats: tuple[tuple[str, str], ...] = ()
    """The formats with which the key or the response should be read, by side."""
    unlisted: int = 0
    """How many findings of the same code and file it stands for, which are not listed."""

    @property
    def message(self) -> str:
        """What was found and what was expected, as one sentence."""
        return self.found if self.expected is None else f"{self.found}; expected {self.expected}"

    def at(self, file: str | None, line: int | None = None) -> Finding:
        """Return the finding with a place.

        Parameters
        ----------
        file
            The name of the file that it is about.
        line
            The line, from 1.

        Returns
        -------
        Finding
            The same finding, there.
        """
        return replace(self, file=file, line=line)

    def followed_by(self, text: str) -> Finding:
        """Return the finding with a longer message.

        Parameters
        ----------
        text
            What comes after the message.

        Returns
        -------
        Finding
            The same finding, which expects more, or has found more if it expects nothing.
        """
        if self.expected is None:
            return replace(self, found=f"{self.found}{text}")
        return replace(self, expected=f"{self.expected}{text}")

    @property
    def is_error(self) -> bool:
        """Whether the input cannot be used."""
        return self.code.severity == "error"

    @property
    def place(self) -> str:
        """The file and the line, if they are known."""
        return (self.file or "") + (f":{self.line}" if self.line is not None else "")

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        return visible(f"{text} [{self.code.id}]")


MOST_ALIKE = 100
"""How many warnings of one code are listed of one file; the others are counted."""


def few_alike(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with at most a hundred warnings of one code and file, and how many more."""
    kept: list[Finding] = []
    counts: Counter[tuple[AnyCode, str | None]] = Counter()
    for finding in findings:
        kind = finding.code, finding.file
        counts[kind] += finding.unlisted or 1
        if finding.is_error or (counts[kind] <= MOST_ALIKE and not finding.unlisted):
            kept.append(finding)
    return [*kept, *unlisted(counts)]


def unlisted(counts: Mapping[tuple[AnyCode, str | None], int]) -> list[Finding]:
    """Return one finding for the warnings of each code and file beyond the first hundred."""
    return [
        Finding(
            code,
            f"{count - MOST_ALIKE:,} more warnings of this kind; the first {MOST_ALIKE} are listed",
            file=file,
            unlisted=count - MOST_ALIKE,
        )
        for (code, file), count in counts.items()
        if code.severity == "warning" and count > MOST_ALIKE
    ]


def borrowed_layers(layers: Mapping[str, int], documents: int, file: str | None) -> list[Finding]:
    """Report the layers that some documents of the key lack and that the response provides."""
    return [
        Finding(
            Code.NO_TEXT_LAYER,
            f"{documents_have(count, documents)} no {layer} in the key; "
            "those of the response are used",
            file=file,
        )
        for layer, count in layers.items()
    ]


def documents_have(count: int, documents: int) -> str:
    """Return the beginning of a sentence about some documents: ``1 of 3 documents has``."""
    is_one = documents == 1 or count == 1
    return f"{some_documents(count, documents)} {'has' if is_one else 'have'}"


def some_documents(count: int, documents: int) -> str:
    """Return how many documents there are of all: ``2 of 3 documents``."""
    return "the only document" if documents == 1 else f"{count} of {documents} documents"
