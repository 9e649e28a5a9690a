"""Formats of what language models answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice

from corefscope.corpus.foreign import NAME_FIELDS
from corefscope.findings import Remedy
from corefscope.formats.detection import (
    ANSWER_FIELDS,
    CLUSTER_FIELDS,
    KNOWN_FIELDS,
    LOOK,
    TEXT_FIELDS,
    Head,
    has_columns,
)
from corefscope.formats.reading.cluster_fields import GOLD
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import TAGS
from corefscope.formats.reading.records import records
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.strict_json import DECODER
from corefscope.formats.registry import OF_JSON, Beside, Format, RefusedFormat, Tier

OTHER_NAMES = ("id", "name", "filename", "file", "title")
"""Fields that may name the document of an answer, if it has none of the usual ones."""
ANSWER_NAMES = ("custom_id", *NAME_FIELDS, "request_id", "key", *OTHER_NAMES)
"""The fields of stored answers of a language model with the name of a document.

Batch services give each record an ``id`` of their own beside the name that the user gave it.
"""
AROUND_ANSWERS = (
    *("messages", "conversations", "choices", "candidates", "message", "result", "outputs"),
    *("filtered_resps", "resps", "body", "promptFeedback"),
)
"""The fields that programs and web services put an answer into."""
WITHOUT_TEXT = ("refusal", "blockReason", "finishReason", "finish_reason", "stop_reason")
"""The fields in which web services say why there is no text."""
WITH_TEXTS = ("content", "text", "parts", "value", "generated_text", "error")
"""The fields of messages, and of parts of them, with their texts."""
STRINGS_IN_FIELD = (
    rf'"({"|".join(CLUSTER_FIELDS)})"\s*:\s*(\[|\{{\s*"[^"]*"\s*:)\s*'
    r'(\[\s*"|\{[^{}\[\]]*"mentions"\s*:\s*\[\s*")'
)
STRINGS_AT_START = r'\[\s*\[\s*"|\{\s*"[^"]*"\s*:\s*(\{\s*"[^"]*"\s*:\s*)?\[\s*"'
"""The beginnings of files that are too long to be parsed as a whole."""
NO_ANSWERS = {*KNOWN_FIELDS, *OTHER_NAMES, "prompt", "instruction", "input", "system"} - {"text"}
"""Fields with texts that no model wrote."""
MAYBE_ANSWER = (
    rf'"(\w*pred\w*|{"|".join((*ANSWER_FIELDS, *AROUND_ANSWERS))})"\s*:\s*(\[\s*){{0,2}}["{{]'
    rf'|"(?!({"|".join(NO_ANSWERS)})")\w+"\s*:\s*"[^"]*[\[<{{]'
).encode()
"""A field that may have an answer of a language model."""
MOST_RECORDS = 10
"""How many records of a file are searched for one."""
NOT_OF_STRINGS = frozenset({"sentences", "type", "corefscope", *TEXT_FIELDS})
"""Fields of other JSON formats whose clusters may be strings."""


EMPTY_ANSWER = r'(\{\s*("\w+"\s*:\s*(\[\s*\]|\{\s*\}|null)\s*)?\}|\[\s*\]|null|)\s*'


def is_empty_answer(head: Head) -> str | None:
    """Recognise an answer of a language model that has nothing, or JSON without entities."""
    return "no entity" if re.fullmatch(EMPTY_ANSWER, head.text) else None


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


def is_failed_strings(head: Head) -> str | None:
    """Recognise JSON without entities, or damaged JSON."""
    return "damaged JSON" if is_damaged_answer(head) else is_empty_answer(head)


def beside_clusters(format: Format, source: Source) -> Beside | None:
    """Find an answer of a language model beside gold clusters, which must not be scored as it."""
    if not set(OF_JSON).issuperset(format.endings) or format.name == "answers":
        return None
    if not re.search(MAYBE_ANSWER, source.head(LOOK)):
        return None
    # Loaded here because few files have answers.
    from corefscope.answers.records import readable

    found = (each.value for each in islice(records(File(source=source)), MOST_RECORDS))
    some = [each for each in found if isinstance(each, dict)]
    field = next((field for each in some for field in readable(each)), None)
    others = {field for each in some for field in each if field in CLUSTER_FIELDS} - {field}
    if field is None or others != {GOLD}:
        return None
    return Beside(repr(GOLD), repr(field), f"{format.name}:{GOLD}", f"answers:{field}")


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
    from corefscope.answers.records import answer_fields

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
    from corefscope.answers.styles import style_of

    texts = [value for value in fields.values() if isinstance(value, str)]
    are_texts = len(texts) == len(fields) > 1 and not fields.keys() & {*ANSWER_NAMES, "text"}
    return are_texts and sum(style_of(text) != "none" for text in texts) > len(texts) / 2


def _is_tagged_text_in(head: Head) -> str | None:
    """Recognise records with a name and a text that has tags."""
    from corefscope.answers.styles import style_of

    text = head.object.get("text")
    is_one = isinstance(text, str) and bool(head.fields & set(ANSWER_NAMES))
    return "the field text, with tags" if is_one and style_of(str(text)) != "none" else None


def is_strings(head: Head) -> str | None:
    """Recognise entities that are lists of strings, perhaps with other text around the JSON."""
    if head.is_json:
        is_one = not head.fields & NOT_OF_STRINGS and _has_strings(head)
    else:
        is_one = bool(re.search(r"^[ \t]*(```|[{\[])", head.text, re.MULTILINE))
        is_one = is_one and _has_strings_inside(head.text)
    return "entities that are lists of strings" if is_one else None


def _has_strings(head: Head) -> bool:
    from corefscope.answers.strings import has_strings, is_plain_json

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
    from corefscope.answers.strings import answer_in, has_strings

    answer = answer_in(text)
    if answer is None or answer.text == text:
        return False
    try:
        first, _ = json.JSONDecoder().raw_decode(answer.text.lstrip())
        return has_strings(first)
    except (ValueError, RecursionError):
        return False


def is_wrapped(head: Head) -> str | None:
    """Recognise a JSON object whose only text has tags of mentions."""
    from corefscope.answers.styles import style_of

    if not head.is_json or len(head.fields) > 3 or is_corefinst(head):
        return None
    for field, value in head.object.items():
        style = style_of(value) if isinstance(value, str) else "none"
        if field not in NAME_FIELDS and style != "none" and not head.fields & set(CLUSTER_FIELDS):
            return f"the field {field} has tags, so that its format is answers:{field}"
    return None


def is_tagged(head: Head) -> str | None:
    """Recognise plain text with tags around mentions."""
    from corefscope.answers.styles import wraps_all

    is_json = re.match(r'\{(?!\w)|(\[\s*)+(\{\s*"|"|\])', head.text)
    is_other = is_json or head.name.endswith(".csv")
    if is_other or b"\0" in head.data or has_columns(head) or wraps_all(head.text):
        return None
    return None if head.style == "none" else f"tags of the style {head.style}"


WRAPPED = RefusedFormat(
    title="JSON around tagged text",
    tier=Tier.ANSWERS,
    test=is_wrapped,
    advice="name that format, or write the text itself to a file for each document: DOCUMENT.txt",
    remedy=Remedy.NAME_FORMAT,
)

FORMATS = (
    Format(
        name="tagged",
        failed=is_empty_answer,
        title="Text with tags, as language models write it",
        module="corefscope.answers.tagged",
        tier=Tier.ANSWERS,
        test=is_tagged,
        endings=(".txt",),
        options=TAGS,
    ),
    Format(
        name="answers",
        beside=beside_clusters,
        title="Answers of language models in JSON lines",
        module="corefscope.answers.records",
        tier=Tier.ANSWERS,
        test=is_answers,
        endings=OF_JSON,
        options=("clusters", *TAGS),
    ),
    Format(
        name="corefinst",
        title="Windows of CorefInst",
        module="corefscope.answers.corefinst",
        test=is_corefinst,
        endings=OF_JSON,
    ),
    Format(
        name="strings",
        failed=is_failed_strings,
        title="JSON with clusters of strings",
        module="corefscope.answers.strings",
        test=is_strings,
        endings=(".json", ".jsonl"),
    ),
)
REFUSED = (WRAPPED,)
