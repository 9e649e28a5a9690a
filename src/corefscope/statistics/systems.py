"""Compare systems: estimates of scores, differences, and tests of differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import fsum, isnan
from statistics import stdev

import numpy as np
from msgspec.structs import replace

from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, statistic_named
from corefscope.scoring.scores import Scores, unlike
from corefscope.statistics.judging import JudgedPair, Spread, judged
from corefscope.statistics.readings import Readings, readings_of, rows_of
from corefscope.statistics.resampling import Progress, Sample
from corefscope.statistics.result import (
    Difference,
    Estimate,
    RunScores,
    Settings,
    SystemComparison,
)
from corefscope.statistics.testing import TestedPair
from corefscope.statistics.units import Units, unit_findings
from corefscope.statistics.verdicts import Planned, cut, widest, with_verdicts

FEW_RUNS = 5
"""With fewer runs of a system, the spread over runs is hardly known."""


def compare_runs(
    runs: RunScores,
    units: Units,
    settings: Settings,
    primary: str = CONLL.id,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems that were scored on the same texts; a single system gets estimates only.

    ``primary`` is the statistic of the planned comparison.
    """
    _check_comparable(runs)
    names, first = list(runs), first_run(runs)
    readings = readings_of(first)
    sample = Sample([[units.by_name(rows_of(run)) for run in each] for each in runs.values()])
    values = {name: _values(of_system, readings) for name, of_system in runs.items()}
    means = np.array([[fsum(each) / len(each) for each in v] for v in values.values()])
    pairs = _pairs(names, settings)
    found = judged(sample, readings, pairs, settings, progress)
    differences = [
        difference
        for (one, other), pair in zip(pairs, found.pairs, strict=True)
        for difference in _differences(
            (names[one], names[other]), means[one] - means[other], pair, readings, settings
        )
    ]
    if settings.baseline is not None or not settings.all_pairs:
        place = {name: number for number, name in enumerate(names)}
        judged_pairs = dict(zip(pairs, found.pairs, strict=True))
        base = settings.baseline or names[0]
        planned = [
            Planned(
                difference=d,
                pair=judged_pairs[place[d.system], place[base]],
                differing=_differing(sample, readings, primary, (place[d.system], place[base])),
            )
            for d in differences
            if d.other == base and d.statistic == primary
        ]
        verdicts = with_verdicts(planned, readings.ids.index(primary), 1 - settings.confidence)
        differences = [verdicts.get((d.system, d.other, d.statistic), d) for d in differences]
    findings = [f for of_system in runs.values() for run in of_system for f in run.findings]
    findings += unit_findings(units, first.texts, is_alone=len(runs) == 1)
    most = max(map(len, runs.values()))
    for name, of_system in runs.items():
        findings += [*_few_runs(name, of_system, most), *_same_runs(name, of_system)]
    findings += _unlike_runs(runs, pairs)
    result = SystemComparison(
        systems=tuple(names),
        statistics=readings.ids,
        primary=primary,
        estimates={
            name: _estimates(readings.ids, mean, spread, values[name], settings.confidence)
            for name, mean, spread in zip(names, means, found.systems, strict=True)
        },
        differences=differences,
        settings=settings,
        units=len(units),
        unit=units.kind,
        signature="",
        findings=tuple(dict.fromkeys(findings)),
        runs=runs,
        document_values={
            name: np.mean([readings.read(rows_of(run)) for run in of_system], axis=0)
            for name, of_system in runs.items()
        },
        resamples=found.resamples,
    )
    marks = f"unit:{units.mark}|units:{len(units)}|{_marks(result)}"
    return replace(result, signature=f"{_signature(runs)}|{marks}")


def first_run(runs: RunScores) -> Scores:
    """Return the first run of the first system, with which all others must be compatible."""
    return next(iter(runs.values()))[0]


def _signature(runs: RunScores) -> str:
    """Return the signature of the scores, with the skipped files of all systems together."""
    first = first_run(runs)
    skipped = sum(run.skipped for of_system in runs.values() for run in of_system)
    return first.profile.signature(first.scored_documents, skipped)


def _values(runs: Sequence[Scores], readings: Readings) -> list[list[float]]:
    """Return for each statistic its value in every run."""
    of_runs = [run.metrics for run in runs]
    return [[statistic_named(id).value(scores) for scores in of_runs] for id in readings.ids]


