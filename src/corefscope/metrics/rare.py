"""The metrics that few scores have, by group; they are loaded when one of them is asked for."""

from __future__ import annotations

from corefscope.metrics.antecedents import ANTECEDENT_METRICS
from corefscope.metrics.b3 import B3_MACRO
from corefscope.metrics.ceaf import CEAF_PHI1, CEAF_PHI2
from corefscope.metrics.clustering import ARI, PURITY, RAND, VI, V
from corefscope.metrics.legacy import LEGACY_METRICS
from corefscope.metrics.links import PAIRWISE
from corefscope.metrics.metric import MetricGroup

MORE = (PAIRWISE, B3_MACRO, CEAF_PHI1, CEAF_PHI2, RAND, ARI, V, VI, PURITY)
METRICS = (*MORE, *ANTECEDENT_METRICS, *LEGACY_METRICS)
GROUPS = (
    MetricGroup("links", (PAIRWISE.id,)),
    MetricGroup("exact", (CEAF_PHI1.id,)),
    MetricGroup("v4", ("muc", "b3_v4", "ceafm_v4", "ceafe_v4")),
    MetricGroup("more", tuple(metric.id for metric in MORE)),
    MetricGroup("antecedents", tuple(metric.id for metric in ANTECEDENT_METRICS)),
    MetricGroup("legacy", tuple(metric.id for metric in LEGACY_METRICS)),
)
