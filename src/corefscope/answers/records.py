"""Answers of a language model, as programs store them: JSON lines with an answer in each record.

A record has the name of a document (`doc_key`, `doc_id`, `doc`, `document`, `document_id`, `id`,
`name`, `filename`, `title`, `key` and the like, or `custom_id` of batch services) and an answer:
`prediction` or another name with `pred`, `generated_text`, `response`, `output`, `completion`,
`answer`, or `text` with tags. Of two such fields the first in this order is read, and a finding
names both (`W110`), because the other one may be the gold annotation; so it is with `clusters`.
Answers are also found in chat messages (`messages`, `conversations`), of which the last one of the
model is read, and where programs and web services put them: `choices`, `candidates`, `outputs`,
`message`, `result`, `resps`; of several choices, the first is read. Answers are [tagged
text](../howto/language-models.md) of any style, or JSON with clusters of strings, also in a fenced
block with remarks around it. A file may have both.

- `answers:FIELD` (or `jsonl:answer=FIELD`) reads the answers from another field. An object with a
  text for each document, `{"harbour": "[Nora](#0) …", …}`, is read as well.
- `answers:open=<m>,close=</m>#{id}` (or `answers:FIELD,open=…`) reads tags of a style that is not
  known, as in [tagged text](../howto/language-models.md).
- A record without a name is paired with the key by its text. If there are as many records as
  documents of the key, those whose text is not found are paired by position (`W209`), unless
  another field has names of the key.
- An answer that is missing, `null`, empty, refused, blocked by the provider, damaged, or without
  tags and JSON counts as failed.
- Answers are a response; they cannot be a key, and the key must have words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from corefscope.answers import strings
from corefscope.answers.extension import (
    ANSWER_NAMES,
    AROUND_ANSWERS,
    NO_ANSWERS,
    WITH_TEXTS,
    WITHOUT_TEXT,
)
from corefscope.answers.styles import style_of
from corefscope.answers.tagged import draft_of
from corefscope.corpus import Corpus
from corefscope.exceptions import refuse_errors
from corefscope.findings import Code
from corefscope.formats.detection import (
    ANSWER_FIELDS,
)
from corefscope.formats.jsonl.other_clusters import CLUSTER_NAME
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.cluster_fields import two_fields
from corefscope.formats.reading.drafting import Placed, add_draft
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import Reading, ReadingOptions
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.shapes import name_of, texts_of
from corefscope.formats.reading.source import Source

TAGGED, STRINGS = "tagged", "strings"
"""The formats of single answers."""
MESSAGE = {"content", "parts"}
"""The fields of a message; they are never entities."""
MODELS = {"assistant", "model", "gpt"}
"""What chats call the model."""
PREDICTED = re.compile("pred|model|generat|llm|system_")
"""What is in the names of fields with predictions."""


def read(file: File) -> None:
    """Read the answers of a file into the corpus."""
    sources = []
    fields: dict[str, None] = {}
    found = list(chain.from_iterable(map(_single, records(file))))
    chosen = file.options.clusters or _chosen(found, file.source, file.builder)
    for number, record in enumerate(found, start=1):
        if not isinstance(record.value, dict):
            file.report(
                Code.BAD_SHAPE,
                "this record is no object",
                record.line,
                expected="a name and an answer",
            )
            continue
        if not file.options.clusters and not is_record(record.value):
            where = f"{file.name}, line {record.line}"
            sources += [_source(each, _text(text), where) for each, text in record.value.items()]
            continue
        fields |= dict.fromkeys(record.value)
        name = name_of(record.value, *ANSWER_NAMES)
        named = name or (file.source.stem if len(found) < 2 else f"{file.source.stem}#{number}")
        if name is None:
            file.builder.numbered[named] = texts_of(record.value)
        where = f"{file.name}, line {record.line}"
        answer = answer_in(record.value, chosen)
        sources.append(_source(named, answer, where))
    if file.options.clusters and fields and file.options.clusters not in fields:
        absent = f"no record has the field {file.options.clusters!r}"
        expected = f"one of {', '.join(fields)}"
        file.report(Code.NOT_IN_FILE, absent, expected=expected)
    elif sources:
        _read_all(sources, file.builder, file.options)


def _single(record: Record) -> Iterator[Record]:
    """Yield the records in lists of them, as libraries return several answers for each prompt."""
    if isinstance(record.value, list):
        for value in record.value:
            yield from _single(record._replace(value=value))
    else:
        yield record


def is_record(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a record with an answer, and not a text for each document."""
    fields = {*ANSWER_FIELDS, *ANSWER_NAMES, *AROUND_ANSWERS, "text"}
    is_named = any(field in fields or "pred" in field for field in value)
    return is_named or not all(isinstance(v, str) for v in value.values())


