"""Randomization, bootstrap, intervals and Holm's correction against slow and literal references."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import statistics_reference as reference
from brute_force import Ratios
from corefscope.matching.overlap import Floats
from corefscope.metrics.counts import plain_figures
from corefscope.statistics import resampling
from corefscope.statistics.readings import Readings
from corefscope.statistics.resampling import Sample, all_swaps, bootstrap, multiplicities, swaps
from corefscope.statistics.testing import (
    bootstrap_test,
    holm,
    interval,
    is_exact,
    randomization,
    stretch,
    student,
)
from simulated import READINGS, systems

ONE = Readings(("muc",), (slice(0, 4),), (plain_figures,))

Metric = tuple[int, int, int, int]
Row = tuple[Metric, ...]

counts = st.tuples(*[st.integers(0, 6)] * 4).map(
    lambda n: (min(n[0], n[1]), max(n[0], n[1]), min(n[2], n[3]), max(n[2], n[3]))
)
rows = st.lists(st.tuples(counts, counts, counts), min_size=1, max_size=5)


def as_array(units: list[Row]) -> Floats:
    return np.array([[n for metric in unit for n in metric] for unit in units], dtype=np.float64)


def as_units(units: list[Row]) -> list[reference.Unit]:
    return [tuple(_ratios(metric) for metric in unit) for unit in units]


def _ratios(metric: Metric) -> Ratios:
    rn, rd, pn, pd = (Fraction(n) for n in metric)
    return Ratios(rn, rd, pn, pd)


def test_all_sixteen_swaps_of_four_documents() -> None:
    """Found of 10 by the two systems: 9 8 7 5 and 6 8 5 6, so 29 and 25 of 40, 4 apart.

    Swapping a document moves the difference by twice its own, 3, 0, 2 and −1. The sums ±3 ±0 ±2 ±1
    that are 4 or more from 0 are 6, 4, −4 and −6, each twice for the document that is alike:
    8 of 16.
    """
    one, other = ([[n, 10, n, 10] for n in found] for found in ((9, 8, 7, 5), (6, 8, 5, 6)))
    sample = Sample([[np.array(each, dtype=np.float64)] for each in (one, other)])
    assert is_exact(4, 16) and not is_exact(4, 15)
    assert randomization(sample, ONE, [(0, 1)], 16, seed=0).tolist() == [[0.5]]


@given(
    rows.flatmap(
        lambda ours: st.tuples(
            st.just(ours),
            st.lists(st.tuples(counts, counts, counts), min_size=len(ours), max_size=len(ours)),
        )
    )
)
@settings(max_examples=150)
def test_the_exact_test_tries_all_swaps(
    both: tuple[list[Row], ...],
) -> None:
    ours, theirs = both
    sample = Sample([[as_array(ours)], [as_array(theirs)]])
    found = randomization(sample, READINGS, [(0, 1)], 2 ** len(ours), seed=0)[0]
    for place in range(3):
        alone: list[list[Row]] = [[(unit[place],) for unit in side] for side in (ours, theirs)]
        assert found[place] == float(reference.exact_randomization(*map(as_units, alone)))
    assert found[3] == float(reference.exact_randomization(as_units(ours), as_units(theirs)))


def test_every_swap_once_and_identity_first() -> None:
    (tried,) = all_swaps(3, 4)
    assert tried[0].tolist() == [0, 0, 0]
    assert {tuple(row) for row in tried.tolist()} == set(product((0.0, 1.0), repeat=3))


def test_sampled_swaps_come_close_to_all_of_them() -> None:
    rng = np.random.default_rng(1)
    sample = Sample(systems(rng, 12, [0.8, 0.9]))
    exact = randomization(sample, READINGS, [(1, 0)], 2**12, seed=0)
    drawn = randomization(sample, READINGS, [(1, 0)], 2**12 - 1, seed=0)
    assert (exact != drawn).any()
    assert np.abs(exact - drawn).max() < 0.025  # Three standard errors of 4,095 draws.


def test_p_is_never_0_and_equal_systems_have_p_1() -> None:
    far = Sample([[np.tile([9.0, 9, 9, 9], (40, 1))], [np.tile([1.0, 9, 1, 9], (40, 1))]])
    assert randomization(far, ONE, [(0, 1)], 99, seed=0).tolist() == [[0.01]]
    same = Sample([far.runs[0], far.runs[0]])
    assert randomization(same, ONE, [(0, 1)], 99, seed=0).tolist() == [[1.0]]
    drawn = bootstrap(same, ONE, 99, seed=0)
    tested = bootstrap_test(drawn[:, 0] - drawn[:, 1], np.zeros(1), np.ones(1))
    assert tested.tolist() == [1.0]


def test_the_order_of_a_pair_does_not_matter() -> None:
    sample = Sample(systems(np.random.default_rng(2), 40, [0.8, 0.9]))
    there, back = randomization(sample, READINGS, [(1, 0), (0, 1)], 500, seed=3)
    assert there.tolist() == back.tolist()


@given(rows, st.data())
@settings(max_examples=100)
def test_resample_counts_a_unit_as_often_as_drawn(units: list[Row], data: st.DataObject) -> None:
    draw = data.draw(st.lists(st.integers(0, len(units) - 1), min_size=1, max_size=8))
    weights = np.bincount(draw, minlength=len(units)).astype(np.float64)
    (expected,) = reference.bootstrap(as_units(units), [draw])
    assert READINGS.read(weights @ as_array(units))[3] == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("at_once", [1, 7, 60, 1_000])
def test_how_many_units_are_drawn_at_once_does_not_matter(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = np.random.default_rng(2).integers(0, 13, size=(50, 13))
    monkeypatch.setattr(resampling, "AT_ONCE", at_once)
    rng = np.random.default_rng(2)
    drawn = multiplicities(rng, 13, 50)
    assert drawn.tolist() == [np.bincount(row, minlength=13).tolist() for row in expected]


def test_multiplicities() -> None:
    drawn = multiplicities(np.random.default_rng(0), 20, 5_000)
    assert (drawn.sum(axis=1) == 20).all()
    assert drawn.mean() == 1
    # Binomial(20, 1/20) has variance 0.95.
    assert drawn.var() == pytest.approx(0.95, abs=0.02)
    assert len({tuple(row) for row in drawn.tolist()}) > 4_990


def test_duplicates_are_not_dropped() -> None:
    """The mistake of a published script: a topic drawn twice was kept once.

    The spread of a proper bootstrap is the standard error of the mean; without duplicates a sample
    of 100 has about 63 units, each once, and spreads too little.
    """
    rng = np.random.default_rng(4)
    ((rows_,),) = systems(rng, 100, [0.8])
    drawn = bootstrap(Sample([[rows_]]), READINGS, 4_000, seed=5)[:, 0, 0]
    seen = multiplicities(np.random.default_rng(5), 100, 4_000) > 0
    wrong = READINGS.read(seen.astype(np.float64) @ rows_)[:, 0]
    recall, precision = (rows_[:, [i, i + 1]].T for i in (0, 2))
    f1 = 2 * recall[0].sum() / (recall[1].sum() + precision[1].sum())
    # F1 is here 2 Σ found / Σ (key + response): the linearised standard error of such a ratio.
    residual = 2 * recall[0] - f1 * (recall[1] + precision[1])
    error = np.sqrt((residual**2).sum()) / (recall[1].sum() + precision[1].sum())
    assert drawn.std() == pytest.approx(error, rel=0.06)
    assert wrong.std() < 0.85 * error


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sample(systems(np.random.default_rng(6), 30, [0.8, 0.9]))
    whole = bootstrap(sample, READINGS, 100, seed=1)
    tested = randomization(sample, READINGS, [(1, 0)], 100, seed=1)
    monkeypatch.setattr(resampling, "BATCH", 700)
    sizes = [len(swap) for swap in swaps(30, 100, 1, 12)]
    assert max(sizes) * 30 <= 700 and sum(sizes) == 100
    assert bootstrap(sample, READINGS, 100, seed=1).tolist() == whole.tolist()
    assert randomization(sample, READINGS, [(1, 0)], 100, seed=1).tolist() == tested.tolist()
    few = Sample(systems(np.random.default_rng(6), 9, [0.8, 0.9]))
    exact = randomization(few, READINGS, [(1, 0)], 1_000, seed=1)
    assert max(len(swap) for swap in all_swaps(9, 12)) * 12 <= 700
    monkeypatch.undo()
    assert randomization(few, READINGS, [(1, 0)], 1_000, seed=1).tolist() == exact.tolist()


def test_seeds() -> None:
    sample = Sample(systems(np.random.default_rng(6), 30, [0.8]))
    one, again, other = (bootstrap(sample, READINGS, 50, seed) for seed in (1, 1, 2))
    assert one.tolist() == again.tolist() != other.tolist()


def test_interval_is_wider_for_few_units() -> None:
    """Of 10 units: Student's quantile 2.262 times the root of 10/9 is 2.384 of a normal one."""
    drawn = np.linspace(0, 1, 100_001)[:, np.newaxis]

    def limits(units: int, confidence: float = 0.95) -> tuple[float, float]:
        wider = stretch(units, np.array([units - 1.0]), confidence)
        (found,) = interval(drawn, wider, confidence)
        return found

    assert limits(10) == pytest.approx((0.00856, 0.99144), abs=1e-4)
    assert limits(100_000) == pytest.approx((0.025, 0.975), abs=1e-4)
    assert limits(100_000, 0.8) == pytest.approx((0.1, 0.9), abs=1e-4)


