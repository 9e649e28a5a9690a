"""Systems on several sets of texts: the mean over sets, and wins, ties and losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan
from statistics import fmean

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.metrics import STATISTICS, Score, Statistic, statistics_of
from corefscope.profiles import parse_signature
from corefscope.records import dataclass
from corefscope.scoring import Scores
from corefscope.statistics.readings import readings_of
from corefscope.statistics.resampling import Progress
from corefscope.statistics.result import RunScores, Settings, SystemComparison
from corefscope.statistics.systems import (
    compare_runs,
    compared,
    first_run,
    marks_of,
    sample_of,
)
from corefscope.statistics.units import Units


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsWon:
    """The numbers of sets on which a system is significantly better or worse than another."""

    wins: int
    ties: int
    losses: int
    untested: int
    """The number of sets without a test."""


@dataclass(frozen=True, slots=True, eq=False)
class SetsComparison:
    """A comparison of systems on several sets."""

    sets: Mapping[str, SystemComparison]
    average: SystemComparison
    """The comparison of means over sets; each set is resampled separately."""

    @property
    def findings(self) -> list[Finding]:
        """The findings about the sets and about their mean."""
        found = [f for each in (*self.sets.values(), self.average) for f in each.findings]
        return list(dict.fromkeys(found))

    def record(self, system: str, other: str, statistic: str | None = None) -> SetsWon:
        """Return the wins, ties and losses of a system against another."""
        wins = losses = untested = 0
        for comparison in self.sets.values():
            difference = comparison.difference(system, other, statistic)
            sign = STATISTICS[difference.statistic].direction
            untested += difference.p is None
            wins += difference.is_significant and sign * difference.difference > 0
            losses += difference.is_significant and sign * difference.difference < 0
        return SetsWon(
            wins=wins,
            ties=len(self.sets) - wins - losses - untested,
            losses=losses,
            untested=untested,
        )


def compare_sets(
    sets: Mapping[str, tuple[RunScores, Units]],
    settings: Settings,
    progress: Progress | None = None,
) -> SetsComparison:
    """Compare systems on each set, and on the mean over sets."""
    compared_sets = {
        name: compare_runs(runs, units, settings, progress) for name, (runs, units) in sets.items()
    }
    _check_comparable({name: _first_runs(runs) for name, (runs, _) in sets.items()})
    first, *_ = compared_sets.values()
    samples = [sample_of(runs, units) for runs, units in sets.values()]
    values = {
        system: [
            fmean(c.estimates[system][id].value for c in compared_sets.values())
            for id in first.statistics
        ]
        for system in first.systems
    }
    firsts = [first_run(each.runs) for each in compared_sets.values()]
    readings = readings_of(firsts[0])
    average = compared(first.systems, samples, readings, values, settings, progress)
    documents = sum(scores.scored_documents for scores in firsts)
    marks = f"sets:{len(sets)}|units:{average.units}|{marks_of(average)}"
    return SetsComparison(
        compared_sets,
        replace(
            average,
            unit=first.unit,
            signature=f"{firsts[0].profile.signature(documents)}|{marks}",
            sets=len(sets),
            findings=_unlike_runs(compared_sets),
        ),
    )


def _unlike_runs(sets: Mapping[str, SystemComparison]) -> list[Finding]:
    """Report systems whose mean has no interval because their numbers of runs differ."""
    (_, first), *_ = sets.items()
    findings = []
    for system in first.systems:
        runs = {name: len(each.runs[system]) for name, each in sets.items()}
        if len(set(runs.values())) > 1:
            numbers = ", ".join(f"{count} in {name}" for name, count in runs.items())
            message = (
                f"{system} has different numbers of runs in the sets ({numbers}): the mean over "
                "sets has no interval and no p-value; give the same runs in every set"
            )
            findings.append(Finding(Code.UNLIKE_RUNS, message, file=first.runs[system][0].path))
    return findings


def _first_runs(runs: RunScores) -> dict[str, Scores]:
    return {system: first for system, (first, *_) in runs.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanScore:
    """Unweighted means over sets; recall and precision are NaN where a statistic has none."""

    recall: float
    precision: float
    f1: float
    undefined: tuple[str, ...]
    """The sets whose score, or a part of it, is 0 because there was nothing to count.

    These scores are part of the mean.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMean:
    """The mean scores of a system over several sets."""

    signature: str
    scores: Mapping[str, MeanScore]
    """By metric, and ``conll``."""


