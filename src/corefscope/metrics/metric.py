"""The classes of metrics: what they count, how scores are computed from counts, how they print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import starmap
from math import fsum
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec import Struct, field

from corefscope.findings import Finding
from corefscope.formatting import FRACTION, FigureUnit, NumberFormat
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import (
    BLOCK,
    Average,
    Credit,
    FiguresOfCounts,
    Score,
    plain_figures,
    scored,
    single_figure,
)

F = TypeVar("F", float, Floats)


class MetricGroup(NamedTuple):
    """Metrics that can be requested together, or another name of one of them."""

    name: str
    metrics: tuple[str, ...]


class HasF1(Protocol):
    """A score, or the gain of a score."""

    @property
    def f1(self) -> float:
        """The figure by which responses are compared."""


class Statistic(Struct, frozen=True, kw_only=True):
    """A figure by which responses are compared: a metric, or the mean of several metrics."""

    id: str
    name: str
    """The name as papers print it."""
    short_name: str = ""
    """The heading of a narrow column; the name by default."""
    unit: FigureUnit = FRACTION
    least: float = 0.0
    greatest: float = 1.0
    lower_is_better: bool = False

    @property
    def heading(self) -> str:
        """The heading of a column."""
        return self.short_name or self.name

    @property
    def format(self) -> NumberFormat:
        """The format of its values."""
        return self.unit.value

    @property
    def direction(self) -> int:
        """1 if higher is better, −1 if lower is better."""
        return -1 if self.lower_is_better else 1

    def value(self, scores: Mapping[str, HasF1]) -> float:
        """Return its value, given the scores or gains of metrics by id."""
        raise NotImplementedError

    def is_undefined(self, scores: Mapping[str, Score]) -> bool:
        """Return whether its value, or a part of it, is 0 because there was nothing to count."""
        raise NotImplementedError


class Metric(Statistic, frozen=True, kw_only=True):
    """A metric: it counts every document, and computes a score from the summed counts.

    :class:`OverlapMetric` counts from the table of overlaps,
    :class:`~corefscope.metrics.antecedents.AntecedentMetric` counts from the texts.
    """

    figures: FiguresOfCounts = plain_figures
    """Computes recall, precision and F1 of rows of counts."""
    integral: bool = True
    """Whether all counts are whole numbers."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """The names of the parts of the score, and the number of the block of four counts of each."""
    is_mean: bool = False
    """Whether the score is the mean of its parts, and not a fraction itself."""
    is_single: bool = False
    """Whether it is one figure, without recall and precision."""
    is_recall_of_key: bool = False
    """Whether the denominator of recall depends only on the key."""
    fault: str = ""
    """The known fault of a metric of old papers."""
    is_ours: bool = True
    """Whether our own rules define it; else only official scorers count it."""

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Return one row of counts per document, in the order of the key.

        For each part, a row has numerator and denominator of recall, then of precision. Documents
        that are not compared have zeros.
        """
        raise NotImplementedError

    def findings(self, matching: Matching, singletons: SingletonRule) -> Sequence[Finding]:
        """Return the findings about the counts."""
        return ()

    @property
    def width(self) -> int:
        """The number of counts in a row."""
        return BLOCK * (1 + max(self.parts.values(), default=0))

    @property
    def averaged_figures(self) -> FiguresOfCounts:
        """The function that computes figures from rows that were averaged over documents."""
        return single_figure if self.is_single else plain_figures

    def value(self, scores: Mapping[str, HasF1]) -> float:
        """Return its F1."""
        return scores[self.id].f1

    def is_undefined(self, scores: Mapping[str, Score]) -> bool:
        """Return whether there was nothing to count."""
        return scores[self.id].is_undefined

    def score(self, row: Floats) -> Score:
        """Return the score of one row of counts."""
        (score,) = self.scores(row[np.newaxis])
        return score

    def scores(self, counts: Floats) -> list[Score]:
        """Return the score of each row of counts."""
        own, *others = self.figures_and_counts(counts)
        parts = zip(self.parts, starmap(scored, others), strict=True)
        return scored(*own, dict(parts))

    def figures_and_counts(self, counts: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield recall, precision and F1 of rows of counts, and their counts; then of each part."""
        blocks = counts.reshape(len(counts), -1, BLOCK)
        own = blocks.sum(axis=1) if self.is_mean else blocks[:, 0]
        yield self.figures(counts), own
        for number in self.parts.values():
            yield plain_figures(blocks[:, number]), blocks[:, number]

    def additive(
        self, counts: Floats, average: Average = "micro"
    ) -> tuple[Floats, FiguresOfCounts]:
        """Return rows that can be summed over documents, and the function that reads their sum.

        For a macro average, a row has the recall and precision of its document, each over 1.
        """
        if average == "micro":
            return counts, self.figures
        recall, precision, f1 = self.figures(counts).T
        one = np.ones(len(counts))
        columns = [f1, one, f1, one] if self.is_single else [recall, one, precision, one]
        return np.stack(columns, axis=1), self.averaged_figures

    def total(self, counts: Floats, average: Average = "micro") -> Score:
        """Return the score of all documents together, from their summed counts.

        Sums are rounded correctly, so the order of documents does not matter.
        """
        rows, figures = self.additive(counts, average)
        if average == "micro" and self.integral:
            # Sums of whole numbers are exact.
            return self.score(rows.sum(axis=0))
        row = np.array([fsum(column) for column in rows.T])
        if average == "micro":
            return self.score(row)
        (score,) = scored(figures(row[np.newaxis]), row[np.newaxis])
        return score


class OverlapMetric(Metric, frozen=True, kw_only=True):
    """A metric that is computed from the table of overlaps."""

    credit: Callable[[Overlap], Credit] | None = None
    """Returns what is found of each entity of the key; of the response with the roles swapped."""
    credit_both: Callable[[Overlap], tuple[Credit, Credit]] | None = None
    """Returns what is found of each entity of key and response, if that is not the same."""
    count_overlap: Callable[[Overlap], Floats] | None = None
    """Returns one row of counts per document, if the metric is no sum over entities."""

    def credits(self, overlap: Overlap) -> tuple[Credit, Credit] | None:
        """Return what is found of each entity of both sides; None if there is no such sum."""
        if self.credit is not None:
            return self.credit(overlap), self.credit(overlap.transposed)
        return None if self.credit_both is None else self.credit_both(overlap)

    def counts(self, overlap: Overlap) -> Floats:
        """Return one row of counts per document of a table."""
        if self.count_overlap is not None:
            return self.count_overlap(overlap)
        credits = self.credits(overlap)
        assert credits is not None
        key, response = credits
        columns = (
            *key.by_document(overlap, overlap.key_document),
            *response.by_document(overlap, overlap.response_document),
        )
        return np.stack(columns, axis=1)

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Return one row of counts per document, from the table of what is compared."""
        return self.counts(matching.overlap(singletons))

    def score_overlap(self, overlap: Overlap) -> Score:
        """Return the score of all documents of a table together."""
        return self.total(self.counts(overlap))


class MeanF1(Statistic, frozen=True, kw_only=True):
    """The mean F1 of several metrics."""

    metrics: tuple[OverlapMetric, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the metrics."""
        return tuple(metric.id for metric in self.metrics)

    def is_known(self, metrics: Mapping[str, object]) -> bool:
        """Return whether all of its metrics are there."""
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
        """Return whether one of its metrics had nothing to count."""
        return any(scores[id].is_undefined for id in self.ids)
