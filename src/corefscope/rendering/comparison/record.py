"""A comparison for programs: JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corefscope.formatting import Value
from corefscope.rendering.comparison.systems import Compared
from corefscope.rendering.comparison.words import sentences
from corefscope.rendering.table import as_csv
from corefscope.statistics.result import Difference, Estimate, SystemComparison
from corefscope.version import __version__

CSV_COLUMNS = (
    "set",
    "system",
    "statistic",
    "value",
    "low",
    "high",
    "deviation",
    "other",
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_corrected",
)


def to_dict(compared: Compared) -> dict[str, Any]:
    """Return a comparison for JSON: fractions unrounded."""
    return {
        "corefscope": __version__,
        "key": compared.key,
        **comparison_dict(compared.comparison, compared.responses),
        **compared.extra,
        "findings": [finding.to_dict() for finding in compared.comparison.findings],
    }


def comparison_dict(
    comparison: SystemComparison, responses: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return what was found for JSON."""
    settings = comparison.settings
    ranks = {id: comparison.ranks(id) for id in comparison.statistics}
    is_ranked = settings.all_pairs and comparison.has_tests
    return {
        "signature": comparison.signature,
        "unit": comparison.unit,
        "units": comparison.units,
        "test": comparison.test,
        "exact": comparison.is_exact,
        "samples": settings.samples if comparison.is_resampled else None,
        "seed": settings.seed if comparison.is_resampled else None,
        "confidence": settings.confidence,
        "family": settings.family,
        "baseline": None if settings.all_pairs else comparison.baseline,
        "systems": [
            {
                "name": name,
                "responses": list(responses.get(name, ())),
                "scores": {id: _estimate_dict(e) for id, e in comparison.estimates[name].items()},
                **({"ranks": {id: ranks[id][name] for id in ranks}} if is_ranked else {}),
            }
            for name in comparison.systems
        ],
        "comparisons": [_difference_dict(d) for d in comparison.differences],
        "sentences": sentences(comparison),
    }


def _estimate_dict(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "deviation": estimate.deviation,
    }


def _difference_dict(difference: Difference) -> dict[str, Any]:
    return {
        "system": difference.system,
        "other": difference.other,
        "statistic": difference.statistic,
        "difference": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "p": difference.p,
        "p_corrected": difference.p_corrected,
        "significant": difference.is_significant,
    }


def csv_rows(comparison: SystemComparison, set_: str = "") -> list[list[Value]]:
    """Return one row a system and statistic, and one a pair and statistic."""
    rows: list[list[Value]] = [
        [set_, name, id, e.value, e.low, e.high, e.deviation, *[None] * 6]
        for name in comparison.systems
        for id, e in comparison.estimates[name].items()
    ]
    for d in comparison.differences:
        tested: list[Value] = [d.other, d.difference, d.low, d.high, d.p, d.p_corrected]
        rows.append([set_, d.system, d.statistic, *[None] * 4, *tested])
    return rows


def as_comparison_csv(rows: Sequence[Sequence[Value]]) -> str:
    """Return rows with their heading."""
    return as_csv(CSV_COLUMNS, rows)
