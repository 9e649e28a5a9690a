"""The metrics, each a short module: the table of overlaps in, counts by document out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corefscope.findings import UnknownName
from corefscope.metrics.b3 import B3
from corefscope.metrics.blanc import BLANC
from corefscope.metrics.ceaf import CEAFE, CEAFM
from corefscope.metrics.counts import Metric, Score
from corefscope.metrics.lea import LEA
from corefscope.metrics.mentions import MENTIONS
from corefscope.metrics.muc import MUC

METRICS: Mapping[str, Metric] = {
    metric.id: metric for metric in (MENTIONS, MUC, B3, CEAFM, CEAFE, BLANC, LEA)
}
STANDARD = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""The metrics that are computed unless others are asked for."""
CONLL = ("muc", "b3", "ceafe")
"""The metrics whose mean F1 is the CoNLL score."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    **{id: (id,) for id in METRICS},
    "bcub": ("b3",),
    "md": ("mentions",),
    "conll": CONLL,
    "all": STANDARD,
}
"""What each name stands for."""


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics of these names, each once, in the order of the registry."""
    wanted: set[str] = set()
    for name in (name.strip().lower() for name in names):
        if name not in GROUPS:
            raise UnknownName("metric", name, GROUPS)
        wanted.update(GROUPS[name])
    if not wanted:
        raise UnknownName("metric", "", GROUPS)
    return [metric for id, metric in METRICS.items() if id in wanted]


def metric_named(name: str) -> Metric:
    """Return the one metric of a name."""
    ids = GROUPS.get(name.strip().lower(), ())
    if len(ids) != 1:
        raise UnknownName("single metric", name, METRICS)
    return METRICS[ids[0]]


def conll_average(scores: Mapping[str, Score]) -> float | None:
    """Return the mean F1 of MUC, B³ and CEAFe, or None unless all three are there."""
    if any(id not in scores for id in CONLL):
        return None
    return sum(scores[id].f1 for id in CONLL) / len(CONLL)


__all__ = [
    "CONLL",
    "GROUPS",
    "METRICS",
    "STANDARD",
    "Metric",
    "Score",
    "choose",
    "conll_average",
    "metric_named",
]
