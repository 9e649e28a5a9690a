"""The overlap table: how many mentions each key entity shares with each response entity.

Every measure that compares two partitions is a function of the sizes |Kᵢ|, the sizes |Rⱼ| and the
sparse table nᵢⱼ = |Kᵢ ∩ Rⱼ|, with the document of each. The table is counted once for a whole
corpus; all metrics use it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.corpus import Integers
from corefscope.corpus.arrays import MANY

Floats = NDArray[np.float64]

EXACT = 2.0**53
"""Whole numbers below this are exact as floats."""
SPARSE = 4
"""Numbers of mentions are looked up in a table if they are at most this many times as many."""
LOW_BITS = 26
"""Large whole numbers are added in two parts, the lower of which has this many binary digits."""
FRACTION_BITS = 100
"""Binary digits of fractions in a sum: about twice those of the result."""


class Overlap(Struct, frozen=True, eq=False, kw_only=True):
    """The sizes of all entities of a corpus, and the cells nᵢⱼ that are not zero."""

    documents: int
    key_document: Integers
    """The document of each key entity."""
    key_size: Integers
    response_document: Integers
    response_size: Integers
    key: Integers
    """The key entity of each cell; cells are sorted by key entity, then response entity."""
    response: Integers
    """The response entity of each cell."""
    n: Integers
    """The number of mentions that the two have in common."""

    @property
    def transposed(self) -> Overlap:
        """The same table with the roles of key and response swapped."""
        return Overlap(
            documents=self.documents,
            key_document=self.response_document,
            key_size=self.response_size,
            response_document=self.key_document,
            response_size=self.key_size,
            key=self.response,
            response=self.key,
            n=self.n,
        )

    def keep(self, key: NDArray[np.bool_], response: NDArray[np.bool_]) -> Overlap:
        """Keep some entities of each side; drop the cells of others."""
        cells = key[self.key] & response[self.response]
        return Overlap(
            documents=self.documents,
            key_document=self.key_document[key],
            key_size=self.key_size[key],
            response_document=self.response_document[response],
            response_size=self.response_size[response],
            key=(np.cumsum(key) - 1)[self.key[cells]],
            response=(np.cumsum(response) - 1)[self.response[cells]],
            n=self.n[cells],
        )

    @property
    def cell_document(self) -> Integers:
        """The document of each cell."""
        return self.key_document[self.key]

    @property
    def key_common(self) -> Integers:
        """How many mentions of each key entity are in the response."""
        return whole_sums(self.key, self.n, len(self.key_size))

    def by_document(self, document: Integers, values: NDArray[np.generic]) -> Floats:
        """Sum values by document; sums of integers are rounded once."""
        return sums(document, values, self.documents)

    def fractions_by_document(
        self, document: Integers, numerator: Integers | Floats, denominator: Integers
    ) -> Floats:
        """Sum fractions of integers by document, rounding once.

        Numerators with the same denominator are added first. The sum of the few fractions that
        remain does not depend on their order, nor on which of two equally good alignments was
        found.
        """
        if not len(document):
            return np.zeros(self.documents)
        base, values = int(denominator.max()) + 1, None
        if self.documents * base >= 2**63:
            # Document and denominator do not fit into one integer: number the denominators.
            values, denominator = np.unique(denominator, return_inverse=True)
            base = len(values)
        group = document.astype(np.int64) * base + denominator
        if self.documents * base < SPARSE * len(group):
            # A table of all denominators is small, and needs no sorting.
            totals = whole_sums(group, numerator.astype(np.int64), self.documents * base)
            group = np.flatnonzero(np.bincount(group, minlength=self.documents * base))
            totals = totals[group]
        else:
            order = np.argsort(group)
            begins = _beginnings(group[order])
            totals = np.add.reduceat(numerator[order], begins).astype(np.int64)
            group = group[order[begins]]
        below = group % base if values is None else values[group % base]
        return _sums_of_fractions(group // base, totals, below, self.documents)


def _sums_of_fractions(
    document: Integers, numerator: Integers, denominator: Integers, documents: int
) -> Floats:
    """Sum fractions by document, which are in order; each sum is rounded once."""
    begins = _beginnings(document)
    result = np.zeros(documents)
    # A common denominator that is small enough makes the sum exact, and the quotient rounded once.
    with np.errstate(over="ignore"):
        common = np.multiply.reduceat(denominator.astype(np.float64), begins)
    sizes = np.diff(begins, append=len(document))
    most = np.maximum.reduceat(numerator.astype(np.float64), begins) * common * sizes
    is_small = most < EXACT
    small = np.repeat(is_small, sizes)
    if is_small.any():
        ours, above, below = document[small], numerator[small], denominator[small]
        first = _beginnings(ours)
        multiple = np.lcm.reduceat(below, first)
        each = np.repeat(multiple, np.diff(first, append=len(ours)))
        result[ours[first]] = np.add.reduceat(above * (each // below), first) / multiple
    exact: dict[int, int] = defaultdict(int)
    for place, above, below in zip(
        document[~small].tolist(),
        numerator[~small].tolist(),
        denominator[~small].tolist(),
        strict=True,
    ):
        exact[place] += (above << FRACTION_BITS) // below
    for place, total in exact.items():
        result[place] = total / (1 << FRACTION_BITS)
    return result


def sums(group: Integers, values: NDArray[np.generic], groups: int) -> Floats:
    """Sum values by group; sums of integers are exact up to 2**53, and rounded once above."""
    if values.dtype.kind in "iu":
        return whole_sums(group, values.astype(np.int64, copy=False), groups).astype(np.float64)
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64)


def whole_sums(group: Integers, values: Integers, groups: int) -> Integers:
    """Sum integers by group exactly, if no sum reaches 2**63."""
    if groups == 1:
        return np.array([values.sum()], dtype=np.int64)
    if not len(values) or float(np.abs(values).max()) * len(values) < EXACT:
        return np.bincount(group, weights=values, minlength=groups).astype(np.int64)
    # Floats add exactly only below 2**53, and numpy adds integers by group only one by one.
    high, low = values >> LOW_BITS, values & ((1 << LOW_BITS) - 1)
    upper, lower = (np.bincount(group, weights=part, minlength=groups) for part in (high, low))
    return (upper.astype(np.int64) << LOW_BITS) + lower.astype(np.int64)


class Side(Struct, frozen=True, eq=False, kw_only=True):
    """The entities of the key or of the response that are compared."""

    entity_document: Integers
    """The document of each entity."""
    entity_row: Integers
    """The position of each entity in its corpus."""
    mention_entity: Integers
    """The entity of each mention, ascending."""
    mention_row: Integers
    """The position of each mention in its corpus."""
    mention: Integers
    """A number for each mention, the same on both sides if it is the same mention."""

    def keep(self, mentions: NDArray[np.bool_]) -> Side:
        """Keep some mentions; drop entities that have none of them."""
        is_whole = bool(mentions.all())
        entity = self.mention_entity if is_whole else self.mention_entity[mentions]
        kept = np.zeros(len(self.entity_document), dtype=bool)
        kept[entity] = True
        if is_whole and kept.all():
            return self
        return Side(
            entity_document=self.entity_document[kept],
            entity_row=self.entity_row[kept],
            mention_entity=(np.cumsum(kept) - 1)[entity],
            mention_row=self.mention_row[mentions],
            mention=self.mention[mentions],
        )

    def first_copies(self, order: Integers | None = None) -> tuple[Side, list[tuple[int, int]]]:
        """Drop all copies of a mention but the first; also return the rows (dropped, kept).

        ``order`` has the places of the mentions, the first of all copies first.
        """
        if not self.has_copies():
            return self, []
        if order is None:
            order = np.arange(len(self.mention))
        _, place, copy_of = np.unique(self.mention[order], return_index=True, return_inverse=True)
        first, copy_of = order[place], copy_of[np.argsort(order)]
        keep = np.zeros(len(self.mention), dtype=bool)
        keep[first] = True
        rows, firsts = self.mention_row[~keep], self.mention_row[first[copy_of[~keep]]]
        return self.keep(keep), list(zip(rows.tolist(), firsts.tolist(), strict=True))

    def has_copies(self) -> bool:
        """Return whether a mention is there several times."""
        most = int(self.mention.max(initial=0))
        if most < SPARSE * len(self.mention):
            is_there = np.zeros(most + 1, dtype=bool)
            is_there[self.mention] = True
            return bool(np.count_nonzero(is_there) < len(self.mention))
        ordered = np.sort(self.mention)
        return bool((ordered[1:] == ordered[:-1]).any())

    def once_in_each(self) -> Side:
        """Drop the copies of a mention in one entity; keep a mention that is in several."""
        if not self.has_copies():
            return self
        order = np.lexsort((self.mention, self.mention_entity))
        entity, mention = self.mention_entity[order], self.mention[order]
        keep = np.ones(len(order), dtype=bool)
        keep[order[1:][(entity[1:] == entity[:-1]) & (mention[1:] == mention[:-1])]] = False
        return self.keep(keep)

    def without_singletons(self) -> Side:
        """Drop the entities of one mention."""
        sizes = np.bincount(self.mention_entity, minlength=len(self.entity_document))
        return self.keep(sizes[self.mention_entity] > 1)


MOST_MENTIONS = 2**32
"""More than the number of any mention in its document."""


def side_of(documents: Sequence[Sequence[Sequence[int]]]) -> Side:
    """Return the entities of each document as a side.

    Mentions are numbers in their document, and none is repeated.
    """
    entities = [entity for document in documents for entity in document]
    sizes = np.fromiter(map(len, entities), dtype=np.int64, count=len(entities))
    of_entity = np.repeat(np.arange(len(documents)), list(map(len, documents)))
    numbers = np.fromiter(chain.from_iterable(entities), dtype=np.int64, count=int(sizes.sum()))
    return Side(
        entity_document=of_entity,
        entity_row=np.arange(len(entities)),
        mention_entity=np.repeat(np.arange(len(entities)), sizes),
        mention_row=np.arange(len(numbers)),
        mention=np.repeat(of_entity, sizes) * MOST_MENTIONS + numbers,
    )


def count_overlap(documents: int, key: Side, response: Side) -> Overlap:
    """Join the two sides on their mentions and count the cells.

    Mentions must be unique on each side, and every entity must have one.
    """
    shape = len(key.entity_document), len(response.entity_document)
    rows, columns, n = _counted(*_entities_of_common(key, response), shape)
    return Overlap(
        documents=documents,
        key_document=key.entity_document,
        key_size=_sizes(key),
        response_document=response.entity_document,
        response_size=_sizes(response),
        key=rows,
        response=columns,
        n=n,
    )


def _counted(
    row: Integers, column: Integers, shape: tuple[int, int]
) -> tuple[Integers, Integers, Integers]:
    """Return the different pairs of row and column in order, and how often each occurs."""
    if len(row) > MANY:
        # Loaded here because it is only worth its time if there is much to sort.
        from scipy.sparse import coo_array, csr_array

        # Half the memory is much less time.
        kind = np.int32 if max(len(row), *shape) < 2**31 else np.int64
        one_in_each, column = np.ones(len(row), dtype=kind), column.astype(kind, copy=False)
        if (row[1:] >= row[:-1]).all():
            ends = np.cumsum(np.bincount(row, minlength=shape[0]), dtype=kind)
            table = csr_array((one_in_each, column, np.append(kind(0), ends)), shape=shape)
            table.sum_duplicates()
        else:
            pairs = row.astype(kind, copy=False), column
            table = coo_array((one_in_each, pairs), shape=shape).tocsr()
        rows = np.repeat(np.arange(shape[0]), np.diff(table.indptr))
        return rows, table.indices.astype(np.int64), table.data.astype(np.int64)
    width = max(shape[1], 1)
    cells = np.sort(row.astype(np.int64) * width + column)
    begins = _beginnings(cells)
    return cells[begins] // width, cells[begins] % width, np.diff(begins, append=len(cells))


def _entities_of_common(key: Side, response: Side) -> tuple[Integers, Integers]:
    """Return the two entities of each mention that both sides have."""
    most = max(int(side.mention.max(initial=0)) for side in (key, response))
    if most < SPARSE * (len(key.mention) + len(response.mention)):
        # Numbers are dense, as those of tokens are: a table of them is small.
        entity = np.full(most + 1, -1, dtype=np.int32)
        entity[response.mention] = response.mention_entity
        found = entity[key.mention]
        common = found >= 0
        if common.all():
            return key.mention_entity, found
        return key.mention_entity[common], found[common]
    # Both sides are sorted: looking up numbers in order is four times as fast as at random.
    order, response_order = np.argsort(key.mention), np.argsort(response.mention)
    mentions, wanted = key.mention[order], response.mention[response_order]
    place = np.minimum(np.searchsorted(mentions, wanted), max(len(mentions) - 1, 0))
    common = mentions[place] == wanted if len(mentions) else np.zeros(len(wanted), dtype=bool)
    return (
        key.mention_entity[order[place[common]]],
        response.mention_entity[response_order[common]],
    )


def overlap_of(
    key: Sequence[int], response: Sequence[int], cells: Mapping[tuple[int, int], int]
) -> Overlap:
    """Return the table of one document, given the sizes of entities and the cells."""
    ordered = np.array([(*cell, n) for cell, n in sorted(cells.items())], dtype=np.int64)
    rows, columns, n = ordered.reshape(-1, 3).T
    return Overlap(
        documents=1,
        key_document=np.zeros(len(key), dtype=np.int64),
        key_size=np.array(key, dtype=np.int64),
        response_document=np.zeros(len(response), dtype=np.int64),
        response_size=np.array(response, dtype=np.int64),
        key=rows,
        response=columns,
        n=n,
    )


def components(key: Iterable[int], response: Iterable[int]) -> list[int]:
    """Return the connected component of each cell; entities are connected by common mentions."""
    leader: dict[int, int] = {}

    def find(node: int) -> int:
        while leader.setdefault(node, node) != node:
            leader[node] = node = leader[leader[node]]
        return node

    nodes = list(key)
    for node, other in zip(nodes, response, strict=True):
        leader[find(node)] = find(-1 - other)
    return [find(node) for node in nodes]


def _beginnings(ordered: Integers) -> Integers:
    """Return where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))[: len(ordered)]


def _sizes(side: Side) -> Integers:
    return np.bincount(side.mention_entity, minlength=len(side.entity_document))
