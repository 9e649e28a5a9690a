"""What a fault of an official scorer changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefscope.formatting import PERCENT
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric


def changed_figures(
    metrics: Sequence[Metric], official: Mapping[str, Floats], clean: Mapping[str, Floats]
) -> str:
    """Return the F1 of each metric that differs: ``MUC 63.45 instead of 100.00, …``."""
    changes = []
    for metric in metrics:
        found, expected = metric.total(official[metric.id]), metric.total(clean[metric.id])
        if (found.recall, found.precision) != (expected.recall, expected.precision):
            changes.append(
                f"{metric.name} {PERCENT.shown(found.f1)} instead of {PERCENT.shown(expected.f1)}"
            )
    return ", ".join(changes)
