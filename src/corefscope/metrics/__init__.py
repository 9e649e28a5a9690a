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
ALIASES = {"bcub": "b3", "bcubed": "b3", "md": "mentions", "all": "all"}
CONLL = ("muc", "b3", "ceafe")
"""The metrics whose mean F1 is the CoNLL score."""


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics of these names, each once, in the order of the registry."""
    wanted = {ALIASES.get(name.lower(), name.lower()) for name in names}
    for name in wanted - METRICS.keys() - {"all"}:
        raise UnknownName("metric", name, [*METRICS, "bcub", "all"])
    return [metric for id, metric in METRICS.items() if id in wanted or "all" in wanted]


def conll_average(scores: Mapping[str, Score]) -> float | None:
    """Return the mean F1 of MUC, B³ and CEAFe, or None unless all three are there."""
    if any(id not in scores for id in CONLL):
        return None
    return sum(scores[id].f1 for id in CONLL) / len(CONLL)


__all__ = ["ALIASES", "CONLL", "METRICS", "Metric", "Score", "choose", "conll_average"]
