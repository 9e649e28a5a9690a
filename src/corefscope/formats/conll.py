"""CoNLL-2011/2012 and SemEval columns: reading (docs/formats.md)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.conll_brackets import Brackets, Problem, as_text
from corefscope.formats.conll_cell import BARE_ID, BLANKS, Cell
from corefscope.formats.conll_columns import Columns
from corefscope.formats.conll_doubts import (
    NO_ODD_ROWS,
    OddRows,
    are_names,
    could_be_names,
    find_odd_rows,
    is_coreference,
)
from corefscope.formats.conll_layout import (
    FEWEST_2012,
    SAMPLE,
    UNKNOWN,
    Layout,
    find_layout,
    with_columns,
)
from corefscope.formats.conll_lines import LAST, Lines, count_after_first, count_within
from corefscope.formats.conll_text import document_text, neighbour
from corefscope.formats.detection import LOOK, Head, has_columns
from corefscope.formats.source import Progress, Source

BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)
END = re.compile(rb"#\s*end document")
GLUED = re.compile(rb"#\s*end document.*?#\s*begin document\s*(.*)", re.DOTALL)
MOST_HELD = 1 << 20
"""Bytes at the end of a block that wait for the next one. After more of them, lines with ``#`` are
comments, and the columns of a document are found from fewer rows."""
FEWEST_BAD_CELLS = 3
"""Cells that cannot be read before a column as a whole is taken for another one."""


def read_conll(
    source: Source,
    builder: Builder,
    progress: Progress | None = None,
    columns: Columns | None = None,
) -> None:
    """Read all documents of a file into the builder.

    Parameters
    ----------
    source : Source
        The file.
    builder : Builder
        Collects documents and findings.
    progress : callable, optional
        Called with the number of bytes that have just been read.
    columns : Columns, optional
        The columns that the user names; all others are found by content.
    """
    reader = _Reader(source, builder, columns)
    for offset, block in source.blocks(progress):
        reader.feed(offset, block)
    reader.close()


@dataclass(slots=True, kw_only=True)
class _Open:
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
    marked: int = 0
    """Cells that are not a mark for no mention."""
    absent: list[int] = field(default_factory=list)
    """Lines that are too short to have the column that the user names."""
    before: int | None = None
    """The first line with a coreference cell in the column before, where the last has none."""
    before_is_other: bool = False
    """Whether the column before holds other things than coreference cells."""
    multiword: tuple[int, int] | None = None
    """First line and number of the multiword lines."""


class _Reader:
    """Goes through the blocks of one file."""

    def __init__(self, source: Source, builder: Builder, columns: Columns | None) -> None:
        self.source = source
        self.file = source.name
        self.builder = builder
        self.named = columns
        self.document: _Open | None = None
        self.documents = 0
        self.lines_before = 0
        self.offset = 0
        self.outside: tuple[int, int] | None = None
        """First line and number of the lines read outside any document."""
        self.not_utf8 = False
        self.cells: dict[bytes, Cell] = {}
        self.held = b""
        """Lines at the end of a block that only the next block explains."""

    def feed(self, offset: int, block: bytes) -> None:
        """Read a block of whole lines."""
        offset, block = offset - len(self.held), self.held + block
        self._check_bytes(block)
        self._read_block(offset, block)

    def _read_block(self, offset: int, block: bytes, last: bool = False) -> None:
        self.offset, self.held = offset, b""
        lines = Lines(block if block.endswith(b"\n") else block + b"\n")
        markers = [(line, *_marker(lines.line(line))) for line in lines.hashes]
        ends = [line for line, kind, _ in markers if kind != "comment"] + [len(lines)]
        position = begin = 0
        for line, kind, rest in markers:
            end = ends[bisect_right(ends, line)] if kind != "end" else line
            if kind == "comment" and self.document:
                columns = neighbour(lines, line, begin, end, self.document.width)
                if columns is None and self._hold(lines, position, line, end, last=last):
                    return
                if lines.fields.count[line] == columns:
                    continue
            elif (
                "begin" in kind
                and not _has_sample(lines, line, end)
                and self._hold(lines, position, line, end, last=last)
            ):
                return
            self._read_lines(lines, position, line)
            position = line + 1
            begin = begin if kind == "comment" else position
            self._read_marker(kind, rest, lines, line, end)
        self._read_lines(lines, position, len(lines))
        self.lines_before += len(lines)

    def _hold(self, lines: Lines, position: int, line: int, end: int, *, last: bool) -> bool:
        """Keep a line and all after it for the next block, if that may tell more about it."""
        start = int(lines.start[line])
        if last or end < len(lines) or len(lines.block) - start >= MOST_HELD:
            return False
        self._read_lines(lines, position, line)
        self.held = lines.block[start:]
        self.offset += start
        self.lines_before += line
        return True

    def _read_marker(self, kind: str, rest: bytes, lines: Lines, line: int, end: int) -> None:
        if kind == "end and begin":
            message = (
                "'#begin document' follows '#end document' on the same line; read as the end of "
                "one document and the beginning of the next, expected two lines"
            )
            self._report(Code.GLUED_MARKERS, message, line)
        if "end" in kind:
            self._end(line)
        if "begin" in kind:
            self._begin(rest, lines, line, end)
        if kind == "comment" and self.document:
            found = as_text(rest)[:40]
            self._report(Code.COMMENT, f"comment {found!r} inside a document is skipped", line)

    def close(self) -> None:
        """End the file."""
        if self.held:
            self._read_block(self.offset, self.held, last=True)
        if self.document:
            self._end_without_marker(self.lines_before)
        if self.documents == 0 and self.outside:
            columns = has_columns(Head(self.source.head(LOOK)))
            found = "CoNLL columns without any" if columns else "text without columns or a"
            message = (
                f"{found} '#begin document' line; expected '#begin document NAME' before the first "
                "token of each document, and '#end document' after the last"
            )
            self.builder.report(Code.NO_BEGIN, message, self.file, self.outside[0])
        elif self.documents == 0:
            message = "the file holds no document; expected a line '#begin document NAME'"
            self.builder.report(Code.NO_DOCUMENT, message, self.file, 1)
        elif self.outside:
            first, count = self.outside
            message = f"{count} lines outside any document are ignored, the first of them here"
            self.builder.report(Code.OUTSIDE, message, self.file, first)

    def _report(self, code: Code, message: str, line: int) -> None:
        self.builder.report(code, message, self.file, self.lines_before + line + 1)

    def _check_bytes(self, block: bytes) -> None:
        nul = block.find(0)
        if nul >= 0:
            line = block.count(b"\n", 0, nul)
            message = "a NUL byte: this is a binary file (or UTF-16); expected UTF-8 text"
            self._report(Code.BINARY, message, line)
            self.builder.give_up()
        if not self.not_utf8 and not block.isascii():
            try:
                block.decode()
            except UnicodeDecodeError as error:
                self.not_utf8 = True
                byte = f"byte 0x{block[error.start]:02x} is not UTF-8"
                line = block.count(b"\n", 0, error.start)
                self._report(Code.NOT_UTF8, f"{byte}; bytes are kept as they are", line)

    def _begin(self, rest: bytes, lines: Lines, line: int, end: int) -> None:
        if self.document:
            self._end_without_marker(line)
        name = as_text(rest.rstrip(BLANKS)) or Path(self.file).name
        if "\r" in name:
            message = "lines end in carriage returns alone; expected newlines"
            self._report(Code.BARE_RETURNS, message, line)
            self.builder.give_up()
        self.documents += 1
        self.builder.begin(name, self.file, self.lines_before + line + 1)
        after = self.offset + int(lines.stop[line]) + 1
        layout, word_column = self._layout(rest, lines, line, end)
        named = self.named is not None and self.named.coref is not None
        self.document = _Open(
            name=name,
            brackets=Brackets(self.builder, self.cells),
            layout=layout,
            line=self.lines_before + line + 1,
            offset=after,
            stop=after,
            named=named,
            trailing=not named,
            word_column=word_column,
        )

    def _layout(self, name: bytes, lines: Lines, line: int, end: int) -> tuple[Layout, int | None]:
        """Return the layout of the document that begins at a line, and the column of its words."""
        place = int(lines.plain.searchsorted(line))
        if place == len(lines.plain) or lines.plain[place] > end:
            return with_columns(UNKNOWN, self.named), None
        first = lines.row(int(lines.plain[place]))
        layout = find_layout(name, first, lambda: lines.sample(place, end, SAMPLE))
        layout = with_columns(layout, self.named)
        return layout, layout.column("words", len(first))

    def _end_without_marker(self, line: int) -> None:
        assert self.document
        message = f"document {self.document.name!r} has no '#end document' line"
        self.builder.report(Code.NO_END, message, self.file, self.document.line)
        self._end(line)

    def _end(self, line: int) -> None:
        document = self.document
        if document is None:
            self._report(Code.OUTSIDE, "'#end document' outside any document is ignored", line)
            return
        document.trailing = document.trailing and document.tokens > 0
        if document.trailing:
            document.layout = document.layout.with_trailing_tab()
        document.brackets.close(document.name)
        for problem in self._problems(document):
            self.builder.report(problem.code, problem.message, self.file, problem.line)
        digest = document.digest.digest() if document.word_column is not None else None
        reader = partial(document_text, layout=document.layout)
        self.builder.end(
            document.tokens, digest, (self.source, document.offset, document.stop, reader)
        )
        self.document = None

    def _problems(self, document: _Open) -> Iterator[Problem]:
        """Yield what is wrong with a document, without what only follows from something else."""
        if document.multiword:
            line, count = document.multiword
            message = f"{count:,} multiword lines (such as 1-2) are not tokens, the first here"
            yield Problem(Code.MULTIWORD, message, line)
        other_column = None if document.named else _other_column(document)
        if other_column:
            yield other_column
        if other_column and other_column.code is Code.NO_COREFERENCE:
            return
        odd = self._odd_rows(document)
        if odd is not NO_ODD_ROWS:
            yield from _uneven(document, odd)
        if document.brackets.problems:
            yield from document.brackets.unexplained(odd.missing)

    def _odd_rows(self, document: _Open) -> OddRows:
        """Return the rows with another number of columns, if they are not as they should be.

        Most documents need no second look. The others are read again from their place.
        """
        if document.narrowest == document.widest or document.layout.coref >= 0:
            return OddRows(document.absent) if document.absent else NO_ODD_ROWS
        roles = "framesets" in document.layout.layers and document.narrowest >= FEWEST_2012
        starred = document.stars or any(id[-1:] == b"*" for id in document.brackets.entities)
        if roles and not document.uneven_sentence and not starred:
            return NO_ODD_ROWS
        block = self.source.read(document.offset, document.stop)
        lines = Lines(block if block.endswith(b"\n") else block + b"\n")
        odd = find_odd_rows(lines, document.layout, named=document.named)
        return odd.shifted(document.line + 1)

    def _read_lines(self, lines: Lines, start: int, stop: int) -> None:
        """Read the lines between two that begin with ``#``."""
        first, last = (int(lines.rows.searchsorted(line)) for line in (start, stop))
        rows = range(first, last)
        document = self.document
        if not rows:
            if document and start < stop:
                document.after_blank = True
            return
        if document is None:
            begin, count = self.outside or (self.lines_before + int(lines.rows[first]) + 1, 0)
            self.outside = begin, count + len(rows)
            return
        document.after_blank |= int(lines.rows[first]) > start
        _note_widths(document, lines, rows)
        for part in self._without_multiword(document, lines, rows):
            self._read_tokens(document, lines, part)
        last_line = int(lines.rows[last - 1])
        document.after_blank = last_line + 1 < stop
        document.stop = self.offset + int(lines.stop[last_line]) + 1

    def _without_multiword(self, document: _Open, lines: Lines, rows: range) -> Iterator[range]:
        """Yield the rows between multiword lines, and note these."""
        multiword = lines.multiword(document.layout.number)
        begin = rows.start
        for row in multiword[bisect_left(multiword, begin) : bisect_left(multiword, rows.stop)]:
            if begin < row:
                yield range(begin, row)
            begin = row + 1
            self._note_multiword(document, lines, row)
        if begin < rows.stop:
            yield range(begin, rows.stop)

    def _note_multiword(self, document: _Open, lines: Lines, row: int) -> None:
        number = self.lines_before + 1
        line = int(lines.rows[row]) + number
        first, count = document.multiword or (line, 0)
        document.multiword = first, count + 1
        rows = range(row, row + 1)
        column = _coref_column(document, lines, rows)
        for _, _, start, stop in lines.cells(column).within(rows):
            text = lines.block[start:stop].strip(BLANKS)
            if text:
                message = (
                    f"the multiword line has the coreference cell {as_text(text)[:40]!r}; expected "
                    "it on the lines of the words, since multiword lines are not tokens"
                )
                document.brackets.skip(Code.MULTIWORD_MENTION, message, line, text)

    def _read_tokens(self, document: _Open, lines: Lines, rows: range) -> None:
        """Read rows that are all tokens."""
        number = self.lines_before + 1
        if document.tokens == 0:
            document.first_line = int(lines.rows[rows.start]) + number
        if document.word_column is not None:
            document.digest.update(lines.column(rows, document.word_column))
        column = _coref_column(document, lines, rows)
        document.brackets.read(lines, rows, column, document.tokens, number)
        cells = lines.cells(column)
        document.tokens += len(rows)
        document.stars += count_within(cells.stars, rows)
        document.marked += count_within(cells.row, rows)
        if cells.absent:
            document.absent += [
                int(lines.rows[row]) + number for row in cells.absent if row in rows
            ]
        if not document.brackets.entities and not document.named and not document.trailing:
            self._look_before(document, lines, rows)

    def _look_before(self, document: _Open, lines: Lines, rows: range) -> None:
        """Look for coreference cells in the column before, where the last one has none."""
        if document.before_is_other:
            return
        for _, line, start, stop in lines.cells(LAST - 1).within(rows):
            if not is_coreference(lines.block[start:stop]):
                document.before_is_other = True
                return
            document.before = document.before or line + self.lines_before + 1


