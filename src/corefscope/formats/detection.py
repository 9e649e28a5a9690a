"""Recognise formats by the beginning of a file.

A test returns what it recognised a format by, or None. :mod:`corefscope.formats.registry` has the
formats with their tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import Any, TypeAlias

from corefscope.corpus.foreign import NAME_FIELDS, RECORD_NAMES
from corefscope.formats.conll.cell import parse_cell
from corefscope.formats.reading.source import FirstObject, Source

LOOK = 1 << 16
"""How many bytes at the beginning of a file are examined."""
LONGER_LOOKS = (LOOK, 1 << 20, 1 << 24, 1 << 28)
"""How many bytes are examined, one after the other, to find the end of the first JSON object."""
MOST_LINES = 200

TEXT_FIELDS = frozenset({"document", "tokens", "words", "cased_words", "text", "sens"})
"""The fields of JSON formats with the words of a document."""
CLUSTER_FIELDS = ("clusters", "predicted_clusters")
"""The fields of JSON lines with its entities."""

ANSWER_FIELDS = ("prediction", "generated_text", "response", "output", "completion", "answer")
"""The fields with an answer; the last ones may also have that of the gold annotation."""


KNOWN_FIELDS = frozenset({*NAME_FIELDS, *TEXT_FIELDS, *CLUSTER_FIELDS, "sentences", "spans"})
"""The fields of JSON that is a document, even if others are missing."""


# Patterns that only some files need are compiled when they are used, which saves 4 ms each time.
USUAL_FIELDS = frozenset({"doc_key", "sentences", "clusters", "predicted_clusters", "speakers"})
"""The fields of most records of JSON lines."""
XML = rb"(?:<\?[^>]*>\s*|<!--(?s:.*?)-->\s*|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>\s*)*"
"""What may stand before the root element."""
PLAIN_CLUSTERS = r'\{\s*"[^"\\]*"\s*:\s*\[\s*\[\s*\[\s*-?\d'
BEGIN_OF_PART = rb"\s*#begin document \([^\n]*\); part \d+\s*\n"
BEGIN = re.compile(rb"^[ \t]*#[^\S\n]*begin document", re.MULTILINE)
MUC_MENTION = rb"<COREF\s+ID\s*="
MUC_DOCUMENT = rb"<(DOC|DOCNO|DOCID|TXT)>"
OBJECT_IN_A_LINE = rb"\s*\{.*\}\s*"
CONLLU_ID = rb"\d+([-.]\d+)?"
CONLLU_HEAD = rb"\d+|_"
VALUE = r'(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)'
JSON_PART = r'(?s)"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]'
JSON_ARRAY = r'(\[\s*)+(\{\s*"|\]|"|-?\d)'
BEFORE_OBJECT = "[ \t\r\n"
JSON_FIELD = r'(?s)"((?:[^"\\]|\\.)*)"\s*:'
EMPTY_OBJECT = r"\{\s*\}\s*"
VALUES = rf"\[\s*{VALUE}(\s*,\s*{VALUE})*\s*\]\s*"
"""A JSON array of strings, numbers and the like."""
OF_PROGRAMS = (
    ".rst",
    ".toml",
    ".py",
    ".cfg",
    ".ini",
    ".yaml",
    ".yml",
    ".js",
    ".ts",
    ".css",
    ".sh",
    ".java",
)
"""Extensions of files with brackets that are no tags."""
OF_PAGES = (".md", ".markdown", ".rst")
HEADING = r"(?m)^#{1,6} +\S"
HTML = rb"\s*(?i:<!doctype html|<html)"
GAP_ROW = rb"\S+\t(TRUE|FALSE|True|False)\t(TRUE|FALSE|True|False)"
OTHER_LINK = r"\]\((?!#)[^()\s]+\)"
FENCES = (b"```", b"~~~")
FENCE = re.compile(rb"^ {0,3}(" + b"|".join(FENCES) + rb")", re.MULTILINE)
"""The beginning of a block in Markdown that may have a sample of a format."""
RULER = re.compile(rb"^\|[ :|-]+\|\s*$", re.MULTILINE)
"""The line below the header of a table in Markdown."""
SAMPLE = (
    rb"(?m)^[ \t]*(#\s*begin document|#\s*global\.(Entity|columns)\b|T\d+\t\S+ \d+ \d+|"
    rb"(MENTION|COREF)\tT\d+\t|(?!\{\s*\")\{[^\s:{}\"]+:[^\s=\"{}]+=\")|^[ \t]*\d+(\t[^\t\n]*){9}$"
)
"""A line of a format that is recognised by any of its first lines, not only by the first one."""
ANCHOR = r"\]\(#([^()\s]+)\)"
TWO_CELLS = rb"[^\s,;]+[,;][^\s,;]+\s*"


class Head:
    """The beginning of a file, in the forms that the tests of formats need."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.head(LOOK)

    @property
    def name(self) -> str:
        """The name of the file in small letters, without its folder; empty if it has none."""
        path = self.source.path
        return "" if path is None else path.name.lower().removesuffix(".gz")

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that are not blank; the last one may be cut off."""
        # To divide all of the beginning into lines would take as long as all tests together.
        first = b"".join(islice(BytesIO(self.data), MOST_LINES))
        return [line for line in first.splitlines()[:MOST_LINES] if line.strip()]

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
    def object(self) -> dict[str, Any]:
        """The first JSON object; empty if there is none, or if it is damaged or endless.

        A whole novel may be one object, with the field that says most behind all others.
        """
        from corefscope.formats.reading.strict_json import DECODER

        for size in LONGER_LOOKS:
            data = self.source.head(size)
            text = data.decode(errors="surrogateescape")
            start = len(text) - len(text.lstrip(BEFORE_OBJECT))
            with suppress(ValueError, RecursionError):
                found, end = DECODER.raw_decode(text, start)
                if isinstance(found, dict):
                    self.source.first_object = FirstObject(found, start, end - start)
                    return found
            if len(data) < size:
                break
        return {}

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields of the first JSON object, which may be cut off.

        If ``document`` has a text and no words, it is a name, as ``doc`` is.
        """
        found = frozenset(self.object or _fields(self.text))
        is_name = isinstance(self.object.get("document"), str)
        return found - {"document"} | {"doc"} if is_name else found

    @cached_property
    def begins_documents(self) -> bool:
        """Whether a line begins a document of CoNLL-2012."""
        # Most files do not have the words, which is quick to see.
        return b"begin document" in self.data and BEGIN.search(self.data) is not None

    @cached_property
    def style(self) -> str:
        """The style of the tags of mentions in the text."""
        from corefscope.answers.styles import style_of

        return style_of(self.text)

    @cached_property
    def is_json(self) -> bool:
        """Whether the file begins like JSON."""
        return self.text.startswith(("{", "["))


ContentTest: TypeAlias = Callable[[Head], str | None]
"""Returns the evidence for a format, or None."""


def _fields(text: str) -> Iterable[str]:
    """Yield the fields of the first object in a JSON text, without those of nested objects."""
    depth = begin = 0
    for part in re.finditer(JSON_PART, text):
        if part[0] in ("{", "["):
            depth += 1
            begin = begin or (depth if part[0] == "{" else 0)
        elif part[0] in ("}", "]"):
            depth -= 1
            if depth < begin:
                return
        elif depth == begin and (field := re.fullmatch(JSON_FIELD, part[0])):
            yield field[1]


def start(clue: str, pattern: bytes) -> ContentTest:
    """Recognise a format by the beginning of the text."""
    # A pattern is compiled when a file gets that far, so that most files are read sooner.
    return lambda head: clue if re.match(rb"\s*" + pattern, head.data) else None


def element(name: bytes) -> bytes:
    """Return a pattern of the beginning of an element, which may have a prefix and attributes."""
    return rb"<(?:\w+:)?" + name + rb"(?:\s[^>]*)?>\s*"


def line(clue: str, pattern: bytes) -> ContentTest:
    """Recognise a format by one of the first lines."""
    return lambda head: clue if any(map(re.compile(pattern).match, head.lines)) else None


def has(*fields: str, lacks: Collection[str] = ()) -> ContentTest:
    """Recognise a JSON format by its fields, and by those that it does not have."""
    clue = "the fields " + " and ".join(fields) if len(fields) > 1 else f"the field {fields[0]}"

    def test(head: Head) -> str | None:
        is_one = head.is_json and head.fields >= set(fields) and not head.fields & set(lacks)
        return clue if is_one else None

    return test


def any_of(*tests: ContentTest) -> ContentTest:
    """Recognise a format by any of several tests."""
    return lambda head: next(filter(None, (test(head) for test in tests)), None)


