"""Cells of the columns IDENTITY, DISCOURSE_DEIXIS and BRIDGING.

A cell first closes markables and then opens others::

    ))(EntityID=1|MarkableID=m_7|Min=3,4|ElementOf=5,6(EntityID=2|MarkableID=m_8)

A piece that ends in a bracket is a markable of one token. Where markables cross, a closing bracket
has the id of its markable before it: ``m_7)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

NOTHING = "_"
SEPARATOR = "@"
"""Stands between the pieces of a cell in version 1.1 of the format."""
TOKENS = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?", re.ASCII)


class Piece(NamedTuple):
    """What opens a markable."""

    fields: Mapping[str, str]
    is_single: bool
    """Whether it is closed at once."""
    has_stray_bracket: bool
    """Whether a bracket is inside a value, where closings after openings end up."""


class Cell(NamedTuple):
    """What a cell closes, by id or as ``""`` for the markable opened last; and what it opens."""

    closings: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    stray: str = ""
    """Text that closes nothing."""


def parse_cell(text: str) -> Cell:
    """Read the cell of a column of markables."""
    if text == NOTHING:
        return Cell()
    closing, *opening = text.split("(")
    pieces = tuple(map(_piece, opening))
    if not closing:
        return Cell((), pieces)
    *closings, stray = closing.replace(SEPARATOR, "").split(")")
    return Cell(tuple(closings), pieces, stray)


def _piece(text: str) -> Piece:
    text = text.rstrip(SEPARATOR)
    inner = text.removesuffix(")")
    return Piece(parse_fields(inner), inner != text, ")" in inner)


def parse_fields(text: str) -> dict[str, str]:
    """Read fields such as ``EntityID=1|MarkableID=m_7``."""
    pairs = [part.partition("=") for part in text.split("|")]
    return {name: value for name, _, value in pairs}


def parse_bridges(text: str) -> list[dict[str, str]]:
    """Read the fields of each bridging anaphor of a cell; text before a bracket does not count."""
    pieces = text.split("(")[1:]
    return [parse_fields(piece.rstrip(SEPARATOR).removesuffix(")")) for piece in pieces]


def parse_minimum(text: str) -> tuple[int, int] | None:
    """Read a minimum span such as ``3,5``, which counts from 1, as numbers from 0; or None."""
    match = TOKENS.fullmatch(text)
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or first)
    return (first - 1, last - 1) if 1 <= first <= last else None
