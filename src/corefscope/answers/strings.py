"""Clusters of strings without positions, as language models write them when asked for JSON.

A document is one of these; labels of entities are optional:

| shape | example |
| --- | --- |
| labels and strings | `{"Ida": ["Ida", "She"], "Eve": ["Eve"]}` |
| lists of strings | `[["Ida", "She"], ["Eve"]]` |
| records of entities | `[{"name": "Ida", "mentions": ["Ida", "She"]}]` |
| mentions as objects | `[{"name": "Ida", "mentions": [{"text": "Ida", "start": 0, "end": 3}]}]` |
| any of these in a field | `{"clusters": [["Ida", "She"]]}`, or `entities`, or `chains` |

A file is one document, named after the file; or it has several records with their names in
`doc_key` (or `doc`, `document_id` and the like; beside a field for entities also `id`, `name`, …);
or it is one object with the names of documents: `{"doc1": {"Ida": ["Ida", "She"]}}`.

- The strings are looked for in the words of the key, one after the other, so the key must have
  words. A string that occurs more often than it is listed is ambiguous, and is reported (`W256`).
- The label of an entity is no mention unless it is listed (`W256`), and a second field with strings
  is not read (`W110`).
- Positions beside a string, such as `start` and `end`, are not used.
- A string that the key does not have, or has less often than it is listed, is dropped. The ledger
  counts it, with the reason; see [tagged text](../howto/language-models.md).
- The JSON may be in a fenced block of Markdown, and text may stand before and after it, which is
  left out (`W181`). A mention that is null or empty is left out (`W151`).
- An answer whose JSON is cut off is read as far as it goes (`W256`). An answer without JSON, such
  as a refusal, and one with damaged JSON count as failed (`W255`). Both hold in a folder with other
  files of this format, and if the format is given. Damaged JSON is refused (`E111`) in a key, in a
  file with several documents, and in a file that may have another format. `{}` and `[]` are
  documents without entities.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterable
from itertools import chain, islice
from textwrap import shorten
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.answers.extension import (
    OTHER_NAMES,
)
from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.copies import NO_STYLE, STRINGS, Copy
from corefscope.corpus.foreign import NAME_FIELDS
from corefscope.corpus.mentions import MentionId
from corefscope.findings import Code, Finding
from corefscope.formats.clusters import no_text
from corefscope.formats.detection import (
    CLUSTER_FIELDS,
)
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.records import BLANKS, records_of
from corefscope.formats.reading.shapes import texts_of
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.strict_json import DECODER
from corefscope.formatting import counted

EXPECTED = 'entities as lists of strings: {"Chain1": ["Ida", "She"]}'
CONTAINERS = (
    *CLUSTER_FIELDS,
    *("entities", "chains", "coreference_clusters", "coreference_chains"),
)
"""The fields that may have all entities of a document."""
MENTIONS = "mentions"
STRING_FIELDS = ("text", "mention", "string", "span", "word")
"""The fields that may have the string of a mention."""
LABELS = ("name", "label", "entity", "id", "entity_id", "cluster", "cluster_id", "chain")
"""The fields that may name an entity, the first of them that is there."""
FENCED = re.compile(r"^[ \t]*```[\w-]*[ \t]*\r?\n(.*?)(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)
BEGINNING = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
NAME_AT_START = re.compile(rf'\s*\{{\s*"(?:{"|".join(NAME_FIELDS)})"\s*:\s*"([^"\\\x00-\x1f]+)"')
"""The name of a document at the beginning of JSON that may be damaged after it."""
MOST_BEGINNINGS = 20
"""How many lines that begin like JSON are tried; text that is no JSON may have many brackets."""
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}"]', re.DOTALL)
"""A string, a bracket, or the beginning of a string that is cut off."""
MOST_FIELDS = 12
"""How many strings and brackets at the end of JSON that is cut off may belong to no mention."""
LONGEST_QUOTE = 80
"""How many characters of an answer without mentions are quoted."""
POSITIONS = re.compile(r"\[\d+, \d+\]")
"""A span, where words are expected."""

StringEntities: TypeAlias = list[tuple[str, list[Any]]]
"""The label of each entity, and its mentions."""
Documents: TypeAlias = list[tuple[str | None, StringEntities]]
"""The name of each document, if it has one, and its entities."""


# ---- Shapes ----


def documents_in(value: Any) -> Documents | None:
    """Return the documents of a JSON value, with their names; None if it has no such shape."""
    name = None
    if isinstance(value, dict):
        # Without a field for clusters, a name may be that of an entity.
        fields = (*NAME_FIELDS, *(OTHER_NAMES if value.keys() & set(CONTAINERS) else ()))
        name = next((value[each] for each in fields if isinstance(value.get(each), str)), None)
        value = {
            field: each
            for field, each in value.items()
            if field not in NAME_FIELDS or isinstance(each, list | dict)
        }
    entities = _entities(value)
    if entities is not None:
        return [(name, entities)]
    if name is not None or not isinstance(value, dict):
        return None
    found = {each: _entities(inside) for each, inside in value.items()}
    documents = [(each, inside) for each, inside in found.items() if inside is not None]
    return documents if len(documents) == len(found) else None


def _entities(value: Any) -> StringEntities | None:
    """Return the entities of one document; None if the value has none of the known shapes."""
    if isinstance(value, dict):
        fields = [each for each in CONTAINERS if each in value]
        others = any(isinstance(value[each], list) for each in value if each not in CONTAINERS)
        if fields and not others:
            return _entities(next((value[each] for each in fields if value[each]), None))
        if is_entity(value):
            return [_entity(0, value)]
        is_one = all(each is None or _are_strings(each) for each in value.values())
        return [(label, each or []) for label, each in value.items()] if is_one else None
    if not isinstance(value, list):
        return [] if value is None else None
    is_one = all(each is None or _are_strings(each) or is_entity(each) for each in value)
    return [_entity(number, each) for number, each in enumerate(value)] if is_one else None


def _entity(number: int, given: Any) -> tuple[str, list[Any]]:
    if not isinstance(given, dict):
        return str(number), given or []
    label = next((given[each] for each in LABELS if given.get(each) is not None), number)
    return str(label), given[MENTIONS] or []


def has_strings(value: Any) -> bool:
    """Return whether a value has the shape of clusters of strings, and one string or more."""
    documents = documents_in(value) or ()
    return any(_text_of(m) for _, entities in documents for _, each in entities for m in each)


def is_plain_json(value: Any) -> bool:
    """Return whether a value has a list of lists for each document: its strings may be ids."""
    if not isinstance(value, dict) or any(each in value for each in CONTAINERS):
        return False
    return all(
        isinstance(entities, list) and all(isinstance(each, list) for each in entities)
        for entities in value.values()
    )


def is_entity(value: Any) -> bool:
    """Return whether a value is an object with the strings of one entity."""
    is_one = isinstance(value, dict) and MENTIONS in value and "links" not in value
    return is_one and _are_strings(value[MENTIONS] or [])


def _are_strings(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, str | None) or _text_of(each) is not None for each in value
    )


def _text_of(mention: Any) -> str | None:
    """Return the string of a mention: itself, or in an object its text, or the only field.

    Other fields, such as positions, are not used: language models count characters badly.
    """
    if isinstance(mention, dict):
        only = next(iter(mention.values())) if len(mention) == 1 else None
        mention = next((mention[each] for each in STRING_FIELDS if each in mention), only)
    return mention if isinstance(mention, str) else None


# ---- The JSON of an answer ----


class Answer(Struct, frozen=True, kw_only=True):
    """The JSON in an answer."""

    text: str
    line: int = 1
    """Where the JSON begins."""
    has_more: bool = False
    """Whether there is other text around it."""


def value_of(answer: Answer) -> Any:
    """Return the JSON value of an answer; None if it is damaged, or if it is a list of numbers.

    Text may have numbers in brackets.
    """
    value = values_in(answer)
    is_text = isinstance(value, list) and value and all(isinstance(v, int | float) for v in value)
    return None if is_text else value


def values_in(answer: Answer) -> Any:
    """Return the JSON value of an answer; None if it is damaged.

    Values that follow each other are one list.
    """
    values, place, text = [], 0, answer.text.rstrip()
    while place < len(text):
        blanks = BLANKS.match(text, place)
        try:
            value, place = DECODER.raw_decode(text, blanks.end() if blanks else place)
        except (ValueError, RecursionError):
            return None
        values.append(value)
    return values[0] if len(values) == 1 else values


def answer_in(text: str) -> Answer | None:
    """Return the JSON of an answer; None if there is none."""
    for fenced in FENCED.finditer(text):
        if fenced[1].lstrip().startswith(("{", "[")):
            rest = text[: fenced.start()] + text[fenced.end() :]
            line = text.count("\n", 0, fenced.start(1)) + 1
            return Answer(text=fenced[1], line=line, has_more=bool(rest.strip()))
    for begin in islice(BEGINNING.finditer(text), MOST_BEGINNINGS):
        end = _end_of_json(text, begin.end())
        line = text.count("\n", 0, begin.end()) + 1
        if end > begin.end():
            rest = text[: begin.end()] + text[end:]
            return Answer(text=text[begin.end() : end], line=line, has_more=bool(rest.strip()))
        if not text[: begin.start()].strip() or _is_cut_off(text, begin.end()):
            # It begins like JSON, so the reader of JSON says what is wrong.
            return Answer(text=text[begin.end() :], line=line)
    return None


def _end_of_json(text: str, place: int) -> int:
    """Return where JSON values that follow each other end; its beginning if there are none.

    A brace after them is the beginning of another value, which is damaged, so there are none.
    """
    begin = end = place
    while text[place : place + 1] in ("{", "["):
        try:
            _, end = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return begin if text[place] == "{" else end
        blanks = BLANKS.match(text, end)
        place = blanks.end() if blanks else end
    return end


def _is_cut_off(text: str, place: int) -> bool:
    """Return whether the last of the JSON values from a place on does not end with the text."""
    while place < len(text):
        try:
            _, place = DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            return error.msg.startswith("Unterminated string") or not text[error.pos :].strip()
        except (ValueError, RecursionError):
            return False
        blanks = BLANKS.match(text, place)
        place = blanks.end() if blanks else place
    return False


def as_far_as_it_goes(text: str) -> Documents | None:
    """Return the documents of JSON that is cut off, with what was complete; None if nothing was.

    It is cut after its last string or bracket that gives JSON again, if all that is open is closed.
    """
    ends: list[tuple[int, str]] = []
    open_brackets = ""
    for token in TOKEN.finditer(text):
        if token[0] == '"':
            break
        if token[0] in ("[", "{"):
            open_brackets = ("]" if token[0] == "[" else "}") + open_brackets
            continue
        if token[0] in ("]", "}"):
            open_brackets = open_brackets[1:]
        ends.append((token.end(), open_brackets))
    # The last strings may be names of fields, or of an entity whose mentions are missing.
    for end, closing in reversed(ends[-MOST_FIELDS:]):
        value = value_of(Answer(text=text[:end] + closing))
        if value is not None and has_strings(value):
            return documents_in(value)
    return None


# ---- Reading ----


def read(file: File) -> None:
    """Read the documents of a file into the corpus."""
    data = file.source.whole(file.progress)
    file.builder.check_bytes(data, file.name, 0)
    text = data.decode(errors="surrogateescape")
    answer = answer_in(text)
    if answer is None:
        add_failed(file.source, file.builder, refusal("there is no JSON in this answer", text))
        return
    trial = Builder()
    found = [(each.value, each.line) for each in records_of(answer.text, file.source, trial)]
    damage = next((each for each in trial.findings if each.is_error), None)
    # Other files may be keys, or have several documents, whose names would be lost.
    is_one = bool(file.source.document) or all(is_entity(value) for value, _ in found)
    is_failed = file.options.is_answer and file.options.role != "key" and is_one
    if damage is not None:
        line = (damage.line or 1) + answer.line - 1
        if is_failed:
            _read_damaged(file.source, file.builder, answer, replace(damage, line=line))
        else:
            file.builder.add(replace(damage, line=line))
        return
    if answer.has_more:
        message = "text before or after the JSON is left out"
        file.report(Code.IGNORED, message, answer.line)
    _read_values(file.source, file.builder, answer, found)


def refusal(found: str, text: str) -> str:
    """Return what was found instead of mentions, with the words of an answer that has some."""
    said = shorten(text, LONGEST_QUOTE, placeholder="…")
    return f"{found}, as in a refusal: {said!r}" if said else f"{found}, which is empty"


def _read_damaged(source: Source, builder: Builder, answer: Answer, damage: Finding) -> None:
    """Read JSON that is cut off as far as it goes; other damage makes an answer fail."""
    is_cut_off = _is_cut_off(answer.text, len(answer.text) - len(answer.text.lstrip()))
    documents = as_far_as_it_goes(answer.text) if is_cut_off else None
    if source.document:
        documents = _of_answer(documents)
    if documents is None or len(documents) != 1:
        damaged = f"the JSON of this answer is damaged or cut off ({damage.found})"
        add_failed(source, builder, damaged, damage.line, answer.text)
        return
    [(name, entities)] = documents
    size = sum(len(mentions) for _, mentions in entities)
    builder.report(
        Code.ANSWER_CHANGED,
        f"the JSON of this answer is cut off ({damage.found})",
        source.name,
        damage.line,
        expected=f"its end: what is complete is read, {counted(size, 'mention')}",
    )
    title = name or source.stem, name is not None, answer.line
    _add(source, builder, title, entities, is_cut_off=True)


def unfit(answer: str) -> str | None:
    """Return what an answer has in place of clusters of strings; None if it has these.

    Damaged JSON is no other shape.
    """
    found = answer_in(answer)
    value = None if found is None else values_in(found)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value if is_entity(value[0]) else value[0]
    if value is None or _of_answer(documents_in(value)) is not None:
        return None
    return _described(value)


def _described(value: Any) -> str:
    """Return a value that has no known shape, for a message."""
    numbers = ", with positions instead of words" if POSITIONS.search(json.dumps(value)) else ""
    return f"found {shorten(reprlib.repr(value), 100, placeholder=' …')}{numbers}"


def add_failed(
    source: Source, builder: Builder, found: str, line: int | None = None, text: str = ""
) -> None:
    """Add an answer without entities, and say so; damaged JSON may begin with a name.

    Parameters
    ----------
    source
        The answer.
    builder
        What is read so far.
    found
        What was found in place of entities.
    line
        The line of the JSON, if there is some.
    text
        The JSON, if there is some.
    """
    builder.report(
        Code.COPY_FAILED,
        found,
        source.name,
        line,
        expected="entities as lists of strings: the document counts as failed, and has no mention",
    )
    given = NAME_AT_START.match(text)
    name = given[1] if given else source.stem
    _add(source, builder, (name, given is not None, 1), None)


def _read_values(
    source: Source, builder: Builder, answer: Answer, found: list[tuple[Any, int]]
) -> None:
    """Read the documents of the JSON values in an answer, each of which has its line."""
    is_one = bool(source.document) and len(found) > 1
    if found and (is_one or all(is_entity(value) for value, _ in found)):
        # One object per entity, in an array or one per line; of an answer, also one list.
        found = [([value for value, _ in found], found[0][1])]
    stem = source.stem
    for number, (value, line) in enumerate(found or [([], 1)], start=1):
        line += answer.line - 1
        documents = documents_in(value)
        if isinstance(value, dict) and _has_no_answer(value):
            own_name = next(str(value[each]) for each in NAME_FIELDS if each in value)
            builder.report(
                Code.COPY_FAILED,
                f"document {own_name!r} has no clusters",
                source.name,
                line,
                expected="entities as lists of strings: it counts as failed, and has no mention",
            )
            _add(source, builder, (own_name, True, line), None)
            continue
        documents = _of_answer(documents) if source.document else documents
        if documents is None:
            builder.report(Code.BAD_SHAPE, _described(value), source.name, line, expected=EXPECTED)
            continue
        for message in _ignored(value):
            builder.report(Code.SEVERAL_ANNOTATIONS, message, source.name, line)
        for name, entities in documents:
            own = stem if len(found) < 2 else f"{stem}#{number}"
            if name is None and own != stem and isinstance(value, dict):
                builder.numbered[own] = texts_of(value)
            _add(source, builder, (name or own, name is not None, line), entities)


def _ignored(value: Any) -> list[str]:
    """Say which field with strings is not read, of an answer or of an entity in it; the first."""
    found: Iterable[str] = ()
    if isinstance(value, list):
        found = chain.from_iterable(map(_ignored, value))
    elif isinstance(value, dict):
        read = MENTIONS if is_entity(value) else next(filter(value.get, CONTAINERS), None)
        if read is None:
            return _ignored(list(value.values()))
        others = [field for field, each in value.items() if field != read and _has_some(each)]
        said = (
            f"{each!r} looks like entities as well as {read!r}, which is read" for each in others
        )
        found = chain(said, _ignored(value[read]))
    return list(islice(found, 1))


def _has_some(value: Any) -> bool:
    return bool(value) and (_are_strings(value) or has_strings(value))


def _of_answer(documents: Documents | None) -> Documents | None:
    """Return the entities of an answer, which is about one document; its name is known."""
    if documents is None or len(documents) != 1:
        return None
    return [(None, entities) for _, entities in documents]


def _has_no_answer(value: dict[str, Any]) -> bool:
    """Return whether a record names a document, and has nothing else, or null."""
    is_named = any(each in value for each in NAME_FIELDS)
    rest = [each for field, each in value.items() if field not in NAME_FIELDS]
    return is_named and all(each is None for each in rest)


def _add(
    source: Source,
    builder: Builder,
    title: tuple[str, bool, int],
    entities: StringEntities | None,
    *,
    is_cut_off: bool = False,
) -> None:
    """Add a document; None for entities means that the answer has none, as in a refusal."""
    name, is_named, line = title
    labels, sizes, nulls = list[str](), list[int](), 0
    ids: list[MentionId] = []
    for label, mentions in entities or ():
        strings = [string for each in mentions if (string := (_text_of(each) or "").strip())]
        nulls += len(mentions) - len(strings)
        if not strings:
            message = f"entity {label!r} of document {name!r} has no mention; it is left out"
            builder.report(Code.LEFT_OUT, message, source.name, line)
            continue
        labels.append(label)
        sizes.append(len(strings))
        ids += strings
    if nulls:
        are = "mention is" if nulls == 1 else "mentions are"
        message = f"document {name!r}: {nulls:,} {are} null or empty, and left out"
        builder.report(Code.LEFT_OUT, message, source.name, line)
    style = NO_STYLE if entities is None else STRINGS
    copy = Copy(style=style, opened=len(ids), closed=len(ids), is_cut_off=is_cut_off)
    rows = np.zeros((len(ids), 4), np.int32)
    rows[:, 0] = np.repeat(np.arange(len(sizes)), sizes)
    builder.add_block(
        Block(
            names=(name,),
            is_named=is_named,
            lines=(line,),
            tokens=(UNKNOWN_LENGTH,),
            digests=(None,),
            places=((source, 0, 0, no_text),),
            labels=labels,
            mentions=rows,
            ids=dict(enumerate(ids)),
            columns={"copies": [copy]},
        )
    )
