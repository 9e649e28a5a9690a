"""The best one-to-one alignment of entities: a maximum-weight matching of a sparse table."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, components
from corefscope.metrics.assignment import assign

SMALL = 6
"""Up to so many entities on one side, all alignments are tried."""

WORTH_A_PASS = 1 / 16
"""Share of the cells that a pass over all of them has to settle for the next to be worth it."""

MANY_TIES = 1 / 6
"""Share of the cells that weigh the same above which scipy is quicker than annealing."""

Numbers = NDArray[np.int64]


def best_alignment(key: Integers, response: Integers, weight: Floats) -> Numbers:
    """Return the cells of an alignment of the greatest total weight.

    First the cells that are certain are taken. What is left falls into small tangles, the connected
    components, each of which is solved by itself.
    """
    certain, left = _take_certain(key, response, weight)
    chosen = [certain]
    large: list[Numbers] = []
    for cells in _components(key, response, left):
        rows, columns = len(set(key[cells].tolist())), len(set(response[cells].tolist()))
        if min(rows, columns) > SMALL:
            large.append(cells)
        elif rows < columns:
            chosen.append(_try_all(response[cells], key[cells], weight[cells], cells))
        else:
            chosen.append(_try_all(key[cells], response[cells], weight[cells], cells))
    chosen += [_solve(key[cells], response[cells], weight[cells], cells) for cells in large]
    return np.sort(np.concatenate(chosen))


def _take_certain(key: Integers, response: Integers, weight: Floats) -> tuple[Numbers, Numbers]:
    """Take every cell that weighs at least as much as the two best cells that it excludes.

    Swapping those two for it never loses, so some best alignment has it. Taking cells makes others
    certain. A component of one row or one column is always settled here.
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
    """Tell which cells have an entity in common with the sure ones."""
    taken = np.zeros(int(entity.max()) + 1, dtype=bool)
    taken[entity[sure]] = True
    return np.asarray(taken[entity])


def _best_two(group: Integers, weight: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Tell which cell is the heaviest of its row, and the weight of the row's second heaviest.

    Among equals the first cell counts as the heaviest.
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
    """Align one by one, remembering the best way to use each set of the fewer entities."""
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
    """Solve a large component by the solver that is quicker for such weights."""
    rows, columns = (np.unique(side, return_inverse=True)[1] for side in (key, response))
    solve = _solve_by_scipy if _is_full_of_ties(weight) else assign
    return np.asarray(cells[solve(rows, columns, weight)])


def _is_full_of_ties(weight: Floats) -> bool:
    """Tell whether very many alignments must weigh the same.

    That is so if all weights are multiples of one, as in CEAFm and between entities of one size,
    and if many cells weigh the same, as between entities of a few sizes. Annealed prices then lie
    in the midst of many best ones, where few cells are tight; scipy's matching has no such trouble.
    """
    multiple = weight / weight.min()
    _, frequency = np.unique(weight, return_counts=True)
    return bool(
        np.abs(multiple - np.rint(multiple)).max() < 1e-9
        or frequency.max() > MANY_TIES * len(weight)
    )


def _solve_by_scipy(rows: Integers, columns: Integers, weight: Floats) -> NDArray[np.bool_]:
    """Solve a component by scipy's sparse matching.

    A private column for each row lets it stay unaligned. Costs are shifted above zero, because a
    sparse matrix takes a zero for no cell; every row is matched once, so that changes nothing.
    """
    # Importing scipy takes longer than scoring a test set: most corpora never get here.
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
    key: Integers, response: Integers, weight: Floats, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Take a cell that weighs as much as the two best that it excludes; then look around it.

    Returns the cells taken and the cells left. Every step costs as much as the cells that it
    settles, where passes over all cells would be as many as a chain of entities is long.
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
    """Cells by entity. A response entity is known by the complement of its number."""

    def __init__(
        self, key: Integers, response: Integers, weight: Floats, cells: NDArray[np.int64]
    ) -> None:
        order = cells[np.argsort(weight[cells], kind="stable")]
        ends = zip(key[order].tolist(), (~response[order]).tolist(), strict=True)
        self.weight = dict(zip(order.tolist(), weight[order].tolist(), strict=True))
        self.ends = dict(zip(order.tolist(), ends, strict=True))
        self.alive = set(self.ends)
        self.cells_of: dict[int, list[int]] = defaultdict(list)
        """The cells of each entity, heaviest last; cells that are gone are dropped when met."""
        for cell, (row, column) in self.ends.items():
            self.cells_of[row].append(cell)
            self.cells_of[column].append(cell)

    def heaviest(self, entity: int) -> int | None:
        """Return the heaviest cell of an entity that is still there."""
        cells = self.cells_of[entity]
        while cells and cells[-1] not in self.alive:
            cells.pop()
        return cells[-1] if cells else None

    def second(self, entity: int) -> int | None:
        """Return the cell next in weight to the heaviest, after that was asked for."""
        cells = self.cells_of[entity]
        while len(cells) > 1 and cells[-2] not in self.alive:
            del cells[-2]
        return cells[-2] if len(cells) > 1 else None

    def is_certain(self, cell: int) -> bool:
        """Tell whether a cell outweighs the best cells that it excludes on both sides."""
        excluded = 0.0
        for entity in self.ends[cell]:
            heaviest = self.heaviest(entity)
            rival = self.second(entity) if heaviest == cell else heaviest
            excluded += 0.0 if rival is None else self.weight[rival]
        return bool(self.weight[cell] >= excluded)

    def take(self, cell: int) -> Iterator[int]:
        """Remove a cell and all that it excludes; return the entities that this may settle."""
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
