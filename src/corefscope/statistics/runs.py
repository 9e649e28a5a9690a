"""Several runs per system: the variance over documents and over runs, and Student's quantiles.

The model is crossed: every run of a system is scored on the same documents. The score of a run is
the sum of the system's score, an effect of the run, an effect of the documents, and their
interaction. The variance of a mean over runs has two parts, which are estimated separately because
they have different degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from corefscope.matching.overlap import Floats
from corefscope.statistics.influence import freedom, influences, over_runs, variance
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import TIE, Sample
from corefscope.statistics.testing import Limits

SMALLEST = 1e-12
"""The smallest p-value: further out, Student's distribution is no longer a good model."""
STEPS = 60
"""The number of bisection steps in the search for a p-value."""


class Runs(Struct, frozen=True, eq=False):
    """The runs of one system: their scores, and the influence of every unit on each."""

    values: Floats
    """[run, statistic]."""
    influence: Floats
    """[run, unit, statistic]."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def variance(self) -> Floats:
        """The variance of the mean over runs that is due to the effect of runs alone.

        Scores of runs also differ because of the interaction of runs and documents. That part is
        already in the variance over documents, so it is subtracted here.
        """
        if len(self) == 1:
            return np.zeros(self.values.shape[1])
        noise = ((self.influence - over_runs(self.influence)) ** 2).sum(axis=(0, 1))
        noise /= len(self) - 1
        return np.asarray(np.maximum(self.values.var(axis=0, ddof=1) - noise, 0) / len(self))


class RunSpread(Struct, frozen=True, eq=False, kw_only=True):
    """The variance of each statistic over units and over runs, with degrees of freedom."""

    units: Floats
    units_freedom: Floats
    runs: Floats
    runs_freedom: Floats
    count: int
    """The number of units."""

    @property
    def least(self) -> float:
        """The smallest p-value: no randomization test over so many units could give a smaller."""
        return max(SMALLEST, 2.0 ** (1 - self.count))

    def reach(self, p: Floats | float) -> Floats:
        """Return the distance from 0 that the statistic exceeds with probability p by chance.

        Each part has its own quantile (Banerjee 1960). One quantile with degrees of freedom between
        the two would be too small if two or three runs happen to have close scores.
        """
        # Importing scipy takes longer than comparing two systems with one run each.
        from scipy.special import stdtrit

        tail = p / 2
        return np.asarray(
            np.sqrt(
                stdtrit(self.units_freedom, tail) ** 2 * self.units
                + stdtrit(self.runs_freedom, tail) ** 2 * self.runs
            )
        )

    def limits(self, values: Floats, confidence: float) -> list[Limits]:
        """Return the interval of each statistic, which is symmetric around its value."""
        reach = self.reach(1 - confidence)
        return list(zip((values - reach).tolist(), (values + reach).tolist(), strict=True))

    def p_values(self, differences: Floats) -> Floats:
        """Return the probability of a difference at least as large, for each statistic."""
        low, high = np.full_like(differences, self.least), np.ones_like(differences)
        for _ in range(STEPS):
            middle = np.sqrt(low * high)
            is_less = self.reach(middle) < np.abs(differences)
            low, high = np.where(is_less, low, middle), np.where(is_less, middle, high)
        return np.where(np.abs(differences) <= TIE, 1.0, high)


def runs_of(sample: Sample, readings: Readings) -> list[Runs]:
    """Return the runs of each system."""
    return [
        Runs(readings.read(np.stack(runs).sum(axis=1)), influence)
        for runs, influence in zip(sample.runs, influences(sample, readings), strict=True)
    ]


def spread_of(system: Runs, other: Runs | None = None) -> RunSpread:
    """Return the spread of a system's mean over runs, or of its difference from another system."""
    parts = [system] if other is None else [system, other]
    moved = over_runs(system.influence)
    if other is not None:
        moved = moved - over_runs(other.influence)
    of_runs = [part.variance for part in parts]
    total = np.asarray(sum(of_runs))
    several = [(each, len(p) - 1) for each, p in zip(of_runs, parts, strict=True) if len(p) > 1]
    fewest = float(min((free for _, free in several), default=1))
    # Satterthwaite's approximation for a sum of variances.
    known = np.asarray(sum((each**2 / free for each, free in several), np.zeros_like(total)))
    is_known = known > 0
    free = np.divide(total**2, known, out=np.full_like(total, fewest), where=is_known)
    return RunSpread(
        units=variance(moved),
        units_freedom=freedom(moved),
        runs=total,
        runs_freedom=np.maximum(free, fewest),
        count=len(moved),
    )
