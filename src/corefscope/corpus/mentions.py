"""What a mention is: a span of tokens, or anything else that can be told from the others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, pairwise
from operator import le
from typing import TypeAlias, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

MentionId: TypeAlias = Hashable
Clusters: TypeAlias = Iterable[Iterable[MentionId | list[int]]]

Parts: TypeAlias = tuple[tuple[int, int], ...]
"""First and last token of each part of a mention with gaps."""
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
    """Tell whether all mentions are spans; much faster than asking for each of them."""
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


def is_parts(mention: MentionId) -> TypeGuard[Parts]:
    """Tell whether a mention is given as two or more spans in order: the parts between gaps."""
    return (
        type(mention) is tuple
        and len(mention) > 1
        and all(map(is_span, mention))
        and all(before[1] < after[0] for before, after in pairwise(mention))
    )


def joined(parts: Parts) -> Parts:
    """Return parts in order as they are; those that touch become one."""
    spans: list[tuple[int, int]] = []
    for start, end in parts:
        if spans and spans[-1][1] + 1 == start:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return tuple(spans)


def as_word_sets(
    mentions: Sequence[MentionId],
) -> tuple[NDArray[np.int32] | None, dict[int, Parts]]:
    """Return first and last token of each mention, and the parts of those with gaps by row.

    None in place of the spans if a mention is something else.
    """
    spans = as_spans(mentions)
    if spans is not None:
        return spans, {}
    given = {row: joined(mention) for row, mention in enumerate(mentions) if is_parts(mention)}
    hulls: list[MentionId] = list(mentions)
    for row, parts in given.items():
        hulls[row] = parts[0][0], parts[-1][1]
    spans = as_spans(hulls)
    if spans is None:
        return None, {}
    return spans, {row: parts for row, parts in given.items() if len(parts) > 1}


def is_whole_pair(mention: MentionId) -> TypeGuard[tuple[int, int]]:
    """Tell whether a mention is a pair of whole numbers, which may be a span in some convention."""
    return type(mention) is tuple and [type(part) for part in mention] == [int, int]


def is_span(mention: MentionId) -> TypeGuard[tuple[int, int]]:
    """Tell whether a mention is a pair of token offsets."""
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
        and 0 <= mention[0] <= mention[1] <= LAST_TOKEN
    )
