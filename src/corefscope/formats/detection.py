"""Recognise formats that are not supported, so that a message can name them.

The formats are tried in the order of the table at the end.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from corefscope.findings import Code, Finding
from corefscope.formats.conll.cell import parse_cell
from corefscope.formats.jsonl import CLUSTER_FIELDS, NAME_FIELDS
from corefscope.formats.source import Source

LOOK = 1 << 16
"""How many bytes at the beginning of a file are examined."""
MOST_LINES = 200

BEGIN = re.compile(rb"#\s*begin document")
CONLLU_ID = re.compile(rb"\d+([-.]\d+)?")
CONLLU_HEAD = re.compile(rb"\d+|_")
JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]', re.DOTALL)
JSON_ARRAY = re.compile(r'(\[\s*)+(\{\s*"|\]|"|-?\d)')
JSON_FIELD = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:', re.DOTALL)

AS_CONLL_OR_JSON = (
    "export it as CoNLL-2012 columns, or as JSON lines with doc_key, sentences and clusters "
    "(token offsets, ends inclusive)"
)
AS_JSON = (
    "write it as JSON lines with doc_key, sentences and clusters (token offsets in the document, "
    "ends inclusive)"
)


class Head:
    """The beginning of a file, in the forms that the tests of formats need."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that are not blank; the last one may be cut off."""
        lines = self.data.splitlines()[:MOST_LINES]
        return [line for line in lines if line.strip()]

    @cached_property
    def rows(self) -> list[list[bytes]]:
        """The fields of the lines that are not comments."""
        return [
            line.split(b"\t") if b"\t" in line else line.split()
            for line in self.lines
            if not line.startswith(b"#")
        ]

    @cached_property
    def text(self) -> str:
        """The beginning as text."""
        return self.data.decode(errors="replace").lstrip()

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields of the first JSON object, which may be cut off."""
        return frozenset(_fields(self.text))


Test: TypeAlias = Callable[[Head], str | None]
"""Returns the evidence for a format, or None."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A format that is not supported."""

    name: str
    test: Test
    advice: str = AS_CONLL_OR_JSON


def unread_format(source: Source) -> Finding | None:
    """Return a finding that names the format of a file, if it is a known unsupported one."""
    data = source.head(LOOK)
    if BEGIN.search(data) or not data.strip():
        return None
    head = Head(data)
    for format in UNREAD:
        clue = format.test(head)
        if clue:
            message = (
                f"this looks like {format.name} ({clue}), which corefscope does not read; expected "
                f"CoNLL columns, CorefUD, JSON lines or JSON clusters: {format.advice}"
            )
            return Finding(Code.OTHER_KIND, message, file=source.name)
    return None


def _fields(text: str) -> Iterable[str]:
    """Yield the fields of the first object in a JSON text, without those of nested objects."""
    depth = begin = 0
    for part in JSON_PART.finditer(text):
        if part[0] in ("{", "["):
            depth += 1
            begin = begin or (depth if part[0] == "{" else 0)
        elif part[0] in ("}", "]"):
            depth -= 1
            if depth < begin:
                return
        elif depth == begin and (field := JSON_FIELD.fullmatch(part[0])):
            yield field[1]


def _magic(clue: str, *starts: bytes) -> Test:
    return lambda head: clue if head.data.startswith(starts) else None


def _start(clue: str, pattern: bytes) -> Test:
    """Recognise a format by the beginning of the text."""
    compiled = re.compile(rb"\s*" + pattern)
    return lambda head: clue if compiled.match(head.data) else None


def _line(clue: str, pattern: bytes) -> Test:
    """Recognise a format by one of the first lines."""
    compiled = re.compile(pattern)
    return lambda head: clue if any(compiled.match(line) for line in head.lines) else None


def _has(*fields: str) -> Test:
    """Recognise a JSON format by its fields, unless the fields are those of a supported format."""
    clue = "the fields " + " and ".join(fields) if len(fields) > 1 else f"the field {fields[0]}"

    def test(head: Head) -> str | None:
        is_json = head.text.startswith(("{", "["))
        return clue if is_json and not _is_record(head) and head.fields >= set(fields) else None

    return test


