"""The columns of a corpus: each is declared once, with what its rows are about.

A corpus has three tables, of documents, entities and mentions. The declaration of a column says
which of them it belongs to, so that choosing rows is written once for all columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
    get_type_hints,
    runtime_checkable,
)

import numpy as np
from msgspec import Struct

from corefscope.corpus.arrays import Integers

if TYPE_CHECKING:
    from corefscope.corpus.corpus import Corpus

Axis: TypeAlias = Literal["document", "entity", "mention"]
"""What a row is about."""
IDENTITY: Final = "identity"
"""The annotation that entities usually come from: that of coreference."""


class Selection(Struct, frozen=True, kw_only=True, dict=True):
    """The rows of a corpus that are kept, in order; None if all of them are."""

    document: Integers | None = None
    entity: Integers | None = None
    mention: Integers | None = None
    sizes: Mapping[Axis, int]
    """The number of rows of each table before."""

    def rows(self, axis: Axis) -> Integers | None:
        """Return the rows of a table that are kept."""
        return {"document": self.document, "entity": self.entity, "mention": self.mention}[axis]

    @cached_property
    def _numbers(self) -> dict[Axis, Integers]:
        return {}

    def numbers(self, axis: Axis) -> Integers:
        """Return the new number of each row of a table, −1 if it is not kept."""
        if axis not in self._numbers:
            rows, size = self.rows(axis), self.sizes[axis]
            numbers = np.arange(size) if rows is None else np.full(size, -1)
            if rows is not None:
                numbers[rows] = np.arange(len(rows))
            self._numbers[axis] = numbers
        return self._numbers[axis]


@runtime_checkable
class Selectable(Protocol):
    """What has rows of several tables, or of its own."""

    def selected(self, selection: Selection) -> object:
        """Return what is left of it."""
        ...


@runtime_checkable
class Concatenable(Protocol):
    """What has rows of several tables, or of its own, and can be put together."""

    @classmethod
    def concatenated(cls, blocks: Sequence[Any], sizes: Mapping[Axis, int]) -> object:
        """Put together what is known of several parts of a corpus."""
        ...


class OwnColumn:
    """A column that an extension declares: it has its own rows, and knows what is left of them.

    Its records are fields of the documents in the native format, with the name of the column.
    """

    name: ClassVar[str]
    shape: ClassVar[type]
    """The type of its record of a document."""
    layer: str = IDENTITY
    """The annotation that the entities of the corpus come from, if its format has several."""

    def selected(self, selection: Selection) -> Self:
        """Return what is left of it."""
        raise NotImplementedError

    @classmethod
    def concatenated(cls, blocks: Sequence[tuple[Before, Self]], sizes: Mapping[Axis, int]) -> Self:
        """Put together what is known of several parts of a corpus."""
        raise NotImplementedError

    def record(self, document: int) -> object | None:
        """Return what the native format says of a document; None if nothing."""
        return None

    @classmethod
    def of_record(cls, record: Any, nodes: Collection[int]) -> Self:
        """Return what a record of one document says, given the tokens that are empty nodes.

        It has the right shape, but may be wrong otherwise; then the reader's ``Unfit`` is raised.
        """
        raise NotImplementedError

    def only_here(self, document: int) -> Iterator[str]:
        """Yield what other formats cannot express of a document."""
        return iter(())


class OwnColumns(dict[str, OwnColumn]):
    """The columns of extensions that a corpus has, by name."""

    def selected(self, selection: Selection) -> OwnColumns:
        """Return what is left of them."""
        return OwnColumns((name, each.selected(selection)) for name, each in self.items())

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, OwnColumns]], sizes: Mapping[Axis, int]
    ) -> OwnColumns:
        """Put together the columns of several parts of a corpus."""
        kinds = {name: type(each) for _, columns in blocks for name, each in columns.items()}
        return cls(
            (name, kind.concatenated([(b, c[name]) for b, c in blocks if name in c], sizes))
            for name, kind in kinds.items()
        )

    @property
    def layer(self) -> str:
        """The annotation that the entities come from, if a format has several."""
        return next((each.layer for each in self.values()), IDENTITY)


class Before(NamedTuple):
    """How many rows of each table come before a part of a corpus."""

    document: int
    entity: int
    mention: int


class Column(Struct, frozen=True):
    """What is declared of a column, beside the type of its field in the corpus."""

    axis: Axis | None = None
    """The table that it belongs to; None if it is about the corpus as a whole, or if it knows
    itself what is left of it."""
    refers: Axis | None = None
    """The table whose rows its values are numbers of."""
    is_text: bool = False
    """Whether it is about the texts, which stay if entities are replaced."""
    empty: object = None
    """What a row has of which nothing is said."""


def columns_of(kind: type[Corpus]) -> dict[str, Column]:
    """Return what is declared of each column, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: declared
        for name, hint in hints.items()
        for declared in getattr(hint, "__metadata__", ())
        if isinstance(declared, Column)
    }


def selected(value: Any, declared: Column, selection: Selection) -> Any:
    """Return what is left of a column."""
    if value is None or (isinstance(value, tuple | list) and not value):
        return value
    if isinstance(value, Selectable):
        return value.selected(selection)
    rows = selection.rows(declared.axis) if declared.axis else None
    if declared.axis is not None and rows is not None:
        value = _chosen(value, rows, selection.numbers(declared.axis))
    if declared.refers is not None and selection.rows(declared.refers) is not None:
        value = _renumbered(value, selection.numbers(declared.refers))
    return value


def _chosen(value: Any, rows: Integers, numbers: Integers) -> Any:
    """Return some rows of an array, of a list, or of what is known of some rows only."""
    if isinstance(value, np.ndarray):
        return value[rows]
    if isinstance(value, Mapping):
        return {int(numbers[row]): each for row, each in value.items() if numbers[row] >= 0}
    chosen = [value[row] for row in rows.tolist()]
    return tuple(chosen) if isinstance(value, tuple) else chosen


def _renumbered(value: Any, numbers: Integers) -> Any:
    """Return numbers of rows as they are after others are gone."""
    if isinstance(value, np.ndarray):
        return numbers[value]
    return {row: tuple(int(numbers[each]) for each in many) for row, many in value.items()}


def concatenated(
    declared: Column, blocks: Sequence[tuple[Before, Any]], sizes: Mapping[Axis, int]
) -> Any:
    """Put a column together.

    Parameters
    ----------
    declared
        What is declared of the column.
    blocks
        Its values in those parts of a corpus that have it, and what comes before each.
    sizes
        The number of rows of each table of the corpus.

    Returns
    -------
    object
        The column, with what is declared as empty in rows of which nothing is said.
    """
    kind = blocks[0][1]
    if isinstance(kind, Concatenable):
        return type(kind).concatenated(blocks, sizes)
    axis = declared.axis
    assert axis is not None
    if isinstance(kind, Mapping):
        return {
            getattr(before, axis) + row: _shifted(each, declared.refers, before)
            for before, values in blocks
            for row, each in values.items()
        }
    size = sizes[axis]
    is_array = isinstance(kind, np.ndarray)
    column: Any = np.full(size, declared.empty) if is_array else [declared.empty] * size
    for before, values in blocks:
        put(values, column, getattr(before, axis))
    return column


def put(values: Any, into: Any, first: int) -> None:
    """Put values into a column, from a row on."""
    into[first : first + len(values)] = values


def _shifted(value: Any, refers: Axis | None, before: Before) -> Any:
    """Return numbers of rows of a part as those of the corpus."""
    if refers is None:
        return value
    first: int = getattr(before, refers)
    return tuple(first + row for row in value)
