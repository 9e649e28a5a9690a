"""Resampling without start-up: run by ``bench.py`` as a process of its own.

``python one_by_one.py RESAMPLES KEY RESPONSE RESPONSE…`` prints seconds as JSON: what two rivals
would take to compare all pairs of systems with 10,000 resamples, extrapolated from these few. Both
take one resample after the other: one sums the counts and reads the scores off by numpy, and must
come to the same p-values as we do; the other is plain Python and only sums the counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np

import corefscope as cs
from analysis import timed
from corefscope.matching.overlap import Floats
from corefscope.statistics import Settings, SystemComparison
from corefscope.statistics.readings import Readings, readings_of, rows_of

SAMPLES = 10_000
FEW = 20
"""Resamples of the loop in plain Python, at most."""


def by_numpy(rows: Floats, readings: Readings, resamples: int) -> Floats:
    """Draw and swap, one resample at a time; return the p-value of each pair and statistic."""
    rng = np.random.default_rng(1)
    systems, units, _ = rows.shape
    pairs = list(combinations(range(systems), 2))
    values = readings.read(rows.sum(axis=1))
    found = np.array([values[other] - values[one] for one, other in pairs])
    as_large = np.zeros_like(found)
    for _ in range(resamples):
        readings.read(rows[:, rng.integers(units, size=units)].sum(axis=1))
        swap = rng.integers(2, size=(units, 1))
        for place, (one, other) in enumerate(pairs):
            ones = np.where(swap, rows[other], rows[one]).sum(axis=0)
            others = np.where(swap, rows[one], rows[other]).sum(axis=0)
            difference = readings.read(others) - readings.read(ones)
            as_large[place] += np.abs(difference) >= np.abs(found[place]) - 1e-12
    return np.asarray((as_large + 1) / (resamples + 1))


def by_python(systems: Sequence[Sequence[Sequence[float]]], resamples: int) -> None:
    """Draw and swap in plain Python, and only sum the counts."""
    random = Random(1)
    for _ in range(resamples):
        drawn = random.choices(range(len(systems[0])), k=len(systems[0]))
        for rows in systems:
            _sums([rows[unit] for unit in drawn])
        swap = random.choices((False, True), k=len(systems[0]))
        for pair in combinations(systems, 2):
            units = list(zip(*pair, swap, strict=True))
            _sums([other if is_swapped else one for one, other, is_swapped in units])
            _sums([one if is_swapped else other for one, other, is_swapped in units])


def _sums(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def agree(ours: SystemComparison, theirs: Floats, resamples: int) -> bool:
    """Tell whether two sets of p-values differ by chance alone: six standard deviations."""
    p = np.array([difference.p for difference in ours.differences])
    return bool(np.abs(p - theirs.ravel()).max() <= 3 / resamples**0.5)


def main(resamples: int, key: str, *responses: str) -> None:
    """Measure, and print what it took."""
    evaluation = cs.evaluate(key, {path: path for path in responses})
    comparison = evaluation.compare(Settings(samples=SAMPLES, all_pairs=True))
    scores = [system.scores for system in evaluation]
    rows = np.stack([rows_of(each) for each in scores])
    readings = readings_of(scores[0])
    numpy, p = timed(lambda: by_numpy(rows, readings, resamples))
    assert agree(comparison, p, resamples)
    lists, few = rows.tolist(), min(FEW, resamples)
    python, _ = timed(lambda: by_python(lists, few))
    taken = {"numpy": numpy * SAMPLES / resamples, "python": python * SAMPLES / few}
    print(json.dumps(taken))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
