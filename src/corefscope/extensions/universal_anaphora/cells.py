"""Cells of the columns IDENTITY, DISCOURSE_DEIXIS and BRIDGING.

A cell first closes markables and then opens others::

    ))(EntityID=1|MarkableID=m_7|Min=3,4|ElementOf=5,6(EntityID=2|MarkableID=m_8)

A piece that ends in a bracket is a markable of one token. Where markables cross, a closing bracket
has the id of its markable before it: ``m_7)``.
"""

from __future__ import annotations

import re

NOTHING = "_"
SEPARATOR = "@"
"""Stands between the pieces of a cell in version 1.1 of the format."""
TOKENS = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?", re.ASCII)
USUAL_PIECE = re.compile(
    rf"\(EntityID=([^|()@\n]+)\|MarkableID=([^|()@\n]+)(?:\|Min={TOKENS.pattern})?"
    r"(?:\|SemType=[^|()@\n]*)?\)?(?=[(\n])"
)
"""Opens a markable with nothing but its ids and what most markables have, among lines of cells."""


def parse_fields(text: str) -> dict[str, str]:
    """Read fields such as ``EntityID=1|MarkableID=m_7``."""
    return {name: value for part in text.split("|") for name, _, value in (part.partition("="),)}


def parse_piece(text: str) -> tuple[dict[str, str], bool, bool]:
    """Read what follows a bracket that opens a markable.

    Returns
    -------
    tuple of dict, bool and bool
        Its fields; whether it is closed at once; and whether a bracket is inside a value, where
        closings after openings end up.
    """
    text = text.rstrip(SEPARATOR)
    inner = text.removesuffix(")")
    return parse_fields(inner), inner != text, ")" in inner


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
