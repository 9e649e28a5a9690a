"""Intervals and p-values, by resampling or from the variance over documents and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import nan
from typing import TypeAlias

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.records import dataclass
from corefscope.statistics.influence import freedom, influences, minus, over_runs
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Progress, Sample, bootstrap
from corefscope.statistics.result import Settings
from corefscope.statistics.runs import RunSpread, are_comparable, runs_of, spread_of
from corefscope.statistics.testing import (
    AnyTest,
    TestedPair,
    bootstrap_test,
    can_be_resampled,
    interval,
    is_exact,
    observed,
    randomization,
    stretch,
)
from corefscope.statistics.units import FEWEST_UNITS

IntervalLimits: TypeAlias = Sequence[tuple[float, float] | None]
"""The interval of each statistic, or None."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Judgement:
    """Intervals of systems and pairs, and p-values."""

    test: AnyTest
    is_exact: bool = False
    systems: Sequence[IntervalLimits]
    pairs: Sequence[IntervalLimits]
    p: Floats
    """[pair, statistic]; NaN if a pair was not tested."""
    unlike_runs: frozenset[TestedPair] = frozenset()
    """Pairs that were not tested because their numbers of runs cannot be compared."""
    resamples: Floats | None = None


class SeveralRuns(ValueError):
    """A test for one run per system was chosen, but a system has several runs."""


def judged(
    samples: Sequence[Sample],
    readings: Readings,
    pairs: Sequence[TestedPair],
    values: Floats,
    settings: Settings,
    progress: Progress | None = None,
) -> Judgement:
    """Return intervals and p-values; ``values`` has the scores of systems: [system, statistic]."""
    if any(len(runs) > 1 for sample in samples for runs in sample.runs):
        if settings.test is not None:
            raise SeveralRuns(
                f"a system with several runs cannot be tested by {settings.test}, which compares "
                "one run of each system; choose no test to use the test for several runs"
            )
        return _by_variance(samples, readings, pairs, values, settings)
    return _by_resampling(samples, readings, pairs, settings, progress)


def _by_resampling(
    samples: Sequence[Sample],
    readings: Readings,
    pairs: Sequence[TestedPair],
    settings: Settings,
    progress: Progress | None,
) -> Judgement:
    """Judge systems with one run each."""
    drawn = bootstrap(samples, readings, settings.samples, settings.seed, progress)
    of_pairs = [drawn[:, one] - drawn[:, other] for one, other in pairs]
    units = [sample.units for sample in samples]
    test: AnyTest = settings.test or "randomization"
    is_swapped = test == "randomization" and bool(pairs) and sum(units) >= FEWEST_UNITS
    p = np.full((len(pairs), len(readings.ids)), nan)
    if is_swapped:
        p = randomization(samples, readings, pairs, settings.samples, settings.seed, progress)
    none: IntervalLimits = [None] * len(readings.ids)
    result = Judgement(
        test=test,
        is_exact=is_swapped and is_exact(samples, settings.samples),
        systems=[none] * drawn.shape[1],
        pairs=[none] * len(pairs),
        p=p,
        resamples=drawn,
    )
    if not can_be_resampled(units):
        return result
    moved = [over_runs(each) for each in influences(samples, readings)]
    free = [freedom(minus(moved[one], moved[other])) for one, other in pairs]
    if test == "bootstrap" and pairs and sum(units) >= FEWEST_UNITS:
        stretches = [stretch(units, each) for each in free]
        p = bootstrap_test(drawn, observed(samples, readings), pairs, stretches)
    limits = partial(_limits, units=units, confidence=settings.confidence)
    return replace(
        result,
        systems=[limits(drawn[:, n], freedom(each)) for n, each in enumerate(moved)],
        pairs=[limits(each, f) for each, f in zip(of_pairs, free, strict=True)],
        p=p,
    )


def _limits(drawn: Floats, free: Floats, units: Sequence[int], confidence: float) -> IntervalLimits:
    low, high = interval(drawn, stretch(units, free, confidence), confidence)
    return list(zip(low, high, strict=True))


def _by_variance(
    samples: Sequence[Sample],
    readings: Readings,
    pairs: Sequence[TestedPair],
    values: Floats,
    settings: Settings,
) -> Judgement:
    """Judge systems if some have several runs."""
    units = [sample.units for sample in samples]
    spreads = _spreads(samples, readings, pairs) if can_be_resampled(units) else {}
    p = np.full((len(pairs), len(readings.ids)), nan)
    if sum(units) >= FEWEST_UNITS:
        for place, (one, other) in enumerate(pairs):
            if (one, other) in spreads:
                p[place] = spreads[one, other].p_values(values[one] - values[other])
    reached = {who: spread.reach(1 - settings.confidence) for who, spread in spreads.items()}
    return Judgement(
        test="satterthwaite",
        systems=[_around(each, reached.get((place,))) for place, each in enumerate(values)],
        pairs=[
            _around(values[one] - values[other], reached.get((one, other))) for one, other in pairs
        ],
        p=p,
        unlike_runs=frozenset(pair for pair in pairs if not are_comparable(samples, pair)),
    )


def _spreads(
    samples: Sequence[Sample], readings: Readings, pairs: Sequence[TestedPair]
) -> dict[tuple[int, ...], RunSpread]:
    """Return the spread of every system and pair that has one, by their positions."""
    runs = dict(enumerate(runs_of(samples, readings)))
    spreads: dict[tuple[int, ...], RunSpread] = {
        (place,): spread_of(each) for place, each in runs.items() if each is not None
    }
    for one, other in pairs:
        ours, theirs = runs[one], runs[other]
        if ours and theirs and are_comparable(samples, (one, other)):
            spreads[one, other] = spread_of(ours, theirs)
    return spreads


def _around(values: Floats, reach: Floats | None) -> IntervalLimits:
    """Return intervals that are symmetric around the values."""
    if reach is None:
        return [None] * len(values)
    return list(zip((values - reach).tolist(), (values + reach).tolist(), strict=True))
