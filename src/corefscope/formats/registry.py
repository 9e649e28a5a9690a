"""All formats: those of the core, and those that extensions bring.

A format has one entry, here or in the module ``extension`` of an extension, and one module, which
is imported when a file of the format is read or written. The docstring of that module is its page
in the documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.exceptions import UnknownName
from corefscope.extending import Registry, listed_by, named_if_it_fails, noticing, ours
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.detection import (
    ContentTest,
    Head,
    has,
    is_certainly_clusters,
    is_certainly_columns,
    is_certainly_corefud,
    is_certainly_jsonl,
    is_clusters,
    is_columns,
    is_conllu,
    is_download,
    is_foreign_xml,
    is_json_without_clusters,
    is_jsonl,
    is_other_json,
    is_other_table,
    is_other_text,
    is_page,
    is_question,
)
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import (
    OF_TOKENS,
    OFFSETS,
    Reading,
    ReadingOptions,
    parse_options,
)
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.writing.abilities import (
    ALL,
    BLANKS,
    EVERYTHING,
    LABELS,
    LINKS,
    NAMES,
    OVERLAPS,
    SENTENCES,
    WORDS,
    Feature,
    Writing,
)

OF_JSON = (".json", ".jsonl", ".jsonlines")
"""The extensions of JSON files."""


class Tier(IntEnum):
    """When a kind of file is tried: those of one tier are told apart by their own tests."""

    BYTES = 0
    """Its first bytes or its name tell it."""
    LINES = 1
    """Its first lines do."""
    ANSWERS = 2
    """It has what a language model answered."""
    FIELDS = 3
    """It is JSON with fields of its own."""
    REST = 4
    """It is anything else."""


class Format(Struct, frozen=True, kw_only=True):
    """A format that is read, and perhaps written."""

    name: str
    """What users call it, as in ``--response-format NAME``."""
    title: str
    """What it is, for messages and as the title of its page."""
    module: str
    """The module with the function ``read``."""
    test: ContentTest
    """Recognises it by the beginning of a file."""
    tier: Tier = Tier.FIELDS
    """When it is tried."""
    certain: ContentTest | None = None
    """Recognises files that can have no other format, whatever extensions know."""
    endings: tuple[str, ...]
    """The extensions of its files; files of a directory with others are ignored."""
    companions: tuple[str, ...] = ()
    """The extensions of files that belong to a file with the same name, such as its text."""
    options: tuple[str, ...] = ()
    """The options that follow its name."""
    convention: Convention | None = None
    """How its offsets are counted; None if it has none."""
    gold: str | None = None
    """The field of gold clusters, if predictions may stand beside it."""
    is_linked: bool = False
    """Whether mentions are linked one by one, so that one without a link is an entity."""
    is_nameless: bool = False
    """Whether its files do not name their documents, so that texts say which ones they are."""
    several_annotators: bool = False
    """Whether a file may have several annotators; its module lists them (``annotators``)."""
    may_be_empty: str = ""
    """The extension of its files that may be empty."""
    in_parts: bool = False
    """Whether a folder of parts, as programs for large tables write it, is one file."""
    failed: ContentTest | None = None
    """Recognises answers of a language model without a mention among those in a folder."""
    beside: Callable[[Format, Source], Beside | None] | None = None
    """Finds its annotations in a file of another format."""
    owns: Callable[[Path], bool] | None = None
    """Whether a file belongs to another one of this format, by where it lies."""
    writing: Writing | None = None
    """How it is written; None if it is only read."""

    def read(
        self,
        source: Source,
        builder: Builder,
        options: ReadingOptions,
        progress: Progress | None = None,
    ) -> None:
        """Read a file."""
        builder.reading = self.reading(options)
        file = File(source=source, builder=builder, progress=progress)
        with named_if_it_fails(self.module, f"the reader of {self.name}", source.name):
            import_module(self.module).read(file)

    def reading(self, options: ReadingOptions) -> Reading:
        """Return the format together with what the user said about it."""
        usual = replace(options, usual=self.convention or DEFAULT)
        return Reading(
            format=self.name,
            known=self.options,
            options=usual,
            gold=self.gold,
            is_linked=self.is_linked,
            is_nameless=self.is_nameless,
        )


class RefusedFormat(Struct, frozen=True, kw_only=True):
    """A format that is recognised, but not read."""

    title: str
    test: ContentTest
    tier: Tier = Tier.FIELDS
    advice: str
    remedy: Remedy | None = None
    """What helps if it is a format that is read after all."""


AS_CONLL_OR_JSON = (
    "export it as CoNLL-2012 columns, or as JSON lines with doc_key, sentences and clusters "
    "(token offsets, ends inclusive)"
)
AS_JSON = (
    "write it as JSON lines with doc_key, sentences and clusters (token offsets in the document, "
    "ends inclusive)"
)
AS_PAIRS = (
    "if each row has a mention and its cluster, name the columns mention_id and cluster_id, or the "
    "format pairs (tables, if it is giant)"
)
PLAIN_TEXT = "plain text"

PAGE = RefusedFormat(
    tier=Tier.BYTES,
    title="a page of documentation or a file of a program",
    test=is_page,
    advice="give the file that was meant; write a sample on a page to a file of its own",
)
DOWNLOAD = RefusedFormat(
    tier=Tier.BYTES,
    title="a web page, a PDF, a ZIP archive or an Office document",
    test=is_download,
    advice=f"check the download, or {AS_CONLL_OR_JSON}",
)
XML_OF_OTHERS = RefusedFormat(
    tier=Tier.LINES,
    title="XML or SGML of another tool, such as XMI, TEI, GATE or MUC",
    test=is_foreign_xml,
    advice="export CoNLL-2012 or WebAnno TSV 3 from that tool, or write JSON lines with a script",
)
GAP = RefusedFormat(
    tier=Tier.LINES,
    title="GAP, which asks of each pronoun which of two names it refers to",
    test=is_question,
    advice="it has no entities; use gap_scorer.py of google-research-datasets/gap-coreference",
)
JSON = RefusedFormat(
    title="JSON without clusters", tier=Tier.REST, test=is_json_without_clusters, advice=AS_JSON
)
TABLE = RefusedFormat(
    tier=Tier.REST,
    title="a table of other columns",
    test=is_other_table,
    advice=AS_PAIRS,
    remedy=Remedy.NAME_FORMAT,
)
TEXT = RefusedFormat(
    tier=Tier.REST,
    title=PLAIN_TEXT,
    test=is_other_text,
    advice=f"{AS_CONLL_OR_JSON}; output of a language model is read with the format tagged",
)

OWN: tuple[Format | RefusedFormat, ...] = (
    DOWNLOAD,
    PAGE,
    Format(
        name="conll",
        title="CoNLL-2012 columns",
        module="corefscope.formats.conll.reading",
        tier=Tier.LINES,
        certain=is_certainly_columns,
        test=is_columns,
        endings=("conll",),
        options=("ids",),
        writing=Writing(
            module="corefscope.formats.conll.writing",
            label_test="is_label",
            is_joined=True,
            endings=("conll",),
            features=frozenset({Feature.OVER_SENTENCES}),
            layers=frozenset(
                {
                    *(NAMES, LABELS, SENTENCES, WORDS, "tags", "parse", "lemmas", "framesets"),
                    *("senses", "speakers", "names"),
                }
            ),
            stands_in={"tags": "xpos"},
        ),
    ),
    Format(
        name="corefud",
        may_be_empty=".conllu",
        title="CorefUD",
        module="corefscope.formats.corefud.reading",
        tier=Tier.LINES,
        certain=is_certainly_corefud,
        test=is_conllu,
        endings=(".conllu",),
        options=("head", "names", "ids"),
        writing=Writing(
            module="corefscope.formats.corefud.writing",
            label_test="is_label",
            type_test="is_label",
            endings=(".conllu",),
            features=LINKS | {Feature.TOUCHING, Feature.GAPS, Feature.EMPTY_NODES, Feature.TYPES},
            layers=frozenset(
                {
                    *(NAMES, LABELS, SENTENCES, WORDS, "lemmas", "tags", "xpos", "feats", "heads"),
                    "deprels",
                }
            ),
        ),
    ),
    GAP,
    XML_OF_OTHERS,
    Format(
        name="subtoken",
        title="JSON lines that count word pieces",
        module="corefscope.formats.subtoken",
        gold="clusters",
        test=has("subtoken_map", "sentences"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "inclusive", "piece"),
    ),
    Format(
        name="native",
        title="Native JSON lines of corefscope",
        module="corefscope.formats.native.reading",
        certain=has("corefscope", "schema", "entities"),
        test=has("corefscope", "schema", "entities"),
        endings=(".jsonl",),
        writing=Writing(
            module="corefscope.formats.native.writing",
            is_joined=True,
            endings=(".native.jsonl",),
            features=ALL,
            layers=frozenset({EVERYTHING}),
        ),
    ),
    Format(
        name="jsonl",
        title="JSON lines with doc_key, sentences and clusters",
        module="corefscope.formats.jsonl.reading",
        tier=Tier.REST,
        certain=is_certainly_jsonl,
        test=is_jsonl,
        endings=(".jsonl", ".jsonlines", ".json"),
        options=("clusters", *OFFSETS),
        convention=DEFAULT,
        writing=Writing(
            module="corefscope.formats.jsonl.writing",
            is_joined=True,
            endings=(".jsonl", ".jsonlines"),
            features=OVERLAPS
            | {Feature.GAPS, Feature.EMPTY_NODES, Feature.TYPES, Feature.LEVELS, Feature.HEADS},
            layers=frozenset(
                {
                    *(NAMES, SENTENCES, WORDS, BLANKS, "tags", "names", "speakers", "heads"),
                    "deprels",
                }
            ),
        ),
    ),
    JSON,
    Format(
        name="json",
        title="JSON with the clusters of each document",
        module="corefscope.formats.clusters",
        tier=Tier.REST,
        certain=is_certainly_clusters,
        test=is_clusters,
        endings=(".json",),
        options=OF_TOKENS,
        convention=DEFAULT,
        writing=Writing(
            module="corefscope.formats.clusters",
            endings=(".json",),
            features=OVERLAPS | {Feature.GAPS},
            layers=frozenset({NAMES, BLANKS}),
        ),
    ),
    TABLE,
    TEXT,
)
"""What the core recognises, in the order in which it is tried."""
FORMATS: Registry[Format] = Registry(
    "FORMATS", Format, [kind for kind in OWN if isinstance(kind, Format)], attrgetter("name")
)
"""All formats by name."""
CERTAIN: list[tuple[Format | RefusedFormat, ContentTest]] = [
    (kind, kind.test) for kind in OWN if kind.tier is Tier.BYTES
] + [(kind, kind.certain) for kind in OWN if isinstance(kind, Format) and kind.certain]
"""What some files certainly are, so that extensions need not be asked."""


@cache
def kinds() -> tuple[Format | RefusedFormat, ...]:
    """Return all kinds of files in the order in which they are tried.

    Within a tier, those of extensions come first, because they are more special.
    """
    listed = {"FORMATS": Format, "REFUSED": RefusedFormat}
    found: list[Format | RefusedFormat] = [
        each
        for extension in ours().values()
        for name, kind in listed.items()
        for each in listed_by(extension, name, kind)
    ]
    return tuple(sorted((*found, *OWN), key=attrgetter("tier")))


def writings() -> dict[str, Writing]:
    """Return how each format is written that can be."""
    return {name: format.writing for name, format in FORMATS.items() if format.writing}


def writing_of(format: str) -> Writing:
    """Return how a format is written."""
    writing = FORMATS[format].writing
    assert writing is not None
    return writing


def endings() -> tuple[str, ...]:
    """Return the extensions of files that are read in a directory."""
    return _endings(FORMATS.names())


@cache  # Each file of a directory is compared with them.
def _endings(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for name in names for each in FORMATS[name].endings))


def companions() -> Mapping[str, Sequence[str]]:
    """Return the extensions of files that are read together with files of other extensions."""
    return _companions(FORMATS.names())


def owners() -> Sequence[Callable[[Path], bool]]:
    """Return what tells files that are a part of others, in formats that have such."""
    return _owners(FORMATS.names())


@cache
def _owners(names: tuple[str, ...]) -> Sequence[Callable[[Path], bool]]:
    return [owns for name in names if (owns := FORMATS[name].owns) is not None]


@cache
def _companions(names: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        for companion in FORMATS[name].companions:
            found.setdefault(companion, []).extend(FORMATS[name].endings)
    return found


def writing_by_ending(path: str) -> str | None:
    """Return the name of the format that the extension of a file stands for, if there is one."""
    name = path.lower().removesuffix(".gz")
    found = [
        (len(ending), format)
        for format, writing in writings().items()
        for ending in writing.endings
        if name.endswith(ending)
    ]
    return max(found)[1] if found else None


def parse_format(text: str) -> tuple[Format, ReadingOptions]:
    """Parse the name of a format and its options, such as ``jsonl:FIELD,base=1,ends=exclusive``."""
    # Answers in JSON lines may be called so.
    text = re.sub("^jsonl:answer=", "answers:", str(text))
    name, colon, details = text.partition(":")
    if name not in FORMATS or (colon and not details):
        raise UnknownName("format", text, FORMATS)
    known = FORMATS[name].options
    if "ids" not in known:
        # Names of entities may hold across documents in any format, if the user says so.
        known = (*known, "ids")
    return FORMATS[name], parse_options(name, known, details)


def recognise(source: Source, *, answers: Format | None = None) -> Format | Finding:
    """Return the format of a file, or a finding that names it if it is not read.

    ``answers`` is the format of the answers of a language model that are in the same folder, some
    of which may have failed: plain text among them is an answer without a mention.
    """
    if answers is not None:
        return _examined(source, answers)
    if source.format is None:
        source.format = _examined(source, None)
    return source.format


class Beside(NamedTuple):
    """The annotations of two formats in one file, in words, and how to read each."""

    own: str
    other: str
    own_format: str
    other_format: str


def chosen(
    format: Format, source: Source, builder: Builder, options: ReadingOptions, *, is_named: bool
) -> Format:
    """Return the format of a file that may have the annotations of another one as well.

    A key has gold annotations, and a response has the others, unless the user named the format.
    """
    if options.clusters or (format.certain and format.certain(Head(source))):
        return format
    for other in FORMATS.values():
        found = other.beside and other.beside(format, source)
        if not found:
            continue
        if is_named and format.name in (found.own_format, found.other_format):
            return format
        is_other = options.role == "response" and not is_named
        reason = f"the file is used as {options.role}" if options.role else "it is the usual one"
        reason = "its format was named" if is_named else reason
        read, left, how = (
            (found.other, found.own, found.own_format)
            if is_other
            else (found.own, found.other, found.other_format)
        )
        builder.report(
            Code.SEVERAL_ANNOTATIONS,
            f"the file has {found.own} and {found.other}; {read} is read, because {reason}; if "
            f"{left} should be read, use the format {how!r}",
            source.name,
        )
        return other if is_other else format
    return format


def is_no_document(source: Source) -> bool:
    """Return whether a file has no documents, such as settings or figures in JSON."""
    if not isinstance(recognise(source), Finding):
        return False
    head = Head(source)
    kind = next((kind for kind in kinds() if kind.test(head)), None)
    return kind is JSON and is_other_json(head) is not None


def _examined(source: Source, answers: Format | None) -> Format | Finding:
    head = Head(source)
    if answers is not None and answers.failed is not None and answers.failed(head):
        return answers
    if not head.data.strip():
        return _of_empty_file(head)
    found = next(((kind, clue) for kind, test in CERTAIN if (clue := test(head))), None)
    if found is None:
        found = next(((kind, clue) for kind in kinds() if (clue := kind.test(head))), None)
        if found is None or found[0].tier is Tier.REST:
            # Nothing is sure, so that packages of others are asked.
            found = _of_others(head) or found
    # The reader of columns says what is wrong if nothing is known.
    kind, clue = found or (FORMATS["conll"], "")
    if kind is TEXT and answers is not None:
        return answers
    return kind if isinstance(kind, Format) else _refusal(kind, clue, source)


def _of_others(head: Head) -> tuple[Format, str] | None:
    """Return the format of another package that recognises a file, if there is one."""
    for format in FORMATS.with_others().values():
        if format not in kinds():
            with noticing(f"the test of the format {format.name!r} fails"):
                clue = format.test(head)
                if clue:
                    return format, clue
    return None


def _refusal(kind: RefusedFormat, clue: str, source: Source) -> Finding:
    only_named = kind.remedy is Remedy.NAME_FORMAT
    read = "reads only if you name its format" if only_named else "does not read"
    return Finding(
        Code.OTHER_KIND,
        f"this looks like {kind.title} ({clue}), which corefscope {read}: {kind.advice}",
        file=source.name,
        remedy=kind.remedy,
    )


def _of_empty_file(head: Head) -> Format | Finding:
    """Return the format of a file without any text, as far as its name tells it."""
    for format in FORMATS.values():
        if format.may_be_empty and head.name.endswith(format.may_be_empty):
            return format
    return Finding(
        Code.NO_DOCUMENT,
        "the file is empty",
        expected=(
            "at least one document: check whether its program failed; an empty answer of a "
            "language model is read with the format tagged, as failed"
        ),
        file=head.source.name,
        line=1,
        remedy=Remedy.NAME_TAGGED_TEXT,
    )
