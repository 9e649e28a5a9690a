"""Tests of difference and resampling, slowly and to the letter, in fractions.

A unit is a document or a group of documents that is swapped or drawn as a whole. It holds the
counts of one metric, or of several whose F1 are averaged, as the CoNLL average does. A statistic
is always computed from the counts summed over units, never averaged over units.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from brute_force import ZERO, Ratios, score

Unit = tuple[Ratios, ...]
"""The counts of one unit by each metric."""
Draw = Sequence[int]
"""The places of the units in one resample, with repetitions."""


def statistic(units: Sequence[Unit]) -> Fraction:
    """F1 by each metric from the summed counts; of several metrics, the mean of the F1."""
    metrics = list(zip(*units, strict=True))
    return sum((score(counts).f1 for counts in metrics), ZERO) / len(metrics)


def difference(one: Sequence[Unit], other: Sequence[Unit]) -> Fraction:
    return statistic(one) - statistic(other)


def swapped(
    one: Sequence[Unit], other: Sequence[Unit], swaps: Sequence[bool]
) -> tuple[list[Unit], list[Unit]]:
    """Two systems after the marked units have changed places."""
    here, there = [], []
    for first, second, swap in zip(one, other, swaps, strict=True):
        here.append(second if swap else first)
        there.append(first if swap else second)
    return here, there


def swap_differences(one: Sequence[Unit], other: Sequence[Unit]) -> list[Fraction]:
    """The difference after each of the 2^n choices of units to swap, swapping none first."""
    choices = product((False, True), repeat=len(one))
    return [difference(*swapped(one, other, choice)) for choice in choices]


def exact_randomization(one: Sequence[Unit], other: Sequence[Unit]) -> Fraction:
    """Share of all swaps that leave a difference at least as large, whatever its sign."""
    observed = abs(difference(one, other))
    differences = swap_differences(one, other)
    return Fraction(sum(abs(each) >= observed for each in differences), len(differences))


def bootstrap(units: Sequence[Unit], draws: Sequence[Draw]) -> list[Fraction]:
    """The statistic of each resample; a unit drawn twice counts twice."""
    return [statistic([units[place] for place in draw]) for draw in draws]


def bootstrap_differences(
    one: Sequence[Unit], other: Sequence[Unit], draws: Sequence[Draw]
) -> list[Fraction]:
    """The difference in each resample, in which both systems have the same units."""
    here, there = bootstrap(one, draws), bootstrap(other, draws)
    return [first - second for first, second in zip(here, there, strict=True)]


def influences(*sides: tuple[int, Sequence[Sequence[Unit]]]) -> list[Fraction]:
    """How far each unit moves a sum of systems' means over runs, each with its sign.

    That is the value without the unit, taken from the mean of all such values. The square root of
    (n - 1)/n, by which they are scaled, is left to those who square them.
    """
    units = range(len(sides[0][1][0]))
    without = []
    for place in units:
        value = ZERO
        for sign, runs in sides:
            scores = [statistic([*run[:place], *run[place + 1 :]]) for run in runs]
            value += sign * sum(scores, ZERO) / len(scores)
        without.append(value)
    mean = sum(without, ZERO) / len(without)
    return [mean - value for value in without]


def unit_variance(moves: Sequence[Fraction]) -> Fraction:
    """The jackknife variance over units."""
    return sum((move**2 for move in moves), ZERO) * (len(moves) - 1) / len(moves)


def unit_freedom(moves: Sequence[Fraction]) -> Fraction:
    """Twice the squared variance over the variance of the variance; at most n - 1."""
    squares = [move**2 for move in moves]
    mean = sum(squares, ZERO) / len(squares)
    varies = sum(((square - mean) ** 2 for square in squares), ZERO)
    most = Fraction(len(moves) - 1)
    return min(most, 2 * sum(squares, ZERO) ** 2 / varies) if varies else most


def run_variance(runs: Sequence[Sequence[Unit]]) -> Fraction:
    """The variance of the mean that comes from runs alone; that of runs on units is subtracted."""
    number = len(runs)
    scores = [statistic(run) for run in runs]
    mean = sum(scores, ZERO) / number
    between = sum(((score - mean) ** 2 for score in scores), ZERO) / (number - 1)
    every = influences((1, runs))
    noise = ZERO
    for run in runs:
        own = influences((1, [run]))
        noise += unit_variance([mine - common for mine, common in zip(own, every, strict=True)])
    return max(ZERO, between - noise / (number - 1)) / number


def run_freedom(variances: Sequence[Fraction], numbers: Sequence[int]) -> Fraction:
    """Satterthwaite's degrees of freedom of a sum of variances; with none, the fewest there are."""
    parts = [v**2 / (number - 1) for v, number in zip(variances, numbers, strict=True)]
    if not any(parts):
        return Fraction(min(numbers) - 1)
    return sum(variances, ZERO) ** 2 / sum(parts, ZERO)


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Holm's step-down adjusted p-values, in the order in which the p-values came.

    The i-th smallest becomes the largest, over all j up to i, of min(1, (m - j + 1) p(j)).
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    steps = [
        min(Fraction(1), (len(order) - step) * p_values[place]) for step, place in enumerate(order)
    ]
    adjusted = {place: max(steps[: step + 1]) for step, place in enumerate(order)}
    return [adjusted[place] for place in range(len(p_values))]
