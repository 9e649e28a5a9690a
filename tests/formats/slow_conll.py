"""CoNLL columns read line by line from the specification (A.1, A.2): a brute-force reference.

Nothing is shared with the package, nothing is clever, and everything is in memory. A blank is any
byte up to 0x20.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Entities = dict[bytes, list[tuple[int, int]]]
"""Mentions in the order of closing, entities in the order of first sight."""
Fields = list[bytes]


class Row(NamedTuple):
    """A line of a document that is not blank."""

    fields: Fields
    marked: bool
    """Whether it begins with ``#``."""
    sentence: int
    """The number of groups of blank lines before it."""


BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)
END = re.compile(rb"#\s*end document")
ID = rb"[^()|\x00-\x20]+"
SEPARATOR = re.compile(rb"(?<=\))_|_(?=\()|\|")
NUMBER = re.compile(rb"\d+(-\d+)?")
TYPES = set(
    b"PERSON PER NORP FAC FACILITY ORG ORGANIZATION GPE LOC LOCATION PRODUCT DATE TIME PERCENT "
    b"MONEY QUANTITY ORDINAL CARDINAL EVENT WORK_OF_ART LAW LANGUAGE MISC VEH WEA".split()
)
STARRED = re.compile(rb"[A-Za-z\x80-\xff].*\*", re.DOTALL)
FLAGS = {b"True", b"False"}
MASKS = {b"", b"_", b"-", b"*", b"___", b"[WORD]"}
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
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    plain = [_fields(line) for line in lines if line.strip(BLANKS) and line[:1] != b"#"]
    trailing = all(len(fields) > 1 and not fields[-1] for fields in plain)
    for name, inside in _documents(lines):
        if name in documents or b"\r" in name:
            raise Refused("the name of a document")
        cells = _cells(name, inside, -2 if trailing or _end_in_tabs(inside) else -1)
        documents[name] = len(cells), _entities(cells)
    if not documents:
        raise Refused("no document")
    return documents


def _end_in_tabs(lines: list[bytes]) -> bool:
    """Whether nothing is in the last column, and nothing but coreference in the one before it."""
    rows = [row.fields for row in _without_comments(list(_rows(lines)))]
    if not all(len(fields) > 1 and not fields[-1] for fields in rows):
        return False
    cells = {fields[-2] for fields in rows} - {b"", b"-", b"_", b"*"}
    ids = [piece for cell in cells for piece in _certain_pieces(cell)]
    return bool(ids) and all(kind != "bare" and re.search(rb"\d", id) for kind, id in ids)


def _certain_pieces(cell: bytes) -> list[tuple[str, bytes]]:
    try:
        return _pieces(cell)
    except Refused:
        return [("bare", b"")]