def is_jsonl(head: Head) -> str | None:
    """Recognise records with two of a name, clusters, and sentences or tokens; or any records."""
    if not head.is_json:
        return None
    has_clusters = bool(head.fields & set(CLUSTER_FIELDS))
    is_plain = has_clusters and "type" not in head.fields
    has_name = bool(head.fields & set(RECORD_NAMES if is_plain else NAME_FIELDS))
    has_words = bool(head.fields & {"sentences", "tokens"})
    if has_name + has_clusters + has_words > 1:
        return "a name, sentences or clusters"
    # Their fields may have other names, which the reader looks for.
    are_records = len(head.lines) > 1 and all(
        map(re.compile(OBJECT_IN_A_LINE).fullmatch, head.lines[:2])
    )
    if not are_records or not any(map(_has_clusters, head.object.values())):
        return None
    return "an object with lists of lists in each line"


def is_certainly_jsonl(head: Head) -> str | None:
    """Recognise records with no other fields than most records have."""
    is_one = head.is_json and {"sentences"} < head.fields <= USUAL_FIELDS
    # The first record may lack a field that the others have, such as an answer.
    last = re.findall(rb'"(\w+)"\s*:', head.lines[-2]) if is_one and len(head.lines) > 2 else []
    is_one = is_one and USUAL_FIELDS.issuperset(name.decode() for name in last)
    return "the fields doc_key, sentences and clusters" if is_one else None


def is_certainly_clusters(head: Head) -> str | None:
    """Recognise documents that are nothing but lists of lists of lists."""
    is_one = head.is_json and not head.fields & set(CLUSTER_FIELDS)
    is_one = is_one and re.match(PLAIN_CLUSTERS, head.text) is not None
    return "names with lists of clusters" if is_one else None


def is_certainly_corefud(head: Head) -> str | None:
    """Recognise the declaration of entities, if there is nothing of another format."""
    is_one = any(line.startswith(b"# global.Entity") for line in head.lines)
    is_other = b"global.columns" in head.data or b"coref_chains=" in head.data
    return "the line # global.Entity" if is_one and not is_other else None


def is_certainly_columns(head: Head) -> str | None:
    """Recognise the first line of CoNLL-2012."""
    return "a line with #begin document" if re.match(BEGIN_OF_PART, head.data) else None


def is_declared_only(head: Head) -> str | None:
    """Recognise nothing: such files are named by the user, or read as another format."""
    del head
    return None


def is_muc(head: Head) -> str | None:
    """Recognise a document with mentions that refer to others."""
    is_one = re.search(MUC_MENTION, head.data) and re.search(MUC_DOCUMENT, head.data)
    return "elements DOC and COREF" if is_one else None


def is_xml(head: Head) -> str | None:
    """Recognise any other XML, which has no NUL bytes."""
    is_one = b"\0" not in head.data and re.match(rb"\s*<[?!\w]", head.data)
    return "it begins with an XML declaration or a tag" if is_one else None


def is_other_json(head: Head) -> str | None:
    """Recognise JSON that has no clusters, such as settings, figures or a list of names."""
    if re.fullmatch(VALUES, head.text):
        return "a list of single values"
    if re.fullmatch(EMPTY_OBJECT, head.text):
        return "an empty object"
    values = head.object.values() if head.text.startswith("{") else ()
    if not values or "corefscope" in head.object or any(map(_has_clusters, values)):
        return None
    # A document may lack clusters, or have none.
    is_document = head.fields & KNOWN_FIELDS or all(value == [] for value in values)
    if is_document and any(map(_has_list, values)):
        return None
    return f"the field {next(iter(head.object))}, and no list of lists"


def _has_clusters(value: object) -> bool:
    """Return whether a value is a list with lists, or an object with such a list."""
    if isinstance(value, dict):
        return any(isinstance(each, list) and _has_clusters(each) for each in value.values())
    return isinstance(value, list) and any(isinstance(each, list) for each in value)


def _has_list(value: object) -> bool:
    """Return whether a value is a list, or an object with a list."""
    return isinstance(value, list) or (
        isinstance(value, dict) and any(isinstance(each, list) for each in value.values())
    )


def is_clusters(head: Head) -> str | None:
    """Recognise any other JSON object."""
    return "an object" if head.text.startswith("{") else None


