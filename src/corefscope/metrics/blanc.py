"""BLANC: coreference and non-coreference links (Recasens & Hovy 2011; Luo et al. 2014).

Links are not enumerated; their numbers follow from the sizes of entities and the table of overlaps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, Overlap, whole_sums
from corefscope.metrics.counts import BLOCK, plain_figures
from corefscope.metrics.metric import OverlapMetric


def pairs(n: Integers) -> Integers:
    """Return C(n, 2), the number of links between n mentions."""
    return np.asarray(n * (n - 1) // 2)


def count(overlap: Overlap) -> Floats:
    """Count the links of both kinds in the key, in the response and in both.

    Let N be the number of common mentions of a document, and κᵢ and ρⱼ the numbers of common
    mentions of each entity. The number of links that are non-coreferent on both sides is, by
    inclusion and exclusion, C(N,2) − Σ C(κᵢ,2) − Σ C(ρⱼ,2) + Σ C(nᵢⱼ,2).
    """
    key, response = _links(overlap), _links(overlap.transposed)
    document = overlap.cell_document
    both = whole_sums(document, pairs(overlap.n), overlap.documents)
    common = pairs(whole_sums(document, overlap.n, overlap.documents))
    neither = common - _kept(overlap) - _kept(overlap.transposed) + both
    # Whole numbers until here: with many mentions, differences of floats would be wrong.
    columns = [both, key[0], both, response[0], neither, key[1], neither, response[1]]
    return np.stack(columns, axis=1).astype(np.float64)


def _links(overlap: Overlap) -> tuple[Integers, Integers]:
    """Return the numbers of coreference and non-coreference links of the key."""
    document, size = overlap.key_document, overlap.key_size
    mentions = whole_sums(document, size, overlap.documents)
    coreferent = whole_sums(document, pairs(size), overlap.documents)
    return coreferent, pairs(mentions) - coreferent


def _kept(overlap: Overlap) -> Integers:
    """Return the number of coreference links of the key between common mentions."""
    return whole_sums(overlap.key_document, pairs(overlap.key_common), overlap.documents)


def _mean(kinds: Floats, present: NDArray[np.bool_]) -> Floats:
    """Return the mean figures over the kinds that are present; 0 if none is."""
    share = np.maximum(present.sum(axis=-1, keepdims=True), 1)
    return np.asarray((kinds * present[..., np.newaxis]).sum(axis=-2) / share)


def _kinds(counts: Floats) -> Floats:
    """Split rows into one row of four counts for each kind of link."""
    return counts.reshape(*counts.shape[:-1], 2, BLOCK)


def figures(counts: Floats) -> Floats:
    """Return the mean over the kinds of links that the key has; 0 if it has no links.

    F is the mean of the two F1, not the harmonic mean of recall and precision.
    """
    kinds = _kinds(counts)
    return _mean(plain_figures(kinds), kinds[..., 1] != 0)


def figures_of_both_sides(counts: Floats) -> Floats:
    """Return the mean over the kinds of links that key or response has.

    This is the rule of the CorefUD and Universal Anaphora scorers.
    """
    kinds = _kinds(counts)
    return _mean(plain_figures(kinds), (kinds[..., 1] != 0) | (kinds[..., 3] != 0))


def figures_of_split_antecedents(counts: Floats) -> Floats:
    """Mean of the two kinds of links, where split antecedents alone are counted.

    Rows have both kinds for these, and then both for all mentions: a kind that neither side has
    among all of its mentions is left out. The rule of the Universal Anaphora scorers.
    """
    alone, ordinary = (_kinds(half) for half in np.split(counts, 2, axis=-1))
    return _mean(plain_figures(alone), (ordinary[..., 1] != 0) | (ordinary[..., 3] != 0))


KINDS = {"coreference": 0, "non_coreference": 1}
PARTS_OF_SPLIT_ANTECEDENTS = {**KINDS, "all_coreference": 2, "all_non_coreference": 3}
"""Links of split antecedents alone, and of all mentions."""

BLANC = OverlapMetric(
    id="blanc",
    name="BLANC",
    figures=figures,
    parts=KINDS,
    is_mean=True,
    count_overlap=count,
)
