"""Several runs per system: variances over documents and runs against the brute-force reference."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

import corefscope as cs
import statistics_reference as reference
from brute_force import Ratios
from corefscope import compare
from corefscope.findings import Code
from corefscope.statistics import Settings, compare_runs
from corefscope.statistics.influence import freedom, influences, over_runs, variance
from corefscope.statistics.resampling import Sample
from corefscope.statistics.runs import SMALLEST, RunSpread, runs_of, spread_of
from corefscope.statistics.units import make_units
from noisy import Documents, noisy, small_documents
from simulated import READINGS, SKILL, systems

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
Metric = tuple[int, int, int, int]
Row = tuple[Metric, ...]

GOLD = small_documents()


def runs(first: int, count: int, noise: float = 0.25) -> list[Documents]:
    return [noisy(GOLD, seed, noise) for seed in range(first, first + count)]


# Against the reference

counts = st.tuples(*[st.integers(0, 6)] * 4).map(
    lambda n: (min(n[0], n[1]), max(n[0], n[1]) + 1, min(n[2], n[3]), max(n[2], n[3]) + 1)
)


@st.composite
def two_systems(draw: st.DrawFn) -> list[list[list[Row]]]:
    """Two systems of two or three runs each on two to five units."""
    units = draw(st.integers(2, 5))
    row = st.tuples(counts, counts, counts)
    run = st.lists(row, min_size=units, max_size=units)
    return [draw(st.lists(run, min_size=2, max_size=3)) for _ in range(2)]


def as_sample(both: list[list[list[Row]]]) -> Sample:
    return Sample(
        [
            [
                np.array([[n for m in unit for n in m] for unit in run], dtype=np.float64)
                for run in of_system
            ]
            for of_system in both
        ]
    )


def as_units(of_system: list[list[Row]]) -> list[list[reference.Unit]]:
    return [
        [tuple(Ratios(*map(Fraction, metric)) for metric in unit) for unit in run]
        for run in of_system
    ]


@given(two_systems())
@profile(max_examples=60)
def test_variances_and_freedom_equal_reference(
    both: list[list[list[Row]]],
) -> None:
    one, other = runs_of(as_sample(both), READINGS)
    ours, theirs = map(as_units, both)
    spread = spread_of(one, other)
    moves = reference.influences((1, ours), (-1, theirs))
    assert spread.units[3] == pytest.approx(float(reference.unit_variance(moves)), abs=1e-12)
    if reference.unit_variance(moves) > Fraction(1, 10**6):
        assert spread.units_freedom[3] == pytest.approx(
            float(reference.unit_freedom(moves)), rel=1e-6
        )
    variances = [reference.run_variance(each) for each in (ours, theirs)]
    assert spread.runs[3] == pytest.approx(float(sum(variances)), abs=1e-12)
    if sum(variances) > Fraction(1, 10**6):
        expected = reference.run_freedom(variances, [len(ours), len(theirs)])
        assert spread.runs_freedom[3] == pytest.approx(float(expected), rel=1e-6)
    alone = spread_of(one)
    assert alone.units[3] == pytest.approx(
        float(reference.unit_variance(reference.influences((1, ours)))), abs=1e-12
    )
    assert alone.runs[3] == pytest.approx(float(variances[0]), abs=1e-12)
    assert alone.runs_freedom[3] == len(ours) - 1


def test_variance_of_a_mean() -> None:
    """Documents of one size: F1 is a mean of n values, its variance s²/n, with about n − 1."""
    found = np.array([3.0, 5, 6, 6, 8])
    rows = np.stack([found, np.full(5, 10.0)] * 6, axis=1)
    moved = over_runs(influences(Sample([[rows]]), READINGS)[0])
    assert variance(moved) == pytest.approx(np.full(4, (found / 10).var(ddof=1) / 5))
    assert freedom(moved)[0] == pytest.approx(4)


def test_one_long_document_leaves_little_freedom() -> None:
    found = np.random.default_rng(3).integers(2, 9, 50)
    rows = np.stack([found, np.full(50, 10)] * 6, axis=1).astype(np.float64)
    even = freedom(over_runs(influences(Sample([[rows]]), READINGS)[0]))
    rows[0] *= 200
    long = freedom(over_runs(influences(Sample([[rows]]), READINGS)[0]))
    assert (long < 3).all() and (long >= 2).all() and (even > 40).all() and (even <= 49).all()


def spread(units: float, runs: float, units_freedom: float, runs_freedom: float) -> RunSpread:
    given = (units, units_freedom, runs, runs_freedom)
    first, second, third, fourth = (np.array([each]) for each in given)
    return RunSpread(units=first, units_freedom=second, runs=third, runs_freedom=fourth, count=60)


def test_each_part_of_variance_has_its_quantile() -> None:
    """Documents: 4 with 29 degrees of freedom. Runs: 9 with 2. 2.045² · 4 + 4.303² · 9 = 183.4."""
    found = spread(4, 9, 29, 2)
    assert found.reach(0.05).item() == pytest.approx(sqrt(183.37), rel=1e-3)


def test_equal_runs_give_students_test() -> None:
    found = spread(4, 0, 29, 2)
    assert found.reach(0.05).item() == pytest.approx(2 * -stdtrit(29, 0.025))
    assert found.p_values(np.array([5.0])).item() == pytest.approx(2 * stdtr(29, -2.5), rel=1e-9)
    only = spread(0, 9, 29, 2.5)
    assert only.p_values(np.array([-6.0])).item() == pytest.approx(2 * stdtr(2.5, -2), rel=1e-9)


@given(
    st.floats(0, 10), st.floats(0, 10), st.floats(2, 300), st.floats(1, 20), st.floats(0.01, 0.99)
)
@profile(max_examples=100)
def test_p_value_at_the_end_of_an_interval(
    units: float, runs: float, units_freedom: float, runs_freedom: float, p: float
) -> None:
    found = spread(units + 0.01, runs, units_freedom, runs_freedom)
    assert found.p_values(found.reach(p)).item() == pytest.approx(p, rel=1e-6)


def test_p_is_1_for_equal_systems_and_never_0() -> None:
    still = spread(0, 0, 29, 2)
    assert still.p_values(np.array([0.0])).item() == 1
    assert still.p_values(np.array([0.5])).item() == pytest.approx(SMALLEST)
    few = RunSpread(
        units=still.units,
        units_freedom=still.units_freedom,
        runs=still.runs,
        runs_freedom=still.runs_freedom,
        count=11,
    )
    assert few.p_values(np.array([0.5])).item() == pytest.approx(2**-10)


# Symmetries


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 4))
@profile(max_examples=25)
def test_order_and_scale_do_not_matter(seed: int, ours: int, theirs: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = systems(rng, 20, [SKILL, SKILL + 0.2], max(ours, theirs), 0.2)
    one, other = one[:ours], other[:theirs]
    there = spread_of(*runs_of(Sample([one, other]), READINGS))
    places = rng.permutation(20)
    for changed in (
        spread_of(*runs_of(Sample([other, one]), READINGS)),
        spread_of(*runs_of(Sample([one[::-1], other[::-1]]), READINGS)),
        spread_of(
            *runs_of(Sample([[rows[places] for rows in side] for side in (one, other)]), READINGS)
        ),
        spread_of(
            *runs_of(Sample([[7 * rows for rows in side] for side in (one, other)]), READINGS)
        ),
    ):
        for name in ("units", "units_freedom", "runs", "runs_freedom"):
            assert getattr(changed, name) == pytest.approx(
                getattr(there, name), rel=1e-6, abs=1e-15
            )


@quiet
def test_swapped_systems_turn_the_interval() -> None:
    a, b = runs(0, 3), runs(10, 4, 0.35)
    there = compare(GOLD, {"a": a, "b": b})
    back = compare(GOLD, {"b": b[::-1], "a": a[::-1]})
    for id in there.statistics:
        one, other = there.difference("b", "a", id), back.difference("a", "b", id)
        assert one.low is not None and other.high is not None and one.p is not None
        assert one.difference == pytest.approx(-other.difference, abs=1e-12)
        assert one.low == pytest.approx(-other.high, abs=1e-9)
        assert one.p == pytest.approx(other.p, rel=1e-6)


SHUFFLED = {
    "randomization": {"a": noisy(GOLD, 1, 0.3), "b": noisy(GOLD, 2, 0.25)},
    "bootstrap": {"a": noisy(GOLD, 1, 0.3), "b": noisy(GOLD, 2, 0.25)},
    None: {"a": runs(0, 2), "b": runs(20, 3)},
}


@quiet
@pytest.mark.parametrize("unit", ["documents", r"d\d*(\d)"])
@pytest.mark.parametrize("test", ["randomization", "bootstrap", None])
def test_order_of_documents_in_the_key(test: str | None, unit: str) -> None:
    """Not even the last digit."""
    names = list(GOLD)
    Random(4).shuffle(names)
    shuffled = {name: GOLD[name] for name in names}
    there, back = (
        compare(key, SHUFFLED[test], test=test, unit=unit, samples=300)  # type: ignore[arg-type]
        for key in (GOLD, shuffled)
    )
    assert back.differences == there.differences
    assert back.estimates == there.estimates


# What is said


@quiet
def test_mean_and_deviation_of_runs() -> None:
    scored = [cs.score(GOLD, run) for run in runs(0, 6)]
    found = compare(GOLD, {"a": scored, "b": runs(30, 5, 0.6)})
    values = [run.conll for run in scored if run.conll is not None]
    assert found.tests == ["satterthwaite"]
    assert "|test:satterthwaite|samples:" in found.signature
    assert found.estimates["a"]["conll"].value == pytest.approx(mean(values), abs=1e-15)
    assert found.estimates["a"]["conll"].deviation == pytest.approx(stdev(values), abs=1e-15)
    assert found.findings == ()
    difference = found.difference("b", "a")
    assert difference.low is not None and difference.high is not None
    assert difference.low < difference.difference < difference.high < 0
    assert difference.is_significant and difference.test == "satterthwaite"


def test_spread_of_runs_widens_the_interval() -> None:
    spread = [noisy(GOLD, seed, noise) for seed, noise in enumerate((0.1, 0.2, 0.3, 0.4, 0.5))]
    found = compare(GOLD, {"alike": runs(0, 5, 0.3), "spread": spread})
    wide = {}
    for name, estimates in found.estimates.items():
        low, high = estimates["conll"].low, estimates["conll"].high
        assert low is not None and high is not None
        wide[name] = high - low
    assert wide["spread"] > 1.5 * wide["alike"]


@quiet
def test_identical_runs_are_nearly_one_run() -> None:
    a, b = noisy(GOLD, 1, 0.3), noisy(GOLD, 2, 0.25)
    one = compare(GOLD, {"a": a, "b": b}, metrics="lea").difference("b", "a")
    several = compare(GOLD, {"a": [a] * 5, "b": [b] * 5}, metrics="lea")
    same = several.difference("b", "a")
    assert one.low is not None and same.low is not None and one.p is not None
    assert same.low == pytest.approx(one.low, abs=0.004)
    assert same.p == pytest.approx(one.p, abs=0.03)
    assert [finding.code for finding in several.findings] == [Code.SAME_RUNS] * 2
    assert several.findings[0].message.startswith(
        "runs of a repeat each other: 5 runs, 1 different"
    )


@quiet
def test_one_run_against_several_is_not_tested() -> None:
    found = compare(
        GOLD, {"a": runs(0, 5), "b": noisy(GOLD, 50, 0.6), "c": runs(9, 5, 0.6)}, all_pairs=True
    )
    for difference in found.differences:
        is_tested = {difference.system, difference.other} == {"a", "c"}
        assert (difference.p is not None) == is_tested == (difference.low is not None)
        assert difference.test == ("satterthwaite" if is_tested else None)
        assert difference.verdict is None
    assert all(
        e.low is not None for of_system in found.estimates.values() for e in of_system.values()
    )
    (unlike,) = found.findings
    assert unlike.code is Code.FEW_UNITS
    assert unlike.message.startswith("b has one run, compared with a (5 runs), c (5 runs):")


@quiet
def test_systems_of_one_run_beside_several_runs() -> None:
    found = compare(GOLD, {"a": noisy(GOLD, 1, 0.1), "b": noisy(GOLD, 2, 0.6), "c": runs(9, 5)})
    assert found.difference("b", "a").is_significant
    assert found.difference("c", "a").p is None


def test_few_runs_and_tests_of_one_run() -> None:
    both = {"a": scored(*runs(0, 3)), "b": scored(*runs(9, 3))}
    units = make_units(list(GOLD), "documents")
    found = compare_runs(both, units, Settings())
    assert [finding.code for finding in found.findings] == [Code.FEW_UNITS] * 2
    for test in ("randomization", "bootstrap"):
        with pytest.raises(ValueError, match=f"cannot be tested by {test}"):
            compare_runs(both, units, Settings(test=test))


@quiet
def test_few_units_and_one_unit() -> None:
    few = {name: GOLD[name] for name in list(GOLD)[:9]}
    both = {
        name: [{d: run[d] for d in few} for run in runs(n, 3)] for n, name in ((0, "a"), (9, "b"))
    }
    found = compare(few, both)
    assert all(d.p is not None and d.p >= 2**-8 for d in found.differences)
    assert all(d.low is not None for d in found.differences)
    assert Code.FEW_UNITS in {finding.code for finding in found.findings}
    alone = compare(few, both, unit="d")
    assert all((d.low, d.p) == (None, None) for d in alone.differences)


@quiet
def test_intervals_of_differences_stay_in_range() -> None:
    """Two runs that are far apart say nothing, and a difference is at most 100 points."""
    nothing: Documents = {name: [] for name in GOLD}
    found = compare(
        GOLD, {"a": [GOLD, nothing], "b": [noisy(GOLD, 1, 0.1), nothing]}, metrics="muc,vi"
    )
    difference = found.difference("b", "a", "muc")
    assert (difference.low, difference.high) == (-1, 1)
    estimate = found.estimates["a"]["muc"]
    assert (estimate.low, estimate.high) == (0, 1)


def scored(*responses: Documents) -> list[cs.Scores]:
    return [cs.score(GOLD, response) for response in responses]
