"""What a comparison says in words: how it was made, and a sentence for the paper."""

from __future__ import annotations

from corefscope.statistics.readings import name_of
from corefscope.statistics.result import Difference, SystemComparison
from corefscope.tables.comparison.cells import amount, is_in_nats

TESTS = {
    "randomization": "paired approximate randomization",
    "bootstrap": "paired bootstrap",
}


def p_shown(p: float | None) -> str:
    """Return a p-value with four digits, or as many as it takes to say how small it is."""
    if p is None:
        return ""
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


def units_in_words(comparison: SystemComparison) -> str:
    """Say how many units of which kind were resampled."""
    kind = comparison.unit if comparison.unit in ("documents", "files") else "groups of documents"
    kind = "texts" if comparison.unit == "parts" else kind
    return f"{comparison.units} {kind.removesuffix('s') if comparison.units == 1 else kind}"


def percent(comparison: SystemComparison) -> str:
    """Return how sure the intervals are."""
    return f"{100 * comparison.settings.confidence:g} %"


def method(comparison: SystemComparison) -> str:
    """Say in words how p-values were computed and corrected."""
    settings = comparison.settings
    how = f"{TESTS[comparison.test]} ({settings.samples:,} samples, seed {settings.seed})"
    if comparison.is_exact:
        how = f"paired randomization (exact: all {2**comparison.units:,} swaps)"
    tests = len(comparison.differences)
    if settings.family == "metric":
        tests //= len(comparison.statistics)
    corrected = ""
    if settings.family != "none" and tests > 1:
        within = " of each metric" if settings.family == "metric" else ""
        corrected = f", after Holm's correction over {tests} tests{within}"
    return f"{how}{corrected}"


def deviations(comparison: SystemComparison) -> str:
    """Say how the primary score spreads over runs, where systems have several."""
    primary = comparison.primary
    parts = []
    for name in comparison.systems:
        estimate = comparison.estimates[name][primary]
        if estimate.deviation is not None:
            mean, deviation = (amount(primary, v) for v in (estimate.value, estimate.deviation))
            parts.append(f"{name} {mean} ± {deviation}")
    return f"{name_of(primary)}, mean ± deviation over runs: {', '.join(parts)}" if parts else ""


def notes(comparison: SystemComparison) -> list[str]:
    """Say what the marks mean and how they were computed."""
    said = [deviations(comparison)] if deviations(comparison) else []
    if all(d.p is None for d in comparison.differences):
        said.append(f"no p-values: {units_in_words(comparison)} are too few for a test")
    elif comparison.settings.all_pairs:
        said.append("letters: significantly better than those systems; rank: ties share one")
        said.append(f"p < 0.05 by {method(comparison)}")
    else:
        said.append(f"* p < 0.05, ** p < 0.01: {method(comparison)}")
    return [*said, comparison.signature]


def sentences(comparison: SystemComparison) -> list[str]:
    """Return a sentence for the paper for each pair, on the primary statistic."""
    return [
        sentence(comparison, difference)
        for difference in comparison.differences
        if difference.statistic == comparison.primary
    ]


def sentence(comparison: SystemComparison, difference: Difference) -> str:
    """Say by how much a system is better than another, and how sure that is."""
    id = difference.statistic
    ours, theirs = (comparison.estimates[n][id] for n in (difference.system, difference.other))
    unit = "nats" if is_in_nats(id) else "points"
    where = "above" if difference.difference >= 0 else "below"
    low, high = sorted((difference.low, difference.high))
    if where == "below":
        low, high = -high, -low
    said = (
        f"On {units_in_words(comparison)}, {difference.system} has a {name_of(id)} score of "
        f"{amount(id, ours.value)}, {amount(id, abs(difference.difference))} {unit} {where} "
        f"{difference.other} ({amount(id, theirs.value)}; {percent(comparison)} interval of the "
        f"difference {amount(id, low)} to {amount(id, high)})"
    )
    if difference.p_corrected is None:
        return f"{said}; so few units allow no test of significance."
    verdict = "significant" if difference.is_significant else "not significant"
    p = p_shown(difference.p_corrected)
    return f"{said}; the difference is {verdict} (p = {p}, {method(comparison)})."
