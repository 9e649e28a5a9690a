"""Find the cells of a text in its bytes, for all of them at once.

The files of a novel have millions of cells, few of which are looked at, and to make a string of
each would fill the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from corefscope.formats.reading.block_lines import NEWLINE, Positions, joined

TAB, BLANK, NOT_ASCII = 9, 32, 128


class Uneven(ValueError):
    """A row does not have the expected number of cells."""


class ByteTable:
    """The rows of a text: the lines that are not empty.

    Parameters
    ----------
    data
        Lines that end with a newline alone; the last one may have none.
    width
        The number of cells per row, if there may be no rows.

    Raises
    ------
    Uneven
        If rows do not have the same number of cells, separated by tabs.
    """

    def __init__(self, data: bytes, width: int = 0) -> None:
        data = data if data.endswith(b"\n") else data + b"\n"
        self._text = text = np.frombuffer(data, np.uint8)
        # The text is read as if a newline were before it; its last byte is one.
        separators = np.concatenate(([-1], ((text == TAB) | (text == NEWLINE)).nonzero()[0]))
        newlines = (text[separators] == NEWLINE).nonzero()[0]
        first = text[separators[newlines[:-1]] + 1]
        self.lines: Positions = (first != NEWLINE).nonzero()[0]
        """The line of each row, from 0."""
        widths = (newlines[1:] - newlines[:-1])[self.lines]
        self.width = int(widths[0]) if len(widths) else width
        if (widths != self.width).any():
            raise Uneven
        rows = newlines[self.lines]
        self._edges: Positions = separators[np.arange(self.width + 1)[:, None] + rows]
        """The separators of each row, one line for each column and one more."""

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]], width: int) -> ByteTable:
        """Make a table of rows with the same number of cells; there may be no rows."""
        lines = "".join(["\t".join(row) + "\n" for row in rows])
        return cls(lines.encode(errors="surrogateescape"), width)

    def __len__(self) -> int:
        return len(self.lines)

    def joined(self, column: int) -> bytes:
        """Return the cells of a column, each with a newline after it."""
        return joined(self._text, self._edges[column] + 1, self._edges[column + 1])[0]

    def is_ascii_at_start(self) -> bool:
        """Return whether each row begins with a character of ASCII that is not blank."""
        first = self._text[self._edges[0] + 1]
        return bool(((first > BLANK) & (first < NOT_ASCII)).all())
