"""Simulated corpora: counts of documents of unlike size and difficulty, for systems of known skill.

The F1 that a system would have on all documents and in all runs that there could be is known as
exactly as wanted, so that intervals can be checked to cover it, and tests to call equal systems
different as rarely as they promise. All of it is checked with the code that users run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from corefscope.matching.overlap import Floats
from corefscope.metrics.counts import plain_figures
from corefscope.statistics.judging import Judgement, Spread, judged
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Sample
from corefscope.statistics.result import Settings
from corefscope.statistics.testing import AnyTest

METRICS = ("muc", "b3", "ceafe")
READINGS = Readings(
    (*METRICS, "conll"), (slice(0, 4), slice(4, 8), slice(8, 12)), (plain_figures,) * 3
)
SKILL = 0.8
"""The log odds by which a system gets something right in a document of middling difficulty."""
EASE, TASTE, NOISE = 0.5, 0.3, 0.4
"""Deviations in log odds: of documents, of a system on a document, of a run on a document."""
MANY = 200_000
"""Documents that are as good as all that there could be."""
RESAMPLES = 499
"""With 499 resamples (k + 1) / 500 can be 5 % exactly."""


def systems(
    rng: np.random.Generator,
    documents: int,
    skills: Sequence[float],
    runs: int = 1,
    spread: float | Sequence[float] = 0,
) -> list[list[Floats]]:
    """Counts of systems on the same documents: for each its runs, whose skills are spread.

    Sizes are lognormal: the longest of 100 documents is about ten times as long as the median.
    """
    size = np.ceil(rng.lognormal(np.log(40), 1, documents)) + 4
    ease = rng.normal(0, EASE, documents)
    spreads = [spread] * len(skills) if isinstance(spread, (int, float)) else spread
    result = []
    for skill, deviation in zip(skills, spreads, strict=True):
        of_system = skill + ease + rng.normal(0, TASTE, documents)
        lucks = rng.normal(0, deviation, runs).tolist()
        result.append([_counts(rng, size, of_system + luck) for luck in lucks])
    return result


def _counts(rng: np.random.Generator, size: Floats, skill: Floats) -> Floats:
    columns = []
    for place, _ in enumerate(METRICS, 1):
        right = 1 / (1 + np.exp(-skill - rng.normal(0, NOISE, len(size))))
        key = size * place
        response = np.rint(key * rng.lognormal(0.05, 0.1, len(size))) + 1
        found = np.rint(np.minimum(key, response) * right)
        columns += [found, key, found, response]
    return np.stack(columns, axis=1)


@cache
def truth(spread: float = 0, gain: float = 0) -> tuple[float, ...]:
    """The statistics of a system on very many documents, on average over very many runs."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(7 if spread else 1)
    values = []
    for node in nodes.tolist():
        ((counts,),) = systems(np.random.default_rng(99), MANY, [SKILL + gain + spread * node])
        values.append(READINGS.read(counts.sum(axis=0)))
    return tuple((weights @ np.array(values) / weights.sum()).tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One kind of corpus, of which many are drawn: two systems of known skill, with their runs."""

    documents: int
    runs: int = 1
    spread: float = 0
    """The deviation over runs of a system's skill."""
    is_other_fixed: bool = False
    """Whether all runs of the other system have the same skill."""
    gain: float = 0
    """By how much the other system is better, in log odds."""
    test: AnyTest | None = None
    corpora: int


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """How often what was promised came true, by statistic."""

    rejected: Floats
    """Corpora in which the two systems are called different at the 5 % level."""
    difference: Floats
    """Corpora in which the 95 % interval of the difference covers the true one."""
    system: Floats
    """Corpora in which the 95 % interval of the first system's score covers the truth."""
    known: Floats
    """Corpora in which a test that knew how much differences vary would call them different."""


def judgement(sample: Sample, test: AnyTest | None, seed: int) -> Judgement:
    """What is said of the two systems of one corpus."""
    settings = Settings(test=test, samples=RESAMPLES, seed=seed)
    return judged(sample, READINGS, [(1, 0)], settings)


def observed(sample: Sample) -> Floats:
    """The statistics of every system, means over runs."""
    return np.array(
        [
            np.mean([READINGS.read(rows.sum(axis=0)) for rows in runs], axis=0)
            for runs in sample.runs
        ]
    )


def shares(cell: Cell) -> Shares:
    """Draw the corpora of a cell, and count."""
    rng = np.random.default_rng([cell.documents, cell.runs, round(1000 * cell.spread), 7])
    counts = np.zeros((3, len(READINGS.ids)))
    differences = np.empty((cell.corpora, len(READINGS.ids)))
    expected = truth(cell.spread)
    other = truth(0 if cell.is_other_fixed else cell.spread, cell.gain)
    apart = [theirs - ours for ours, theirs in zip(expected, other, strict=True)]
    spreads = [cell.spread, 0 if cell.is_other_fixed else cell.spread]
    for seed in range(cell.corpora):
        drawn = systems(rng, cell.documents, [SKILL, SKILL + cell.gain], cell.runs, spreads)
        sample = Sample(drawn)
        found = judgement(sample, cell.test, seed)
        ours, theirs = observed(sample)
        differences[seed] = theirs - ours
        counts[0] += found.pairs[0].p <= 0.05
        counts[1] += _covers(found.pairs[0].spread, theirs - ours, apart)
        counts[2] += _covers(found.systems[0], ours, expected)
    known = np.abs(differences) > 1.96 * differences.std(axis=0)
    rejected, difference, system = counts / cell.corpora
    return Shares(rejected, difference, system, known.mean(axis=0))


def _covers(spread: Spread | None, values: Floats, expected: Sequence[float]) -> list[bool]:
    assert spread is not None
    return [
        low <= value <= high
        for (low, high), value in zip(spread.limits(values, 0.95), expected, strict=True)
    ]


def standard_error(share: float, corpora: int) -> float:
    """The standard error of a share of so many corpora."""
    return float(np.sqrt(share * (1 - share) / corpora))
