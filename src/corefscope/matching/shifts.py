"""Detect that the offsets of a response have another meaning than those of the key.

A response that counts tokens from 1, or whose ends are exclusive, shares few mentions with the key
and scores badly, although nothing is wrong with the system. All documents may be affected, or only
some of them. Other readings are tried only if few mentions match.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import islice
from math import log10
from typing import NamedTuple

import numpy as np
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
from corefscope.findings import Code, Finding, Remedy
from corefscope.matching.overlap import Overlap, Side
from corefscope.records import dataclass

Booleans = NDArray[np.bool_]


class OffsetShift(NamedTuple):
    """Another reading of the spans of a response."""

    start: int
    """The number added to starts."""
    end: int
    """The number added to ends."""
    is_length: bool = False
    """Whether the second number is the length of the mention; then the start is added to it."""

    def __str__(self) -> str:
        if self.is_length:
            return "the second number of every mention of the response read as its length"
        if self.start == self.end:
            return f"every mention of the response {_moved(self.start)}"
        starts, ends = _moved(self.start), _moved(self.end)
        if not self.start:
            return f"every end of the response {ends}"
        if not self.end:
            return f"every start of the response {starts}"
        return f"every start of the response {starts} and every end {ends}"


def _moved(by: int) -> str:
    tokens = "one token" if abs(by) == 1 else "two tokens" if abs(by) == 2 else f"{abs(by)} tokens"
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
FIRST_AND_LENGTH = OffsetShift(0, -1, is_length=True)
LEAST_GAIN = 20
"""The smallest gain in mention F1, in points, for which another reading is reported."""
FEW_IN_DOCUMENT = 25
"""The highest mention F1 of a document, in points, for which shifts are tried if most documents
match without."""
ALMOST_NONE = 20
"""The highest mention F1, in points, for which any distance is tried if both sides have at least
``MANY`` mentions.

A shifted response shares some mentions by chance, especially if there are many mentions.
"""
MANY = 10
SOME = 5
"""If both sides have at least this many mentions and share none, this is reported."""
SAMPLED = 64
"""How many mentions of the response are compared with the key to find frequent distances."""
SAMPLED_IN_DOCUMENT = 16
CANDIDATES = 3
"""How many of the most frequent distances are tried on all mentions."""
FAR = 2
"""How many times as far as the last mention of the key a mention must end to be far beyond it."""
SHOWN = 3
"""How many documents a message names."""
IN_KEY = "mentions are in the key"
MOVED = "mentions look moved"
"""What is said of a shift that no convention explains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftedDocument:
    """A document that matches far better if the response is shifted."""

    name: str
    shift: OffsetShift
    mentions: int
    """The number of mentions of key and response together."""
    common: int
    shifted: int
    """The mentions in common after the shift."""
    response: int
    """The number of mentions of the response."""

    @property
    def gain(self) -> int:
        """How many more mentions are in common after the shift."""
        return self.shifted - self.common


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftCounts:
    """The number of mentions that key and response share, as they are and under other readings.

    Counts of several sets of documents can be added.
    """

    key: int = 0
    response: int = 0
    common: int = 0
    shifted: Mapping[OffsetShift, int] = field(default_factory=dict)
    """The mentions in common under other readings, in the documents that were examined."""
    is_complete: bool = True
    """Whether all documents were examined."""
    compared: int = 0
    """The number of documents that have mentions on both sides."""
    unshifted: int = 0
    """The number of documents with at least two common mentions that match best unshifted."""
    documents: tuple[ShiftedDocument, ...] = ()
    """The documents that match far better under a shift."""
    in_both: tuple[int, int] = (0, 0)
    """How many mentions key and response have in documents with mentions on both sides."""
    examples: tuple[str, str] | None = None
    """A mention of the key and one of the response, of the same document."""
    far: int = 0
    """The mentions of the response that end far beyond all of the key, if none is in common."""
    points: int = 0
    """The mentions of the response that begin and end at the same number, if none is in common."""

    def __add__(self, other: ShiftCounts) -> ShiftCounts:
        return ShiftCounts(
            key=self.key + other.key,
            response=self.response + other.response,
            common=self.common + other.common,
            shifted=dict(Counter(self.shifted) + Counter(other.shifted)),
            is_complete=self.is_complete and other.is_complete,
            compared=self.compared + other.compared,
            unshifted=self.unshifted + other.unshifted,
            documents=self.documents + other.documents,
            in_both=(self.in_both[0] + other.in_both[0], self.in_both[1] + other.in_both[1]),
            examples=self.examples or other.examples,
            far=self.far + other.far,
            points=self.points + other.points,
        )

    @property
    def may_be_characters(self) -> bool:
        """Whether positions of the response may count characters.

        Then most are far beyond the tokens of the key, and none is only one wide, as most are that
        count tokens.
        """
        return not self.common and not self.points and 2 * self.far >= max(self.in_both[1], 1)

    def affected(self) -> list[ShiftedDocument]:
        """Return the documents with the most frequent shift of single documents.

        Among many documents, some gain two mentions by chance. If fewer than one in a hundred are
        shifted, a document must gain one more mention for every factor of ten in the number of
        documents.
        """
        if not self.documents:
            return []
        ((shift, count),) = Counter(document.shift for document in self.documents).most_common(1)
        alike = [document for document in self.documents if document.shift == shift]
        odd = [document for document in self.documents if document.shift not in SHIFTS]
        if len(odd) > count:
            alike = odd  # Each has its own distance, as if tokens were counted across documents.
        if 100 * len(alike) >= self.compared:
            return alike
        least = 2 + log10(self.compared)
        return [document for document in alike if document.gain >= least]

    def f1(self, common: int) -> float:
        """Return the mention F1 in points, given the number of common mentions."""
        return 200 * common / (self.key + self.response)

    def best(self) -> tuple[OffsetShift, int] | None:
        """Return the best reading and its common mentions, if it matches far better."""
        order = [*SHIFTS, *(reading for reading in self.shifted if reading not in SHIFTS)]
        tried = [reading for reading in order if reading in self.shifted]
        if not tried:
            return None
        reading, most = fittest(tried, self.shifted.__getitem__)
        is_odd = reading not in SHIFTS and not _explains(most, min(self.key, self.response))
        counts = np.array([self.common, most, self.key + self.response])[:, None]
        return None if is_odd or not _far_better(*counts).all() else (reading, most)


