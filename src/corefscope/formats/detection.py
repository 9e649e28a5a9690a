"""Recognise formats by the beginning of a file.

A test returns what it recognised a format by, or None. :mod:`corefscope.formats.registry` has the
formats with their tests.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from corefscope.corpus.foreign import NAME_FIELDS, RECORD_NAMES
from corefscope.exceptions import InvalidInput
from corefscope.formats.conll.cell import parse_cell
from corefscope.formats.file_names import local
from corefscope.formats.reading.source import FirstObject, Source
from corefscope.formats.reading.strict_json import DECODER

LOOK = 1 << 16
"""How many bytes at the beginning of a file are examined."""
LONGER_LOOKS = (LOOK, 1 << 20, 1 << 24, 1 << 28)
"""How many bytes are examined, one after the other, to find the end of the first JSON object."""
MOST_LINES = 200
LONGEST_HEADER = 1000

TEXT_FIELDS = frozenset({"document", "tokens", "words", "cased_words", "text", "sens"})
"""The fields of JSON formats with the words of a document."""
CLUSTER_FIELDS = ("clusters", "predicted_clusters")
"""The fields of JSON lines with its entities."""

OTHER_NAMES = ("id", "name", "filename", "file", "title")
"""Fields that may name the document of an answer, if it has none of the usual ones."""
ANSWER_NAMES = ("custom_id", *NAME_FIELDS, "request_id", "key", *OTHER_NAMES)
"""The fields of stored answers of a language model with the name of a document.

