"""Columns of whole numbers that callers give, and the order of the groups that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corefscope.corpus.mentions import LAST_TOKEN

Integers: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Columns:
    """A corpus of one row per mention: its entity, first and last token, document."""

    label: NDArray[Any]
    first: Integers
    last: Integers
    document: Integers
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
    ) -> Columns:
        """Make columns of what a caller gives; refuse what cannot be one."""
        label = integer_labels("entity", entity)
        nowhere = np.zeros(len(label), dtype=np.int64)
        where = nowhere if document is None else whole_numbers("document", document)
        if len(where) != len(label):
            raise ValueError(UNEVEN)
        first = _numbers_in_groups(where) if start is None else whole_numbers("start", start)
        last = first if end is None else whole_numbers("end", end)
        if not len(label) == len(first) == len(last):
            raise ValueError(UNEVEN)
        if ((first < 0) | (last < first) | (last > LAST_TOKEN)).any():
            raise ValueError("start and end must be token offsets with 0 <= start <= end < 2**31")
        return cls(
            label=label,
            first=first,
            last=last,
            document=where,
            is_mention=(label >= 0) & ~masked(entity),
            rows_are_tokens=start is None and end is None,
        )


UNEVEN = "entity, start, end and document must be of one length"


def _numbers_in_groups(group: Integers) -> Integers:
    """Number the rows of each group from 0, as they stand."""
    if not len(group) or (group == group[0]).all():
        return np.arange(len(group))
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[begins, len(group)])
    numbers = np.empty(len(group), dtype=np.int64)
    numbers[order] = np.arange(len(group)) - np.repeat(begins, sizes)
    return numbers


def masked(values: ArrayLike) -> NDArray[np.bool_]:
    """Return which values of a numpy masked array are masked; of everything else, none are."""
    return np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else np.array(False)


def whole_numbers(name: str, values: ArrayLike) -> Integers:
    """Return a column of whole numbers of 64 bits; ``name`` is what messages call it."""
    if masked(values).any():
        raise ValueError(
            f"{name} has masked values; expected a whole number in every row: to leave a row out, "
            "mask its entity, or make it negative"
        )
    array = np.asarray(values)
    if array.ndim != 1 or (len(array) and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(f"{name} must be a row of whole numbers")
    if np.issubdtype(array.dtype, np.unsignedinteger) and array.max(initial=0) >= 2**63:
        raise ValueError(f"{name} must be a row of whole numbers below 2**63")
    return array.astype(np.int64, copy=False)


def integer_labels(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return a column of whole numbers of any size, as they are.

    Where 64 bits do not hold them, they are Python's own numbers. Masked values are 0.
    """
    array = np.asarray(np.ma.filled(values, 0) if np.ma.isMaskedArray(values) else values)
    if array.ndim == 1 and np.issubdtype(array.dtype, np.integer):
        return array
    if array.ndim == 1 and not hasattr(values, "dtype"):
        # Numpy makes floats of numbers that no type of 64 bits holds together.
        array = np.array(values, dtype=object)
    if array.ndim != 1 or not all(type(value) is int for value in array.tolist()):
        raise ValueError(f"{name} must be a row of whole numbers")
    return array if len(array) else np.empty(0, dtype=np.int64)


def order_of_groups(group: Integers, label: NDArray[Any]) -> Integers:
    """Return the order that sorts rows by group and label, and keeps equal ones as they stand."""
    largest = int(label.max()) if len(label) else 0
    if (int(group.max(initial=0)) + 1) * (largest + 1) >= 2**63:
        # Too many for one number: number the labels that occur.
        values, label = np.unique(label, return_inverse=True)
        largest = len(values)
    return _stable_order(group * (largest + 1) + label.astype(np.int64))


def _stable_order(code: Integers) -> Integers:
    """Return the order that sorts numbers and keeps equal ones as they stand."""
    size = len(code)
    if not size or int(code.max()) >= 2**62 // size:
        return np.argsort(code, kind="stable")
    # Sorting numbers that hold their own places is much quicker than sorting places by numbers.
    return np.asarray(np.sort(code * size + np.arange(size)) % size)


@dataclass(frozen=True, slots=True)
class Numbers(Sequence[str]):
    """Integer labels that become text only when somebody looks at one."""

    values: NDArray[Any]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Numbers(self.values[index])
        return str(self.values[index])