def _is_record(head: Head) -> bool:
    """Return whether the JSON has a name and clusters, like a record of JSON lines."""
    return bool(head.fields & set(NAME_FIELDS)) and bool(head.fields & set(CLUSTER_FIELDS))


def _is_spacy(head: Head) -> str | None:
    if not head.data.startswith((b"\x78\x9c", b"\x78\x01", b"\x78\xda")):
        return None
    try:
        inside = zlib.decompressobj().decompress(head.data, 1 << 12)
    except zlib.error:
        return None
    return "compressed data with attrs and tokens" if b"attrs" in inside else None


def _is_stanza(head: Head) -> str | None:
    """Recognise CoNLL-U with chains of its own in MISC."""
    is_other = b"coref_chains=" in head.data and b"# global.Entity" not in head.data
    return "ten columns with coref_chains=" if is_other and looks_like_conllu(head) else None


def is_conllu(source: Source) -> bool:
    """Tell whether a file is CoNLL-U, with coreference or without."""
    data = source.head(LOOK)
    return not BEGIN.search(data) and looks_like_conllu(Head(data))


def looks_like_conllu(head: Head) -> bool:
    """Tell whether lines have the ten columns of CoNLL-U, or a comment declares entities."""
    if any(line.startswith(b"# global.Entity") for line in head.lines):
        return True
    rows = [line.split(b"\t") for line in head.lines if not line.startswith(b"#")]
    # The last line may be cut off.
    rows = rows[:-1] if len(rows) > 1 and not head.data.endswith(b"\n") else rows
    return bool(rows) and all(
        len(row) == 10 and CONLLU_ID.fullmatch(row[0]) and CONLLU_HEAD.fullmatch(row[6])
        for row in rows
    )


def _is_array(head: Head) -> str | None:
    return "it begins with [" if JSON_ARRAY.match(head.text) else None


def _is_record_array(head: Head) -> str | None:
    has_records = _is_array(head) and _is_record(head)
    return "a list of objects with a name and clusters" if has_records else None


def _is_pretty_record(head: Head) -> str | None:
    """Recognise a record that spans several lines, and several records on one line."""
    if not head.text.startswith("{") or not _is_record(head):
        return None
    first, newline, _ = head.text.partition("\n")
    try:
        json.loads(first)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return "an object that begins on the line on which another ends"
        return "an object with a name and clusters over several lines" if newline else None
    except (ValueError, RecursionError):
        return None
    return None


def _is_table(head: Head) -> str | None:
    tabbed = [line for line in head.lines if b"\t" in line]
    if looks_like_conllu(head):
        return None
    if b"\0" in head.data or has_columns(head) or not tabbed or len(tabbed) * 2 < len(head.lines):
        return None
    return "lines with tabs, and no coreference cells at their ends"


def _is_text(head: Head) -> str | None:
    is_other = head.text.startswith("{") or b"\0" in head.data or b"begin document" in head.data
    if is_other or has_columns(head) or looks_like_conllu(head):
        return None
    return "no columns and no '#begin document' line"


def has_columns(head: Head) -> bool:
    """Return whether most lines end in a coreference cell, so that this may be CoNLL after all."""
    ends = [row[-1].strip() for row in head.rows if row]
    return sum(map(_is_cell, ends)) * 2 >= len(ends)


def _is_cell(text: bytes) -> bool:
    """Return whether a field is a coreference cell; words such as (them) are not."""
    cell = parse_cell(text)
    if cell is None or cell.bare:
        return False
    return not text or text in (b"-", b"_", b"*") or any(map(str.isdigit, text.decode("latin-1")))