Batch services give each record an ``id`` of their own beside the name that the user gave it.
"""
ANSWER_FIELDS = ("prediction", "generated_text", "response", "output", "completion", "answer")
"""The fields with an answer; the last ones may also have that of the gold annotation."""
AROUND_ANSWERS = (
    *("messages", "conversations", "choices", "candidates", "message", "result", "outputs"),
    *("filtered_resps", "resps", "body", "promptFeedback"),
)
"""The fields that programs and web services put an answer into."""
WITHOUT_TEXT = ("refusal", "blockReason", "finishReason", "finish_reason", "stop_reason")
"""The fields in which web services say why there is no text."""

WITH_TEXTS = ("content", "text", "parts", "value", "generated_text", "error")
"""The fields of messages, and of parts of them, with their texts."""

KNOWN_FIELDS = frozenset({*NAME_FIELDS, *TEXT_FIELDS, *CLUSTER_FIELDS, "sentences", "spans"})
"""The fields of JSON that is a document, even if others are missing."""

PARQUET = b"PAR1"
MENTION_COLUMNS = ("mention_id", "mention", "record_id", "id")
CLUSTER_COLUMNS = ("cluster_id", "cluster", "entity_id", "entity")
TABLE_COLUMNS = {*MENTION_COLUMNS, *CLUSTER_COLUMNS}
TOPIC_COLUMN = "topic"
DOCUMENT_COLUMNS = (*NAME_FIELDS, TOPIC_COLUMN)
LINK_COLUMNS = (("id_a", "id_b", "same"), ("id_a", "id_b", "label"), ("id1", "id2", "same"))
"""The names of columns in tables of mentions."""

# Patterns that only some files need are compiled when they are used, which saves 4 ms each time.
BEGIN = re.compile(rb"^[ \t]*#[^\S\n]*begin document", re.MULTILINE)
ANAPHORA = (
    rb"(?m)^#\s*global\.columns\s*=.*\bIDENTITY\b"
    rb"|^[^#\n].*\((?=[^\s()]*EntityID=)[^\s()]*MarkableID="
)
BRAT = rb"T\d+\t[^\s\t]+ \d+ \d+|R\d+\t\S+ \S+:T\d+ \S+:T\d+|\*\tEquiv T\d+ "
MUC_MENTION = rb"<COREF\s+ID\s*="
MUC_DOCUMENT = rb"<(DOC|DOCNO|DOCID|TXT)>"
OBJECT_IN_A_LINE = rb"\s*\{.*\}\s*"
CONLLU_ID = rb"\d+([-.]\d+)?"
CONLLU_HEAD = rb"\d+|_"
VALUE = r'(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)'
JSON_PART = r'(?s)"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]'
JSON_ARRAY = r'(\[\s*)+(\{\s*"|\]|"|-?\d)'
BEFORE_OBJECT = "[ \t\r\n"
SENTENCES = r"(\[\s*(\[\s*\]\s*,\s*)*){1,2}\[\s*\{"
"""Lists of words in a list, or in several lists; the first of each may be empty."""
JSON_FIELD = r'(?s)"((?:[^"\\]|\\.)*)"\s*:'
STRINGS_IN_FIELD = (
    rf'"({"|".join(CLUSTER_FIELDS)})"\s*:\s*(\[|\{{\s*"[^"]*"\s*:)\s*'
    r'(\[\s*"|\{[^{}\[\]]*"mentions"\s*:\s*\[\s*")'
)
STRINGS_AT_START = r'\[\s*\[\s*"|\{\s*"[^"]*"\s*:\s*(\{\s*"[^"]*"\s*:\s*)?\[\s*"'
"""The beginnings of files that are too long to be parsed as a whole."""
EMPTY_ANSWER = r'(\{\s*("\w+"\s*:\s*(\[\s*\]|\{\s*\}|null)\s*)?\}|\[\s*\]|null|)\s*'
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
WITH_PROPERTIES = rb'(?!\s*\{\s*").*\{[^\s:{}"]+:[^\s="{}]+="'
"""A mention of SACR. Objects of JSON begin with a quotation mark."""
SACR_COMMENT = rb"#(title|textid|COLOR):"
SIMPLE_MENTION = r'\{[^\s:{}"=]+:? [^{}]'
QUOTED = r'[\[{\s]*"'
"""The beginning of JSON with a string."""
SPAN_AND_CLUSTER = rb'(\d+-\d+)[\t,;]("?[^\s,;"()_*-][^\t,;"()]*"?)\s*'
"""A row of a table without a header; a coreference cell is no cluster."""
TWO_CELLS = rb"[^\s,;]+[,;][^\s,;]+\s*"
NOT_OF_STRINGS = frozenset({"sentences", "type", "corefscope", *TEXT_FIELDS})
"""Fields of other JSON formats whose clusters may be strings."""


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
        from corefscope.formats.tagged.styles import style_of

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


def is_parquet(path: str) -> bool:
    """Return whether a path is a file that begins like Parquet, or a folder of such parts.

    A pipe is not read.
    """
    place = local(path)
    if os.path.isdir(place):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return _has_parquet(Path(place))
    if not os.path.isfile(place):  # noqa: PTH113
        return False
    try:
        with Path(place).open("rb") as stream:
            return stream.read(len(PARQUET)) == PARQUET
    except OSError:
        return False


def _has_parquet(folder: Path) -> bool:
    """Return whether a folder is a table in parts, and any of them begins like Parquet."""
    # Loaded here because few annotations are tables.
    from corefscope.formats.table_parts import is_divided, parts_of

    if not is_divided(folder):
        return False
    try:
        return any(is_parquet(str(part)) for part in parts_of(folder)[0])
    except InvalidInput:
        # A folder without parts is reported when it is read.
        return folder.name.lower().endswith(".parquet")


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


def is_declared_only(head: Head) -> str | None:
    """Recognise nothing: such files are named by the user, or read as another format."""
    del head
    return None


def is_corefinst(head: Head) -> str | None:
    """Recognise windows of a document with a mark between their halves."""
    if not head.is_json or not head.fields >= {"doc_id", "order", "text"}:
        return None
    return (
        "the fields doc_id and order, and [MID]"
        if "[MID]" in str(head.object.get("text"))
        else None
    )


def is_answers(head: Head) -> str | None:
    """Recognise records with an answer of a language model, and no clusters of their own."""
    others = {*CLUSTER_FIELDS, *TEXT_FIELDS, "sentences", "subtoken_map"} - {"text"}
    if not head.is_json or head.fields & others or is_corefinst(head):
        return None
    from corefscope.formats.answers import answer_fields

    for field in answer_fields(head.object):
        if _is_answer(head.object.get(field)):
            return f"the field {field}"
    if _are_answers(head.object):
        return "a text with tags for each document"
    around = next((each for each in AROUND_ANSWERS if _is_around(head.object.get(each))), None)
    if around is not None:
        return f"the field {around}, as programs and web services have it"
    if head.fields & set(ANSWER_FIELDS) and head.fields & set(ANSWER_NAMES):
        return "a name, and a field for an answer"
    return _is_tagged_text_in(head)


def _is_answer(value: object) -> bool:
    """Return whether a value is a text, or what a web service returns around one."""
    around = {*AROUND_ANSWERS, "content"}
    if isinstance(value, list):
        return _is_around(value)
    return isinstance(value, str) or (isinstance(value, dict) and bool(around & value.keys()))


def _is_around(value: object) -> bool:
    """Return whether a value has an answer in it, as programs and web services store them."""
    if isinstance(value, list) and value:
        return isinstance(value[0], str) or _is_around(value[0])
    around = {*AROUND_ANSWERS, *WITH_TEXTS, *WITHOUT_TEXT}
    return isinstance(value, dict) and bool(value.keys() & around)


def _are_answers(fields: Mapping[str, object]) -> bool:
    """Return whether an object has texts for documents, one of them with tags."""
    from corefscope.formats.tagged.styles import style_of

    texts = [value for value in fields.values() if isinstance(value, str)]
    are_texts = len(texts) == len(fields) > 1 and not fields.keys() & {*ANSWER_NAMES, "text"}
    return are_texts and sum(style_of(text) != "none" for text in texts) > len(texts) / 2


def _is_tagged_text_in(head: Head) -> str | None:
    """Recognise records with a name and a text that has tags."""
    from corefscope.formats.tagged.styles import style_of

    text = head.object.get("text")
    is_one = isinstance(text, str) and bool(head.fields & set(ANSWER_NAMES))
    return "the field text, with tags" if is_one and style_of(str(text)) != "none" else None


def is_crac_json(head: Head) -> str | None:
    """Recognise documents with tokens and strings; those of xCoRe are lists of documents."""
    fields = {"tokens", "clusters_token_offsets", "clusters_text_mentions"}
    if not head.is_json or not head.fields >= fields:
        return None
    tokens = head.object.get("tokens")
    is_one = isinstance(tokens, list) and not any(isinstance(each, list) for each in tokens)
    return "the fields tokens and clusters_text_mentions" if is_one else None


def is_coref_data(head: Head) -> str | None:
    """Recognise chains of coref-data, whose sentences are objects if there are also clusters."""
    if not head.is_json or not head.fields >= {"coref_chains", "sentences"}:
        return None
    found = head.object.get("sentences")
    first = found[0] if isinstance(found, list) and found else None
    is_one = isinstance(first, dict) or not head.fields & set(CLUSTER_FIELDS)
    return "the fields coref_chains and sentences" if is_one else None


def is_muc(head: Head) -> str | None:
    """Recognise a document with mentions that refer to others."""
    is_one = re.search(MUC_MENTION, head.data) and re.search(MUC_DOCUMENT, head.data)
    return "elements DOC and COREF" if is_one else None


def is_xml(head: Head) -> str | None:
    """Recognise any other XML, which has no NUL bytes."""
    is_one = b"\0" not in head.data and re.match(rb"\s*<[?!\w]", head.data)
    return "it begins with an XML declaration or a tag" if is_one else None


def is_label_studio(head: Head) -> str | None:
    """Recognise tasks with data and annotations, either of which may be far behind the other."""
    found = head.fields & {"annotations", "completions", "predictions"} if head.is_json else None
    is_one = found and ("data" in head.fields or '"result"' in head.text)
    return f"the field {min(found)} with results" if found and is_one else None


def is_strings(head: Head) -> str | None:
    """Recognise entities that are lists of strings, perhaps with other text around the JSON."""
    if head.is_json:
        is_one = not head.fields & NOT_OF_STRINGS and _has_strings(head)
    else:
        is_one = bool(re.search(r"^[ \t]*(```|[{\[])", head.text, re.MULTILINE))
        is_one = is_one and _has_strings_inside(head.text)
    return "entities that are lists of strings" if is_one else None


def _has_strings(head: Head) -> bool:
    from corefscope.formats.strings import has_strings, is_plain_json

    if re.search(STRINGS_IN_FIELD, head.text):
        return True
    if head.object:
        return has_strings(head.object) and not is_plain_json(head.object)
    try:
        return has_strings(json.loads(head.text))
    except (ValueError, RecursionError):
        return bool(re.match(STRINGS_AT_START, head.text))


def _has_strings_inside(text: str) -> bool:
    """Return whether there are entities in the JSON of a text that is not JSON as a whole."""
    from corefscope.formats.strings import answer_in, has_strings

    answer = answer_in(text)
    if answer is None or answer.text == text:
        return False
    try:
        first, _ = json.JSONDecoder().raw_decode(answer.text.lstrip())
        return has_strings(first)
    except (ValueError, RecursionError):
        return False


def is_empty_answer(head: Head) -> bool:
    """Return whether an answer of a language model has nothing, or JSON without entities."""
    return re.fullmatch(EMPTY_ANSWER, head.text) is not None


def is_damaged_answer(head: Head) -> bool:
    """Return whether a file begins like JSON, but its first value is none, as if cut off."""
    if not head.is_json or head.object or is_tagged(head):
        return False
    try:
        DECODER.raw_decode(
            head.source.read().decode(errors="surrogateescape").strip("\ufeff \t\r\n")
        )
    except (ValueError, RecursionError):
        return True
    return False


def is_wrapped(head: Head) -> str | None:
    """Recognise a JSON object whose only text has tags of mentions."""
    from corefscope.formats.tagged.styles import style_of

    if not head.is_json or len(head.fields) > 3 or is_corefinst(head):
        return None
    for field, value in head.object.items():
        style = style_of(value) if isinstance(value, str) else "none"
        if field not in NAME_FIELDS and style != "none" and not head.fields & set(CLUSTER_FIELDS):
            return f"the field {field} has tags, so that its format is answers:{field}"
    return None


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


def is_stanza_json(head: Head) -> str | None:
    """Recognise sentences that are lists of words with ids."""
    is_one = re.match(SENTENCES, head.text) and head.fields >= {"id", "text"}
    return "a list of lists of objects with id and text" if is_one else None


def is_spacy(head: Head) -> str | None:
    """Recognise compressed documents of spaCy."""
    if not head.data.startswith((b"\x78\x9c", b"\x78\x01", b"\x78\xda")):
        return None
    try:
        inside = zlib.decompressobj().decompress(head.data, 1 << 12)
    except zlib.error:
        return None
    return "compressed data with attrs and tokens" if b"attrs" in inside else None


def is_spacy_json(head: Head) -> str | None:
    """Recognise documents of spaCy, which have no spans if nothing is annotated."""
    fields = head.fields if head.is_json else frozenset[str]()
    if "text" not in fields or fields & set(CLUSTER_FIELDS):
        return None
    # Without tokens, the reader says what is missing.
    if "spans" in fields and ("tokens" in fields or isinstance(head.object.get("spans"), dict)):
        return "the fields text and spans"
    is_one = _are_places(head.object.get("tokens"))
    return "a text, and tokens that begin and end in it" if is_one else None


def _are_places(tokens: object) -> bool:
    """Return whether the first token says where it begins and ends, but not what it says."""
    first = tokens[0] if isinstance(tokens, list) and tokens else None
    return isinstance(first, dict) and first.keys() >= {"start", "end"} and "text" not in first


def is_stanza(head: Head) -> str | None:
    """Recognise CoNLL-U with chains of its own in MISC."""
    is_other = b"coref_chains=" in head.data and b"# global.Entity" not in head.data
    return "ten columns with coref_chains=" if is_other and looks_like_conllu(head) else None


def is_cross_document(head: Head) -> str | None:
    """Recognise columns with topic, subtopic and document."""
    if head.is_json or not head.begins_documents:
        return None
    row = head.rows[0] if head.rows else []
    is_one = len(row) == 8 and row[6] in (b"True", b"False")
    return "eight columns, the seventh True or False" if is_one else None


def is_brat(head: Head) -> str | None:
    """Recognise annotations of a text."""
    return (
        "lines such as 'T1⇥PER 0 5⇥text'" if any(map(re.compile(BRAT).match, head.lines)) else None
    )


def is_sacr(head: Head) -> str | None:
    """Recognise braces with properties, the extension, or the first lines that SACR writes."""
    if any(map(re.compile(WITH_PROPERTIES).match, head.lines)):
        return 'text with braces such as {anna:type="x" …}'
    if b"\0" in head.data or re.match(QUOTED, head.text):
        return None
    if head.name.endswith(".sacr"):
        return "the extension .sacr"
    comments = filter(None, map(re.compile(SACR_COMMENT).match, head.lines))
    names = {comment[1].decode() for comment in comments}
    # Other files may have a title as well.
    is_one = names - {"title"} or (names and re.search(SIMPLE_MENTION, head.text))
    return f"a line with #{min(names)}:" if is_one else None


def is_conllu(head: Head) -> str | None:
    """Recognise CoNLL-U, with coreference or without."""
    return "ten columns" if looks_like_conllu(head) else None


def is_columns(head: Head) -> str | None:
    """Recognise a line that begins a document of CoNLL-2012."""
    is_one = not head.is_json and head.begins_documents
    return "a line with #begin document" if is_one else None


def is_universal_anaphora(head: Head) -> str | None:
    """Recognise a declaration of the column IDENTITY, a markable, or the extension."""
    if head.name.endswith(".conllua"):
        return "the extension .conllua"
    # Most files of other formats have none of these words, which is quick to see.
    if not any(word in head.data for word in (b"global.columns", b"MarkableID=")):
        return None
    # JSON may quote a cell, in a message for example.
    if head.is_json:
        return None
    return "markables in a column" if re.search(ANAPHORA, head.data) else None


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


def is_tagged(head: Head) -> str | None:
    """Recognise plain text with tags around mentions."""
    from corefscope.formats.tagged.styles import wraps_all

    is_json = re.match(r'\{(?!\w)|(\[\s*)+(\{\s*"|"|\])', head.text)
    is_other = is_json or head.name.endswith(".csv")
    if is_other or b"\0" in head.data or has_columns(head) or wraps_all(head.text):
        return None
    return None if head.style == "none" else f"tags of the style {head.style}"


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
    """Recognise a file that was not meant: a web page, a PDF, or an Office document."""
    for clue, begin in (("%PDF", rb"%PDF-"), ("PK", rb"PK\x03\x04"), ("HTML", HTML)):
        if re.match(begin, head.data):
            return f"it begins as {clue} does"
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


def is_booknlp_without_entities(head: Head) -> str | None:
    """Recognise the tokens or the characters of BookNLP."""
    if re.match(rb"\s*paragraph_ID\tsentence_ID", head.data):
        return "its columns are paragraph_ID, sentence_ID"
    is_one = head.is_json and head.fields == {"characters"}
    return "no other field than characters" if is_one else None


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


def is_pairs(head: Head) -> str | None:
    """Recognise a table with a header for mentions and clusters, or for pairs of mentions."""
    line = head.lines[0][:LONGEST_HEADER].decode(errors="replace").lower() if head.lines else ""
    names = {name.strip().strip('"') for name in re.split("[\t,;]", line)}
    if any(names >= set(columns) for columns in LINK_COLUMNS):
        return "columns for two mentions and whether they are the same"
    # With columns of other things beside them, 'id', 'mention' and 'entity' may be anything.
    is_all = names <= {*TABLE_COLUMNS, *DOCUMENT_COLUMNS}
    certain = is_all or all("_id" in name for name in names & TABLE_COLUMNS)
    if certain and names & set(MENTION_COLUMNS) and names & set(CLUSTER_COLUMNS):
        return "columns for a mention and its cluster"
    return "rows of a span and its cluster" if _has_spans_and_clusters(head) else None


def _has_spans_and_clusters(head: Head) -> bool:
    """Return whether all rows are a span and a cluster, and some cluster has several spans."""
    # The last line may be cut off.
    lines = head.lines[:-1] if len(head.data) == LOOK else head.lines
    rows = list(map(re.compile(SPAN_AND_CLUSTER).fullmatch, lines))
    found = [(row[1], row[2]) for row in rows if row]
    spans, clusters = {span for span, _ in found}, {cluster for _, cluster in found}
    is_complete = len(found) == len(rows) == len(spans)
    return is_complete and len(clusters) < len(spans)


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
