"""CEAF: align entities one to one, count how alike the pairs are (Luo 2005)."""

from __future__ import annotations

import numpy as np

from corefscope.corpus import Integers
from corefscope.metrics.best_alignment import Numbers, best_alignment
from corefscope.metrics.counts import Metric
from corefscope.overlap import Floats, Overlap


def align_by_mentions(overlap: Overlap) -> Numbers:
    """Return the cells of the best alignment under φ₃ = |K ∩ R|."""
    return best_alignment(overlap.key, overlap.response, overlap.n.astype(np.float64))


def align_by_entities(overlap: Overlap) -> Numbers:
    """Return the cells of the best alignment under φ₄ = 2|K ∩ R| / (|K| + |R|)."""
    similarity = 2 * overlap.n / mentions_of_both(overlap)
    return best_alignment(overlap.key, overlap.response, similarity)


def mentions_of_both(overlap: Overlap) -> Integers:
    """|Kᵢ| + |Rⱼ| of each cell."""
    return overlap.key_size[overlap.key] + overlap.response_size[overlap.response]


def count_mentions(overlap: Overlap) -> Floats:
    """Count aligned mentions, and all mentions (Pradhan et al. 2014, section 4.3)."""
    cells = align_by_mentions(overlap)
    aligned = overlap.by_document(overlap.cell_document[cells], overlap.n[cells])
    key = overlap.by_document(overlap.key_document, overlap.key_size)
    response = overlap.by_document(overlap.response_document, overlap.response_size)
    return np.stack([aligned, key, aligned, response], axis=1)


def count_entities(overlap: Overlap) -> Floats:
    """Count the similarity of aligned entities, and all entities.

    An entity that shares no mention with the other side adds to a denominator only.
    """
    cells = align_by_entities(overlap)
    similarity = overlap.fractions_by_document(
        overlap.cell_document[cells], 2 * overlap.n[cells], mentions_of_both(overlap)[cells]
    )
    key = overlap.by_document(overlap.key_document, np.ones(len(overlap.key_size)))
    response = overlap.by_document(overlap.response_document, np.ones(len(overlap.response_size)))
    return np.stack([similarity, key, similarity, response], axis=1)


CEAFM = Metric("ceafm", "CEAFm", count_mentions)
CEAFE = Metric("ceafe", "CEAFe", count_entities, integral=False)
