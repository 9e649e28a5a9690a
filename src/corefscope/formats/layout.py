"""Rebuild a text from tokens and their offsets, in formats that leave the text out.

Only the blanks between tokens are unknown. A break between paragraphs becomes newlines, and all
other blanks become spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from corefscope.corpus.offsets import Unit

Offsets = Sequence[tuple[int, int]]


def laid_out(
    words: Sequence[str], offsets: Offsets, breaks: Iterable[int], unit: Unit = "character"
) -> tuple[str, list[tuple[int, int]]] | None:
    """Return the text of tokens, and the code points of each.

    Parameters
    ----------
    words
        The tokens.
    offsets
        Where each token begins and ends, from 0; the end is exclusive.
    breaks
        The tokens before which the text has newlines instead of spaces.
    unit
        What the offsets count.

    Returns
    -------
    tuple or None
        The text and the code points; None if the offsets do not fit the tokens.
    """
    is_plain = unit == "character" or max("".join(words), default="") <= "\uffff"
    size: Callable[[str], int] = len if is_plain else _utf16_units
    before = set(breaks)
    parts: list[str] = []
    characters: list[tuple[int, int]] = []
    end = point = 0
    for number, (word, (begin, stop)) in enumerate(zip(words, offsets, strict=True)):
        if begin < end or stop - begin != size(word) or begin - end > MOST_BLANKS:
            return None
        parts += (("\n" if number in before else " ") * (begin - end), word)
        point += begin - end
        characters.append((point, point + len(word)))
        end, point = stop, point + len(word)
    return "".join(parts), characters


MOST_BLANKS = 1 << 20
"""More blanks between two tokens are a mistake, and would fill the memory."""


def blank_lines(offsets: Offsets, sentences: Iterable[int]) -> list[int]:
    """Return the first tokens of sentences that have more than one blank before them."""
    starts = list(accumulate(sentences))[:-1]
    return [
        start
        for start in starts
        if 0 < start < len(offsets) and offsets[start][0] - offsets[start - 1][1] > 1
    ]


def _utf16_units(word: str) -> int:
    return len(word) + sum(sign > "\uffff" for sign in word)
