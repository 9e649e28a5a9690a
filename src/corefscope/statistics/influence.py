"""The influence of each unit on a score, by the delete-one jackknife, and the resulting variance.

A score is computed from summed counts, so the score without one unit is computed from the sums
minus the counts of that unit. This needs no derivatives, no random numbers, and
one pass per run.
"""

from __future__ import annotations

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Sample


def influences(sample: Sample, readings: Readings) -> list[Floats]:
    """Return for each system the influence of each unit on each run: [run, unit, statistic].

    The squared influences of a run add up to the jackknife variance of its score.
    """
    return [_left_out(np.stack(runs), readings) for runs in sample.runs]


def _left_out(rows: Floats, readings: Readings) -> Floats:
    """Return how much scores fall without each unit, centred and scaled: [run, unit, statistic]."""
    units = rows.shape[1]
    without = readings.read(rows.sum(axis=1, keepdims=True) - rows)
    moved = without.mean(axis=1, keepdims=True) - without
    return np.asarray(np.sqrt((units - 1) / units) * moved)


def over_runs(influence: Floats) -> Floats:
    """Return the influences on the mean over runs: [unit, statistic]."""
    return np.asarray(influence.mean(axis=0))


def variance(influence: Floats) -> Floats:
    """Return the variance of each statistic over samples of units."""
    return np.asarray((influence**2).sum(axis=0))


def freedom(influence: Floats) -> Floats:
    """Return the effective degrees of freedom of that variance, at most one less than the units.

    If a few long documents dominate the variance, it is known less well than the number of units
    suggests. The variance is a sum of squares, and its own variance follows from the fourth powers;
    with f degrees of freedom, it is 2/f times the squared variance (Satterthwaite 1946).
    """
    squares = variance(influence)
    most = float(len(influence) - 1)
    spread = (influence**4).sum(axis=0) - squares**2 / len(influence)
    is_less = spread * most > 2 * squares**2
    result = np.full_like(squares, most)
    np.divide(2 * squares**2, spread, out=result, where=is_less)
    return result
