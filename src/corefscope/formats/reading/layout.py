"""Rebuild a text from tokens and their offsets, in formats that leave the text out.

Only the blanks between tokens are unknown. A break between paragraphs becomes newlines, and all
other blanks become spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.corpus.offsets import Unit

MOST_BLANKS = 1 << 20
"""More blanks between two tokens are a mistake, and would fill the memory."""


class TokenLayout(Struct, frozen=True, kw_only=True):
    """Where tokens stand in a text."""

    words: Sequence[str]
    begins: NDArray[np.int64]
    """Where each token begins, from 0."""
    ends: NDArray[np.int64]
    """Where each token ends; ends are exclusive."""
    unit: Unit = "character"
    """What these offsets count."""

    def fits(self) -> bool:
        """Return whether the tokens have these lengths, and stand one after the other."""
        gaps = self._gaps()
        sizes = np.fromiter(map(self._size(), self.words), np.int64, len(self.words))
        is_ordered = bool(((gaps >= 0) & (gaps <= MOST_BLANKS)).all())
        return is_ordered and np.array_equal(self.ends - self.begins, sizes)

    def text(self, breaks: Iterable[int]) -> tuple[str, list[tuple[int, int]]]:
        """Return the text, and where each token begins and ends in it, in code points.

        Before the tokens ``breaks``, the text has newlines instead of spaces.
        """
        before = set(breaks)
        parts: list[str] = []
        characters: list[tuple[int, int]] = []
        point = 0
        for number, (word, gap) in enumerate(zip(self.words, self._gaps().tolist(), strict=True)):
            parts += (("\n" if number in before else " ") * gap, word)
            characters.append((point + gap, point + gap + len(word)))
            point += gap + len(word)
        return "".join(parts), characters

    def blank_lines(self, sentences: Iterable[int]) -> list[int]:
        """Return the first tokens of sentences that have more than one blank before them."""
        starts = list(accumulate(sentences))[:-1]
        gaps = self._gaps()
        return [start for start in starts if 0 < start < len(gaps) and gaps[start] > 1]

    def _gaps(self) -> NDArray[np.int64]:
        """Return the number of blanks before each token."""
        before = np.concatenate((np.zeros(1, np.int64), self.ends))[:-1]
        return self.begins - before

    def _size(self) -> Callable[[str], int]:
        whole = "".join(self.words)
        is_plain = self.unit == "character" or _utf16_units(whole) == len(whole)
        return len if is_plain else _utf16_units


def _utf16_units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
