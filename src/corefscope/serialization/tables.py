"""Stored counts as arrays, checked against the stored scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, METRICS, Metric
from corefscope.metrics.counts import BLOCK, FiguresOfCounts, plain_figures
from corefscope.profiles import Profile
from corefscope.serialization.fields import Damage, a_list, a_number, an_object, field

FIGURES = ("recall", "precision", "f1")
SIDES = ("recall_counts", "precision_counts")
SIDES_OF_COUNTS = ("recall_counts", "recall_counts", "precision_counts", "precision_counts")
TOLERANCE = 1e-9
"""How much a score may differ from the score that its counts give."""


class Tables:
    """The counts of records, one row per record: of the totals, or of the documents.

    ``total_of`` is the number of documents if the records are totals. In a macro average, the
    counts of totals are sums of recall and precision over that many documents.
    """

    def __init__(
        self,
        records: Sequence[object],
        places: Sequence[str],
        profile: Profile,
        total_of: int | None,
        ids: Sequence[str] | None = None,
    ) -> None:
        metrics = [
            an_object(field(record, "metrics", place), f"{place}.metrics")
            for record, place in zip(records, places, strict=True)
        ]
        self.is_macro = total_of is not None and profile.average == "macro"
        self.documents = total_of
        self.profile = profile
        self.counts: dict[str, Floats] = {}
        self.own: dict[str, Floats] = {}
        self.figures: dict[str, Floats] = {}
        for id in ids if ids is not None else [id for id in metrics[0] if id in METRICS]:
            at = [f"{place}.metrics" for place in places]
            scores = [field(each, id, place) for each, place in zip(metrics, at, strict=True)]
            self._read(profile.adapted(METRICS[id]), scores, [f"{place}.{id}" for place in at])
        self._check_conll(records, places)

    def _read(self, metric: Metric, records: Sequence[object], places: Sequence[str]) -> None:
        parts = {} if self.is_macro else metric.parts
        own, figures = _block(metric, records, places)
        blocks = {}
        for name, number in parts.items():
            inner = [f"{place}.{name}" for place in places]
            given = [field(each, name, at) for each, at in zip(records, places, strict=True)]
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

    def _check_conll(self, records: Sequence[object], places: Sequence[str]) -> None:
        """Check the CoNLL score, which must be null without its three metrics."""
        has_all = CONLL.is_known(self.figures)
        for row, (record, place) in enumerate(zip(records, places, strict=True)):
            found = field(record, "conll", place)
            if not has_all:
                if found is not None:
                    raise Damage(f"{place}.conll: {found!r} without its three metrics")
                continue
            expected = CONLL.mean({id: float(f[row, 2]) for id, f in self.figures.items()})
            if not abs(a_number(found, f"{place}.conll") - expected) <= TOLERANCE:
                raise Damage(f"{place}.conll: {found} is not the mean of its metrics, {expected}")


def _block(
    metric: Metric | None, records: Sequence[object], places: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return four counts of each record, and recall, precision and F1."""
    counts = np.empty((len(records), BLOCK))
    figures = np.empty((len(records), len(FIGURES)))
    is_single = metric is not None and metric.is_single
    for row, (record, place) in enumerate(zip(records, places, strict=True)):
        for start, side in ((0, SIDES[0]), (2, SIDES[1])):
            given = a_list(field(record, side, place), f"{place}.{side}")
            if len(given) != 2:
                raise Damage(f"{place}.{side}: {len(given)} numbers instead of two")
            counts[row, start : start + 2] = [a_number(each, f"{place}.{side}") for each in given]
        for column, name in enumerate(FIGURES):
            figure = field(record, name, place)
            is_none = is_single and name != "f1"
            if is_none and figure is not None:
                raise Damage(f"{place}.{name}: {figure!r} for a metric that has none")
            figures[row, column] = nan if is_none else a_number(figure, f"{place}.{name}")
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
