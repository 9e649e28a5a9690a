"""The columns of CoNLL-2011, CoNLL-2012 and SemEval-2010, with entities as brackets.

A token is a line. Its last column has the brackets of the mentions that begin and end there:
`(3` opens a mention of entity 3, `3)` closes it, `(3)` is a mention of one token. All rules are in
[Formats](../ref/formats.md#conll).

- Two mentions of one entity that cross cannot be expressed: a closing bracket belongs to the latest
  opening bracket of its entity.
- Mentions have no heads, entities have no types, and mentions have no gaps.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from corefscope.findings import Code
from corefscope.formats.conll.brackets import ConllBrackets, as_text
from corefscope.formats.conll.cell import BLANKS, CorefCell
from corefscope.formats.conll.columns import ConllColumns
from corefscope.formats.conll.document import ConllDocument, RowCounts
from corefscope.formats.conll.doubts import find_doubts
from corefscope.formats.conll.layout import (
    NUMBERED_SAMPLE,
    SAMPLE,
    UNKNOWN,
    ConllLayout,
    find_layout,
    with_columns,
)
from corefscope.formats.conll.lines import ConllLines, some_within
from corefscope.formats.conll.text import ConllTextReader, neighbour, token_rows
from corefscope.formats.detection import Head, has_columns
from corefscope.formats.reading.block import Block, TextReader
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.source import Source

BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)
END = re.compile(rb"#\s*end document")
GLUED = re.compile(rb"#\s*end document.*?#\s*begin document\s*(.*)", re.DOTALL)
MOST_HELD = 1 << 20
"""The most bytes at the end of a block that wait for the next one. If there are more, lines with
``#`` are comments, and the columns of a document are detected from fewer rows."""


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    reader = _Reader(file.source, file.builder, file.options.columns)
    for offset, block in file.source.blocks(file.progress):
        reader.feed(offset, block)
    reader.close()
    _report_whole(file.source, file.builder, reader.of_file)


class _OfFile(Struct, kw_only=True):
    """What shows only when all documents of a file are read."""

    documents: int = 0
    outside: tuple[int, int] | None = None
    """First line and number of the lines read outside any document."""


def _report_whole(source: Source, builder: Builder, found: _OfFile) -> None:
    """Report what shows only when all documents of a file are read."""
    if found.documents == 0 and found.outside:
        columns = has_columns(Head(source))
        text = "CoNLL columns without any" if columns else "text without columns or a"
        builder.report(
            Code.BAD_SHAPE,
            f"{text} '#begin document' line",
            source.name,
            found.outside[0],
            expected=(
                "'#begin document NAME' before the first token of each document, and '#end "
                "document' after the last"
            ),
        )
    elif found.documents == 0:
        builder.report(
            Code.NO_DOCUMENT,
            "the file contains no document",
            source.name,
            1,
            expected="a line '#begin document NAME'",
        )
    elif found.outside:
        first, count = found.outside
        ignored = "a line outside any document is ignored"
        if count > 1:
            ignored = f"{count:,} lines outside any document are ignored, the first of them here"
        builder.report(
            Code.IGNORED,
            ignored,
            source.name,
            first,
            expected="'#begin document NAME' before the first token",
        )


