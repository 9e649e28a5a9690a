"""Read the text layers of CoNLL documents: words, tags, parses and others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from corefscope.corpus.layers import TextColumns
from corefscope.formats.conll.layout import ConllLayout
from corefscope.formats.conll.lines import LAST, ConllLines
from corefscope.formats.reading.byte_table import Positions

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


def document_text(block: bytes, layout: ConllLayout) -> TextColumns:
    """Read the text layers of a document from its lines."""
    lines = ConllLines(block if block.endswith(b"\n") else block + b"\n")
    rows = token_rows(lines, layout)
    return TextColumns(
        sentences=_sentences(lines, rows, layout), columns=_Columns(lines, rows, layout)
    )


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


def _sentences(lines: ConllLines, rows: Positions, layout: ConllLayout) -> list[range]:
    """Return the token ranges between blank lines, or between other values of some columns."""
    blank_before = np.cumsum(lines.fields.count == 0)[lines.rows[rows]]
    is_new = np.diff(blank_before) > 0
    for column in layout.sentence:
        values = np.array(values_of(lines, rows, column), dtype=object)
        is_new |= values[1:] != values[:-1]
    begins = [0, *(np.flatnonzero(is_new) + 1).tolist(), len(rows)]
    return [range(first, last) for first, last in pairwise(begins) if first < last]


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

    def __init__(self, lines: ConllLines, rows: Positions, layout: ConllLayout) -> None:
        self.lines = lines
        self.rows = rows
        self.coref = layout.coref
        counts = lines.fields.count[lines.rows[rows]]
        self.layout = layout.present(int(counts[0])) if len(rows) else {}
        self._read: dict[str, list[str]] = {}
        self.has_arguments = (
            "framesets" in self.layout
            and self.layout.get("names", LAST) >= 0 > self.coref
            and bool((counts + self.coref > self.layout["names"] + 1).any())
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
                self._read[layer] = values_of(self.lines, self.rows, self.layout[layer])
        return self._read[layer]

    def _arguments(self) -> list[str]:
        """Return the fields between the names and the coreference cell, joined by blanks."""
        first = self.layout["names"] + 1
        rows = (self.lines.row(line) for line in self.lines.rows[self.rows].tolist())
        return [
            b" ".join(fields[first : self.coref]).decode(errors="surrogateescape").strip() or "*"
            for fields in rows
        ]
