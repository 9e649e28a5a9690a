"""Find the lines and fields of a block of CoNLL text, for all lines at once.

Most lines of a corpus have no mention. Array operations find the last field of every line, so that
only the few lines with a mention are read one by one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.formats.reading.block_lines import BlockLines, Positions, joined

TAB, NEWLINE, RETURN, BLANK, HASH, STAR, DASH = 9, 10, 13, 32, 35, 42, 45
NO_MENTION = b"-_*"
BLANKS = bytes(range(BLANK + 1))
LAST = -1
MULTIWORD = re.compile(rb"[\x00-\x20]*\d+-\d+[\x00-\x20]*")
LONGEST_NUMBER = 6
"""The most digits before the ``-`` in the number of a multiword token."""


class Fields(Struct, frozen=True, kw_only=True):
    """The beginning and end of each field, and the fields of each line."""

    start: Positions
    stop: Positions
    first: Positions
    """The index of each line's first field."""
    count: Positions
    """How many fields each line has; 0 for a blank line."""


class CellTexts(Struct, frozen=True, kw_only=True):
    """One column of a block: the cells with mentions, and the rows of some others.

    A row is an index into ``ConllLines.rows``.
    """

    row: list[int]
    """The rows of the cells that have to be read: those other than marks for no mention."""
    line: list[int]
    start: list[int]
    """Where the cells begin in the block."""
    text: list[bytes]
    blank: list[int]
    """Rows whose cell is empty."""
    stars: list[int]
    """Rows whose cell is a single ``*``."""
    absent: list[int]
    """Rows that are too short for the column."""

    def within(self, rows: range) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield row, line, start and text of the cells of some rows."""
        some = slice(bisect_left(self.row, rows.start), bisect_left(self.row, rows.stop))
        return zip(self.row[some], self.line[some], self.start[some], self.text[some], strict=True)


def some_within(places: list[int], rows: range) -> list[int]:
    """Return the places in a range of rows; ``places`` is sorted."""
    return places[bisect_left(places, rows.start) : bisect_left(places, rows.stop)]


def count_within(places: list[int], rows: range) -> int:
    """Return the number of places in a range of rows; ``places`` is sorted."""
    return bisect_left(places, rows.stop) - bisect_left(places, rows.start) if places else 0


def after_first(places: list[int], rows: range) -> slice:
    """Return the slice of the sorted places that are in a range of rows but not its first row."""
    return slice(bisect_right(places, rows.start), bisect_left(places, rows.stop))


class ConllLines(BlockLines):
    """The lines of a block that ends in a newline.

    What every document of a block needs is computed for the whole block at once.
    """

    def __init__(self, block: bytes) -> None:
        super().__init__(block)
        self.fields = _split(self.text, self.start, tabs=TAB in block)
        self.rows: Positions = np.flatnonzero(self.fields.count)
        """The lines that are not blank."""
        self.hashes: list[int] = np.flatnonzero(self.text[self.start] == HASH).tolist()
        """The lines that begin with ``#``."""
        self._columns: dict[int, tuple[bytes, Positions]] = {}
        self._cells: dict[int, CellTexts] = {}
        self._multiword: dict[int, list[int]] = {}

    @cached_property
    def plain(self) -> Positions:
        """The lines that are neither blank nor begin with ``#``."""
        plain = self.fields.count > 0
        plain[self.hashes] = False
        return np.flatnonzero(plain)

    @cached_property
    def rows_before(self) -> Positions:
        """The number of rows before each line, and in total."""
        return np.concatenate(([0], np.cumsum(self.fields.count > 0)))

    @cached_property
    def widths(self) -> Positions:
        """The number of columns of each row."""
        return self.fields.count[self.rows]

    @cached_property
    def width_changes(self) -> list[int]:
        """The rows with a different number of columns from the previous row."""
        return (np.flatnonzero(self.widths[1:] != self.widths[:-1]) + 1).tolist()

    @cached_property
    def new_widths(self) -> list[int]:
        """The number of columns of each row in ``width_changes``."""
        widths: list[int] = self.widths[self.width_changes].tolist() if self.width_changes else []
        return widths

    @cached_property
    def sudden_changes(self) -> list[int]:
        """The rows in ``width_changes`` with no blank line before them, inside a sentence."""
        changes = np.array(self.width_changes, dtype=np.int64)
        sudden: list[int] = changes[self.rows[changes] - self.rows[changes - 1] == 1].tolist()
        return sudden

    def cells(self, column: int = LAST) -> CellTexts:
        """Return the cells of a column; a negative column counts from the end."""
        if column not in self._cells:
            self._cells[column] = self._find_cells(column)
        return self._cells[column]

    def _find_cells(self, column: int) -> CellTexts:
        """Find the fields of a column other than the marks for no mention."""
        fields, rows = self.fields, self.rows
        absent: list[int] = []
        if column == LAST:
            number = fields.first[rows] + self.widths - 1
        else:
            number, here = self._numbers(column)
            absent = np.flatnonzero(~here).tolist()
        start, stop = fields.start[number], fields.stop[number]
        mark, single = self.text[start], stop - start == 1
        star = mark == STAR
        empty = star | (mark == NO_MENTION[0]) | (mark == NO_MENTION[1])
        to_read = ~(empty & single)
        to_read[absent] = False
        blank = self._blank(mark, start, stop)
        to_read[blank] = False
        marked = np.flatnonzero(to_read)
        begins, ends, block = start[marked].tolist(), stop[marked].tolist(), self.block
        return CellTexts(
            row=marked.tolist(),
            line=rows[marked].tolist(),
            start=begins,
            text=[block[begin:end] for begin, end in zip(begins, ends, strict=True)],
            blank=blank,
            stars=np.flatnonzero(star & single).tolist() if star.any() else [],
            absent=absent,
        )

    def _blank(self, mark: NDArray[np.uint8], start: Positions, stop: Positions) -> list[int]:
        """Return which fields have only blanks, given the first byte of each."""
        doubtful = np.flatnonzero(mark <= BLANK)
        empty = start[doubtful] == stop[doubtful]
        for which in np.flatnonzero(~empty).tolist():
            field = doubtful[which]
            empty[which] = not self.block[int(start[field]) : int(stop[field])].strip(BLANKS)
        blank: list[int] = doubtful[empty].tolist()
        return blank

    def _numbers(self, column: int) -> tuple[Positions, NDArray[np.bool_]]:
        """Return the field of each row in a column, or the nearest field, and whether it exists."""
        first, count = self.fields.first[self.rows], self.widths
        if column >= 0:
            return first + np.minimum(column, count - 1), count > column
        return first + np.maximum(count + column, 0), count >= -column

    def multiword(self, column: int | None) -> list[int]:
        """Return the rows with a range such as ``1-2`` in a column: multiword tokens."""
        if column is None:
            return []
        if column not in self._multiword:
            self._multiword[column] = self._find_multiword(column)
        return self._multiword[column]

    def _find_multiword(self, column: int) -> list[int]:
        number, here = self._numbers(column)
        start = self.fields.start[number]
        length = np.where(here, self.fields.stop[number] - start, 0)
        long = np.flatnonzero(length >= 3)
        if not len(long):
            return []
        start, length = start[long], length[long]
        dash = np.zeros(len(long), dtype=bool)
        for place in range(1, LONGEST_NUMBER + 1):
            dash |= (self.text[start + np.minimum(place, length - 1)]) == DASH
        found = []
        for which in np.flatnonzero(dash).tolist():
            begin = int(start[which])
            if MULTIWORD.fullmatch(self.block, begin, begin + int(length[which])):
                found.append(int(long[which]))
        return found

    def row(self, line: int) -> list[bytes]:
        """Return the fields of a line."""
        first, count = int(self.fields.first[line]), int(self.fields.count[line])
        start = self.fields.start[first : first + count].tolist()
        stop = self.fields.stop[first : first + count].tolist()
        return [self.block[a:b] for a, b in zip(start, stop, strict=True)]

    def first_plain(self, line: int, end: int) -> int | None:
        """Return the first plain line from ``line`` on and before ``end``, or None."""
        if line < end and self.fields.count[line] and self.text[self.start[line]] != HASH:
            return line  # The usual case, in which the plain lines of the block are not needed.
        return next(iter(self._some_plain(line, end, 1).tolist()), None)

    def sample(self, line: int, end: int, size: int) -> list[list[bytes]]:
        """Return the fields of up to ``size`` plain lines from ``line`` on and before ``end``."""
        return [self.row(line) for line in self._some_plain(line, end, size).tolist()]

    def first_column(self, line: int, end: int, size: int) -> list[bytes]:
        """Return the first field of each of the same lines."""
        first = self.fields.first[self._some_plain(line, end, size)]
        start, stop = self.fields.start[first].tolist(), self.fields.stop[first].tolist()
        return [self.block[a:b] for a, b in zip(start, stop, strict=True)]

    def _some_plain(self, line: int, end: int, size: int) -> Positions:
        place = int(self.plain.searchsorted(line))
        lines = self.plain[place : place + size]
        return lines[: int(lines.searchsorted(end))]

    def column(self, rows: range, column: int) -> bytes:
        """Return one column of some rows as text, one line per row."""
        if column not in self._columns:
            self._columns[column] = self._whole_column(column)
        text, ends = self._columns[column]
        return text[int(ends[rows.start]) : int(ends[rows.stop])]

    def _whole_column(self, column: int) -> tuple[bytes, Positions]:
        """Return a column of all rows as text, and the offset of each row in it."""
        number, _ = self._numbers(column)
        return joined(self.text, self.fields.start[number], self.fields.stop[number])


