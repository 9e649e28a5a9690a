"""Check that the coreference column of a CoNLL document is the right one (docs/ref/formats.md).

Each document is checked on its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import numpy as np
from msgspec import Struct, field

from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.conll.brackets import NONE, BracketTally, as_text
from corefscope.formats.conll.cell import (
    BLANKS,
    NAME_TYPES,
    STARRED,
    parse_cell,
)
from corefscope.formats.conll.document import ConllDocument
from corefscope.formats.conll.layout import FEWEST_2012, ConllLayout
from corefscope.formats.conll.lines import ConllLines
from corefscope.formats.conll.text import token_rows
from corefscope.formats.reading.block_lines import Positions

FEWEST_BAD_CELLS = 3
"""How many unreadable cells it takes to conclude that the column is not coreference."""
LABEL = re.compile(rb"[A-Za-z\x80-\xff][A-Za-z0-9_.$\x80-\xff-]*\*?|\*")
WORD = re.compile(rb"[A-Za-z\x80-\xff][A-Za-z_\x80-\xff-]+")
EXPECTED = "cells such as (1), (1, 1) or -"
NEXT_STEP = "if the coreference cells are in another column, name that column"


def find_doubts(document: ConllDocument, read_again: Callable[[], ConllLines]) -> Iterator[Finding]:
    """Yield problems with the columns of a document and with its cells.

    A problem that is explained by another one is left out.

    Parameters
    ----------
    document : Document
        The document, after all of its rows have been read.
    read_again : callable
        Returns the lines of the document. It is called only if rows must be compared with each
        other, which few documents need.
    """
    if document.rows.multiword.total:
        yield _multiword(document)
    other = _other_column(document)
    if other:
        yield other
    if other and other.code.severity == "error":
        return
    seen = _look_again(document, read_again()) if _needs_second_look(document) else None
    missing = seen.missing if seen else []
    if seen:
        yield from _uneven_rows(document, seen)
    if document.brackets.problems:
        yield from document.brackets.unexplained([row.line for row in missing])


def _multiword(document: ConllDocument) -> Finding:
    count, line = document.rows.multiword
    found = "a multiword line" if count == 1 else f"{count:,} multiword lines, the first here,"
    message = (
        f"{found} with a range such as 1-2 instead of a number; the words on the following lines "
        "are read as tokens, multiword lines are not"
    )
    return Finding(Code.IRREGULAR, message, line=line)


# The column as a whole


def _other_column(document: ConllDocument) -> Finding | None:
    """Return a problem if the coreference column of a document seems to be a different one."""
    brackets = document.brackets
    certain = not brackets.bad_cells and next(iter(brackets.entities), b"").isdigit()
    if certain or document.named:
        return None
    return _not_coreference(document) or _doubtful_column(document)


def _not_coreference(document: ConllDocument) -> Finding | None:
    brackets, line = document.brackets, document.rows.first_line
    if brackets.bad_cells >= FEWEST_BAD_CELLS and brackets.bad_cells * 2 > document.rows.tokens:
        line, found = brackets.first_bad or (line, b"")
        what = (
            f"has {brackets.bad_cells:,} cells that are not coreference cells, such as "
            f"{as_text(found)[:40]!r}"
        )
    elif are_names(brackets.ids()):
        what = (
            f"has named entities or semantic roles, such as {example_id(brackets.ids())!r}, and "
            "the coreference column seems to be missing"
        )
    else:
        return None
    expected = f"{EXPECTED}; {NEXT_STEP}"
    if document.layout.trailing:
        expected += "; if the last field is the coreference cell, write - where it is empty"
    what = f"{column_of(document)} {what}"
    return Finding(Code.NO_COREFERENCE, what, expected=expected, line=line)


def _doubtful_column(document: ConllDocument) -> Finding | None:
    brackets, rows, line = document.brackets, document.rows, document.rows.first_line
    if rows.before.total and not rows.before_is_other and not brackets.entities:
        what, line = (
            "has no mention, but the column before it has coreference cells",
            rows.before.line,
        )
    else:
        return None
    message = f"{column_of(document)} {what}; it is read as coreference; {NEXT_STEP}"
    return Finding(Code.DOUBTFUL_COLUMN, message, line=line, remedy=Remedy.NAME_COLUMNS)


def column_of(document: ConllDocument) -> str:
    """Return what messages call the coreference column of a document."""
    last = (
        "column before the tab that ends every row" if document.layout.trailing else "last column"
    )
    return f"the {last} of document {document.name!r}"


def example_id(ids: Iterable[bytes]) -> str:
    """Return the first id that is not a star, as it is written in a cell."""
    id = next(id for id in ids if id != b"*")
    return f"({as_text(id)[:40]})"


def are_names(ids: Iterable[bytes]) -> bool:
    """Return whether the ids of a column are named entities, semantic roles, or parts of trees.

    All of them must be labels that begin with a letter. In addition, some must continue at the next
    token (``PER*``), which coreference has no mark for, or all must be common types of named
    entities.
    """
    starred, known, some = False, True, False
    for id in ids:
        if not LABEL.fullmatch(id):
            return False
        some |= id != b"*"
        starred |= STARRED.fullmatch(id) is not None
        known &= id.upper() in NAME_TYPES or id == b"*"
    return some and (starred or known)


# Single rows


class OddRow(Struct, frozen=True, kw_only=True):
    """A row that differs from the others of its document."""

    line: int
    width: int
    expected: int
    cell: bytes | None
    """Its coreference cell; None if the row is too short for that column."""

    @property
    def shown(self) -> str:
        """The cell as messages quote it."""
        return as_text(self.cell or b"")[:40]


class SecondLook(Struct, frozen=True):
    """The rows of a document that differ from the others."""

    missing: list[OddRow] = field(default_factory=list)
    """Rows whose coreference cell is missing or cannot be identified."""
    harmless: list[OddRow] = field(default_factory=list)
    """Rows with a different number of columns whose coreference cell is certain."""
    empty: BracketTally = NONE
    """Empty coreference cells of the other rows."""


def has_roles(layout: ConllLayout, widest: int) -> bool:
    """Return whether the columns are those of CoNLL-2012, with one column per predicate."""
    return "framesets" in layout.layers and widest >= FEWEST_2012


def marks(document: ConllDocument) -> int:
    """Return the number of tokens that are marked as no mention."""
    rows = document.rows
    return rows.tokens - document.brackets.marked - rows.empty.total - rows.absent


def _needs_second_look(document: ConllDocument) -> bool:
    rows = document.rows
    if rows.tokens == 0 or rows.absent or document.brackets.starred:
        return rows.tokens > 0
    if not has_roles(document.layout, rows.widest):
        return rows.narrowest != rows.widest
    mixed_marks = 0 < rows.stars < marks(document)
    return rows.narrowest < FEWEST_2012 or rows.uneven_sentence or mixed_marks


def _look_again(document: ConllDocument, lines: ConllLines) -> SecondLook:
    """Compare the rows of a document with each other.

    In CoNLL-2012, all rows of a sentence have the same number of columns, because they have the
    same number of semantic roles; in other layouts, all rows of a document have.
    """
    layout = document.layout
    at = lines.rows[token_rows(lines, layout)]
    widths = lines.fields.count[at]
    roles = has_roles(layout, int(widths.max()))
    if roles:
        expected = _expected_by_sentence(lines, at, widths)
    else:
        expected = np.full_like(widths, _most_frequent(widths))
    usual = _UsualRows(lines, at[widths == expected], layout)
    is_starred = usual.is_starred(roles=roles, brackets=document.brackets.starred > 0)
    missing: list[OddRow] = []
    harmless: list[OddRow] = []
    shift = document.line + 1
    # A column that the user counted from the end is certain however many cells are before it.
    is_settled = document.named and layout.coref < 0
    for line, width, should in zip(at.tolist(), widths.tolist(), expected.tolist(), strict=True):
        if line in usual.cells and not is_starred(usual.cells[line]):
            continue
        row = lines.row(line)
        cell = _cell(row, layout.coref)
        odd = OddRow(line=line + shift, width=width, expected=should, cell=cell)
        doubtful = is_starred(cell) or usual.leave_doubt(row, should, is_settled=is_settled)
        (missing if doubtful else harmless).append(odd)
    empty = [line for line, cell in usual.cells.items() if not cell]
    return SecondLook(
        missing, harmless, BracketTally(len(empty), empty[0] + shift) if empty else NONE
    )


def _most_frequent(widths: Positions) -> int:
    """Return the most frequent number of columns; the largest of several, as cells get lost."""
    counts = np.bincount(widths)
    return int(np.flatnonzero(counts == counts.max())[-1])


def _expected_by_sentence(lines: ConllLines, at: Positions, widths: Positions) -> Positions:
    blank_before = np.cumsum(lines.fields.count == 0)[at]
    begins = np.concatenate(([True], np.diff(blank_before) > 0))
    begins |= [_is_first(lines.row(line)) for line in at.tolist()]
    expected = np.empty_like(widths)
    starts = np.flatnonzero(begins).tolist()
    for start, stop in zip(starts, [*starts[1:], len(at)], strict=True):
        expected[start:stop] = max(FEWEST_2012, _most_frequent(widths[start:stop]))
    return expected


def _is_first(row: list[bytes]) -> bool:
    """Return whether a row of CoNLL-2012 begins a sentence; not all files have blank lines."""
    return len(row) > 2 and row[2] == b"0"


def _cell(row: list[bytes], column: int) -> bytes | None:
    """Return the cell of a row in a column, or None if the row is too short."""
    place = column if column >= 0 else len(row) + column
    return row[place].strip(BLANKS) if 0 <= place < len(row) else None


class _UsualRows:
    """The rows of a document that have the expected number of columns."""

    def __init__(self, lines: ConllLines, at: Positions, layout: ConllLayout) -> None:
        self.coref = layout.coref
        neighbour = self.coref + 1 if self.coref >= 0 else self.coref - 1
        self.cells: dict[int, bytes] = {}
        """The coreference cells by line."""
        beside: set[bytes | None] = set()
        for line in at.tolist():
            row = lines.row(line)
            cell = _cell(row, self.coref)
            if cell is not None:
                self.cells[line] = cell
                beside.add(_cell(row, neighbour))
        self.kinds = {_kind(cell) for cell in set(self.cells.values())}
        self.kinds_beside = {_kind(cell) for cell in beside if cell is not None}
        """The kinds of cells that move into the coreference column if a row loses a cell."""

    def leave_doubt(self, row: list[bytes], expected: int, *, is_settled: bool) -> bool:
        """Return whether the coreference cell of a row of unexpected width is uncertain.

        If the user settled its place, only a cell that looks like another column is in doubt.
        """
        cell = _cell(row, self.coref)
        if cell is None:
            return True
        if is_settled:
            return _kind(cell) not in {"mark", "numbers", *self.kinds}
        if len(row) > expected:
            return any(b"(" in cell or b")" in cell for cell in self._rivals(row, expected))
        kind = _kind(cell)
        return kind not in self.kinds or kind in self.kinds_beside or "text" in self.kinds_beside

    def _rivals(self, row: list[bytes], expected: int) -> list[bytes]:
        """Return the other cells of a longer row that may be the coreference cell.

        The column is counted from one end of the row. The candidates are the cells from there to
        the cell that is in the expected place when counted from the other end.
        """
        if self.coref >= 0:
            return row[self.coref + 1 : len(row) - expected + self.coref + 1]
        return row[max(expected + self.coref, 0) : self.coref]

    def is_starred(self, *, roles: bool, brackets: bool) -> Callable[[bytes | None], bool]:
        """Return a test of whether a cell comes from a column of names or semantic roles.

        ``brackets`` means that there are cells such as ``(PER*)``. A single ``*`` can be a mark for
        no mention. But if other cells are ``-`` and there are ``roles``, it comes from a column of
        semantic roles.
        """
        star = roles and not {b"-", b"_"}.isdisjoint(self.cells.values())
        return lambda cell: (
            cell is not None and (star if cell == b"*" else brackets and _kind(cell) == "starred")
        )


@lru_cache(maxsize=1024)
def _kind(cell: bytes) -> str:
    """Return roughly what kind of cell this is."""
    if cell in (b"", b"-", b"_"):
        return "mark"
    parsed = parse_cell(cell)
    if parsed is None or parsed.bare:
        return "starred" if b"*" in cell else "text"
    ids = parsed.whole + parsed.opened + parsed.closed
    if all(id.isdigit() for id in ids):
        return "starred" if cell == b"*" else "numbers"
    return "starred" if any(STARRED.fullmatch(id) or id == b"*" for id in ids) else "labels"


def _uneven_rows(document: ConllDocument, seen: SecondLook) -> Iterator[Finding]:
    """Yield one problem for all rows that have it, with the line of the first."""
    by_problem: dict[Callable[[OddRow, ConllLayout], tuple[str, str]], list[OddRow]] = {}
    for row in seen.missing:
        problem = _from_roles if row.width == row.expected else _unclear
        by_problem.setdefault(_too_short if row.cell is None else problem, []).append(row)
    if seen.harmless:
        by_problem[_harmless] = seen.harmless
    for describe, rows in by_problem.items():
        found, expected = describe(rows[0], document.layout)
        code = Code.DOUBTFUL_COLUMN if describe is _harmless else Code.NO_COREFERENCE
        more = _more(document, len(rows))
        yield Finding(code, found, expected=f"{expected}{more}", line=rows[0].line)


def _too_short(row: OddRow, layout: ConllLayout) -> tuple[str, str]:
    """Return what was found and expected of a row, as the functions below do."""
    column = layout.coref + (layout.coref >= 0)
    found = (
        f"the row is too short: it has {_columns(row)}, while the coreference column is column "
        f"{column}"
    )
    return found, "a coreference cell in every row"


def _from_roles(row: OddRow, layout: ConllLayout) -> tuple[str, str]:
    found = (
        f"the coreference cell is {row.shown!r}, which comes from a column of named entities or "
        "semantic roles: the row seems to have lost its coreference cell"
    )
    return found, f"{EXPECTED} after that column"


def _unclear(row: OddRow, layout: ConllLayout) -> tuple[str, str]:
    found = (
        f"the row has {_columns(row)}, but the rows around it have {row.expected}: a cell was lost "
        "or added, so it is not clear which cell is the coreference cell"
    )
    expected = (
        f"{row.expected} columns; if the last cell of every row is right, say so with the columns "
        "'coref=-1'"
    )
    return found, expected


def _harmless(row: OddRow, layout: ConllLayout) -> tuple[str, str]:
    found = (
        f"the row has {_columns(row)}, but the rows around it have {row.expected}; {row.shown!r} "
        "is read as its coreference cell"
    )
    return found, f"{row.expected} columns"


def _columns(row: OddRow) -> str:
    return f"{row.width} column{'s' if row.width > 1 else ''}"


def _more(document: ConllDocument, count: int) -> str:
    if count == 1:
        return ""
    return f" ({count:,} such rows in document {document.name!r}, this is the first)"
