"""The best one-to-one alignment of entities: a maximum-weight matching of a sparse table."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, components
from corefscope.metrics.assignment import Numbers, assign

SMALL = 6
"""Up to this number of entities on one side, all alignments are tried."""

WORTH_A_PASS = 1 / 16
"""The share of cells that a pass over all cells must settle for another pass to be worthwhile."""

MANY_TIES = 1 / 6
"""The share of cells with equal weight above which scipy is faster than annealing."""


def best_alignment(key: Integers, response: Integers, weight: Floats) -> Numbers:
    """Return the cells of an alignment with the greatest total weight.

    First, cells that are certain are taken. The rest is solved separately for each connected
    component; most components are small.
    """
    certain, left = _take_certain(key, response, weight)
    chosen = [certain]
    for cells in _components(key, response, left):
        rows, columns = len(set(key[cells].tolist())), len(set(response[cells].tolist()))
        if min(rows, columns) > SMALL:
            chosen.append(_solve(key[cells], response[cells], weight[cells], cells))
        elif rows < columns:
            chosen.append(_try_all(response[cells], key[cells], weight[cells], cells))
        else:
            chosen.append(_try_all(key[cells], response[cells], weight[cells], cells))
    return np.sort(np.concatenate(chosen))


def _take_certain(key: Integers, response: Integers, weight: Floats) -> tuple[Numbers, Numbers]:
    """Take every cell that weighs at least as much as the two best cells that it excludes.

    Replacing those two by this cell never lowers the total, so some best alignment has it. Taking
    cells makes other cells certain. A component of one row or column is always settled here.
    """
    left = np.arange(len(weight))
    taken: list[Numbers] = [left[:0]]
    while len(left):
        best_of_key, next_of_key = _best_two(key[left], weight[left])
        best_of_response, next_of_response = _best_two(response[left], weight[left])
        sure = best_of_key & best_of_response & (weight[left] >= next_of_key + next_of_response)
        taken.append(left[sure])
        gone = _same_as(key[left], sure) | _same_as(response[left], sure)
        left = left[~gone]
        if gone.mean() < WORTH_A_PASS:
            one_by_one, left = _take_one_by_one(key, response, weight, left)
            taken.append(one_by_one)
            break
    return np.concatenate(taken), left


def _same_as(entity: Integers, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the cells that have an entity in common with the sure ones."""
    taken = np.zeros(int(entity.max()) + 1, dtype=bool)
    taken[entity[sure]] = True
    return np.asarray(taken[entity])


