"""Compare systems: estimates of scores, differences, and tests of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import fsum, isnan
from statistics import stdev

import numpy as np

from corefscope.choices import Family
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Floats
from corefscope.metrics import STATISTICS
from corefscope.scoring import Scores, unlike
from corefscope.statistics.judging import IntervalLimits, judged
from corefscope.statistics.readings import Readings, readings_of, rows_of
from corefscope.statistics.resampling import Progress, Sample
from corefscope.statistics.result import (
    Difference,
    Estimate,
    RunScores,
    Settings,
    SystemComparison,
    Untested,
)
from corefscope.statistics.testing import TestedPair, holm
from corefscope.statistics.units import Units, unit_findings

FEW_RUNS = 5
"""With fewer runs of a system, the spread over runs is hardly known."""


def compare_runs(
    runs: RunScores,
    units: Units,
    settings: Settings,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems that were scored on the same texts; a single system gets estimates only."""
    _check_comparable(runs)
    first = first_run(runs)
    readings = readings_of(first)
    values = {name: _values(of_system, readings) for name, of_system in runs.items()}
    result = compared(
        list(runs),
        [sample_of(runs, units)],
        readings,
        {name: [fsum(v) / len(v) for v in of_runs] for name, of_runs in values.items()},
        settings,
        progress,
    )
    findings = [f for of_system in runs.values() for run in of_system for f in run.findings]
    findings += unit_findings(units, first.texts, is_alone=len(runs) == 1)
    most = max(map(len, runs.values()))
    for name, of_system in runs.items():
        findings += [*_few_runs(name, of_system, most), *_same_runs(name, of_system)]
    findings += _untested(result, runs)
    marks = f"unit:{units.mark}|units:{len(units)}|{marks_of(result)}"
    return replace(
        result,
        estimates={
            name: {
                id: replace(estimate, deviation=stdev(v) if len(v) > 1 else None)
                for (id, estimate), v in zip(of_system.items(), values[name], strict=True)
            }
            for name, of_system in result.estimates.items()
        },
        unit=units.kind,
        signature=f"{_signature(runs)}|{marks}",
        findings=tuple(dict.fromkeys(findings)),
        runs=runs,
        document_values={
            name: np.mean([readings.read(rows_of(run)) for run in of_system], axis=0)
            for name, of_system in runs.items()
        },
    )


def first_run(runs: RunScores) -> Scores:
    """Return the first run of the first system, with which all others must be compatible."""
    return next(iter(runs.values()))[0]


def sample_of(runs: RunScores, units: Units) -> Sample:
    """Return the counts of every run by unit."""
    return Sample([[units.by_name(rows_of(run)) for run in each] for each in runs.values()])


def _signature(runs: RunScores) -> str:
    """Return the signature of the scores, with the skipped files of all systems together."""
    first = first_run(runs)
    skipped = sum(run.skipped for of_system in runs.values() for run in of_system)
    return first.profile.signature(first.scored_documents, skipped)


def _values(runs: Sequence[Scores], readings: Readings) -> list[list[float]]:
    """Return for each statistic its value in every run."""
    of_runs = [run.metrics for run in runs]
    return [[STATISTICS[id].value(scores) for scores in of_runs] for id in readings.ids]


def marks_of(result: SystemComparison) -> str:
    """Return the fields of the signature about the test; ``test:none`` if nothing was tested."""
    exact = "-exact" if result.is_exact and result.has_tests else ""
    test = result.test if result.has_tests else "none"
    settings = result.settings
    drawn = f"|samples:{settings.samples}|seed:{settings.seed}" if result.is_resampled else ""
    return f"test:{test}{exact}{drawn}|family:{settings.family}|confidence:{settings.confidence:g}"


def _few_runs(name: str, runs: Sequence[Scores], most: int) -> list[Finding]:
    """Report a system with few runs; a system with one run is reported elsewhere."""
    if most == 1 or len(runs) == 1 or len(runs) >= FEW_RUNS:
        return []
    reason = (
        "with two runs, the test misses half or more of the differences that it could find"
        if len(runs) == 2
        else "so few runs say little about how much scores vary from run to run"
    )
    return [
        Finding(
            Code.FEW_RUNS,
            f"{name} has {len(runs)} runs",
            expected=f"{FEW_RUNS} or more: {reason}",
            file=runs[0].path,
        )
    ]


def _untested(result: SystemComparison, runs: RunScores) -> list[Finding]:
    """Report differences that are not tested because only one of two systems has several runs."""
    pairs = {(d.system, d.other) for d in result.differences if d.untested == "runs"}
    findings = []
    for system, of_system in runs.items():
        others = [
            f"{name} ({len(runs[name])} runs)"
            for name in runs
            if len(of_system) == 1 and {(system, name), (name, system)} & pairs
        ]
        if others:
            message = (
                f"{system} has one run, compared with {', '.join(others)}: there is no p-value and "
                "no interval of the difference; give several runs of both systems, or one of each"
            )
            findings.append(Finding(Code.UNLIKE_RUNS, message, file=of_system[0].path))
    return findings