def _split(text: NDArray[np.uint8], start: Positions, *, tabs: bool) -> Fields:
    """Split lines with tabs at each tab, and other lines at runs of blanks.

    Bytes up to 0x20 are blank.
    """
    if not tabs:
        return _split_at_blanks(text, start)
    tabbed = _split_at_tabs(text, start)
    # Lines without tabs, and lines with only blanks, are split at blanks: `#begin …`, and few more.
    lines = np.flatnonzero((tabbed.count == 1) | (text[start] <= BLANK))
    if not len(lines):
        return tabbed
    begin = start[lines]
    sizes = np.append(start, len(text))[lines + 1] - begin
    own = np.cumsum(sizes) - sizes
    place = np.repeat(begin - own, sizes) + np.arange(sizes.sum())
    blanked = _split_at_blanks(text[place], own)
    use = (tabbed.count[lines] == 1) | (blanked.count == 0)
    first, count = np.array(tabbed.first), np.array(tabbed.count)
    first[lines[use]] = blanked.first[use] + len(tabbed.start)
    count[lines[use]] = blanked.count[use]
    return Fields(
        start=np.concatenate((tabbed.start, place[blanked.start])),
        stop=np.concatenate((tabbed.stop, place[blanked.stop - 1] + 1)),
        first=first,
        count=count,
    )


def _split_at_blanks(text: NDArray[np.uint8], start: Positions) -> Fields:
    blank = text <= BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    edges += 1
    if not blank[0]:
        edges = np.concatenate(([0], edges))
    first = np.searchsorted(edges[0::2], start)
    return Fields(
        start=edges[0::2],
        stop=edges[1::2],
        first=first,
        count=np.diff(first, append=len(edges) // 2),
    )


def _split_at_tabs(text: NDArray[np.uint8], start: Positions) -> Fields:
    stop = np.flatnonzero((text == TAB) | (text == NEWLINE))
    field_start = np.concatenate(([0], stop[:-1] + 1))
    first = np.searchsorted(field_start, start)
    count = np.diff(first, append=len(field_start))
    last = first + count - 1
    stop[last] -= (stop[last] > field_start[last]) & (text[stop[last] - 1] == RETURN)
    return Fields(start=field_start, stop=stop, first=first, count=count)