def _best_two(group: Integers, weight: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return a mask of the heaviest cell of each row, and the second highest weight of the row.

    Among equally heavy cells the first counts as the heaviest.
    """
    order = np.lexsort((-weight, group))
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = np.diff(group[order]) != 0
    first = np.flatnonzero(begins)
    second = np.minimum(first + 1, len(order) - 1)
    runner_up = np.where(begins[second], 0.0, weight[order[second]])
    heaviest = np.zeros(len(order), dtype=bool)
    heaviest[order[first]] = True
    spread = np.empty(len(order))
    spread[order] = runner_up[np.cumsum(begins) - 1]
    return heaviest, spread


def _components(key: Integers, response: Integers, cells: Numbers) -> Iterable[Numbers]:
    """Split cells into the connected components of the graph of their entities."""
    groups = defaultdict(list)
    component = components(key[cells].tolist(), response[cells].tolist())
    for cell, group in zip(cells.tolist(), component, strict=True):
        groups[group].append(cell)
    return (np.array(group) for group in groups.values())


def _try_all(many: Integers, few: Integers, weight: Floats, cells: Numbers) -> Numbers:
    """Find the best alignment by dynamic programming over sets of entities of the smaller side."""
    bit = {entity: 1 << i for i, entity in enumerate(np.unique(few).tolist())}
    rows = defaultdict(list)
    for row, column, value, cell in zip(
        many.tolist(), few.tolist(), weight.tolist(), cells.tolist(), strict=True
    ):
        rows[row].append((bit[column], value, cell))
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in rows.values():
        longer = dict(best)
        for used, (total, path) in best.items():
            for column, value, cell in row:
                after = used | column
                if after != used and total + value > longer.get(after, (0.0, ()))[0]:
                    longer[after] = total + value, (*path, cell)
        best = longer
    return np.array(max(best.values())[1], dtype=np.int64)


def _solve(key: Integers, response: Integers, weight: Floats, cells: Numbers) -> Numbers:
    """Solve a large component with the solver that is faster for such weights."""
    rows, columns = (np.unique(side, return_inverse=True)[1] for side in (key, response))
    solve = _solve_by_scipy if _is_full_of_ties(weight) else assign
    return np.asarray(cells[solve(rows, columns, weight)])


def _is_full_of_ties(weight: Floats) -> bool:
    """Return whether very many alignments must have the same weight.

    This happens if all weights are multiples of one number, as in CEAFm or between entities of one
    size, or if many cells weigh the same, as between entities of a few sizes. Annealed prices then
    lie between many optimal prices, so few cells are tight; scipy does not have this problem.
    """
    multiple = weight / weight.min()
    _, frequency = np.unique(weight, return_counts=True)
    return bool(
        np.abs(multiple - np.rint(multiple)).max() < 1e-9
        or frequency.max() > MANY_TIES * len(weight)
    )


def _solve_by_scipy(rows: Integers, columns: Integers, weight: Floats) -> NDArray[np.bool_]:
    """Solve a component by scipy's sparse matching.

    An extra column per row allows the row to stay unaligned. Costs are shifted above zero, because
    zeros in a sparse matrix are not cells; this changes nothing, as every row is matched once.
    """
    # Importing scipy takes longer than scoring a test set, and most corpora do not need it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if rows.max() > columns.max():
        rows, columns = columns, rows
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    above = weight.max() + 1
    cost = np.concatenate((above - weight, np.full(height, above)))
    position = (
        np.concatenate((rows, np.arange(height))),
        np.concatenate((columns, width + np.arange(height))),
    )
    matrix = coo_array((cost, position), shape=(height, width + height)).tocsr()
    _, column_of = min_weight_full_bipartite_matching(matrix)
    return np.asarray(column_of[rows] == columns)


def _take_one_by_one(
    key: Integers, response: Integers, weight: Floats, cells: Numbers
) -> tuple[Numbers, Numbers]:
    """Take certain cells one by one, and then check the neighbours of each.

    Returns the cells taken and the cells left. Each step takes time proportional to the cells that
    it settles. Passes over all cells would be slow for long chains of entities.
    """
    table = _Table(key, response, weight, cells)
    taken = []
    waiting = deque(table.cells_of)
    while waiting:
        cell = table.heaviest(waiting.popleft())
        if cell is not None and table.is_certain(cell):
            taken.append(cell)
            waiting.extend(table.take(cell))
    left = np.array(sorted(table.alive), dtype=np.int64)
    return np.array(taken, dtype=np.int64), left


class _Table:
    """Cells by entity; response entities are identified by the complement of their number."""

    def __init__(self, key: Integers, response: Integers, weight: Floats, cells: Numbers) -> None:
        order = cells[np.argsort(weight[cells], kind="stable")]
        ends = zip(key[order].tolist(), (~response[order]).tolist(), strict=True)
        self.weight = dict(zip(order.tolist(), weight[order].tolist(), strict=True))
        self.ends = dict(zip(order.tolist(), ends, strict=True))
        self.alive = set(self.ends)
        self.cells_of: dict[int, list[int]] = defaultdict(list)
        """The cells of each entity, heaviest last; removed cells are deleted when encountered."""
        for cell, (row, column) in self.ends.items():
            self.cells_of[row].append(cell)
            self.cells_of[column].append(cell)

    def heaviest(self, entity: int) -> int | None:
        """Return the heaviest remaining cell of an entity."""
        cells = self.cells_of[entity]
        while cells and cells[-1] not in self.alive:
            cells.pop()
        return cells[-1] if cells else None

    def second(self, entity: int) -> int | None:
        """Return the second heaviest remaining cell; call :meth:`heaviest` before."""
        cells = self.cells_of[entity]
        while len(cells) > 1 and cells[-2] not in self.alive:
            del cells[-2]
        return cells[-2] if len(cells) > 1 else None

    def is_certain(self, cell: int) -> bool:
        """Return whether a cell weighs at least as much as the best cells that it excludes."""
        excluded = 0.0
        for entity in self.ends[cell]:
            heaviest = self.heaviest(entity)
            rival = self.second(entity) if heaviest == cell else heaviest
            excluded += 0.0 if rival is None else self.weight[rival]
        return bool(self.weight[cell] >= excluded)

    def take(self, cell: int) -> Iterator[int]:
        """Remove a cell and all cells that it excludes; yield the entities this may settle."""
        touched = []
        for entity in self.ends[cell]:
            for gone in self.cells_of.pop(entity, ()):
                if gone in self.alive:
                    self.alive.remove(gone)
                    touched += self.ends[gone]
        for entity in touched:
            if entity in self.cells_of:
                yield entity
                for near in (self.heaviest(entity), self.second(entity)):
                    yield from () if near is None else self.ends[near]