def _coref_column(document: _Open, lines: Lines, rows: range) -> int:
    """Return the coreference column of some rows, given those before them.

    As long as a tab ends all rows, it is the column before the last. If a row does not end in a
    tab, then the rows before it had empty cells, that is, no mention: all that was read of them
    in the other column is forgotten.
    """
    if document.trailing and count_within(lines.cells().blank, rows) < len(rows):
        document.trailing = False
        if document.tokens or document.multiword:
            document.marked = document.stars = 0
            document.brackets.forget()
    return LAST - 1 if document.trailing else document.layout.coref


def _note_widths(document: _Open, lines: Lines, rows: range) -> None:
    """Note the numbers of columns of some rows, and whether they change inside a sentence."""
    first, last = int(lines.widths[rows.start]), int(lines.widths[rows.stop - 1])
    if document.width and document.width != first and not document.after_blank:
        document.uneven_sentence = True
    narrowest = widest = first
    if count_after_first(lines.width_changes, rows):
        widths = lines.widths[rows.start : rows.stop]
        narrowest, widest = int(widths.min()), int(widths.max())
        if count_after_first(lines.sudden_changes, rows):
            document.uneven_sentence = True
    document.narrowest = min(document.narrowest or narrowest, narrowest)
    document.widest = max(document.widest, widest)
    document.width = last


