"""CEAF: align entities one to one, and sum the similarity of the pairs (Luo 2005).

Luo defines four similarities. Papers report φ₃ (CEAFm) and φ₄ (CEAFe); φ₁ is 1 if two entities are
the same, and φ₂ is 1 if they have a common mention.
"""

from __future__ import annotations

import numpy as np

from corefscope.corpus import Integers
from corefscope.matching.assignment import best_alignment
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import Credit
from corefscope.metrics.metric import OverlapMetric

ALL = slice(None)
"""All cells of a table."""


def align_by_mentions(overlap: Overlap) -> Integers:
    """Return the cells of the best alignment under φ₃ = |K ∩ R|."""
    return best_alignment(overlap.key, overlap.response, overlap.n.astype(np.float64))


def align_by_entities(overlap: Overlap) -> Integers:
    """Return the cells of the best alignment under φ₄ = 2|K ∩ R| / (|K| + |R|)."""
    similarity = 2 * overlap.n / mentions_of_both(overlap)
    return best_alignment(overlap.key, overlap.response, similarity)


def mentions_of_both(overlap: Overlap, cells: Integers | slice = ALL) -> Integers:
    """Return |Kᵢ| + |Rⱼ| for each of these cells."""
    key, response = overlap.key[cells], overlap.response[cells]
    return overlap.key_size[key] + overlap.response_size[response]


def credit_mentions(overlap: Overlap) -> tuple[Credit, Credit]:
    """Return the aligned mentions of each entity, of all its mentions (Pradhan et al. 2014, 4.3).

    The alignment is the best one of all entities together, and the same for both sides.
    """
    cells = align_by_mentions(overlap)
    aligned = overlap.n[cells]
    return (
        Credit(_at(overlap.key[cells], aligned, overlap.key_size), overlap.key_size),
        Credit(_at(overlap.response[cells], aligned, overlap.response_size), overlap.response_size),
    )


def credit_entities(overlap: Overlap) -> tuple[Credit, Credit]:
    """Return φ₄ of each entity and the one that it is aligned with, of 1.

    An entity that shares no mention with the other side gets no credit.
    """
    cells = align_by_entities(overlap)
    twice, both = 2 * overlap.n[cells], mentions_of_both(overlap, cells)
    key, response = overlap.key_size, overlap.response_size
    return (
        Credit(
            _at(overlap.key[cells], twice, key),
            np.ones_like(key),
            over=np.maximum(_at(overlap.key[cells], both, key), 1),
        ),
        Credit(
            _at(overlap.response[cells], twice, response),
            np.ones_like(response),
            over=np.maximum(_at(overlap.response[cells], both, response), 1),
        ),
    )


def _at(entities: Integers, values: Integers, size: Integers) -> Integers:
    """Return the values of some entities, each of which is there once, and 0 for all others."""
    found = np.zeros(len(size), dtype=np.int64)
    found[entities] = values
    return found


def count_same_entities(overlap: Overlap) -> Floats:
    """Count the entities that both sides have, φ₁ = [K = R], over all entities.

    An entity equals at most one other, so no alignment is needed: this is the recall and precision
    of exact entities.
    """
    same = 2 * overlap.n == mentions_of_both(overlap)
    return _of_all_entities(overlap, overlap.by_document(overlap.cell_document, same))


def count_overlapping_entities(overlap: Overlap) -> Floats:
    """Count the entities that can be aligned at all, φ₂ = [K ∩ R ≠ ∅], over all entities.

    The best alignment is a maximum matching of the graph whose edges are the cells.
    """
    cells = best_alignment(overlap.key, overlap.response, np.ones(len(overlap.n)))
    aligned = overlap.by_document(overlap.cell_document[cells], np.ones(len(cells)))
    return _of_all_entities(overlap, aligned)


def _of_all_entities(overlap: Overlap, aligned: Floats) -> Floats:
    """Return Φ over the number of entities of each side: φ of an entity with itself is 1."""
    key = overlap.by_document(overlap.key_document, np.ones(len(overlap.key_size)))
    response = overlap.by_document(overlap.response_document, np.ones(len(overlap.response_size)))
    return np.stack([aligned, key, aligned, response], axis=1)


CEAFM = OverlapMetric(
    id="ceafm",
    name="CEAFm",
    is_recall_of_key=True,
    credit_both=credit_mentions,
)
CEAFE = OverlapMetric(
    id="ceafe",
    name="CEAFe",
    integral=False,
    is_recall_of_key=True,
    credit_both=credit_entities,
)
CEAF_PHI1 = OverlapMetric(
    id="ceaf_phi1",
    name="CEAF φ₁",
    count_overlap=count_same_entities,
)
CEAF_PHI2 = OverlapMetric(
    id="ceaf_phi2",
    name="CEAF φ₂",
    count_overlap=count_overlapping_entities,
)
