"""The CoNLL document being read: what is known of its rows, and what is doubtful about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from corefscope.findings import Code
from corefscope.formats.conll_brackets import Brackets, Problem, as_text
from corefscope.formats.conll_doubts import OddRows, are_names, could_be_names
from corefscope.formats.conll_layout import Layout
from corefscope.formats.conll_lines import LAST, Lines, after_first, count_within

FEWEST_BAD_CELLS = 3
"""Cells that cannot be read before a column as a whole is taken for another one."""


@dataclass(slots=True, kw_only=True)
class OpenDocument:
    """The document being read."""

    name: str
    brackets: Brackets
    layout: Layout
    line: int
    offset: int
    """Where its lines begin in the file."""
    stop: int
    """Where the last token line read so far ends."""
    named: bool
    """Whether the user names the coreference column."""
    trailing: bool
    """Whether a tab ends all rows so far, which makes coreference the column before."""
    word_column: int | None
    digest: blake2b = field(default_factory=lambda: blake2b(digest_size=8))
    tokens: int = 0
    first_line: int = 0
    """The line of its first token."""
    width: int = 0
    """Number of columns of its last token line."""
    narrowest: int = 0
    widest: int = 0
    uneven_sentence: bool = False
    """Whether the number of columns changes inside a sentence."""
    after_blank: bool = False
    stars: int = 0
    """Cells that are a single ``*``."""
    absent: tuple[int, ...] = ()
    """Lines that are too short to have the column that the user names."""
    before: int | None = None
    """The first line with a coreference cell in the column before, where the last has none."""
    before_is_other: bool = False
    """Whether the column before holds other things than coreference cells."""
    multiword: tuple[int, int] | None = None
    """First line and number of the multiword lines."""


def coref_column(document: OpenDocument, lines: Lines, rows: range) -> int:
    """Return the coreference column of some rows, given those before them.

    As long as a tab ends all rows, it is the column before the last. If a row does not end in a
    tab, then the rows before it had empty cells, that is, no mention: all that was read of them
    in the other column is forgotten.
    """
    if document.trailing and count_within(lines.cells().blank, rows) < len(rows):
        document.trailing = False
        if document.tokens or document.multiword:
            document.stars = 0
            document.brackets.forget()
    return LAST - 1 if document.trailing else document.layout.coref


def note_widths(document: OpenDocument, lines: Lines, rows: range) -> None:
    """Note the numbers of columns of some rows, and whether they change inside a sentence."""
    first, last = int(lines.widths[rows.start]), int(lines.widths[rows.stop - 1])
    if document.width and document.width != first and not document.after_blank:
        document.uneven_sentence = True
    widths = [first, *lines.new_widths[after_first(lines.width_changes, rows)]]
    if len(widths) > 1 and lines.sudden_changes[after_first(lines.sudden_changes, rows)]:
        document.uneven_sentence = True
    narrowest, widest = min(widths), max(widths)
    document.narrowest = min(document.narrowest or narrowest, narrowest)
    document.widest = max(document.widest, widest)
    document.width = last


def uneven_rows(document: OpenDocument, odd: OddRows) -> Iterator[Problem]:
    """Yield a finding for the rows whose cell is in doubt, and one for those where it is not."""
    for code, lines in ((Code.MISSING_CELL, odd.missing), (Code.UNEVEN_ROWS, odd.harmless)):
        if lines:
            yield Problem(code, _uneven_message(document, code, lines, odd.expected), lines[0])


def _uneven_message(
    document: OpenDocument, code: Code, lines: list[int], expected: dict[int, int]
) -> str:
    count = f" ({len(lines):,} such rows in document {document.name!r}, the first here)"
    more = count if len(lines) > 1 else ""
    if lines[0] not in expected:
        return f"the row is too short; expected the coreference column that is named{more}"
    rest = f"another number of columns than the rows around it, which have {expected[lines[0]]}"
    if code is Code.UNEVEN_ROWS:
        return f"the row has {rest}; its last cell is read as coreference{more}"
    return (
        f"the row has {rest}: a cell is missing or too many, so that its coreference cell is in "
        f"doubt; expected the same number of columns in every row{more}"
    )


def other_column(document: OpenDocument) -> Problem | None:
    """Return a finding if the coreference column seems to be another one."""
    brackets, name, line = document.brackets, document.name, document.first_line
    if not brackets.bad_cells and next(iter(brackets.entities), b"").isdigit():
        return None
    next_step = "expected the coreference cells there; if another column has them, name it"
    if brackets.bad_cells >= FEWEST_BAD_CELLS and brackets.bad_cells * 2 > document.tokens:
        line, found = brackets.first_bad or (line, b"")
        what = f"holds {brackets.bad_cells:,} cells that are not coreference, such as"
        message = f"the last column of document {name!r} {what} {as_text(found)[:40]!r}"
        return Problem(Code.NO_COREFERENCE, f"{message}; {next_step}", line)
    if are_names(brackets.ids()):
        what = f"looks like named entities or semantic roles ({as_text(next(brackets.ids()))})"
        message = f"the last column of document {name!r} {what}; the coreference column seems to be"
        return Problem(Code.NO_COREFERENCE, f"{message} missing; {next_step}", line)
    if document.tokens and document.stars == document.tokens:
        what = "holds nothing but *, like a column of names without any name"
    elif (
        document.stars
        and document.stars + brackets.marked == document.tokens
        and could_be_names(brackets.ids())
    ):
        example = as_text(next(brackets.ids()))
        what = f"may be one of named entities: it holds * and types such as {example}"
    elif document.before and not document.before_is_other and not brackets.entities:
        what, line = (
            "has no mention, but the column before it has coreference cells",
            document.before,
        )
    else:
        return None
    message = f"the last column of document {name!r} {what}; it is read as coreference"
    return Problem(
        Code.DOUBTFUL_COLUMN, f"{message}; if another column has the cells, name it", line
    )
