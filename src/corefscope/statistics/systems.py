"""Is A better than B, and by how much: estimates, differences and tests of several systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import fsum
from statistics import stdev
from typing import TypeAlias

import numpy as np

from corefscope.findings import Code, Finding, InvalidInput, UnknownName
from corefscope.overlap import Floats
from corefscope.results import unlike
from corefscope.scoring import Scores
from corefscope.statistics.readings import Readings, bounds, readings_of, rows_of
from corefscope.statistics.resampling import Progress, Sample, bootstrap
from corefscope.statistics.result import (
    Difference,
    Entry,
    Estimate,
    Family,
    Settings,
    SystemComparison,
)
from corefscope.statistics.testing import (
    Pair,
    Test,
    bootstrap_test,
    can_be_resampled,
    holm,
    interval,
    is_exact,
    observed,
    randomization,
)
from corefscope.statistics.units import FEWEST_UNITS, Units, unit_findings

FEW_RUNS = 5
"""Of fewer runs of a system the spread of its seeds is hardly known."""


def compare_entries(
    entries: Sequence[Entry],
    units: Units,
    settings: Settings,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems that were scored on the same texts; one alone has its estimates."""
    _refuse_unlike(entries)
    first = entries[0].runs[0]
    readings = readings_of(first)
    sample = Sample([[units.sums(rows_of(run)) for run in entry.runs] for entry in entries])
    values = {entry.name: _values(entry, readings) for entry in entries}
    result = compared(
        [entry.name for entry in entries],
        [sample],
        readings,
        {name: [fsum(v) / len(v) for v in of_runs] for name, of_runs in values.items()},
        settings,
        progress,
    )
    findings = [finding for entry in entries for run in entry.runs for finding in run.findings]
    findings += unit_findings(units, first.document_names)
    most = max(len(entry.runs) for entry in entries)
    findings += [finding for entry in entries for finding in _few_runs(entry, most)]
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
        signature=f"{_protocol(entries)}|{marks}",
        findings=tuple(dict.fromkeys(findings)),
        entries=tuple(entries),
        document_values={
            entry.name: np.mean([readings.read(rows_of(run)) for run in entry.runs], axis=0)
            for entry in entries
        },
    )


def _protocol(entries: Sequence[Entry]) -> str:
    """Return the signature of the scores; skipped files of all systems are counted together."""
    first = entries[0].runs[0]
    skipped = sum(run.skipped for entry in entries for run in entry.runs)
    return first.profile.signature(len(first.document_names), skipped)


def _values(entry: Entry, readings: Readings) -> list[list[float]]:
    """Return for each statistic its value in every run, as ``score`` gives it."""
    return [[_value(run, id) for run in entry.runs] for id in readings.ids]


def _value(scores: Scores, statistic: str) -> float:
    if statistic == "conll":
        assert scores.conll is not None
        return scores.conll
    return scores[statistic].f1


def marks_of(result: SystemComparison) -> str:
    """Return what a signature says of the test."""
    exact = "-exact" if result.is_exact else ""
    settings = result.settings
    return (
        f"test:{result.test}{exact}|samples:{settings.samples}|seed:{settings.seed}"
        f"|family:{settings.family}|confidence:{settings.confidence:g}"
    )


def _few_runs(entry: Entry, most: int) -> list[Finding]:
    """Warn of a system whose seeds are few, beside one that has several."""
    runs = len(entry.runs)
    if most == 1 or runs >= FEW_RUNS:
        return []
    has = "one run" if runs == 1 else f"{runs} runs"
    message = f"{entry.name} has {has}; the spread of so few seeds is hardly known"
    return [Finding(Code.FEW_RUNS, message, entry.path)]


def _refuse_unlike(entries: Sequence[Entry]) -> None:
    """Refuse scores that were not computed in the same way on the same key."""
    first = entries[0].runs[0]
    for entry in entries:
        for run in entry.runs:
            message = unlike(first, run) or unlike(run, first)
            if message:
                about = f"{entry.name}, beside {entries[0].name}: {message}"
                raise InvalidInput([Finding(Code.UNLIKE_RESULTS, about, entry.path)])


