"""Lines and fields of a block of CoNLL text, found for all lines at once.

Most lines of a corpus bear no mention. Finding the last field of every line with array operations
leaves the few lines that do to be read one by one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

TAB, NEWLINE, RETURN, BLANK, HASH = 9, 10, 13, 32, 35
NO_MENTION = b"-_*"

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fields:
    """Where the fields of each line begin and end."""

    start: Positions
    stop: Positions
    first: Positions
    """Number of each line's first field."""
    count: Positions
    """Number of each line's fields; 0 for a blank line."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The coreference cells of a block that bear mentions."""

    row: list[int]
    """The row of each, as an index into ``Lines.rows``."""
    line: list[int]
    start: list[int]
    stop: list[int]

    def within(self, rows: range) -> Iterator[tuple[int, int, int, int]]:
        """Yield row, line, start and stop of the cells of some rows."""
        some = slice(bisect_left(self.row, rows.start), bisect_left(self.row, rows.stop))
        return zip(self.row[some], self.line[some], self.start[some], self.stop[some], strict=True)


class Lines:
    """The lines of a block that ends in a newline.

    What is asked of every document of a block is found for the whole block at once.
    """

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.text = np.frombuffer(block, dtype=np.uint8)
        newline = np.flatnonzero(self.text == NEWLINE)
        self.start: Positions = np.concatenate(([0], newline[:-1] + 1))
        self.stop: Positions = newline
        self.fields = _split(self.text, self.start, tabs=TAB in block)
        self.rows: Positions = np.flatnonzero(self.fields.count)
        """The lines that are not blank."""
        self.hashes: list[int] = np.flatnonzero(self.text[self.start] == HASH).tolist()
        """The lines that begin with ``#``."""
        self.cells = self._cells()
        self._columns: dict[int, tuple[bytes, Positions]] = {}

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def plain(self) -> Positions:
        """The lines that are neither blank nor begin with ``#``."""
        plain = self.fields.count > 0
        plain[self.hashes] = False
        return np.flatnonzero(plain)

    def _cells(self) -> Cells:
        """Find the last fields other than the marks for no mention."""
        fields = self.fields
        last = fields.first[self.rows] + fields.count[self.rows] - 1
        start, stop = fields.start[last], fields.stop[last]
        mark = self.text[start]
        empty = (mark == NO_MENTION[0]) | (mark == NO_MENTION[1]) | (mark == NO_MENTION[2])
        marked = np.flatnonzero((stop - start != 1) | ~empty)
        found = marked, self.rows[marked], start[marked], stop[marked]
        return Cells(*(positions.tolist() for positions in found))

    def line(self, line: int) -> bytes:
        """Return the text of a line."""
        return self.block[int(self.start[line]) : int(self.stop[line])]

    def row(self, line: int) -> list[bytes]:
        """Return the fields of a line."""
        first, count = int(self.fields.first[line]), int(self.fields.count[line])
        start = self.fields.start[first : first + count].tolist()
        stop = self.fields.stop[first : first + count].tolist()
        return [self.block[a:b] for a, b in zip(start, stop, strict=True)]

    def column(self, rows: range, column: int) -> bytes:
        """Return one column of some of the rows as text, a line each."""
        if column not in self._columns:
            self._columns[column] = self._whole_column(column)
        text, ends = self._columns[column]
        return text[int(ends[rows.start]) : int(ends[rows.stop])]

    def _whole_column(self, column: int) -> tuple[bytes, Positions]:
        """Return a column of all rows, and where each row begins in it."""
        fields, rows = self.fields, self.rows
        number = fields.first[rows] + np.minimum(column, fields.count[rows] - 1)
        start = fields.start[number]
        length = fields.stop[number] - start + 1
        ends = np.cumsum(length)
        picked = self.text[np.repeat(start - ends + length, length) + np.arange(ends[-1])]
        picked[ends - 1] = NEWLINE
        return picked.tobytes(), np.concatenate(([0], ends))


def _split(text: NDArray[np.uint8], start: Positions, *, tabs: bool) -> Fields:
    """Split a line that has tabs at each of them, any other at runs of blanks.

    A byte up to 0x20 is blank.
    """
    if not tabs:
        return _split_at_blanks(text, start)
    tabbed = _split_at_tabs(text, start)
    # Lines without tabs, and lines of nothing but blanks, are split at blanks.
    doubtful = (tabbed.count == 1) | (text[start] <= BLANK)
    if not (doubtful & (text[start] != NEWLINE)).any():
        return replace(tabbed, count=np.where(doubtful, 0, tabbed.count))
    blanked = _split_at_blanks(text, start)
    use = (tabbed.count == 1) | (blanked.count == 0)
    return Fields(
        np.concatenate((tabbed.start, blanked.start)),
        np.concatenate((tabbed.stop, blanked.stop)),
        np.where(use, blanked.first + len(tabbed.start), tabbed.first),
        np.where(use, blanked.count, tabbed.count),
    )


def _split_at_blanks(text: NDArray[np.uint8], start: Positions) -> Fields:
    blank = text <= BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    edges += 1
    if not blank[0]:
        edges = np.concatenate(([0], edges))
    first = np.searchsorted(edges[0::2], start)
    return Fields(edges[0::2], edges[1::2], first, np.diff(first, append=len(edges) // 2))


def _split_at_tabs(text: NDArray[np.uint8], start: Positions) -> Fields:
    stop = np.flatnonzero((text == TAB) | (text == NEWLINE))
    field_start = np.concatenate(([0], stop[:-1] + 1))
    first = np.searchsorted(field_start, start)
    count = np.diff(first, append=len(field_start))
    last = first + count - 1
    stop[last] -= (stop[last] > field_start[last]) & (text[stop[last] - 1] == RETURN)
    return Fields(field_start, stop, first, count)