def _uneven(document: _Open, odd: OddRows) -> Iterator[Problem]:
    """Yield a finding for the rows whose cell is in doubt, and one for those where it is not."""
    for code, lines in ((Code.MISSING_CELL, odd.missing), (Code.UNEVEN_ROWS, odd.harmless)):
        if lines:
            yield Problem(code, _uneven_message(document, code, lines, odd.expected), lines[0])


def _uneven_message(document: _Open, code: Code, lines: list[int], expected: dict[int, int]) -> str:
    count = f" ({len(lines):,} such rows in document {document.name!r}, the first here)"
    more = count if len(lines) > 1 else ""
    if lines[0] not in expected:
        return f"the row is too short to have the coreference column that is named{more}"
    rest = f"another number of columns than the rows around it, which have {expected[lines[0]]}"
    if code is Code.UNEVEN_ROWS:
        return f"the row has {rest}; its last cell is read as coreference{more}"
    return (
        f"the row has {rest}: a cell is missing or too many, so that its coreference cell is in "
        f"doubt; expected the same number of columns in every row{more}"
    )


def _other_column(document: _Open) -> Problem | None:
    """Return a finding if the coreference column seems to be another one."""
    brackets, name, line = document.brackets, document.name, document.first_line
    next_step = "expected the coreference cells there; if another column has them, name it"
    if brackets.bad_cells >= FEWEST_BAD_CELLS and brackets.bad_cells * 2 > document.tokens:
        line, found = brackets.unreadable[0]
        what = f"holds {brackets.bad_cells:,} cells that are not coreference, such as"
        message = f"the last column of document {name!r} {what} {as_text(found)[:40]!r}"
        return Problem(Code.NO_COREFERENCE, f"{message}; {next_step}", line)
    if are_names(brackets.ids()):
        what = f"looks like named entities or semantic roles ({as_text(next(brackets.ids()))})"
        message = f"the last column of document {name!r} {what}; the coreference column seems to be"
        return Problem(Code.NO_COREFERENCE, f"{message} missing; {next_step}", line)
    if document.tokens and document.stars == document.tokens:
        what = "holds nothing but *, like a column of names without any name"
    elif document.stars + document.marked == document.tokens and could_be_names(brackets.ids()):
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


def _marker(text: bytes) -> tuple[str, bytes]:
    """Tell what a line that begins with ``#`` is, and the rest of it."""
    if begin := BEGIN.match(text):
        return "begin", begin[1]
    if glued := GLUED.match(text):
        return "end and begin", glued[1]
    return "end" if END.match(text) else "comment", text


def _has_sample(lines: Lines, line: int, end: int) -> bool:
    """Whether enough rows follow in the block to tell the layout of a document, or all of it."""
    if end < len(lines):
        return True
    return len(lines.plain) - int(lines.plain.searchsorted(line)) >= SAMPLE


def is_identifier(label: str) -> bool:
    """Tell whether an entity's label can stand in a bracket."""
    return bool(BARE_ID.fullmatch(label.encode(errors="surrogateescape")))
