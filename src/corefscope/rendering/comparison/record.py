"""A comparison as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.formatting import Value
from corefscope.rendering.table import as_csv
from corefscope.statistics.result import SystemComparison

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


def csv_rows(comparison: SystemComparison, set_: str = "") -> list[list[Value]]:
    """Return one row per system and statistic, and one per pair and statistic."""
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
