"""The metrics, each in a short module: they count per document, and compute scores from the counts.

Those that few scores have, and those of extensions, are loaded when one of them is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from corefscope.arguments import texts
from corefscope.exceptions import UnknownName, WrongArgument
from corefscope.extending import Registry
from corefscope.formatting import TEXT
from corefscope.metrics.b3 import B3
from corefscope.metrics.blanc import BLANC
from corefscope.metrics.ceaf import CEAFE, CEAFM
from corefscope.metrics.counts import Score
from corefscope.metrics.lea import LEA
from corefscope.metrics.mentions import MENTIONS
from corefscope.metrics.metric import MeanF1, Metric, MetricGroup, OverlapMetric, Statistic
from corefscope.metrics.muc import MUC
from corefscope.results.rows import FigureFormat

OWN = (MENTIONS, MUC, B3, CEAFM, CEAFE, BLANC, LEA)
STANDARD = tuple(metric.id for metric in OWN)
"""The metrics that are computed by default."""
METRICS: Registry[Metric] = Registry("METRICS", Metric, OWN, lambda metric: metric.id)
CONLL = MeanF1(id="conll", name="CoNLL", metrics=(MUC, B3, CEAFE))
GROUPS = Registry(
    "GROUPS",
    MetricGroup,
    (
        MetricGroup("all", STANDARD),
        MetricGroup(CONLL.id, CONLL.ids),
        MetricGroup("md", (MENTIONS.id,)),
        MetricGroup("bcub", (B3.id,)),
    ),
    lambda group: group.name,
)
"""The metrics that each name stands for, beside their own."""


def statistic_named(id: str) -> Statistic:
    """Return a figure by which responses are compared: a metric, or the CoNLL average."""
    return CONLL if id == CONLL.id else METRICS[id]


def column_format(name: str) -> FigureFormat:
    """Return the format of a column that may have the values of a metric."""
    is_metric = name == CONLL.id or METRICS.knows(name)
    return statistic_named(name).format if is_metric else TEXT


def ids_of(name: str) -> tuple[str, ...]:
    """Return the metrics that a name stands for; none if it is unknown."""
    name = name.strip().lower()
    # Own names come first, and those of other packages are looked up last.
    for is_known in (Registry.knows, Registry.is_ours, Registry.__contains__):
        if is_known(METRICS, name):
            return (name,)
        if is_known(GROUPS, name):
            return GROUPS[name].metrics
    return ()


def metric_names(metrics: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of metrics in a list, in a text with commas or blanks, or of None."""
    if metrics is None:
        return ("all",)
    if isinstance(metrics, str):
        return tuple(metrics.replace(",", " ").split())
    return texts("metrics", metrics)


def choose(names: Iterable[str]) -> list[Metric]:
    """Return the metrics with these names, each once, in the order of ``METRICS``."""
    wanted: set[str] = set()
    for name in names:
        ids = ids_of(name)
        if not ids:
            raise UnknownName("metric", name, [*METRICS, *GROUPS])
        wanted.update(METRICS[id].id for id in ids)
    if not wanted:
        raise WrongArgument(
            "no metric was chosen; expected one or more, such as ['muc', 'b3'], or None for all "
            "standard metrics"
        )
    if wanted <= {*STANDARD}:  # No other metric is loaded.
        return [metric for metric in OWN if metric.id in wanted]
    return [metric for id, metric in METRICS.items() if id in wanted]


def without_text(metrics: Iterable[Metric]) -> list[OverlapMetric]:
    """Return the metrics; raise :class:`UnknownName` if one of them needs a text."""
    chosen = []
    for metric in metrics:
        if not isinstance(metric, OverlapMetric):
            known = [id for id, each in METRICS.items() if isinstance(each, OverlapMetric)]
            raise UnknownName("metric that needs no text", metric.id, known)
        chosen.append(metric)
    return chosen


def metric_named(
    name: str, known: Collection[str] = METRICS, kind: str = "single metric"
) -> Metric:
    """Return the metric with this name; raise :class:`UnknownName` if it is not a known one."""
    ids = ids_of(str(name))
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
    "CONLL",
    "GROUPS",
    "METRICS",
    "STANDARD",
    "MeanF1",
    "Metric",
    "MetricGroup",
    "OverlapMetric",
    "Score",
    "Statistic",
    "choose",
    "column_format",
    "conll_average",
    "ids_of",
    "metric_named",
    "metric_names",
    "statistic_named",
    "statistics_of",
    "without_text",
]
