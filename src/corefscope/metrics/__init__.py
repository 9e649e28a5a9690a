"""The metrics, each in a short module: they count per document, and compute scores from the counts.

The groups that can be requested by name are derived from each metric's ``group`` and ``aliases``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from corefscope.arguments import texts
from corefscope.exceptions import UnknownName, WrongArgument
from corefscope.metrics.anaphora import ANAPHORA_METRICS
from corefscope.metrics.antecedents import ANTECEDENT_METRICS
from corefscope.metrics.b3 import B3, B3_MACRO
from corefscope.metrics.blanc import BLANC
from corefscope.metrics.ceaf import CEAF_PHI1, CEAF_PHI2, CEAFE, CEAFM
from corefscope.metrics.clustering import ARI, PURITY, RAND, VI, V
from corefscope.metrics.counts import Score
from corefscope.metrics.lea import LEA
from corefscope.metrics.legacy import LEGACY_METRICS
from corefscope.metrics.links import PAIRWISE
from corefscope.metrics.mentions import MENTIONS
from corefscope.metrics.metric import Group, MeanF1, Metric, OverlapMetric, Statistic
from corefscope.metrics.mor import MOR
from corefscope.metrics.muc import MUC
from corefscope.metrics.zero import ZERO

METRICS: Mapping[str, Metric] = {
    metric.id: metric
    for metric in (
        *(MENTIONS, MUC, B3, CEAFM, CEAFE, BLANC, LEA),
        *(PAIRWISE, B3_MACRO, CEAF_PHI1, CEAF_PHI2, RAND, ARI, V, VI, PURITY),
        *(MOR, ZERO),
        *ANTECEDENT_METRICS,
        *ANAPHORA_METRICS,
        *LEGACY_METRICS,
    )
}
OVERLAP_METRICS: Mapping[str, OverlapMetric] = {
    id: metric for id, metric in METRICS.items() if isinstance(metric, OverlapMetric)
}
"""The metrics that need no text."""
CONLL = MeanF1(id="conll", name="CoNLL", metrics=(MUC, B3, CEAFE))
CONLL_V4 = MeanF1(
    id="conll_v4",
    name="CoNLL in 2011 and 2012",
    metrics=(MUC, OVERLAP_METRICS["b3_v4"], OVERLAP_METRICS["ceafe_v4"]),
)
STATISTICS: Mapping[str, Statistic] = {**METRICS, CONLL.id: CONLL}
"""The figures by which responses are compared."""


def _group(group: Group) -> tuple[str, ...]:
    return tuple(id for id, metric in METRICS.items() if metric.group == group)


STANDARD = _group("standard")
"""The metrics that are computed by default."""
MORE = _group("more")
"""Metrics that few papers on coreference report."""
ANTECEDENTS = _group("antecedents")
"""Scores of antecedents, which need the words of a text."""
ANAPHORA = _group("anaphora")
"""Scores of non-referring expressions and of bridging, which the profiles ua-1 and ua-2 have."""
LEGACY = _group("legacy")
"""Variants of B³ and CEAF in papers of 2009 to 2013, each with a known fault."""
COREFUD = ("muc", "b3", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
"""What the CorefUD scorer prints, in its order."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    **{id: (id,) for id in METRICS},
    **{alias: (id,) for id, metric in METRICS.items() for alias in metric.aliases},
    CONLL.id: CONLL.ids,
    "corefud": COREFUD,
    "v4": ("muc", "b3_v4", "ceafm_v4", "ceafe_v4"),
    "all": STANDARD,
    "more": MORE,
    "antecedents": ANTECEDENTS,
    "anaphora": ANAPHORA,
    "legacy": LEGACY,
}
"""The metrics that each name stands for; v4 is what the CoNLL-2011 and -2012 scorer printed."""


def metric_names(metrics: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the metric names that a caller gives as a list, a text with commas, or None."""
    if metrics is None:
        return ("all",)
    return tuple(metrics.split(",")) if isinstance(metrics, str) else texts("metrics", metrics)


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics with these names, each once, in the order of ``METRICS``."""
    wanted: set[str] = set()
    for name in (name.strip().lower() for name in names):
        if name not in GROUPS:
            raise UnknownName("metric", name, GROUPS)
        wanted.update(GROUPS[name])
    if not wanted:
        raise WrongArgument(
            "no metric was chosen; expected one or more, such as ['muc', 'b3'], or None for all "
            "standard metrics"
        )
    return [metric for id, metric in METRICS.items() if id in wanted]


def without_text(metrics: Iterable[Metric]) -> list[OverlapMetric]:
    """Return the metrics; raise :class:`UnknownName` if one of them needs a text."""
    chosen = []
    for metric in metrics:
        if not isinstance(metric, OverlapMetric):
            raise UnknownName("metric that needs no text", metric.id, OVERLAP_METRICS)
        chosen.append(metric)
    return chosen


def metric_named(
    name: str, known: Collection[str] = METRICS.keys(), kind: str = "single metric"
) -> Metric:
    """Return the metric with this name; raise :class:`UnknownName` if it is not a known one."""
    ids = GROUPS.get(str(name).strip().lower(), ())
    if len(ids) != 1 or ids[0] not in known:
        raise UnknownName(kind, name, known)
    return METRICS[ids[0]]


def statistics_of(metrics: Mapping[str, object]) -> list[Statistic]:
    """Return the metrics with these ids, and the CoNLL average if its metrics are among them."""
    averages = [CONLL] if CONLL.is_known(metrics) else []
    return [*(METRICS[id] for id in metrics), *averages]


def conll_average(scores: Mapping[str, Score]) -> float | None:
    """Return the mean F1 of MUC, B³ and CEAFe, or None if one of them is missing."""
    return CONLL.value(scores) if CONLL.is_known(scores) else None


__all__ = [
    "ANAPHORA",
    "ANTECEDENTS",
    "CONLL",
    "CONLL_V4",
    "COREFUD",
    "GROUPS",
    "LEGACY",
    "METRICS",
    "MORE",
    "OVERLAP_METRICS",
    "STANDARD",
    "STATISTICS",
    "MeanF1",
    "Metric",
    "OverlapMetric",
    "Score",
    "Statistic",
    "choose",
    "conll_average",
    "metric_named",
    "metric_names",
    "statistics_of",
    "without_text",
]
