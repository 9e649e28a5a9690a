"""Align the words of a copy with those of its source, in nearly linear time.

Words that occur in both texts and in no doubt are found first: a common beginning and end, then
runs of five words that occur once in each text. The longest chain of these that is in order on both
sides divides the texts into gaps, which are aligned in the same way with shorter runs. Small gaps
are aligned by their longest common subsequence. All words are matched in order, and no word twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

Word = TypeVar("Word", int, str)

LONGEST_RUN = 5
"""How many words in a row are looked for first."""
SMALL = 40_000
"""Pairs of words in a gap that is aligned by its longest common subsequence at once."""
LARGEST = 1_400_000
"""Pairs of words in a gap without a common run that is still aligned."""
UNMATCHED = -1


class Gap(NamedTuple):
    """A stretch of both texts that is still to be aligned."""

    start: int
    stop: int
    copy_start: int
    copy_stop: int
    run: int = LONGEST_RUN
    """How many words in a row to look for."""

    @property
    def pairs(self) -> int:
        """How many pairs of words there are."""
        return (self.stop - self.start) * (self.copy_stop - self.copy_start)


def align(source: Sequence[str], copy: Sequence[str]) -> list[int]:
    """Return the place in the source of each word of a copy, or −1.

    Parameters
    ----------
    source, copy
        The words of both texts, in the form in which they are compared.

    Returns
    -------
    list of int
        Ascending places of equal words, and −1 for words of the copy without a match.
    """
    numbers: dict[str, int] = {}
    ours = [numbers.setdefault(word, len(numbers)) for word in source]
    theirs = [numbers.setdefault(word, len(numbers)) for word in copy]
    match = [UNMATCHED] * len(copy)
    gaps = [Gap(0, len(ours), 0, len(theirs))]
    while gaps:
        gap = _without_equal_edges(ours, theirs, gaps.pop(), match)
        if not gap.pairs:
            continue
        if gap.pairs <= SMALL:
            _match_longest(ours, theirs, gap, match)
        else:
            gaps.extend(_divided(ours, theirs, gap, match))
    _tighten(ours, theirs, match)
    return match


def _without_equal_edges(
    source: Sequence[int], copy: Sequence[int], gap: Gap, match: list[int]
) -> Gap:
    """Match the words that a gap begins and ends with on both sides; return what is left."""
    start, stop, copy_start, copy_stop, run = gap
    while start < stop and copy_start < copy_stop and source[start] == copy[copy_start]:
        match[copy_start] = start
        start, copy_start = start + 1, copy_start + 1
    while start < stop and copy_start < copy_stop and source[stop - 1] == copy[copy_stop - 1]:
        stop, copy_stop = stop - 1, copy_stop - 1
        match[copy_stop] = stop
    return Gap(start, stop, copy_start, copy_stop, run)


def _divided(
    source: Sequence[int], copy: Sequence[int], gap: Gap, match: list[int]
) -> Iterator[Gap]:
    """Match runs of words that occur once on both sides; yield the gaps between them."""
    for run in range(gap.run, 0, -1):
        anchors = _anchors(source, copy, gap._replace(run=run))
        if anchors:
            start, copy_start = gap.start, gap.copy_start
            for place, copy_place in anchors:
                if start < place and copy_start < copy_place:
                    yield Gap(start, place, copy_start, copy_place, run)
                for step in range(run):
                    match[copy_place + step] = place + step
                start, copy_start = place + run, copy_place + run
            yield Gap(start, gap.stop, copy_start, gap.copy_stop, run)
            return
    if gap.pairs <= LARGEST:
        _match_longest(source, copy, gap, match)


def _anchors(source: Sequence[int], copy: Sequence[int], gap: Gap) -> list[tuple[int, int]]:
    """Return where runs begin that occur once on both sides, as many in order as possible."""
    ours = unique_runs(source, gap.start, gap.stop, gap.run)
    theirs = unique_runs(copy, gap.copy_start, gap.copy_stop, gap.run)
    common = [(place, theirs[words]) for words, place in ours.items() if words in theirs]
    chosen: list[tuple[int, int]] = []
    free = copy_free = 0
    for place, copy_place in _longest_chain(sorted(common)):
        goes_on = chosen and place - chosen[-1][0] == copy_place - chosen[-1][1]
        if goes_on or (place >= free and copy_place >= copy_free):
            chosen.append((place, copy_place))
            free, copy_free = place + gap.run, copy_place + gap.run
    return chosen


def unique_runs(
    words: Sequence[Word], start: int, stop: int, run: int
) -> dict[tuple[Word, ...], int]:
    """Return where the runs of words begin that occur only once in a stretch."""
    stretch = words[start:stop]
    found: dict[tuple[Word, ...], int] = {}
    for place, each in enumerate(zip(*(stretch[step:] for step in range(run)), strict=False)):
        found[each] = UNMATCHED if each in found else start + place
    return {each: place for each, place in found.items() if place != UNMATCHED}


def _longest_chain(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of pairs, sorted by their first number, with ascending second."""
    ends: list[int] = []
    last: list[int] = []
    before = [UNMATCHED] * len(pairs)
    for number, (_, copy_place) in enumerate(pairs):
        length = bisect_left(ends, copy_place)
        if length:
            before[number] = last[length - 1]
        if length == len(ends):
            ends.append(copy_place)
            last.append(number)
        else:
            ends[length], last[length] = copy_place, number
    chain = []
    number = last[-1] if last else UNMATCHED
    while number != UNMATCHED:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _match_longest(source: Sequence[int], copy: Sequence[int], gap: Gap, match: list[int]) -> None:
    """Match the words of a longest common subsequence of a gap."""
    ours, theirs = source[gap.start : gap.stop], copy[gap.copy_start : gap.copy_stop]
    # Every bit of a row is looked at on its own, so in large gaps bits are for the shorter side.
    if gap.pairs <= SMALL or len(ours) <= len(theirs):
        pairs = longest_common(ours, theirs)
    else:
        pairs = [(place, other) for other, place in longest_common(theirs, ours)]
    for place, copy_place in pairs:
        match[gap.copy_start + copy_place] = gap.start + place