class _Reader:
    """Reads one file, block by block."""

    def __init__(self, source: Source, builder: Builder, columns: ConllColumns | None) -> None:
        self.source = source
        self.file = source.name
        self.builder = builder
        self.columns = columns
        self.names_coref = columns is not None and columns.coref is not None
        self.document: ConllDocument | None = None
        self.of_file = _OfFile()
        self.lines_before = 0
        self.offset = 0
        self.cells: dict[bytes, CorefCell] = {}
        self.text_reader: tuple[ConllLayout, TextReader] | None = None
        self.held = b""
        """Lines at the end of a block that can only be read with the next block."""

    def feed(self, offset: int, block: bytes) -> None:
        """Read a block of whole lines."""
        offset, block = offset - len(self.held), self.held + block
        self.builder.check_bytes(block, self.file, self.lines_before)
        self._read_block(offset, block)

    def _read_block(self, offset: int, block: bytes, last: bool = False) -> None:
        self.offset, self.held = offset, b""
        lines = ConllLines(block if block.endswith(b"\n") else block + b"\n")
        markers = [(line, *_marker(lines.line(line))) for line in lines.hashes]
        ends = [line for line, kind, _ in markers if kind != "comment"] + [len(lines)]
        position = begin = 0
        for line, kind, rest in markers:
            end = ends[bisect_right(ends, line)] if kind != "end" else line
            if kind == "comment" and self.document:
                columns = neighbour(lines, line, begin, end, self.document.rows.width)
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

    def _hold(self, lines: ConllLines, position: int, line: int, end: int, *, last: bool) -> bool:
        """Keep a line and all lines after it for the next block, if that can help to read it."""
        start = int(lines.start[line])
        if last or end < len(lines) or len(lines.block) - start >= MOST_HELD:
            return False
        self._read_lines(lines, position, line)
        self.held = lines.block[start:]
        self.offset += start
        self.lines_before += line
        return True

    def _read_marker(self, kind: str, rest: bytes, lines: ConllLines, line: int, end: int) -> None:
        if kind == "end and begin":
            self._report(
                Code.IRREGULAR,
                "'#begin document' follows '#end document' on the same line; the line is read as "
                "the end of one document and the beginning of the next",
                line,
                expected="two lines",
            )
        if "end" in kind:
            self._end(line)
        if "begin" in kind:
            self._begin(rest, lines, line, end)
        if kind == "comment" and self.document:
            found = as_text(rest)[:40]
            self._report(Code.IRREGULAR, f"comment {found!r} inside a document is skipped", line)

    def close(self) -> None:
        """End the file."""
        if self.held:
            self._read_block(self.offset, self.held, last=True)
        if self.document:
            self._end_without_marker(self.lines_before)

    def _report(self, code: Code, found: str, line: int, *, expected: str | None = None) -> None:
        number = self.lines_before + line + 1
        self.builder.report(code, found, self.file, number, expected=expected)

    def _begin(self, rest: bytes, lines: ConllLines, line: int, end: int) -> None:
        if self.document:
            self._end_without_marker(line)
        given = as_text(rest.rstrip(BLANKS))
        name = given or Path(self.file).name
        if "\r" in name:
            self._report(
                Code.BARE_RETURNS, "lines end in carriage returns alone", line, expected="newlines"
            )
            self.builder.give_up()
        self.of_file.documents += 1
        where = self.lines_before + line + 1
        after = self.offset + int(lines.stop[line]) + 1
        layout, word_column = self._layout(rest, lines, line, end)
        self.document = ConllDocument(
            name=name,
            is_named=bool(given),
            line=where,
            offset=after,
            layout=layout,
            named=self.names_coref,
            word_column=word_column,
            brackets=ConllBrackets(self.cells),
            rows=RowCounts(stop=after),
        )

    def _layout(
        self, name: bytes, lines: ConllLines, line: int, end: int
    ) -> tuple[ConllLayout, int | None]:
        """Return the layout of the document that begins on a line, and its word column."""
        row = lines.first_plain(line + 1, end)
        if row is None:
            return with_columns(UNKNOWN, self.columns, 0), None
        first = lines.row(row)
        layout = find_layout(
            name,
            first,
            lambda: lines.first_column(row, end, NUMBERED_SAMPLE),
            lambda: lines.sample(row, end, SAMPLE),
        )
        layout = with_columns(layout, self.columns, len(first))
        return layout, layout.column("words", len(first))

    def _end_without_marker(self, line: int) -> None:
        assert self.document
        self.builder.report(
            Code.IRREGULAR,
            f"document {self.document.name!r} has no '#end document' line",
            self.file,
            self.document.line,
            expected="one before the next '#begin document' line and at the end of the file",
        )
        self._end(line)

    def _end(self, line: int) -> None:
        document = self.document
        if document is None:
            self._report(Code.IGNORED, "'#end document' outside any document is ignored", line)
            return
        if document.rows.end_in_tabs and not document.named:
            document = self._without_tabs(document)
        document.brackets.close(document.name)
        for problem in find_doubts(document, partial(self._read_again, document)):
            self.builder.add(problem.at(self.file, problem.line))
        digest = document.digest.digest() if document.word_column is not None else None
        reader = self._text_reader(document.layout)
        rows = document.rows
        self.builder.add_block(
            Block(
                names=(document.name,),
                is_named=document.is_named,
                lines=(document.line,),
                tokens=(rows.tokens,),
                digests=(digest,),
                places=((self.source, document.offset, rows.stop, reader),),
                labels=document.brackets.labels,
                mentions=document.brackets.mentions,
            )
        )
        self.document = None

    def _without_tabs(self, document: ConllDocument) -> ConllDocument:
        """Read a document again all of whose rows end in a tab: the column before it counts."""
        lines = self._read_again(document)
        again = document.before_tab()
        for rows in _runs(token_rows(lines, again.layout).tolist()):
            self._read_tokens(again, lines, rows, document.line + 1)
        return again

    def _read_again(self, document: ConllDocument) -> ConllLines:
        block = self.source.read(document.offset, document.rows.stop)
        return ConllLines(block if block.endswith(b"\n") else block + b"\n")

    def _text_reader(self, layout: ConllLayout) -> TextReader:
        """Return a function that reads the text of a document; most documents share one."""
        if self.text_reader is None or self.text_reader[0] is not layout:
            self.text_reader = layout, ConllTextReader(layout)
        return self.text_reader[1]

    def _read_lines(self, lines: ConllLines, start: int, stop: int) -> None:
        """Read the lines between two lines that begin with ``#``."""
        first, last = int(lines.rows_before[start]), int(lines.rows_before[stop])
        rows = range(first, last)
        document = self.document
        if not rows:
            if document and start < stop:
                document.rows.after_blank = True
            return
        if document is None:
            outside = self.of_file.outside
            begin, count = outside or (self.lines_before + int(lines.rows[first]) + 1, 0)
            self.of_file.outside = begin, count + len(rows)
            return
        counts = document.rows
        counts.after_blank |= int(lines.rows[first]) > start
        counts.note_widths(lines, rows)
        for part in self._without_multiword(document, lines, rows):
            self._read_tokens(document, lines, part, self.lines_before + 1)
        last_line = int(lines.rows[last - 1])
        counts.after_blank = last_line + 1 < stop
        counts.stop = self.offset + int(lines.stop[last_line]) + 1

    def _without_multiword(
        self, document: ConllDocument, lines: ConllLines, rows: range
    ) -> Iterator[range]:
        """Yield the ranges of rows between multiword lines, and note the multiword lines."""
        begin = rows.start
        for row in some_within(lines.multiword(document.layout.number), rows):
            if begin < row:
                yield range(begin, row)
            begin = row + 1
            self._note_multiword(document, lines, row)
        if begin < rows.stop:
            yield range(begin, rows.stop)

    def _note_multiword(self, document: ConllDocument, lines: ConllLines, row: int) -> None:
        line = int(lines.rows[row]) + self.lines_before + 1
        document.rows.multiword = document.rows.multiword.plus(1, line)
        cells = lines.cells(document.layout.coref)
        for *_, cell in cells.within(range(row, row + 1)):
            text = cell.strip(BLANKS)
            document.brackets.skip(
                Code.BAD_LINE,
                f"the multiword line has the coreference cell {as_text(text)[:40]!r}",
                line,
                text,
                expected=(
                    "the cell on the lines of the words, because multiword lines are not tokens"
                ),
            )

    def _read_tokens(
        self, document: ConllDocument, lines: ConllLines, rows: range, number: int
    ) -> None:
        """Read rows that are all tokens; ``number`` is the number of the block's first line."""
        column, brackets, counts = document.layout.coref, document.brackets, document.rows
        if document.word_column is not None:
            document.digest.update(lines.column(rows, document.word_column))
        brackets.read(lines, rows, column, counts.tokens, number)
        counts.note_tokens(lines, rows, lines.cells(column), number)
        if not brackets.entities and not document.named and not document.layout.trailing:
            counts.look_before(lines, rows, column - 1, number)


def _runs(numbers: list[int]) -> Iterator[range]:
    """Yield the ranges of consecutive numbers."""
    begin = 0
    for place, number in enumerate(numbers):
        if place + 1 == len(numbers) or numbers[place + 1] > number + 1:
            yield range(numbers[begin], number + 1)
            begin = place + 1


def _marker(text: bytes) -> tuple[str, bytes]:
    """Return the kind of a line that begins with ``#``, and the rest of the line."""
    if begin := BEGIN.match(text):
        return "begin", begin[1]
    if glued := GLUED.match(text):
        return "end and begin", glued[1]
    return "end" if END.match(text) else "comment", text


def _has_sample(lines: ConllLines, line: int, end: int) -> bool:
    """Return whether the block has enough rows to detect the layout, or the whole document."""
    if end < len(lines):
        return True
    hashes = len(lines.hashes) - bisect_right(lines.hashes, line)
    return len(lines.rows) - int(lines.rows_before[line + 1]) - hashes >= SAMPLE
