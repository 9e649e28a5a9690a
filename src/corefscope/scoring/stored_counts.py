"""Stored counts as arrays, checked against the stored scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import nan

import numpy as np
from msgspec import UNSET

from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, METRICS, Metric
from corefscope.metrics.counts import BLOCK, FiguresOfCounts, plain_figures
from corefscope.profiles import Profile
from corefscope.scoring.record import DocumentScoresRecord, ScoredSystem, ScoreRecord

FIGURES = ("recall", "precision", "f1")
SIDES_OF_COUNTS = ("recall_counts", "recall_counts", "precision_counts", "precision_counts")
TOLERANCE = 1e-9
"""How much a score may differ from the score that its counts give."""


def _is_read(id: str) -> bool:
    """Return whether a metric is known, and its parts are fields of a record."""
    return id in METRICS and METRICS[id].parts.keys() <= {*ScoreRecord.__struct_fields__}


class Damage(ValueError):
    """An error in a record: where it is, and what is wrong."""


def all_differ(names: Sequence[str], where: str) -> None:
    """Raise Damage if a name occurs twice."""
    for name, times in Counter(names).items():
        if times > 1:
            raise Damage(f"{where}: two are named {name!r}")


class Tables:
    """The counts of records, one row per record: of the totals, or of the documents.

    ``total_of`` is the number of documents if the records are totals. In a macro average, the
    counts of totals are sums of recall and precision over that many documents.
    """

    def __init__(
        self,
        records: Sequence[ScoredSystem | DocumentScoresRecord],
        places: Sequence[str],
        profile: Profile,
        total_of: int | None,
        ids: Sequence[str] | None = None,
    ) -> None:
        metrics = [record.metrics for record in records]
        self.is_macro = total_of is not None and profile.average == "macro"
        self.documents = total_of
        self.profile = profile
        self.counts: dict[str, Floats] = {}
        self.own: dict[str, Floats] = {}
        self.figures: dict[str, Floats] = {}
        for id in ids if ids is not None else filter(_is_read, metrics[0]):
            at = [f"{place}.metrics" for place in places]
            for each, place in zip(metrics, at, strict=True):
                if id not in each:
                    raise Damage(f"{place}.{id}: missing")
            scores = [each[id] for each in metrics]
            self._read(profile.adapted(METRICS[id]), scores, [f"{place}.{id}" for place in at])
        self._check_conll(records, places)

    def _read(self, metric: Metric, records: Sequence[ScoreRecord], places: Sequence[str]) -> None:
        parts = {} if self.is_macro else metric.parts
        own, figures = _block(metric, records, places)
        blocks = {}
        for name, number in parts.items():
            inner = [f"{place}.{name}" for place in places]
            given = [getattr(each, name) for each in records]
            if UNSET in given:
                raise Damage(f"{inner[given.index(UNSET)]}: missing")
            blocks[number], found = _block(None, given, inner)
            _check(inner, found, plain_figures(blocks[number]))
        if metric.is_mean and not self.is_macro:
            whole = np.sum([blocks[number] for number in sorted(blocks)], axis=0)
            _check(places, own, whole, SIDES_OF_COUNTS)
        else:
            blocks[0] = own
        counts = np.hstack([blocks[number] for number in sorted(blocks)])
        self._check_counts(metric, counts, places)
        _check(places, figures, self._figures(metric)(counts))
        _check_range(metric, figures, places)
        self.counts[metric.id], self.own[metric.id] = counts, own
        self.figures[metric.id] = figures

    def _figures(self, metric: Metric) -> FiguresOfCounts:
        return metric.averaged_figures if self.is_macro else metric.figures

    def _check_counts(self, metric: Metric, counts: Floats, places: Sequence[str]) -> None:
        """Refuse negative counts, and fractions where whole things are counted."""
        checked = counts[:, 1::2] if metric.least < 0 else counts
        is_whole = metric.integral and self.profile.duplicates != "reference"
        is_bad = (checked < 0).any(axis=1)
        if is_whole and not self.is_macro:
            is_bad |= (checked != np.floor(checked)).any(axis=1)
        if self.is_macro:
            is_bad |= (counts[:, 1::2] != self.documents).any(axis=1)
        if is_bad.any():
            row = int(np.argmax(is_bad))
            raise Damage(f"{places[row]}: {counts[row].tolist()} are not counts of this metric")

    def _check_conll(
        self, records: Sequence[ScoredSystem | DocumentScoresRecord], places: Sequence[str]
    ) -> None:
        """Check the CoNLL score, which must be null without its three metrics."""
        has_all = CONLL.is_known(self.figures)
        for row, (record, place) in enumerate(zip(records, places, strict=True)):
            if not has_all:
                if record.conll is not None:
                    raise Damage(f"{place}.conll: {record.conll!r} without its three metrics")
                continue
            expected = CONLL.mean({id: float(f[row, 2]) for id, f in self.figures.items()})
            if record.conll is None or not abs(record.conll - expected) <= TOLERANCE:
                found = f"{record.conll} is not the mean of its metrics"
                raise Damage(f"{place}.conll: {found}, {expected}")


def _block(
    metric: Metric | None, records: Sequence[ScoreRecord], places: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return four counts of each record, and recall, precision and F1."""
    pairs = [(*record.recall_counts, *record.precision_counts) for record in records]
    counts = np.array(pairs, dtype=float).reshape(-1, BLOCK)
    given = [(record.recall, record.precision, record.f1) for record in records]
    is_single = metric is not None and metric.is_single
    for place, (recall, precision, _) in zip(places, given, strict=True):
        if (recall is None, precision is None) != (is_single, is_single):
            has = "has none" if is_single else "has both"
            raise Damage(f"{place}: recall and precision of a metric that {has}")
    figures = np.array([[nan if each is None else each for each in row] for row in given])
    is_finite = np.isfinite(counts).all(axis=1) & np.isfinite(figures[:, 2:]).all(axis=1)
    if not is_finite.all():
        raise Damage(f"{places[int(np.argmin(is_finite))]}: a number is not finite")
    return counts, figures


def _check(
    places: Sequence[str], found: Floats, expected: Floats, names: Sequence[str] = FIGURES
) -> None:
    """Refuse figures that differ from those that the counts give."""
    is_near = np.isclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    if not is_near.all():
        row, column = (int(place) for place in np.argwhere(~is_near)[0])
        raise Damage(
            f"{places[row]}.{names[column]}: {found[row, column]} does not follow from the counts, "
            f"which give {expected[row, column]}"
        )


def _check_range(metric: Metric, figures: Floats, places: Sequence[str]) -> None:
    low, high = metric.least, metric.greatest
    is_bad = ((figures < low - TOLERANCE) | (figures > high + TOLERANCE)).any(axis=1)
    if is_bad.any():
        row = int(np.argmax(is_bad))
        raise Damage(f"{places[row]}: a score outside {low:g} to {high:g}")
