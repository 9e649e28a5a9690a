"""Distributions of scores and differences over resamples, as histograms."""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.report.record import Distributions, Histogram
from corefscope.statistics.result import SystemComparison

BINS = 60
SAME = 1e-9
"""Values that differ by less count as one value; the range is too small for bins."""
MOST_PAIRS = 66
"""The largest number of pairs of systems with histograms; a page cannot show more curves."""


def distributions_of(comparison: SystemComparison) -> dict[str, Distributions] | None:
    """Return the histograms of each statistic, by system and by pair of systems.

    Each histogram covers the range of its own values. With one range for all, the bins of a narrow
    distribution would reach beyond its values, possibly across zero.
    """
    drawn = comparison.resamples
    first = comparison.estimates[comparison.systems[0]][comparison.primary]
    if first.low is None:
        return None
    place = {name: number for number, name in enumerate(comparison.systems)}
    pairs = list(dict.fromkeys((d.system, d.other) for d in comparison.differences))
    return {
        statistic: Distributions(
            systems=[_histogram(drawn[:, s, number]) for s in place.values()],
            differences=None
            if len(pairs) > MOST_PAIRS
            else [
                _histogram(drawn[:, place[a], number] - drawn[:, place[b], number])
                for a, b in pairs
            ],
        )
        for number, statistic in enumerate(comparison.statistics)
    }


def _histogram(values: Floats) -> Histogram:
    """Count values in bins of equal width from lowest to highest; equal values get one bin."""
    low, high = float(values.min()), float(values.max())
    if high - low < SAME:
        return Histogram(low=low, high=high, counts=[len(values)])
    counts = np.histogram(values, BINS, (low, high))[0]
    return Histogram(low=low, high=high, counts=counts.tolist())
