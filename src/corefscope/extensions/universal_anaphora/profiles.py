"""The protocols of Universal Anaphora, each with its scorer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from corefscope.extensions.universal_anaphora.metrics import METRICS
from corefscope.matching.matching import Matching
from corefscope.metrics import STANDARD, Metric
from corefscope.metrics.blanc import (
    BLANC,
    PARTS_OF_SPLIT_ANTECEDENTS,
    figures_of_split_antecedents,
)
from corefscope.official import Counted, OfficialScorer, OwnCounts
from corefscope.profiles import Profile, named


class UaScorer(OfficialScorer, frozen=True, kw_only=True):
    """A version of the scorer of Universal Anaphora, which counts most metrics itself."""

    version: Literal[1, 2]

    def as_read(self, profile: Profile, matching: Matching) -> Profile:
        """Return the profile for discourse deixis if that is what both sides were read for."""
        if set(matching.layers) != {"deixis"} or profile.layer == "deixis":
            return profile
        return named(replace(profile, layer="deixis"))

    def can_score(self, matching: Matching) -> bool:
        """Return whether both sides are annotated as in Universal Anaphora."""
        from corefscope.extensions.universal_anaphora.anaphora import anaphora_of

        return all(anaphora_of(side) is not None for side in (matching.key, matching.response))

    def adapted(self, metric: Metric, profile: Profile) -> Metric:
        """Return a metric whose counts are fractions, and BLANC of split antecedents alone."""
        # A split antecedent counts as far as its elements are right.
        metric = replace(metric, integral=False)
        if metric.id != BLANC.id or profile.split_antecedents != "only":
            return metric
        return replace(
            metric, figures=figures_of_split_antecedents, parts=PARTS_OF_SPLIT_ANTECEDENTS
        )

    def count(
        self, matching: Matching, profile: Profile, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return its counts, and what is doubtful about them."""
        from corefscope.extensions.universal_anaphora.rules import UaRules
        from corefscope.extensions.universal_anaphora.scoring import (
            known_metrics,
            score_universal_anaphora,
        )
        from corefscope.extensions.universal_anaphora.shifts import shift_findings

        rules = UaRules(
            version=self.version,
            match=profile.match,
            singletons="drop" if profile.singletons == "drop" else "keep",
            split_antecedents=profile.split_antecedents,
            zeros="drop" if profile.zeros == "drop" else "linear",
            layer=profile.layer,
        )
        known = known_metrics(rules)
        wanted = [metric for metric in metrics if metric.id in known]
        ids = [metric.id for metric in wanted]
        found = score_universal_anaphora(matching.key, matching.response, rules, ids)
        ours = own([metric for metric in metrics if metric.id not in ids])
        counts = {
            metric.id: found.counts[metric.id] if metric.id in ids else ours[metric.id]
            for metric in metrics
        }
        return counts, (*found.findings, *shift_findings(found.shifted, wanted, found.counts))


KNOWN = (*STANDARD, *(metric.id for metric in METRICS))
PROFILES = (
    Profile(
        name="ua-1",
        meaning="version 1 of the Universal Anaphora scorer with its defaults, and its faults: "
        "singletons and split antecedents count",
        used_by="CODI-CRAC 2021 and 2022",
        scorer=UaScorer(
            name="ua-1",
            rules="the rules and faults of version 1 of the Universal Anaphora scorer",
            match=("exact", "min"),
            zeros=("linear",),
            split_antecedents=("keep", "drop", "only"),
            layer=("identity", "deixis"),
            metrics=KNOWN,
            needs_words=True,
            ignores_words=True,
            leaves_out_missing=True,
            pairs_itself=True,
            version=1,
        ),
        split_antecedents="keep",
        blanc="both",
    ),
    Profile(
        name="ua-2",
        meaning="version 2 of the Universal Anaphora scorer with its defaults, and its faults: "
        "singletons, split antecedents and zeros are dropped",
        used_by="the Universal Anaphora scorer v2.0",
        scorer=UaScorer(
            name="ua-2",
            rules="the rules and faults of version 2 of the Universal Anaphora scorer",
            match=("exact", "partial", "craft", "head"),
            zeros=("linear", "drop"),
            split_antecedents=("keep", "drop", "only"),
            layer=("identity", "deixis"),
            metrics=KNOWN,
            needs_words=True,
            pairs_itself=True,
            version=2,
        ),
        zeros="drop",
        singletons="drop",
        blanc="both",
    ),
)
