"""One-to-one assignments of the greatest total weight, over sparse tables.

:func:`best_alignment` aligns entities (CEAF): most cells are certain, small components are tried
out, and large ones are solved by scipy.
:func:`greatest` is exact for integers of any size, by which rules for ties can be written as
weights. :func:`as_scipy` chooses among ties as scipy's solver does, which official scorers use.

The problem is the linear program of Kuhn (1955): find a price uᵢ ≥ 0 for each row and vⱼ ≥ 0 for
each column with uᵢ + vⱼ ≥ wᵢⱼ for every cell, such that the sum of prices is minimal. If all cells
of an assignment are *tight* (uᵢ + vⱼ = wᵢⱼ) and only rows and columns with price 0 are left out,
its weight equals the sum of prices, so no other assignment is better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats, components

UNASSIGNED = -1
SMALL = 6
"""Up to this number of entities on one side, all alignments are tried."""

WORTH_A_PASS = 1 / 16
"""The share of cells that a pass over all cells must settle for another pass to be worthwhile."""

ABOVE_ROUNDING = 1 + 1e-6
"""Sums of weights are rounded by less than this factor."""


# ---- Entities: certain cells, then one component after the other ----


def best_alignment(key: Integers, response: Integers, weight: Floats) -> Integers:
    """Return the cells of an alignment with the greatest total weight.

    First, cells that are certain are taken. The rest is solved separately for each connected
    component; most components are small.
    """
    certain, left = _take_certain(key, response, weight)
    is_chosen = np.zeros(len(weight), dtype=bool)
    is_chosen[certain] = True
    for cells in _components(key, response, left):
        rows, columns = len(set(key[cells].tolist())), len(set(response[cells].tolist()))
        if min(rows, columns) > SMALL:
            chosen = _solve(key[cells], response[cells], weight[cells], cells)
        elif rows < columns:
            chosen = _try_all(response[cells], key[cells], weight[cells], cells)
        else:
            chosen = _try_all(key[cells], response[cells], weight[cells], cells)
        is_chosen[chosen] = True
    return np.flatnonzero(is_chosen)


def _take_certain(key: Integers, response: Integers, weight: Floats) -> tuple[Integers, Integers]:
    """Take every cell that weighs at least as much as the two best cells that it excludes.

    Replacing those two by this cell never lowers the total, so some best alignment has it. Taking
    cells makes other cells certain. A component of one row or column is always settled here.
    """
    # Most cells outweigh all that they exclude together; sums are found faster than the best two.
    excluded = _sum_of_row(key, weight) + _sum_of_row(response, weight) - 2 * weight
    sure = weight > excluded * ABOVE_ROUNDING
    taken: list[Integers] = [np.flatnonzero(sure)]
    left: Integers = np.flatnonzero(~_excluded(key, response, sure))
    while len(left):
        rows, columns, weights = key[left], response[left], weight[left]
        best_of_key, next_of_key = _best_two(rows, weights)
        best_of_response, next_of_response = _best_two(columns, weights)
        sure = best_of_key & best_of_response & (weights >= next_of_key + next_of_response)
        taken.append(left[sure])
        gone = _excluded(rows, columns, sure)
        left = left[~gone]
        if gone.mean() < WORTH_A_PASS:
            break
    return np.concatenate(taken), left


def _sum_of_row(group: Integers, weight: Floats) -> Floats:
    """Return for each cell the weight of its row."""
    return np.asarray(np.bincount(group, weights=weight)[group], dtype=np.float64)


def _excluded(key: Integers, response: Integers, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the sure cells and of those that cannot be taken beside them."""
    return _same_as(key, sure) | _same_as(response, sure)


