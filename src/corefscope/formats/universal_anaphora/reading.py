"""Reads files of Universal Anaphora.

Columns go by the names in ``# global.columns``. Tokens are counted line by line through a document,
empty nodes (whose ID has a point) included; the numbers in the column ID do not matter.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corefscope.corpus.anaphora import NON_REFERRING, Layer, Markable, Markables
from corefscope.corpus.mentions import merged
from corefscope.findings import Code, Finding
from corefscope.formats.builder import Builder
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.universal_anaphora.cells import NOTHING
from corefscope.formats.universal_anaphora.columns import COLUMN_OF, NEW_DOCUMENT, NamedColumns
from corefscope.formats.universal_anaphora.markables import (
    FilledCell,
    MarkableReader,
    read_bridges,
)
from corefscope.formats.universal_anaphora.text import DocumentReader

MULTIWORD = re.compile(r"[0-9]+-[0-9]+", re.ASCII)


class _EmptyNode(NamedTuple):
    """A token that is no plain word; see :class:`~corefscope.corpus.words.EmptyNodes`."""

    token: int
    sentence: int
    words_before: int
    order: int
    line: int
    id: str
    dependencies: str


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A document so far."""

    name: str
    line: int
    columns: NamedColumns
    start: int
    """Where it begins in the file, in bytes."""
    is_named: bool = True
    """Whether the name is in the file."""
    stop: int = 0
    tokens: int = 0
    sentences: int = 0
    is_sentence_open: bool = False
    words: list[str] = field(default_factory=list)
    """The words that are not empty nodes."""
    nodes: list[_EmptyNode] = field(default_factory=list)
    cells: dict[str, list[FilledCell]] = field(default_factory=dict)
    """The cells that are not empty, by column."""


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the documents of a file into the builder; its entities are those of a layer."""
    drafts: dict[str, _Draft] = {}
    for draft in _FileReader(source, builder).documents(progress):
        if draft.name in drafts:
            first = drafts.pop(draft.name)
            message = (
                f"document {draft.name!r} is already on line {first.line}; expected unique names. "
                "Like the official scorers, corefscope uses the last document with this name: "
                "rename one of them"
            )
            builder.report(Code.REPLACED_DOCUMENT, message, source.name, draft.line)
        drafts[draft.name] = draft
    if not drafts:
        message = "the file contains no document; expected lines of columns with markables"
        builder.report(Code.NO_DOCUMENT, message, source.name)
    for draft in drafts.values():
        _add_document(draft, source, builder, options.layer)


class _FileReader:
    """Goes through the lines of a file."""

    def __init__(self, source: Source, builder: Builder) -> None:
        self.source, self.builder = source, builder
        self.columns = NamedColumns()
        self.warned: set[Code] = set()

    def documents(self, progress: Progress | None) -> Iterator[_Draft]:
        """Yield the documents that have tokens, in the order of the file."""
        draft = self._begin(Path(self.source.name).stem, 1, 0)
        draft.is_named = False
        before = 0
        for offset, block in self.source.blocks(progress):
            self.builder.check_bytes(block, self.source.name, before)
            edges = list(accumulate(map(len, block.splitlines(keepends=True)), initial=offset))
            text = block.decode(errors="surrogateescape")
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[: len(edges) - 1]
            begin = 0
            for place in [place for place, line in enumerate(lines) if line[:1] == "#"]:
                name = self._comment(lines[place], before + place + 1)
                if name is None and self.columns is draft.columns:
                    continue
                self._rows(lines[begin:place], before + begin + 1, draft)
                begin, draft.stop = place, edges[place]
                if name is not None and draft.is_named:
                    if draft.tokens:
                        yield draft
                    draft = self._begin(name, before + place + 1, edges[place])
                elif name is not None:
                    # Lines before the first name belong to the first document.
                    draft.name, draft.line, draft.is_named = name, before + place + 1, True
                draft.columns = self.columns
            self._rows(lines[begin:], before + begin + 1, draft)
            before, draft.stop = before + len(lines), edges[-1]
        if draft.tokens:
            yield draft

    def _begin(self, name: str, line: int, start: int) -> _Draft:
        return _Draft(name=name, line=line, columns=self.columns, start=start)

    def _comment(self, line: str, number: int) -> str | None:
        """Return the name of the document that a comment begins, if it does."""
        self.columns = NamedColumns.declared(line) or self.columns
        match = NEW_DOCUMENT.match(line)
        if match is None:
            return None
        name = (match[1] or "").strip()
        if not name:
            message = "the document has no name; expected '# newdoc id = NAME': add a name"
            self._report(Code.UNNAMED_DOCUMENT, message, number)
        return name

    def _rows(self, lines: Sequence[str], first: int, draft: _Draft) -> None:
        """Read lines that have the same columns; comments may be among them."""
        places = [place for place, line in enumerate(lines) if line and line[0] != "#"]
        blanks = [place for place, line in enumerate(lines) if not line]
        columns = draft.columns.even([lines[place] for place in places])
        if columns is None:
            rows = {place: draft.columns.fields(lines[place]) for place in places}
            blanks = sorted([*blanks, *(place for place in places if not rows[place])])
            places = [place for place in places if rows[place]]
            for place in places:
                self._check(rows[place], lines[place], first + place, draft.columns)
            found = [rows[place] for place in places]
            columns = list(map(list, zip_longest(*found, fillvalue=NOTHING)))
        # A sentence begins with the first row after a blank line.
        starts = {bisect_left(places, blank) for blank in blanks}
        starts = starts if draft.is_sentence_open else {0, *starts}
        draft.is_sentence_open = bool(places) and len(places) not in starts
        numbers = [first + place for place in places]
        _add_rows(draft, columns, numbers, sorted(starts - {len(places)}))

    def _check(self, fields: list[str], line: str, number: int, columns: NamedColumns) -> None:
        """Report a line that does not have the expected columns, or that is doubtful."""
        needed = columns.markables
        if needed is None:
            message = (
                "'# global.columns' does not name IDENTITY; expected this column, which contains "
                "the markables"
            )
            self._report_once(Code.NO_MARKABLE_COLUMN, message, number)
        elif len(fields) <= needed:
            found = f"{len(fields)} columns" if len(fields) != 1 else "1 column"
            message = (
                f"the line has {found}; expected {len(columns.names)}, with IDENTITY as column "
                f"{needed + 1}: write _ for an empty cell"
            )
            self._report(Code.NO_MARKABLE_COLUMN, message, number)
        elif columns.is_declared and (len(fields) != len(columns.names) or fields != line.split()):
            message = (
                f"the line has {len(line.split())} columns separated by spaces or tabs; expected "
                f"{len(columns.names)}, without empty cells or spaces inside cells: write _ for an "
                "empty cell. Other lines may have the same problem"
            )
            self._report_once(Code.UNEVEN_COLUMNS, message, number)
        if "-" in fields[0] and MULTIWORD.fullmatch(fields[0]):
            message = (
                f"the multiword line {fields[0]} counts as a token, as in the official scorers; "
                "expected only lines of words and empty nodes: remove such lines"
            )
            self._report_once(Code.MULTIWORD_TOKEN, message, number)

    def _report(self, code: Code, message: str, line: int) -> None:
        self.builder.report(code, message, self.source.name, line)

    def _report_once(self, code: Code, message: str, line: int) -> None:
        """Report something once per file."""
        if code not in self.warned:
            self.warned.add(code)
            self._report(code, message, line)


def _add_rows(
    draft: _Draft, columns: Sequence[list[str]], lines: Sequence[int], starts: Sequence[int]
) -> None:
    """Add rows; some of them begin a sentence."""
    if not columns:
        return
    ids, words = columns[0], columns[1] if len(columns) > 1 else [""] * len(lines)
    is_node = ["." in id for id in ids] if "." in "".join(ids) else [False] * len(ids)
    if any(is_node):
        for row, is_empty in enumerate(is_node):
            if is_empty:
                sentence = draft.sentences + bisect_right(starts, row) - 1
                _add_node(
                    draft,
                    [column[row] for column in columns],
                    lines[row],
                    (draft.tokens + row, sentence),
                )
            else:
                draft.words.append(words[row])
    else:
        draft.words += words
    for name, place in draft.columns.annotations:
        cells = columns[place] if place < len(columns) else []
        draft.cells.setdefault(name, []).extend(
            [
                FilledCell(cell, draft.tokens + row, lines[row], is_node[row])
                for row, cell in enumerate(cells)
                if cell != NOTHING
            ]
        )
    draft.tokens += len(ids)
    draft.sentences += len(starts)


def _add_node(draft: _Draft, fields: list[str], line: int, place: tuple[int, int]) -> None:
    """Note an empty node; what identifies it is how many words and nodes stand before it."""
    last = draft.nodes[-1] if draft.nodes else None
    follows = last is not None and last.words_before == len(draft.words)
    deps = draft.columns.place("DEPS")
    token, sentence = place
    draft.nodes.append(
        _EmptyNode(
            token=token,
            sentence=sentence,
            words_before=len(draft.words),
            order=last.order + 1 if last is not None and follows else 1,
            line=line,
            id=fields[0],
            dependencies=fields[deps] if deps is not None and deps < len(fields) else NOTHING,
        )
    )


def _add_nodes(nodes: Sequence[_EmptyNode], builder: Builder) -> None:
    document = len(builder.names) - 1
    columns = [(document, n.token, n.sentence, n.words_before, 0, n.order, n.line) for n in nodes]
    builder.sets.nodes.append(np.array(columns).T)
    builder.sets.node_ids.extend(node.id for node in nodes)
    builder.sets.node_dependencies.extend(node.dependencies for node in nodes)


def _add_document(draft: _Draft, source: Source, builder: Builder, layer: Layer) -> None:
    """Add a document with the entities of a layer, and what its layers say beyond them."""
    builder.begin(draft.name, source.name, draft.line, is_named=draft.is_named)
    layers: dict[Layer, Markables] = {
        each: _read_layer(draft, each, source.name) for each in COLUMN_OF
    }
    for finding in (*layers[layer].findings, *_unread(draft, source.name)):
        builder.add(finding)
    _add_entities(layers[layer].markables, builder)
    if draft.nodes:
        _add_nodes(draft.nodes, builder)
    builder.anaphora(layers, layer)
    digest = hashlib.blake2b("\n".join(draft.words).encode(errors="surrogateescape")).digest()
    place = (source, draft.start, draft.stop, DocumentReader(draft.columns))
    builder.end(draft.tokens, digest, place)


def _read_layer(draft: _Draft, layer: Layer, file: str) -> Markables:
    reader = MarkableReader(file, len(draft.nodes))
    for cell in draft.cells.get(COLUMN_OF[layer], ()):
        reader.read(cell)
    markables = reader.markables()
    if layer != "identity":
        return Markables(markables, findings=tuple(reader.findings))
    bridges, findings = read_bridges(draft.cells.get("BRIDGING", ()), markables, file)
    return Markables(markables, tuple(bridges), (*reader.findings, *findings))


def _unread(draft: _Draft, file: str) -> Iterator[Finding]:
    """Report split antecedents in a column of their own, which the official scorers lack."""
    cells = draft.cells.get("SPLIT", ())
    if cells:
        message = (
            f"document {draft.name!r} has split antecedents in the column SPLIT, which corefscope "
            "does not read; expected ElementOf in the column IDENTITY"
        )
        yield Finding(Code.SPLIT_COLUMN, message, file=file, line=cells[0].line)


def _add_entities(markables: tuple[Markable, ...], builder: Builder) -> None:
    """Add the referring markables that are closed."""
    entities: dict[str, int] = {}
    for markable in markables:
        if markable.entity.endswith(NON_REFERRING) or not markable.parts:
            continue
        if markable.entity not in entities:
            entities[markable.entity] = builder.entity(markable.entity)
        parts = markable.parts if len(markable.parts) == 1 else merged(markable.parts)
        builder.parted_mention(entities[markable.entity], parts, markable.line or 0)
