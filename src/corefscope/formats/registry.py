"""All formats, in the order in which they are recognised by the beginning of a file.

A format has one entry here and one module, which is imported when a file of the format is read. The
docstring of the module is its page in the documentation. What is written, and what a format can
express, is in :mod:`corefscope.formats.writing.abilities`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice

from corefscope.corpus.offsets import CHARACTERS, DEFAULT, Convention
from corefscope.exceptions import UnknownName
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.detection import (
    ANSWER_FIELDS,
    CLUSTER_FIELDS,
    LOOK,
    PARQUET,
    ContentTest,
    Head,
    any_of,
    element,
    has,
    is_answers,
    is_booknlp_without_entities,
    is_brat,
    is_clusters,
    is_columns,
    is_conllu,
    is_coref_data,
    is_corefinst,
    is_crac_json,
    is_cross_document,
    is_damaged_answer,
    is_declared_only,
    is_download,
    is_empty_answer,
    is_foreign_xml,
    is_json_without_clusters,
    is_jsonl,
    is_label_studio,
    is_other_json,
    is_other_table,
    is_other_text,
    is_page,
    is_pairs,
    is_question,
    is_sacr,
    is_spacy,
    is_spacy_json,
    is_stanza,
    is_stanza_json,
    is_strings,
    is_tagged,
    is_universal_anaphora,
    is_wrapped,
    line,
    start,
)
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.cluster_fields import GOLD, two_fields
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import (
    OF_TOKENS,
    OFFSETS,
    TAGS,
    Reading,
    ReadingOptions,
    parse_options,
)
from corefscope.formats.reading.records import records
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.writing.abilities import WRITINGS
from corefscope.records import dataclass

OF_JSON = (".json", ".jsonl", ".jsonlines")
"""The extensions of JSON files."""
MAYBE_ANSWER = rf'"(\w*pred\w*|{"|".join(ANSWER_FIELDS)})"\s*:\s*(\[\s*){{0,2}}["{{]'.encode()
"""A field that may have an answer of a language model."""
MOST_RECORDS = 10
"""How many records of a file are searched for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that is read, and perhaps written."""

    name: str
    """What users call it, as in ``--response-format NAME``."""
    title: str
    """What it is, for messages and as the title of its page."""
    module: str
    """The module of ``corefscope.formats`` with the function ``read``."""
    test: ContentTest
    """Recognises it by the beginning of a file."""
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

    def read(
        self,
        source: Source,
        builder: Builder,
        options: ReadingOptions,
        progress: Progress | None = None,
    ) -> None:
        """Read a file."""
        builder.reading = self.reading(options)
        module = import_module(f"corefscope.formats.{self.module}")
        module.read(File(source=source, builder=builder, progress=progress))

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

    @property
    def is_written(self) -> bool:
        """Whether corpora can be written in this format."""
        return self.name in WRITINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFormat:
    """A format that is recognised, but not read."""

    title: str
    test: ContentTest
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
    "a table with a mention and its cluster in each row is read with the format pairs, or tables "
    "if it is giant, and recognised by a header with mention_id and cluster_id"
)
PLAIN_TEXT = "plain text"
XML = rb"(?:<\?[^>]*>\s*|<!--(?s:.*?)-->\s*|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>\s*)*"
"""What may stand before the root element."""

PAGE = RefusedFormat(
    title="a page of documentation or a file of a program",
    test=is_page,
    advice="give the file that was meant; write a sample on a page to a file of its own",
)
DOWNLOAD = RefusedFormat(
    title="a web page, a PDF or an Office document",
    test=is_download,
    advice=f"check the download, or {AS_CONLL_OR_JSON}",
)
XML_OF_OTHERS = RefusedFormat(
    title="XML or SGML of another tool, such as XMI, TEI, GATE or MUC",
    test=is_foreign_xml,
    advice="export CoNLL-2012 or WebAnno TSV 3 from that tool, or write JSON lines with a script",
)
GAP = RefusedFormat(
    title="GAP, which asks of each pronoun which of two names it refers to",
    test=is_question,
    advice="it has no entities; use gap_scorer.py of google-research-datasets/gap-coreference",
)
WITHOUT_ENTITIES = RefusedFormat(
    title="a file of BookNLP without entities",
    test=is_booknlp_without_entities,
    advice="give the file of the same name that ends in .entities, or the folder",
)
WRAPPED = RefusedFormat(
    title="JSON around tagged text",
    test=is_wrapped,
    advice="name that format, or write the text itself to a file for each document: DOCUMENT.txt",
    remedy=Remedy.NAME_FORMAT,
)
JSON = RefusedFormat(title="JSON without clusters", test=is_json_without_clusters, advice=AS_JSON)
TABLE = RefusedFormat(
    title="a table of other columns",
    test=is_other_table,
    advice=AS_PAIRS,
    remedy=Remedy.NAME_FORMAT,
)
TEXT = RefusedFormat(
    title=PLAIN_TEXT,
    test=is_other_text,
    advice=f"{AS_CONLL_OR_JSON}; output of a language model is read with the format tagged",
)

KINDS: tuple[Format | RefusedFormat, ...] = (
    Format(
        name="tables",
        title="Giant tables of mentions and entities: Parquet, CSV, TSV",
        module="tables",
        test=start("it begins with PAR1", PARQUET),
        endings=(".parquet", ".csv", ".tsv"),
        options=("mention", "entity"),
    ),
    DOWNLOAD,
    # XML that is read is recognised at its first bytes, and is large.
    Format(
        name="corenlp-xml",
        title="XML of CoreNLP",
        module="corenlp_xml",
        test=start(
            "a root element with a document", XML + element(rb"root") + element(rb"document")
        ),
        endings=(".xml",),
        options=OFFSETS,
        convention=Convention(1, "exclusive", "sentence"),
    ),
    Format(
        name="ecb",
        title="XML of ECB+",
        module="ecb",
        is_linked=True,
        test=start(
            "the root element Document with tokens or Markables",
            XML + element(rb"Document") + rb"(?:" + element(rb"(?:s|sentence)") + rb")?"
            rb"<(?:\w+:)?(?:token|Markables)\b",
        ),
        endings=(".xml",),
        options=("level",),
    ),
    Format(
        name="mmax2",
        title="MMAX2",
        module="mmax2",
        is_linked=True,
        test=start("its root element", XML + rb"<(?:\w+:)?(words|markables|mmax_project)\b"),
        endings=("_words.xml", ".mmax"),
        options=("level", "attribute", "ids"),
    ),
    PAGE,
    Format(
        name="spacy",
        title="spaCy DocBin",
        module="spacy_docbin",
        test=is_spacy,
        endings=(".spacy",),
        options=("clusters",),
    ),
    Format(
        name="ua",
        title="Universal Anaphora",
        module="universal_anaphora.reading",
        test=is_universal_anaphora,
        endings=(".conllua",),
        options=("layer", "ids"),
    ),
    Format(
        name="cdcr",
        title="CoNLL columns of cross-document coreference",
        module="cdcr",
        test=is_cross_document,
        endings=("conll",),
        options=("documents", "ids"),
    ),
    Format(
        name="conll",
        title="CoNLL-2012 columns",
        module="conll.reading",
        test=is_columns,
        endings=("conll",),
        options=("ids",),
    ),
    Format(
        name="webanno",
        title="TSV of WebAnno and INCEpTION",
        module="webanno",
        is_linked=True,
        test=start("its first line is #FORMAT=WebAnno TSV 3", rb"#FORMAT=WebAnno TSV 3"),
        endings=(".tsv",),
        options=("relations",),
    ),
    Format(
        name="stanza-conllu",
        title="CoNLL-U with coreference from Stanza",
        module="stanza_conllu",
        test=is_stanza,
        endings=(".conllu",),
    ),
    Format(
        name="corefud",
        title="CorefUD",
        module="corefud.reading",
        test=is_conllu,
        endings=(".conllu",),
        options=("head", "names", "ids"),
    ),
    Format(
        name="booknlp",
        title="Entities of BookNLP",
        module="booknlp",
        test=start(
            "its columns are COREF, start_token, end_token", rb"COREF\tstart_token\tend_token"
        ),
        endings=(".entities",),
        companions=(".tokens", ".quotes", ".supersense", ".book", ".book.html"),
        options=OFFSETS,
        convention=DEFAULT,
    ),
    WITHOUT_ENTITIES,
    GAP,
    Format(
        name="pairs",
        title="A table of mentions and clusters, or of pairs of mentions",
        module="pairs",
        test=is_pairs,
        endings=(".tsv", ".csv"),
    ),
    Format(
        name="litbank",
        title="TSV of LitBank",
        module="litbank",
        is_linked=True,
        test=line(
            "lines with MENTION or COREF and a number such as T1", rb"(MENTION|COREF)\tT\d+\t"
        ),
        endings=(".ann", ".tsv"),
        companions=(".txt",),
        options=OFFSETS,
        convention=Convention(0, "inclusive", "sentence"),
    ),
    Format(
        name="brat",
        title="brat annotations",
        module="brat",
        is_linked=True,
        test=is_brat,
        endings=(".ann",),
        companions=(".txt",),
        options=("relations", "types", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="sacr",
        title="SACR",
        module="sacr",
        test=is_sacr,
        endings=(".sacr",),
    ),
    XML_OF_OTHERS,
    Format(
        name="tagged",
        title="Text with tags, as language models write it",
        module="tagged.reading",
        test=is_tagged,
        endings=(".txt",),
        options=TAGS,
    ),
    Format(
        name="answers",
        title="Answers of language models in JSON lines",
        module="answers",
        test=is_answers,
        endings=OF_JSON,
        options=("clusters", *TAGS),
    ),
    WRAPPED,
    Format(
        name="cdcr-json",
        title="JSON mentions of cross-document coreference",
        module="cdcr_json",
        test=has("doc_id", "tokens_ids", "cluster_id"),
        endings=(".json",),
        options=("base",),
        convention=Convention(1, "inclusive", "token"),
    ),
    Format(
        name="label-studio",
        title="JSON of Label Studio",
        module="label_studio",
        is_nameless=True,
        is_linked=True,
        test=is_label_studio,
        endings=(".json",),
        options=("relations", "annotator", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="corenlp",
        title="JSON of CoreNLP",
        module="corenlp",
        test=has("corefs", "sentences"),
        endings=OF_JSON,
        options=OFFSETS,
        convention=Convention(1, "exclusive", "sentence"),
    ),
    Format(
        name="stanza",
        title="JSON of Stanza",
        module="stanza",
        test=is_stanza_json,
        endings=OF_JSON,
    ),
    Format(
        name="corefinst",
        title="Windows of CorefInst",
        module="corefinst",
        test=is_corefinst,
        endings=OF_JSON,
    ),
    Format(
        name="crac-json",
        title="JSON of CRAC's track for language models",
        module="crac.json",
        test=is_crac_json,
        endings=OF_JSON,
        options=OF_TOKENS,
        convention=DEFAULT,
    ),
    Format(
        name="maverick",
        title="Output of Maverick and xCoRe",
        module="maverick",
        is_nameless=True,
        gold="clusters_token_offsets",
        test=has("clusters_token_offsets"),
        endings=OF_JSON,
        options=("clusters", "documents", *OFFSETS),
        convention=DEFAULT,
    ),
    Format(
        name="wl-coref",
        title="Files of wl-coref and CAW-coref",
        module="wl_coref",
        gold="span_clusters",
        test=has("cased_words"),
        endings=OF_JSON,
        options=("clusters", *OF_TOKENS),
        convention=Convention(0, "exclusive"),
    ),
    Format(
        name="preco",
        title="PreCo",
        module="preco",
        gold="mention_clusters",
        test=has("mention_clusters", "sentences"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "exclusive", "sentence"),
    ),
    Format(
        name="coref-data",
        title="JSON of coref-data",
        module="coref_data",
        test=is_coref_data,
        endings=OF_JSON,
        options=OFFSETS,
        convention=Convention(0, "inclusive", "sentence"),
    ),
    Format(
        name="elit",
        title="JSON of ELIT",
        module="elit",
        gold="coref",
        test=has("sens", "coref"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "exclusive", "sentence"),
    ),
    Format(
        name="allennlp",
        title="Output of the AllenNLP predictor",
        module="allennlp",
        is_nameless=True,
        gold="clusters",
        test=any_of(
            has("document", "clusters", lacks=("sentences",)),
            has("document", "predicted_clusters", lacks=("sentences",)),
            has("document", "top_spans"),
            has("clusters", "cluster_heads"),
        ),
        endings=OF_JSON,
        options=("clusters", *OF_TOKENS),
        convention=DEFAULT,
    ),
    Format(
        name="spacy-json",
        title="spaCy documents as JSON",
        module="spacy_json",
        is_nameless=True,
        test=is_spacy_json,
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="fastcoref",
        title="Output of fastcoref, and its training files",
        module="fastcoref",
        is_nameless=True,
        gold="clusters",
        test=any_of(
            *(has("text", field, lacks=("sentences", "subtoken_map")) for field in CLUSTER_FIELDS)
        ),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=CHARACTERS,
    ),
    Format(
        name="subtoken",
        title="JSON lines that count word pieces",
        module="subtoken",
        gold="clusters",
        test=has("subtoken_map", "sentences"),
        endings=OF_JSON,
        options=("clusters", *OFFSETS),
        convention=Convention(0, "inclusive", "piece"),
    ),
    Format(
        name="strings",
        title="JSON with clusters of strings",
        module="strings",
        test=is_strings,
        endings=(".json", ".jsonl"),
    ),
    Format(
        name="crac-text",
        title="Text of CRAC's track for language models",
        module="crac.text",
        is_nameless=True,
        test=is_declared_only,
        endings=(".txt",),
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
        module="jsonl.reading",
        test=is_jsonl,
        endings=(".jsonl", ".jsonlines", ".json"),
        options=("clusters", *OFFSETS),
        convention=DEFAULT,
    ),
    Format(
        name="scorch",
        title="JSON of scorch",
        module="scorch",
        test=any_of(has("type", "clusters"), has("mentions", "links")),
        endings=OF_JSON,
    ),
    JSON,
    Format(
        name="json",
        title="JSON with the clusters of each document",
        module="clusters",
        test=is_clusters,
        endings=(".json",),
        options=OF_TOKENS,
        convention=DEFAULT,
    ),
    TABLE,
    TEXT,
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
OF_EMPTY = {".ann": "brat", ".conllu": "corefud", ".sacr": "sacr"}
"""The format of an empty file by its extension, where it is not that of CoNLL columns."""


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


def recognise(source: Source, *, answers: str | None = None) -> Format | Finding:
    """Return the format of a file, or a finding that names it if it is not read.

    ``answers`` is the format of the answers of a language model that are in the same folder. Plain
    text, an empty file, or empty JSON among them is an answer without a mention, and so is damaged
    JSON among clusters of strings.
    """
    if answers is not None:
        return _examined(source, answers)
    if source.format is None:
        source.format = _examined(source, None)
    return source.format


def of_records(
    format: Format, source: Source, builder: Builder, options: ReadingOptions, *, is_named: bool
) -> Format:
    """Return the format of JSON records with clusters, which may have an answer beside them.

    The clusters are then the gold annotation, which must not be scored as the answer, unless the
    user named their format.
    """
    answers = FORMATS["answers"]
    is_json = set(OF_JSON).issuperset(format.endings) and format is not answers
    if not is_json or options.clusters or not re.search(MAYBE_ANSWER, source.head(LOOK)):
        return format
    # Loaded here because few files have answers.
    from corefscope.formats.answers import readable

    found = (each.value for each in islice(records(File(source=source)), MOST_RECORDS))
    some = [each for each in found if isinstance(each, dict)]
    field = next((field for each in some for field in readable(each)), None)
    others = {field for each in some for field in each if field in CLUSTER_FIELDS} - {field}
    if field is None or others != {GOLD}:
        return format
    reason = f"the file is used as {options.role}" if options.role else "it is the usual one"
    if is_named:
        reason = "its format was named"
    elif options.role == "response":
        builder.add(two_fields(field, GOLD, reason, format.reading(options)).at(source.name))
        return answers
    builder.add(two_fields(GOLD, field, reason, answers.reading(options)).at(source.name))
    return format


def is_no_document(source: Source) -> bool:
    """Return whether a file has no documents, such as settings or figures in JSON."""
    if not isinstance(recognise(source), Finding):
        return False
    head = Head(source)
    kind = next((kind for kind in KINDS if kind.test(head)), None)
    return kind is JSON and is_other_json(head) is not None


def _examined(source: Source, answers: str | None) -> Format | Finding:
    head = Head(source)
    if answers and is_empty_answer(head):
        return FORMATS[answers]
    if answers == "strings" and is_damaged_answer(head):
        return FORMATS[answers]
    if not head.data.strip():
        return _of_empty_file(head)
    for kind in KINDS:
        clue = kind.test(head)
        if clue is None:
            continue
        if isinstance(kind, Format):
            return kind
        if answers and kind.title == PLAIN_TEXT:
            return FORMATS[answers]
        return Finding(
            Code.OTHER_KIND,
            f"this looks like {kind.title} ({clue}), which corefscope "
            + (
                "reads only if its format is named"
                if kind.remedy is Remedy.NAME_FORMAT
                else "does not read"
            ),
            expected=(
                f"one of its formats, such as CoNLL columns, CorefUD or JSON lines: {kind.advice}"
            ),
            file=source.name,
            remedy=kind.remedy,
        )
    # The reader of columns says what is wrong.
    return FORMATS["conll"]


def _of_empty_file(head: Head) -> Format | Finding:
    """Return the format of a file without any text, as far as its name tells it."""
    for ending, name in OF_EMPTY.items():
        if head.name.endswith(ending):
            return FORMATS[name]
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
