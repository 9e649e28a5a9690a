"""Undo matches of words that stand before or after the copy, as in a remark or in a loop.

Such words are matched because the text happens to have them somewhere, where the copy lacks it. A
row of matched words is certain. What is matched beyond the last such row is kept if there is enough
of it, and undone otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from corefscope.transfer.words import UNMATCHED, align

Pairs: TypeAlias = list[tuple[int, int]]
"""Words of a copy and their places in the source, in ascending order."""

CERTAIN = 5
"""Matched words in a row that are certain."""
NEAR = 2
"""Words that may be missing or added between two matched words without any doubt."""
FAR, MOST_FAR = 10, 3
"""As many words of the source between two matched words cost 1, and at most so much."""
ENOUGH = 3
"""What matches beyond the last certain row must be worth: a word is worth 2, and a word between
them that is not matched costs 1. Signs count for nothing, because every sentence has some."""


def without_strays(source: Sequence[str], copy: Sequence[str], match: Sequence[int]) -> list[int]:
    """Undo doubtful matches at both ends of a copy.

    Parameters
    ----------
    source, copy
        The words of both texts, in the form in which they are compared.
    match
        The place in the source of each word of the copy, or −1.

    Returns
    -------
    list of int
        The same without doubtful matches.
    """
    pairs = [(place, at) for place, at in enumerate(match) if at >= 0]
    for _ in range(2):
        pairs = _without_strays_after(source, copy, pairs)
        source, copy = source[::-1], copy[::-1]
        pairs = [(len(copy) - 1 - place, len(source) - 1 - at) for place, at in reversed(pairs)]
    found = [UNMATCHED] * len(match)
    for place, at in pairs:
        found[place] = at
    return found


def _without_strays_after(source: Sequence[str], copy: Sequence[str], pairs: Pairs) -> Pairs:
    """Undo doubtful matches after a copy, and match again what they took from it."""
    kept = _certain(copy, pairs)
    if kept == len(pairs):
        return pairs
    place, at = (each + 1 for each in pairs[kept - 1])
    rest = source[at:]
    near = copy[place : place + 2 * (len(rest) + FAR)]
    again = [(place + p, at + a) for p, a in enumerate(align(rest, near)) if a >= 0]
    pairs = pairs[:kept] + again
    return pairs[: _certain(copy, pairs)]


def _certain(copy: Sequence[str], pairs: Pairs) -> int:
    """Return how many pairs are left without doubtful ones at the end; all if none is certain."""
    last = _end_of_last_row(pairs)
    if last < 0:
        return len(pairs)
    best, worth, kept = ENOUGH, 0, last + 1
    for number in range(last + 1, len(pairs)):
        (place, at), (next_place, next_at) = pairs[number - 1 : number + 1]
        strays, missing = sum(map(str.isalnum, copy[place + 1 : next_place])), next_at - at - 1
        is_word = copy[next_place].isalnum()
        # A sign is less certain, because it occurs in every sentence.
        is_near = strays <= NEAR and missing <= (NEAR if is_word else min(NEAR, strays + 1))
        is_certain = is_near and kept == number
        if not is_certain:
            worth += 2 * is_word - strays - min(missing // FAR, MOST_FAR)
        if is_certain or worth >= best:
            best, kept = max(best, worth), number + 1
    return kept


def _end_of_last_row(pairs: Pairs) -> int:
    """Return the last pair of the last row that is certain, or −1."""
    end = len(pairs) - 1
    for number in range(len(pairs) - 2, -1, -1):
        (place, at), (next_place, next_at) = pairs[number : number + 2]
        if next_place - place != 1 or next_at - at != 1:
            end = number
        elif end - number + 1 == CERTAIN:
            return end
    return -1
