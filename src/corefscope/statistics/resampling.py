"""Resample units: draw them with replacement, or swap the two systems in some of them.

A unit that is drawn twice counts twice. Sums of counts are computed as one matrix product, in
batches that limit memory use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from corefscope.matching.overlap import Floats
from corefscope.statistics.readings import Readings

BATCH = 4_000_000
"""The maximum size of an array in a batch."""
AT_ONCE = 50_000
"""How many units are drawn at once; more would not fit into the fast memory of a processor."""
TIE = 1e-12
"""Differences that are closer than this count as equal."""

Progress = Callable[[int], None]


class Sample(Struct, frozen=True, eq=False):
    """For each system the counts of its runs."""

    runs: Sequence[Sequence[Floats]]
    """For each system its runs (seeds), each with one row of counts per unit."""

    @property
    def units(self) -> int:
        """The number of units."""
        return len(self.runs[0][0])


def batches(total: int, width: int) -> Iterator[int]:
    """Yield the sizes of batches for a total number of resamples, each a row of this width."""
    size = max(1, BATCH // max(width, 1))
    bounds = [*range(0, total, size), total]
    yield from (last - first for first, last in pairwise(bounds))


def multiplicities(rng: np.random.Generator, units: int, resamples: int) -> Floats:
    """Draw as many units as there are, with replacement; return how often each was drawn."""
    counts = np.empty((resamples, units))
    rows = max(1, AT_ONCE // max(units, 1))
    for some in (counts[first : first + rows] for first in range(0, resamples, rows)):
        drawn = rng.integers(0, units, size=some.shape)
        drawn += np.arange(len(some))[:, np.newaxis] * units
        some[:] = np.bincount(drawn.ravel(), minlength=some.size).reshape(some.shape)
    return counts


def bootstrap(
    sample: Sample,
    readings: Readings,
    resamples: int,
    seed: int,
    progress: Progress | None = None,
) -> Floats:
    """Return the statistics of every system in every resample: [resample, system, statistic].

    All systems are resampled with the same units, so that their differences are paired. Of a
    system with several runs, only the first is resampled.
    """
    rng = np.random.default_rng([seed, 0])
    systems = len(sample.runs)
    done, result = 0, np.empty((resamples, systems, len(readings.ids)))
    for size in batches(resamples, max(sample.units, readings.width * systems)):
        weights = multiplicities(rng, sample.units, size)
        for place, runs in enumerate(sample.runs):
            result[done : done + size, place] = readings.read(weights @ runs[0])
        done += size
        if progress:
            progress(size)
    return result


def swaps(units: int, resamples: int, seed: int, width: int) -> Iterator[Floats]:
    """Draw at random for every unit whether the two systems are swapped, in batches."""
    rng = np.random.default_rng([seed, 0])
    for size in batches(resamples, max(width, units)):
        yield rng.integers(0, 2, size=(size, units)).astype(np.float64)


def all_swaps(units: int, width: int) -> Iterator[Floats]:
    """Yield all ways to swap the systems in some units, in batches; the first swaps none."""
    first = 0
    for size in batches(2**units, max(width, units)):
        numbers = np.arange(first, first + size)[:, np.newaxis]
        yield ((numbers >> np.arange(units)) & 1).astype(np.float64)
        first += size
