"""The mention score: recall and precision of mentions, whatever their entities."""

from __future__ import annotations

from corefscope.matching.overlap import Overlap
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def credit(overlap: Overlap) -> Credit:
    """Return the mentions Σⱼ nᵢⱼ that the other side has as well, of |Kᵢ|."""
    return Credit(overlap.key_common, overlap.key_size)


MENTIONS = OverlapMetric(
    id="mentions",
    name="Mentions",
    is_recall_of_key=True,
    credit=credit,
)