def answer_in(record: Mapping[str, Any], chosen: str | None = None) -> str:
    """Return the answer of a record as text, from a field that was chosen, or nothing."""
    fields = answer_fields(record) if chosen is None else [chosen]
    found = next(filter(None, (_text(record.get(field)) for field in fields)), "")
    if found or chosen:
        return found
    return _inside(record, (*AROUND_ANSWERS, "text")) or next(
        (str(record[field]) for field in _unnamed(record)), ""
    )


def answer_fields(record: Mapping[str, Any]) -> list[str]:
    """Return the fields that may have an answer, those named as predictions first."""
    predicted = [
        field
        for field, value in record.items()
        if PREDICTED.search(field)
        and (kind_of(value) if isinstance(value, str) else CLUSTER_NAME.search(field))
    ]
    return [*predicted, *ANSWER_FIELDS]


def readable(record: Any) -> list[str]:
    """Return the fields of a record that have different answers, the one to read first."""
    if not isinstance(record, dict) or not is_record(record):
        return []
    texts: dict[str, str] = {}
    for field in (*answer_fields(record), *AROUND_ANSWERS):
        texts.setdefault(_text(record.get(field)), field)
    found = [field for text, field in texts.items() if _is_readable(text)]
    return [*found, *(field for field in _unnamed(record) if record[field] not in texts)]


