"""The CoNLL document being read, and what its rows are like."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from corefscope.formats.conll.brackets import NONE, Brackets, Tally
from corefscope.formats.conll.cell import BLANKS, parse_cell
from corefscope.formats.conll.layout import Layout
from corefscope.formats.conll.lines import (
    Cells,
    Lines,
    after_first,
    count_within,
    some_within,
)

HAS_DIGIT = re.compile(rb"\d")


@dataclass(slots=True, kw_only=True)
class RowCounts:
    """What the rows of a document are like, counted while they are read."""

    stop: int
    """Where the last row ends in the file."""
    tokens: int = 0
    first_line: int = 0
    """The line of the first token."""
    width: int = 0
    """Number of columns of the last row."""
    narrowest: int = 0
    widest: int = 0
    uneven_sentence: bool = False
    """Whether the number of columns changes inside a sentence."""
    after_blank: bool = False
    stars: int = 0
    """Coreference cells that are a single ``*``."""
    empty: Tally = NONE
    """Coreference cells that are empty."""
    absent: int = 0
    """Rows that are too short to have the coreference column."""
    before: Tally = NONE
    """Coreference cells in the column before, where the coreference column has no mention."""
    before_is_other: bool = False
    """Whether the column before holds other things than coreference cells."""
    multiword: Tally = NONE

    @property
    def end_in_tabs(self) -> bool:
        """Whether nothing is in the coreference column, and coreference in the one before it."""
        nothing = 0 < self.tokens == self.empty.total
        return nothing and self.before.total > 0 and not self.before_is_other

    def note_widths(self, lines: Lines, rows: range) -> None:
        """Note the numbers of columns of some rows, and whether they change inside a sentence."""
        first, last = int(lines.widths[rows.start]), int(lines.widths[rows.stop - 1])
        if self.width and self.width != first and not self.after_blank:
            self.uneven_sentence = True
        widths = [first, *lines.new_widths[after_first(lines.width_changes, rows)]]
        if len(widths) > 1 and lines.sudden_changes[after_first(lines.sudden_changes, rows)]:
            self.uneven_sentence = True
        narrowest, widest = min(widths), max(widths)
        self.narrowest = min(self.narrowest or narrowest, narrowest)
        self.widest = max(self.widest, widest)
        self.width = last

    def note_tokens(self, lines: Lines, rows: range, cells: Cells, number: int) -> None:
        """Count some tokens; ``number`` is that of the first line of the block."""
        if self.tokens == 0:
            self.first_line = int(lines.rows[rows.start]) + number
        self.tokens += len(rows)
        self.stars += count_within(cells.stars, rows)
        self.absent += count_within(cells.absent, rows)
        empty = some_within(cells.blank, rows)
        if empty:
            self.empty = self.empty.plus(len(empty), int(lines.rows[empty[0]]) + number)

    def look_before(self, lines: Lines, rows: range, column: int, number: int) -> None:
        """Look for coreference cells in the column before the one that is read."""
        if self.before_is_other:
            return
        for _, line, start, stop in lines.cells(column).within(rows):
            if not is_coreference(lines.block[start:stop]):
                self.before_is_other = True
                return
            self.before = self.before.plus(1, line + number)


def is_coreference(text: bytes) -> bool:
    """Whether a cell is certainly coreference: every bracket has an id with a digit in it."""
    cell = parse_cell(text.strip(BLANKS))
    if cell is None or cell.bare:
        return False
    ids = cell.whole + cell.opened + cell.closed
    return not cell.names and all(HAS_DIGIT.search(id) for id in ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The document being read."""

    name: str
    line: int
    """The line of its ``#begin document``."""
    offset: int
    """Where its rows begin in the file."""
    layout: Layout
    named: bool
    """Whether the user names the coreference column."""
    word_column: int | None
    brackets: Brackets
    rows: RowCounts
    digest: blake2b = field(default_factory=lambda: blake2b(digest_size=8))

    def before_tab(self) -> Document:
        """Return the document without its tokens, to be read from the column before the last."""
        return replace(
            self,
            layout=self.layout.with_trailing_tab(),
            brackets=Brackets(self.brackets.builder, self.brackets.known),
            rows=replace(self.rows, tokens=0, empty=NONE, before=NONE),
            digest=blake2b(digest_size=8),
        )
