"""Honest numbers: intervals and paired tests over documents, or groups of them."""

from __future__ import annotations

from corefscope.statistics.comparing import compare
from corefscope.statistics.result import (
    Difference,
    Entry,
    Estimate,
    Settings,
    SystemComparison,
)
from corefscope.statistics.sets import Record, SetsComparison, compare_sets
from corefscope.statistics.systems import compare_entries
from corefscope.statistics.units import Units, make_units

__all__ = [
    "Difference",
    "Entry",
    "Estimate",
    "Record",
    "SetsComparison",
    "Settings",
    "SystemComparison",
    "Units",
    "compare",
    "compare_entries",
    "compare_sets",
    "make_units",
]
