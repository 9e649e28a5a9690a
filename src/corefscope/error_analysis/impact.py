"""What correcting errors would gain in each metric (Table 10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corefscope.error_analysis.correction import Corrections
from corefscope.error_analysis.kinds import ErrorType
from corefscope.matching.overlap import Numbering, count_overlap
from corefscope.matching.pairs import Entity
from corefscope.metrics import OverlapMetric, Score

Scored = Mapping[str, Score]
"""A score for each metric."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a correction adds to a score; negative where it makes another error worse."""

    recall: float
    precision: float
    f1: float


def gain(after: Score, before: Score) -> Gain:
    """Return the difference of two scores."""
    return Gain(
        after.recall - before.recall, after.precision - before.precision, after.f1 - before.f1
    )


@dataclass(frozen=True, slots=True)
class Impact:
    """Scores of the response as it is, and with errors corrected."""

    before: Scored
    alone: Mapping[ErrorType, Scored]
    """With one type corrected; all but span errors after these, as in the paper."""
    cumulative: Mapping[ErrorType, Scored]
    """With this type and all before it corrected."""

    def gains(self, type: ErrorType) -> dict[str, Gain]:
        """Return what correcting one type alone gains in each metric.

        Span errors against the response as it is, the others against it with these corrected.
        """
        is_span = type is ErrorType.SPAN_ERROR
        before = self.before if is_span else self.alone[ErrorType.SPAN_ERROR]
        return {id: gain(score, before[id]) for id, score in self.alone[type].items()}

    def steps(self) -> dict[ErrorType, dict[str, Gain]]:
        """Return what each type adds when all types are corrected one after the other."""
        states = [self.before, *self.cumulative.values()]
        return {
            type: {id: gain(after[id], before[id]) for id in after}
            for type, (before, after) in zip(ErrorType, pairwise(states), strict=True)
        }


def measure(documents: Sequence[Corrections], metrics: Iterable[OverlapMetric]) -> Impact:
    """Score all corrected responses in memory."""
    scale = _Scale(documents, tuple(metrics))
    cumulative = _cumulative(documents)
    return Impact(
        scale.score([document.before().partition() for document in documents]),
        {t: scale.score([d.alone(t).partition() for d in documents]) for t in ErrorType},
        {t: scale.score(entities) for t, entities in cumulative.items()},
    )


def _cumulative(documents: Sequence[Corrections]) -> dict[ErrorType, list[list[Entity]]]:
    states: dict[ErrorType, list[list[Entity]]] = {type: [] for type in ErrorType}
    for document in documents:
        for type, clustering in document.cumulative():
            states[type].append(clustering.partition())
    return states


class _Scale:
    """Scores clusterings of the same documents against one key."""

    def __init__(
        self, documents: Sequence[Corrections], metrics: tuple[OverlapMetric, ...]
    ) -> None:
        self.documents = len(documents)
        self.metrics = metrics
        self.numbering = Numbering()
        self.key = self.numbering.side([document.pair.key for document in documents])

    def score(self, entities: Sequence[list[Entity]]) -> Scored:
        overlap = count_overlap(self.documents, self.key, self.numbering.side(entities))
        return {metric.id: metric.score_overlap(overlap) for metric in self.metrics}
