"""What a metric is: how it counts, what is read off its counts, and how it is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from corefscope.findings import Finding
from corefscope.formatting import FRACTION, Number, Unit
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import (
    BLOCK,
    Average,
    Figures,
    Score,
    plain_figures,
    plain_score,
    scored,
    single_figure,
)

Group: TypeAlias = Literal["standard", "more", "corefud", "antecedents", "legacy"]
"""Which metrics are asked for together."""
F = TypeVar("F", float, Floats)


class HasF1(Protocol):
    """A score, or what a score gains."""

    @property
    def f1(self) -> float:
        """The figure by which responses are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic(ABC):
    """A figure by which responses are compared: that of a metric, or the mean of several."""

    id: str
    name: str
    """As papers print it."""
    short_name: str = ""
    """The heading of a narrow column; the name, unless it is given."""
    unit: Unit = FRACTION
    least: float = 0.0
    greatest: float = 1.0
    lower_is_better: bool = False

    @property
    def heading(self) -> str:
        """The heading of a column."""
        return self.short_name or self.name

    @property
    def format(self) -> Number:
        """How its values are written."""
        return self.unit.value

    @property
    def direction(self) -> int:
        """1 if more is better, −1 if less is."""
        return -1 if self.lower_is_better else 1

    @abstractmethod
    def value(self, scores: Mapping[str, HasF1]) -> float:
        """Return its value, given the scores, or gains, of metrics by id."""

    @abstractmethod
    def is_undefined(self, scores: Mapping[str, Score]) -> bool:
        """Tell whether its value, or a part of it, is 0 because there was nothing to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Statistic):
    """A way to measure a response against a key, in two steps that meet in additive counts.

    The first step depends on what is counted: :class:`OverlapMetric` counts from the table of
    overlaps, :class:`~corefscope.metrics.antecedents.AntecedentMetric` from the texts.
    """

    group: Group
    aliases: tuple[str, ...] = ()
    """Other names by which it can be asked for."""
    figures: Figures = plain_figures
    """Recall, precision and F1 of rows of counts."""
    integral: bool = True
    """Whether all counts are whole numbers."""
    parts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Which four of the counts belong to which part."""
    is_mean: bool = False
    """Whether the score is the mean of its parts, and has no fraction of its own."""
    is_single: bool = False
    """Whether it is one figure, without recall and precision."""
    is_recall_of_key: bool = False
    """Whether the denominator of recall depends on the key alone."""
    fault: str = ""
    """What a metric of old papers gets wrong."""

    @abstractmethod
    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Count one row per document of the key, in its order.

        A row has the numerator and the denominator of recall, then of precision, for each part.
        Documents that are not compared have zeros.
        """

    def findings(self, matching: Matching, singletons: SingletonRule) -> Sequence[Finding]:
        """Return what is to be reported about the counts."""
        return ()

    @property
    def width(self) -> int:
        """The number of counts in a row."""
        return BLOCK * (1 + max(self.parts.values(), default=0))

    @property
    def averaged_figures(self) -> Figures:
        """What reads a mean over documents of recall and precision, or of the one figure."""
        return single_figure if self.is_single else plain_figures

    def value(self, scores: Mapping[str, HasF1]) -> float:
        """Return its F1."""
        return scores[self.id].f1

    def is_undefined(self, scores: Mapping[str, Score]) -> bool:
        """Tell whether there was nothing to count."""
        return scores[self.id].is_undefined

    def score(self, row: Floats) -> Score:
        """Return the score of one row of counts."""
        blocks = row.reshape(-1, BLOCK)
        parts = {name: plain_score(blocks[number]) for name, number in self.parts.items()}
        own = blocks.sum(axis=0) if self.is_mean else blocks[0]
        return scored(self.figures(row), own, parts)

    def additive(self, counts: Floats, average: Average = "micro") -> tuple[Floats, Figures]:
        """Return rows that add up over documents, and what their sum is read by.

        Under a macro average these are recall and precision themselves, over one document each.
        """
        if average == "micro":
            return counts, self.figures
        recall, precision, f1 = self.figures(counts).T
        one = np.ones(len(counts))
        columns = [f1, one, f1, one] if self.is_single else [recall, one, precision, one]
        return np.stack(columns, axis=1), self.averaged_figures

    def total(self, counts: Floats, average: Average = "micro") -> Score:
        """Score the documents together, from their summed counts.

        Sums are correctly rounded, so that the order of documents does not matter.
        """
        rows, figures = self.additive(counts, average)
        row = np.array([fsum(column) for column in rows.T])
        if average == "micro":
            return self.score(row)
        return scored(figures(row), row)

    def row_of(self, score: Score) -> list[float]:
        """Return the row of counts that a score was made of."""
        blocks = {number: score.parts[name] for name, number in self.parts.items()}
        if not self.is_mean:
            blocks[0] = score
        ordered = (blocks[number] for number in sorted(blocks))
        return [c for block in ordered for c in (*block.recall_counts, *block.precision_counts)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapMetric(Metric):
    """A metric that is a function of the table of overlaps."""

    count_overlap: Callable[[Overlap], Floats]
    """Counts one row per document of a table."""

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Count one row per document from the table of what is compared."""
        return self.count_overlap(matching.overlap(singletons))

    def score_overlap(self, overlap: Overlap) -> Score:
        """Score all documents of a table together."""
        return self.total(self.count_overlap(overlap))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanF1(Statistic):
    """The mean F1 of several metrics."""

    metrics: tuple[OverlapMetric, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the metrics."""
        return tuple(metric.id for metric in self.metrics)

    def is_known(self, metrics: Mapping[str, object]) -> bool:
        """Tell whether all of its metrics are there."""
        return all(id in metrics for id in self.ids)

    def mean(self, values: Mapping[str, F]) -> F:
        """Return the mean of the values of its metrics."""
        first, *others = self.ids
        total = values[first]
        for id in others:
            total = total + values[id]
        return total / len(self.ids)

    def value(self, scores: Mapping[str, HasF1]) -> float:
        """Return the mean F1."""
        return self.mean({id: scores[id].f1 for id in self.ids})

    def is_undefined(self, scores: Mapping[str, Score]) -> bool:
        """Tell whether one of its metrics had nothing to count."""
        return any(scores[id].is_undefined for id in self.ids)