def _explains(shifted: int, mentions: int) -> bool:
    """Return whether a distance explains two thirds of the mentions; fewer may match by chance."""
    return 3 * shifted >= 2 * mentions


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
        is_complete=4 * total <= int(mentions.sum()),
        compared=int((fewer > 0).sum()),
        in_both=(int(ours[fewer > 0].sum()), int(theirs[fewer > 0].sum())),
    )
    chosen = fewer > 0
    if not total and chosen.any() and _are_whole(response, response_side).any():
        counts = replace(counts, examples=_examples(key, response, key_side, response_side, chosen))
    if not key.has_spans or not response.has_spans:
        return counts
    if not total and chosen.any():
        sides = _Spans.of(key, key_side, chosen), _Spans.of(response, response_side, chosen)
        counts = _with_far(counts, *sides)
    if not counts.is_complete:
        # Hardly any mention of a shifted document matches by chance, so skip most documents.
        chosen = (200 * common <= FEW_IN_DOCUMENT * mentions) & _far_better(common, fewer, mentions)
    if not chosen.any():
        return counts
    spans = _Spans.of(key, key_side, chosen), _Spans.of(response, response_side, chosen)
    if not len(spans[1].start):
        return counts
    return _counted(counts, spans, _ByDocument(key.document_names, mentions, fewer, common, theirs))


