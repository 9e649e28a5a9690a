"""What a fault of an official scorer changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefscope.formatting import PERCENT
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric


def changed_figures(
    metrics: Sequence[Metric], official: Mapping[str, Floats], clean: Mapping[str, Floats]
) -> str:
    """Return the F1 of each metric that differs: ``MUC 63.45 instead of 100.00, …``.

    Figures that are printed alike are left out; nothing if no figure differs at all.
    """
    scores = [
        (metric, metric.total(official[metric.id]), metric.total(clean[metric.id]))
        for metric in metrics
    ]
    changed = [
        (metric, found, expected)
        for metric, found, expected in scores
        if (found.recall, found.precision) != (expected.recall, expected.precision)
    ]
    shown = [
        f"{metric.name} {here} instead of {there}"
        for metric, found, expected in changed
        for here, there in [(PERCENT.shown(found.f1), PERCENT.shown(expected.f1))]
        if here != there
    ]
    return ", ".join(shown) or ("every F1 changes by less than 0.01" if changed else "")