def longest_common(short: Sequence[int], long: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, the last ones first.

    A row of the usual table is one integer: a bit is 0 where the length grows by one (Hyyrö 2004).
    """
    where: dict[int, int] = {}
    for place, word in enumerate(short):
        where[word] = where.get(word, 0) | 1 << place
    full = (1 << len(short)) - 1
    row = full
    rows = []
    for word in long:
        common = row & where.get(word, 0)
        row = ((row + common) | (row - common)) & full
        rows.append(row)
    pairs = []
    place, other = len(short), len(long)
    while place and other:
        if rows[other - 1] >> (place - 1) & 1:
            place -= 1
            continue
        other -= 1
        if not other or rows[other - 1] >> (place - 1) & 1:
            place -= 1
            pairs.append((place, other))
    return pairs


def _tighten(source: Sequence[int], copy: Sequence[int], match: list[int]) -> None:
    """Move lone matches next to a matched neighbour, where the same word stands there.

    Otherwise the last full stop of a remark after the text takes that of the text.
    """
    for step in (1, -1):
        order = range(len(match)) if step == 1 else range(len(match) - 1, -1, -1)
        beside = UNMATCHED  # The nearest matched word of the copy on this side.
        for place in order:
            at = match[place]
            if at == UNMATCHED:
                continue
            if beside != UNMATCHED and _is_lone(match, place):
                near, near_at = beside + step, match[beside] + step
                if at == near_at and copy[near] == copy[place]:
                    match[place], match[near], place = UNMATCHED, at, near
                elif place == near and source[near_at] == copy[place]:
                    match[place] = near_at
            beside = place


def _is_lone(match: Sequence[int], place: int) -> bool:
    """Return whether no neighbour of a matched word is matched beside it."""
    at = match[place]
    before = place > 0 and match[place - 1] == at - 1 and at > 0
    after = place + 1 < len(match) and match[place + 1] == at + 1
    return not before and not after
