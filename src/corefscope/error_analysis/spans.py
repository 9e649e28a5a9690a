"""Stage 1, alter span: response mentions with wrong boundaries become key mentions."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from string import ascii_letters
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus.mentions import Span
from corefscope.matching.pairs import DocumentPair

Alteration: TypeAlias = tuple[int, int]
"""A response mention, and the key mention that it becomes."""


class Alterations(Struct, frozen=True):
    """The pairs that were found, and the sets of mentions in which several pairs were possible."""

    pairs: list[Alteration]
    ambiguous: list[list[int]]


def alter_spans(pair: DocumentPair) -> tuple[DocumentPair, Alterations]:
    """Return the document with corrected boundaries, and the corrections.

    The paper pairs mentions with the same head. The published tool first pairs mentions that are
    equal without articles, possessives and single punctuation marks at their ends. Exact matches
    take part in neither step.
    """
    trimmed, ambiguous = _same_trimmed(pair)
    between = _with_spans(pair, dict(trimmed))
    headed = _same_head(between)
    pairs = sorted(trimmed + headed)
    return _with_spans(between, dict(headed)), Alterations(pairs, ambiguous)


def _only_one_side(pair: DocumentPair) -> tuple[set[int], set[int]]:
    """Return the mentions that only the response has, and those that only the key has."""
    key = {mention for entity in pair.key for mention in entity}
    response = {mention for entity in pair.response for mention in entity}
    return (
        {mention for mention in response - key if pair.is_in_text(mention)},
        {mention for mention in key - response if pair.is_in_text(mention)},
    )


def _buckets(
    pair: DocumentPair, name: Callable[[Span], Hashable]
) -> Iterable[tuple[list[int], list[int]]]:
    """Group the unmatched mentions by a name of their span; keep groups with both sides."""
    buckets: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, mentions in enumerate(_only_one_side(pair)):
        for mention in sorted(mentions):
            buckets[name(pair.span(mention))][side].append(mention)
    return [(ours, theirs) for ours, theirs in buckets.values() if ours and theirs]


def _same_trimmed(pair: DocumentPair) -> tuple[list[Alteration], list[list[int]]]:
    """Pair mentions that are equal when trimmed: only the closest pair of each group.

    The published tool also makes one pair per group, but which one depends on the order of a set.
    """
    if pair.text is None:
        return [], []
    pairs, ambiguous = [], []
    for ours, theirs in _buckets(pair, Trimmer(pair.text.words).trimmed):
        pairs.append(closest(pair.table.spans, ours, theirs))
        if len(ours) + len(theirs) > 2:
            ambiguous.append(sorted(ours + theirs))
    return pairs, ambiguous


def _same_head(pair: DocumentPair) -> list[Alteration]:
    """Pair mentions with the same head token, if only one mention of each side has it."""
    text = pair.text
    if text is None:
        return []
    return [
        (ours[0], theirs[0])
        for ours, theirs in _buckets(pair, lambda span: text.head(*span))
        if len(ours) == 1 == len(theirs)
    ]


class Trimmer:
    """Trims mentions: ``the`` and punctuation at the start, ``'s`` and punctuation at the end."""

    def __init__(self, words: Sequence[str]) -> None:
        count = len(words)
        self.next_kept = list(range(count))
        """For each token, the first token from it on that is not trimmed at a start."""
        self.last_kept = list(range(count))
        """For each token, the last token up to it that is not trimmed at an end."""
        # Most words are longer than what is trimmed.
        short = [token for token, word in enumerate(words) if len(word) <= len("the")]
        for token in reversed(short):
            if token + 1 < count and (words[token] == "the" or _is_punctuation(words[token])):
                self.next_kept[token] = self.next_kept[token + 1]
        for token in short:
            if token and (words[token] == "'s" or _is_punctuation(words[token])):
                self.last_kept[token] = self.last_kept[token - 1]

    def trimmed(self, mention: Span) -> Span:
        """Return the trimmed span, which has at least one token."""
        start = min(self.next_kept[mention[0]], mention[1])
        return start, max(self.last_kept[mention[1]], start)


def _is_punctuation(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters


def _with_spans(pair: DocumentPair, altered: dict[int, int]) -> DocumentPair:
    """Return the document with response mentions replaced within their entities."""
    if not altered:
        return pair
    response = [sorted(altered.get(m, m) for m in entity) for entity in pair.response]
    return replace(pair, response=response)


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
