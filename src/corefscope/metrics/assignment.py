"""The best alignment of many connected entities: annealed prices, then exact shortest paths.

The problem is the linear program of Kuhn (1955): find a price uᵢ ≥ 0 for each key entity and vⱼ ≥ 0
for each response entity with uᵢ + vⱼ ≥ wᵢⱼ for every cell, such that the sum of prices is minimal.
If all cells of an alignment are *tight* (uᵢ + vⱼ = wᵢⱼ) and only entities with price 0 are left
out, its weight equals the sum of prices, so no other alignment is better.

1. Approximate prices come from a smoothed problem, in which an entity is aligned with all its cells
   by shares that depend on a temperature. It is solved by updating all prices of one side at once
   (Sinkhorn 1967; Bertsekas 1981 for the limit) while the temperature falls. Each update takes time
   linear in the number of cells, and the number of updates is fixed.
2. Prices are rounded to integers and made feasible, and tight cells are aligned greedily. After
   this step nearly all entities are settled.
3. Each remaining entity is settled by a shortest augmenting path (Dijkstra's algorithm; the length
   of a cell is uᵢ + vⱼ − wᵢⱼ). This step uses integers only, so it is exact.

For m cells and f remaining entities, step 3 takes O(f · m log m) in the worst case. For example,
two unrelated partitions of 200,000 mentions into 20,000 entities have f ≈ 250, and a path visits
2 % of the entities.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.matching.overlap import Floats
from corefscope.records import dataclass

Numbers = NDArray[np.int64]

UNALIGNED = -1
BITS = 61
"""Weights become integers below two to this power, so that the sum of two prices fits 64 bits."""
WORTH_ANNEALING = 500
"""With fewer cells, step 3 is as fast when it starts from prices of 0."""
WARMEST, COOLEST = 3, 17
"""Temperatures are the greatest weight times 2⁻³, 2⁻⁴, …"""
UPDATES = 10
"""The number of updates of all prices at each temperature."""


def assign(rows: Integers, columns: Integers, weight: Floats) -> NDArray[np.bool_]:
    """Return a mask of the cells in an alignment with the greatest total weight.

    Parameters
    ----------
    rows, columns
        The two entities of each cell, numbered from 0 without gaps; all pairs are different.
    weight
        The weight of each cell, more than 0. Weights are exact if each is at least 2⁻⁸ times the
        greatest; smaller weights are rounded to multiples of 2⁻⁶¹ times the greatest.
    """
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    unit = 2.0 ** (BITS - np.ceil(np.log2(weight.max())))
    worth = np.rint(weight * unit).astype(np.int64)
    start = np.zeros(width)
    if len(weight) >= WORTH_ANNEALING:
        start = annealed_prices(rows, columns, weight)
    column_price = np.rint(start * unit).astype(np.int64)
    row_price = _least(rows, worth - column_price[columns], height)
    column_price = _least(columns, worth - row_price[rows], width)
    is_tight = row_price[rows] + column_price[columns] == worth
    alignment = _Alignment(
        _neighbours(rows, columns, worth, height), row_price.tolist(), [UNALIGNED] * height
    )
    other = _Alignment(
        _neighbours(columns, rows, worth, width), column_price.tolist(), [UNALIGNED] * width
    )
    alignment.take(other, zip(rows[is_tight].tolist(), columns[is_tight].tolist(), strict=True))
    alignment.settle(other)
    other.settle(alignment)
    return np.asarray(np.array(alignment.partner)[rows] == columns)


def _least(entity: Integers, worth: Numbers, size: int) -> Numbers:
    """Return the lowest feasible prices of one side."""
    price = np.zeros(size, dtype=np.int64)
    np.maximum.at(price, entity, worth)
    return price


def _neighbours(
    entity: Integers, other: Integers, worth: Numbers, size: int
) -> list[list[tuple[int, int]]]:
    """Return the cells of each entity: the other entity and the weight."""
    order = np.argsort(entity, kind="stable")
    bounds = np.searchsorted(entity[order], np.arange(size + 1)).tolist()
    cells = list(zip(other[order].tolist(), worth[order].tolist(), strict=True))
    return [cells[first:last] for first, last in pairwise(bounds)]


@dataclass(slots=True)
class _Alignment:
    """One side: the cells, the price and the partner of each of its entities."""

    cells: list[list[tuple[int, int]]]
    price: list[int]
    partner: list[int]

    def take(self, other: _Alignment, tight: zip[tuple[int, int]]) -> None:
        """Align tight cells greedily."""
        for row, column in tight:
            if self.partner[row] == other.partner[column] == UNALIGNED:
                self.partner[row], other.partner[column] = column, row

    def settle(self, other: _Alignment) -> None:
        """Align every entity with a price, or lower its price to 0."""
        for entity, price in enumerate(self.price):
            if price and self.partner[entity] == UNALIGNED:
                _Search(self, other, entity).run()


class _Search:
    """The shortest augmenting path from an entity without a partner.

    The length of a path is the amount by which the price of the entity has to fall until the path
    is tight. The path ends at an entity of the other side without a partner, or at an entity of the
    same side that can be left without one because its price has fallen to 0.
    """

    def __init__(self, side: _Alignment, other: _Alignment, start: int) -> None:
        self.side, self.other, self.start = side, other, start
        self.length = side.price[start]
        """The length of the shortest complete path so far; at first, the entity stays alone."""
        self.last = UNALIGNED
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
                self.left_out, self.last = row, UNALIGNED
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
                if partner[column] == UNALIGNED:
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
        if column == UNALIGNED:
            column = self.side.partner[self.left_out]
            self.side.partner[self.left_out] = UNALIGNED
        while column != UNALIGNED:
            row = self.before[column]
            self.other.partner[column] = row
            column, self.side.partner[row] = self.side.partner[row], column


def annealed_prices(rows: Integers, columns: Integers, weight: Floats) -> Floats:
    """Return prices of the columns that are close to those of a best alignment."""
    row_side, column_side = _Smooth(rows, columns, weight), _Smooth(columns, rows, weight)
    price = np.zeros(int(columns.max()) + 1)
    for power in range(WARMEST, COOLEST):
        temperature = float(weight.max()) * 2.0**-power
        for _ in range(UPDATES):
            row_price = row_side.prices(price, temperature)
            price = column_side.prices(row_price, temperature)
            price = np.maximum(price - _shift(row_price, price, temperature), 0)
    return price


class _Smooth:
    """The cells of one side, sorted by its entities."""

    def __init__(self, entity: Integers, other: Integers, weight: Floats) -> None:
        order = np.argsort(entity, kind="stable")
        sizes = np.bincount(entity)
        self.entity, self.other, self.weight = entity[order], other[order], weight[order]
        self.first = np.cumsum(sizes) - sizes

    def prices(self, other_price: Floats, temperature: float) -> Floats:
        """Return T log(1 + Σ exp((w − v) / T)): the shares of each entity then add up to 1."""
        gain = self.weight - other_price[self.other]
        best = np.maximum(np.maximum.reduceat(gain, self.first), 0)
        share = np.exp((gain - best[self.entity]) / temperature)
        total = np.add.reduceat(share, self.first) + np.exp(-best / temperature)
        return np.asarray(best + temperature * np.log(total))


def _shift(row_price: Floats, column_price: Floats, temperature: float) -> float:
    """Return the δ that is to be added to the prices of rows and subtracted from those of columns.

    Updates of one side at a time would converge to it very slowly. Both sides must have the same
    number of aligned entities: R − Σ exp(−(u + δ) / T) = C − Σ exp(−(v − δ) / T), which is a
    quadratic equation for exp(δ / T).
    """
    rows = _log_sum(-row_price / temperature)
    columns = _log_sum(-column_price / temperature)
    more = len(row_price) - len(column_price)
    if not more:
        return temperature / 2 * (rows - columns)
    # Each sum is at most the number of entities, so nothing overflows.
    root = np.log1p(np.sqrt(1 + 4 * np.exp(rows + columns) / more**2)) + np.log(abs(more) / 2)
    return float(temperature * (rows - root if more > 0 else root - columns))


def _log_sum(power: Floats) -> float:
    highest = float(power.max())
    return highest + float(np.log(np.exp(power - highest).sum()))
