"""What was found in an input: findings with stable codes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import Literal

from corefscope.escaping import visible


class Code(Enum):
    """Every finding there is: its stable code and what it says in general.

    An ``E`` stops the work, a ``W`` is reported while the work goes on.
    """

    UNOPENED = ("E101", "a mention is closed that was not opened")
    UNCLOSED = ("E102", "a mention is still open at the end of its document")
    BAD_CELL = ("E103", "the coreference cell is not a sequence of (ID), (ID and ID)")
    NO_BEGIN = ("E104", "the file has lines but no '#begin document' line")
    NO_DOCUMENT = ("E105", "the file holds no document")
    SAME_DOCUMENT = ("E106", "two documents have the same name")
    BINARY = ("E107", "the file holds a NUL byte: it is not a text file")
    UNREADABLE = ("E108", "the file cannot be opened or read")
    BROKEN_GZIP = ("E109", "the gzip file is truncated or damaged")
    EMPTY_DIRECTORY = ("E110", "the directory holds no file of a known format")
    BAD_JSON = ("E111", "the text is not JSON")
    BAD_SHAPE = ("E112", "the JSON does not have the expected fields")
    BAD_SPAN = ("E113", "a mention lies outside its document or ends before it begins")
    MULTIWORD_MENTION = ("E114", "a multiword line such as 1-2 carries a mention")
    BARE_RETURNS = ("E115", "lines end in a carriage return alone")
    MISSING_CELL = ("E116", "a row has lost its coreference cell, or may have lost it")
    NO_COREFERENCE = ("E117", "the coreference column is not where it is expected")
    OTHER_KIND = ("E118", "the file is of a format that is not read")
    TOO_LARGE = ("E119", "the input is larger than a limit, or nested more deeply")
    NO_COMMON_DOCUMENT = ("E201", "key and response have no document name in common")
    TOKEN_COUNT = ("E202", "key and response have different numbers of tokens in a document")
    REPEATED_REFUSED = ("E203", "a mention is annotated twice, and repeated mentions are refused")
    REFERENCE_REFUSES = ("E204", "the reference scorer refuses so many repeated mentions")
    MISSING_REFUSED = ("E205", "a document is missing, and missing documents are refused")
    UNLIKE_MENTIONS = ("E206", "one side has spans of tokens, the other has other ids")
    NO_UNIVERSAL_TAGS = ("E240", "Universal Dependencies are to be used, but tags are missing")
    NO_SLICE_LAYER = ("E241", "scores are asked for by something that the corpus does not have")
    CROSSING = ("E301", "brackets cannot express these mentions of one entity")
    NOT_EXPRESSIBLE = ("E302", "the format cannot hold this corpus")

    NO_NAME_LAYER = ("E401", "there are no named entities, which NEC is about")
    NO_HEAD_LAYER = ("E402", "the layer that heads were asked by is missing")
    BAD_NAME = ("E403", "a name of the file of names cannot be read")
    NO_UNIT = ("E501", "a document belongs to no unit of resampling")
    BAD_RESULT = ("E502", "the file of results cannot be read back")
    UNLIKE_RESULTS = ("E503", "scores that were not computed alike cannot be compared")
    NOT_WRITTEN = ("E601", "the output cannot be written")
    OUTPUT_IS_INPUT = ("E602", "the output is an input, or would be read as one")
    NOT_OURS = ("E603", "a file that corefscope did not write is in the way")
    INTERNAL_ERROR = ("E701", "an internal error: a fault of corefscope")
    NO_MEMORY = ("E702", "there is not enough memory, or the input is nested too deeply")

    NO_END = ("W101", "a document has no '#end document' line")
    COMMENT = ("W102", "a comment line inside a document is skipped")
    BARE_ID = ("W103", "a bare entity number inside its own mention is ignored")
    DOUBLE_ANTECEDENT = ("W104", "a double antecedent such as (1+2) is ignored")
    CLOSE_AND_OPEN = ("W105", "one token closes and opens the same entity")
    OUTSIDE = ("W106", "lines outside any document are ignored")
    NOT_UTF8 = ("W107", "the text is not UTF-8; its bytes are kept as they are")
    REPEATED = ("W108", "a mention is annotated twice; the first is kept")
    OTHER_FILES = ("W109", "files of no known format in the directory are ignored")
    TWO_CLUSTERINGS = ("W110", "a line has a second field that looks like clusters")
    LOST_LAYERS = ("W111", "the format written has no place for some layers of the text")
    OTHER_FORMAT = ("W112", "a corrected response is written in another format than CoNLL")
    BAD_LAYER = ("W113", "a layer of the text has another shape than the words, and is left out")
    UNEVEN_ROWS = ("W114", "a row has another number of columns than the rest of its document")
    DOUBTFUL_COLUMN = ("W115", "the coreference column may be another one")
    NO_MENTIONS = ("W116", "a file, directory or corpus has no mention at all")
    MULTIWORD = ("W117", "a multiword line such as 1-2 is not a token")
    GLUED_MARKERS = ("W118", "'#end document' and '#begin document' are on one line")
    EMPTY_CELLS = ("W119", "coreference cells are empty where others are marked as no mention")
    SKIPPED = ("W121", "a broken response file was skipped, as asked")
    SAME_NUMBER = ("W122", "the numbers of two entities differ only in leading zeros")
    MISSING = ("W201", "the response lacks a document, which counts as empty")
    EXTRA = ("W202", "the response has a document that the key lacks, which is ignored")
    WORDS_DIFFER = ("W203", "key and response have different words")
    TOKENS_IGNORED = ("W204", "token counts differ, and the difference is ignored")
    BEYOND_TEXT = ("W205", "a mention lies beyond the text of the other side")
    DROPPED_AS_PUBLISHED = (
        "W206",
        "the published tool does not read this, and its counts were asked for",
    )
    AMBIGUOUS_SPANS = ("W207", "the published tool's counts depend on chance here")
    SHIFTED = (
        "W208",
        "mentions of the response match far better if their offsets are read otherwise",
    )
    SPELLED = ("W209", "documents are paired although their names are spelled differently")
    SOME_CLUSTERS = ("W210", "clusters were given for some documents only; the others have none")
    UNLIKE_SOME = ("W212", "some mentions have ids of a kind that the other side does not have")
    DOUBTFUL_CLUSTERS = ("W213", "the clusters may be a flat list of spans, or a list of documents")
    SPENT_ITERATOR = ("W214", "an iterator of clusters gave nothing")
    NO_COMMON_MENTION = ("W215", "key and response have no mention in common")
    NO_FEATURES = ("W240", "there are no morphological features: gender and number are unknown")
    NO_PARSE = ("W401", "there are no parse trees: heads come from tags or words")
    NO_TAGS = ("W402", "there are no part-of-speech tags: mention types come from words")
    NO_NAMES = ("W403", "there are no named entities: no property of them is known")
    NO_WORDS = ("W404", "there are no words: every mention counts as nominal")
    BAD_TREE = ("W405", "a parse tree or a named entity cannot be read")
    BORROWED = ("W406", "a layer of the text that the key lacks is taken from the response")
    UNUSED_NAMES = ("W407", "names of the file of names lie outside the key, and are left out")
    OTHER_LANGUAGE = ("W408", "the tags or words do not suit the English tables that are applied")
    UNMEASURED_TYPES = ("W409", "entities of the key have types that are not measured")
    REPEATED_NAME = ("W410", "a name of the file of names is given twice and counts once")
    FEW_NAMED = ("W411", "the file of names has names for some of the documents only")
    ABSENT_TYPES = ("W412", "a type or a tag that was asked for does not occur in the names")
    SHIFTED_NAMES = ("W413", "names match the key far better if their offsets are read otherwise")
    NO_P_VALUE = ("W501", "there are too few units for a p-value")
    FEW_UNITS = ("W502", "there are few units: intervals and p-values are rough")
    PARTS_AS_UNITS = ("W503", "parts of one text are resampled as if they were independent")
    FEW_RUNS = ("W504", "a system has too few runs to tell how much they vary")
    FAULTY_METRIC = ("W505", "a metric of papers of 2009 to 2013 is computed, with its faults")
    NOTHING_COMMON = ("W506", "an index of common mentions is computed where none is common")
    UNLIKE_RUNS = ("W507", "the numbers of runs allow no test of a difference")
    SAME_RUNS = ("W508", "runs of a system have the same counts in every document")

    def __init__(self, id: str, title: str) -> None:
        self.id = id
        self.title = title

    @property
    def severity(self) -> Literal["error", "warning"]:
        """``error`` or ``warning``."""
        return "error" if self.id.startswith("E") else "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in an input: what, and where."""

    code: Code
    message: str
    _: KW_ONLY
    file: str | None = None
    line: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether the input cannot be used."""
        return self.code.severity == "error"

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        said = f"{place}: {self.message}" if place else self.message
        return visible(f"{said} [{self.code.id}]")


def documents_have(count: int, documents: int) -> str:
    """Begin a sentence about so many of all documents: ``1 of 3 documents has``."""
    if documents == 1:
        return "the only document has"
    return f"{count} of {documents} documents {'has' if count == 1 else 'have'}"
