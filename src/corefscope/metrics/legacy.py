"""Variants of B³ and CEAF in papers of 2009 to 2013, which change mentions before counting.

A mention is unmatched (papers say twinless) if the other side lacks it: it is spurious, or missing.
Before Pradhan et al. (2014) showed that B³ and CEAF need no special treatment of unmatched
mentions, each protocol deleted some of them and added others. This module makes these changes in
the table of overlaps, and then counts the plain metric.

Use these metrics only to compare with such papers. Each metric states its fault.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.b3 import B3
from corefscope.metrics.ceaf import CEAFE, CEAFM
from corefscope.metrics.metric import MeanF1, OverlapMetric
from corefscope.metrics.muc import MUC


def without_unmatched_singletons(overlap: Overlap) -> Overlap:
    """Delete the spurious singletons of the response."""
    everything = np.ones(len(overlap.key_size), dtype=bool)
    is_matched = overlap.transposed.key_common > 0
    return overlap.keep(everything, is_matched | (overlap.response_size > 1))


def without_spurious(overlap: Overlap) -> Overlap:
    """Delete every spurious mention, and response entities that are left empty."""
    everything = np.ones(len(overlap.key_size), dtype=bool)
    common = overlap.transposed.key_common
    return replace(overlap, response_size=common).keep(everything, common > 0)


def with_missing(overlap: Overlap) -> Overlap:
    """Add every missing mention to the response as a singleton."""
    missing = overlap.key_size - overlap.key_common
    of_key = np.repeat(np.arange(len(missing)), missing)
    alone = np.ones(len(of_key), dtype=np.int64)
    added = len(overlap.response_size) + np.arange(len(of_key))
    return _in_order(
        Overlap(
            documents=overlap.documents,
            key_document=overlap.key_document,
            key_size=overlap.key_size,
            response_document=np.concatenate(
                (overlap.response_document, overlap.key_document[of_key])
            ),
            response_size=np.concatenate((overlap.response_size, alone)),
            key=np.concatenate((overlap.key, of_key)),
            response=np.concatenate((overlap.response, added)),
            n=np.concatenate((overlap.n, alone)),
        )
    )


def with_spurious(overlap: Overlap) -> Overlap:
    """Add every spurious mention to the key as a singleton."""
    return _in_order(with_missing(overlap.transposed).transposed)


def _in_order(overlap: Overlap) -> Overlap:
    """Sort the cells by key entity, then response entity."""
    order = np.lexsort((overlap.response, overlap.key))
    key, response, n = (cells[order] for cells in (overlap.key, overlap.response, overlap.n))
    return replace(overlap, key=key, response=response, n=n)


Count = Callable[[Overlap], Floats]


def algorithm_1(overlap: Overlap) -> tuple[Overlap, Overlap]:
    """Return the tables for recall and for precision (Cai & Strube 2010, Algorithm 1)."""
    response = with_missing(without_unmatched_singletons(overlap))
    return without_spurious(response), with_spurious(response)


def _from_both(count: Count, for_recall: Overlap, for_precision: Overlap) -> Floats:
    """Count recall in one table, and precision in the other."""
    return np.hstack([count(for_recall)[:, :2], count(for_precision)[:, 2:]])


def _sys(count: Count, overlap: Overlap) -> Floats:
    return _from_both(count, *algorithm_1(overlap))


def _v4(count: Count, overlap: Overlap) -> Floats:
    """Count both in the table for precision, as the CoNLL-2011 and -2012 scorer did."""
    _, for_precision = algorithm_1(overlap)
    return count(for_precision)


def count_b3_0(overlap: Overlap) -> Floats:
    """Delete spurious mentions, then count B³ (Stoyanov et al. 2009)."""
    return B3.counts(without_spurious(overlap))


def count_b3_all(overlap: Overlap) -> Floats:
    """Give an unmatched mention the credit 1 / |own entity| (Stoyanov et al. 2009).

    This is the credit it gets if the other side has it as a singleton.
    """
    return _from_both(B3.counts, with_missing(overlap), with_spurious(overlap))


def count_b3_rn(overlap: Overlap) -> Floats:
    """Delete unmatched singletons, then count B³all (Rahman & Ng 2009, as Cai & Strube read it)."""
    return count_b3_all(without_unmatched_singletons(overlap))


def count_b3_rn_plain(overlap: Overlap) -> Floats:
    """Delete unmatched singletons, then count B³ (Rahman & Ng 2009, who do not say which)."""
    return B3.counts(without_unmatched_singletons(overlap))


def count_b3_sys(overlap: Overlap) -> Floats:
    """Count B³ in the tables of Algorithm 1."""
    return _sys(B3.counts, overlap)


def count_b3_v4(overlap: Overlap) -> Floats:
    """Count B³ in the table of the CoNLL-2011 and -2012 scorer."""
    return _v4(B3.counts, overlap)


def count_ceafm_rn(overlap: Overlap) -> Floats:
    """Delete unmatched singletons, then count CEAFm (Rahman & Ng 2011)."""
    return CEAFM.counts(without_unmatched_singletons(overlap))


def count_ceafe_rn(overlap: Overlap) -> Floats:
    """Delete unmatched singletons, then count CEAFe (Rahman & Ng 2011)."""
    return CEAFE.counts(without_unmatched_singletons(overlap))


def count_ceafm_sys(overlap: Overlap) -> Floats:
    """Count CEAFm in the tables of Algorithm 1, each with its own alignment."""
    return _sys(CEAFM.counts, overlap)


def count_ceafe_sys(overlap: Overlap) -> Floats:
    """Count CEAFe in the tables of Algorithm 1, as version 6 of the scorer did (not the paper)."""
    return _sys(CEAFE.counts, overlap)


def count_ceafm_v4(overlap: Overlap) -> Floats:
    """Count CEAFm in the table of the CoNLL-2011 and -2012 scorer."""
    return _v4(CEAFM.counts, overlap)


def count_ceafe_v4(overlap: Overlap) -> Floats:
    """Count CEAFe in the table of the CoNLL-2011 and -2012 scorer."""
    return _v4(CEAFE.counts, overlap)


def _legacy(id: str, name: str, count: Count, fault: str) -> OverlapMetric:
    return OverlapMetric(
        id=id,
        name=name,
        integral=id.startswith("ceafm"),
        fault=fault,
        count_overlap=count,
    )


RN_FAULT = "Spurious singletons cost nothing, because they are deleted before counting."
RN_B3_FAULT = (
    "Spurious singletons cost nothing, and adding a missing mention as a singleton raises "
    "precision."
)

LEGACY_METRICS = (
    _legacy("b3_0", "B³₀", count_b3_0, "Spurious mentions cost no precision."),
    _legacy("b3_all", "B³all", count_b3_all, "A spurious singleton raises precision."),
    _legacy("b3_rn", "B³r&n", count_b3_rn, RN_B3_FAULT),
    _legacy("b3_rn_plain", "B³r&n plain", count_b3_rn_plain, RN_B3_FAULT),
    _legacy(
        "b3_sys",
        "B³sys",
        count_b3_sys,
        "If the key is one entity of three mentions, an empty response scores 50, and two wrong "
        "mentions score 47.",
    ),
    _legacy(
        "b3_v4",
        "B³ v4",
        count_b3_v4,
        "Spurious mentions raise recall: if the key is one entity of three mentions, two wrong "
        "mentions score 69.",
    ),
    _legacy("ceafm_rn", "CEAFm r&n", count_ceafm_rn, RN_FAULT),
    _legacy("ceafe_rn", "CEAFe r&n", count_ceafe_rn, RN_FAULT),
    _legacy(
        "ceafm_sys",
        "CEAFm sys",
        count_ceafm_sys,
        "Missing mentions count as found: if the key is one entity of three mentions, two wrong "
        "mentions score 36.",
    ),
    _legacy(
        "ceafe_sys",
        "CEAFe sys",
        count_ceafe_sys,
        "Missing mentions count as found: if the key is one entity of three mentions, two wrong "
        "mentions score 37.",
    ),
    _legacy(
        "ceafm_v4",
        "CEAFm v4",
        count_ceafm_v4,
        "Recall includes spurious mentions: if the key is one entity of three mentions, two wrong "
        "mentions score 40.",
    ),
    _legacy(
        "ceafe_v4",
        "CEAFe v4",
        count_ceafe_v4,
        "Recall includes spurious mentions: if the key is one entity of three mentions, two wrong "
        "mentions score 33.",
    ),
)
CONLL_V4 = MeanF1(
    id="conll_v4",
    name="CoNLL in 2011 and 2012",
    metrics=(MUC, *(each for each in LEGACY_METRICS if each.id in ("b3_v4", "ceafe_v4"))),
)
