"""Find the lines and cells of a text in its bytes, for all of them at once.

Most cells are never looked at one by one, and to make a string of each takes most of the time of
reading. Here only their edges are found; a reader asks for the columns and rows that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

TAB, NEWLINE, BLANK, ZERO, NOT_ASCII = 9, 10, 32, 48, 128
LONGEST_NUMBER = 9
"""The most digits of a number."""
BEFORE = np.array([-1])
AT_ONCE = 8
"""How many bytes are compared at once."""
MASKS = np.array([(1 << 8 * size) - 1 for size in range(AT_ONCE + 1)], np.uint64)
"""For each number of bytes, what keeps these and removes the others."""

Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]


class BlockLines:
    """The lines of a block of bytes that ends in a newline."""

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.text = np.frombuffer(block, dtype=np.uint8)
        newline = np.flatnonzero(self.text == NEWLINE)
        self.start: Positions = np.concatenate(([0], newline[:-1] + 1))
        self.stop: Positions = newline

    def __len__(self) -> int:
        return len(self.start)

    def line(self, line: int) -> bytes:
        """Return the text of a line."""
        return self.block[int(self.start[line]) : int(self.stop[line])]

    def line_at(self, position: int) -> int:
        """Return the line that a position in the block is in."""
        return int(np.searchsorted(self.start, position, side="right")) - 1


def joined(text: NDArray[np.uint8], start: Positions, stop: Positions) -> tuple[bytes, Positions]:
    """Return stretches of bytes, each with a newline after it, and where each begins and all end.

    Stretches may be in any order, and the byte after each must exist.
    """
    if not len(start):
        return b"", np.zeros(1, np.int64)
    ends = np.cumsum(stop - start + 1)
    # From one byte to the next it is one step, except from a stretch to the next.
    steps = np.ones(ends[-1], np.int64)
    steps[0], steps[ends[:-1]] = start[0], start[1:] - stop[:-1]
    picked = text[np.cumsum(steps)]
    picked[ends - 1] = NEWLINE
    return picked.tobytes(), np.concatenate(([0], ends))


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
    comment
        How lines begin that are no rows.

    Raises
    ------
    Uneven
        If rows do not have the same number of cells, separated by tabs.
    """

    def __init__(self, data: bytes, width: int | None = None, *, comment: bytes = b"#") -> None:
        self.data = data if data.endswith(b"\n") else data + b"\n"
        self._text = text = np.frombuffer(self.data, np.uint8)
        is_separator = (text == TAB) | (text == NEWLINE)
        # The text is read as if a newline were before it; its last byte is one.
        separators = np.concatenate((BEFORE, is_separator.nonzero()[0]))
        newlines = (text[separators] == NEWLINE).nonzero()[0]
        first = text[separators[newlines[:-1]] + 1]
        self.lines: Positions = ((first != NEWLINE) & (first != ord(comment))).nonzero()[0]
        """The line of each row, from 0."""
        widths = (newlines[1:] - newlines[:-1])[self.lines]
        self.width = int(widths[0]) if width is None and len(widths) else width or 0
        if (widths != self.width).any():
            raise Uneven
        rows = newlines[self.lines]
        self._edges: Positions = separators[np.arange(self.width + 1)[:, None] + rows]
        """The separators of each row, one line for each column and one more."""

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]], width: int) -> ByteTable:
        """Make a table of rows with the same number of cells; there may be no rows."""
        lines = "".join(["\t".join(row) + "\n" for row in rows])
        return cls(lines.encode(errors="surrogateescape"), width, comment=b"\n")

    def __len__(self) -> int:
        return len(self.lines)

    def starts(self, column: int) -> Positions:
        """Return where the cells of a column begin."""
        starts: Positions = self._edges[column] + 1
        return starts

    def stops(self, column: int) -> Positions:
        """Return where the cells of a column end."""
        stops: Positions = self._edges[column + 1]
        return stops

    def joined(self, column: int, rows: Positions | slice = slice(None)) -> bytes:
        """Return the cells of a column in some rows, each with a newline after it."""
        return joined(self._text, self.starts(column)[rows], self.stops(column)[rows])[0]

    def column(self, column: int, rows: Positions | slice = slice(None)) -> list[str]:
        """Return the cells of a column in some rows."""
        return self.joined(column, rows).decode(errors="surrogateescape").split("\n")[:-1]

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
    words = np.ndarray((len(data) + 1,), "<u8", padded, strides=(1,))
    rows, offset = (~found).nonzero()[0], 0
    while len(rows):
        mask = MASKS[np.minimum(length[rows] - offset, AT_ONCE)]
        differ = (words[starts[rows] + offset] ^ words[starts[rows - 1] + offset]) & mask != 0
        found[rows[differ]] = True
        offset += AT_ONCE
        rows = rows[~differ & (length[rows] > offset)]
    return found


def runs(is_new: Flags) -> list[int]:
    """Return the numbers of neighbouring rows that belong together."""
    begins = [*is_new.nonzero()[0].tolist(), len(is_new)]
    return [after - before for before, after in pairwise(begins)]


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
    stops = (digits > 9).nonzero()[0]
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
