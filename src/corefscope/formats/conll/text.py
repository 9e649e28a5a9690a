"""Read the text layers of CoNLL documents: words, tags, parses and others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from msgspec import Struct

from corefscope.corpus.layers import TextColumns
from corefscope.formats.conll.layout import ConllLayout
from corefscope.formats.conll.lines import LAST, ConllLines
from corefscope.formats.reading.block_lines import Positions

BLANKS = "".join(map(chr, range(33)))
BLANK = re.compile(r"[\x00-\x09\x0b-\x20]")


def neighbour(lines: ConllLines, line: int, begin: int, end: int, columns: int) -> int | None:
    """Return the number of columns of the nearest token line to a line that begins with ``#``.

    If the line has the same number, it is a token, otherwise a comment. The nearest token line is
    the previous one (with ``columns`` columns, if it is before ``begin``) or, at the beginning of a
    document, the next one before ``end``.
    """
    plain = lines.plain
    place = int(np.searchsorted(plain, line))
    if place and plain[place - 1] >= begin:
        return int(lines.fields.count[plain[place - 1]])
    if columns:
        return columns
    if place < len(plain) and plain[place] < end:
        return int(lines.fields.count[plain[place]])
    return None


class ConllTextReader(Struct, frozen=True, eq=False):
    """Reads the text layers of documents that have the same layout."""

    layout: ConllLayout

    def __call__(self, block: bytes) -> TextColumns:
        """Return the text of a document, given its lines."""
        lines = ConllLines(block if block.endswith(b"\n") else block + b"\n")
        rows = token_rows(lines, self.layout)
        return _text(_Rows(lines, rows, self.layout), range(len(rows)))

    def texts(self, block: bytes, edges: Sequence[tuple[int, int]]) -> list[TextColumns]:
        """Return the texts of documents in a block, each with where it begins and ends.

        What every document needs is found for all of them at once: most of the time of reading a
        small one would be spent on preparations.
        """
        lines = ConllLines(block if block.endswith(b"\n") else block + b"\n")
        rows = token_rows(lines, self.layout)
        together = _Rows(lines, rows, self.layout)
        starts = lines.start[lines.rows[rows]]
        hashes = lines.start[lines.hashes]
        texts = []
        for begin, end in edges:
            first, last = starts.searchsorted((begin, end)).tolist()
            # Whether a line with a hash is a comment depends on the lines of its document.
            is_plain = hashes.searchsorted(begin) == hashes.searchsorted(end)
            texts.append(
                _text(together, range(first, last)) if is_plain else self(block[begin:end])
            )
        return texts


def _text(rows: _Rows, some: range) -> TextColumns:
    return TextColumns(sentences=rows.sentences(some), columns=_Columns(rows, some))


def token_rows(lines: ConllLines, layout: ConllLayout) -> Positions:
    """Return the rows of a document that are tokens: neither comments nor multiword lines."""
    comments = {
        line
        for line in lines.hashes
        if lines.fields.count[line] != neighbour(lines, line, 0, len(lines), 0)
    }
    multiword = lines.multiword(layout.number)
    is_token = np.ones(len(lines.rows), dtype=bool)
    is_token[multiword] = False
    if comments:
        is_token &= [line not in comments for line in lines.rows.tolist()]
    return np.flatnonzero(is_token)


class _Rows:
    """The rows of a block that are tokens, with the fields that were read so far."""

    def __init__(self, lines: ConllLines, rows: Positions, layout: ConllLayout) -> None:
        self.lines = lines
        self.rows = rows
        self.layout = layout
        self.widths = lines.fields.count[lines.rows[rows]]
        self._values: dict[int, list[str]] = {}

    def values(self, column: int, some: range) -> list[str]:
        """Return the fields of some rows in a column."""
        if column not in self._values:
            self._values[column] = values_of(self.lines, self.rows, column)
        return self._values[column][some.start : some.stop]

    def sentences(self, some: range) -> list[range]:
        """Return the ranges of tokens between blank lines, or other values of some columns."""
        inside = self._begins[slice(*self._begins.searchsorted((some.start + 1, some.stop)))]
        begins = [0, *(inside - some.start).tolist(), len(some)]
        return [range(first, last) for first, last in pairwise(begins) if first < last]

    @cached_property
    def _begins(self) -> Positions:
        """The rows that begin a sentence, without the first."""
        is_blank = self.lines.fields.count == 0
        is_new = np.diff(np.cumsum(is_blank)[self.lines.rows[self.rows]]) > 0
        for column in self.layout.sentence:
            values = np.array(values_of(self.lines, self.rows, column), dtype=object)
            is_new |= values[1:] != values[:-1]
        return np.flatnonzero(is_new) + 1


def values_of(lines: ConllLines, rows: Positions, column: int) -> list[str]:
    """Return the fields of some rows in a column; lines that are too short have an empty one."""
    text = lines.column(range(len(lines.rows)), column).decode(errors="surrogateescape")
    values = text.split("\n")
    if b"\t" in lines.block and BLANK.search(text):
        # Fields between tabs can contain blanks.
        values = [value.strip(BLANKS) for value in values]
    counts = lines.fields.count[lines.rows]
    for row in np.flatnonzero(counts <= (column if column >= 0 else -column - 1)).tolist():
        values[row] = ""
    return [values[row] for row in rows.tolist()]


class _Columns(Mapping[str, list[str]]):
    """The layers of a document, each read when it is first used."""

    def __init__(self, rows: _Rows, some: range) -> None:
        self.rows = rows
        self.some = some
        self.coref = rows.layout.coref
        widths = rows.widths[some.start : some.stop]
        self.layout = rows.layout.present(int(widths[0])) if some else {}
        self._read: dict[str, list[str]] = {}
        self.has_arguments = (
            "framesets" in self.layout
            and self.layout.get("names", LAST) >= 0 > self.coref
            and bool((widths + self.coref > self.layout["names"] + 1).any())
        )

    def __iter__(self) -> Iterator[str]:
        yield from self.layout
        if self.has_arguments:
            yield "arguments"

    def __len__(self) -> int:
        return len(self.layout) + self.has_arguments

    def __getitem__(self, layer: str) -> list[str]:
        if layer not in self._read:
            if layer == "arguments" and self.has_arguments:
                self._read[layer] = self._arguments()
            else:
                self._read[layer] = self.rows.values(self.layout[layer], self.some)
        return self._read[layer]

    def _arguments(self) -> list[str]:
        """Return the fields between the names and the coreference cell, joined by blanks."""
        first = self.layout["names"] + 1
        lines, own = self.rows.lines, self.rows.rows[self.some.start : self.some.stop]
        rows = (lines.row(line) for line in lines.rows[own].tolist())
        return [
            b" ".join(fields[first : self.coref]).decode(errors="surrogateescape").strip() or "*"
            for fields in rows
        ]
