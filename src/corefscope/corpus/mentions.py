"""Mentions: spans of tokens, or any other ids; and entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import le
from typing import TypeAlias, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

MentionId: TypeAlias = Hashable
Span: TypeAlias = tuple[int, int]
"""First and last token."""
Clusters: TypeAlias = Iterable[Iterable[MentionId | list[int]]]

Rows: TypeAlias = tuple[list[int], list[MentionId]]
"""The sizes of the entities of a document, and all mentions in one list."""

LAST_TOKEN = 2**31 - 1
"""The largest token offset that fits into an array."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: a span of tokens, or any other id."""

    id: MentionId

    @property
    def start(self) -> int:
        """The first token."""
        return self._span[0]

    @property
    def end(self) -> int:
        """The last token: ends are inclusive."""
        return self._span[1]

    @property
    def _span(self) -> tuple[int, int]:
        match self.id:
            case (int(start), int(end)):
                return start, end
        raise AttributeError(f"mention {self.id!r} is not a span of tokens")


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that refer to one thing."""

    label: str
    mentions: tuple[Mention, ...]

    def __len__(self) -> int:
        return len(self.mentions)

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)


def as_spans(mentions: Sequence[MentionId]) -> NDArray[np.int32] | None:
    """Return an array of first and last tokens, or None if a mention is not a span."""
    if not are_spans(mentions):
        return None
    # Converting one flat list is much faster than converting a list of tuples.
    tokens = list(chain.from_iterable(cast(Sequence[tuple[int, int]], mentions)))
    return np.array(tokens, dtype=np.int32).reshape(-1, 2)


def are_spans(mentions: Sequence[MentionId]) -> bool:
    """Return whether all mentions are spans; much faster than ``is_span`` for each of them."""
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
    """Return whether a mention is a pair of integers, which may be a span in some convention."""
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
    )


def is_span(mention: MentionId) -> TypeGuard[tuple[int, int]]:
    """Return whether a mention is a pair of token offsets."""
    return is_whole_pair(mention) and 0 <= mention[0] <= mention[1] <= LAST_TOKEN


def first_crossing(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Return the first two spans that overlap without nesting, or share one token at their edges.

    Equal spans count as nested. Returns None if there are no such spans.
    """
    open_spans: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while open_spans and open_spans[-1][1] < start:
            open_spans.pop()
        if open_spans and open_spans[-1][1] < end:
            return open_spans[-1], (start, end)
        open_spans.append((start, end))
    return None
