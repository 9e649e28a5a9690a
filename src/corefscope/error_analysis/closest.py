"""The closest pair of mentions of two sets, found fast enough for sets of thousands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from corefscope.corpus.mentions import Span

FEW = 64
"""Up to this total number of spans, all pairs are compared."""
_Best = tuple[int, int] | None
"""A value to maximise, and the negated number, so that the first of several equal ones wins."""


def distance(one: Span, other: Span) -> int:
    """Return the number of tokens by which two spans differ, summed over both ends."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def closest(spans: Sequence[Span], ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, int]:
    """Return the pair with the smallest distance; the first in the text if there are several.

    Parameters
    ----------
    spans
        The spans of the mentions by number; numbers are in the order of the text.
    ours, theirs
        The numbers of two sets of mentions.

    Returns
    -------
    tuple
        The number of a mention of each set.

    Notes
    -----
    This takes O(n log n): spans are visited in the order of their starts, and the best span so far
    is looked up by its end, separately among those that end before and those that end after.
    """
    if len(ours) + len(theirs) <= FEW:
        pairs = ((distance(spans[a], spans[b]), a, b) for a in ours for b in theirs)
        return min(pairs)[1:]
    ends = sorted({spans[mention][1] for mention in (*ours, *theirs)})
    before = [_Highest(len(ends)), _Highest(len(ends))]
    after = [_Highest(len(ends)), _Highest(len(ends))]
    found_pairs = []
    visited = sorted([(mention, 0) for mention in ours] + [(mention, 1) for mention in theirs])
    for mention, side in visited:
        start, end = spans[mention]
        rank = bisect_left(ends, end)
        for found in (
            before[1 - side].up_to(rank),
            after[1 - side].up_to(len(ends) - 1 - rank),
        ):
            if found is not None:
                other = -found[1]
                one, two = (other, mention) if side else (mention, other)
                found_pairs.append((distance(spans[one], spans[two]), one, two))
        before[side].add(rank, (start + end, -mention))
        after[side].add(len(ends) - 1 - rank, (start - end, -mention))
    return min(found_pairs)[1:]


class _Highest:
    """A binary indexed tree (Fenwick 1994) that returns the highest entry up to any place."""

    def __init__(self, size: int) -> None:
        self.tree: list[_Best] = [None] * (size + 1)

    def add(self, place: int, entry: tuple[int, int]) -> None:
        place += 1
        while place < len(self.tree):
            known = self.tree[place]
            if known is None or known < entry:
                self.tree[place] = entry
            place += place & -place

    def up_to(self, place: int) -> _Best:
        place += 1
        best: _Best = None
        while place:
            known = self.tree[place]
            if known is not None and (best is None or known > best):
                best = known
            place -= place & -place
        return best
