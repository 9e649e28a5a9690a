"""What correcting errors would gain in each metric (Table 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import ClassVar, TypeAlias

import numpy as np
from msgspec import Struct

from corefscope.corpus.tasks import parts_by_size
from corefscope.error_analysis.correction import Corrections
from corefscope.error_analysis.kinds import ACTIONS, ErrorType
from corefscope.formatting import POINTS, Value
from corefscope.matching.overlap import Floats, count_overlap, side_of
from corefscope.matching.pairs import NumberedEntity
from corefscope.metrics import CONLL, OverlapMetric, Score, statistic_named, statistics_of
from corefscope.metrics.counts import known
from corefscope.results.rows import FigureFormat, FigureFormats, Row, Tabular

Scored = Mapping[str, Score]
"""One score per metric."""
FIGURES = ("recall", "precision", "f1")
State: TypeAlias = str | tuple[str, ErrorType]
"""What is corrected: nothing, wrong links, a type alone, or all types up to one."""
MOST_AT_ONCE = 20_000
"""How many mentions of key and response are corrected in all ways at once."""
ImpactCounts: TypeAlias = Mapping[State, Sequence[Floats]]
"""The counts of each metric, one row per document, by what is corrected."""


class Gain(Struct, frozen=True):
    """What a correction adds to a score; negative if the score falls."""

    recall: float
    precision: float
    f1: float


def gain(after: Score, before: Score) -> Gain:
    """Return the difference of two scores."""
    return Gain(
        after.recall - before.recall, after.precision - before.precision, after.f1 - before.f1
    )


class Impact(Tabular, Struct, frozen=True, kw_only=True):
    """Scores of the response as it is, and with errors corrected."""

    before: Scored
    alone: Mapping[ErrorType, Scored]
    """With one type corrected; span errors are always corrected first, as in the paper."""
    cumulative: Mapping[ErrorType, Scored]
    """With this type and all types before it corrected."""
    wrong_links: Scored
    """With conflated and divided entities corrected, after span errors."""

    FORMATS: ClassVar[FigureFormats] = {
        f"{way}_{figure}": POINTS for way in ("alone", "step") for figure in FIGURES
    }

    def gains(self, type: ErrorType) -> dict[str, Gain]:
        """Return what correcting one type alone gains in each metric.

        Span errors are compared with the response as it is; all other types are compared with the
        response after span errors are corrected.
        """
        is_span = type is ErrorType.SPAN_ERROR
        before = self.before if is_span else self.alone[ErrorType.SPAN_ERROR]
        return {id: gain(score, before[id]) for id, score in self.alone[type].items()}

    def actions(self) -> dict[str, dict[str, Gain]]:
        """Return what each action gains in each metric, the largest gain first.

        An action corrects one type alone, or conflated and divided entities together. The order is
        that of the gains in the CoNLL score, or in the last metric that was measured.
        """
        main = statistics_of(self.before)[-1]
        found = {action: self._gained(types) for action, types in ACTIONS.items()}
        return dict(sorted(found.items(), key=lambda item: -main.value(item[1])))

    def _gained(self, types: Sequence[ErrorType]) -> dict[str, Gain]:
        if len(types) == 1:
            return self.gains(types[0])
        before = self.alone[ErrorType.SPAN_ERROR]
        return {id: gain(score, before[id]) for id, score in self.wrong_links.items()}

    def steps(self) -> dict[ErrorType, dict[str, Gain]]:
        """Return what each type adds when all types are corrected one after the other."""
        states = [self.before, *self.cumulative.values()]
        return {
            type: {id: gain(after[id], before[id]) for id in after}
            for type, (before, after) in zip(ErrorType, pairwise(states), strict=True)
        }

    def _format(self, column: str, row: Row) -> FigureFormat:
        return statistic_named(str(row["metric"])).unit.applied_to(
            Tabular._format(self, column, row)
        )

    def _rows(self) -> list[Row]:
        """Return one row per error type or action and metric, the CoNLL score included."""
        steps = {str(type): gained for type, gained in self.steps().items()}
        # All actions but wrong links correct one type alone.
        alone = {str(type): self.gains(type) for type in ErrorType} | self.actions()
        return [
            {
                "type": type,
                "metric": statistic.id,
                **_figures("alone", statistic.id, gains),
                **_figures("step", statistic.id, steps.get(type)),
            }
            for type, gains in alone.items()
            for statistic in statistics_of(self.before)
        ]

    def to_dict(self) -> dict[str, Value]:
        """Return the gains by name, such as ``wrong_links/b3/alone_f1``.

        Returns
        -------
        dict
            Gains by name; what a metric does not have is left out.
        """
        return {
            f"{row['type']}/{row['metric']}/{name}": row[name]
            for row in self._rows()
            for name in self.FORMATS
            if row[name] is not None
        }

    def __repr__(self) -> str:
        statistic = statistics_of(self.before)[-1]
        gains = ", ".join(
            f"{type} {statistic.unit.change.shown(statistic.value(self.gains(type)))}"
            for type in ErrorType
        )
        return f"<Impact of corrections on {statistic.id}: {gains}>"


def _figures(way: str, id: str, gains: Mapping[str, Gain] | None) -> dict[str, Value]:
    """Return the gains in one metric as columns; the CoNLL score has an F1 only."""
    if gains is None:
        return dict.fromkeys(f"{way}_{figure}" for figure in FIGURES)
    if id == CONLL.id:
        return {f"{way}_recall": None, f"{way}_precision": None, f"{way}_f1": CONLL.value(gains)}
    return {f"{way}_{figure}": known(getattr(gains[id], figure)) for figure in FIGURES}


def measure(documents: Sequence[Corrections], metrics: Sequence[OverlapMetric]) -> Impact:
    """Score all corrected responses in memory."""
    return impact_of([impact_counts(documents, metrics)], metrics)


def impact_of(parts: Sequence[ImpactCounts], metrics: Sequence[OverlapMetric]) -> Impact:
    """Score all corrected responses, given the counts of some documents and of those after them."""

    def scored(state: State) -> Scored:
        counts = zip(*(part[state] for part in parts), strict=True)
        return {
            metric.id: metric.total(np.concatenate(own))
            for metric, own in zip(metrics, counts, strict=True)
        }

    return Impact(
        before=scored("before"),
        alone={type: scored(("alone", type)) for type in ErrorType},
        cumulative={type: scored(("cumulative", type)) for type in ErrorType},
        wrong_links=scored("wrong_links"),
    )


def impact_counts(
    documents: Sequence[Corrections], metrics: Sequence[OverlapMetric]
) -> ImpactCounts:
    """Count all corrected responses."""
    batches = [_batch_counts(some, metrics) for some in _batches(documents)]
    return {
        state: list(map(np.concatenate, zip(*(each[state] for each in batches), strict=True)))
        for state in batches[0]
    }


def _batches(documents: Sequence[Corrections]) -> list[Sequence[Corrections]]:
    """Divide documents so that all states of some fit into memory."""
    pairs = [document.pair for document in documents]
    sizes = [sum(map(len, pair.key)) + sum(map(len, pair.response)) for pair in pairs]
    parts = parts_by_size(np.array(sizes, dtype=np.int64), MOST_AT_ONCE)
    return [documents[part.start : part.stop] for part in parts]


def _batch_counts(
    documents: Sequence[Corrections], metrics: Sequence[OverlapMetric]
) -> ImpactCounts:
    """Count all corrected responses of some documents at once, each as documents of its own."""
    states = _states(documents)
    count = len(documents)
    key = side_of([document.pair.key for document in documents] * len(states))
    response = side_of(list(chain.from_iterable(states.values())))
    overlap = count_overlap(count * len(states), key, response)
    counts = [metric.counts(overlap) for metric in metrics]
    return {
        state: [rows[number * count : (number + 1) * count] for rows in counts]
        for number, state in enumerate(states)
    }


def _states(documents: Sequence[Corrections]) -> dict[State, list[list[NumberedEntity]]]:
    """Return all corrected responses, document by document."""
    links = ACTIONS["wrong_links"]
    states: dict[State, list[list[NumberedEntity]]] = {
        "before": [each.before().partition() for each in documents],
        "wrong_links": [each.alone(*links).partition() for each in documents],
    }
    for type in ErrorType:
        states["alone", type] = [each.alone(type).partition() for each in documents]
    for type in ErrorType:
        states["cumulative", type] = []
    for document in documents:
        for type, clustering in document.cumulative():
            states["cumulative", type].append(clustering.partition())
    return states
