"""B³: how much of its entity each mention shares with the other side (Bagga & Baldwin 1998)."""

from __future__ import annotations

from corefscope.matching.overlap import Floats, Overlap, sums
from corefscope.metrics.counts import both_ways
from corefscope.metrics.metric import OverlapMetric


def recall(overlap: Overlap) -> tuple[Floats, Floats]:
    """Return Σᵢ Σⱼ nᵢⱼ² / |Kᵢ| and Σ |Kᵢ| (Pradhan et al. 2014, section 4.2)."""
    squares = sums(overlap.key, overlap.n**2, len(overlap.key_size))
    return (
        overlap.fractions_by_document(overlap.key_document, squares, overlap.key_size),
        overlap.by_document(overlap.key_document, overlap.key_size),
    )


def count(overlap: Overlap) -> Floats:
    """Count the credit of all mentions, over the number of mentions.

    A mention that the other side lacks gets no credit but counts in the denominator. No mentions
    are added to either side.
    """
    return both_ways(recall, overlap)


B3 = OverlapMetric(
    id="b3",
    name="B³",
    group="standard",
    aliases=("bcub",),
    integral=False,
    is_recall_of_key=True,
    count_overlap=count,
)
