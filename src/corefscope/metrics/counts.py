"""Counts of a metric, which are summed over documents, and scores computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct, field

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, Overlap

Average: TypeAlias = Literal["micro", "macro"]
"""How documents are combined: micro sums their counts, macro averages recall and precision."""
FiguresOfCounts: TypeAlias = Callable[[Floats], Floats]
"""Computes recall, precision and F1 of rows of counts, along the last axis."""
CountRow: TypeAlias = tuple[float, ...]
"""The counts of one document: numerators and denominators of a metric."""
BLOCK = 4
"""Numerator and denominator of recall, then of precision."""


class Score(Struct, frozen=True, kw_only=True):
    """Recall, precision and F1, with their numerators and denominators.

    An index without recall and precision, such as Rand's, is in ``f1``; the other two are NaN.
    """

    recall: float
    precision: float
    f1: float
    recall_counts: tuple[float, float]
    precision_counts: tuple[float, float]
    parts: Mapping[str, Score] = field(default_factory=dict)
    """The two kinds of links of BLANC; the coverage of an index of common mentions."""

    def __hash__(self) -> int:
        return hash((self.recall_counts, self.precision_counts, self.f1))

    @property
    def is_undefined(self) -> bool:
        """Whether both denominators are zero: there was nothing to find, and nothing was found.

        An index of common mentions is undefined if there are no common mentions.
        """
        if "coverage" in self.parts:
            return self.parts["coverage"].recall_counts[0] == 0
        return self.recall_counts[1] == 0 == self.precision_counts[1]


def known(figure: float) -> float | None:
    """Return a figure, or None instead of NaN, which JSON does not have."""
    return None if isnan(figure) else figure


def ratio(numerator: float, denominator: float) -> float:
    """Divide; 0/0 is defined as 0."""
    return numerator / denominator if denominator else 0.0


def share(numerator: float, denominator: float) -> float | None:
    """Divide; return None if there is nothing to count."""
    return numerator / denominator if denominator else None


def shares(score: Score) -> tuple[float | None, float | None, float | None]:
    """Return recall, precision and F1, each None if there is nothing to count."""
    return (
        share(*score.recall_counts),
        share(*score.precision_counts),
        None if score.is_undefined else score.f1,
    )


def harmonic_mean(recall: float, precision: float) -> float:
    """Return F1, which is 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def ratios(numerator: Floats, denominator: Floats) -> Floats:
    """Divide arrays; 0/0 is defined as 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator != 0)


def plain_figures(counts: Floats) -> Floats:
    """Return recall and precision of the first four counts, and their harmonic mean."""
    return with_f1(ratios(counts[..., 0], counts[..., 1]), ratios(counts[..., 2], counts[..., 3]))


def with_f1(recall: Floats, precision: Floats) -> Floats:
    """Return recall, precision and their harmonic mean, along a new last axis."""
    f1 = ratios(2 * precision * recall, precision + recall)
    return np.stack([recall, precision, f1], axis=-1)


def single_figure(counts: Floats) -> Floats:
    """Return the first fraction as F1, without recall and precision."""
    return only_f1(ratios(counts[..., 0], counts[..., 1]))


def only_f1(value: Floats) -> Floats:
    """Return NaN, NaN and the value, along a new last axis."""
    nothing = np.full_like(value, nan)
    return np.stack([nothing, nothing, value], axis=-1)


def plain_scores(counts: Floats) -> list[Score]:
    """Return the scores of rows of four counts."""
    return scored(plain_figures(counts), counts)


def scored(
    figures: Floats, counts: Floats, parts: Mapping[str, Sequence[Score]] | None = None
) -> list[Score]:
    """Return rows of recall, precision and F1 as scores, with the counts they come from."""
    rows = zip(figures.tolist(), counts.tolist(), strict=True)
    return [
        Score(
            # The same NaN object is used everywhere, so that equal scores compare equal.
            recall=nan if recall != recall else recall,
            precision=nan if precision != precision else precision,
            f1=nan if f1 != f1 else f1,
            recall_counts=(rn, rd),
            precision_counts=(pn, pd),
            parts={name: scores[row] for name, scores in parts.items()} if parts else {},
        )
        for row, ((recall, precision, f1), (rn, rd, pn, pd)) in enumerate(rows)
    ]


class Credit(NamedTuple):
    """What a metric finds of each entity of one side, and what was possible.

    What is found is a fraction of integers, so that sums over entities are rounded only once.
    Counts of documents are sums of it, and what an entity costs is the difference.
    """

    found: Integers | Floats
    possible: Integers | Floats
    over: Integers | None = None
    """The denominators of what is found; None if all are 1."""

    @property
    def lost(self) -> Floats:
        """What is possible and was not found of each entity."""
        found = self.found if self.over is None else self.found / self.over
        return np.asarray(self.possible - found, dtype=np.float64)

    def by_document(self, overlap: Overlap, document: Integers) -> tuple[Floats, Floats]:
        """Return what is found and what is possible, summed by the documents of the entities."""
        found = (
            overlap.by_document(document, self.found)
            if self.over is None
            else overlap.fractions_by_document(document, self.found, self.over)
        )
        return found, overlap.by_document(document, self.possible)
