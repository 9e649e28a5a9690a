"""Find and classify the errors of a response, after Kummerfeld & Klein (2013)."""

from __future__ import annotations

from corefscope.error_analysis.analysis import (
    Analysis,
    DocumentAnalysis,
    ErrorOptions,
    analyze_matching,
)
from corefscope.error_analysis.kinds import ErrorType, Mode, Operation
from corefscope.error_analysis.records import ErrorRecord

__all__ = [
    "Analysis",
    "DocumentAnalysis",
    "ErrorOptions",
    "ErrorRecord",
    "ErrorType",
    "Mode",
    "Operation",
    "analyze_matching",
]
