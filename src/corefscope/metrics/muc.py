"""MUC: how many links are missing to rejoin the parts of split entities (Vilain et al. 1995)."""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Floats, Overlap, sums
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def parts(overlap: Overlap) -> Floats:
    """Return |p(Kᵢ)|: the number of parts into which the response cuts each key entity.

    There is one part per response entity with some of its mentions, and one per missing mention.
    """
    pieces = sums(overlap.key, np.ones(len(overlap.key)), len(overlap.key_size))
    missing = overlap.key_size - overlap.key_common
    return pieces + missing


def credit(overlap: Overlap) -> Credit:
    """Return |Kᵢ| − |p(Kᵢ)| links, of |Kᵢ| − 1 (Pradhan et al. 2014, section 4.1).

    A corpus of singletons has no links, so all counts and the score are 0.
    """
    return Credit(overlap.key_size - parts(overlap), overlap.key_size - 1)


MUC = OverlapMetric(
    id="muc",
    name="MUC",
    is_recall_of_key=True,
    credit=credit,
)