def _same_as(entity: Integers, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the cells that have an entity in common with the sure ones."""
    taken = np.zeros(int(entity.max(initial=0)) + 1, dtype=bool)
    taken[entity[sure]] = True
    return np.asarray(taken[entity])


def _best_two(group: Integers, weight: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return a mask of the heaviest cell of each row, and the second highest weight of the row.

    Among equally heavy cells the first counts as the heaviest.
    """
    heaviest = np.zeros(len(weight), dtype=bool)
    size = int(group.max()) + 1
    best, runner_up = np.zeros(size), np.zeros(size)
    np.maximum.at(best, group, weight)
    equal = np.flatnonzero(weight == best[group])[::-1]
    first = np.zeros(size, dtype=np.int64)
    # Of several values for one place, the last is kept: in reverse order, the first.
    first[group[equal]] = equal
    heaviest[first[group[equal]]] = True
    others = np.flatnonzero(~heaviest)
    np.maximum.at(runner_up, group[others], weight[others])
    return heaviest, np.asarray(runner_up[group])


def _components(key: Integers, response: Integers, cells: Integers) -> Iterable[Integers]:
    """Split cells into the connected components of the graph of their entities."""
    groups = defaultdict(list)
    component = components(key[cells].tolist(), response[cells].tolist())
    for cell, group in zip(cells.tolist(), component, strict=True):
        groups[group].append(cell)
    return (np.array(group) for group in groups.values())


def _try_all(many: Integers, few: Integers, weight: Floats, cells: Integers) -> Integers:
    """Find the best alignment by dynamic programming over sets of entities of the smaller side."""
    # Not np.unique, which loads numpy.ma: that takes longer than most alignments.
    bit = {entity: 1 << i for i, entity in enumerate(sorted(set(few.tolist())))}
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


def _solve(key: Integers, response: Integers, weight: Floats, cells: Integers) -> Integers:
    """Find the best alignment of a large component by scipy's sparse matching.

    An extra column per row allows the row to stay unaligned. Costs are shifted above zero, because
    zeros in a sparse matrix are not cells; this changes nothing, as every row is matched once.
    """
    # Importing scipy takes longer than scoring a test set, and most corpora do not need it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns = (np.unique(side, return_inverse=True)[1] for side in (key, response))
    if rows.max() > columns.max():
        rows, columns = columns, rows
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    above = weight.max() + 1
    cost = np.concatenate((above - weight, np.full(height, above)))
    # The matching of scipy before 1.13 takes no other integers.
    position = (
        np.concatenate((rows, np.arange(height)), dtype=np.int32),
        np.concatenate((columns, width + np.arange(height)), dtype=np.int32),
    )
    matrix = coo_array((cost, position), shape=(height, width + height)).tocsr()
    _, column_of = min_weight_full_bipartite_matching(matrix)
    return np.asarray(cells[column_of[rows] == columns])


# ---- Exact integers: prices and shortest paths ----


def greatest(cells: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return the cells of an assignment of the greatest total; exact for integers of any size.

    Parameters
    ----------
    cells
        The weight above 0 of each row and column; both are numbered from 0 without gaps.

    Returns
    -------
    list
        Row and column of each chosen cell, in the order of rows.
    """
    rows = _PricedSide.of(cells.items())
    columns = _PricedSide.of(((column, row), weight) for (row, column), weight in cells.items())
    rows.price = [max(weight for _, weight in own) for own in rows.cells]
    tight = [cell for cell, weight in cells.items() if weight == rows.price[cell[0]]]
    partners = _settled(rows, columns, tight)
    return [(row, column) for row, column in enumerate(partners) if column != UNASSIGNED]


class _PricedSide:
    """The rows, or the columns: the cells, the price and the partner of each."""

    def __init__(self, cells: list[list[tuple[int, int]]], price: list[int]) -> None:
        self.cells, self.price = cells, price
        self.partner = [UNASSIGNED] * len(cells)

    @classmethod
    def of(cls, cells: Iterable[tuple[tuple[int, int], int]]) -> _PricedSide:
        """Return a side whose prices are 0, from its number, the other one, and the weight."""
        own: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for (entity, other), weight in cells:
            own[entity].append((other, weight))
        return cls([own[entity] for entity in range(len(own))], [0] * len(own))

    def settle(self, other: _PricedSide) -> None:
        """Give every entity with a price a partner, or lower its price to 0."""
        for entity, price in enumerate(self.price):
            if price and self.partner[entity] == UNASSIGNED:
                _AugmentingPath(self, other, entity).run()


def _settled(
    side: _PricedSide, other: _PricedSide, tight: Iterable[tuple[int, int]]
) -> Sequence[int]:
    """Return the partner of each entity of a side; prices are feasible, and some cells tight."""
    for row, column in tight:
        if side.partner[row] == other.partner[column] == UNASSIGNED:
            side.partner[row], other.partner[column] = column, row
    side.settle(other)
    other.settle(side)
    return side.partner


class _AugmentingPath:
    """The shortest augmenting path from an entity without a partner.

    The length of a path is the amount by which the price of the entity has to fall until the path
    is tight. The path ends at an entity of the other side without a partner, or at an entity of the
    same side that can be left without one because its price has fallen to 0.
    """

    def __init__(self, side: _PricedSide, other: _PricedSide, start: int) -> None:
        self.side, self.other, self.start = side, other, start
        self.length = side.price[start]
        """The length of the shortest complete path so far; at first, the entity stays alone."""
        self.last = UNASSIGNED
        """The entity where that path ends, if it ends on the other side."""
        self.left_out = start
        """The entity where that path ends, if it ends on the same side."""
        self.reached = [(start, 0)]
        self.distance: dict[int, int] = {}
        """The distance of entities of the other side; −1 when they are settled."""
        self.before: dict[int, int] = {}
        self.waiting: list[tuple[int, int]] = []

    def run(self) -> None:
        self._visit(self.start, 0)
        while (nearest := self._nearest()) is not None:
            distance, column = nearest
            row = self.other.partner[column]
            self.reached.append((row, distance))
            if distance + self.side.price[row] < self.length:
                self.length = distance + self.side.price[row]
                self.left_out, self.last = row, UNASSIGNED
            self._visit(row, distance)
        self._change_prices()
        self._realign()

    def _visit(self, row: int, so_far: int) -> None:
        """Update the distances of an entity's neighbours that are nearer than the best path."""
        known, price, partner = self.distance, self.other.price, self.other.partner
        length, base = self.length, so_far + self.side.price[row]
        for column, worth in self.side.cells[row]:
            distance = base + price[column] - worth
            if distance < length and distance < known.get(column, length):
                known[column] = distance
                self.before[column] = row
                if partner[column] == UNASSIGNED:
                    self.length = length = distance
                    self.last = column
                else:
                    heappush(self.waiting, (distance, column))

    def _nearest(self) -> tuple[int, int] | None:
        while self.waiting:
            distance, column = heappop(self.waiting)
            if distance >= self.length:
                return None
            if distance == self.distance[column]:
                self.distance[column] = -1
                return distance, column
        return None

    def _change_prices(self) -> None:
        """Make the path tight, and keep all aligned cells tight."""
        partner = self.side.partner
        for row, distance in self.reached:
            self.side.price[row] -= self.length - distance
            if row != self.start:
                self.other.price[partner[row]] += self.length - distance

    def _realign(self) -> None:
        """Align every entity on the path with the one before it."""
        column = self.last
        if column == UNASSIGNED:
            column = self.side.partner[self.left_out]
            self.side.partner[self.left_out] = UNASSIGNED
        while column != UNASSIGNED:
            row = self.before[column]
            self.other.partner[column] = row
            column, self.side.partner[row] = self.side.partner[row], column


# ---- The choice of scipy's solver ----


def as_scipy(weights: Mapping[tuple[int, int], float], rows: int, columns: int) -> list[list[int]]:
    """Choose cells of the greatest total as scipy's solver does, ties included, without a matrix.

    The CorefUD scorer gives all mentions of a document to ``scipy.optimize.linear_sum_assignment``
    (shortest augmenting paths, Crouse 2016), also those that no pair is offered for. Where several
    choices have the greatest total, the one that it takes depends on all rows and columns. In a
    novel its matrix would fill the memory, although nearly all cells are 0. Here only the other
    cells are kept, and the same steps are taken in the same order, with the same rounding.

    Parameters
    ----------
    weights
        The weights above 0 by row and column.
    rows, columns
        The size of the matrix.

    Returns
    -------
    list
        Row and column of each chosen cell, in the order of rows; cells of weight 0 included.
    """
    if rows > columns:
        turned = {(column, row): weight for (row, column), weight in weights.items()}
        return sorted([row, column] for column, row in as_scipy(turned, columns, rows))
    search = _ScipyOrder(weights.items(), rows, columns)
    for row in range(rows):
        search.assign(row)
    return [[row, column] for row, column in enumerate(search.column_of)]


class _ScipyOrder:
    """Assigns rows one by one, each by the shortest path to a column that is free."""

    def __init__(
        self, weights: Iterable[tuple[tuple[int, int], float]], rows: int, columns: int
    ) -> None:
        cells: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        for (row, column), weight in weights:
            cells[row].append((column, -weight))
        self.cells: dict[int, tuple[Integers, Floats]] = {
            row: (np.array([c for c, _ in own]), np.array([cost for _, cost in own]))
            for row, own in cells.items()
        }
        self.row_price = [0.0] * rows
        self.column_price = np.zeros(columns)
        self.row_of: Integers = np.full(columns, UNASSIGNED)
        self.column_of = [UNASSIGNED] * rows

    def assign(self, row: int) -> None:
        """Assign one more row."""
        columns = len(self.row_of)
        distance = np.full(columns, np.inf)
        before = np.full(columns, UNASSIGNED)
        # Columns that were not reached yet, in the order in which scipy goes through them.
        waiting = np.arange(columns - 1, -1, -1)
        reached: list[int] = []
        here, so_far = row, 0.0
        while True:
            lengths = self._lengths(here, so_far)
            lengths[reached] = np.inf
            is_shorter = lengths < distance
            before[is_shorter] = here
            distance[is_shorter] = lengths[is_shorter]
            place = self._nearest(waiting, distance)
            column = int(waiting[place])
            so_far = float(distance[column])
            reached.append(column)
            waiting[place] = waiting[-1]
            waiting = waiting[:-1]
            if self.row_of[column] == UNASSIGNED:
                break
            here = int(self.row_of[column])
        self._change_prices(row, reached, distance, so_far)
        self._follow_back(row, column, before)

    def _lengths(self, row: int, so_far: float) -> Floats:
        """Return how far each column is by way of a row."""
        lengths: Floats = (so_far - self.row_price[row]) - self.column_price
        if row in self.cells:
            columns, cost = self.cells[row]
            lengths[columns] = (so_far + cost - self.row_price[row]) - self.column_price[columns]
        return lengths

    def _nearest(self, waiting: Integers, distance: Floats) -> int:
        """Return the place of the nearest column; of several the last free one, else the first."""
        lengths = distance[waiting]
        nearest = np.flatnonzero(lengths == lengths.min())
        free = nearest[self.row_of[waiting[nearest]] == UNASSIGNED]
        return int(free[-1] if len(free) else nearest[0])

    def _change_prices(self, row: int, reached: list[int], distance: Floats, length: float) -> None:
        """Make the path tight, and keep tight what was."""
        self.row_price[row] += length
        for column in reached[:-1]:
            self.row_price[int(self.row_of[column])] += length - float(distance[column])
        self.column_price[reached] -= length - distance[reached]

    def _follow_back(self, row: int, column: int, before: Integers) -> None:
        """Assign the columns of a path, from its end to the row that it began with."""
        while True:
            owner = int(before[column])
            self.row_of[column] = owner
            self.column_of[owner], column = column, self.column_of[owner]
            if owner == row:
                return
