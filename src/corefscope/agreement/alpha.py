"""Krippendorff's α for coreference (Passonneau 2004, 2006).

A unit is a mention that someone marked; the value that an annotator gives it is the entity that the
annotator put it into, as a set of mentions. Values are never compared pair by pair: the sets of one
annotator are equal or disjoint, and sets of two annotators have mentions in common only where the
table of overlaps has a cell. So the sums follow from sizes and cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Annotated, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.agreement.common_texts import Booleans
from corefscope.choices import Unmarked
from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, Side, sums
from corefscope.results.record import Record, about

Distance: TypeAlias = Literal["passonneau", "masi"]
DISTANCES: tuple[Distance, ...] = ("passonneau", "masi")


class Alpha(Record, frozen=True, kw_only=True):
    """Krippendorff's α with both distances; None if no mention has two values."""

    passonneau: Annotated[float | None, about("null if no mention was marked by two annotators")]
    masi: Annotated[float | None, about("null if no mention was marked by two annotators")]
    unmarked: Annotated[
        Unmarked, about("what an annotator says about a mention that only others marked")
    ]
    units: Annotated[int, about("the number of mentions with two values or more")]


class _Cells(Struct, frozen=True, eq=False, kw_only=True):
    """The entities of two annotators that have mentions in common."""

    one: Integers
    other: Integers
    n: Floats
    """How many mentions they have in common."""
    weight: Floats
    """The sum of 1 / (m − 1) over these mentions, where m annotators gave a value."""


def alpha(sides: Sequence[Side], annotated: Booleans, unmarked: Unmarked) -> Alpha:
    """Return α of annotators.

    Parameters
    ----------
    sides
        The entities of each annotator; equal mentions have equal numbers, from 0.
    annotated
        Whether each annotator annotated each document.
    unmarked
        What an annotator says about a mention that only others marked.

    Returns
    -------
    Alpha
        The sums of observed and of expected disagreement are taken over documents first.
    """
    units = 1 + max((int(side.mention.max(initial=-1)) for side in sides), default=-1)
    if unmarked == "singleton":
        sides = _completed(sides, annotated, units)
    values = np.bincount(np.concatenate([side.mention for side in sides]), minlength=units)
    work = _Sums.of(sides, values, annotated.shape[1])
    for one, other in combinations(range(len(sides)), 2):
        work.add(one, other)
    found = {distance: work.alpha(distance) for distance in DISTANCES}
    return Alpha(
        passonneau=found["passonneau"],
        masi=found["masi"],
        unmarked=unmarked,
        units=int((values > 1).sum()),
    )


class _Sums(Struct, eq=False, kw_only=True):
    """Observed and expected disagreement, summed over pairs of annotators."""

    sides: Sequence[Side]
    values: Integers
    """How many annotators gave each unit a value."""
    sizes: Sequence[Floats]
    """The number of mentions of each entity."""
    counted: Sequence[Floats]
    """The number of those that have two values or more."""
    n: Floats
    """The number of values in such units, by document."""
    observed: dict[Distance, float]
    expected: dict[Distance, Floats]
    """By document, still to be divided by n − 1."""

    @classmethod
    def of(cls, sides: Sequence[Side], values: Integers, documents: int) -> _Sums:
        """Begin with the values of each annotator: they are equal, or have nothing in common."""
        counted = [_by_entity(side, values[side.mention] > 1) for side in sides]
        n, equal = (
            np.sum(
                [
                    sums(side.entity_document, each**power, documents)
                    for side, each in zip(sides, counted, strict=True)
                ],
                axis=0,
            )
            for power in (1, 2)
        )
        return cls(
            sides=sides,
            values=values,
            sizes=[_by_entity(side) for side in sides],
            counted=counted,
            n=n,
            observed=dict.fromkeys(DISTANCES, 0.0),
            expected=dict.fromkeys(DISTANCES, n**2 - equal),
        )

    def add(self, one: int, other: int) -> None:
        """Add what two annotators have in common; all other pairs of values are disjoint sets."""
        cells = _cells(self.sides[one], self.sides[other], self.values)
        alike = similarities(cells.n, self.sizes[one][cells.one], self.sizes[other][cells.other])
        both = 2 * self.counted[one][cells.one] * self.counted[other][cells.other]
        document = self.sides[one].entity_document[cells.one]
        for distance in DISTANCES:
            self.observed[distance] += 2 * float(((1 - alike[distance]) * cells.weight).sum())
            common = sums(document, alike[distance] * both, len(self.n))
            self.expected[distance] = self.expected[distance] - common

    def alpha(self, distance: Distance) -> float | None:
        """Return α; None if no unit has two values, 1 if no disagreement is expected."""
        if not self.n.any():
            return None
        expected = float((self.expected[distance] / np.maximum(self.n - 1, 1)).sum())
        return 1 - self.observed[distance] / expected if expected else 1.0


def similarities(n: Floats, one: Floats, other: Floats) -> Mapping[Distance, Floats]:
    """Return 1 − δ of sets with a common mention, given common mentions and the two sizes.

    Passonneau's distance is 0 for equal sets, 1/3 if one contains the other, and 2/3 otherwise;
    that of MASI multiplies what is left of 1 by Jaccard's index.
    """
    is_within = n == np.minimum(one, other)
    is_equal = is_within & (one == other)
    alike = np.where(is_equal, 1.0, np.where(is_within, 2 / 3, 1 / 3))
    return {"passonneau": alike, "masi": alike * (n / (one + other - n))}


def _by_entity(side: Side, counts: Booleans | None = None) -> Floats:
    """Return the number of mentions of each entity, or of some of them."""
    mentions = side.mention_entity if counts is None else side.mention_entity[counts]
    return np.bincount(mentions, minlength=len(side.entity_document)).astype(np.float64)


def _cells(one: Side, other: Side, values: Integers) -> _Cells:
    """Join the entities of two annotators on their mentions."""
    entity = np.full(len(values), -1, dtype=np.int64)
    entity[one.mention] = one.mention_entity
    entities = entity[other.mention]
    common = entities >= 0
    width = max(len(other.entity_document), 1)
    cell, which = np.unique(
        entities[common] * width + other.mention_entity[common], return_inverse=True
    )
    weights = 1 / (values[other.mention[common]] - 1)
    return _Cells(
        one=cell // width,
        other=cell % width,
        n=np.bincount(which, minlength=len(cell)).astype(np.float64),
        weight=sums(which, weights, len(cell)),
    )


def _completed(sides: Sequence[Side], annotated: Booleans, units: int) -> list[Side]:
    """Return annotators with an entity for each mention that they did not mark."""
    document = np.zeros(units, dtype=np.int64)
    for side in sides:
        document[side.mention] = side.entity_document[side.mention_entity]
    found = []
    for side, has_annotated in zip(sides, annotated, strict=True):
        is_missing = has_annotated[document]
        is_missing[side.mention] = False
        new = np.flatnonzero(is_missing)
        first = len(side.entity_document)
        entities = np.arange(len(new)) + first
        found.append(
            replace(
                side,
                entity_document=np.concatenate([side.entity_document, document[new]]),
                entity_row=np.concatenate([side.entity_row, np.full(len(new), -1)]),
                mention_entity=np.concatenate([side.mention_entity, entities]),
                mention_row=np.concatenate([side.mention_row, np.full(len(new), -1)]),
                mention=np.concatenate([side.mention, new]),
            )
        )
    return found
