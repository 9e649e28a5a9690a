"""Parse coreference cells: ``(12)|(3``, ``3)``, ``-`` (docs/formats.md)."""

from __future__ import annotations

import re
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
    match = ONE_BRACKET.fullmatch(text)
    if match and text != match[2] and not is_name(match[2]):
        # A fast path, because most cells are one bracket, and a book has thousands of them.
        opens, id, closes = match.groups()
        return (
            CorefCell((id,))
            if opens and closes
            else CorefCell((), (id,))
            if opens
            else CorefCell((), (), (id,))
        )
    return _parse_sequence(text)


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