UNREAD = (
    Unread("a parquet file", _magic("it begins with PAR1", b"PAR1"), AS_JSON),
    Unread(
        "a Word or Excel file, or another zip archive",
        _magic("it begins with PK", b"PK\x03\x04"),
        "unpack it, or export its text",
    ),
    Unread("a PDF file", _magic("it begins with %PDF", b"%PDF-")),
    Unread("a spaCy DocBin", _is_spacy, AS_JSON),
    Unread(
        "WebAnno or INCEpTION TSV",
        _start("its first line is #FORMAT=WebAnno TSV", rb"#FORMAT=WebAnno TSV"),
        "export it as CoNLL-2012",
    ),
    Unread(
        "CoNLL-U with coreference from Stanza",
        _is_stanza,
    ),
    Unread(
        "BookNLP entities",
        _start("its columns are COREF, start_token, end_token", rb"COREF\tstart_token\tend_token"),
        AS_JSON,
    ),
    Unread(
        "BookNLP tokens, which have no entities",
        _start("its columns are paragraph_ID, sentence_ID", rb"paragraph_ID\tsentence_ID"),
        "the entities are in the file that ends in .entities; " + AS_JSON,
    ),
    Unread(
        "GAP, which has a pronoun and two names per row",
        _start("its columns are ID, Text, Pronoun", rb"ID\tText\tPronoun"),
        AS_JSON,
    ),
    Unread(
        "a table of mentions and clusters",
        _start("its columns are mention_id, cluster_id", rb"mention_id\tcluster_id"),
        'write it as JSON clusters, {"document": [[mention, …], …]}',
    ),
    Unread(
        "LitBank TSV",
        _line("lines with MENTION or COREF and a number such as T1", rb"(MENTION|COREF)\tT\d+\t"),
        "use the CoNLL files of LitBank",
    ),
    Unread(
        "brat annotations", _line("lines such as 'T1⇥PER 0 5⇥text'", rb"T\d+\t[^\s\t]+ \d+ \d+")
    ),
    Unread(
        "SACR",
        _line(
            'text with braces such as {anna:type="x" …}',
            rb'(?!\s*\{\s*").*\{[^\s:{}"]+:[^\s="{}]+="',
        ),
    ),
    Unread(
        "a web page (HTML)",
        _start("it begins with <html or <!DOCTYPE html", rb"(?i:<!doctype html|<html)"),
        "check the download; the page may be an error message",
    ),
    Unread(
        "XML of CoreNLP",
        _start("a root element with a document", rb"(<[?!][^>]*>\s*)*<root>\s*<document>"),
    ),
    Unread(
        "XML of ECB+",
        _start("the root element Document", rb"(<[?!][^>]*>\s*)*<Document\b"),
        "convert it to the CoNLL columns that scorers of ECB+ read",
    ),
    Unread(
        "MMAX2", _start("its root element", rb"(<[?!][^>]*>\s*)*<(words|markables|mmax_project)\b")
    ),
    Unread("XMI of UIMA", _start("the root element xmi:XMI", rb"(<[?!][^>]*>\s*)*<xmi:XMI\b")),
    Unread(
        "XML", _start("it begins with an XML declaration or a tag", rb"<[?!\w]"), AS_CONLL_OR_JSON
    ),
    Unread("JSON of CoreNLP", _has("corefs", "sentences"), AS_JSON),
    Unread("JSON of Maverick", _has("clusters_token_offsets"), AS_JSON),
    Unread("JSON of wl-coref", _has("cased_words"), AS_JSON),
    Unread("JSON of PreCo", _has("mention_clusters"), AS_JSON),
    Unread("JSON of coref-data", _has("coref_chains", "sentences"), AS_JSON),
    Unread("JSON of ELIT", _has("sens", "coref"), AS_JSON),
    Unread("JSON of AllenNLP", _has("document", "clusters"), AS_JSON),
    Unread("JSON of spaCy", _has("text", "tokens", "spans"), AS_JSON),
    Unread("JSON of fastcoref", _has("text", "clusters"), AS_JSON),
    Unread("JSON of scorch", _has("type", "clusters"), AS_JSON),
    Unread("JSON of scorch", _has("type", "mentions", "links"), AS_JSON),
    Unread(
        "JSON of Stanza",
        lambda head: (
            "a list of lists of objects with id and text"
            if re.match(r"\[\s*\[\s*\{", head.text) and head.fields >= {"id", "text"}
            else None
        ),
        AS_JSON,
    ),
    Unread(
        "a JSON array of records", _is_record_array, "write one record per line, without the array"
    ),
    Unread("a JSON array", _is_array, AS_JSON),
    Unread(
        "JSON records that are not one per line", _is_pretty_record, "write one record per line"
    ),
    Unread("a table of tab-separated values", _is_table),
    Unread("plain text", _is_text),
)
"""The formats that are recognised, in order."""
