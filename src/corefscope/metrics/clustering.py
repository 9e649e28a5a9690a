"""Clustering indices, which entity resolution reports, on the mentions that both sides have.

A clustering index compares two partitions of one set. So mentions that one side lacks are left out,
and the coverage says how many remain. Pairs and entropies are counted within documents and summed
over documents; the entropy of a corpus is conditional on the document.

If the common mentions can only be clustered correctly (they are one entity on both sides, or all
singletons), the index is 1, as in scikit-learn. Without common mentions it is 0.
"""

from __future__ import annotations

from math import fsum, inf, log
from typing import TypeAlias

import numpy as np

from corefscope.corpus import Integers
from corefscope.formatting import NATS
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.blanc import pairs
from corefscope.metrics.counts import BLOCK, only_f1, ratios, single_figure, with_f1
from corefscope.metrics.metric import OverlapMetric

Sizes: TypeAlias = tuple[Integers, Integers]
"""Numbers of mentions, each after the document that it belongs to."""


def count_agreeing_pairs(overlap: Overlap) -> Floats:
    """Count the pairs on which both sides agree, N + 2Σᵢⱼ − Σₐ − Σᵦ, over all N (Rand 1971).

    Σᵢⱼ, Σₐ and Σᵦ are the numbers of pairs that are in one entity on both sides, in the key, and in
    the response.
    """
    together, key, response, both = _pairs(overlap)
    return _single(overlap, together + 2 * both - key - response, together)


def count_adjusted_pairs(overlap: Overlap) -> Floats:
    """Count Σᵢⱼ − E over ½(Σₐ + Σᵦ) − E, with E = Σₐ Σᵦ / N (Hubert & Arabie 1985, equation 5).

    E is the value expected by chance. Each difference is rounded only once, so that both are equal
    for equal partitions, and 0 if there is nothing to adjust.
    """
    above, below = np.zeros(overlap.documents), np.zeros(overlap.documents)
    columns = (values.astype(np.int64).tolist() for values in _pairs(overlap))
    for document, (together, key, response, both) in enumerate(zip(*columns, strict=True)):
        if together:
            chance = key * response
            above[document] = (both * together - chance) / together
            below[document] = ((key + response) * together - 2 * chance) / (2 * together)
    return _single(overlap, above, below)


def count_information(overlap: Overlap) -> Floats:
    """Count I over H(response) and over H(key), in nats (Rosenberg & Hirschberg 2007).

    The first is completeness, our recall; the second is homogeneity, our precision. All counts are
    multiplied by the number N of common mentions: N·H(K) = N ln N − Σ κᵢ ln κᵢ, where κᵢ are the
    common mentions of an entity, and N·I = N ln N − Σ κᵢ ln κᵢ − Σ ρⱼ ln ρⱼ + Σ nᵢⱼ ln nᵢⱼ.
    """
    whole, key, response, both = _groups(overlap)
    n = overlap.documents
    information = _sums_of_logs(n, (1, whole), (-1, key), (-1, response), (1, both))
    key_entropy = _sums_of_logs(n, (1, whole), (-1, key))
    response_entropy = _sums_of_logs(n, (1, whole), (-1, response))
    return _with_coverage(overlap, information, response_entropy, information, key_entropy)


def count_variation(overlap: Overlap) -> Floats:
    """Count H(K) + H(R) − 2I, times the common mentions, over the common mentions (Meilă 2003)."""
    _, key, response, both = _groups(overlap)
    variation = _sums_of_logs(overlap.documents, (1, key), (1, response), (-2, both))
    return _single(overlap, variation, _common(overlap))


def count_majorities(overlap: Overlap) -> Floats:
    """Count Σⱼ maxᵢ nᵢⱼ: the largest overlap of each response entity with a key entity.

    Over the common mentions this is purity (Zhao & Karypis 2001), our precision. Inverse purity,
    our recall, is the same with key and response swapped.
    """
    mentions = _common(overlap)
    key, response = _majorities(overlap), _majorities(overlap.transposed)
    return _with_coverage(overlap, key, mentions, response, mentions)


def _majorities(overlap: Overlap) -> Floats:
    """Return Σᵢ maxⱼ nᵢⱼ."""
    largest = np.zeros(len(overlap.key_size), dtype=np.int64)
    np.maximum.at(largest, overlap.key, overlap.n)
    return overlap.by_document(overlap.key_document, largest)


