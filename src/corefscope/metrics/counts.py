"""Counts of a metric, which add up over documents, and the scores that are read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Literal, TypeAlias

import numpy as np

from corefscope.matching.overlap import Floats, Overlap

Average: TypeAlias = Literal["micro", "macro"]
"""Documents together: counts are summed, then divided; or recall and precision are averaged."""
Figures: TypeAlias = Callable[[Floats], Floats]
"""Recall, precision and F1 of rows of counts, along the last axis, for any number of rows."""
BLOCK = 4
"""Numerator and denominator of recall, then of precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Recall, precision and F1, with the fractions behind them.

    An index that knows no recall and precision, such as Rand's, is in ``f1``; they are not numbers.
    """

    recall: float
    precision: float
    f1: float
    recall_counts: tuple[float, float]
    precision_counts: tuple[float, float]
    parts: Mapping[str, Score] = field(default_factory=dict, hash=False)
    """The two kinds of links of BLANC; the coverage of an index of common mentions."""

    @property
    def is_undefined(self) -> bool:
        """Whether there was nothing to find and nothing was found: both denominators are zero.

        An index of common mentions is undefined where there are none.
        """
        if "coverage" in self.parts:
            return self.parts["coverage"].recall_counts[0] == 0
        return self.recall_counts[1] == 0 == self.precision_counts[1]


def known(figure: float) -> float | None:
    """Return a figure, or None where a metric has none: JSON has no number that is not a number."""
    return None if isnan(figure) else figure


def ratio(numerator: float, denominator: float) -> float:
    """Divide; nothing out of nothing is 0."""
    return numerator / denominator if denominator else 0.0


def harmonic_mean(recall: float, precision: float) -> float:
    """F1: 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def ratios(numerator: Floats, denominator: Floats) -> Floats:
    """Divide arrays; nothing out of nothing is 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator != 0)


def plain_figures(counts: Floats) -> Floats:
    """Recall and precision of the first four counts, and their harmonic mean."""
    recall = ratios(counts[..., 0], counts[..., 1])
    precision = ratios(counts[..., 2], counts[..., 3])
    return np.stack(
        [recall, precision, ratios(2 * precision * recall, precision + recall)], axis=-1
    )


def single_figure(counts: Floats) -> Floats:
    """One fraction, the first; there is no recall and no precision."""
    value = ratios(counts[..., 0], counts[..., 1])
    nothing = np.full_like(value, nan)
    return np.stack([nothing, nothing, value], axis=-1)


def plain_score(counts: Floats) -> Score:
    """Recall and precision of four counts, and their harmonic mean."""
    return scored(plain_figures(counts), counts)


def scored(figures: Floats, counts: Floats, parts: Mapping[str, Score] | None = None) -> Score:
    """Return the score of recall, precision and F1, and of the counts that they were read off."""
    # One NaN for all: scores with the same NaN are equal.
    recall, precision, f1 = (nan if value != value else value for value in figures.tolist())
    rn, rd, pn, pd = counts.tolist()
    return Score(
        recall=recall,
        precision=precision,
        f1=f1,
        recall_counts=(rn, rd),
        precision_counts=(pn, pd),
        parts=parts or {},
    )


def both_ways(recall: Callable[[Overlap], tuple[Floats, Floats]], overlap: Overlap) -> Floats:
    """Count recall, and precision as recall with the roles swapped."""
    return np.stack([*recall(overlap), *recall(overlap.transposed)], axis=1)
