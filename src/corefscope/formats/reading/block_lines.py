"""The lines of a block of bytes, found for all of them at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEWLINE = 10
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
