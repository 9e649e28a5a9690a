"""Descriptions of a comparison: its method, and sentences for a paper."""

from __future__ import annotations

from statistics import fmean

from corefscope.formatting import P_VALUE, PERCENT, counted
from corefscope.metrics import CONLL, METRICS, statistic_named
from corefscope.results.table import Cell
from corefscope.statistics.result import Difference, Estimate, SystemComparison
from corefscope.statistics.systems import first_run
from corefscope.statistics.testing import AnyTest


def value_cell(id: str, value: float, marks: str = "") -> Cell:
    """Return a score as a cell."""
    return Cell(value, statistic_named(id).format, marks)


def change_cell(id: str, value: float) -> Cell:
    """Return a difference as a cell."""
    return Cell(value, statistic_named(id).unit.change)


def interval(id: str, estimate: Estimate) -> str | None:
    """Return the interval of a score, or None if there is none."""
    if estimate.low is None or estimate.high is None:
        return None
    limit = statistic_named(id).unit.limit
    return f"{limit.shown(estimate.low)}–{limit.shown(estimate.high)}"


def change_interval(difference: Difference) -> str | None:
    """Return the interval of a difference, or None if there is none."""
    if difference.low is None or difference.high is None:
        return None
    change = statistic_named(difference.statistic).unit.change
    return f"{change.shown(difference.low)} to {change.shown(difference.high)}"


def units_in_words(comparison: SystemComparison) -> str:
    """Return the number and kind of resampled units."""
    return counted(comparison.units, *_unit(comparison))


def _unit(comparison: SystemComparison) -> tuple[str, str]:
    return UNITS.get(comparison.unit, ("group of documents", "groups of documents"))


UNITS = {
    "documents": ("document", "documents"),
    "files": ("file", "files"),
    "windows": ("window", "windows"),
    "topics": ("topic", "topics"),
    "parts": ("text", "texts"),
}


def method(comparison: SystemComparison) -> dict[str, str]:
    """Return how a comparison was computed: units, intervals, test, and what was planned."""
    (_, many), settings = _unit(comparison), comparison.settings
    samples, seed = f"{settings.samples:,} samples", f"seed {settings.seed}"
    has_intervals = any(
        each.low is not None for of in comparison.estimates.values() for each in of.values()
    )
    said = {
        "Units": units_in_words(comparison),
        "Intervals": f"{percent(settings.confidence)}, expanded percentiles of a bootstrap of "
        f"whole {many}: {samples}, {seed}"
        if has_intervals
        else "none: a single unit cannot be resampled",
    }
    if comparison.tests:
        swaps = f"all {2**comparison.units:,} ways to swap results" if comparison.is_exact else ""
        tests = " and ".join(test_in_words(comparison, test) for test in comparison.tests)
        said["Test"] = f"{tests}: {swaps or f'{samples}, {seed}'}"
        said["Planned"] = _plan(comparison)
    elif comparison.differences:
        said["Test"] = "none: there are too few units for a test"
    return said


def _plan(comparison: SystemComparison) -> str:
    count = len(comparison.planned)
    if not count:
        return "no comparison: all are exploratory, without verdicts"
    return (
        f"the {statistic_named(comparison.primary).name} score of each system against "
        f"{comparison.baseline}, the baseline"
        + (f"; Holm's correction over {count} comparisons" if count > 1 else "")
        + ". All others are exploratory"
    )


def percent(confidence: float) -> str:
    """Return the confidence level of an interval."""
    return f"{100 * confidence:.4g} %"


def test_in_words(comparison: SystemComparison, test: AnyTest) -> str:
    """Name the test, in the words of a paper."""
    if test == "satterthwaite":
        return "Student's t over documents and runs"
    if test == "randomization" and comparison.is_exact:
        return "exact paired randomization"
    return f"paired {test}"


def deviations(comparison: SystemComparison) -> str:
    """Return the mean and deviation of the primary score over runs, if there are several."""
    primary = statistic_named(comparison.primary)
    parts = []
    for name in comparison.systems:
        estimate = comparison.estimates[name][primary.id]
        if estimate.deviation is not None:
            mean, deviation = map(primary.format.shown, (estimate.value, estimate.deviation))
            parts.append(f"{name} {mean} ± {deviation}")
    return f"{primary.name}, mean ± deviation over runs: {', '.join(parts)}" if parts else ""


