"""The scorers of Universal Anaphora, versions 1 and 2, with their figures."""

from __future__ import annotations

from corefscope.shared_tasks.universal_anaphora.rules import UaRules
from corefscope.shared_tasks.universal_anaphora.scoring import (
    UaCounts,
    known_metrics,
    score_universal_anaphora,
)
from corefscope.shared_tasks.universal_anaphora.shifts import shift_findings

__all__ = [
    "UaCounts",
    "UaRules",
    "known_metrics",
    "score_universal_anaphora",
    "shift_findings",
]
