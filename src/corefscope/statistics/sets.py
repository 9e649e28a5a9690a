"""Compare systems on several sets of texts: the mean over sets, and wins, ties and losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.metrics import STATISTICS
from corefscope.profiles import parse_signature
from corefscope.statistics.readings import readings_of
from corefscope.statistics.resampling import Progress
from corefscope.statistics.result import Runs, Settings, SystemComparison
from corefscope.statistics.systems import (
    compare_runs,
    compared,
    first_run,
    marks_of,
    sample_of,
)
from corefscope.statistics.units import Units


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
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

    def record(self, system: str, other: str, statistic: str | None = None) -> Record:
        """Return the wins, ties and losses of a system against another."""
        wins = losses = untested = 0
        for comparison in self.sets.values():
            difference = comparison.difference(system, other, statistic)
            sign = STATISTICS[difference.statistic].direction
            untested += difference.p is None
            wins += difference.is_significant and sign * difference.difference > 0
            losses += difference.is_significant and sign * difference.difference < 0
        return Record(
            wins=wins,
            ties=len(self.sets) - wins - losses - untested,
            losses=losses,
            untested=untested,
        )


def compare_sets(
    sets: Mapping[str, tuple[Runs, Units]],
    settings: Settings,
    progress: Progress | None = None,
) -> SetsComparison:
    """Compare systems on each set, and on the mean over sets."""
    compared_sets = {
        name: compare_runs(runs, units, settings, progress) for name, (runs, units) in sets.items()
    }
    _check_comparable(compared_sets)
    first, *_ = compared_sets.values()
    samples = [sample_of(runs, units) for runs, units in sets.values()]
    values = {
        system: [
            sum(c.estimates[system][id].value for c in compared_sets.values()) / len(sets)
            for id in first.statistics
        ]
        for system in first.systems
    }
    firsts = [first_run(each.runs) for each in compared_sets.values()]
    readings = readings_of(firsts[0])
    average = compared(first.systems, samples, readings, values, settings, progress)
    documents = sum(len(scores.document_names) for scores in firsts)
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
                "sets has no interval and no p-value, because runs of different sets cannot be "
                "matched; give the same runs in the same order in every set"
            )
            findings.append(Finding(Code.UNLIKE_RUNS, message, file=first.runs[system][0].path))
    return findings


def _check_comparable(sets: Mapping[str, SystemComparison]) -> None:
    """Raise InvalidInput if sets have different systems, metrics or protocols."""
    (first_name, first), *others = sets.items()
    for name, comparison in others:
        for what, ours, theirs in (
            ("systems", first.systems, comparison.systems),
            ("metrics", first.statistics, comparison.statistics),
            ("protocol", _protocol(first), _protocol(comparison)),
        ):
            if ours != theirs:
                message = f"set {name} has {what} {theirs}; expected {ours}, as in {first_name}"
                path = first_run(comparison.runs).path
                raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, file=path)])


def _protocol(comparison: SystemComparison) -> dict[str, str]:
    fields = parse_signature(first_run(comparison.runs).signature)
    return {name: value for name, value in fields.items() if name not in ("docs", "skipped")}