def is_conllu(head: Head) -> str | None:
    """Recognise CoNLL-U, with coreference or without."""
    return "ten columns" if looks_like_conllu(head) else None


def is_columns(head: Head) -> str | None:
    """Recognise a line that begins a document of CoNLL-2012."""
    is_one = not head.is_json and head.begins_documents
    return "a line with #begin document" if is_one else None


def looks_like_conllu(head: Head) -> bool:
    """Tell whether lines have the ten columns of CoNLL-U, or a comment declares entities."""
    if any(line.startswith(b"# global.Entity") for line in head.lines):
        return True
    lines = [line for line in head.lines if not line.startswith(b"#")]
    # The last line may be cut off.
    lines = lines[:-1] if len(lines) > 1 and not head.data.endswith(b"\n") else lines
    return bool(lines) and all(
        len(row) == 10 and re.fullmatch(CONLLU_ID, row[0]) and re.fullmatch(CONLLU_HEAD, row[6])
        for row in (line.split(b"\t") for line in lines)
    )


def is_page(head: Head) -> str | None:
    """Recognise a page of documentation or a file of a program by its name."""
    if ending := next(filter(head.name.endswith, OF_PROGRAMS), None):
        return f"the extension {ending}"
    if head.name.startswith("readme"):
        return "its name"
    if not head.name.endswith(OF_PAGES):
        return None
    is_one = FENCE.search(head.data) or RULER.search(head.data) or re.search(OTHER_LINK, head.text)
    return "its name, and a block of code, a table or a link" if is_one else None


def is_download(head: Head) -> str | None:
    """Recognise a file that was not meant: a web page, a PDF, or a ZIP archive."""
    zipped = "ZIP archives and Office documents"
    for kind, begin in (("PDFs", rb"%PDF-"), (zipped, rb"PK\x03\x04"), ("web pages", HTML)):
        if re.match(begin, head.data):
            return f"it begins as {kind} do"
    return None


def is_foreign_xml(head: Head) -> str | None:
    """Recognise XML or SGML that no reader takes, such as XMI, TEI, GATE or MUC."""
    if head.name.endswith((".ca2", ".ca2z")):
        return "the extension .ca2"
    is_declared = re.match(rb"\s*<(\?xml|xmi:XMI)\b", head.data)
    return "an XML declaration, or the root element of XMI" if is_declared else is_muc(head)


def is_question(head: Head) -> str | None:
    """Recognise GAP, a pronoun and two names per row, or answers to it."""
    if re.match(rb"\s*ID\tText\tPronoun", head.data):
        return "its columns are ID, Text, Pronoun"
    lines = head.lines[:-1] if len(head.lines) > 1 else head.lines
    is_one = lines and all(re.fullmatch(GAP_ROW, line) for line in lines)
    return "rows of an ID and twice TRUE or FALSE" if is_one else None


def is_json_without_clusters(head: Head) -> str | None:
    """Recognise JSON that has no clusters, and any other array."""
    found = is_other_json(head)
    return found or ("it begins with [" if re.match(JSON_ARRAY, head.text) else None)


def is_other_table(head: Head) -> str | None:
    """Recognise any table with tabs, commas or semicolons."""
    return is_table(head) or is_comma_table(head)


def is_other_text(head: Head) -> str | None:
    """Recognise any XML or text."""
    return is_xml(head) or is_text(head)


def is_comma_table(head: Head) -> str | None:
    """Recognise a table with commas or semicolons, by its extension or by cells without blanks."""
    if head.is_json or b"\0" in head.data or head.begins_documents:
        return None
    if head.name.endswith(".csv"):
        return "the extension .csv"
    is_one = len(head.lines) > 1 and all(map(re.compile(TWO_CELLS).fullmatch, head.lines))
    return "rows of two cells" if is_one else None


def is_table(head: Head) -> str | None:
    """Recognise any table with tabs."""
    tabbed = [line for line in head.lines if b"\t" in line]
    if looks_like_conllu(head):
        return None
    if b"\0" in head.data or has_columns(head) or not tabbed or len(tabbed) * 2 < len(head.lines):
        return None
    return "lines with tabs, and no coreference cells at their ends"


def is_text(head: Head) -> str | None:
    """Recognise any other text."""
    is_other = head.text.startswith("{") or b"\0" in head.data or head.begins_documents
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
