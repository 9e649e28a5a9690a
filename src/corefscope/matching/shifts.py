"""Detect that the offsets of a response have another meaning than those of the key.

A response that counts tokens from 1, or whose ends are exclusive, shares few mentions with the key
and scores badly, although nothing is wrong with the system. Other readings are tried only if few
mentions match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.offsets import (
    IN_MEMORY,
    Convention,
    Offsets,
    Verdict,
    explanations,
    fittest,
)
from corefscope.facts import Facts
from corefscope.findings import Code, Finding, Remedy
from corefscope.matching.overlap import Overlap, Side

Booleans = NDArray[np.bool_]


class OffsetShift(NamedTuple):
    """Another reading of the spans of a response."""

    start: int
    """The number added to starts."""
    end: int
    """The number added to ends."""

    def __str__(self) -> str:
        if self.start == self.end:
            return f"every mention of the response {_moved(self.start)}"
        starts, ends = _moved(self.start), _moved(self.end)
        if not self.start:
            return f"every end of the response {ends}"
        if not self.end:
            return f"every start of the response {starts}"
        return f"every start of the response {starts} and every end {ends}"


def _moved(by: int) -> str:
    tokens = "one token" if abs(by) == 1 else "two tokens"
    return f"{tokens} {'later' if by > 0 else 'earlier'}"


SHIFTS = (
    OffsetShift(0, -1),
    OffsetShift(-1, -1),
    OffsetShift(0, 1),
    OffsetShift(1, 1),
    OffsetShift(-1, -2),
    OffsetShift(1, 2),
    OffsetShift(1, 0),
    OffsetShift(-1, 0),
    OffsetShift(1, -1),
    OffsetShift(-1, 1),
)
"""The shifts that are tried; if several are equally good, the first is reported."""
LEAST_GAIN = 20
"""The smallest gain in mention F1, in points, for which another reading is reported."""
FEW_IN_DOCUMENT = 25
"""The highest mention F1 of a document, in points, for which shifts are tried if most documents
match without."""
SOME = 5
"""If both sides have at least this many mentions and share none, this is reported."""
IN_KEY = "mentions are in the key"
MOVED = "mentions look moved"
"""What is said of a shift that no convention explains."""


class ShiftCounts(Facts, kw_only=True):
    """The number of mentions that key and response share, as they are and under other readings."""

    key: int = 0
    response: int = 0
    common: int = 0
    shifted: Mapping[OffsetShift, int] = field(default_factory=dict)
    """The mentions in common under other readings, in the documents that were examined."""
    is_partial: bool = False
    """Whether some documents were not examined."""
    in_both: tuple[int, int] = (0, 0)
    """How many mentions key and response have in documents with mentions on both sides."""
    is_comparable: bool = False
    """Whether the response has mentions that could be in the key."""

    def f1(self, common: int) -> float:
        """Return the mention F1 in points, given the number of common mentions."""
        return 200 * common / (self.key + self.response)

    def best(self) -> tuple[OffsetShift, int] | None:
        """Return the best reading and its common mentions, if it matches far better."""
        if not self.shifted:
            return None
        reading, most = fittest(SHIFTS, lambda shift: self.shifted.get(shift, 0))
        counts = np.array([self.common, most, self.key + self.response])[:, None]
        return (reading, most) if _far_better(*counts).all() else None


def _far_better(common: Integers, shifted: Integers, mentions: Integers) -> Booleans:
    """Return where a reading at least doubles the mention F1 and raises it by ``LEAST_GAIN``.

    It must also match two more mentions, because a single one may just have a wrong boundary.
    """
    gain = shifted - common
    better: Booleans = (gain >= 2) & (gain >= common) & (200 * gain >= LEAST_GAIN * mentions)
    return better


def count_shifts(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side, overlap: Overlap
) -> ShiftCounts:
    """Count common mentions under other readings, in documents where they can double the F1.

    The sides must not have repeated mentions; ``overlap`` is their overlap.
    """
    ours, theirs, common = (
        overlap.by_document(document, sizes).astype(np.int64)
        for document, sizes in (
            (overlap.key_document, overlap.key_size),
            (overlap.response_document, overlap.response_size),
            (overlap.cell_document, overlap.n),
        )
    )
    fewer, mentions = np.minimum(ours, theirs), ours + theirs
    total = int(common.sum())
    counts = ShiftCounts(
        key=len(key_side.mention),
        response=len(response_side.mention),
        common=total,
        is_partial=4 * total > int(mentions.sum()),
        in_both=(int(ours[fewer > 0].sum()), int(theirs[fewer > 0].sum())),
        is_comparable=bool(_are_whole(response, response_side).any()),
    )
    if not key.has_spans or not response.has_spans:
        return counts
    chosen = fewer > 0
    if counts.is_partial:
        # Hardly any mention of a shifted document matches by chance, so skip most documents.
        chosen = (200 * common <= FEW_IN_DOCUMENT * mentions) & _far_better(common, fewer, mentions)
    if not chosen.any():
        return counts
    index = _Index(_Spans.of(key, key_side, chosen))
    spans = _Spans.of(response, response_side, chosen)
    if not len(spans.start):
        return counts
    shifted = {reading: int(index.has(spans, reading).sum()) for reading in SHIFTS}
    return replace(counts, shifted=shifted)


class _Spans(Struct, frozen=True):
    """Mentions as arrays, sorted by document, first and last token."""

    document: Integers
    start: Integers
    end: Integers

    BASE = 2**31
    """The number of possible offsets."""

    @classmethod
    def of(cls, corpus: Corpus, side: Side, chosen: Booleans) -> _Spans:
        """Return the spans of some documents, without mentions that end inside a token."""
        document = side.entity_document[side.mention_entity]
        rows = np.flatnonzero(chosen[document] & _are_whole(corpus, side))
        document = document[rows].astype(np.int64)
        spans = corpus.mention_spans[side.mention_row[rows]].astype(np.int64)
        order = np.lexsort((spans[:, 1], document * cls.BASE + spans[:, 0]))
        return cls(document[order], spans[order, 0], spans[order, 1])

    @property
    def begin(self) -> Integers:
        """A number for each document and first token."""
        return self.document * self.BASE + self.start


def _are_whole(corpus: Corpus, side: Side) -> Booleans:
    """Return which mentions begin and end with a token; others equal none under any shift."""
    is_whole = np.ones(len(corpus.mention_entity), dtype=bool)
    is_whole[list(corpus.mention_cuts)] = False
    whole: Booleans = is_whole[side.mention_row]
    return whole


class _Index:
    """Looks up spans among the spans of the key."""

    def __init__(self, key: _Spans) -> None:
        self.begins, place = np.unique(key.begin, return_inverse=True)
        self.spans = place * _Spans.BASE + key.end

    def has(self, response: _Spans, reading: OffsetShift) -> Booleans:
        """Return which spans are in the key under a reading.

        Both are sorted in the same way, which makes the search fast.
        """
        start = response.start + reading.start
        end = response.end + reading.end
        begin = response.document * _Spans.BASE + start
        place = _places(self.begins, begin)
        span = place * _Spans.BASE + end
        is_span = (start >= 0) & (start <= end) & (end < _Spans.BASE)
        found: Booleans = is_span & (self.begins[place] == begin)
        found &= self.spans[_places(self.spans, span)] == span
        return found


def _places(ordered: Integers, wanted: Integers) -> Integers:
    """Return the positions of numbers in a sorted array, provided that they are in it."""
    return np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)


def shift_finding(
    counts: ShiftCounts,
    key: Offsets = IN_MEMORY,
    response: Offsets = IN_MEMORY,
    paths: tuple[str | None, str | None] = (None, None),
) -> list[Finding]:
    """Return a finding if the response matches far better under another reading.

    ``paths`` are those of key and response, of which the finding names the one to read otherwise.
    """
    best = counts.best()
    if best is None:
        return []
    verdict = _of_all(counts, *best, key, response)
    changed = next(_changes(best[0], key, response), None)
    remedy = Remedy.NAME_FORMAT if not changed and (key.other or response.other) else None
    sides = {"key": key, "response": response}
    formats = tuple(
        (side, sides[side].format_with(convention))
        for side, convention in (changed or {}).items()
        if sides[side].is_file
    )
    file = paths[0] if changed and list(changed) == ["key"] else paths[1]
    return [replace(verdict.finding(Code.SHIFTED, file), remedy=remedy, formats=formats)]


def nothing_in_common(
    counts: ShiftCounts, findings: Iterable[Finding], path: str | None = None
) -> list[Finding]:
    """Return a finding if key and response share no mention, unless another finding explains it."""
    if counts.common or not counts.is_comparable or min(counts.in_both) < SOME:
        return []
    if any(finding.code in EXPLAINS_NOTHING_COMMON for finding in findings):
        return []
    in_key, in_response = counts.in_both
    found = f"no mention of the response is in the key: {in_response:,} against {in_key:,}"
    expected = "the same texts, tokens and ids on both sides"
    return [Finding(Code.NO_COMMON_MENTION, found, expected=expected, file=path)]


EXPLAINS_NOTHING_COMMON = frozenset(
    {
        Code.SHIFTED,
        Code.UNLIKE_SIDES,
        Code.DOUBTFUL_CLUSTERS,
        Code.DOUBTFUL_COLUMN,
        Code.SEVERAL_ANNOTATIONS,
        Code.WORDS_DIFFER,
        Code.TOKENS_DIFFER,
    }
)
"""Findings that already explain why key and response may have no mention in common."""


def _of_all(
    counts: ShiftCounts, reading: OffsetShift, common: int, key: Offsets, response: Offsets
) -> Verdict:
    looks, advice = _explained(reading, key, response)
    return Verdict(
        looks=looks,
        observed=IN_KEY,
        total=counts.response,
        as_read=counts.common,
        otherwise=common,
        expected="key and response counted alike",
        advice=advice,
        so=f"with {reading}",
    )


def _explained(reading: OffsetShift, key: Offsets, response: Offsets) -> tuple[str, str]:
    """Describe the convention that explains a shift, and how to declare it."""
    sides = {"response": response, "key": key}
    for changed in _changes(reading, key, response):
        what = [_described(name, sides[name], changed[name]) for name in changed]
        how = [sides[name].advice(name, changed[name]) for name in changed]
        return " and ".join(what), " and ".join(how)
    counted = [each.other_advice(name) for name, each in sides.items() if each.other]
    if counted:
        return MOVED, "; ".join(counted)
    for looks in _descriptions(reading, key, response):
        return looks, (
            "no option can change how these files are read, so check the program that wrote them"
        )
    return MOVED, (
        "no convention of offsets explains this; check the program that wrote the response"
    )


def _descriptions(reading: OffsetShift, key: Offsets, response: Offsets) -> Iterator[str]:
    """Yield the explanations of a shift, whether or not they can be declared."""
    as_read = {
        name: Offsets(convention=offsets.applied)
        for name, offsets in (("response", response), ("key", key))
    }
    for changed in _changes(reading, as_read["key"], as_read["response"]):
        yield " and ".join(_described(name, as_read[name], changed[name]) for name in changed)


def _changes(
    reading: OffsetShift, key: Offsets, response: Offsets
) -> Iterator[Mapping[str, Convention]]:
    """Yield the conventions to declare, for the response or the key or both."""
    for ours, theirs in explanations((reading.start, reading.end), key, response):
        yield {
            name: convention
            for name, convention, given in (("response", theirs, response), ("key", ours, key))
            if convention != given.applied
        }


def _described(name: str, given: Offsets, convention: Convention) -> str:
    words = {
        "base": f"tokens of the {name} look counted from {convention.base}",
        "ends": f"the ends of the {name} look {convention.ends}",
    }
    return " and ".join(words[part] for part in convention.changes_from(given.applied))
