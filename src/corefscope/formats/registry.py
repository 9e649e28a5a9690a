"""All formats, in the order in which they are recognised by the beginning of a file.

A format has one entry here and one module, which is imported when a file of the format is read. The
docstring of the module is its page in the documentation. What is written, and what a format can
express, is in :mod:`corefscope.formats.abilities`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias, cast

from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.exceptions import UnknownName
from corefscope.findings import Code, Finding
from corefscope.formats.abilities import WRITINGS
from corefscope.formats.builder import Builder
from corefscope.formats.detection import (
    Head,
    Test,
    has,
    is_array,
    is_clusters,
    is_columns,
    is_conllu,
    is_jsonl,
    is_spacy,
    is_stanza,
    is_stanza_json,
    is_table,
    is_text,
    is_universal_anaphora,
    line,
    magic,
    start,
)
from corefscope.formats.options import ReadingOptions, parse_options
from corefscope.formats.source import Progress, Source

Read: TypeAlias = Callable[[Source, Builder, ReadingOptions, Progress | None], None]
"""Reads the documents of a file into a builder."""

OFFSETS = ("unit", "base", "ends")
"""The options of formats whose offsets may be counted in another way than they should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that is read, and perhaps written."""

    name: str
    """What users call it, as in ``--response-format NAME``."""
    title: str
    """What it is, for messages and as the title of its page."""
    module: str
    """The module of ``corefscope.formats`` with the function ``read``."""
    test: Test
    """Recognises it by the beginning of a file."""
    endings: tuple[str, ...]
    """The extensions of its files; files of a directory with others are ignored."""
    companions: tuple[str, ...] = ()
    """The extensions of files that belong to a file with the same name, such as its text."""
    options: tuple[str, ...] = ()
    """The options that follow its name."""
    convention: Convention | None = None
    """How its offsets are counted; None if it has none."""

    @property
    def read(self) -> Read:
        """The function that reads a file."""
        return cast(Read, import_module(f"corefscope.formats.{self.module}").read)

    @property
    def is_written(self) -> bool:
        """Whether corpora can be written in this format: see :mod:`.abilities`."""
        return self.name in WRITINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A format that is recognised, but not read."""

    title: str
    test: Test
    advice: str


AS_CONLL_OR_JSON = (
    "export it as CoNLL-2012 columns, or as JSON lines with doc_key, sentences and clusters "
    "(token offsets, ends inclusive)"
)
AS_JSON = (
    "write it as JSON lines with doc_key, sentences and clusters (token offsets in the document, "
    "ends inclusive)"
)
XML = rb"(<[?!][^>]*>\s*)*"
"""What may stand before the root element."""

