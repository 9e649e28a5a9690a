"""Check arrays that callers pass, and sort their rows into groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from corefscope.corpus.mentions import LAST_TOKEN
from corefscope.exceptions import WrongArgument

Integers: TypeAlias = NDArray[np.integer[Any]]


class LabelColumns(Struct, frozen=True, eq=False, kw_only=True):
    """A corpus of one row per mention: its entity, first and last token, document."""

    label: NDArray[Any]
    first: Integers
    last: Integers
    document: Integers
    documents: int
    """How many documents there are, if none is left out."""
    is_mention: NDArray[np.bool_]
    """Whether the row is in an entity."""
    rows_are_tokens: bool

    @classmethod
    def of(
        cls,
        entity: ArrayLike,
        start: ArrayLike | None,
        end: ArrayLike | None,
        document: ArrayLike | None,
    ) -> LabelColumns:
        """Check the arguments of ``Corpus.from_arrays``; raise ``ValueError`` if one is invalid."""
        label = integer_labels("entity", entity)
        # One number for all rows takes no memory.
        nowhere = np.broadcast_to(np.int32(0), label.shape)
        where = nowhere if document is None else whole_numbers("document", document)
        if len(where) != len(label):
            raise WrongArgument(UNEVEN)
        documents = 1 if document is None else 1 + int(where.max(initial=0))
        first = _numbers_in_groups(where) if start is None else whole_numbers("start", start)
        last = first if end is None else whole_numbers("end", end)
        if not len(label) == len(first) == len(last):
            raise WrongArgument(UNEVEN)
        if not _are_spans(first, last):
            raise WrongArgument(
                "start and end must be token offsets with 0 <= start <= end < 2**31"
            )
        return cls(
            label=label,
            first=first,
            last=last,
            document=where,
            documents=documents,
            is_mention=(label >= 0) & ~masked(entity),
            rows_are_tokens=start is None and end is None,
        )

    def entities(self) -> tuple[Integers, Integers]:
        """Return the rows that are mentions, by document and label, and how many share both."""
        if self.is_mention.all():
            return self._grouped(self.document, self.label)
        rows = np.flatnonzero(self.is_mention)
        order, sizes = self._grouped(self.document[rows], self.label[rows])
        return rows[order], sizes

    def _grouped(self, document: Integers, label: NDArray[Any]) -> tuple[Integers, Integers]:
        """Return the stable order of rows by document and label, and how many share both."""
        largest = int(label.max()) if len(label) else 0
        if self.documents * (largest + 1) >= 2**63:
            # Document and label do not fit into one integer: number the labels that occur.
            values, label = np.unique(label, return_inverse=True)
            largest = len(values)
        code = label.astype(np.int64, copy=False)
        if self.documents > 1:
            code = document.astype(np.int64) * (largest + 1) + code
        return grouped(code)

    def sizes(self, documents: int) -> Integers:
        """Return the number of rows of each of so many documents."""
        if self.documents == 1:
            sizes = np.zeros(documents, dtype=np.int64)
            sizes[0] = len(self.document)
            return sizes
        return np.bincount(self.document, minlength=documents)

    def spans(self, rows: Integers) -> NDArray[np.int32]:
        """Return the first and the last token of rows."""
        spans = np.empty((len(rows), 2), dtype=np.int32)
        # The rows of one text are the numbers of its tokens.
        is_one_text = self.rows_are_tokens and not self.document.any()
        spans[:, 0] = rows if is_one_text else self.first[rows]
        spans[:, 1] = spans[:, 0] if self.last is self.first else self.last[rows]
        return spans


MANY = 1_000_000
"""More numbers than this are sorted by counting."""
UNEVEN = "entity, start, end and document must have the same length"


def _are_spans(first: Integers, last: Integers) -> bool:
    """Return whether all pairs are the first and the last token of a mention."""
    if int(first.min(initial=0)) < 0 or int(last.max(initial=0)) > LAST_TOKEN:
        return False
    return last is first or bool((first <= last).all())


def row_numbers(count: int) -> Integers:
    """Number rows from 0, in half the memory where that is enough."""
    return np.arange(count, dtype=np.int32) if count < 2**31 else np.arange(count)


def rows_between(ordered: Integers, first: int, stop: int) -> range:
    """Return the rows of an ordered array whose numbers are ``first`` or more, and below ``stop``.

    Numbers of another type would make numpy copy the whole array.
    """
    edges = np.array((first, stop), dtype=np.result_type(ordered.dtype, np.int32))
    return range(*ordered.searchsorted(edges).tolist())


def _numbers_in_groups(group: Integers) -> Integers:
    """Number the rows of each group from 0, in their order."""
    if not len(group) or (group == group[0]).all():
        return row_numbers(len(group))
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[begins, len(group)])
    numbers = np.empty(len(group), dtype=np.int64)
    numbers[order] = np.arange(len(group)) - np.repeat(begins, sizes)
    return numbers


def masked(values: ArrayLike) -> NDArray[np.bool_]:
    """Return which values are masked; only numpy masked arrays have masked values."""
    return np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else np.array(False)


def whole_numbers(name: str, values: ArrayLike) -> Integers:
    """Return an array of 64-bit integers; ``name`` is what messages call it."""
    if masked(values).any():
        raise WrongArgument(
            f"{name} has masked values; expected an integer in every row: to leave a row out, "
            "mask its entity, or make it negative"
        )
    array = np.asarray(values)
    if array.ndim != 1 or (len(array) and not np.issubdtype(array.dtype, np.integer)):
        raise WrongArgument(f"{name} must be a one-dimensional array of integers")
    if np.issubdtype(array.dtype, np.unsignedinteger) and array.max(initial=0) >= 2**63:
        raise WrongArgument(f"{name} must be a one-dimensional array of integers below 2**63")
    return array.astype(np.int64, copy=False)


def integer_labels(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of integers of any size, unchanged.

    If they do not fit into 64 bits, it is an array of Python integers. Masked values are 0.
    """
    array = np.asarray(np.ma.filled(values, 0) if np.ma.isMaskedArray(values) else values)
    if array.ndim == 1 and np.issubdtype(array.dtype, np.integer):
        return array
    if array.ndim == 1 and not hasattr(values, "dtype"):
        # Numpy converts integers to floats if no 64-bit type has room for all of them.
        array = np.array(values, dtype=object)
    if array.ndim != 1 or not all(type(value) is int for value in array.tolist()):
        raise WrongArgument(f"{name} must be a one-dimensional array of integers")
    return array if len(array) else np.empty(0, dtype=np.int64)


