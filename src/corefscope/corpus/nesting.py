"""Which mentions lie inside others, where some have gaps.

A mention lies inside another if all its tokens are tokens of the other. A mention in the gap of
another does not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from corefscope.corpus.mentions import Parts


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