def _unnamed(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields with an answer, whatever they are called."""
    for field, value in record.items():
        if field not in NO_ANSWERS and isinstance(value, str) and _is_readable(value):
            yield field


def _is_readable(text: str) -> bool:
    """Return whether a text has tags, or JSON with strings."""
    found = strings.answer_in(text)
    if found is not None and strings.has_strings(strings.value_of(found)):
        return True
    return kind_of(text) == TAGGED


def _chosen(found: Iterable[Record], source: Source, builder: Builder) -> str | None:
    """Return the field that all answers are read from, and say so; None if no record has two.

    If another record lacks it, the model failed.
    """
    for record in found:
        fields = readable(record.value)
        if len(fields) > 1:
            reason = "it is more likely to be the model's"
            said = two_fields(fields[0], fields[1], reason, builder.reading)
            builder.add(said.at(source.name, record.line))
            return fields[0]
    return None


def _inside(value: Mapping[str, Any], fields: Iterable[str]) -> str:
    """Return the text in what a web service returned, or why it has none; a list may be empty."""
    found = (_text(value.get(field) or None) for field in fields)
    reasons = (f"{each}: {value[each]}" for each in WITHOUT_TEXT if value.get(each))
    return next(filter(None, chain(found, reasons)), "")


def _text(value: Any) -> str:
    """Return an answer as text: that of the last message, of the first choice, or JSON."""
    if isinstance(value, str) or value is None:
        return value or ""
    is_service = isinstance(value, dict) and (value.keys() & MESSAGE or _is_blocked(value))
    if isinstance(value, dict) and (is_service or not strings.has_strings(value)):
        inside = {*AROUND_ANSWERS, *WITH_TEXTS, *ANSWER_FIELDS, *WITHOUT_TEXT, "role"}
        if value.keys() & inside:
            return _inside(value, [*AROUND_ANSWERS, *WITH_TEXTS[:-1], *ANSWER_FIELDS])
    if isinstance(value, list) and value and (_is_sample(value) or not strings.has_strings(value)):
        return _text_of_list(value)
    return json.dumps(value, ensure_ascii=False)


def _is_blocked(value: Mapping[str, Any]) -> bool:
    """Return whether a web service says of a candidate why it has no text."""
    found = next((value[each] for each in AROUND_ANSWERS if each in value), None)
    first = found[0] if isinstance(found, list) and found else found
    return isinstance(first, dict) and not first.keys().isdisjoint(WITHOUT_TEXT)


def _is_sample(values: Sequence[Any]) -> bool:
    """Return whether a list has an answer in it, and not the strings of entities."""
    first = values[0] if values else None
    if isinstance(first, list):
        return _is_sample(first)
    return isinstance(first, str) and style_of(first) != "none"


def _text_of_list(values: Sequence[Any]) -> str:
    """Return the text of the last message that a model wrote, of all parts of it, or the first."""
    messages = [each for each in values if isinstance(each, dict)]
    if any("role" in each or "from" in each for each in messages):
        said = [each for each in messages if {each.get("role"), each.get("from")} & MODELS]
        return _text(said[-1]) if said else ""
    if messages and all(isinstance(each.get("text", ""), str) for each in messages):
        parts = [each["text"] for each in messages if "text" in each]
        is_one_message = "type" in messages[0] or len(parts) == 1 < len(messages)
        if parts and is_one_message:
            return "".join(parts)
    first = values[0]
    is_text = isinstance(first, str | dict | list)
    return _text(first) if is_text else json.dumps(values, ensure_ascii=False)


def are_answers(given: object) -> bool:
    """Return whether this is ``{document: answer}``, where an answer is a text.

    An answer may be None if others are texts: the model gave none.
    """
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        return False
    kinds = set(map(type, given.values()))
    return str in kinds and kinds <= {str, type(None)}


def corpus_of_answers(answers: Mapping[str, str | None], what: str) -> Corpus:
    """Return answers as a response: tagged text, or JSON with clusters of strings.

    Parameters
    ----------
    answers
        The answer to each document, by the name of the document; None if there is none.
    what
        What messages call them.

    Returns
    -------
    Corpus
        A response, whose mentions are found in the words of the key when it is scored. An answer
        without tags and without JSON is one that failed.

    Raises
    ------
    InvalidInput
        If the JSON of an answer has an unknown shape.
    """
    builder = Builder()
    sources = [
        _source(name, answer or "", f"{what}, document {name!r}")
        for name, answer in answers.items()
    ]
    _read_all(sources, builder, ReadingOptions(role="response"))
    refuse_errors(builder.findings)
    return builder.corpus(what)


def corpus_of_answer(answer: str, what: str, style: str | None = None) -> Corpus:
    """Return a single answer as a response.

    Parameters
    ----------
    answer
        The answer itself.
    what
        What messages call it.
    style
        How mentions are tagged, or ``strings``; it is detected by default.

    Returns
    -------
    Corpus
        A response with one document.

    Raises
    ------
    UnknownName
        If there is no such style.
    InvalidInput
        If the JSON of the answer has an unknown shape.
    """
    if style is None:
        return corpus_of_answers({what: answer}, "the answer")
    builder = Builder(reading=Reading(options=ReadingOptions(role="response", is_answer=True)))
    file = File(source=_source(what, answer, "the answer"), builder=builder)
    if style == STRINGS:
        strings.read(file)
    else:
        draft = draft_of(answer, style)
        add_draft(file, Placed(draft, 0, 0, lambda block: draft), what, is_named=False)
    refuse_errors(builder.findings)
    return builder.corpus("the answer")


def _without_json(answer: str) -> str:
    """Return the text with tags in a JSON object around it; any other answer as it is."""
    found = strings.answer_in(answer)
    value = None if found is None else strings.value_of(found)
    if not isinstance(value, dict) or strings.has_strings(value):
        return answer
    texts = [each for each in value.values() if isinstance(each, str) and style_of(each) != "none"]
    return texts[0] if len(texts) == 1 else answer


def _source(name: str, answer: str, where: str) -> Source:
    answer = _without_json(answer)
    # A NUL byte would mean that the file is no text.
    data = answer.replace("\0", " ").encode(errors="surrogatepass")
    return Source(name=where, path=None, document=name, _kept=data)


def _read_all(sources: Sequence[Source], builder: Builder, options: ReadingOptions) -> None:
    """Read each answer as tagged text, or as JSON with clusters of strings."""
    # The registry knows this module.
    from corefscope.formats.registry import FORMATS

    texts = [source.read().decode(errors="surrogateescape") for source in sources]
    # Tags that the user declares are those of all answers.
    found = [TAGGED if options.tags else kind_of(text) for text in texts]
    unfit = [
        strings.unfit(text) if kind == STRINGS else None
        for text, kind in zip(texts, found, strict=True)
    ]
    # If no answer can be read, the question was another one; a single answer is one that failed.
    _is_readable = any(kind and not wrong for kind, wrong in zip(found, unfit, strict=True))
    # An answer without tags and without JSON may be a window beside others that are tagged text.
    usual = STRINGS if STRINGS in found and TAGGED not in found else TAGGED
    chosen = ReadingOptions(
        role=options.role or "response", is_answer=True, tags=options.tags, ids=options.ids
    )
    before = builder.reading
    for source, name, wrong in zip(sources, found, unfit, strict=True):
        format = FORMATS[name or usual]
        if wrong and _is_readable:
            strings.add_failed(source, builder, wrong)
        else:
            format.read(source, builder, chosen)
    builder.reading = before


def kind_of(answer: str) -> str | None:
    """Return the format of an answer: tagged text, or JSON, also if it is cut off.

    None if it has neither tags nor JSON, as a refusal has.
    """
    found, has_tags = strings.answer_in(answer), style_of(answer) != "none"
    if found is not None and (not has_tags or isinstance(strings.value_of(found), dict | list)):
        return STRINGS
    return TAGGED if has_tags else None
