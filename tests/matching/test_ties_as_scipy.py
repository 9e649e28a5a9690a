"""The solver without a matrix makes the choices of scipy's, also among equally good ones."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefscope.matching.assignment import as_scipy

Weights = dict[tuple[int, int], float]
VALUES = ([1.0], [0.5, 1.0], [1 / 3, 2 / 3, 0.1, 0.2, 0.7, 1.0], [10 + 1 / 3, 11.0, 20 / 3 + 0.5])
"""Weights that make many ties, and sums that are rounded."""


def by_scipy(weights: Weights, rows: int, columns: int) -> list[list[int]]:
    matrix = np.zeros((rows, columns))
    for cell, weight in weights.items():
        matrix[cell] = weight
    return np.stack(linear_sum_assignment(-matrix), axis=1).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("density", [0.1, 0.3, 0.6, 1.0])
def test_small_matrices(density: float) -> None:
    for seed in range(400):
        random = Random(seed)
        rows, columns = random.randint(1, 12), random.randint(1, 12)
        values = random.choice(VALUES)
        weights: Weights = {
            (row, column): random.choice(values)
            for row in range(rows)
            for column in range(columns)
            if random.random() < density
        }
        assert as_scipy(weights, rows, columns) == by_scipy(weights, rows, columns), seed


def test_a_large_matrix() -> None:
    """Mentions of a long document compete with their neighbours only."""
    random = Random(1)
    rows, columns = 700, 650
    weights = {
        (row, min(max(row + random.randint(-3, 3), 0), columns - 1)): random.choice(VALUES[2])
        for row in range(rows)
        for _ in range(random.choice((0, 0, 1, 2)))
    }
    assert as_scipy(weights, rows, columns) == by_scipy(weights, rows, columns)


def test_nothing_to_choose() -> None:
    assert as_scipy({}, 0, 3) == []
    assert as_scipy({}, 2, 3) == [[0, 0], [1, 1]]