def _with_far(counts: ShiftCounts, key: _Spans, response: _Spans) -> ShiftCounts:
    """Add how many mentions of the response are far beyond those of the key, or one wide."""
    documents = np.concatenate((key.document, response.document))
    last = np.zeros(int(documents.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(last, key.document, key.end)
    far = int((response.end > FAR * (last[response.document] + 1)).sum())
    return replace(counts, far=far, points=int((response.start == response.end).sum()))


def _examples(
    key: Corpus, response: Corpus, key_side: Side, response_side: Side, chosen: Booleans
) -> tuple[str, str]:
    """Return the first mention of each side, in the first document with mentions on both sides."""
    document = int(np.argmax(chosen))

    def first(corpus: Corpus, side: Side) -> str:
        is_there = side.entity_document[side.mention_entity] == document
        place = int(np.argmax(2 * is_there + (is_there & _are_whole(corpus, side))))
        return reprlib.repr(corpus.mention_id(int(side.mention_row[place])))

    return first(key, key_side), first(response, response_side)


class _ByDocument(NamedTuple):
    """Mention counts by document: of both sides, of the smaller one, in common, of the response."""

    names: Sequence[str]
    mentions: Integers
    fewer: Integers
    common: Integers
    response: Integers

    def shifted(self, most: Integers, shift: Sequence[OffsetShift]) -> Iterator[ShiftedDocument]:
        """Yield the documents that match far better under their best shift."""
        for number in np.flatnonzero(_far_better(self.common, most, self.mentions)).tolist():
            yield ShiftedDocument(
                name=self.names[number],
                shift=shift[number],
                mentions=int(self.mentions[number]),
                common=int(self.common[number]),
                shifted=int(most[number]),
                response=int(self.response[number]),
            )

    def with_distances(
        self, most: Integers, spans: tuple[_Spans, _Spans]
    ) -> Iterator[tuple[int, OffsetShift, int]]:
        """Yield documents that have hardly any match, but are explained by some distance."""
        few = 200 * np.maximum(self.common, most) <= ALMOST_NONE * self.mentions
        for number in np.flatnonzero(few & (self.fewer >= MANY)).tolist():
            sides = spans[0].only(number), spans[1].only(number)
            # Mentions that begin or end inside a token of the key are no spans of it.
            if not all(len(side.start) for side in sides):
                continue
            for reading in islice(_distances(*sides, SAMPLED_IN_DOCUMENT), 1):
                found = int(_Index(sides[0]).has(sides[1], reading).sum())
                if _explains(found, int(self.fewer[number])):
                    yield number, reading, found


def _counted(
    counts: ShiftCounts, spans: tuple[_Spans, _Spans], documents: _ByDocument
) -> ShiftCounts:
    """Add how many spans of the chosen documents match under each reading."""
    index, response = _Index(spans[0]), spans[1]
    most = np.zeros(len(documents.names), dtype=np.int64)
    best = np.zeros(len(documents.names), dtype=np.int64)
    shifted = {}
    for place, reading in enumerate(SHIFTS):
        found = response.document[index.has(response, reading)]
        shifted[reading] = len(found)
        by_document = np.bincount(found, minlength=len(most))
        best[by_document > most] = place
        most = np.maximum(most, by_document)
    readings = [SHIFTS[place] for place in best.tolist()]
    counts = replace(counts, shifted=shifted)
    if not counts.best():
        counts = _with_any_distance(counts, spans, index)
    if explanation := counts.best():
        found = response.document[index.has(response, explanation[0])]
        most = np.maximum(most, np.bincount(found, minlength=len(most)))
    else:
        for number, reading, count in documents.with_distances(most, spans):
            readings[number], most[number] = reading, count
    return replace(
        counts,
        unshifted=int(((documents.common >= 2) & (documents.common > most)).sum()),
        documents=tuple(documents.shifted(most, readings)),
    )


def _with_any_distance(
    counts: ShiftCounts, spans: tuple[_Spans, _Spans], index: _Index
) -> ShiftCounts:
    """Add readings other than the usual shifts, if hardly any mention matches."""
    is_many = min(counts.key, counts.response) >= MANY
    if not is_many or counts.f1(counts.common) > ALMOST_NONE:
        return counts
    shifted = dict(counts.shifted)
    for reading in (FIRST_AND_LENGTH, *_distances(*spans)):
        shifted[reading] = int(index.has(spans[1], reading).sum())
    return replace(counts, shifted=shifted)


@dataclass(frozen=True, slots=True)
class _Spans:
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

    def only(self, document: int) -> _Spans:
        """Return the spans of one document."""
        first, last = np.searchsorted(self.document, [document, document + 1])
        return _Spans(self.document[first:last], self.start[first:last], self.end[first:last])

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
        end = response.end + reading.end + (response.start if reading.is_length else 0)
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


def _distances(key: _Spans, response: _Spans, sampled: int = SAMPLED) -> Iterator[OffsetShift]:
    """Yield the most frequent distances between mentions of equal width in the same document."""
    rows = np.unique(np.linspace(0, len(response.start) - 1, sampled).astype(np.int64))
    found = []
    for row in rows.tolist():
        first, last = np.searchsorted(key.document, response.document[row] + np.array([0, 1]))
        starts, ends = key.start[first:last], key.end[first:last]
        is_as_wide = ends - starts == response.end[row] - response.start[row]
        found.append(starts[is_as_wide] - response.start[row])
    distance, times = np.unique(np.concatenate(found), return_counts=True)
    for place in np.argsort(-times, kind="stable")[:CANDIDATES].tolist():
        by = int(distance[place])
        if by:
            yield OffsetShift(by, by)


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
    remedy, changed = None, None
    if best is not None:
        verdict = _of_all(counts, *best, key, response)
        changed = next(_changes(best[0], key, response), None)
        remedy = Remedy.NAME_FORMAT if not changed and (key.other or response.other) else None
    elif affected := counts.affected():
        verdict = _of_some(counts, affected, key, response)
        is_same = len({document.shift for document in affected}) == 1
        remedy = Remedy.NAME_FORMAT if is_same and (key.other or response.other) else None
    else:
        return []
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
    if counts.common or counts.examples is None:
        return []
    if min(counts.in_both) < SOME and not counts.may_be_characters:
        return []
    if any(finding.code in EXPLAINS_NOTHING_COMMON for finding in findings):
        return []
    ours, theirs = counts.examples
    in_key, in_response = counts.in_both
    expected = None
    found = (
        f"no mention of the response is in the key: {in_response:,} against {in_key:,}, such as "
        f"{theirs} and {ours}; check that both have the same texts, tokens and ids"
    )
    if counts.may_be_characters:
        found = (
            f"no mention of the response is in the key: {theirs} against {ours}, as if characters "
            "were counted"
        )
        expected = (
            "tokens: if so, make the response with "
            "Corpus.from_clusters(documents, unit='characters', text=texts)"
        )
    return [Finding(Code.NO_COMMON_MENTION, found, expected=expected, file=path)]


EXPLAINS_NOTHING_COMMON = frozenset(
    {
        Code.SHIFTED,
        Code.UNLIKE_SOME,
        Code.DOUBTFUL_CLUSTERS,
        Code.DOUBTFUL_COLUMN,
        Code.TWO_CLUSTERINGS,
        Code.WORDS_DIFFER,
        Code.TOKENS_IGNORED,
        Code.BEYOND_TEXT,
    }
)
"""Findings that already explain why key and response may have no mention in common."""


def _of_all(
    counts: ShiftCounts, reading: OffsetShift, common: int, key: Offsets, response: Offsets
) -> Verdict:
    right = {0: "", 1: "; 1 document matches better as it is"}
    but = right.get(counts.unshifted, f"; {counts.unshifted:,} documents match better as they are")
    looks, advice = _explained(reading, key, response)
    return Verdict(
        looks=looks,
        observed=IN_KEY,
        total=counts.response,
        as_read=counts.common,
        otherwise=common,
        expected="one convention",
        advice=f"{advice}{but}",
        so=f"with {reading}",
    )


def _of_some(
    counts: ShiftCounts, documents: Sequence[ShiftedDocument], key: Offsets, response: Offsets
) -> Verdict:
    """Describe some documents that match far better under the same shift."""
    shifts = {document.shift for document in documents}
    looks, advice = _shared(shifts, key, response)
    where = f"in {len(documents):,} of {counts.compared:,} documents ({_some_names(documents)})"
    return Verdict(
        looks=f"{where} {looks}",
        observed=IN_KEY,
        total=sum(document.response for document in documents),
        as_read=sum(document.common for document in documents),
        otherwise=sum(document.shifted for document in documents),
        expected="one convention",
        advice=advice,
        so=f"with {next(iter(shifts))}" if len(shifts) == 1 else "so",
    )


def _shared(shifts: Set[OffsetShift], key: Offsets, response: Offsets) -> tuple[str, str]:
    """Describe the shift of several documents, or that each has its own, and what to do."""
    if len(shifts) > 1:
        distances = sorted(abs(shift.start) for shift in shifts)
        return (
            f"mentions look moved by {distances[0]:,} to {distances[-1]:,} tokens, by a different "
            "distance in each document",
            "if tokens are counted from the beginning of the corpus, count them from the beginning "
            "of each document",
        )
    (shift,) = shifts
    sides = (("response", response), ("key", key))
    counted = next((each.other_advice(name) for name, each in sides if each.other), None)
    if counted is not None:
        return MOVED, counted
    looks = next(_descriptions(shift, key, response), None)
    if looks is None:
        return MOVED, "no convention of offsets explains this"
    return looks, "count in all documents as in the others"


def _some_names(documents: Sequence[ShiftedDocument]) -> str:
    names = [repr(document.name) for document in documents[:SHOWN]]
    return ", ".join([*names, *(["…"] if len(documents) > SHOWN else [])])


def _explained(reading: OffsetShift, key: Offsets, response: Offsets) -> tuple[str, str]:
    """Describe the convention that explains a shift, and how to declare it."""
    if reading.is_length:
        return (
            "second numbers of the response look like lengths",
            "write the last token of each mention instead of its length",
        )
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
    if reading.is_length:
        return
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