def notes(comparison: SystemComparison, *, signed: bool = True) -> list[str]:
    """Return the notes below a table: what is doubtful in it, and the signature."""
    said = [deviations(comparison)] if deviations(comparison) else []
    said += [*coverage(comparison), *_undefined(comparison)]
    return [*said, comparison.signature] if signed else said


def _undefined(comparison: SystemComparison) -> list[str]:
    """Return which scores are 0 because there is nothing to count."""
    all_runs = comparison.runs.values()
    nothing = [
        statistic_named(id).name
        for id in comparison.statistics
        if any(id in run and run[id].is_undefined for runs in all_runs for run in runs)
    ]
    return [f"{', '.join(nothing)}: nothing to count; the score is defined as 0"] if nothing else []


def coverage(comparison: SystemComparison) -> list[str]:
    """Return the share of mentions that metrics on common mentions are computed on."""
    metrics = [METRICS[id] for id in comparison.statistics if id != CONLL.id]
    ids = [metric.id for metric in metrics if "coverage" in metric.parts]
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
    names = ", ".join(statistic_named(id).name for id in ids)
    return [f"{names}: computed on common mentions, % of key and response: {'; '.join(shares)}"]


def sentences(comparison: SystemComparison) -> list[str]:
    """Return a sentence for a paper on each pair, about the primary statistic."""
    return [
        _planned(comparison, difference)
        if difference.verdict
        else f"{_gain(comparison, difference)}; exploratory, {_p(comparison, difference)}."
        for difference in comparison.differences
        if difference.statistic == comparison.primary
    ]


def _gain(comparison: SystemComparison, difference: Difference) -> str:
    """Describe a difference with its interval."""
    statistic = statistic_named(difference.statistic)
    change = statistic.unit.change.shown(abs(difference.difference)).lstrip("+")
    side = "below" if difference.difference < 0 else "above"
    gain = f"is {change} {statistic.name} {statistic.unit.name} {side}"
    if not difference.difference:
        gain = f"has the {statistic.name} score of"
    profile = first_run(comparison.runs).profile.name
    base = ", the baseline" if difference.verdict else ""
    said = (
        f"On {units_in_words(comparison)} ({profile}), {difference.system} {gain} "
        f"{difference.other}{base}"
    )
    interval = change_interval(difference)
    if not interval:
        return said
    count, together = len(comparison.planned), ""
    if difference.verdict and count > 1:
        level, many = (
            percent(comparison.settings.confidence),
            "both" if count == 2 else f"all {count}",
        )
        together = f", {level} for {many} together"
    return f"{said} ({percent(difference.confidence)} interval {interval}{together})"


def _p(comparison: SystemComparison, difference: Difference, also: str = "") -> str:
    if difference.p is None or difference.test is None:
        return "no test"
    return f"p = {P_VALUE.shown(difference.p)}{also}, {test_in_words(comparison, difference.test)}"


def _obstacle(comparison: SystemComparison, difference: Difference) -> str:
    """Say why a planned comparison cannot be tested."""
    differing, units = difference.differing, units_in_words(comparison)
    if differing is None:
        return "with these numbers of runs" if comparison.units > 1 else f"with {units}"
    level = (1 - comparison.settings.confidence) / len(comparison.planned)
    if differing < comparison.units and 2.0 ** (1 - differing) >= level:
        return f"as the two differ in {differing or 'none'} of {units}"
    if difference.test == "bootstrap" or not comparison.is_exact:
        units += f" and {comparison.settings.samples:,} samples"
    return f"with {units}"


def _planned(comparison: SystemComparison, difference: Difference) -> str:
    """Describe a planned comparison and its verdict."""
    verdict = str(difference.verdict)
    if difference.verdict == "cannot be tested":
        verdict = f"{verdict} {_obstacle(comparison, difference)}"
    said = f"{_gain(comparison, difference)}: {verdict}"
    count = len(comparison.planned)
    if difference.p is not None and difference.p_corrected is not None:
        corrected = P_VALUE.shown(difference.p_corrected)
        also = f" ({corrected} corrected for {count} comparisons)" if count > 1 else ""
        said += f", {_p(comparison, difference, also)}"
    if difference.verdict == "unclear":
        said += "; the interval and the test disagree"
    if difference.detectable is None:
        return f"{said}."
    statistic = statistic_named(difference.statistic)
    smallest = statistic.unit.change.shown(difference.detectable).lstrip("+")
    return f"{said}. A difference of {smallest} would be found with 80 % power."
