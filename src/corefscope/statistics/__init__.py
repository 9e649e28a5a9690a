"""Confidence intervals and paired tests over documents, or over groups of documents."""

from __future__ import annotations

from corefscope.statistics.result import (
    Difference,
    Estimate,
    RunScores,
    Settings,
    SystemComparison,
)
from corefscope.statistics.sets import (
    MeanScore,
    ScoredResponse,
    ScoredSet,
    SetsComparison,
    SetsScores,
    SetsWon,
    SystemMean,
    compare_sets,
    mean_over_sets,
    score_sets,
)
from corefscope.statistics.systems import compare_runs
from corefscope.statistics.units import Units, make_units

__all__ = [
    "Difference",
    "Estimate",
    "MeanScore",
    "SetsWon",
    "RunScores",
    "ScoredResponse",
    "ScoredSet",
    "SetsComparison",
    "SetsScores",
    "Settings",
    "SystemComparison",
    "SystemMean",
    "Units",
    "compare_runs",
    "compare_sets",
    "make_units",
    "mean_over_sets",
    "score_sets",
]
