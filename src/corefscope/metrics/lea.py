"""LEA: the share of each entity's links that are resolved, weighted by size.

Moosavi & Strube (2016).
"""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Overlap, whole_sums
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def credit(overlap: Overlap) -> Credit:
    """Return |Kᵢ| · Σⱼ C(nᵢⱼ, 2) / C(|Kᵢ|, 2), of |Kᵢ|.

    With C(k, 2) = k(k−1)/2, a term is Σⱼ nᵢⱼ(nᵢⱼ−1) / (|Kᵢ| − 1). A singleton has one link, to
    itself, which is resolved if the mention is a singleton in the response as well.
    """
    links = overlap.n * (overlap.n - 1)
    alone = (overlap.key_size[overlap.key] == 1) & (overlap.response_size[overlap.response] == 1)
    resolved = whole_sums(overlap.key, links + alone, len(overlap.key_size))
    return Credit(resolved, overlap.key_size, over=np.maximum(overlap.key_size - 1, 1))


LEA = OverlapMetric(
    id="lea",
    name="LEA",
    integral=False,
    is_recall_of_key=True,
    credit=credit,
)
