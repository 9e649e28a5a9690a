"""Mentions: spans of tokens, or any other ids; and entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from operator import countOf, le
from typing import NamedTuple, TypeAlias, TypeGuard, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

MentionId: TypeAlias = Hashable
Span: TypeAlias = tuple[int, int]
"""First and last token."""
Clusters: TypeAlias = Iterable[Iterable[MentionId | list[int]]]

Parts: TypeAlias = tuple[tuple[int, int], ...]
"""First and last token of each part of a mention with gaps."""
Rows: TypeAlias = tuple[list[int], list[MentionId]]
"""The sizes of the entities of a document, and all mentions in one list."""

MOST_ARGUMENTS = 1000
"""How many mentions are looked at together, as the arguments of one function."""
LAST_TOKEN = 2**31 - 1
"""The largest token offset that fits into an array."""


class Mention(Struct, frozen=True):
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
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The first and last token of each part; a mention without gaps has one part."""
        return self.id if is_parts(self.id) else (self._span,)

    @property
    def _span(self) -> tuple[int, int]:
        match self.id:
            case (int(start), int(end)):
                return start, end
            case ((int(start), _), *_, (_, int(end))):
                return start, end
        raise AttributeError(f"mention {self.id!r} is not a span of tokens")


class Entity(Struct, frozen=True):
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


def without_spans(mentions: int) -> NDArray[np.int32]:
    """Return an array in place of spans for mentions that are ids; it takes no memory."""
    return np.broadcast_to(np.int32(-1), (mentions, 2))


def are_spans(
    mentions: Sequence[MentionId | list[int]], kind: type = tuple, last: int = LAST_TOKEN
) -> bool:
    """Return whether all mentions are spans; much faster than ``is_span`` for each of them.

    ``kind`` is their type, and ``last`` the last token that they may have.
    """
    if len(mentions) > MOST_ARGUMENTS:
        blocks = range(0, len(mentions), MOST_ARGUMENTS)
        return all(are_spans(mentions[at : at + MOST_ARGUMENTS], kind, last) for at in blocks)
    if countOf(map(type, mentions), kind) != len(mentions):
        return False
    try:
        starts, ends = zip(*cast(Sequence[tuple[int, int]], mentions), strict=True)
    except ValueError:  # There are none, or some that are not pairs.
        return not mentions
    return (
        countOf(map(type, starts), int) == countOf(map(type, ends), int) == len(mentions)
        and min(starts) >= 0
        and max(ends) <= last
        and all(map(le, starts, ends))
    )


def is_parts(mention: MentionId) -> TypeGuard[Parts]:
    """Return whether a mention is given as two or more spans in order: the parts between gaps."""
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


def merged(parts: Iterable[Span]) -> tuple[Span, ...]:
    """Return parts in their order in the text, with those that touch or overlap made one."""
    spans: list[Span] = []
    for first, last in sorted(parts):
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(last, spans[-1][1])
        else:
            spans.append((first, last))
    return tuple(spans)


class OverlappingPair(NamedTuple):
    """Two mentions that share a token."""

    smaller: Parts
    larger: Parts
    is_nested: bool
    """Whether all tokens of the smaller one are tokens of the larger one."""


def overlaps_with_gaps(mentions: Collection[Parts]) -> Iterator[OverlappingPair]:
    """Find the pairs of different mentions that share a token, one or both of them with gaps.

    Parameters
    ----------
    mentions
        The mentions of a document, each once, as first and last token of their parts.

    Yields
    ------
    OverlappingPair
        Each pair once.
    """
    gapped = [parts for parts in mentions if len(parts) > 1]
    wanted = {token for parts in gapped for token in _tokens(parts)}
    if not wanted:
        return
    having: dict[int, list[Parts]] = defaultdict(list)
    for parts in mentions:
        for token in _tokens(parts):
            if token in wanted:
                having[token].append(parts)
    for one in gapped:
        shared = Counter(other for token in _tokens(one) for other in having[token])
        for other, count in shared.items():
            # Of two mentions with gaps, only one finds the other.
            if len(other) == 1 or one < other:
                smaller, larger = sorted((one, other), key=size_of)
                yield OverlappingPair(smaller, larger, count == size_of(smaller))


def size_of(parts: Parts) -> int:
    """Return the number of tokens of a mention."""
    return sum(end - start + 1 for start, end in parts)


def _tokens(parts: Parts) -> Iterator[int]:
    return (token for start, end in parts for token in range(start, end + 1))
