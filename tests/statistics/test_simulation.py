"""What the tests and intervals promise, checked on corpora where the truth is known.

All seeds are fixed: the shares below are what they are. ``make simulate`` runs the whole grid;
here is one cell of each kind, with fewer corpora. What is allowed is three standard errors.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from corefscope.matching.overlap import Floats
from corefscope.statistics.resampling import Sample
from corefscope.statistics.testing import AnyTest
from simulated import READINGS, SKILL, Cell, judgement, shares, standard_error, systems

PAGE = Path(__file__).parents[2] / "benchmarks" / "simulation.md"
CORPORA = 400
ALLOWED = 3 * standard_error(0.05, CORPORA)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_equal_systems_differ_in_5_percent_of_corpora(test: AnyTest) -> None:
    found = shares(Cell(documents=30, test=test, corpora=CORPORA))
    assert np.abs(found.rejected - 0.05).max() <= ALLOWED, found.rejected
    assert np.abs(found.difference - 0.95).max() <= ALLOWED, found.difference
    assert np.abs(found.system - 0.95).max() <= ALLOWED, found.system


@pytest.mark.parametrize(("runs", "spread"), [(2, 0.15), (3, 0.15), (5, 0.5)])
def test_false_alarms_of_several_runs(runs: int, spread: float) -> None:
    found = shares(Cell(documents=30, runs=runs, spread=spread, corpora=CORPORA))
    assert found.rejected.max() <= 0.05 + ALLOWED, found.rejected
    assert found.difference.min() >= 0.95 - ALLOWED, found.difference
    assert found.system.min() >= 0.95 - ALLOWED, found.system


def test_constant_system_beside_a_varying_one() -> None:
    cell = Cell(documents=30, runs=2, spread=0.5, is_other_fixed=True, corpora=CORPORA)
    found = shares(cell)
    assert found.difference.min() >= 0.95 - ALLOWED, found.difference


def test_two_runs_miss_half_of_what_five_find() -> None:
    """What ``W502`` and the page say of the power of few runs."""
    two, five = (
        shares(Cell(documents=100, runs=runs, spread=0.05, gain=0.2, corpora=CORPORA // 2))
        for runs in (2, 5)
    )
    assert two.rejected[-1] < 0.5 * two.known[-1]
    assert five.rejected[-1] > 0.8 * five.known[-1]
    assert five.difference.min() >= 0.95 - 3 * standard_error(0.05, CORPORA // 2)


@pytest.mark.parametrize(
    ("name", "columns", "least", "most"),
    [("one run", slice(1, 3), 3.5, 6.5), ("several runs", slice(2, 6), 0, 6.5)],
)
def test_simulation_page_shows_its_claims(
    name: str, columns: slice, least: float, most: float
) -> None:
    """Every share that is in the tables, of CoNLL and of the least and the most of all scores."""
    table = PAGE.read_text("utf-8").partition(f"<!-- simulated: {name} -->")[2]
    lines = table.partition("<!-- end -->")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if re.match(r"\| \d", line)]
    found = [float(n) for row in rows for n in re.findall(r"\d+\.\d", " ".join(row[columns]))]
    assert found
    assert least <= min(found) and max(found) <= most


def rejected(gain: float, documents: int, runs: int = 1, test: AnyTest | None = None) -> Floats:
    """The share of corpora in which two systems that differ are called different."""
    corpora, spread = 100, 0.1 if runs > 1 else 0
    rng = np.random.default_rng([documents, runs, 8])
    count = np.zeros(len(READINGS.ids))
    for seed in range(corpora):
        sample = Sample(systems(rng, documents, [SKILL, SKILL + gain], runs, spread))
        count += judgement(sample, test, seed).pairs[0].p <= 0.05
    return count / corpora


@pytest.mark.parametrize(("test", "runs"), [("randomization", 1), ("bootstrap", 1), (None, 3)])
def test_power_grows_with_the_difference(test: AnyTest | None, runs: int) -> None:
    found = [rejected(gain, 50, runs, test) for gain in (0, 0.3, 0.6, 1)]
    for less, more in pairwise(found[:-1]):
        assert (more > less).all()
    assert (found[-1] > 0.95).all()


def test_power_grows_with_the_number_of_runs() -> None:
    two, three, ten = (rejected(0.4, 50, runs) for runs in (2, 3, 10))
    assert (two < three).all() and (three < ten).all()


def test_power_grows_with_documents() -> None:
    few, many = (rejected(0.3, documents) for documents in (25, 100))
    assert (many > few).all()


def test_one_run_each_would_mistake_luck_for_difference() -> None:
    """Why several runs are needed: runs that differ make systems of equal skill look different."""
    found = shares(Cell(documents=100, spread=0.15, test="randomization", corpora=200))
    assert found.rejected.min() > 0.15
