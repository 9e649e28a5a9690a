"""CoNLL columns read line by line from the specification (A.1, A.2): the fast reader's twin.

Nothing is shared with the package, nothing is clever, and everything is in memory. A blank is any
byte up to 0x20.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

Entities = dict[bytes, list[tuple[int, int]]]
"""Mentions in the order of closing, entities in the order of first sight."""
Fields = list[bytes]

BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)
END = re.compile(rb"#\s*end document")
ID = rb"[^()|\x00-\x20]+"
PIECE = re.compile(
    rb"\((?P<whole>%b)\)|\((?P<open>%b)|(?P<close>%b)\)|^(?P<bare>%b)$" % (ID, ID, ID, ID)
)
ORDER = ["whole", "open", "bare", "close"]
DOUBLE_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
BLANKS = bytes(range(33))
AS_SPACES = bytes.maketrans(BLANKS, b" " * 33)


class Refused(Exception):
    """The specification calls this an error."""


def slow_read(data: bytes) -> dict[bytes, tuple[int, Entities]]:
    """Number of tokens and entities of each document by name."""
    if b"\0" in data or data.startswith(b"\x1f\x8b"):
        raise Refused("binary")
    documents: dict[bytes, tuple[int, Entities]] = {}
    for name, lines in _documents(data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
        if name in documents or b"\r" in name:
            raise Refused("the name of a document")
        cells = [_cell(fields) for fields in _tokens(lines)]
        documents[name] = len(cells), _entities(cells)
    if not documents:
        raise Refused("no document")
    return documents


def _documents(lines: list[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Names of documents with the lines of each; what is outside of them is ignored."""
    name, inside = None, list[bytes]()
    for line in lines:
        begin = BEGIN.match(line)
        if name is not None and (begin or END.match(line)):
            yield name, inside
            name = None
        if begin:
            name, inside = begin[1].rstrip(BLANKS), []
        inside.append(line)
    if name is not None:
        yield name, inside


def _tokens(lines: list[bytes]) -> Iterator[Fields]:
    """Fields of the lines that are tokens: all but the first, blank ones and comments."""
    rows = [(line[:1] == b"#", _fields(line)) for line in lines[1:] if line.strip(BLANKS)]
    for place, (marked, fields) in enumerate(rows):
        around = [*reversed(rows[:place]), *rows[place + 1 :]]
        neighbours = (len(others) for other_marked, others in around if not other_marked)
        if not marked or len(fields) == next(neighbours, None):
            yield fields


def _fields(line: bytes) -> Fields:
    if b"\t" in line:
        return [field.strip(BLANKS) for field in line.split(b"\t")]
    return line.translate(AS_SPACES).split()


def _cell(fields: Fields) -> list[tuple[str, bytes]]:
    """What the last field says; behind trailing tabs, the one before them if that is a cell."""
    if fields[-1]:
        return _pieces(fields[-1])
    try:
        pieces = _pieces([field for field in fields if field][-1])
    except Refused:
        return []
    return pieces if all(kind != "bare" for kind, _ in pieces) else []


def _pieces(cell: bytes) -> list[tuple[str, bytes]]:
    """One-token mentions, openings, bare ids and closings, in this order."""
    if cell in (b"", b"-", b"_", b"*"):
        return []
    pieces: list[tuple[str, bytes]] = []
    for part in cell.split(b"|"):
        matches = list(PIECE.finditer(part))
        if not matches or b"".join(match[0] for match in matches) != part:
            raise Refused("the cell")
        pieces += [(str(match.lastgroup), match[match.lastgroup or 0]) for match in matches]
    single = [p for p in pieces if p[0] == "bare" or not DOUBLE_ANTECEDENT.fullmatch(p[1])]
    return sorted(single, key=lambda piece: ORDER.index(piece[0]))


def _entities(cells: Sequence[list[tuple[str, bytes]]]) -> Entities:
    entities: Entities = {}
    opened: dict[bytes, list[int]] = defaultdict(list)
    for token, pieces in enumerate(cells):
        for kind, id in pieces:
            if kind == "whole":
                entities.setdefault(id, []).append((token, token))
            elif kind == "open":
                entities.setdefault(id, [])
                opened[id].append(token)
            elif not opened[id]:
                raise Refused("closed, or bare, and not open")
            elif kind == "close":
                entities[id].append((opened[id].pop(), token))
    if any(opened.values()):
        raise Refused("not closed")
    return entities
