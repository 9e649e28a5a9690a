"""The solver for many tangled entities, against scipy's solver for full matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefscope.matching.assignment import WORTH_ANNEALING, annealed_prices, assign
from corefscope.matching.overlap import Floats


def similarities(mentions: int, entities: int, others: int, seed: int) -> Floats:
    """φ₄ of two partitions that have nothing to do with each other; 0 where nothing is shared."""
    chance = np.random.default_rng(seed)
    shared = np.zeros((entities, others))
    np.add.at(
        shared,
        (chance.integers(0, entities, mentions), chance.integers(0, others, mentions)),
        1,
    )
    sizes = shared.sum(axis=1, keepdims=True) + shared.sum(axis=0, keepdims=True)
    return np.asarray(2 * shared / np.maximum(sizes, 1))


def best(matrix: Floats) -> float:
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return float(matrix[rows, columns].sum())


def aligned(matrix: Floats) -> float:
    """The total of the alignment that is found, which must use no row or column twice."""
    rows, columns = np.nonzero(matrix)
    rows, columns = (np.unique(side, return_inverse=True)[1] for side in (rows, columns))
    weight = matrix[matrix > 0]
    chosen = assign(rows, columns, weight)
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == chosen.sum()
    return float(weight[chosen].sum())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("entities", "others"), [(300, 300), (300, 299), (200, 500), (500, 200), (12, 400)]
)
def test_unrelated_partitions_are_aligned_best(entities: int, others: int, seed: int) -> None:
    matrix = similarities(2_500, entities, others, seed)
    assert np.count_nonzero(matrix) >= WORTH_ANNEALING
    assert aligned(matrix) == pytest.approx(best(matrix), rel=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_small_tables_without_annealing(seed: int) -> None:
    matrix = similarities(150, 30, 25, seed)
    assert np.count_nonzero(matrix) < WORTH_ANNEALING
    assert aligned(matrix) == pytest.approx(best(matrix), rel=1e-13)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 3e11])
def test_weights_may_be_of_any_size(scale: float) -> None:
    matrix = scale * similarities(2_000, 150, 160, 7)
    assert aligned(matrix) == pytest.approx(best(matrix), rel=1e-13)


def test_weights_of_different_magnitude() -> None:
    chance = np.random.default_rng(3)
    matrix = 10.0 ** chance.uniform(-6, 3, (60, 70)) * (chance.random((60, 70)) < 0.3)
    assert aligned(matrix) == pytest.approx(best(matrix), rel=1e-12)


def test_annealing_leaves_little_to_be_settled() -> None:
    """This is what makes it quick: the prices are within a thousandth of the best."""
    matrix = similarities(20_000, 2_000, 2_000, 1)
    rows, columns = np.nonzero(matrix)
    weight = matrix[matrix > 0]
    rows, columns = (np.unique(side, return_inverse=True)[1] for side in (rows, columns))
    price = annealed_prices(rows, columns, weight)
    other = np.zeros(rows.max() + 1)
    np.maximum.at(other, rows, weight - price[columns])
    assert price.sum() + other.sum() == pytest.approx(best(matrix), rel=1e-3)
