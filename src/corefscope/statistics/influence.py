"""The influence of each unit on a score, by the delete-one jackknife, and the resulting variance.

A score is computed from summed counts, so the score without one unit is computed from the sums
minus the counts of that unit. This needs no derivatives, no random numbers, and
one pass per run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Sample

Influence: TypeAlias = Sequence[Floats]
"""One array per set: the influence of each unit on each statistic."""


def influences(samples: Sequence[Sample], readings: Readings) -> list[Influence]:
    """Return for each system and set the influence of each unit: [run, unit, statistic].

    The squared influences of a run add up to the jackknife variance of its score. The score of
    several sets is their mean, so influences are divided by the number of sets.
    """
    return [
        [_left_out(np.stack(sample.runs[place]), readings) / len(samples) for sample in samples]
        for place in range(len(samples[0].runs))
    ]


def _left_out(rows: Floats, readings: Readings) -> Floats:
    """Return how much scores fall without each unit, centred and scaled: [run, unit, statistic]."""
    units = rows.shape[1]
    without = readings.read(rows.sum(axis=1, keepdims=True) - rows)
    moved = without.mean(axis=1, keepdims=True) - without
    return np.asarray(np.sqrt((units - 1) / units) * moved)


def over_runs(influence: Influence) -> list[Floats]:
    """Return the influences on the mean over runs: [unit, statistic] for each set."""
    return [of_set.mean(axis=0) for of_set in influence]


def minus(ones: Influence, others: Influence) -> list[Floats]:
    """Return the influences on the difference of two systems."""
    return [one - other for one, other in zip(ones, others, strict=True)]


def variance(influence: Influence) -> Floats:
    """Return the variance of each statistic over samples of units."""
    return np.asarray(sum((of_set**2).sum(axis=0) for of_set in influence))


def freedom(influence: Influence) -> Floats:
    """Return the effective degrees of freedom of that variance, at most units minus sets.

    If a few long documents dominate the variance, it is known less well than the number of units
    suggests. The variance is a sum of squares, and its own variance follows from the fourth powers;
    with f degrees of freedom, it is 2/f times the squared variance (Satterthwaite 1946).
    """
    squares = variance(influence)
    most = float(sum(len(of_set) - 1 for of_set in influence))
    spread = np.asarray(
        sum(
            (of_set**4).sum(axis=0) - (of_set**2).sum(axis=0) ** 2 / len(of_set)
            for of_set in influence
        )
    )
    is_less = spread * most > 2 * squares**2
    result = np.full_like(squares, most)
    np.divide(2 * squares**2, spread, out=result, where=is_less)
    return result
