"""What is wrong with a response, after Kummerfeld & Klein (2013)."""

from __future__ import annotations

from corefscope.errors.analysis import Analysis, DocumentAnalysis, analyze, analyze_corpora
from corefscope.errors.kinds import ErrorType, Mode, Operation
from corefscope.errors.records import Error

__all__ = [
    "Analysis",
    "DocumentAnalysis",
    "Error",
    "ErrorType",
    "Mode",
    "Operation",
    "analyze",
    "analyze_corpora",
]
