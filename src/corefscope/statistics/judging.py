"""How far chance moves scores and differences, and p-values: by resampling, or over runs."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from statistics import NormalDist
from typing import Protocol

import numpy as np
from msgspec import Struct

from corefscope.exceptions import WrongArgument
from corefscope.matching.overlap import Floats
from corefscope.statistics.influence import freedom, over_runs, variance
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Progress, Sample, bootstrap
from corefscope.statistics.result import Settings
from corefscope.statistics.runs import Runs, runs_of, spread_of
from corefscope.statistics.testing import (
    AnyTest,
    Limits,
    TestedPair,
    bootstrap_test,
    interval,
    is_exact,
    randomization,
    stretch,
)


class Spread(Protocol):
    """How far chance moves the statistics of a system, or the differences of two."""

    def reach(self, p: float) -> Floats:
        """Return the distance from 0 that each statistic exceeds with probability p by chance."""

    def limits(self, values: Floats, confidence: float) -> list[Limits]:
        """Return the interval of each statistic around its value."""


class ResampledSpread(Struct, frozen=True, eq=False):
    """The spread of statistics over resamples."""

    drawn: Floats
    """[resample, statistic]."""
    influence: Floats
    """[unit, statistic]."""

    def reach(self, p: float) -> Floats:
        """Return the distance from 0 that each statistic exceeds with probability p by chance."""
        return -NormalDist().inv_cdf(p / 2) * np.sqrt(variance(self.influence))

    def stretched(self, confidence: float) -> Floats:
        """Return by how much the spread of resamples is too small."""
        return stretch(len(self.influence), freedom(self.influence), confidence)

    def limits(self, values: Floats, confidence: float) -> list[Limits]:
        """Return the interval of each statistic."""
        return interval(self.drawn, self.stretched(confidence), confidence)


class JudgedPair(Struct, frozen=True, eq=False, kw_only=True):
    """The difference of two systems: its spread, and its test."""

    spread: Spread | None
    """None if there is only one unit, or if numbers of runs cannot be compared."""
    test: AnyTest | None
    """None if there was no test."""
    p: Floats
    """The p-value of each statistic; NaN without a test."""
    least: float
    """The smallest p-value that the test could give."""


class Judgement(Struct, frozen=True, eq=False, kw_only=True):
    """Spreads of systems and pairs, and p-values."""

    systems: Sequence[Spread | None]
    pairs: Sequence[JudgedPair]
    resamples: Floats


class SeveralRuns(WrongArgument):
    """A test for one run per system was chosen, but a system has several runs."""


def judged(
    sample: Sample,
    readings: Readings,
    pairs: Sequence[TestedPair],
    settings: Settings,
    progress: Progress | None = None,
) -> Judgement:
    """Return spreads and p-values.

    Systems with one run are resampled. If a system has several, its variance over runs counts as
    well, and it can only be compared with others that have several.
    """
    several = [len(runs) > 1 for runs in sample.runs]
    if any(several) and settings.test is not None:
        raise SeveralRuns(
            f"a system with several runs cannot be tested by {settings.test}, which compares "
            "one run of each system; choose no test to use the test for several runs"
        )
    drawn = np.empty((0, len(several), len(readings.ids)))
    if not all(several):
        drawn = bootstrap(sample, readings, settings.samples, settings.seed, progress)
    untested = JudgedPair(spread=None, test=None, p=np.full(len(readings.ids), nan), least=nan)
    if sample.units == 1:
        # All resamples are the same.
        none = [None] * len(several)
        return Judgement(systems=none, pairs=[untested] * len(pairs), resamples=drawn)
    runs = runs_of(sample, readings)
    spreads: list[Spread] = [
        spread_of(each)
        if is_several
        else ResampledSpread(drawn[:, place], over_runs(each.influence))
        for place, (each, is_several) in enumerate(zip(runs, several, strict=True))
    ]
    found: dict[TestedPair, JudgedPair] = {}
    alone = [(one, other) for one, other in pairs if not several[one] and not several[other]]
    swapped = _randomized(sample, readings, alone, settings, progress)
    for one, other in pairs:
        if several[one] and several[other]:
            found[one, other] = _over_runs(runs[one], runs[other])
        elif (one, other) in alone:
            influence = over_runs(runs[one].influence) - over_runs(runs[other].influence)
            spread = ResampledSpread(drawn[:, one] - drawn[:, other], influence)
            difference = runs[one].values[0] - runs[other].values[0]
            found[one, other] = _resampled(spread, difference, settings, swapped.get((one, other)))
    return Judgement(
        systems=spreads, pairs=[found.get(pair, untested) for pair in pairs], resamples=drawn
    )


def _randomized(
    sample: Sample,
    readings: Readings,
    pairs: Sequence[TestedPair],
    settings: Settings,
    progress: Progress | None,
) -> dict[TestedPair, Floats]:
    """Return the p-values of pairs by randomization, unless another test is asked for."""
    if not pairs or settings.test == "bootstrap":
        return {}
    p = randomization(sample, readings, pairs, settings.samples, settings.seed, progress)
    return dict(zip(pairs, p, strict=True))


def _resampled(
    spread: ResampledSpread, difference: Floats, settings: Settings, swapped: Floats | None
) -> JudgedPair:
    """Judge two systems with one run each; ``swapped`` has the p-values by randomization."""
    units = len(spread.influence)
    # Swapping all units, and swapping none, give the same difference.
    fewest = 2.0 ** (1 - units)
    least = max(1 / (settings.samples + 1), fewest)
    if swapped is None:
        p = bootstrap_test(spread.drawn, difference, spread.stretched(0.95))
        return JudgedPair(spread=spread, test="bootstrap", p=np.maximum(p, fewest), least=least)
    if is_exact(units, settings.samples):
        least = fewest
    return JudgedPair(spread=spread, test="randomization", p=swapped, least=least)


def _over_runs(one: Runs, other: Runs) -> JudgedPair:
    """Judge two systems with several runs each."""
    spread = spread_of(one, other)
    p = spread.p_values(one.values.mean(axis=0) - other.values.mean(axis=0))
    return JudgedPair(spread=spread, test="satterthwaite", p=p, least=spread.least)
