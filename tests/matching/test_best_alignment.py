"""The best alignment of entities, against exhaustive search and against scipy's dense solver."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefscope.corpus import Integers
from corefscope.matching.assignment import (
    SMALL,
    _components,
    _take_certain,
    best_alignment,
)
from corefscope.matching.overlap import Floats

Cell = tuple[int, int, float]


class Table:
    """Cells sorted by row, then column, as an overlap has them."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        ordered = sorted(cells)
        self.key = np.array([key for key, _, _ in ordered], dtype=np.int64)
        self.response = np.array([response for _, response, _ in ordered], dtype=np.int64)
        self.weight = np.array([weight for _, _, weight in ordered], dtype=np.float64)

    @classmethod
    def of(cls, matrix: Floats) -> Table:
        """The cells of a matrix that are not zero."""
        rows, columns = np.nonzero(matrix)
        return cls(
            zip(rows.tolist(), columns.tolist(), matrix[rows, columns].tolist(), strict=True)
        )

    def aligned(self) -> Integers:
        return best_alignment(self.key, self.response, self.weight)

    def total(self) -> float:
        """The weight of the best alignment, which is checked to be one."""
        cells = self.aligned()
        for side in (self.key, self.response):
            assert len(set(side[cells].tolist())) == len(cells)
        assert cells.tolist() == sorted(set(cells.tolist()))
        return float(self.weight[cells].sum())

    def needs_the_solver(self) -> bool:
        """Whether a component has many entities on both sides after all certain cells are taken."""
        _, left = _take_certain(self.key, self.response, self.weight)
        return any(
            min(len(set(side[cells].tolist())) for side in (self.key, self.response)) > SMALL
            for cells in _components(self.key, self.response, left)
        )


def exhaustive(cells: Sequence[Cell]) -> float:
    """The greatest total weight, found by taking or leaving each cell in turn."""
    if not cells:
        return 0.0
    (key, response, weight), rest = cells[0], cells[1:]
    free = [cell for cell in rest if cell[0] != key and cell[1] != response]
    return max(exhaustive(rest), weight + exhaustive(free))


def dense(matrix: Floats) -> float:
    """The greatest total weight, by scipy's solver for full matrices."""
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return float(matrix[rows, columns].sum())


def tables(weights: st.SearchStrategy[float]) -> st.SearchStrategy[list[Cell]]:
    """Up to 12 cells of up to 5 entities on each side."""
    cells = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), weights, max_size=12)
    return cells.map(lambda drawn: sorted((*place, weight) for place, weight in drawn.items()))


similarities = st.tuples(st.integers(1, 9), st.integers(1, 9)).map(lambda pair: pair[0] / sum(pair))


@settings(max_examples=500)
@given(tables(st.integers(1, 3).map(float)))
def test_ties_equal_exhaustive_search(cells: list[Cell]) -> None:
    assert Table(cells).total() == exhaustive(cells)


@settings(max_examples=500)
@given(tables(similarities))
def test_real_weights_equal_exhaustive_search(cells: list[Cell]) -> None:
    assert Table(cells).total() == pytest.approx(exhaustive(cells), abs=1e-12)