def compared(
    names: Sequence[str],
    samples: Sequence[Sample],
    readings: Readings,
    values: Mapping[str, Sequence[float]],
    settings: Settings,
    progress: Progress | None,
) -> SystemComparison:
    """Resample, test and correct: the statistics of every system and every pair asked for."""
    pairs = _pairs(names, settings)
    test = _test(samples, settings)
    found = observed(samples, readings)
    drawn = bootstrap(samples, readings, settings.samples, settings.seed, progress)
    units = [sample.units for sample in samples]
    exact = test == "randomization" and is_exact(samples, settings.samples)
    p: Floats | None = None
    is_fixed = test == "bootstrap" and not can_be_resampled(units)
    if not pairs or sum(units) < FEWEST_UNITS or is_fixed:
        exact = False
    elif test == "bootstrap":
        p = bootstrap_test(drawn, found, pairs, units)
    else:
        p = randomization(samples, readings, pairs, settings.samples, settings.seed, progress)
    tests = _p_values(p, pairs, len(readings.ids), settings)
    limits = partial(_limits, units=units, confidence=settings.confidence)
    return SystemComparison(
        tuple(names),
        readings.ids,
        {
            name: _estimates(readings.ids, values[name], limits(drawn[:, place]))
            for place, name in enumerate(names)
        },
        [
            difference
            for (one, other), tested in zip(pairs, tests, strict=True)
            for difference in _differences(
                (names[one], names[other]),
                dict(
                    zip(readings.ids, _minus(values[names[one]], values[names[other]]), strict=True)
                ),
                limits(drawn[:, one] - drawn[:, other]),
                tested,
            )
        ],
        settings,
        test,
        exact,
        sum(units),
        "",
        "",
        resamples=drawn,
    )


def _minus(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one - other for one, other in zip(ones, others, strict=True)]


def _pairs(names: Sequence[str], settings: Settings) -> list[Pair]:
    """Return the pairs to compare: every system with the baseline, or with all before it."""
    for name in names:
        if list(names).count(name) > 1:
            raise ValueError(f"two systems are named {name!r}")
    if settings.baseline is not None and settings.baseline not in names:
        raise UnknownName("system", settings.baseline, names)
    if settings.all_pairs:
        return [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
    base = names.index(settings.baseline) if settings.baseline else 0
    return [(place, base) for place in range(len(names)) if place != base]


def _test(samples: Sequence[Sample], settings: Settings) -> Test:
    """Choose the test: swapping outputs of one unit says nothing of the spread over seeds."""
    has_runs = any(len(runs) > 1 for sample in samples for runs in sample.runs)
    if has_runs and settings.test == "randomization":
        raise ValueError("several runs of a system need the bootstrap; randomization has one each")
    return settings.test or ("bootstrap" if has_runs else "randomization")


Limits: TypeAlias = Sequence[tuple[float, float] | None]
"""The interval of each statistic, if there is one."""


def _limits(drawn: Floats, units: Sequence[int], confidence: float) -> Limits:
    """Return the interval of each statistic; none where a set is one unit."""
    if not can_be_resampled(units):
        return [None] * drawn.shape[1]
    low, high = interval(drawn, units, confidence)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _estimates(ids: Sequence[str], values: Sequence[float], limits: Limits) -> dict[str, Estimate]:
    """Return scores with their intervals, cut where no score can be."""
    estimates = {}
    for id, value, limit in zip(ids, values, limits, strict=True):
        least, greatest = bounds(id)
        low, high = limit or (None, None)
        estimates[id] = Estimate(
            value,
            None if low is None else max(low, least),
            None if high is None else min(high, greatest),
        )
    return estimates


def _differences(
    pair: tuple[str, str],
    differences: Mapping[str, float],
    limits: Limits,
    tested: Sequence[tuple[float | None, float | None]],
) -> list[Difference]:
    """Return the differences of two systems, one a statistic."""
    result = []
    for (id, difference), limit, (p, corrected) in zip(
        differences.items(), limits, tested, strict=True
    ):
        low, high = limit or (None, None)
        result.append(Difference(*pair, id, difference, low, high, p, corrected))
    return result


def _p_values(
    p: Floats | None, pairs: Sequence[Pair], statistics: int, settings: Settings
) -> list[list[tuple[float | None, float | None]]]:
    """Return for each pair and statistic the p-value as it is, and corrected."""
    if p is None:
        return [[(None, None)] * statistics for _ in pairs]
    corrected = _corrected(p, settings.family)
    return [
        list(zip(row, right, strict=True))
        for row, right in zip(p.tolist(), corrected.tolist(), strict=True)
    ]


def _corrected(p: Floats, family: Family) -> Floats:
    """Correct p-values [pair, statistic] for the tests that belong together."""
    if family == "all":
        return holm(p)
    if family == "metric":
        return np.stack([holm(column) for column in p.T], axis=1)
    return p
