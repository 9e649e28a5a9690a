"""MUC: how many links are missing to join what the other side has split (Vilain et al. 1995)."""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Floats, Overlap, sums
from corefscope.metrics.counts import both_ways
from corefscope.metrics.metric import OverlapMetric


def parts(overlap: Overlap) -> Floats:
    """|p(Kᵢ)|: the parts into which the response cuts each key entity.

    One part a response entity that holds some of it, and one for each mention that none holds.
    """
    pieces = sums(overlap.key, np.ones(len(overlap.key)), len(overlap.key_size))
    missing = overlap.key_size - overlap.key_common
    return pieces + missing


def recall(overlap: Overlap) -> tuple[Floats, Floats]:
    """Σ (|Kᵢ| − |p(Kᵢ)|) over Σ (|Kᵢ| − 1) (Pradhan et al. 2014, section 4.1)."""
    return (
        overlap.by_document(overlap.key_document, overlap.key_size - parts(overlap)),
        overlap.by_document(overlap.key_document, overlap.key_size - 1),
    )


def count(overlap: Overlap) -> Floats:
    """Count the links that are right, of the key's and of the response's.

    A corpus of singletons has no links: all counts are 0, and so is the score.
    """
    return both_ways(recall, overlap)


MUC = OverlapMetric(
    id="muc",
    name="MUC",
    group="standard",
    is_recall_of_key=True,
    count_overlap=count,
)
