"""Find the cells of a table in the bytes of a text, for all rows at once.

Most cells are never looked at one by one, and to make a string of each takes most of the time of
reading. Here only their edges are found; a reader asks for the columns and rows that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

TAB, NEWLINE, BLANK, ZERO, NOT_ASCII = 9, 10, 32, 48, 128
LONGEST_NUMBER = 9
"""The most digits of a number."""
AT_ONCE = 8
"""How many bytes are compared at once."""
MASKS = np.array([(1 << 8 * size) - 1 for size in range(AT_ONCE + 1)], np.uint64)
"""For each number of bytes, what keeps these and removes the others."""

Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Uneven(ValueError):
    """A row does not have the expected number of cells."""


class ByteTable:
    """The rows of a text: the lines that are neither empty nor comments.

    Parameters
    ----------
    data
        Lines that end with a newline alone; the last one may have none.
    width
        The expected number of cells per row; None for any number that is the same in all rows.
    blanks
        Whether cells may contain blanks of ASCII.
    comment
        How lines begin that are no rows.

    Raises
    ------
    Uneven
        If rows do not have the same number of cells, separated by tabs.
    """

    def __init__(
        self, data: bytes, width: int | None = None, *, blanks: bool = True, comment: bytes = b"#"
    ) -> None:
        self.data = data if data.endswith(b"\n") else data + b"\n"
        text = np.frombuffer(self.data, np.uint8)
        is_separator = (text == TAB) | (text == NEWLINE) if blanks else text <= BLANK
        self._separators = np.flatnonzero(is_separator)
        ends = np.flatnonzero(text[self._separators] == NEWLINE)
        self.line_ends: Positions = self._separators[ends] + 1
        """Where each line ends, with its newline."""
        first = text[np.concatenate(([0], self.line_ends[:-1]))]
        self.is_blank: Flags = first == NEWLINE
        """Whether each line is empty."""
        self.lines: Positions = np.flatnonzero(~self.is_blank & (first != ord(comment)))
        """The line of each row, from 0."""
        widths = np.diff(ends, prepend=-1)[self.lines]
        self.width = int(widths[0]) if width is None and len(widths) else width or 0
        if (widths != self.width).any():
            raise Uneven
        self._ends = ends[self.lines]
        """The separator after each row."""
        self._text = text
        if not blanks and any(
            (text[self.stops(column)] != TAB).any() for column in range(self.width - 1)
        ):
            raise Uneven

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]]) -> ByteTable:
        """Make a table of rows with the same number of cells."""
        lines = "".join(["\t".join(row) + "\n" for row in rows])
        return cls(lines.encode(errors="surrogateescape"), comment=b"\n")

    def __len__(self) -> int:
        return len(self.lines)

    def starts(self, column: int) -> Positions:
        """Return where the cells of a column begin."""
        if column:
            return self.stops(column - 1) + 1
        starts = self._separators[self._ends - self.width] + 1
        starts[self._ends < self.width] = 0
        return starts

    def stops(self, column: int) -> Positions:
        """Return where the cells of a column end."""
        return self._separators[self._ends - self.width + column + 1]

    def joined(self, column: int, rows: Positions | slice = slice(None)) -> bytes:
        """Return the cells of a column in some rows, each with a newline after it."""
        start = self.starts(column)[rows]
        length = self.stops(column)[rows] - start + 1
        if not len(start):
            return b""
        ends = np.cumsum(length)
        picked = self._text[np.repeat(start - ends + length, length) + np.arange(ends[-1])]
        picked[ends - 1] = NEWLINE
        found: bytes = picked.tobytes()
        return found

    def column(self, column: int, rows: Positions | slice = slice(None)) -> list[str]:
        """Return the cells of a column in some rows."""
        return self.joined(column, rows).decode(errors="surrogateescape").split("\n")[:-1]

    def filled(self, column: int, nothing: bytes) -> Positions:
        """Return the rows whose cell is neither empty nor one of the bytes that mean nothing."""
        start = self.starts(column)
        length = self.stops(column) - start
        is_filled = length > 0
        single = np.flatnonzero(length == 1)
        is_filled[single] = ~np.isin(self._text[start[single]], np.frombuffer(nothing, np.uint8))
        return np.flatnonzero(is_filled)

    def is_ascii_at_start(self) -> bool:
        """Return whether each row begins with a character of ASCII that is not blank."""
        first = self._text[self.starts(0)]
        return bool(((first > BLANK) & (first < NOT_ASCII)).all())

    def is_new(self, first: int, last: int) -> Flags:
        """Return for each row whether some columns differ from those of the row before."""
        return is_new(self.data, self.starts(first), self.stops(last))


def is_new(data: bytes, starts: Positions, stops: Positions) -> Flags:
    """Return for each of some stretches of bytes whether it differs from the one before."""
    length = stops - starts
    found = np.ones(len(starts), np.bool_)
    found[1:] = length[1:] != length[:-1]
    padded = data + bytes(AT_ONCE)
    words = np.ndarray((len(data) + 1,), np.uint64, padded, strides=(1,))
    rows, offset = np.flatnonzero(~found), 0
    while len(rows):
        mask = MASKS[np.minimum(length[rows] - offset, AT_ONCE)]
        differ = (words[starts[rows] + offset] ^ words[starts[rows - 1] + offset]) & mask != 0
        found[rows[differ]] = True
        offset += AT_ONCE
        rows = rows[~differ & (length[rows] > offset)]
    return found


def line_edges(block: bytes) -> Positions:
    """Return where the lines of a block begin, and where the last one ends.

    Lines end as in :meth:`bytes.splitlines`.
    """
    if b"\r" in block:
        sizes = [0, *map(len, block.splitlines(keepends=True))]
        return np.cumsum(sizes)
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == NEWLINE) + 1
    rest = [] if block.endswith(b"\n") or not block else [len(block)]
    return np.concatenate(([0], ends, rest)).astype(np.int64)


def with_newlines(block: bytes) -> bytes:
    """Return a block whose lines all end with a newline alone."""
    return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block else block


def runs(is_new: Flags) -> list[int]:
    """Return the numbers of neighbouring rows that belong together."""
    sizes: list[int] = np.diff(np.flatnonzero(is_new), append=len(is_new)).tolist()
    return sizes


def numbers(joined: bytes, pattern: bytes = b"\n") -> Positions | None:
    """Return the numbers of a column, one row for each number of a cell.

    Parameters
    ----------
    joined
        The cells of the column, each with a newline after it.
    pattern
        What stands after each number of a cell; the last is the newline.

    Returns
    -------
    Positions or None
        The numbers; None if a cell has another form, or a number with too many digits.
    """
    text = np.frombuffer(joined, np.uint8)
    digits = text - np.uint8(ZERO)
    stops = np.flatnonzero(digits > 9)
    starts = np.concatenate(([0], stops[:-1] + 1)) if len(stops) else stops
    sizes = stops - starts
    if len(stops) % len(pattern) or not len(stops):
        return None if joined else np.zeros((len(pattern), 0), np.int64)
    is_right = (text[stops].reshape(-1, len(pattern)) == np.frombuffer(pattern, np.uint8)).all()
    longest = int(sizes.max())
    if not is_right or not sizes.min() or longest > LONGEST_NUMBER:
        return None
    found = np.zeros(len(stops), np.int64)
    for place in range(longest, 0, -1):
        digit = digits[np.maximum(stops - place, 0)]
        found = found * 10 + np.where(sizes >= place, digit, 0)
    return found.reshape(-1, len(pattern)).T
