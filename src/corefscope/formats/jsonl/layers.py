"""The text of a record of JSON lines, with its layers and the attributes of its mentions."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

from corefscope.corpus.mentions import first_crossing
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.formats.jsonl.heads_and_nodes import HEADS_FIELD, NODES_FIELD
from corefscope.formats.reading.draft import Draft

LAYER_FIELDS = {"speakers": "speakers", "pos": "tags", "heads": "heads", "deprels": "deprels"}
"""Fields with one value per token, sentence by sentence, and the names of their layers."""
NAMES_FIELD = "ner"
"""Named entities as ``[first, last, type]``, sentence by sentence; offsets in the document."""
STRING_FIELDS = ("clusters_strings", "clusters_token_text", "clusters_text_mentions")
"""The words of each mention of each cluster."""
ATTRIBUTE_FIELDS = ("entity_types", "mention_levels")
"""A type for each cluster, and NAM, NOM or PRO for each mention of each cluster."""
ALL_FIELDS = (
    *LAYER_FIELDS,
    NAMES_FIELD,
    *STRING_FIELDS,
    *ATTRIBUTE_FIELDS,
    HEADS_FIELD,
    NODES_FIELD,
)
"""The fields that are read, and are not clusters."""


def with_sentences(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with sentences; one that has only tokens is one sentence."""
    tokens = record.get("tokens")
    if record.get("sentences") is not None or not isinstance(tokens, list):
        return record
    speakers = record.get("speakers")
    is_flat = isinstance(speakers, list) and not any(isinstance(each, list) for each in speakers)
    more = {"speakers": [speakers]} if is_flat else {}
    return {**record, "sentences": [tokens], **more}


def words_of(record: dict[str, Any]) -> list[str] | None:
    """Return the words of all sentences in one list, or None if there are none."""
    tokens = tokens_of(record)
    return tokens if tokens is not None and {str}.issuperset(map(type, tokens)) else None


def tokens_of(record: dict[str, Any]) -> list[Any] | None:
    """Return what the sentences have for tokens, in one list; None if they are not lists."""
    sentences = record.get("sentences")
    if not isinstance(sentences, list) or not {list}.issuperset(map(type, sentences)):
        return None
    return list(chain.from_iterable(sentences))


def has_parts(mention: Any) -> bool:
    """Return whether a mention is written as one with gaps."""
    return isinstance(mention, list) and bool(mention) and isinstance(mention[0], list)


def add_layers(draft: Draft, record: dict[str, Any], clusters: str) -> None:
    """Add the layers of a text, and the attributes of mentions, that fit."""
    if draft.words is None:
        return
    for field, layer in LAYER_FIELDS.items():
        if fits(record, field):
            draft.columns[layer] = [str(value) for sentence in record[field] for value in sentence]
    if fits(record, NAMES_FIELD):
        names = [name for sentence in record[NAMES_FIELD] for name in sentence]
        draft.columns["names"] = name_bits(names, len(draft.words))
    if attributes_fit(record, clusters):
        types, levels = (record.get(each) for each in ATTRIBUTE_FIELDS)
        draft.mentions.entity_types = types or ()
        draft.mentions.levels = list(chain.from_iterable(levels or ()))


def with_converted_layers(record: dict[str, Any], convention: Convention) -> dict[str, Any]:
    """Return a record with names and heads as token numbers from 0; clusters are unchanged.

    Anything but token numbers is unchanged too; it is reported because it does not fit.
    """
    if convention == DEFAULT:
        return record

    def name(given: Any) -> Any:
        match given:
            case [int(start), int(end), *more]:
                return [*convention.convert(start, end), *more]
        return given

    def head(given: Any) -> Any:
        return convention.convert(given, given)[0] if type(given) is int else given

    converted = dict(record)
    for field, convert in ((NAMES_FIELD, name), ("heads", head)):
        if isinstance(rows := record.get(field), list):
            converted[field] = [
                [convert(each) for each in row] if isinstance(row, list) else row for row in rows
            ]
    return converted


def fits(record: dict[str, Any], field: str) -> bool:
    """Return whether a layer fits the sentences: one value per token, or valid names."""
    sentences, values = record["sentences"], record.get(field)
    if not isinstance(values, list) or not all(isinstance(v, list) for v in values):
        return False
    if field == NAMES_FIELD:
        tokens = sum(map(len, sentences))
        names = [name for sentence in values for name in sentence]
        return all(_is_name(name, tokens) for name in names) and not _cross(names)
    if [len(v) for v in values] != [len(s) for s in sentences]:
        return False
    flat = [value for sentence in values for value in sentence]
    if field == "heads":
        return all(type(value) is int and -1 <= value < len(flat) for value in flat)
    return all(type(value) is str for value in flat)


def _is_name(name: Any, tokens: int) -> bool:
    match name:
        case [int(start), int(end), str(type), *_] if not isinstance(start, bool):
            return 0 <= start <= end < tokens and bool(re.fullmatch(r"\s*[^()*|\s]+\s*", type))
    return False


def _cross(names: list[list[Any]]) -> bool:
    """Return whether two names have the same span, or overlap without nesting.

    A span can have only one name, and brackets cannot express crossing names.
    """
    spans = {(start, end) for start, end, *_ in names}
    return len(spans) < len(names) or first_crossing(spans) is not None


def name_bits(names: list[list[Any]], tokens: int) -> list[str]:
    """Write names as brackets around tokens: ``(PERSON*``, ``*)``."""
    opened: list[str] = [""] * tokens
    closed = [0] * tokens
    # If names begin at the same token, the longest opens first.
    for start, end, type, *_ in sorted(names, key=lambda name: (name[0], -name[1])):
        opened[start] += f"({type.strip()}"
        closed[end] += 1
    return [f"{before}*{')' * after}" for before, after in zip(opened, closed, strict=True)]


def attributes_fit(record: dict[str, Any], field: str) -> bool:
    """Return whether types and levels, if there are any, have the shape of the clusters."""
    clusters = record.get(field) or []
    types, levels = (record.get(each) for each in ATTRIBUTE_FIELDS)
    if types is not None and not (
        isinstance(types, list)
        and len(types) == len(clusters)
        and all(isinstance(t, str | None) for t in types)
    ):
        return False
    return levels is None or (
        isinstance(levels, list)
        and [len(v) if isinstance(v, list) else -1 for v in levels] == [len(c) for c in clusters]
        and all(isinstance(level, str | None) for v in levels for level in v)
    )