def _documents(lines: list[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Names of documents with the lines of each; what is outside of them is ignored."""
    name, inside = None, list[bytes]()
    for line in lines:
        begin = BEGIN.match(line)
        if name is not None and (begin or END.match(line)):
            yield name, inside
            name = None
        if not begin and END.match(line):
            begin = BEGIN.search(line)
        if begin:
            name, inside = begin[1].rstrip(BLANKS), []
        elif name is not None:
            inside.append(line)
    if name is not None:
        yield name, inside


def _cells(name: bytes, lines: list[bytes], coref: int) -> list[list[tuple[str, bytes]]]:
    """What each token's cell says in the coreference column."""
    rows = list(_rows(lines))
    plain = [row.fields for row in rows if not row.marked]
    number = _number_column(name, plain[:32])
    rows = list(_without_comments(rows))
    words = [row for row in rows if not _is_multiword(row.fields, number)]
    for row in rows:
        if _is_multiword(row.fields, number) and row.fields[coref] not in (b"", b"-", b"_", b"*"):
            raise Refused("a mention on a multiword line")
    _refuse_uneven(words, coref, roles=_has_roles(name, plain[:32]))
    cells = [_pieces(row.fields[coref]) for row in words]
    ids = {id for cell in cells for kind, id in cell if id != b"*" and kind != "bare"}
    if any(STARRED.fullmatch(id) for id in ids):
        raise Refused("a cell of a column of names or roles")
    if ids and {id.upper() for id in ids} <= TYPES:
        raise Refused("a column of names")
    return cells


def _rows(lines: list[bytes]) -> Iterator[Row]:
    sentence = 0
    for line in lines:
        if line.strip(BLANKS):
            yield Row(_fields(line), line[:1] == b"#", sentence)
        else:
            sentence += 1


def _without_comments(rows: list[Row]) -> Iterator[Row]:
    """The rows that do not begin with ``#``, or have as many columns as their neighbour."""
    for place, row in enumerate(rows):
        around = [*reversed(rows[:place]), *rows[place + 1 :]]
        neighbours = (len(other.fields) for other in around if not other.marked)
        if not row.marked or len(row.fields) == next(neighbours, None):
            yield row


def _fields(line: bytes) -> Fields:
    if b"\t" in line:
        return [field.strip(BLANKS) for field in line.split(b"\t")]
    return line.translate(AS_SPACES).split()


def _columns(sample: list[Fields]) -> list[list[bytes]]:
    """The columns of the first rows before the last one, trailing tabs aside."""
    while sample and all(len(fields) > 1 and not fields[-1] for fields in sample):
        sample = [fields[:-1] for fields in sample]
    width = min((len(fields) for fields in sample), default=1)
    return [[fields[column] for fields in sample] for column in range(width - 1)]


def _numbered(values: list[bytes]) -> bool:
    return all(NUMBER.fullmatch(value) for value in values)


def _counts_from_1(sample: list[Fields]) -> bool:
    first = sample[0]
    return first[0].split(b"-")[0] == b"1" and _numbered(first[:1]) and first[2] != b"0"


def _is_conll_2012(name: bytes, sample: list[Fields]) -> bool:
    """Whether the first rows, or the first one alone, have a number in the third column."""
    first, columns = sample[0], _columns(sample)
    if len(first) >= 3 and first[-1] and _is_certain(name, first):
        return True
    if _is_certainly_semeval(sample) or (len(columns) == 7 and set(columns[6]) <= FLAGS):
        return False
    return len(columns) >= 4 and _numbered(columns[2]) and not _counts_from_1(sample)


def _is_certain(name: bytes, first: Fields) -> bool:
    return (
        len(first) >= 5
        and first[2].isdigit()
        and first[3] not in MASKS
        and _names(first[0], name)
        and not _counts_from_1([first])
    )


def _names(field: bytes, name: bytes) -> bool:
    """Whether a field is the name of the document, or the one in its brackets."""
    return field == name or name.startswith(b"(" + field + b");")


def _is_certainly_semeval(sample: list[Fields]) -> bool:
    first = sample[0]
    if not _numbered([fields[0] for fields in sample[:8]]):
        return False
    named = len(first) >= 3 and not _numbered(first[1:2]) and first[1] not in MASKS
    return named and bool(first[-1]) and first[0] in (b"0", b"1")


def _has_roles(name: bytes, sample: list[Fields]) -> bool:
    """Whether these are the columns of CoNLL-2012, with the document in the first."""
    if not sample or not _is_conll_2012(name, sample):
        return False
    if sample[0][-1] and _is_certain(name, sample[0]):
        return True
    columns = _columns(sample)
    first, words = columns[0], columns[3]
    if first == words or _numbered(first) or set(first) <= MASKS:
        return True
    return len(set(first)) == 1 and not (set(words) <= MASKS and not _names(first[0], name))


def _number_column(name: bytes, sample: list[Fields]) -> int | None:
    """The column in which tokens are numbered."""
    if not sample or len(sample[0]) < 3:
        return None
    columns = _columns(sample)
    if _is_conll_2012(name, sample):
        return 2
    if _is_certainly_semeval(sample):
        return 0
    if len(columns) == 7 and set(columns[6]) <= FLAGS:
        return 4
    return 0 if len(columns) >= 2 and _numbered(columns[0]) else _number_before_words(columns)


def _number_before_words(columns: list[list[bytes]]) -> int | None:
    number = None
    for index, values in enumerate(columns):
        some = set(values)
        if _numbered(values):
            number = index
        elif not some <= MASKS and not some <= FLAGS and (len(some) > 1 or len(values) == 1):
            return number
    return None


def _is_multiword(fields: Fields, number: int | None) -> bool:
    if number is None or len(fields) <= number:
        return False
    return re.fullmatch(rb"\d+-\d+", fields[number]) is not None


def _refuse_uneven(words: list[Row], coref: int, *, roles: bool) -> None:
    """Refuse a document in which a row lacks its coreference cell, or may lack it."""
    widths = [len(row.fields) for row in words]
    roles = roles and max(widths, default=0) >= 12
    expected = _expected_widths(words, roles=roles)
    usual = [row for row, width in zip(words, expected, strict=True) if len(row.fields) == width]
    marks = {row.fields[coref] for row in usual} & {b"-", b"_"}
    if roles and marks and any(row.fields[coref:][:1] == [b"*"] for row in words):
        raise Refused("a sentence without its coreference cells")
    last = [_kind(row.fields[coref]) for row in usual]
    before = {_kind(field) for row in usual for field in row.fields[coref - 1 : coref]}
    for row, width in zip(words, expected, strict=True):
        passed = b"".join(row.fields[width + coref : coref])
        if len(row.fields) > width and (b"(" in passed or b")" in passed):
            raise Refused("a cell too many")
        kind = _kind(row.fields[coref]) if len(row.fields) >= -coref else "text"
        belongs = kind in last and kind not in before and "text" not in before
        if len(row.fields) < width and not belongs:
            raise Refused("a missing cell")


def _expected_widths(words: list[Row], *, roles: bool) -> list[int]:
    """The usual number of columns of each row's document, or sentence if there are roles."""
    groups: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    group_of, restarts = [], 0
    for row in words:
        restarts += row.fields[2:3] == [b"0"]
        group_of.append((row.sentence, restarts) if roles else (0, 0))
        groups[group_of[-1]][len(row.fields)] += 1
    usual = {
        group: max(counts, key=lambda width, counts=counts: (counts[width], width))  # type: ignore[misc]
        for group, counts in groups.items()
    }
    return [max(12, usual[group]) if roles else usual[group] for group in group_of]


def _kind(cell: bytes) -> str:
    if cell in (b"", b"-", b"_"):
        return "mark"
    if cell == b"*":
        return "starred"
    try:
        pieces = _pieces(cell)
    except Refused:
        pieces = [("bare", cell)]
    if any(kind == "bare" for kind, _ in pieces):
        return "starred" if b"*" in cell else "text"
    ids = [id for _, id in pieces]
    if all(id.isdigit() for id in ids):
        return "numbers"
    starred = [id for id in ids if id == b"*" or STARRED.fullmatch(id)]
    return "starred" if starred else "labels"


def _pieces(cell: bytes) -> list[tuple[str, bytes]]:
    """One-token mentions, openings, bare ids and closings, in this order."""
    if cell in (b"", b"-", b"_", b"*"):
        return []
    pieces: list[tuple[str, bytes]] = []
    for part in SEPARATOR.split(cell):
        part = part.strip(BLANKS)
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