def small_counts(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return random.integers(1, 4, shape).astype(np.float64)


def large_counts(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return random.integers(1, 1_000_000, shape).astype(np.float64)


def alike(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Numbers between 1 and 2: none outweighs two others, so no cell is certain."""
    return random.uniform(1, 2, shape)


def skewed(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Few large numbers among many small ones, as overlaps of entities are."""
    return np.ceil(random.pareto(1, shape))


@pytest.mark.parametrize("weights", [small_counts, large_counts, alike, skewed])
@pytest.mark.parametrize("density", [0.02, 0.1, 0.4, 1.0])
@pytest.mark.parametrize("shape", [(40, 40), (60, 25), (25, 60), (7, 90), (90, 7)])
def test_larger_tables_equal_dense_solver(
    weights: Callable[[np.random.Generator, tuple[int, int]], Floats],
    density: float,
    shape: tuple[int, int],
) -> None:
    random = np.random.default_rng(hash((density, shape)) % 2**32)
    for _ in range(3):
        matrix = weights(random, shape) * (random.uniform(size=shape) < density)
        assert Table.of(matrix).total() == pytest.approx(dense(matrix), rel=1e-12)


def unrelated(sizes: Sequence[int], mentions: int = 1_200) -> Floats:
    """φ₄ of two random partitions into entities of the given sizes in turn."""
    random = np.random.default_rng(len(sizes))
    entity = np.repeat(np.arange(mentions), np.resize(sizes, mentions))[:mentions]
    shared = np.zeros((entity[-1] + 1, entity[-1] + 1))
    np.add.at(shared, (random.permutation(entity), random.permutation(entity)), 1)
    size = shared.sum(axis=1)
    return np.asarray(2 * shared / (size[:, None] + size))


@pytest.mark.parametrize("sizes", [[3], [2, 3], [2, 3, 4, 5], range(1, 30)])
def test_unrelated_entities_of_few_sizes(sizes: Sequence[int]) -> None:
    matrix = unrelated(sizes)
    assert Table.of(matrix).needs_the_solver()
    assert Table.of(matrix).total() == pytest.approx(dense(matrix), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 3e11])
def test_weights_may_be_of_any_size(scale: float) -> None:
    matrix = scale * unrelated(range(1, 30))
    assert Table.of(matrix).total() == pytest.approx(dense(matrix), rel=1e-12)


def test_weights_of_different_magnitude() -> None:
    random = np.random.default_rng(3)
    matrix = 10.0 ** random.uniform(-6, 3, (60, 70)) * (random.random((60, 70)) < 0.3)
    assert Table.of(matrix).total() == pytest.approx(dense(matrix), rel=1e-12)


@pytest.mark.parametrize("shape", [(SMALL + 1, SMALL + 1), (SMALL + 1, 50), (80, 60)])
def test_uncertain_tables_go_to_the_solver(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    for weights in (alike, lambda random, shape: np.ones(shape)):
        matrix = weights(random, shape)
        table = Table.of(matrix)
        assert table.needs_the_solver()
        assert table.total() == pytest.approx(dense(matrix), rel=1e-12)


def test_small_and_large_components() -> None:
    random = np.random.default_rng(1)
    matrix = np.zeros((60, 70))
    for corner, size in ((0, 5), (5, 20), (25, 12), (40, 20)):
        block = slice(corner, corner + size), slice(corner + 3, corner + size + 3)
        matrix[block] = alike(random, (size, size))
    table = Table.of(matrix)
    assert table.needs_the_solver()
    assert table.total() == pytest.approx(dense(matrix), rel=1e-12)


@pytest.mark.parametrize("few", range(1, SMALL + 1))
@pytest.mark.parametrize("transposed", [False, True])
def test_few_entities_on_one_side_need_no_solver(few: int, transposed: bool) -> None:
    matrix = alike(np.random.default_rng(few), (few, 200))
    table = Table.of(matrix.T if transposed else matrix)
    assert not table.needs_the_solver()
    assert table.total() == pytest.approx(dense(matrix), rel=1e-12)


def test_an_empty_table_has_an_empty_alignment() -> None:
    cells = Table([]).aligned()
    assert cells.tolist() == []
    assert cells.dtype == np.int64


def test_one_cell_is_aligned() -> None:
    assert Table([(3, 7, 0.5)]).aligned().tolist() == [0]


@pytest.mark.parametrize("place", [lambda i: (0, i), lambda i: (i, 0)])
def test_single_row_or_column(place: Callable[[int], tuple[int, int]]) -> None:
    weights = [2.0, 5.0, 1.0, 5.0, 3.0]
    table = Table((*place(number), weight) for number, weight in enumerate(weights))
    assert table.weight[table.aligned()].tolist() == [5.0]


def test_huge_star_and_huge_separate_pairs() -> None:
    """One entity that shares mentions with 200,000, beside as many identical entities."""
    size = 200_000
    star = np.arange(size)
    table = Table([])
    table.key = np.concatenate((np.zeros(size, dtype=np.int64), 1 + star))
    table.response = np.concatenate((star, size + star))
    table.weight = np.concatenate((1.0 + star, np.full(size, 2.0)))
    assert table.total() == size + 2.0 * size


@pytest.mark.parametrize("closed", [False, True])
def test_long_chain_of_equal_cells(closed: bool) -> None:
    """Pairs against the same mentions paired one further; closed, no cell of it is certain."""
    size = 1_000
    cells = [(i, i, 1.0) for i in range(size)] + [(i, i + 1, 1.0) for i in range(size - 1)]
    table = Table([*cells, (size - 1, 0, 1.0)] if closed else cells)
    assert table.total() == size


def test_leaving_an_entity_unaligned_may_be_best() -> None:
    """The largest cell is in no best alignment of the first table, and alone in the second."""
    assert Table([(0, 0, 4.0), (0, 1, 5.0), (1, 1, 4.0)]).total() == 8
    assert Table([(0, 0, 2.0), (0, 1, 5.0), (1, 1, 2.0)]).aligned().tolist() == [1]


@pytest.mark.parametrize("weights", [small_counts, alike])
def test_the_same_table_gives_the_same_cells(
    weights: Callable[[np.random.Generator, tuple[int, int]], Floats],
) -> None:
    for seed in range(5):
        matrix = weights(np.random.default_rng(seed), (30, 30))
        first, second = Table.of(matrix).aligned(), Table.of(matrix).aligned()
        assert first.tolist() == second.tolist()


def test_arguments_are_left_as_they_are() -> None:
    table = Table.of(alike(np.random.default_rng(0), (10, 10)))
    before = [array.copy() for array in (table.key, table.response, table.weight)]
    table.aligned()
    for array, copy in zip((table.key, table.response, table.weight), before, strict=True):
        assert array.tolist() == copy.tolist()


IS_SCIPY_LOADED = "\nimport sys; print(any(name.startswith('scipy') for name in sys.modules))"

TYPICAL = """
import random
from corefscope import score
random = random.Random(0)
key, response = {}, {}
for document in range(100):
    entities = [[] for _ in range(40)]
    for mention in range(160):
        entities[min(int(random.expovariate(0.1)), 39)].append(mention)
    others = [list(entity) for entity in entities]
    for _ in range(30):
        source, target = random.choice(others), random.choice(others)
        if source:
            target.append(source.pop())
    key[str(document)] = [entity for entity in entities if entity]
    response[str(document)] = [entity for entity in others if entity]
assert 0.5 < score(key, response).conll < 1
"""

DEMO = """
from corefscope import score
from corefscope.demo import KEY, RESPONSES
for response in RESPONSES.values():
    score(str(KEY), str(response))
"""

TANGLED = """
import numpy as np
from corefscope.matching.assignment import best_alignment
rows, columns = map(np.ravel, np.indices((9, 9)))
best_alignment(rows, columns, np.ones(81))
"""


@pytest.mark.parametrize(("program", "loaded"), [(TYPICAL, False), (DEMO, False), (TANGLED, True)])
def test_scipy_is_loaded_only_for_large_tangles(program: str, loaded: bool) -> None:
    """Loading it takes longer than scoring a test set."""
    done = subprocess.run(
        [sys.executable, "-c", program + IS_SCIPY_LOADED],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{loaded}\n"
