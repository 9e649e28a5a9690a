"""How wide a text is on a terminal, and how to cut it."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import combining, east_asian_width


def columns(text: str) -> int:
    """Return the width of a text on a terminal: East Asian characters take two columns."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut_right(text: str, width: int) -> str:
    """Cut the end of a text that is too wide, visibly."""
    if columns(text) <= width:
        return text
    room = accumulate(map(_columns_of, text))
    return text[: sum(used < width for used in room)] + "…" if width > 0 else ""


def cut_left(text: str, width: int) -> str:
    """Cut the beginning of a text that is too wide, visibly."""
    return cut_right(text[::-1], width)[::-1]