@dataclass(frozen=True, slots=True)
class ScoredResponse:
    """The scores of a system on one set."""

    name: str
    path: str
    """The path of the response, as shown in results."""
    scores: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSet:
    """The scores of all systems on one set."""

    key: str
    """The path of the key, as shown in results."""
    key_digest: str
    systems: Sequence[ScoredResponse]

    @property
    def documents(self) -> int:
        """The number of documents of the key."""
        return self.systems[0].scores.scored_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsScores:
    """The scores of systems on several sets."""

    sets: Mapping[str, ScoredSet]
    average: Mapping[str, SystemMean]
    """The mean of each system over sets."""

    @property
    def documents(self) -> int:
        """The number of documents of all sets."""
        return sum(each.documents for each in self.sets.values())

    @property
    def findings(self) -> list[Finding]:
        """The findings about all sets."""
        systems = [system for each in self.sets.values() for system in each.systems]
        return list(dict.fromkeys(f for system in systems for f in system.scores.findings))


def score_sets(sets: Mapping[str, ScoredSet]) -> SetsScores:
    """Return the scores on several sets with their unweighted mean."""
    by_name = {
        name: {system.name: system.scores for system in each.systems} for name, each in sets.items()
    }
    return SetsScores(sets=sets, average=mean_over_sets(by_name))


def mean_over_sets(sets: Mapping[str, Mapping[str, Scores]]) -> dict[str, SystemMean]:
    """Return the unweighted mean of the scores of each system over sets.

    This is the macro average of the CRAC shared tasks, in which a small set has the same weight as
    a large one. A score that is 0 because there was nothing to count is part of the mean, as 0.

    Parameters
    ----------
    sets
        The scores of each system, by the name of the set.

    Returns
    -------
    dict
        The mean scores of each system.

    Raises
    ------
    InvalidInput
        If sets have different systems, metrics or protocols.
    """
    _check_comparable(sets)
    first, *_ = sets.values()
    return {
        system: _system_mean({name: scores[system] for name, scores in sets.items()})
        for system in first
    }


def _system_mean(sets: Mapping[str, Scores]) -> SystemMean:
    first, *_ = sets.values()
    metrics = {name: scores.metrics for name, scores in sets.items()}
    documents = sum(scores.scored_documents for scores in sets.values())
    skipped = sum(scores.skipped for scores in sets.values())
    return SystemMean(
        signature=f"{first.profile.signature(documents, skipped)}|sets:{len(sets)}",
        scores={each.id: _mean(each, metrics) for each in statistics_of(first.counts)},
    )


def _mean(statistic: Statistic, sets: Mapping[str, Mapping[str, Score]]) -> MeanScore:
    scores = [metrics[statistic.id] for metrics in sets.values() if statistic.id in metrics]
    return MeanScore(
        recall=fmean(score.recall for score in scores) if scores else nan,
        precision=fmean(score.precision for score in scores) if scores else nan,
        f1=fmean(statistic.value(metrics) for metrics in sets.values()),
        undefined=tuple(name for name, each in sets.items() if statistic.is_undefined(each)),
    )


def _check_comparable(sets: Mapping[str, Mapping[str, Scores]]) -> None:
    """Raise InvalidInput if sets have different systems, metrics or protocols."""
    (first_name, first), *others = sets.items()
    for name, scores in others:
        for what, ours, theirs in (
            ("systems", tuple(first), tuple(scores)),
            ("metrics", _statistics(first), _statistics(scores)),
            ("protocol", _protocol(first), _protocol(scores)),
        ):
            if ours != theirs:
                raise InvalidInput.of(
                    Code.UNLIKE_RESULTS,
                    f"set {name} has {what} {theirs}",
                    expected=f"{ours}, as in {first_name}",
                    file=next(iter(scores.values())).path,
                )


def _statistics(scores: Mapping[str, Scores]) -> tuple[str, ...]:
    first, *_ = scores.values()
    return tuple(statistic.id for statistic in statistics_of(first.counts))


def _protocol(scores: Mapping[str, Scores]) -> dict[str, str]:
    first, *_ = scores.values()
    fields = parse_signature(first.signature)
    return {name: value for name, value in fields.items() if name not in ("docs", "skipped")}
