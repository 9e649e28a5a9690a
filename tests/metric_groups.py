"""The metrics by group, for tests that go through all of them."""

from __future__ import annotations

from corefscope.metrics import CONLL, GROUPS, METRICS, OverlapMetric

MORE = GROUPS["more"].metrics
ANTECEDENTS = GROUPS["antecedents"].metrics
ANAPHORA = GROUPS["anaphora"].metrics
LEGACY = GROUPS["legacy"].metrics
COREFUD = GROUPS["corefud"].metrics
OVERLAP_METRICS = {id: each for id, each in METRICS.items() if isinstance(each, OverlapMetric)}
STATISTICS = {**METRICS, CONLL.id: CONLL}