def _common(overlap: Overlap) -> Floats:
    return overlap.by_document(overlap.cell_document, overlap.n)


def _groups(overlap: Overlap) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """Return the common mentions of documents, of entities of each side, and of cells."""
    return (
        (np.arange(overlap.documents), _common(overlap).astype(np.int64)),
        (overlap.key_document, overlap.key_common),
        (overlap.response_document, overlap.transposed.key_common),
        (overlap.cell_document, overlap.n),
    )


def _pairs(overlap: Overlap) -> list[Floats]:
    """Return N, Σₐ, Σᵦ and Σᵢⱼ: all pairs of common mentions, and those within entities."""
    return [
        overlap.by_document(document, pairs(mentions)) for document, mentions in _groups(overlap)
    ]


def _sums_of_logs(documents: int, *terms: tuple[int, Sizes]) -> Floats:
    """Return Σ w·x ln x for each document, where each term has a factor w and sizes x.

    Terms with equal x are combined first, and the few that remain are added with one rounding. So
    terms cancel exactly, and their order does not matter. Only rounding can make a sum negative.
    """
    document = np.concatenate([documents_of for _, (documents_of, _) in terms])
    x = np.concatenate([sizes for _, (_, sizes) in terms])
    factor = np.repeat([w for w, _ in terms], [len(sizes) for _, (_, sizes) in terms])
    base = int(x.max(initial=0)) + 1
    group, place = np.unique(document.astype(np.int64) * base + x, return_inverse=True)
    factors = np.bincount(place, weights=factor, minlength=len(group)).astype(np.int64)
    logs: list[list[float]] = [[] for _ in range(documents)]
    for number, size, times in zip(
        (group // base).tolist(), (group % base).tolist(), factors.tolist(), strict=True
    ):
        if size and times:
            logs[number].append(times * size * log(size))
    return np.array([max(fsum(of_document), 0.0) for of_document in logs])


def _with_coverage(overlap: Overlap, *own: Floats) -> Floats:
    """Append the coverage to the counts of an index: the share of common mentions of each side."""
    common = _common(overlap)
    key = overlap.by_document(overlap.key_document, overlap.key_size)
    response = overlap.by_document(overlap.response_document, overlap.response_size)
    return np.stack([*own, common, key, common, response], axis=1)


def _single(overlap: Overlap, above: Floats, below: Floats) -> Floats:
    return _with_coverage(overlap, above, below, above, below)


def _shares(above: Floats, below: Floats, counts: Floats) -> Floats:
    """Divide; the result is 1 if there are common mentions that can only be clustered correctly."""
    is_trivial = (below == 0) & (counts[..., BLOCK] > 0)
    return np.where(is_trivial, 1.0, ratios(above, below))


def index_figure(counts: Floats) -> Floats:
    """Return an index as F1, without recall and precision."""
    return only_f1(_shares(counts[..., 0], counts[..., 1], counts))


def information_figures(counts: Floats) -> Floats:
    """Return completeness, homogeneity, and the V-measure, which is their harmonic mean."""
    completeness = _shares(counts[..., 0], counts[..., 1], counts)
    homogeneity = _shares(counts[..., 2], counts[..., 3], counts)
    return with_f1(completeness, homogeneity)


COVERAGE = {"coverage": 1}

RAND = OverlapMetric(
    id="rand",
    name="Rand",
    figures=index_figure,
    parts=COVERAGE,
    is_single=True,
    count_overlap=count_agreeing_pairs,
)
ARI = OverlapMetric(
    id="ari",
    name="ARI",
    least=-1.0,
    figures=index_figure,
    integral=False,
    parts=COVERAGE,
    is_single=True,
    count_overlap=count_adjusted_pairs,
)
V = OverlapMetric(
    id="v",
    name="V-measure",
    figures=information_figures,
    integral=False,
    parts=COVERAGE,
    count_overlap=count_information,
)
VI = OverlapMetric(
    id="vi",
    name="VI",
    unit=NATS,
    greatest=inf,
    lower_is_better=True,
    figures=single_figure,
    integral=False,
    parts=COVERAGE,
    is_single=True,
    count_overlap=count_variation,
)
PURITY = OverlapMetric(
    id="purity",
    name="Purity",
    parts=COVERAGE,
    count_overlap=count_majorities,
)
