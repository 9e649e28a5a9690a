"""The metrics, each a short module: the table of overlaps in, counts by document out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corefscope.arguments import texts
from corefscope.exceptions import UnknownName
from corefscope.metrics.antecedents import ANCHOR, IMMEDIATE, INFERRED
from corefscope.metrics.b3 import B3
from corefscope.metrics.blanc import BLANC
from corefscope.metrics.ceaf import CEAF_PHI1, CEAF_PHI2, CEAFE, CEAFM
from corefscope.metrics.clustering import ARI, PURITY, RAND, VI, V
from corefscope.metrics.counts import Metric, Score
from corefscope.metrics.lea import LEA
from corefscope.metrics.legacy import LEGACY_METRICS
from corefscope.metrics.links import PAIRWISE
from corefscope.metrics.mentions import MENTIONS
from corefscope.metrics.muc import MUC

METRICS: Mapping[str, Metric] = {
    metric.id: metric
    for metric in (
        *(MENTIONS, MUC, B3, CEAFM, CEAFE, BLANC, LEA),
        *(PAIRWISE, CEAF_PHI1, CEAF_PHI2, RAND, ARI, V, VI, PURITY),
        *(IMMEDIATE, INFERRED, ANCHOR),
        *LEGACY_METRICS,
    )
}
STANDARD = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""The metrics that are computed unless others are asked for."""
MORE = ("pairwise", "ceaf_phi1", "ceaf_phi2", "rand", "ari", "v", "vi", "purity")
"""Further metrics, which few papers on coreference report."""
ANTECEDENTS = ("immediate", "inferred", "anchor")
"""Scores of antecedents, which need the words of a text."""
LEGACY = tuple(metric.id for metric in LEGACY_METRICS)
"""B³ and CEAF of papers from 2009 to 2013, each with a fault."""
COUNTED = tuple(id for id, metric in METRICS.items() if not metric.needs_text)
"""The metrics that are counted from entities alone."""
CONLL = ("muc", "b3", "ceafe")
"""The metrics whose mean F1 is the CoNLL score."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    **{id: (id,) for id in METRICS},
    "bcub": ("b3",),
    "md": ("mentions",),
    "links": ("pairwise",),
    "exact": ("ceaf_phi1",),
    "conll": CONLL,
    "v4": ("muc", "b3_v4", "ceafm_v4", "ceafe_v4"),
    "all": STANDARD,
    "more": MORE,
    "antecedents": ANTECEDENTS,
    "legacy": LEGACY,
}
"""What each name stands for; v4 is what the CoNLL-2011 and -2012 scorer printed."""


def metric_names(metrics: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of metrics in what a caller gives: a list, a text with commas, or None."""
    if metrics is None:
        return ("all",)
    return tuple(metrics.split(",")) if isinstance(metrics, str) else texts("metrics", metrics)


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics of these names, each once, in the order of the registry."""
    wanted: set[str] = set()
    for name in (name.strip().lower() for name in names):
        if name not in GROUPS:
            raise UnknownName("metric", name, GROUPS)
        wanted.update(GROUPS[name])
    if not wanted:
        raise ValueError(
            "no metric was chosen; expected one or more, such as ['muc', 'b3'], or None for all "
            "standard metrics"
        )
    return [metric for id, metric in METRICS.items() if id in wanted]


def choose_counted(names: Iterable[str]) -> list[Metric]:
    """Return the metrics of these names; refuse those that need more than the entities."""
    chosen = choose(names)
    for metric in chosen:
        if metric.needs_text:
            raise UnknownName("metric that needs no text", metric.id, COUNTED)
    return chosen


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
    "ANTECEDENTS",
    "CONLL",
    "COUNTED",
    "GROUPS",
    "LEGACY",
    "METRICS",
    "MORE",
    "STANDARD",
    "Metric",
    "Score",
    "choose",
    "choose_counted",
    "conll_average",
    "metric_named",
    "metric_names",
]
