"""The cells that some best alignment must have, found one after the other."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.overlap import Floats


def take_one_by_one(
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
