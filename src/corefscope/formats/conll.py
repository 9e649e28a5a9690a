"""CoNLL-2011/2012 and SemEval columns: reading (docs/formats.md)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.conll_cell import BARE_ID, Cell, parse_cell
from corefscope.formats.conll_lines import Lines
from corefscope.formats.conll_text import document_text, layout, neighbour
from corefscope.formats.source import Progress, Source

BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)
END = re.compile(rb"#\s*end document")
BLANKS = bytes(range(33))
NO_MENTION = Cell()
MOST_HELD = 1 << 20
"""Bytes of lines with ``#`` at the beginning of a document; whatever comes after more of them, they
are comments."""


def read_conll(source: Source, builder: Builder, progress: Progress | None = None) -> None:
    """Read all documents of a file into the builder."""
    reader = _Reader(source, builder)
    for offset, block in source.blocks(progress):
        reader.feed(offset, block)
    reader.close()


class _Entities(dict[bytes, int]):
    """The number of each entity of a document; an id that was not met before begins one."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def __missing__(self, id: bytes) -> int:
        self[id] = number = self.builder.entity(_text(id))
        return number


@dataclass(slots=True)
class _Open:
    """The document being read."""

    name: str
    entities: _Entities
    line: int
    offset: int
    """Where its lines begin in the file."""
    stop: int
    """Where the last token line read so far ends."""
    tokens: int = 0
    columns: int = 0
    """Number of columns of its last token line."""
    word_column: int | None = None
    digest: blake2b = field(default_factory=lambda: blake2b(digest_size=8))
    pending: defaultdict[bytes, list[tuple[int, int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Entity, token and line of the mentions that are not closed yet, by id, latest last."""


class _Reader:
    """Goes through the blocks of one file."""

    def __init__(self, source: Source, builder: Builder) -> None:
        self.source = source
        self.file = source.name
        self.builder = builder
        self.document: _Open | None = None
        self.documents = 0
        self.lines_before = 0
        self.offset = 0
        self.outside: tuple[int, int] | None = None
        """First line and number of the lines read outside any document."""
        self.not_utf8 = False
        self.cells: dict[bytes, Cell] = {}
        self.held = b""
        """Lines with ``#`` of which only the next block tells whether they are tokens."""

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
            if kind == "comment" and self.document:
                end = ends[bisect_left(ends, line)]
                columns = neighbour(lines, line, begin, end, self.document.columns)
                undecided = columns is None and end == len(lines) and not last
                if undecided and len(block) - int(lines.start[line]) < MOST_HELD:
                    self._read_lines(lines, position, line)
                    self.held = block[int(lines.start[line]) :]
                    self.lines_before += line
                    return
                if lines.fields.count[line] == columns:
                    continue
            self._read_lines(lines, position, line)
            position = line + 1
            begin = begin if kind == "comment" else position
            if kind == "begin":
                self._begin(rest, lines, line)
            elif kind == "end":
                self._end(line)
            elif self.document:
                found = _text(rest)[:40]
                self._report(Code.COMMENT, f"comment {found!r} inside a document is skipped", line)
        self._read_lines(lines, position, len(lines))
        self.lines_before += len(lines)

    def close(self) -> None:
        """End the file."""
        if self.held:
            self._read_block(self.offset, self.held, last=True)
        if self.document:
            self._end_without_marker(self.lines_before)
        if self.documents == 0 and self.outside:
            message = "no '#begin document' line; expected one before the first token"
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

    def _begin(self, rest: bytes, lines: Lines, line: int) -> None:
        if self.document:
            self._end_without_marker(line)
        name = rest.rstrip(BLANKS).decode(errors="surrogateescape") or Path(self.file).name
        if "\r" in name:
            message = "lines end in carriage returns alone; expected newlines"
            self._report(Code.BARE_RETURNS, message, line)
            self.builder.give_up()
        self.documents += 1
        self.builder.begin(name, self.file, self.lines_before + line + 1)
        after = self.offset + int(lines.stop[line]) + 1
        self.document = _Open(
            name, _Entities(self.builder), self.lines_before + line + 1, after, after
        )

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
        for entity, mentions in document.pending.items():
            for *_, opened in mentions:
                message = (
                    f"the mention of entity {_text(entity)} that opens here is not closed "
                    f"at the end of document {document.name!r}; expected '{_text(entity)})'"
                )
                self.builder.report(Code.UNCLOSED, message, self.file, opened)
        digest = document.digest.digest() if document.word_column is not None else None
        place = (self.source, document.offset, document.stop, document_text)
        self.builder.end(document.tokens, digest, place)
        self.document = None

    def _read_lines(self, lines: Lines, start: int, stop: int) -> None:
        """Read the lines between two that begin with ``#``."""
        first, last = (int(lines.rows.searchsorted(line)) for line in (start, stop))
        rows = range(first, last)
        if not rows:
            return
        document = self.document
        if document is None:
            begin, count = self.outside or (self.lines_before + int(lines.rows[first]) + 1, 0)
            self.outside = begin, count + len(rows)
            return
        if document.tokens == 0:
            document.word_column = layout(lines.row(int(lines.rows[first]))).get("words")
        if document.word_column is not None:
            document.digest.update(lines.column(rows, document.word_column))
        self._read_cells(document, lines, rows)
        document.tokens += len(rows)
        document.columns = int(lines.fields.count[lines.rows[last - 1]])
        document.stop = self.offset + int(lines.stop[lines.rows[last - 1]]) + 1

    def _read_cells(self, document: _Open, lines: Lines, rows: range) -> None:
        """Carry out the cells that bear mentions; most lines have none.

        On one token: one-token mentions, openings, closings, in the reference scorer's order.
        """
        cells, known, block = lines.cells, self.cells, lines.block
        entities, pending = document.entities, document.pending
        add = self.builder.mentions.extend
        shift, number = document.tokens - rows.start, self.lines_before + 1
        for row, line, start, stop in cells.within(rows):
            text = block[start:stop]
            cell = known.get(text) or self._parse(lines, line, text, start)
            token = row + shift
            if cell.is_odd:
                self._report_oddities(document, cell, lines, line, start)
            for id in cell.whole:
                add((entities[id], token, token, line + number))
            for id in cell.opened:
                pending[id].append((entities[id], token, line + number))
            for id in cell.closed:
                if pending[id]:
                    entity, first, first_line = pending[id].pop()
                    add((entity, first, token, first_line))
                else:
                    self._report_unopened(id, line)

    def _parse(self, lines: Lines, line: int, text: bytes, start: int) -> Cell:
        """Read a cell that was not met before, and report what is odd about it each time."""
        stripped = text.strip(BLANKS)
        cell = parse_cell(stripped)
        if not stripped and lines.fields.count[line] > 1:
            # Trailing tabs: the cell is the last field that is not empty, if that is one.
            fields = [field.strip(BLANKS) for field in lines.row(line)[:-1]]
            before = parse_cell(next((field for field in reversed(fields) if field), b""))
            return before if before and not before.bare else NO_MENTION
        if cell is None:
            self._refuse_cell(stripped, lines, line, start + text.index(stripped))
            return NO_MENTION
        self.cells[text] = cell
        return cell

    def _report_oddities(
        self, document: _Open, cell: Cell, lines: Lines, line: int, start: int
    ) -> None:
        for id in cell.bare:
            if document.pending[id] or id in cell.opened:
                message = f"the bare {_text(id)} inside a mention of that entity is ignored"
                self._report(Code.BARE_ID, message, line)
            else:
                self._refuse_cell(id, lines, line, start)
        for id in cell.double:
            message = f"double antecedent ({_text(id)}) is ignored, as the reference scorer does"
            self._report(Code.DOUBLE_ANTECEDENT, message, line)
        for id in cell.touching:
            message = (
                f"one token opens and closes entity {_text(id)}: read as opening first, as the "
                "reference scorer does; brackets cannot express touching or crossing mentions of "
                "one entity"
            )
            self._report(Code.CLOSE_AND_OPEN, message, line)

    def _report_unopened(self, id: bytes, line: int) -> None:
        label = _text(id)
        message = f"entity {label} is closed here but not open; expected '({label}' before"
        self._report(Code.UNOPENED, message, line)

    def _refuse_cell(self, found: bytes, lines: Lines, line: int, start: int) -> None:
        character = len(_text(lines.block[int(lines.start[line]) : start])) + 1
        message = (
            f"{_text(found)[:40]!r} at character {character}; "
            "expected (ID), (ID or ID), or - for no mention"
        )
        self._report(Code.BAD_CELL, message, line)


def _text(id: bytes) -> str:
    return id.decode(errors="surrogateescape")


def _marker(text: bytes) -> tuple[str, bytes]:
    """Tell what a line that begins with ``#`` is, and the rest of it."""
    if begin := BEGIN.match(text):
        return "begin", begin[1]
    return "end" if END.match(text) else "comment", text


def is_identifier(label: str) -> bool:
    """Tell whether an entity's label can stand in a bracket."""
    return bool(BARE_ID.fullmatch(label.encode(errors="surrogateescape")))