def _marks(result: SystemComparison) -> str:
    """Return the fields of the signature about the test; ``test:none`` if nothing was tested."""
    exact = "-exact" if result.is_exact else ""
    test = ",".join(f"{each}{exact}" if each == "randomization" else each for each in result.tests)
    settings = result.settings
    return (
        f"test:{test or 'none'}|samples:{settings.samples}|seed:{settings.seed}"
        f"|confidence:{settings.confidence:g}"
    )


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
            Code.FEW_UNITS,
            f"{name} has {len(runs)} runs",
            expected=f"{FEW_RUNS} or more: {reason}",
            file=runs[0].path,
        )
    ]


def _unlike_runs(runs: RunScores, pairs: Sequence[TestedPair]) -> list[Finding]:
    """Report differences that are not tested because only one of two systems has several runs."""
    names = list(runs)
    counts = [len(of_system) for of_system in runs.values()]
    findings = []
    for place, of_system in enumerate(runs.values()):
        others = [
            f"{names[other]} ({counts[other]} runs)"
            for other in range(len(names))
            if counts[place] == 1 < counts[other] and {(place, other), (other, place)} & set(pairs)
        ]
        if others:
            message = (
                f"{names[place]} has one run, compared with {', '.join(others)}: there is no "
                "p-value and no interval of the difference; give several runs of both systems, or "
                "one of each"
            )
            findings.append(Finding(Code.FEW_UNITS, message, file=of_system[0].path))
    return findings


def _same_runs(name: str, runs: Sequence[Scores]) -> list[Finding]:
    """Report runs with the same counts: the same output may have been given twice."""
    different = len({rows_of(run).tobytes() for run in runs})
    if different == len(runs):
        return []
    message = (
        f"runs of {name} repeat each other: {len(runs)} runs, {different} different; check that no "
        "response is there twice"
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


def _pairs(names: Sequence[str], settings: Settings) -> list[TestedPair]:
    """Return the pairs to compare: every system with the baseline, or with all before it.

    A named baseline always comes second.
    """
    if settings.baseline is not None and settings.baseline not in names:
        raise UnknownName("system", settings.baseline, names)
    base = names.index(settings.baseline) if settings.baseline else 0
    if settings.all_pairs:
        every = [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
        return [(other, base) if one == base else (one, other) for one, other in every]
    return [(place, base) for place in range(len(names)) if place != base]


def _differing(sample: Sample, readings: Readings, statistic: str, pair: TestedPair) -> int:
    """Return in how many units the counts of a statistic differ between two systems."""
    parts = CONLL.ids if statistic == CONLL.id else (statistic,)
    columns = np.r_[tuple(readings.columns[readings.ids.index(id)] for id in parts)]
    one, other = (np.stack(sample.runs[place]).mean(axis=0)[:, columns] for place in pair)
    return int((one != other).any(axis=1).sum())


def _estimates(
    ids: Sequence[str],
    means: Floats,
    spread: Spread | None,
    values: Sequence[Sequence[float]],
    confidence: float,
) -> dict[str, Estimate]:
    """Return scores with their intervals."""
    limits = spread.limits(means, confidence) if spread else [None] * len(ids)
    return {
        id: Estimate(
            value=value,
            **cut(limit, statistic_named(id).least, statistic_named(id).greatest),
            deviation=stdev(runs) if len(runs) > 1 else None,
        )
        for id, value, limit, runs in zip(ids, means.tolist(), limits, values, strict=True)
    }


def _differences(
    names: tuple[str, str],
    changes: Floats,
    pair: JudgedPair,
    readings: Readings,
    settings: Settings,
) -> list[Difference]:
    """Return the differences of two systems."""
    spread, level = pair.spread, settings.confidence
    limits = spread.limits(changes, level) if spread else [None] * len(changes)
    return [
        Difference(
            system=names[0],
            other=names[1],
            statistic=id,
            difference=change,
            **cut(limit, *widest(id)),
            confidence=level,
            p=None if isnan(p) else p,
            test=pair.test,
        )
        for id, change, limit, p in zip(
            readings.ids, changes.tolist(), limits, pair.p.tolist(), strict=True
        )
    ]
