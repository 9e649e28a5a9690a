"""B³: how much of its entity each mention shares with the other side (Bagga & Baldwin 1998)."""

from __future__ import annotations

from corefscope.matching.overlap import Overlap, whole_sums
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def credit(overlap: Overlap) -> Credit:
    """Return Σⱼ nᵢⱼ² / |Kᵢ|, of |Kᵢ| (Pradhan et al. 2014, section 4.2).

    A mention that the other side lacks gets no credit, although some was possible. No mentions are
    added to either side.
    """
    squares = whole_sums(overlap.key, overlap.n**2, len(overlap.key_size))
    return Credit(squares, overlap.key_size, over=overlap.key_size)


B3 = OverlapMetric(
    id="b3",
    name="B³",
    group="standard",
    aliases=("bcub",),
    integral=False,
    is_recall_of_key=True,
    credit=credit,
)
