"""BLANC: links between mentions, coreferent and not (Recasens & Hovy 2011; Luo et al. 2014).

No link is enumerated: a document's links are counted from the sizes and the table.
"""

from __future__ import annotations

import numpy as np

from corefscope.corpus import Integers
from corefscope.metrics.counts import Metric, Score, plain_score
from corefscope.overlap import Floats, Overlap, sums


def pairs(n: Floats | Integers) -> Floats:
    """C(n, 2), the number of links between n mentions."""
    return np.asarray(n * (n - 1.0) / 2)


def count(overlap: Overlap) -> Floats:
    """Count links of both kinds in key, response and both.

    The links between the N common mentions of a document that are non-coreferent on both sides
    are, by inclusion and exclusion, C(N,2) − Σ C(κᵢ,2) − Σ C(ρⱼ,2) + Σ C(nᵢⱼ,2), where κᵢ and ρⱼ
    are the common mentions of each entity.
    """
    key, response = _links(overlap), _links(overlap.transposed)
    both = overlap.by_document(overlap.cell_document, pairs(overlap.n))
    common = pairs(overlap.by_document(overlap.cell_document, overlap.n))
    neither = common - _kept(overlap) - _kept(overlap.transposed) + both
    return np.stack(
        [both, key[0], both, response[0], neither, key[1], neither, response[1]], axis=1
    )


def _links(overlap: Overlap) -> tuple[Floats, Floats]:
    """Coreference and non-coreference links of the key."""
    mentions = overlap.by_document(overlap.key_document, overlap.key_size)
    coreferent = overlap.by_document(overlap.key_document, pairs(overlap.key_size))
    return coreferent, pairs(mentions) - coreferent


def _kept(overlap: Overlap) -> Floats:
    """Coreference links of the key between mentions that the response has, too."""
    common = sums(overlap.key, overlap.n, len(overlap.key_size))
    return overlap.by_document(overlap.key_document, pairs(common))


def score(counts: Floats) -> Score:
    """Mean of the two kinds; of one kind alone where the key has no link of the other.

    F is the mean of the two F1, not the harmonic mean of recall and precision. A key with no link
    at all gives 0.
    """
    coreference, non_coreference = plain_score(counts[:4]), plain_score(counts[4:])
    kinds = {"coreference": coreference, "non_coreference": non_coreference}
    present = [kind for kind in kinds.values() if kind.recall_counts[1]]
    share = max(len(present), 1)
    return Score(
        sum(kind.recall for kind in present) / share,
        sum(kind.precision for kind in present) / share,
        sum(kind.f1 for kind in present) / share,
        _added(coreference.recall_counts, non_coreference.recall_counts),
        _added(coreference.precision_counts, non_coreference.precision_counts),
        kinds,
    )


def _added(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return one[0] + other[0], one[1] + other[1]


BLANC = Metric("blanc", "BLANC", count, score)
