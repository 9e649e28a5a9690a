"""Counts of a metric, which add up over documents, and the score that they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import fsum, nan
from typing import Literal, TypeAlias

import numpy as np

from corefscope.matching.overlap import Floats, Overlap

Average: TypeAlias = Literal["micro", "macro"]
"""Documents together: counts are summed, then divided; or recall and precision are averaged."""
Figures: TypeAlias = Callable[[Floats], Floats]
"""Recall, precision and F1 of rows of counts, along the last axis, for any number of rows."""
BLOCK = 4
"""Numerator and denominator of recall, then of precision."""


@dataclass(frozen=True, slots=True)
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
    return _scored(plain_figures(counts), counts)


def _scored(figures: Floats, counts: Floats, parts: Mapping[str, Score] | None = None) -> Score:
    # One NaN for all: scores with the same NaN are equal.
    recall, precision, f1 = (nan if value != value else value for value in figures.tolist())
    rn, rd, pn, pd = counts.tolist()
    return Score(recall, precision, f1, (rn, rd), (pn, pd), parts or {})


@dataclass(frozen=True, slots=True)
class Metric:
    """A way to measure a response against a key, in two steps that meet in additive counts."""

    id: str
    name: str
    """As papers print it."""
    count: Callable[[Overlap], Floats]
    """One row a document; numerator and denominator of recall, then of precision, for each part."""
    figures: Figures = plain_figures
    integral: bool = True
    """Whether all counts are whole numbers."""
    parts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Which four of the counts belong to which part."""
    is_mean: bool = False
    """Whether the score is the mean of its parts, and has no fraction of its own."""
    is_single: bool = False
    """Whether it is one figure, without recall and precision."""
    unit: Literal["percent", "nats"] = "percent"
    lower_is_better: bool = False
    needs_text: bool = False
    """Whether it is counted from texts, and not from the table of overlaps."""
    fault: str = ""
    """What a metric of old papers gets wrong."""

    def score(self, row: Floats) -> Score:
        """Return the score of one row of counts."""
        blocks = row.reshape(-1, BLOCK)
        parts = {name: plain_score(blocks[number]) for name, number in self.parts.items()}
        own = blocks.sum(axis=0) if self.is_mean else blocks[0]
        return _scored(self.figures(row), own, parts)

    def additive(self, counts: Floats, average: Average = "micro") -> tuple[Floats, Figures]:
        """Return rows that add up over documents, and what their sum is read by.

        Under a macro average these are recall and precision themselves, over one document each.
        """
        if average == "micro":
            return counts, self.figures
        recall, precision, f1 = self.figures(counts).T
        one = np.ones(len(counts))
        if self.is_single:
            return np.stack([f1, one, f1, one], axis=1), single_figure
        return np.stack([recall, one, precision, one], axis=1), plain_figures

    def total(self, counts: Floats, average: Average = "micro") -> Score:
        """Score the documents together, from their summed counts.

        Sums are correctly rounded, so that the order of documents does not matter.
        """
        rows, figures = self.additive(counts, average)
        row = np.array([fsum(column) for column in rows.T])
        if average == "micro":
            return self.score(row)
        return _scored(figures(row), row)

    def row_of(self, score: Score) -> list[float]:
        """Return the row of counts that a score was made of."""
        blocks = {number: score.parts[name] for name, number in self.parts.items()}
        if not self.is_mean:
            blocks[0] = score
        ordered = (blocks[number] for number in sorted(blocks))
        return [c for block in ordered for c in (*block.recall_counts, *block.precision_counts)]


def both_ways(recall: Callable[[Overlap], tuple[Floats, Floats]], overlap: Overlap) -> Floats:
    """Count recall, and precision as recall with the roles swapped."""
    return np.stack([*recall(overlap), *recall(overlap.transposed)], axis=1)