KINDS: tuple[Format | Refused, ...] = (
    Refused(title="a parquet file", test=magic("it begins with PAR1", b"PAR1"), advice=AS_JSON),
    Refused(
        title="a Word or Excel file, or another zip archive",
        test=magic("it begins with PK", b"PK\x03\x04"),
        advice="unpack it, or export its text",
    ),
    Refused(
        title="a PDF file", test=magic("it begins with %PDF", b"%PDF-"), advice=AS_CONLL_OR_JSON
    ),
    Format(
        name="spacy",
        title="spaCy DocBin",
        module="spacy_docbin",
        test=is_spacy,
        endings=(".spacy",),
    ),
    Format(
        name="ua",
        title="Universal Anaphora",
        module="universal_anaphora.reading",
        test=is_universal_anaphora,
        endings=(".conllua",),
        options=("layer",),
    ),
    Format(
        name="conll",
        title="CoNLL-2012 columns",
        module="conll.reading",
        test=is_columns,
        endings=("conll",),
    ),
    Refused(
        title="WebAnno or INCEpTION TSV",
        test=start("its first line is #FORMAT=WebAnno TSV", rb"#FORMAT=WebAnno TSV"),
        advice="export it as CoNLL-2012",
    ),
    Refused(title="CoNLL-U with coreference from Stanza", test=is_stanza, advice=AS_CONLL_OR_JSON),
    Format(
        name="corefud",
        title="CorefUD",
        module="corefud.reading",
        test=is_conllu,
        endings=(".conllu",),
        options=("head", "names"),
    ),
    Refused(
        title="BookNLP entities",
        test=start(
            "its columns are COREF, start_token, end_token", rb"COREF\tstart_token\tend_token"
        ),
        advice=AS_JSON,
    ),
    Refused(
        title="BookNLP tokens, which have no entities",
        test=start("its columns are paragraph_ID, sentence_ID", rb"paragraph_ID\tsentence_ID"),
        advice="the entities are in the file that ends in .entities; " + AS_JSON,
    ),
    Refused(
        title="GAP, which has a pronoun and two names per row",
        test=start("its columns are ID, Text, Pronoun", rb"ID\tText\tPronoun"),
        advice=AS_JSON,
    ),
    Refused(
        title="a table of mentions and clusters",
        test=start("its columns are mention_id, cluster_id", rb"mention_id\tcluster_id"),
        advice='write it as JSON clusters, {"document": [[mention, …], …]}',
    ),
    Refused(
        title="LitBank TSV",
        test=line(
            "lines with MENTION or COREF and a number such as T1", rb"(MENTION|COREF)\tT\d+\t"
        ),
        advice="use the CoNLL files of LitBank",
    ),
    Refused(
        title="brat annotations",
        test=line("lines such as 'T1⇥PER 0 5⇥text'", rb"T\d+\t[^\s\t]+ \d+ \d+"),
        advice=AS_CONLL_OR_JSON,
    ),
    Refused(
        title="SACR",
        test=line(
            'text with braces such as {anna:type="x" …}',
            rb'(?!\s*\{\s*").*\{[^\s:{}"]+:[^\s="{}]+="',
        ),
        advice=AS_CONLL_OR_JSON,
    ),
    Refused(
        title="a web page (HTML)",
        test=start("it begins with <html or <!DOCTYPE html", rb"(?i:<!doctype html|<html)"),
        advice="check the download; the page may be an error message",
    ),
    Refused(
        title="XML of CoreNLP",
        test=start("a root element with a document", XML + rb"<root>\s*<document>"),
        advice=AS_CONLL_OR_JSON,
    ),
    Refused(
        title="XML of ECB+",
        test=start("the root element Document", XML + rb"<Document\b"),
        advice="convert it to the CoNLL columns that scorers of ECB+ read",
    ),
    Refused(
        title="MMAX2",
        test=start("its root element", XML + rb"<(words|markables|mmax_project)\b"),
        advice=AS_CONLL_OR_JSON,
    ),
    Refused(
        title="XMI of UIMA",
        test=start("the root element xmi:XMI", XML + rb"<xmi:XMI\b"),
        advice=AS_CONLL_OR_JSON,
    ),
    Refused(
        title="XML",
        test=start("it begins with an XML declaration or a tag", rb"<[?!\w]"),
        advice=AS_CONLL_OR_JSON,
    ),
    Format(
        name="native",
        title="Native JSON lines of corefscope",
        module="native.reading",
        test=has("corefscope", "schema", "entities"),
        endings=(".jsonl",),
    ),
    Format(
        name="jsonl",
        title="JSON lines with doc_key, sentences and clusters",
        module="jsonl",
        test=is_jsonl,
        endings=(".jsonl", ".jsonlines", ".json"),
        options=("clusters", *OFFSETS),
        convention=DEFAULT,
    ),
    Refused(title="JSON of CoreNLP", test=has("corefs", "sentences"), advice=AS_JSON),
    Refused(title="JSON of Maverick", test=has("clusters_token_offsets"), advice=AS_JSON),
    Refused(title="JSON of wl-coref", test=has("cased_words"), advice=AS_JSON),
    Refused(title="JSON of PreCo", test=has("mention_clusters"), advice=AS_JSON),
    Refused(title="JSON of coref-data", test=has("coref_chains", "sentences"), advice=AS_JSON),
    Refused(title="JSON of ELIT", test=has("sens", "coref"), advice=AS_JSON),
    Format(
        name="allennlp",
        title="Output of the AllenNLP predictor",
        module="allennlp",
        test=has("document", "clusters"),
        endings=(".json", ".jsonl"),
        options=OFFSETS,
        convention=DEFAULT,
    ),
    Refused(title="JSON of spaCy", test=has("text", "tokens", "spans"), advice=AS_JSON),
    Refused(title="JSON of fastcoref", test=has("text", "clusters"), advice=AS_JSON),
    Refused(title="JSON of scorch", test=has("type", "clusters"), advice=AS_JSON),
    Refused(title="JSON of scorch", test=has("type", "mentions", "links"), advice=AS_JSON),
    Refused(title="JSON of Stanza", test=is_stanza_json, advice=AS_JSON),
    Refused(title="a JSON array", test=is_array, advice=AS_JSON),
    Format(
        name="json",
        title="JSON with the clusters of each document",
        module="clusters",
        test=is_clusters,
        endings=(".json",),
        options=OFFSETS,
        convention=DEFAULT,
    ),
    Refused(title="a table of tab-separated values", test=is_table, advice=AS_CONLL_OR_JSON),
    Refused(title="plain text", test=is_text, advice=AS_CONLL_OR_JSON),
)
"""All formats, in the order in which they are tried."""

FORMATS: Mapping[str, Format] = {kind.name: kind for kind in KINDS if isinstance(kind, Format)}
ENDINGS = tuple(dict.fromkeys(ending for format in FORMATS.values() for ending in format.endings))
"""The extensions of files that are read in a directory."""
COMPANIONS: Mapping[str, Sequence[str]] = {
    companion: [e for f in FORMATS.values() if companion in f.companions for e in f.endings]
    for format in FORMATS.values()
    for companion in format.companions
}
"""The extensions of files that are read together with a file of another extension."""


def parse_format(text: str) -> tuple[Format, ReadingOptions]:
    """Parse the name of a format and its options, such as ``jsonl:FIELD,base=1,ends=exclusive``."""
    name, colon, details = text.partition(":")
    if name not in FORMATS or (colon and (not details or not FORMATS[name].options)):
        raise UnknownName("format", text, FORMATS)
    return FORMATS[name], parse_options(name, FORMATS[name].options, details)


def recognise(source: Source) -> Format | Finding:
    """Return the format of a file, or a finding that names it if it is not read."""
    head = Head(source)
    for kind in KINDS if head.data.strip() else ():
        clue = kind.test(head)
        if clue is None:
            continue
        if isinstance(kind, Format):
            return kind
        message = (
            f"this looks like {kind.title} ({clue}), which corefscope does not read; expected "
            f"one of its formats, such as CoNLL columns, CorefUD or JSON lines: {kind.advice}"
        )
        return Finding(Code.OTHER_KIND, message, file=source.name)
    # The reader of columns says what is wrong.
    return FORMATS["conll"]
