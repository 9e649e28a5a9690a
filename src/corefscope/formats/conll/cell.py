"""Parse coreference cells: ``(12)|(3``, ``3)``, ``-`` (docs/ref/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

ID = rb"[^()|\x00-\x20]+"
BRACKET = re.compile(rb"\((" + ID + rb")\)|\((" + ID + rb")|(" + ID + rb")\)")
SEQUENCE = re.compile(rb"(?:\(" + ID + rb"+\)?|" + ID + rb"+\))++")
"""A sequence of brackets; possessive, so that a long invalid cell is rejected in linear time."""
ONE_BRACKET = re.compile(rb"(\(?)([^()|+\x00-\x20]+)(\)?)")
SEPARATING_UNDERSCORE = re.compile(rb"(?<=\))_|_(?=\()")
"""An underscore after a closing or before an opening bracket; any other is part of an id."""
BARE_ID = re.compile(ID)
PART_OF_ID = re.compile(rb"\d+|[^\d_+]+")
DOUBLE_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
STARRED = re.compile(rb"[A-Za-z\x80-\xff].*\*", re.DOTALL)
"""An id such as ``PER*`` or ``ARG0*``: a named entity or a semantic role that continues at the next
token. Coreference cells have no such brackets."""
NAME_TYPES = frozenset(
    b"PERSON PER NORP FAC FACILITY ORG ORGANIZATION GPE LOC LOCATION PRODUCT DATE TIME PERCENT "
    b"MONEY QUANTITY ORDINAL CARDINAL EVENT WORK_OF_ART LAW LANGUAGE MISC VEH WEA".split()
)
"""Common types of named entities, in uppercase."""
WHOLE, OPENS, CLOSES = (b"(", b")"), (b"(", b""), (b"", b")")
"""What stands before and after the id of a bracket."""
NO_MENTION = (b"", b"-", b"_", b"*")
BLANKS = bytes(range(33))

Ids = tuple[bytes, ...]


class CorefCell(NamedTuple):
    """The content of a cell, in the order in which it is processed."""

    whole: Ids = ()
    """Entities with a mention of only this token."""
    opened: Ids = ()
    closed: Ids = ()
    is_odd: bool = False
    """Whether one of the following fields is not empty."""
    bare: Ids = ()
    """Ids without a bracket, which some tools write inside a mention."""
    double: Ids = ()
    """Double antecedents, which the reference scorer ignores."""
    touching: Ids = ()
    """Entities that the token both opens and closes."""
    names: Ids = ()
    """Ids that look like the type of a named entity or a semantic role."""


def parse_cell(text: bytes) -> CorefCell | None:
    """Parse a cell; return None if it is not a sequence of brackets."""
    if text in NO_MENTION:
        return CorefCell()
    return _plain_brackets(text.split(b"|")) or _parse_sequence(text)


def _plain_brackets(parts: Sequence[bytes]) -> CorefCell | None:
    """Return the brackets of a cell; None if one of them is odd.

    Most cells have nothing odd, and a book has thousands of them.
    """
    found: dict[tuple[bytes, bytes], list[bytes]] = {WHOLE: [], OPENS: [], CLOSES: []}
    for part in parts:
        match = ONE_BRACKET.fullmatch(part)
        if match is None or part == match[2] or is_name(match[2]):
            return None
        found[match[1], match[3]].append(match[2])
    whole, opened, closed = map(tuple, found.values())
    is_touching = opened and closed and not set(opened).isdisjoint(closed)
    return None if is_touching else CorefCell(whole, opened, closed)


def _parse_sequence(text: bytes) -> CorefCell | None:
    """Parse several brackets; the bars between them can be missing, or underscores."""
    whole: list[bytes] = []
    opened: list[bytes] = []
    closed: list[bytes] = []
    bare: list[bytes] = []
    for part in SEPARATING_UNDERSCORE.sub(b"|", text).split(b"|"):
        part = part.strip(BLANKS)
        if BARE_ID.fullmatch(part):
            bare.append(part)
            continue
        if not SEQUENCE.fullmatch(part):
            return None
        brackets = BRACKET.findall(part)
        whole += [one for one, _, _ in brackets if one]
        opened += [begin for _, begin, _ in brackets if begin]
        closed += [end for _, _, end in brackets if end]
    return _with_oddities(tuple(whole), tuple(opened), tuple(closed), tuple(bare))


def _with_oddities(whole: Ids, opened: Ids, closed: Ids, bare: Ids) -> CorefCell:
    double = tuple(id for id in whole + opened + closed if DOUBLE_ANTECEDENT.fullmatch(id))
    if double:
        dropped = set(double)
        whole, opened, closed = (
            tuple(id for id in ids if id not in dropped) for ids in (whole, opened, closed)
        )
    ends = set(closed)
    touching = tuple(id for id in opened if id in ends)
    names = tuple(id for id in whole + opened + closed if is_name(id))
    is_odd = bool(bare or double or touching or names)
    return CorefCell(
        whole=whole,
        opened=opened,
        closed=closed,
        is_odd=is_odd,
        bare=bare,
        double=double,
        touching=touching,
        names=names,
    )


def is_name(id: bytes) -> bool:
    """Return whether an id looks like the type of a named entity or a semantic role."""
    return id.upper() in NAME_TYPES or STARRED.fullmatch(id) is not None


def possible_ids(text: bytes) -> set[bytes]:
    """Return the ids that a broken cell may have contained."""
    runs = BARE_ID.findall(text)
    return {*runs, *(part for run in runs for part in PART_OF_ID.findall(run))}
