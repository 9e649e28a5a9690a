"""The CoNLL document that is being read, and statistics of its rows."""

from __future__ import annotations

import re
from hashlib import blake2b

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.formats.conll.brackets import NONE, BracketTally, ConllBrackets
from corefscope.formats.conll.cell import BLANKS, parse_cell
from corefscope.formats.conll.layout import ConllLayout
from corefscope.formats.conll.lines import (
    CellTexts,
    ConllLines,
    after_first,
    count_within,
    some_within,
)

HAS_DIGIT = re.compile(rb"\d")


class RowCounts(Struct, kw_only=True):
    """Statistics of the rows of a document, collected while they are read."""

    stop: int
    """The offset in the file at which the last row ends."""
    tokens: int = 0
    first_line: int = 0
    """The line of the first token."""
    width: int = 0
    """The number of columns of the last row."""
    narrowest: int = 0
    widest: int = 0
    uneven_sentence: bool = False
    """Whether the number of columns changes inside a sentence."""
    after_blank: bool = False
    stars: int = 0
    """The number of coreference cells that are a single ``*``."""
    empty: BracketTally = NONE
    """Empty coreference cells."""
    absent: int = 0
    """The number of rows that are too short for the coreference column."""
    before: BracketTally = NONE
    """Coreference cells in the previous column, if the coreference column has no mention."""
    before_is_other: bool = False
    """Whether the previous column has something else than coreference cells."""
    multiword: BracketTally = NONE

    @property
    def end_in_tabs(self) -> bool:
        """Whether the coreference column is empty and the previous one has coreference cells."""
        nothing = 0 < self.tokens == self.empty.total
        return nothing and self.before.total > 0 and not self.before_is_other

    def note_widths(self, lines: ConllLines, rows: range) -> None:
        """Record the numbers of columns, and whether they change inside a sentence."""
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

    def note_tokens(self, lines: ConllLines, rows: range, cells: CellTexts, number: int) -> None:
        """Count tokens; ``number`` is the number of the first line of the block."""
        if self.tokens == 0:
            self.first_line = int(lines.rows[rows.start]) + number
        self.tokens += len(rows)
        self.stars += count_within(cells.stars, rows)
        self.absent += count_within(cells.absent, rows)
        empty = some_within(cells.blank, rows)
        if empty:
            self.empty = self.empty.plus(len(empty), int(lines.rows[empty[0]]) + number)

    def look_before(self, lines: ConllLines, rows: range, column: int, number: int) -> None:
        """Count coreference cells in the column before the one that is read."""
        if self.before_is_other:
            return
        for _, line, _, text in lines.cells(column).within(rows):
            if not is_coreference(text):
                self.before_is_other = True
                return
            self.before = self.before.plus(1, line + number)


def is_coreference(text: bytes) -> bool:
    """Return whether a cell is certainly coreference: every id contains a digit."""
    cell = parse_cell(text.strip(BLANKS))
    if cell is None or cell.bare:
        return False
    ids = cell.whole + cell.opened + cell.closed
    return not cell.names and all(HAS_DIGIT.search(id) for id in ids)


class ConllDocument(Struct, frozen=True, kw_only=True):
    """The document that is being read."""

    name: str
    is_named: bool
    """Whether the file names it."""
    line: int
    """The line of its ``#begin document``."""
    offset: int
    """The offset in the file at which its rows begin."""
    layout: ConllLayout
    named: bool
    """Whether the user specified the coreference column."""
    word_column: int | None
    brackets: ConllBrackets
    rows: RowCounts
    digest: blake2b = field(default_factory=lambda: blake2b(digest_size=8))

    def before_tab(self) -> ConllDocument:
        """Return the document without its tokens, to be read again from the column before."""
        return replace(
            self,
            layout=self.layout.with_trailing_tab(),
            brackets=ConllBrackets(self.brackets.known),
            rows=replace(self.rows, tokens=0, empty=NONE, before=NONE),
            digest=blake2b(digest_size=8),
        )
