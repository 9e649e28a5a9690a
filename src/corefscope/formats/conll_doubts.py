"""Whether the coreference column of a CoNLL document is beyond doubt (docs/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from corefscope.formats.conll_cell import BLANKS, parse_cell
from corefscope.formats.conll_layout import FEWEST_2012, Layout
from corefscope.formats.conll_lines import Lines, Positions
from corefscope.formats.conll_text import token_rows

NAME_TYPES = frozenset(
    b"PERSON PER NORP FAC FACILITY ORG ORGANIZATION GPE LOC LOCATION PRODUCT DATE TIME PERCENT "
    b"MONEY QUANTITY ORDINAL CARDINAL EVENT WORK_OF_ART LAW LANGUAGE MISC VEH WEA".split()
)
STARRED = re.compile(rb"[A-Z][A-Z0-9_.-]*\*")
"""A bracket of names or semantic roles that goes on at the next token, without its bracket."""
LABEL = re.compile(rb"[A-Z][A-Z0-9_.$-]*\*?|\*")
CAPITALS = re.compile(rb"[A-Z_]{2,}")
MARKS = (b"", b"-", b"_")


@dataclass(frozen=True, slots=True)
class OddRows:
    """The rows of a document that have another number of columns than the rest."""

    missing: list[int] = field(default_factory=list)
    """Lines whose coreference cell is missing or cannot be told from the others."""
    harmless: list[int] = field(default_factory=list)
    """Lines whose coreference cell is beyond doubt."""
    expected: dict[int, int] = field(default_factory=dict)
    """The number of columns that each of these lines should have."""

    def shifted(self, lines: int) -> OddRows:
        """Return the same rows, where so many lines come before the first one."""
        return OddRows(
            [line + lines for line in self.missing],
            [line + lines for line in self.harmless],
            {line + lines: width for line, width in self.expected.items()},
        )


NO_ODD_ROWS = OddRows()


def find_odd_rows(lines: Lines, layout: Layout, *, named: bool) -> OddRows:
    """Compare the rows of a document, which do not all have the same number of columns.

    The semantic roles of CoNLL-2012 are as many in all rows of a sentence, and so are its columns;
    elsewhere all rows of a document are alike. If the user has ``named`` the coreference column,
    it is beyond doubt.
    """
    at = lines.rows[token_rows(lines, layout)]
    widths = lines.fields.count[at]
    if len(set(widths.tolist())) < 2:
        return NO_ODD_ROWS
    roles = "framesets" in layout.layers and bool(widths.max() >= FEWEST_2012)
    expected = _expected_by_sentence(lines, at, widths) if roles else _all_alike(widths)
    odd = np.flatnonzero(widths != expected)
    columns = _Kinds(lines, at[widths == expected], layout.coref)
    found = OddRows()
    for line, width in zip(at[odd].tolist(), expected[odd].tolist(), strict=True):
        doubtful = not named and columns.is_doubtful(lines.row(line), width)
        (found.missing if doubtful else found.harmless).append(line)
        found.expected[line] = width
    if roles and not named:
        starred = columns.starred_among_marks()
        found.expected.update((line, int(lines.fields.count[line]) + 1) for line in starred)
        found.missing.extend(starred)
        found.missing.sort()
    return found


def _all_alike(widths: Positions) -> Positions:
    return np.full_like(widths, _most_frequent(widths))


def _most_frequent(widths: Positions) -> int:
    """Return the most frequent number of columns, the largest of several: cells get lost."""
    counts = np.bincount(widths)
    return int(np.flatnonzero(counts == counts.max())[-1])


def _expected_by_sentence(lines: Lines, at: Positions, widths: Positions) -> Positions:
    blank_before = np.cumsum(lines.fields.count == 0)[at]
    begins = np.concatenate(([True], np.diff(blank_before) > 0))
    begins |= [_is_first(lines.row(line)) for line in at.tolist()]
    expected = np.empty_like(widths)
    starts = np.flatnonzero(begins).tolist()
    for start, stop in zip(starts, [*starts[1:], len(at)], strict=True):
        expected[start:stop] = max(FEWEST_2012, _most_frequent(widths[start:stop]))
    return expected


def _is_first(row: list[bytes]) -> bool:
    """Whether a row of CoNLL-2012 begins a sentence: not all files have blank lines."""
    return len(row) > 2 and row[2] == b"0"


class _Kinds:
    """What the coreference column and the one before hold in the rows that are as expected."""

    def __init__(self, lines: Lines, at: Positions, coref: int) -> None:
        self.coref = coref
        self.cells: dict[int, bytes] = {}
        before: set[str] = set()
        for line in at.tolist():
            row = lines.row(line)
            self.cells[line] = row[coref].strip(BLANKS)
            before.update(_kind(cell) for cell in row[coref - 1 : coref])
        self.last = {_kind(cell) for cell in self.cells.values()}
        self.before = before

    def is_doubtful(self, row: list[bytes], expected: int) -> bool:
        """Whether the coreference cell of a row with another number of columns is in doubt."""
        if len(row) < -self.coref:
            return True
        if len(row) > expected:
            passed = row[expected + self.coref : self.coref]
            return any(b"(" in cell or b")" in cell for cell in passed)
        kind = _kind(row[self.coref])
        return kind not in self.last or kind in self.before or "text" in self.before

    def starred_among_marks(self) -> list[int]:
        """Return the lines whose cell looks like a name or a role, where others have marks."""
        if not any(cell in MARKS for cell in self.cells.values()):
            return []
        return [line for line, cell in self.cells.items() if _kind(cell) == "starred"]


def _kind(cell: bytes) -> str:
    """Tell roughly what a cell holds."""
    cell = cell.strip(BLANKS)
    if cell in MARKS:
        return "mark"
    parsed = parse_cell(cell)
    if parsed is None or parsed.bare:
        return "starred" if b"*" in cell else "text"
    ids = parsed.whole + parsed.opened + parsed.closed
    if all(id.isdigit() for id in ids):
        return "starred" if cell == b"*" else "numbers"
    return "starred" if any(STARRED.fullmatch(id) or id == b"*" for id in ids) else "labels"


def are_names(ids: Iterable[bytes]) -> bool:
    """Whether the ids of a column are types of named entities, semantic roles, or parts of trees.

    All are labels in capitals. Either some go on at the next token, which coreference has no mark
    for, or all are types of named entities.
    """
    starred, known, some = False, True, False
    for id in ids:
        if not LABEL.fullmatch(id):
            return False
        some |= id != b"*"
        starred |= len(id) > 1 and id.endswith(b"*")
        known &= id in NAME_TYPES or id == b"*"
    return some and (starred or known)


def could_be_names(ids: Iterable[bytes]) -> bool:
    """Whether the ids of a column may be types of named entities that we do not know."""
    some = False
    for id in ids:
        if not CAPITALS.fullmatch(id):
            return False
        some = True
    return some


def is_coreference(text: bytes) -> bool:
    """Whether a cell is certainly one of coreference: brackets around numbers."""
    return _kind(text) == "numbers"
