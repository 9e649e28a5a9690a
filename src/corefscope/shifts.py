"""Whether all offsets of a response are off by one against the key, and what explains it.

A response that counts tokens from 1, or whose ends are exclusive, shares few mentions with the key
and scores badly, although nothing is wrong with the system.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from corefscope.corpus import Corpus, Integers
from corefscope.findings import Code, Finding
from corefscope.offsets import IN_MEMORY, Convention, Offsets, explanations
from corefscope.overlap import Side

Shift: TypeAlias = tuple[int, int]
"""What is added to the starts and to the ends of the response."""

SHIFTS = MappingProxyType(
    {
        (0, -1): "every end of the response one token earlier",
        (-1, -1): "every mention of the response one token earlier",
        (0, 1): "every end of the response one token later",
        (1, 1): "every mention of the response one token later",
        (1, 0): "every start of the response one token later",
        (-1, 0): "every start of the response one token earlier",
        (1, -1): "every start of the response one token later and every end one token earlier",
        (-1, 1): "every start of the response one token earlier and every end one token later",
    }
)
"""The shifts that are tried; of equally good ones the first is reported."""
LEAST_GAIN = Fraction(1, 5)
"""The gain in mention F1 that makes a shift worth a warning."""


@dataclass(frozen=True, slots=True)
class ShiftCounts:
    """Mentions that key and response share: as they are, and with the response shifted.

    Counts of several sets of documents can be added.
    """

    key: int = 0
    response: int = 0
    common: int = 0
    shifted: tuple[int, ...] = (0,) * len(SHIFTS)
    """The mentions in common under each of ``SHIFTS``; 0 where they were not counted."""
    is_complete: bool = True
    """Whether all of them were counted."""

    def __add__(self, other: ShiftCounts) -> ShiftCounts:
        return ShiftCounts(
            self.key + other.key,
            self.response + other.response,
            self.common + other.common,
            tuple(map(sum, zip(self.shifted, other.shifted, strict=True))),
            self.is_complete and other.is_complete,
        )

    def f1(self, common: int) -> float:
        """Return the mention F1 with so many mentions in common."""
        return 2 * common / (self.key + self.response)

    def best(self) -> tuple[Shift, int] | None:
        """Return the best shift and its mentions in common, if it is much better than none.

        It must at least double the mention F1, raise it by ``LEAST_GAIN``, and match two mentions
        more: a single one may simply have a wrong boundary.
        """
        most = max(self.shifted)
        mentions = self.key + self.response
        if most < 2 * self.common or most - self.common < 2:
            return None
        if Fraction(2 * (most - self.common), mentions) < LEAST_GAIN:
            return None
        return list(SHIFTS)[self.shifted.index(most)], most


def count_shifts(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side, common: int
) -> ShiftCounts:
    """Count mentions in common under every shift, unless none can double the mention F1.

    Every mention is on its side once, and ``common`` of them are on both.
    """
    sizes = len(key_side.mention), len(response_side.mention)
    if 4 * common > sum(sizes):
        return ShiftCounts(*sizes, common, is_complete=False)
    if key.mention_spans is None or response.mention_spans is None:
        return ShiftCounts(*sizes, common)
    return ShiftCounts(
        *sizes, common, _shifted(_Spans.of(key, key_side), _Spans.of(response, response_side))
    )


@dataclass(frozen=True, slots=True)
class _Spans:
    """Mentions as numbers: where they begin, the same number for no other document, and end."""

    begin: Integers
    end: Integers

    BASE = 2**31 + 2
    """Offsets that can be told apart, those of spans that stick out by one included."""

    @classmethod
    def of(cls, corpus: Corpus, side: Side) -> _Spans:
        assert corpus.mention_spans is not None
        spans = corpus.mention_spans[side.mention_row].astype(np.int64)
        document = side.entity_document[side.mention_entity].astype(np.int64)
        return cls(document * cls.BASE + spans[:, 0] + 1, spans[:, 1] + 1)


def _shifted(key: _Spans, response: _Spans) -> tuple[int, ...]:
    """Count the spans in common under every shift."""
    begins, place = np.unique(key.begin, return_inverse=True)
    wanted = place * _Spans.BASE + key.end
    counts = []
    for start, end in SHIFTS:
        begin = response.begin + start
        place = np.minimum(np.searchsorted(begins, begin), max(len(begins) - 1, 0))
        found = begins[place] == begin if len(begins) else np.zeros(len(begin), dtype=bool)
        spans = place[found] * _Spans.BASE + response.end[found] + end
        counts.append(len(np.intersect1d(wanted, spans, assume_unique=True)))
    return tuple(counts)


def shift_finding(
    counts: ShiftCounts,
    key: Offsets = IN_MEMORY,
    response: Offsets = IN_MEMORY,
    path: str | None = None,
) -> list[Finding]:
    """Warn of a response that matches far better when it is shifted; once, if at all."""
    best = counts.best()
    if best is None:
        return []
    shift, common = best
    least = "" if counts.is_complete else "at least "
    message = (
        f"the mention F1 is {100 * counts.f1(counts.common):.2f}, and would be {least}"
        f"{100 * counts.f1(common):.2f} with {SHIFTS[shift]}: "
        f"{_explained(shift, key, response)}"
    )
    return [Finding(Code.SHIFTED, message, path)]


def _explained(shift: Shift, key: Offsets, response: Offsets) -> str:
    """Say which convention explains a shift, and how it is declared."""
    sides = {"response": response, "key": key}
    for ours, theirs in explanations(shift, key, response):
        changed = {
            name: convention
            for name, convention in (("response", theirs), ("key", ours))
            if convention is not None and convention != sides[name].convention
        }
        what = [_described(name, sides[name], changed[name]) for name in changed]
        how = [sides[name].advice(name, changed[name]) for name in changed]
        return f"{' and '.join(what)}; {' and '.join(how)}"
    for ours, theirs in explanations(shift, IN_MEMORY, IN_MEMORY):
        what = [
            _described(name, IN_MEMORY, convention)
            for name, convention in (("response", theirs), ("key", ours))
            if convention is not None and convention != Convention()
        ]
        return (
            f"{' and '.join(what)}, which cannot be declared for the format it has; check the "
            "program that wrote it"
        )
    return "no convention of offsets explains this; check the program that wrote the response"


def _described(name: str, given: Offsets, convention: Convention) -> str:
    assert given.convention is not None
    words = {
        "base": f"the {name} seems to count tokens from {convention.base}",
        "ends": f"the ends of the {name} look {convention.ends}",
    }
    return " and ".join(words[part] for part in convention.changes_from(given.convention))