def _same_runs(name: str, runs: Sequence[Scores]) -> list[Finding]:
    """Report runs with the same counts: the same output may have been given twice."""
    different = len({rows_of(run).tobytes() for run in runs})
    if different == len(runs):
        return []
    message = (
        f"{len(runs) - different} of the {len(runs)} runs of {name} have the same counts as an "
        "earlier one in every document; check that no response is there twice"
    )
    return [Finding(Code.SAME_RUNS, message, file=runs[0].path)]


def _check_comparable(runs: RunScores) -> None:
    """Raise InvalidInput if scores were not computed in the same way on the same key."""
    first = first_run(runs)
    for name, of_system in runs.items():
        for run in of_system:
            difference = unlike(first, run) or unlike(run, first)
            if difference is not None:
                about = f"{name}, compared with {next(iter(runs))}: {difference.found}"
                raise InvalidInput([replace(difference, found=about, file=run.path)])


def compared(
    names: Sequence[str],
    samples: Sequence[Sample],
    readings: Readings,
    values: Mapping[str, Sequence[float]],
    settings: Settings,
    progress: Progress | None,
) -> SystemComparison:
    """Return the estimates of every system, and the tested differences of the requested pairs."""
    pairs = _pairs(names, settings)
    scores = np.array([values[name] for name in names])
    found = judged(samples, readings, pairs, scores, settings, progress)
    corrected = _corrected(found.p, settings.family)
    differences = [
        difference
        for place, (one, other) in enumerate(pairs)
        for difference in _differences(
            (names[one], names[other]),
            dict(zip(readings.ids, (scores[one] - scores[other]).tolist(), strict=True)),
            found.pairs[place],
            list(zip(_known(found.p[place]), _known(corrected[place]), strict=True)),
            "runs" if (one, other) in found.unlike_runs else "units",
        )
    ]
    return SystemComparison(
        systems=tuple(names),
        statistics=readings.ids,
        estimates={
            name: _estimates(readings.ids, values[name], limits)
            for name, limits in zip(names, found.systems, strict=True)
        },
        differences=differences,
        settings=settings,
        test=found.test,
        is_exact=found.is_exact,
        units=sum(sample.units for sample in samples),
        resamples=found.resamples,
    )


def _pairs(names: Sequence[str], settings: Settings) -> list[TestedPair]:
    """Return the pairs to compare: every system with the baseline, or with all before it."""
    if settings.baseline is not None and settings.baseline not in names:
        raise UnknownName("system", settings.baseline, names)
    if settings.all_pairs:
        return [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
    base = names.index(settings.baseline) if settings.baseline else 0
    return [(place, base) for place in range(len(names)) if place != base]


def _cut(
    limits: tuple[float, float] | None, least: float, greatest: float
) -> tuple[float | None, float | None]:
    """Return an interval without the values that are impossible; None stays None."""
    if limits is None:
        return None, None
    return max(limits[0], least), min(limits[1], greatest)


def _widest(id: str) -> tuple[float, float]:
    """Return the smallest and the greatest possible difference of two systems."""
    width = STATISTICS[id].greatest - STATISTICS[id].least
    return -width, width


def _estimates(
    ids: Sequence[str], values: Sequence[float], limits: IntervalLimits
) -> dict[str, Estimate]:
    """Return scores with their intervals."""
    return {
        id: Estimate(value=value, low=low, high=high)
        for id, value, limit in zip(ids, values, limits, strict=True)
        for low, high in [_cut(limit, STATISTICS[id].least, STATISTICS[id].greatest)]
    }


def _differences(
    pair: tuple[str, str],
    changes: Mapping[str, float],
    limits: IntervalLimits,
    tested: Sequence[tuple[float | None, float | None]],
    reason: Untested,
) -> list[Difference]:
    """Return the differences of two systems, with the reason if there is no p-value."""
    return [
        Difference(
            system=pair[0],
            other=pair[1],
            statistic=id,
            difference=change,
            low=low,
            high=high,
            p=p,
            p_corrected=corrected,
            untested=reason if p is None else None,
        )
        for (id, change), limit, (p, corrected) in zip(changes.items(), limits, tested, strict=True)
        for low, high in [_cut(limit, *_widest(id))]
    ]


def _known(p: Floats) -> list[float | None]:
    """Return p-values; None if there was no test."""
    return [None if isnan(each) else each for each in p.tolist()]


def _corrected(p: Floats, family: Family) -> Floats:
    """Correct p-values [pair, statistic] within each family of tests."""
    if family == "all":
        return holm(p)
    if family == "metric":
        return np.stack([holm(column) for column in p.T], axis=1)
    return p