def grouped(code: Integers) -> tuple[Integers, Integers]:
    """Return the stable order that sorts numbers, and how often each of them occurs."""
    size, most = len(code), int(code.max(initial=0))
    if MANY < size < 2**31 and most < size:
        # Loaded here because it is only worth its time if there is much to sort.
        from scipy.sparse import csc_array

        # The rows of this matrix are the numbers; each lists the positions where its number is.
        # Scipy looks at all numbers, and copies them, unless their type and the shape are known.
        columns = code.astype(np.int32), np.arange(size + 1, dtype=np.int32)
        one_in_each = np.ones(size, dtype=bool), *columns
        table = csc_array(one_in_each, shape=(most + 1, size)).tocsr()
        sizes = np.diff(table.indptr)
        return table.indices, sizes[sizes > 0]
    digits = size.bit_length()
    if most.bit_length() + digits > 63:
        order = np.argsort(code, kind="stable")
        ordered = code[order]
    else:
        # Sorting numbers that contain their own positions is much faster than an argsort.
        ordered = np.sort((code << digits) | np.arange(size))
        order = ordered & ((1 << digits) - 1)
        ordered >>= digits
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])[:size]
    return order, np.diff(begins, append=size)


class Numbers(Sequence[str]):
    """Integer labels that are converted to strings only when they are used."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Numbers(self.values[index])
        return str(self.values[index])
