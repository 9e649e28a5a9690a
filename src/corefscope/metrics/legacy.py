"""B³ and CEAF as papers of 2009 to 2013 have them: mentions dealt with before anything is counted.

A mention is twinless if the other side lacks it: spurious in the response, missing from it in the
key. Before it was settled that B³ and CEAF need no help with these (Pradhan et al. 2014), each
protocol deleted some and added others. The manipulations are done here on the table, document by
document, and the plain metric is counted on what they give.

These are for comparison with such papers only. Each metric says what it gets wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics import b3, ceaf
from corefscope.metrics.metric import OverlapMetric


def without_twinless_singletons(overlap: Overlap) -> Overlap:
    """Delete the response singletons that are spurious."""
    everything = np.ones(len(overlap.key_size), dtype=bool)
    has_twin = overlap.transposed.key_common > 0
    return overlap.keep(everything, has_twin | (overlap.response_size > 1))


def without_spurious(overlap: Overlap) -> Overlap:
    """Drop every spurious mention from its response entity; an entity left empty vanishes."""
    everything = np.ones(len(overlap.key_size), dtype=bool)
    common = overlap.transposed.key_common
    return replace(overlap, response_size=common).keep(everything, common > 0)


def with_missing(overlap: Overlap) -> Overlap:
    """Add every missing mention to the response, as a singleton."""
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
    """Add every spurious mention to the key, as a singleton."""
    return _in_order(with_missing(overlap.transposed).transposed)


def _in_order(overlap: Overlap) -> Overlap:
    """Sort the cells by key entity, then response entity."""
    order = np.lexsort((overlap.response, overlap.key))
    key, response, n = (cells[order] for cells in (overlap.key, overlap.response, overlap.n))
    return replace(overlap, key=key, response=response, n=n)


Count = Callable[[Overlap], Floats]


def algorithm_1(overlap: Overlap) -> tuple[Overlap, Overlap]:
    """Return the tables for recall and for precision (Cai & Strube 2010, Algorithm 1)."""
    response = with_missing(without_twinless_singletons(overlap))
    return without_spurious(response), with_spurious(response)


def _from_both(count: Count, for_recall: Overlap, for_precision: Overlap) -> Floats:
    """Count recall in one table and precision in another."""
    return np.hstack([count(for_recall)[:, :2], count(for_precision)[:, 2:]])


def _sys(count: Count, overlap: Overlap) -> Floats:
    for_recall, for_precision = algorithm_1(overlap)
    return _from_both(count, for_recall, for_precision)


def _v4(count: Count, overlap: Overlap) -> Floats:
    """Count recall, too, in the table for precision: what the CoNLL-2011 and -2012 scorer did."""
    _, for_precision = algorithm_1(overlap)
    return count(for_precision)


def count_b3_0(overlap: Overlap) -> Floats:
    """Drop spurious mentions, then B³ (Stoyanov et al. 2009)."""
    return b3.count(without_spurious(overlap))


def count_b3_all(overlap: Overlap) -> Floats:
    """Score a twinless mention as if it matched itself, 1 / |own entity| (Stoyanov et al. 2009).

    That is what it gets from a singleton of the same mention on the other side.
    """
    return _from_both(b3.count, with_missing(overlap), with_spurious(overlap))


def count_b3_rn(overlap: Overlap) -> Floats:
    """Delete twinless singletons, then B³all (Rahman & Ng 2009, as Cai & Strube read it)."""
    return count_b3_all(without_twinless_singletons(overlap))


def count_b3_rn_plain(overlap: Overlap) -> Floats:
    """Delete twinless singletons, then B³ (Rahman & Ng 2009, who do not say which)."""
    return b3.count(without_twinless_singletons(overlap))


def count_b3_sys(overlap: Overlap) -> Floats:
    """B³ in the tables of Algorithm 1."""
    return _sys(b3.count, overlap)


def count_b3_v4(overlap: Overlap) -> Floats:
    """B³ in the one table of the CoNLL-2011 and -2012 scorer."""
    return _v4(b3.count, overlap)


def count_ceafm_rn(overlap: Overlap) -> Floats:
    """Delete twinless singletons, then CEAFm (Rahman & Ng 2011)."""
    return ceaf.count_mentions(without_twinless_singletons(overlap))


def count_ceafe_rn(overlap: Overlap) -> Floats:
    """Delete twinless singletons, then CEAFe (Rahman & Ng 2011)."""
    return ceaf.count_entities(without_twinless_singletons(overlap))


def count_ceafm_sys(overlap: Overlap) -> Floats:
    """CEAFm in the tables of Algorithm 1, each with an alignment of its own."""
    return _sys(ceaf.count_mentions, overlap)


def count_ceafe_sys(overlap: Overlap) -> Floats:
    """CEAFe in the tables of Algorithm 1: not in the paper, but in version 6 of the scorer."""
    return _sys(ceaf.count_entities, overlap)


def count_ceafm_v4(overlap: Overlap) -> Floats:
    """CEAFm in the one table of the CoNLL-2011 and -2012 scorer."""
    return _v4(ceaf.count_mentions, overlap)


def count_ceafe_v4(overlap: Overlap) -> Floats:
    """CEAFe in the one table of the CoNLL-2011 and -2012 scorer."""
    return _v4(ceaf.count_entities, overlap)


def _legacy(id: str, name: str, count: Count, fault: str) -> OverlapMetric:
    return OverlapMetric(
        id=id,
        name=name,
        group="legacy",
        integral=id.startswith("ceafm"),
        fault=fault,
        count_overlap=count,
    )


RN_FAULT = "Spurious singletons are free: they are deleted before anything is counted."
RN_B3_FAULT = (
    "Spurious singletons are free, and a singleton split off for a missing mention raises "
    "precision."
)

LEGACY_METRICS = (
    _legacy("b3_0", "B³₀", count_b3_0, "Spurious mentions are free: precision does not see them."),
    _legacy("b3_all", "B³all", count_b3_all, "A spurious singleton raises precision."),
    _legacy("b3_rn", "B³r&n", count_b3_rn, RN_B3_FAULT),
    _legacy("b3_rn_plain", "B³r&n plain", count_b3_rn_plain, RN_B3_FAULT),
    _legacy(
        "b3_sys",
        "B³sys",
        count_b3_sys,
        "For a key of one entity of three mentions an empty response scores 50, and two wrong "
        "mentions score 47.",
    ),
    _legacy(
        "b3_v4",
        "B³ v4",
        count_b3_v4,
        "Spurious mentions raise recall: for a key of one entity of three mentions two wrong ones "
        "score 69.",
    ),
    _legacy("ceafm_rn", "CEAFm r&n", count_ceafm_rn, RN_FAULT),
    _legacy("ceafe_rn", "CEAFe r&n", count_ceafe_rn, RN_FAULT),
    _legacy(
        "ceafm_sys",
        "CEAFm sys",
        count_ceafm_sys,
        "Missing mentions are found by themselves: for a key of one entity of three mentions two "
        "wrong ones score 36.",
    ),
    _legacy(
        "ceafe_sys",
        "CEAFe sys",
        count_ceafe_sys,
        "Missing mentions are found by themselves: for a key of one entity of three mentions two "
        "wrong ones score 37.",
    ),
    _legacy(
        "ceafm_v4",
        "CEAFm v4",
        count_ceafm_v4,
        "Recall is taken over spurious mentions, too: for a key of one entity of three mentions "
        "two wrong ones score 40.",
    ),
    _legacy(
        "ceafe_v4",
        "CEAFe v4",
        count_ceafe_v4,
        "Recall is taken over spurious mentions, too: for a key of one entity of three mentions "
        "two wrong ones score 33.",
    ),
)
