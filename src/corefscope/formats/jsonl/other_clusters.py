"""Notice fields of a record that look like clusters, but are not read."""

from __future__ import annotations

import re
from math import inf
from typing import Any

from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.jsonl.layers import ALL_FIELDS, words_of

CLUSTER_NAME = re.compile("cluster|coref|chain", re.IGNORECASE)
"""Names of fields that contain clusters in any shape."""
SYSTEM_NAME = re.compile(
    "cluster|coref|chain|entit|pred|system|response|output|hyp|auto", re.IGNORECASE
)
"""Names of fields with system output; pairs of spans in them are entities."""


def other_clusterings(record: dict[str, Any], read: str) -> list[str]:
    """Return the fields of a record that look like clusters but are not read.

    A field of a nested object is named ``outer.inner``.
    """
    sentences = record.get("sentences")
    words = words_of(record)
    tokens = None if words is None else len(words)
    others = {field: value for field, value in record.items() if field != read}
    inside = {
        f"{outer}.{inner}": value
        for outer, fields in others.items()
        if isinstance(fields, dict)
        for inner, value in fields.items()
    }
    return [
        field
        for field, value in {**others, **inside}.items()
        if field not in ALL_FIELDS
        and (
            field in CLUSTER_FIELDS
            or (
                is_clustering(value, tokens)
                and not _is_one_span_per_token(value, sentences)
                and not _is_relation(field, value)
            )
            or (CLUSTER_NAME.search(field) and _is_other_clustering(value, record.get(read)))
        )
    ]


def _is_relation(field: str, value: list[list[Any]]) -> bool:
    """Return whether a field has pairs of spans, such as bridging relations, not entities."""
    return not SYSTEM_NAME.search(field) and all(len(item) == 2 for item in value)


def _is_other_clustering(value: Any, read: Any) -> bool:
    """Return whether a value is clusters, but not as lists of ``[first, last]``.

    Mentions may be strings or objects, or there may be one more list around everything. Some
    systems also write the strings of the clusters that are ``read``; those have the same sizes.
    """
    if not isinstance(value, list) or not value or sizes_of(value) == sizes_of(read):
        return False
    if len(value) == 1 and is_clustering(value[0], None):
        return True
    mentions = [m for entity in value if isinstance(entity, list) for m in entity]
    return bool(mentions) and all(isinstance(mention, (str, dict)) for mention in mentions)


def sizes_of(value: Any) -> list[int]:
    """Return the number of mentions of each entity; what is not a list has none."""
    entities = value if isinstance(value, list) else []
    return [len(entity) for entity in entities if isinstance(entity, list)]


def is_clustering(value: Any, tokens: int | None) -> bool:
    """Return whether a value is a list of lists of spans, and not empty.

    Spans may have exclusive ends and count from 1, but not lie further beyond the text.
    """
    if not isinstance(value, list) or not all(isinstance(entity, list) for entity in value):
        return False
    mentions = [mention for entity in value for mention in entity]
    last = inf if tokens is None else tokens + 1
    return bool(mentions) and all(
        isinstance(mention, list)
        and [type(number) for number in mention] == [int, int]
        and 0 <= mention[0] <= mention[1] <= last
        for mention in mentions
    )


def _is_one_span_per_token(value: list[list[Any]], sentences: Any) -> bool:
    """Return whether there is one span per token, such as its character offsets."""
    return isinstance(sentences, list) and list(map(len, value)) == [
        len(sentence) if isinstance(sentence, list) else -1 for sentence in sentences
    ]
