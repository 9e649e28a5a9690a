"""The two closest spans of two sets: a text of signs has thousands that differ in nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from corefscope.matching.texts import Span

FEW = 64
"""Up to so many spans in all, each is compared with each."""
_Best = tuple[int, int, int] | None
"""A key to be maximised, and the negated span: of equals the first span counts."""


def distance(one: Span, other: Span) -> int:
    """Return by how many tokens two spans differ at both ends together."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def closest(ours: Sequence[Span], theirs: Sequence[Span]) -> tuple[Span, Span]:
    """Return the pair of the smallest distance; of equals the first in the text.

    It takes O(n log n): spans are visited by their starts, and the best one so far is looked up
    by its end, separately among those that end before and those that end after.
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
    """The highest entry up to any place: a binary indexed tree (Fenwick 1994)."""

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
