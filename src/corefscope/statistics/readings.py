"""Compute statistics from summed counts: the figure of each metric, and the CoNLL average."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, statistics_of
from corefscope.metrics.counts import FiguresOfCounts
from corefscope.scoring.scores import Scores

F1 = 2
"""The position of F1 among recall, precision and F1."""


class Readings(Struct, frozen=True):
    """The statistics of a comparison, and the columns of their counts in a row.

    Every statistic is recomputed from summed counts: the F1 of a resample is not a mean of F1s, and
    the CoNLL average is the mean of three ratios, not a ratio itself.
    """

    ids: tuple[str, ...]
    """The metrics, and ``conll`` if its three metrics are among them."""
    columns: tuple[slice, ...]
    figures: tuple[FiguresOfCounts, ...]

    @property
    def width(self) -> int:
        """The number of counts in a row."""
        return int(self.columns[-1].stop)

    def read(self, sums: Floats) -> Floats:
        """Return the statistics of rows of summed counts, along the last axis."""
        values = [
            figures(sums[..., columns])[..., F1]
            for columns, figures in zip(self.columns, self.figures, strict=True)
        ]
        if CONLL.id in self.ids:
            values.append(CONLL.mean(dict(zip(self.ids, values, strict=False))))
        return np.stack(values, axis=-1)


def readings_of(scores: Scores) -> Readings:
    """Return the statistics that can be computed from the counts of a response."""
    columns, figures, start = [], [], 0
    for id in scores.counts:
        rows, read = scores.additive(id)
        columns.append(slice(start, start + rows.shape[1]))
        figures.append(read)
        start += rows.shape[1]
    ids = tuple(statistic.id for statistic in statistics_of(scores.counts))
    return Readings(ids, tuple(columns), tuple(figures))


def rows_of(scores: Scores) -> Floats:
    """Return one row of counts per document, the metrics side by side."""
    return np.concatenate([scores.additive(id)[0] for id in scores.counts], axis=1)
