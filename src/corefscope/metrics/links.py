"""Links: recall and precision of coreference links, which is the coreference part of BLANC.

In entity resolution this is called pairwise recall, precision and F1. The number of links grows
quadratically with the size of an entity, so large entities dominate the score.
"""

from __future__ import annotations

from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.blanc import pairs
from corefscope.metrics.counts import both_ways
from corefscope.metrics.metric import OverlapMetric


def recall(overlap: Overlap) -> tuple[Floats, Floats]:
    """Return Σ C(nᵢⱼ, 2) and Σ C(|Kᵢ|, 2) (Luo et al. 2014, the coreference links)."""
    return (
        overlap.by_document(overlap.cell_document, pairs(overlap.n)),
        overlap.by_document(overlap.key_document, pairs(overlap.key_size)),
    )


def count(overlap: Overlap) -> Floats:
    """Count the links that both sides have, over the links of each side."""
    return both_ways(recall, overlap)


PAIRWISE = OverlapMetric(
    id="pairwise",
    name="Links",
    group="more",
    aliases=("links",),
    is_recall_of_key=True,
    count_overlap=count,
)
