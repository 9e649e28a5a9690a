"""Metrics of what Universal Anaphora annotates beside identity: non-referring and bridging."""

from __future__ import annotations

from corefscope.exceptions import WrongArgument
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric, MetricGroup


class AnaphoraMetric(Metric, frozen=True, kw_only=True):
    """A metric that only the profiles of Universal Anaphora have."""

    is_ours: bool = False

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Refuse to count: what it needs is in no table of overlaps."""
        raise WrongArgument(
            f"the metric {self.id} is not known under this profile; expected ua-1 or ua-2"
        )


METRICS = (
    AnaphoraMetric(id="non_referring", name="Non-referring", short_name="Non-ref."),
    AnaphoraMetric(
        id="bridging_anaphor",
        name="Bridging anaphors",
        short_name="Br. anaph.",
    ),
    AnaphoraMetric(
        id="bridging_mention",
        name="Bridging, markable level",
        short_name="Br. mark.",
    ),
    AnaphoraMetric(
        id="bridging_entity",
        name="Bridging, entity level",
        short_name="Br. ent.",
    ),
)
GROUPS = (MetricGroup("anaphora", tuple(metric.id for metric in METRICS)),)
