"""The choice of scipy's solver of assignments, ties included, without a matrix.

The CorefUD scorer gives all mentions of a document to ``scipy.optimize.linear_sum_assignment``
(shortest augmenting paths, Crouse 2016), also those that no pair is offered for. Where several
choices have the greatest total, the one that it takes depends on all rows and columns. In a novel
its matrix would fill the memory, although nearly all cells are 0. Here only the other cells are
kept, and the same steps are taken in the same order, with the same rounding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats

UNASSIGNED = -1


def solve(weights: Mapping[tuple[int, int], float], rows: int, columns: int) -> list[list[int]]:
    """Choose cells of the greatest total as scipy's solver does.

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
        return sorted([row, column] for column, row in solve(turned, columns, rows))
    search = _Search(weights.items(), rows, columns)
    for row in range(rows):
        search.assign(row)
    return [[row, column] for row, column in enumerate(search.column_of)]


class _Search:
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
