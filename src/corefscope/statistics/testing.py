"""Paired tests of the difference between two systems, and confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil, cos, floor, pi, sin, sqrt, tan
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import TIE, Progress, Sample, all_swaps, swaps

AnyTest: TypeAlias = Literal["randomization", "bootstrap", "satterthwaite"]
"""The tests; the last one is used for several runs, and cannot be chosen."""
TestedPair: TypeAlias = tuple[int, int]
"""A system and the one that it is compared with."""
Limits: TypeAlias = tuple[float, float]
"""The lower and the upper limit of an interval."""


def is_exact(units: int, resamples: int) -> bool:
    """Return whether there are no more ways to swap units than requested resamples."""
    return units < resamples.bit_length()


def randomization(
    sample: Sample,
    readings: Readings,
    pairs: Sequence[TestedPair],
    resamples: int,
    seed: int,
    progress: Progress | None = None,
) -> Floats:
    """Return the p-value of each pair and statistic by paired approximate randomization.

    If two systems are equally good, their outputs for a unit can be swapped (Noreen 1989). The
    outputs of whole units are swapped at random; p = (k + 1) / (B + 1), where in k of B resamples
    the difference is at least as large as the observed one. If there are few ways to swap, all are
    tried, and p is the share of those with a difference at least as large.
    """
    rows = [runs[0] for runs in sample.runs]
    moved = np.concatenate([rows[one] - rows[other] for one, other in pairs], axis=1)
    totals = [each.sum(axis=0) for each in rows]
    ones = np.stack([totals[one] for one, _ in pairs])
    others = np.stack([totals[other] for _, other in pairs])
    differences = np.abs(readings.read(ones) - readings.read(others))
    width = readings.width * len(pairs)
    is_all = is_exact(sample.units, resamples)
    drawn = (
        all_swaps(sample.units, width) if is_all else swaps(sample.units, resamples, seed, width)
    )
    as_large, tried = np.zeros_like(differences), 0
    for swapped in drawn:
        moves = (swapped @ moved).reshape(len(swapped), len(pairs), -1)
        shuffled = np.abs(readings.read(ones - moves) - readings.read(others + moves))
        as_large += (shuffled >= differences - TIE).sum(axis=0)
        tried += len(swapped)
        if progress:
            progress(len(swapped))
    return as_large / tried if is_all else (as_large + 1) / (tried + 1)


def bootstrap_test(drawn: Floats, difference: Floats, stretched: Floats) -> Floats:
    """Return the p-value of each statistic of a pair by the paired bootstrap.

    The observed difference is subtracted from the difference of every resample, as under the null
    hypothesis; p = (k + 1) / (B + 1), where k of B results are at least as far from 0 as the
    observed difference. ``stretched`` is the result of :func:`stretch` at 95 %.
    """
    as_large = stretched * np.abs(drawn - difference) >= np.abs(difference) - TIE
    return np.asarray((as_large.sum(axis=0) + 1) / (len(drawn) + 1))


def interval(drawn: Floats, stretched: Floats, confidence: float = 0.95) -> list[Limits]:
    """Return the expanded percentile interval of each statistic, over the first axis.

    The percentiles are those of a normal distribution at the limits of Student's distribution, so
    that intervals are wide enough with few units (Hesterberg 2015). ``stretched`` is the result of
    :func:`stretch` for each statistic at this confidence.
    """
    normal = NormalDist()
    limit = normal.inv_cdf((1 - confidence) / 2)
    limits = []
    for column, factor in zip(drawn.T, stretched.tolist(), strict=True):
        tail = 100 * normal.cdf(factor * limit)
        low, high = np.percentile(column, [tail, 100 - tail]).tolist()
        limits.append((low, high))
    return limits


def stretch(units: int, freedom: Floats, confidence: float = 0.95) -> Floats:
    """Return for each statistic the factor by which the spread of resamples is too small.

    The variance of resamples is biased by (n − 1)/n, and it is only an estimate, which calls for
    Student's quantile instead of the normal one.
    """
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    wider = [student(each, confidence) / normal for each in freedom.tolist()]
    return np.array(wider) * sqrt(units / (units - 1))


def student(freedom: float, confidence: float) -> float:
    """Return the two-sided quantile of Student's t distribution.

    Between whole degrees of freedom it is interpolated by their reciprocals, which gives slightly
    wider intervals. Loading ``scipy.special`` would take longer than resampling a test set.
    """
    below, above = floor(freedom), ceil(freedom)
    if below == above:
        return _whole_student(below, confidence)
    share = (1 / freedom - 1 / above) / (1 / below - 1 / above)
    near, far = (_whole_student(each, confidence) for each in (above, below))
    return near + share * (far - near)


@cache
def _whole_student(freedom: int, confidence: float) -> float:
    """Return the quantile for whole degrees of freedom.

    The probability is a finite sum over powers of the cosine of an angle (Abramowitz & Stegun
    26.7.3 and 26.7.4). The angle is found by bisection.
    """
    powers = np.arange(freedom % 2, freedom, 2)
    factors = np.cumprod(np.where(powers > 1, (powers - 1) / np.maximum(powers, 1), 1))
    low, high = 0.0, pi / 2
    while low < (angle := (low + high) / 2) < high:
        inside = sin(angle) * float(factors @ cos(angle) ** powers)
        if freedom % 2:
            inside = 2 / pi * (angle + inside)
        low, high = (angle, high) if inside < confidence else (low, angle)
    return sqrt(freedom) * tan(angle)


def holm(p: Floats) -> Floats:
    """Return p-values corrected for a whole family of tests (Holm 1979).

    The smallest of m p-values is multiplied by m, the next by m − 1, and so on; none falls below a
    previous one, and none exceeds 1.
    """
    order = np.argsort(p, kind="stable")
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted
