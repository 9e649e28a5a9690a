"""The mention score: recall and precision of mentions, whatever their entities."""

from __future__ import annotations

from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import both_ways
from corefscope.metrics.metric import OverlapMetric


def recall(overlap: Overlap) -> tuple[Floats, Floats]:
    """Return Σ nᵢⱼ and Σ |Kᵢ|."""
    common = overlap.by_document(overlap.cell_document, overlap.n)
    return common, overlap.by_document(overlap.key_document, overlap.key_size)


def count(overlap: Overlap) -> Floats:
    """Count the common mentions, over the mentions of the key and over those of the response."""
    return both_ways(recall, overlap)


MENTIONS = OverlapMetric(
    id="mentions",
    name="Mentions",
    group="standard",
    aliases=("md",),
    is_recall_of_key=True,
    count_overlap=count,
)
