"""Counts of a metric, which add up over documents, and the score that they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import fsum

import numpy as np

from corefscope.overlap import Floats, Overlap


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1, with the fractions behind them."""

    recall: float
    precision: float
    f1: float
    recall_counts: tuple[float, float]
    precision_counts: tuple[float, float]
    parts: Mapping[str, Score] = field(default_factory=dict, hash=False)
    """The two kinds of links of BLANC."""

    @property
    def is_undefined(self) -> bool:
        """Whether both denominators are zero: there was nothing to find and nothing was found."""
        return self.recall_counts[1] == 0 == self.precision_counts[1]


@dataclass(frozen=True, slots=True)
class Metric:
    """A way to measure a response against a key, in two steps that meet in additive counts."""

    id: str
    name: str
    """As papers print it."""
    count: Callable[[Overlap], Floats]
    """One row a document; numerator and denominator of recall, then of precision, for each part."""
    score: Callable[[Floats], Score]
    """The score of one row of counts."""
    integral: bool = True
    """Whether all counts are whole numbers."""

    def total(self, counts: Floats) -> Score:
        """Score the documents together, from their summed counts.

        Sums are correctly rounded, so that the order of documents does not matter.
        """
        return self.score(np.array([fsum(column) for column in counts.T]))


def ratio(numerator: float, denominator: float) -> float:
    """Divide; nothing out of nothing is 0."""
    return numerator / denominator if denominator else 0.0


def harmonic_mean(recall: float, precision: float) -> float:
    """F1: 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def plain_score(counts: Floats) -> Score:
    """Recall and precision of the counts, and their harmonic mean."""
    rn, rd, pn, pd = counts.tolist()
    recall, precision = ratio(rn, rd), ratio(pn, pd)
    return Score(recall, precision, harmonic_mean(recall, precision), (rn, rd), (pn, pd))


def both_ways(recall: Callable[[Overlap], tuple[Floats, Floats]], overlap: Overlap) -> Floats:
    """Count recall, and precision as recall with the roles swapped."""
    return np.stack([*recall(overlap), *recall(overlap.transposed)], axis=1)
