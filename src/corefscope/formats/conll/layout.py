"""Detect the columns of a CoNLL document from its content (docs/ref/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from corefscope.formats.conll.columns import ConllColumns

SAMPLE = 32
"""How many rows of a document are examined if the first one alone is not enough."""
NUMBERED_SAMPLE = 8
"""How many rows must have a number in the first column if the first row looks like SemEval."""
NUMBER = re.compile(rb"\d+(-\d+)?")
"""The number of a token; ``1-2`` is a multiword token, whose words follow."""
MASKS = frozenset((b"", b"_", b"-", b"*", b"___", b"[WORD]"))
FLAGS = frozenset((b"True", b"False"))
BLANKS = bytes(range(33))

Row = Sequence[bytes]


class ConllLayout(Struct, frozen=True, kw_only=True):
    """The columns of a document; a negative index counts from the end."""

    layers: Mapping[str, int]
    number: int | None = None
    """The column with the number of the token in its sentence."""
    sentence: tuple[int, ...] = ()
    """Columns that have another value in each sentence, in files without blank lines."""
    coref: int = -1
    trailing: bool = False
    """Whether a tab ends every row, so that the last field of all rows is empty."""

    def column(self, layer: str, width: int) -> int | None:
        """Return the column of a layer, if a row of this width has it."""
        column = self.layers.get(layer)
        if column is None:
            return None
        place = _place(column, width)
        is_there = 0 <= place < width - self.trailing and place != _place(self.coref, width)
        return column if is_there else None

    def present(self, width: int) -> dict[str, int]:
        """Return the layers that a row of this width has."""
        columns = {layer: self.column(layer, width) for layer in self.layers}
        return {layer: column for layer, column in columns.items() if column is not None}

    def with_trailing_tab(self) -> ConllLayout:
        """Return the layout of rows that end in a tab: the column before it is coreference."""
        return replace(self, coref=-2, trailing=True)


def _place(column: int, width: int) -> int:
    return column if column >= 0 else width + column


CONLL_2012 = ConllLayout(
    layers={
        "words": 3,
        "tags": 4,
        "parse": 5,
        "lemmas": 6,
        "framesets": 7,
        "senses": 8,
        "speakers": 9,
        "names": 10,
    },
    number=2,
)
FEWEST_2012 = 12
"""The number of columns of CoNLL-2012 without semantic roles."""
SEMEVAL = ConllLayout(layers={"words": 1}, number=0)
WORD_AND_CELL = ConllLayout(layers={"words": 0})
CROSS_DOCUMENT = ConllLayout(layers={"words": 5}, number=4, sentence=(0, 2, 3))
"""Topic, subtopic, document, sentence, token, word, True or False, cell: ECB+ and others."""
WORD_FIRST = ConllLayout(layers={"words": 0}, number=2)
UNKNOWN = ConllLayout(layers={})


def find_layout(
    name: bytes,
    first: Row,
    first_column: Callable[[], Sequence[bytes]],
    sample: Callable[[], Sequence[Row]],
) -> ConllLayout:
    """Return the layout of a document.

    Parameters
    ----------
    name : bytes
        The name of the document, which CoNLL-2012 repeats in the first column.
    first : sequence of bytes
        The fields of its first row.
    first_column : callable
        Returns the first field of its first ``NUMBERED_SAMPLE`` rows; called only if ``first``
        looks like SemEval.
    sample : callable
        Returns the fields of its first ``SAMPLE`` rows; called only if the others are not enough.
    """
    first = [field.strip(BLANKS) for field in first]
    if len(first) < 3:
        return WORD_AND_CELL if len(first) == 2 else UNKNOWN
    if first[-1] and _is_certainly_2012(name, first):
        return CONLL_2012
    is_flagged = len(first) == 8 and first[6] in FLAGS
    if first[-1] and not is_flagged and _begins_like_semeval(first):
        numbers = [field.strip(BLANKS) for field in first_column()]
        if _is_numbered(numbers):
            return SEMEVAL
    return _layout_of(name, sample())


def _is_certainly_2012(name: bytes, first: Row) -> bool:
    words = len(first) >= 5 and first[3] not in MASKS
    return words and first[2].isdigit() and _is_named(name, first[0]) and not _is_counted(first)


def _is_named(name: bytes, field: bytes) -> bool:
    """Return whether a field is the document's name: ``x`` for ``x`` or ``(x); part 000``."""
    name = name.strip(BLANKS)
    return name == field or name.startswith(b"(%b);" % field)


def _begins_like_semeval(first: Row) -> bool:
    word = first[1]
    return first[0] in (b"0", b"1") and word not in MASKS and not NUMBER.fullmatch(word)


def _layout_of(name: bytes, rows: Sequence[Row]) -> ConllLayout:
    """Return the layout of some rows, judging by the content of their columns."""
    columns = _columns(rows)
    if len(columns) == 7 and all(value in FLAGS for value in columns[6]):
        return CROSS_DOCUMENT
    if len(columns) >= 4 and _is_numbered(columns[2]) and not _is_counted([c[0] for c in columns]):
        return WORD_FIRST if _is_word_first(name, columns) else CONLL_2012
    if len(columns) >= 2 and _is_numbered(columns[0]):
        return SEMEVAL
    return _by_exclusion(columns)


def _columns(rows: Sequence[Row]) -> list[list[bytes]]:
    """Return the columns that all rows have, except the last, which is coreference."""
    rows = [row for row in rows if row]
    while rows and all(len(row) > 1 and not row[-1].strip(BLANKS) for row in rows):
        rows = [row[:-1] for row in rows]
    width = min(map(len, rows), default=1)
    return [[row[column].strip(BLANKS) for row in rows] for column in range(width - 1)]


def _is_numbered(column: list[bytes]) -> bool:
    return all(NUMBER.fullmatch(value) for value in column)


def _is_counted(row: Row) -> bool:
    """Return whether the first row counts from 1 in its first column, as in SemEval.

    This needs care, because a word or lemma can also be a number.
    """
    return NUMBER.fullmatch(row[0]) is not None and row[0].split(b"-")[0] == b"1" and row[2] != b"0"


def _is_word_first(name: bytes, columns: list[list[bytes]]) -> bool:
    """Return whether the first of the CoNLL-2012 columns has words instead of the name."""
    first, words = columns[0], columns[3]
    if first == words or _is_numbered(first) or all(value in MASKS for value in first):
        return False
    if len(set(first)) > 1:
        return True
    return all(value in MASKS for value in words) and not _is_named(name, first[0])


def _by_exclusion(columns: list[list[bytes]]) -> ConllLayout:
    """Use the first column that has not only numbers, masks, flags, or one value, as words."""
    number = None
    for index, column in enumerate(columns):
        values = set(column)
        if _is_numbered(column):
            number = index
        elif not values <= MASKS and not values <= FLAGS and (len(values) > 1 or len(column) == 1):
            return ConllLayout(layers={"words": index}, number=number)
    return WORD_AND_CELL if len(columns) == 1 else UNKNOWN


def with_columns(layout: ConllLayout, columns: ConllColumns | None, width: int) -> ConllLayout:
    """Return the layout with the columns that the user specified instead of those detected.

    If the user specified the column of token numbers for something else, tokens have no numbers.
    ``width`` is the number of columns of a row.
    """
    if columns is None:
        return layout
    coref = columns.coref_index
    named = {*columns.layers.values(), *([] if coref is None else [coref])}
    is_taken = layout.number in {_place(column, width) for column in named}
    return replace(
        layout,
        layers={**layout.layers, **columns.layers},
        number=None if is_taken else layout.number,
        coref=layout.coref if coref is None else coref,
    )
