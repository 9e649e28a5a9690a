"""Confidence intervals and paired tests over documents, or over groups of documents."""

from __future__ import annotations

from corefscope.statistics.result import (
    Difference,
    Estimate,
    Runs,
    Settings,
    SystemComparison,
)
from corefscope.statistics.sets import Record, SetsComparison, compare_sets
from corefscope.statistics.systems import compare_runs
from corefscope.statistics.units import Units, make_units

__all__ = [
    "Difference",
    "Estimate",
    "Record",
    "Runs",
    "SetsComparison",
    "Settings",
    "SystemComparison",
    "Units",
    "compare_runs",
    "compare_sets",
    "make_units",
]
