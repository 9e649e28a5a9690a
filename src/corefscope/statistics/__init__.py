"""Confidence intervals and paired tests over documents, or over groups of documents."""

from __future__ import annotations

from corefscope.statistics.result import (
    Difference,
    Estimate,
    RunScores,
    Settings,
    SystemComparison,
)
from corefscope.statistics.systems import compare_runs
from corefscope.statistics.units import Units, make_units

__all__ = [
    "Difference",
    "Estimate",
    "RunScores",
    "Settings",
    "SystemComparison",
    "Units",
    "compare_runs",
    "make_units",
]
