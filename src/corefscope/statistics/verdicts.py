"""Verdicts of the planned comparison: the main score of each system against the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.matching.overlap import Floats
from corefscope.metrics import statistic_named
from corefscope.statistics.judging import JudgedPair, Spread
from corefscope.statistics.result import Difference, Verdict
from corefscope.statistics.testing import Limits, holm

POWER = 0.8
"""How often a difference of the detectable size would be found."""


class Planned(Struct, frozen=True, eq=False, kw_only=True):
    """A planned comparison."""

    difference: Difference
    pair: JudgedPair
    differing: int
    """The number of units in which the counts of the two systems differ."""

    @property
    def least(self) -> float:
        """The smallest p-value that the test could have given; NaN without a test."""
        if self.pair.test == "randomization":
            # Swapping units in which both have the same counts changes nothing.
            return max(self.pair.least, min(1.0, 2.0 ** (1 - self.differing)))
        return self.pair.least if self.differing else 1.0


def with_verdicts(
    planned: Sequence[Planned], place: int, level: float
) -> dict[tuple[str, str, str], Difference]:
    """Return the planned differences with corrected p-values, intervals, and verdicts.

    ``place`` is that of the statistic, and ``level`` the probability of finding any difference
    where there is none. P-values are corrected by Holm's method over the systems that were
    compared, and intervals hold for all of them together (Bonferroni).
    """
    # A planned comparison that cannot be tested still counts as one.
    p = np.array([1.0 if each.difference.p is None else each.difference.p for each in planned])
    count = len(planned)
    corrected = holm(p)
    found = {}
    for number, each in enumerate(planned):
        d, spread = each.difference, each.pair.spread
        if spread is not None:
            change = np.full(len(each.pair.p), d.difference)
            limit = spread.limits(change, 1 - level / count)[place]
            d = replace(d, **cut(limit, *widest(d.statistic)), confidence=1 - level / count)
        if d.p is not None:
            possible = np.array(p)
            possible[number] = min(each.least, d.p)
            d = replace(
                d,
                p_corrected=float(corrected[number]),
                least=float(holm(possible)[number]),
                differing=each.differing,
            )
        d = replace(d, verdict=_verdict(d, level))
        if spread is not None and d.verdict != "cannot be tested":
            # Where all units differ by the same amount, nothing is known of other differences.
            smallest = float(detectable(spread, level / count)[place])
            d = replace(d, detectable=smallest or None)
        found[d.system, d.other, d.statistic] = d
    return found


def _verdict(d: Difference, level: float) -> Verdict:
    if d.p_corrected is None or d.least is None or d.least >= level:
        return "cannot be tested"
    is_outside = d.low is not None and d.high is not None and not d.low <= 0 <= d.high
    is_found = d.p_corrected < level
    if is_found != is_outside:
        return "unclear"
    return "significant" if is_found else "not significant"


def detectable(spread: Spread, level: float) -> Floats:
    """Return the smallest true difference of each statistic that is found with a power of 80 %."""
    return spread.reach(level) + spread.reach(2 * (1 - POWER))


class _Cut(TypedDict):
    low: float | None
    high: float | None


def cut(limits: Limits | None, least: float, greatest: float) -> _Cut:
    """Return an interval without the values that are impossible; None stays None."""
    if limits is None:
        return {"low": None, "high": None}
    return {"low": max(limits[0], least), "high": min(limits[1], greatest)}


def widest(id: str) -> Limits:
    """Return the smallest and the greatest possible difference of two systems."""
    width = statistic_named(id).greatest - statistic_named(id).least
    return -width, width
