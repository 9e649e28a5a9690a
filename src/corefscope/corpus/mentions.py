"""What a mention is: a span of tokens, or anything else that can be told from the others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from operator import le
from typing import TypeAlias, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

MentionId: TypeAlias = Hashable
Clusters: TypeAlias = Iterable[Iterable[MentionId | list[int]]]

Rows: TypeAlias = tuple[list[int], list[MentionId]]
"""The sizes of the entities of a document, and all their mentions in a row."""

LAST_TOKEN = 2**31 - 1
"""The largest token offset that a column can hold."""


def as_spans(mentions: Sequence[MentionId]) -> NDArray[np.int32] | None:
    """Return the mentions as rows of first and last token, or None unless all of them are spans."""
    if not are_spans(mentions):
        return None
    # One long list becomes an array much faster than a list of tuples.
    tokens = list(chain.from_iterable(cast(Sequence[tuple[int, int]], mentions)))
    return np.array(tokens, dtype=np.int32).reshape(-1, 2)


def are_spans(mentions: Sequence[MentionId]) -> bool:
    """Return whether all mentions are spans; much faster than asking for each of them."""
    pairs = cast(Sequence[tuple[int, int]], mentions)
    if set(map(type, mentions)) - {tuple} or set(map(len, pairs)) - {2}:
        return False
    tokens = list(chain.from_iterable(pairs))
    if set(map(type, tokens)) - {int}:
        return False
    ends = tokens[1::2]
    return (
        min(tokens, default=0) >= 0
        and max(ends, default=0) <= LAST_TOKEN
        and all(map(le, tokens[::2], ends))
    )


def is_whole_pair(mention: MentionId) -> TypeGuard[tuple[int, int]]:
    """Return whether a mention is a pair of whole numbers, which may be a span in some convention."""
    return type(mention) is tuple and [type(part) for part in mention] == [int, int]


def is_span(mention: MentionId) -> TypeGuard[tuple[int, int]]:
    """Return whether a mention is a pair of token offsets."""
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
        and 0 <= mention[0] <= mention[1] <= LAST_TOKEN
    )
