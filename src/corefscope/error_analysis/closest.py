"""The closest pair of spans of two sets, found fast enough for sets of thousands of spans."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from corefscope.matching.texts import Span

FEW = 64
"""Up to this total number of spans, all pairs are compared."""
_Best = tuple[int, int, int] | None
"""A value to maximise, and the negated span, so that the first of several equal spans wins."""


def distance(one: Span, other: Span) -> int:
    """Return the number of tokens by which two spans differ, summed over both ends."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def closest(ours: Sequence[Span], theirs: Sequence[Span]) -> tuple[Span, Span]:
    """Return the pair with the smallest distance; the first in the text if there are several.

    This takes O(n log n): spans are visited in the order of their starts, and the best span so far
    is looked up by its end, separately among those that end before and those that end after.
    """
    if len(ours) + len(theirs) <= FEW:
        return min(((a, b) for a in ours for b in theirs), key=lambda p: (distance(*p), *p))
    ends = sorted({end for _, end in (*ours, *theirs)})
    before = [_Highest(len(ends)), _Highest(len(ends))]
    after = [_Highest(len(ends)), _Highest(len(ends))]
    pairs = []
    visited = sorted([(span, 0) for span in ours] + [(span, 1) for span in theirs])
    for span, side in visited:
        start, end = span
        rank = bisect_left(ends, end)
        for found in (
            before[1 - side].up_to(rank),
            after[1 - side].up_to(len(ends) - 1 - rank),
        ):
            if found is not None:
                other = -found[1], -found[2]
                pair = (other, span) if side else (span, other)
                pairs.append((distance(*pair), *pair))
        before[side].add(rank, (start + end, -start, -end))
        after[side].add(len(ends) - 1 - rank, (start - end, -start, -end))
    _, one, other = min(pairs)
    return one, other


class _Highest:
    """A binary indexed tree (Fenwick 1994) that returns the highest entry up to any place."""

    def __init__(self, size: int) -> None:
        self.tree: list[_Best] = [None] * (size + 1)

    def add(self, place: int, entry: tuple[int, int, int]) -> None:
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
