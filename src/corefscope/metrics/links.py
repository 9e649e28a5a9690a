"""Links: recall and precision of coreference links, which is the coreference part of BLANC.

In entity resolution this is called pairwise recall, precision and F1. The number of links grows
quadratically with the size of an entity, so large entities dominate the score.
"""

from __future__ import annotations

from corefscope.matching.overlap import Overlap, whole_sums
from corefscope.metrics.blanc import pairs
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def credit(overlap: Overlap) -> Credit:
    """Return Σⱼ C(nᵢⱼ, 2) links, of C(|Kᵢ|, 2) (Luo et al. 2014, the coreference links)."""
    found = whole_sums(overlap.key, pairs(overlap.n), len(overlap.key_size))
    return Credit(found, pairs(overlap.key_size))


PAIRWISE = OverlapMetric(
    id="pairwise",
    name="Links",
    is_recall_of_key=True,
    credit=credit,
)
