"""Scores of the Universal Anaphora scorers: documents, entities, metrics and doubts together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from corefscope.corpus import Corpus
from corefscope.extensions.universal_anaphora.alignment import align
from corefscope.extensions.universal_anaphora.counting import (
    MEASURES,
    FourCounts,
    Measure,
    count_others,
    count_splits_only,
    count_with_splits,
)
from corefscope.extensions.universal_anaphora.documents import paired_documents
from corefscope.extensions.universal_anaphora.doubts import UaDoubts
from corefscope.extensions.universal_anaphora.entities import Scored, scored
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.extensions.universal_anaphora.shifts import Shifted, shifts_between
from corefscope.extensions.universal_anaphora.tables import UaTable
from corefscope.extensions.universal_anaphora.unexpressed import unexpressed
from corefscope.findings import Finding
from corefscope.matching.overlap import Floats

MetricCounts: TypeAlias = dict[str, list[float]]
"""The counts of a document by metric; nothing for a document that is left out."""
OTHERS = ("non_referring", "bridging_anaphor", "bridging_mention", "bridging_entity")


class UaCounts(Struct, frozen=True):
    """What was counted, one row per document of the key."""

    counts: Mapping[str, Floats]
    """For each metric the numerator and denominator of recall, then of precision.

    BLANC has these for links within entities and between them. Where split antecedents alone are
    scored it has both kinds of links of all mentions after that, which decide which kind counts.
    """
    findings: Sequence[Finding] = field(default_factory=tuple)
    shifted: Shifted | None = None
    """What version 1 would count if both sides had the same empty nodes."""


def score_universal_anaphora(
    key: Corpus, response: Corpus, rules: UaRules, metrics: Iterable[str] | None = None
) -> UaCounts:
    """Count as the Universal Anaphora scorer of a version does.

    Parameters
    ----------
    key, response
        The corpora. Those of other formats than Universal Anaphora have entities only.
    rules
        The version of the scorer, and its options.
    metrics
        The ids of metrics; by default all that the rules allow.

    Returns
    -------
    UaCounts
        The counts of each document of the key, in its order, and what is doubtful about them. A
        document that version 1 leaves out has zeros.

    Raises
    ------
    InvalidInput
        If the scorer refuses the input.
    """
    wanted = list(metrics) if metrics is not None else known_metrics(rules)
    rows: list[MetricCounts] = []
    doubts = UaDoubts(rules, key, response)
    pairs = paired_documents(key, response, rules, doubts.findings)
    for document, number in pairs:
        if number is None:
            rows.append({})
            continue
        sides = (
            scored(key, document, rules, is_key=True),
            scored(response, number, rules, is_key=False),
        )
        table = _table(*sides, rules)
        rows.append(_count(table, sides, rules, wanted))
        doubts.look_at(table, document, wanted)
        doubts.add(*sides, document)
    counts = _arrays(rows, rules, wanted)
    shifts = shifts_between(key, response, pairs) if rules.version == 1 else []
    shifted = None
    for shift in shifts:
        sides = (
            scored(key, shift.documents[0], rules, shift.number_of[0], is_key=True),
            scored(response, shift.documents[1], rules, shift.number_of[1], is_key=False),
        )
        rows[shift.documents[0]] = _count(_table(*sides, rules), sides, rules, wanted)
    if shifts:
        shifted = Shifted(shifts, _arrays(rows, rules, wanted))
    findings = (*doubts.all(), *unexpressed(key, response, pairs, rules, wanted))
    return UaCounts(counts, findings, shifted)


def _arrays(
    rows: Iterable[MetricCounts], rules: UaRules, metrics: Iterable[str]
) -> dict[str, Floats]:
    """Return the counts of each metric, one row per document; zeros where nothing was counted."""
    widths = {metric: width(metric, rules) for metric in metrics}
    return {
        metric: np.array(
            [row.get(metric, [0.0] * columns) for row in rows], dtype=np.float64
        ).reshape(-1, columns)
        for metric, columns in widths.items()
    }


def known_metrics(rules: UaRules) -> list[str]:
    """Return the metrics that can be had under some rules."""
    return [*MEASURES, *([] if rules.is_complete else OTHERS)]


def width(metric: str, rules: UaRules) -> int:
    """Return the number of counts in a row of a metric."""
    blocks = len(MEASURES.get(metric, (None,)))
    return len(FourCounts._fields) * blocks * (2 if _has_ordinary(metric, rules) else 1)


def _has_ordinary(metric: str, rules: UaRules) -> bool:
    return metric == "blanc" and rules.split_antecedents == "only"


def _table(key: Scored, response: Scored, rules: UaRules) -> UaTable:
    alignment = align(key.entities, response.entities, rules.match)
    return UaTable.of(key.entities, response.entities, alignment, rules.match == "min")


def _count(
    table: UaTable, sides: tuple[Scored, Scored], rules: UaRules, metrics: Iterable[str]
) -> MetricCounts:
    """Count one document."""
    others = count_others(*sides, by_minimum=table.by_minimum)
    count: Callable[[UaTable, Measure], FourCounts] = count_with_splits
    if rules.split_antecedents == "only":
        count = count_splits_only
    rows: MetricCounts = {}
    for metric in metrics:
        if metric in others:
            rows[metric] = list(others[metric])
            continue
        measures = MEASURES[metric]
        counts = [count(table, measure) for measure in measures]
        if _has_ordinary(metric, rules):
            counts += [count_with_splits(table, measure) for measure in measures]
        rows[metric] = [value for each in counts for value in each]
    return rows
