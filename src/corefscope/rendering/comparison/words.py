"""Descriptions of a comparison: its method, and sentences for a paper."""

from __future__ import annotations

from statistics import fmean

from corefscope.formatting import ABSENT, P_VALUE, PERCENT
from corefscope.metrics import METRICS, STATISTICS
from corefscope.rendering.comparison.cells import change_interval
from corefscope.statistics.result import Difference, SystemComparison
from corefscope.statistics.systems import first_run

TESTS = {
    "randomization": "paired approximate randomization",
    "bootstrap": "paired bootstrap",
}
BY_VARIANCE = "Student's t over documents and runs with Satterthwaite's degrees of freedom"


def units_in_words(comparison: SystemComparison) -> str:
    """Return the number and kind of resampled units."""
    one, many = UNITS.get(comparison.unit, ("group of documents", "groups of documents"))
    return f"{comparison.units:,} {one if comparison.units == 1 else many}"


UNITS = {
    "documents": ("document", "documents"),
    "files": ("file", "files"),
    "windows": ("window", "windows"),
    "topics": ("topic", "topics"),
    "parts": ("text", "texts"),
}


def percent(comparison: SystemComparison) -> str:
    """Return the confidence level of intervals."""
    return f"{100 * comparison.settings.confidence:g} %"


def method(comparison: SystemComparison) -> str:
    """Describe how p-values were computed and corrected."""
    settings = comparison.settings
    how = BY_VARIANCE
    if comparison.is_exact:
        how = f"paired randomization (exact: all {2**comparison.units:,} swaps)"
    elif comparison.is_resampled:
        how = f"{TESTS[comparison.test]} ({settings.samples:,} samples, seed {settings.seed})"
    tests = sum(d.p is not None for d in comparison.differences)
    if settings.family == "metric":
        tests //= len(comparison.statistics)
    corrected = ""
    if settings.family != "none" and tests > 1:
        within = " of each metric" if settings.family == "metric" else ""
        corrected = f", after Holm's correction over {tests} tests{within}"
    return f"{how}{corrected}"


def deviations(comparison: SystemComparison) -> str:
    """Return the mean and deviation of the primary score over runs, if there are several."""
    primary = STATISTICS[comparison.primary]
    parts = []
    for name in comparison.systems:
        estimate = comparison.estimates[name][primary.id]
        if estimate.deviation is not None:
            mean, deviation = map(primary.format.shown, (estimate.value, estimate.deviation))
            parts.append(f"{name} {mean} ± {deviation}")
    return f"{primary.name}, mean ± deviation over runs: {', '.join(parts)}" if parts else ""


def notes(comparison: SystemComparison) -> list[str]:
    """Return the notes below a table, which explain marks and methods."""
    said = [deviations(comparison)] if deviations(comparison) else []
    said += [*coverage(comparison), *_undefined(comparison)]
    said += untested(comparison)
    if all(d.p is None for d in comparison.differences):
        return [*said, comparison.signature]
    if comparison.settings.all_pairs and len(comparison.systems) > 2:
        said.append("Letters mark systems that are significantly worse; tied systems share a rank.")
        said.append(f"p < 0.05 by {method(comparison)}")
    else:
        said.append(f"* p < 0.05, ** p < 0.01: {method(comparison)}")
    return [*said, comparison.signature]


def untested(comparison: SystemComparison) -> list[str]:
    """Return which differences have no p-value, and why."""
    if all(d.p is None and d.untested != "runs" for d in comparison.differences):
        return [f"no p-values: too few units for a test ({units_in_words(comparison)})"]
    pairs = [
        f"{d.system} against {d.other}" for d in comparison.differences if d.untested == "runs"
    ]
    if not pairs:
        return []
    return [
        f"{ABSENT} not tested because of the numbers of runs: {', '.join(dict.fromkeys(pairs))}"
    ]


def _undefined(comparison: SystemComparison) -> list[str]:
    """Return which scores are 0 because there is nothing to count."""
    all_runs = comparison.runs.values()
    nothing = [
        STATISTICS[id].name
        for id in comparison.statistics
        if any(id in run and run[id].is_undefined for runs in all_runs for run in runs)
    ]
    return [f"{', '.join(nothing)}: nothing to count; the score is defined as 0"] if nothing else []


def coverage(comparison: SystemComparison) -> list[str]:
    """Return the share of mentions that metrics on common mentions are computed on."""
    ids = [id for id in comparison.statistics if id in METRICS and "coverage" in METRICS[id].parts]
    if not ids or not comparison.runs:
        return []
    # A macro average is the mean of the metric itself and has no coverage.
    if not first_run(comparison.runs)[ids[0]].parts:
        return []
    shares = []
    for name, runs in comparison.runs.items():
        parts = [run[ids[0]].parts["coverage"] for run in runs]
        covered = [fmean(getattr(part, side) for part in parts) for side in ("recall", "precision")]
        shares.append(f"{name} {' and '.join(map(PERCENT.shown, covered))}")
    names = ", ".join(STATISTICS[id].name for id in ids)
    return [f"{names}: computed on common mentions, % of key and response: {'; '.join(shares)}"]


def sentences(comparison: SystemComparison) -> list[str]:
    """Return a sentence for a paper on each pair, about the primary statistic."""
    return [
        sentence(comparison, difference)
        for difference in comparison.differences
        if difference.statistic == comparison.primary
    ]


def sentence(comparison: SystemComparison, difference: Difference) -> str:
    """Describe the difference between two systems and its significance."""
    statistic = STATISTICS[difference.statistic]
    ours, theirs = (
        statistic.format.shown(comparison.estimates[name][statistic.id].value)
        for name in (difference.system, difference.other)
    )
    change = statistic.unit.change.shown(difference.difference)
    where = f"On {units_in_words(comparison)}"
    if comparison.sets > 1:
        where = f"On average over {comparison.sets} sets ({units_in_words(comparison)})"
    said = (
        f"{where}, the {statistic.name} score of {difference.system} is {ours} and that of "
        f"{difference.other} is {theirs}: a difference of {change} {statistic.unit.name}"
    )
    interval = change_interval(difference)
    if interval:
        said += f" ({percent(comparison)} interval {interval})"
    if difference.untested == "runs":
        return f"{said}; significance cannot be tested with these numbers of runs."
    if difference.p_corrected is None:
        return f"{said}; significance cannot be tested with so few units."
    verdict = "significant" if difference.is_significant else "not significant"
    return f"{said}, {verdict} (p = {P_VALUE.shown(difference.p_corrected)}; {method(comparison)})."
