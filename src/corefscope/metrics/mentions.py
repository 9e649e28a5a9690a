"""The mention score: which mentions of the key are mentions of the response."""

from __future__ import annotations

from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import both_ways
from corefscope.metrics.metric import OverlapMetric


def recall(overlap: Overlap) -> tuple[Floats, Floats]:
    """Σ nᵢⱼ over Σ |Kᵢ|."""
    common = overlap.by_document(overlap.cell_document, overlap.n)
    return common, overlap.by_document(overlap.key_document, overlap.key_size)


def count(overlap: Overlap) -> Floats:
    """Count the mentions found, of the key's and of the response's."""
    return both_ways(recall, overlap)


MENTIONS = OverlapMetric(
    id="mentions",
    name="Mentions",
    group="standard",
    aliases=("md",),
    is_recall_of_key=True,
    count_overlap=count,
)
