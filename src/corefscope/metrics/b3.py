"""B³: how much of its entity each mention shares with the other side (Bagga & Baldwin 1998)."""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Floats, Overlap, whole_sums
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric


def credit(overlap: Overlap) -> Credit:
    """Return Σⱼ nᵢⱼ² / |Kᵢ|, of |Kᵢ| (Pradhan et al. 2014, section 4.2).

    A mention that the other side lacks gets no credit, although some was possible. No mentions are
    added to either side.
    """
    squares = whole_sums(overlap.key, overlap.n**2, len(overlap.key_size))
    return Credit(squares, overlap.key_size, over=overlap.key_size)


def count_macro(overlap: Overlap) -> Floats:
    """Count 1 − relative missing and 1 − relative extra of key entities, over their number.

    Precision is over the entities of which the response has a mention.
    """
    count, documents = len(overlap.key_size), overlap.key_document
    squares, found = whole_sums(overlap.key, overlap.n**2, count), overlap.key_common
    # Fractions of integers, so that the order of entities makes no difference.
    below = overlap.response_size[overlap.response] * found[overlap.key]
    columns = [
        overlap.fractions_by_document(documents, squares, overlap.key_size**2),
        overlap.by_document(documents, np.ones(count)),
        overlap.fractions_by_document(overlap.cell_document, overlap.n**2, below),
        overlap.by_document(documents, found > 0),
    ]
    return np.stack(columns, axis=1)


B3 = OverlapMetric(
    id="b3",
    name="B³",
    integral=False,
    is_recall_of_key=True,
    credit=credit,
)
B3_MACRO = OverlapMetric(
    id="b3_macro",
    name="macro B³",
    integral=False,
    is_recall_of_key=True,
    count_overlap=count_macro,
)