def test_interval_is_wider_where_few_units_decide() -> None:
    """Each statistic by its own degrees of freedom: 4 reach 2.776, 9 reach 2.262."""
    drawn = np.tile(np.linspace(0, 1, 100_001)[:, np.newaxis], 2)
    few, many = stretch(10, np.array([4.0, 9.0])).tolist()
    assert few / many == pytest.approx(2.7764 / 2.2622, abs=1e-4)
    wide, narrow = interval(drawn, np.array([few, many]))
    assert wide[0] < narrow[0] and wide[1] > narrow[1]


@given(st.lists(st.fractions(0, 1, max_denominator=50), min_size=1, max_size=12))
def test_holm(p: list[Fraction]) -> None:
    found = holm(np.array(p, dtype=np.float64))
    assert found.tolist() == pytest.approx([float(each) for each in reference.holm(p)], abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 10, 49, 347, 5_000])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_students_quantile_is_that_of_scipy(freedom: int, confidence: float) -> None:
    from scipy.special import stdtrit

    expected = -stdtrit(freedom, (1 - confidence) / 2)
    assert student(freedom, confidence) == pytest.approx(expected, rel=1e-9)


@given(st.floats(2, 400))
def test_students_quantile_of_fractional_freedom(
    freedom: float,
) -> None:
    """It errs on the wide side."""
    from scipy.special import stdtrit

    exact = -stdtrit(freedom, 0.025)
    assert exact * (1 - 1e-9) <= student(freedom, 0.95) <= exact * 1.03
