"""What the tests and intervals promise, checked on corpora where the truth is known.

All seeds are fixed: the shares below are what they are. With 4,000 corpora a share of 5 % has a
standard error of 0.34 points.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from corefscope.overlap import Floats
from corefscope.statistics.resampling import Sample, bootstrap
from corefscope.statistics.testing import bootstrap_test, interval, observed, randomization
from simulated import READINGS, SKILL, systems, truth

CORPORA = 4_000
RESAMPLES = 399
"""With 399 resamples (k + 1) / 400 can be 5 % exactly."""


def p_values(test: str, sample: Sample, seed: int) -> Floats:
    if test == "randomization":
        return np.asarray(randomization([sample], READINGS, [(1, 0)], RESAMPLES, seed)[0])
    drawn = bootstrap([sample], READINGS, RESAMPLES, seed)
    found = observed([sample], READINGS)
    return np.asarray(bootstrap_test(drawn, found, [(1, 0)], [sample.units])[0])


def rejected(test: str, documents: int, gain: float, corpora: int, runs: int = 1) -> Floats:
    """The share of corpora in which a test calls two systems different, by statistic."""
    rng = np.random.default_rng([documents, runs, 7])
    spread = 0.1 if runs > 1 else 0
    count = np.zeros(len(READINGS.ids))
    for seed in range(corpora):
        sample = Sample(systems(rng, documents, [SKILL, SKILL + gain], runs, spread))
        count += p_values(test, sample, seed) <= 0.05
    return count / corpora


@pytest.mark.parametrize("documents", [50, 100])
@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_equal_systems_are_called_different_in_5_percent_of_corpora(
    test: str, documents: int
) -> None:
    share = rejected(test, documents, 0, CORPORA)
    assert (share >= 0.035).all() and (share <= 0.065).all(), share


@pytest.mark.parametrize("documents", [50, 100])
def test_intervals_cover_the_truth_in_95_percent_of_corpora(documents: int) -> None:
    rng = np.random.default_rng([documents, 8])
    expected = truth()
    covered = np.zeros(len(READINGS.ids))
    for seed in range(CORPORA):
        sample = Sample(systems(rng, documents, [SKILL]))
        low, high = interval(bootstrap([sample], READINGS, 999, seed)[:, 0], [documents])
        covered += (low <= expected) & (expected <= high)
    share = covered / CORPORA
    assert (share >= 0.93).all() and (share <= 0.97).all(), share


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_power_grows_with_the_difference(test: str) -> None:
    shares = [rejected(test, 50, gain, 200) for gain in (0, 0.15, 0.3, 0.6)]
    for less, more in pairwise(shares):
        assert (more > less).all()
    assert (shares[-1] > 0.95).all()


def test_power_grows_with_the_number_of_documents() -> None:
    few, many = (rejected("randomization", documents, 0.15, 200) for documents in (25, 100))
    assert (many > few).all()


@pytest.mark.parametrize("runs", [3, 5])
def test_several_runs_are_not_called_different_too_often(runs: int) -> None:
    """Resampling documents and seeds is cautious: noise of a run in a document counts in both."""
    share = rejected("bootstrap", 50, 0, 300, runs)
    assert (share <= 0.065).all(), share


def test_one_run_each_would_call_the_luck_of_a_seed_a_difference() -> None:
    """Why runs are resampled: seeds that spread make systems of equal skill look different."""
    rng = np.random.default_rng(9)
    count = np.zeros(len(READINGS.ids))
    for seed in range(200):
        sample = Sample(systems(rng, 50, [SKILL, SKILL], 1, 0.1))
        count += p_values("randomization", sample, seed) <= 0.05
    assert count[-1] / 200 > 0.065
