"""Files of the shared tasks of Universal Anaphora (CODI-CRAC), in CoNLL-U Plus.

Each row is a token, and the comment `# global.columns` names the columns. A cell of the column
`IDENTITY`, such as `(EntityID=1|MarkableID=m3|Min=2`, opens a mention of entity 1, and a closing
bracket ends it. All rules are in [Formats](../ref/formats.md#ua).

- Tokens are counted line by line through a document. Empty nodes, whose ID has a point, count as
  well; the numbers in the column ID do not matter.
- Markables may have gaps, minimum spans, split antecedents (`ElementOf`) and bridging anchors.
- `ua:layer=deixis` reads the entities of discourse deixis instead of those of identity.
- The profiles `ua-1` and `ua-2` score these files as the official scorers do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from corefscope.choices import Layer
from corefscope.corpus.arrays import Integers
from corefscope.corpus.columns import OwnColumns
from corefscope.corpus.layers import TextColumns
from corefscope.corpus.mentions import Parts, merged
from corefscope.corpus.words import EmptyNodes
from corefscope.extensions.universal_anaphora.anaphora import (
    NON_REFERRING,
    Anaphora,
    MarkableColumns,
    Markables,
)
from corefscope.extensions.universal_anaphora.columns import (
    COLUMN_OF,
    DECLARATION,
    NEW_DOCUMENT,
    TEXT_LAYERS,
    NamedColumns,
)
from corefscope.extensions.universal_anaphora.markables import (
    NOTHING,
    FilledCells,
    MarkableReader,
    read_bridges,
)
from corefscope.findings import Code, Finding
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.builder import Builder, digest
from corefscope.formats.reading.file import File
from corefscope.formats.reading.source import Progress, Source

NAMING = re.compile(f"#.*(?:newdoc|{re.escape(DECLARATION)})")
"""A comment that may name a document or columns."""
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


class _Draft(Struct, kw_only=True):
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
    words: list[bytes] = field(default_factory=list)
    """The words that are not empty nodes, each with a newline after it."""
    nodes: list[_EmptyNode] = field(default_factory=list)
    cells: defaultdict[str, FilledCells] = field(default_factory=lambda: defaultdict(FilledCells))
    """The cells that are not empty, by column."""


def read(file: File) -> None:
    """Read the documents of a file into the corpus; its entities are those of a layer."""
    drafts: dict[str, _Draft] = {}
    for draft in _FileReader(file.source, file.builder).documents(file.progress):
        if draft.name in drafts:
            first = drafts.pop(draft.name)
            file.report(
                Code.IGNORED,
                f"document {draft.name!r} is already on line {first.line}",
                draft.line,
                expected=(
                    "unique names. Like the official scorers, corefscope uses the last document "
                    "with this name: rename one of them"
                ),
            )
        drafts[draft.name] = draft
    if not drafts:
        file.report(
            Code.NO_DOCUMENT,
            "the file contains no document",
            expected="lines of columns with markables",
        )
    for draft in drafts.values():
        _add_document(draft, file.source, file.builder, file.options.layer)


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
        number = 0
        for offset, block in self.source.blocks(progress):
            # The first document begins after a byte-order mark.
            draft.start = draft.start if number else offset
            self.builder.check_bytes(block, self.source.name, number)
            for data in block.splitlines(keepends=True):
                number += 1
                line = data.decode(errors="surrogateescape").rstrip("\r\n")
                name = self._comment(line, number) if NAMING.match(line) else None
                if name is not None and draft.is_named:
                    draft.stop = offset
                    if draft.tokens:
                        yield draft
                    draft = self._begin(name, number, offset)
                elif name is not None:
                    # Lines before the first name belong to the first document.
                    draft.name, draft.line, draft.is_named = name, number, True
                offset += len(data)
                if line[:1] == "#":
                    draft.columns = self.columns
                else:
                    self._add(draft, line, number)
            draft.stop = offset
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
            self._report(
                Code.BAD_SHAPE,
                "the document has no name",
                number,
                expected="'# newdoc id = NAME': add a name",
            )
        return name

    def _add(self, draft: _Draft, line: str, number: int) -> None:
        """Add a row; a blank line ends a sentence."""
        columns = draft.columns
        fields = columns.fields(line) if line else []
        if not fields:
            draft.is_sentence_open = False
            return
        self._check(fields, line, number, columns)
        # A sentence begins with the first row after a blank line.
        draft.sentences += not draft.is_sentence_open
        draft.is_sentence_open = True
        is_node = "." in fields[0] and fields[0][0] in "0123456789"
        if is_node:
            draft.nodes.append(_node(draft, fields, number))
        else:
            word = fields[1] if len(fields) > 1 else ""
            draft.words.append(f"{word}\n".encode(errors="surrogateescape"))
        for name, place in columns.annotations:
            if place < len(fields) and fields[place] != NOTHING:
                cells = draft.cells[name]
                cells.texts.append(fields[place])
                cells.tokens.append(draft.tokens)
                cells.lines.append(number)
                cells.are_nodes.append(is_node)
        draft.tokens += 1

    def _check(self, fields: list[str], line: str, number: int, columns: NamedColumns) -> None:
        """Report a line that does not have the expected columns, or that is doubtful."""
        needed = columns.markables
        if needed is None:
            self._report_once(
                Code.BAD_SHAPE,
                "'# global.columns' does not name IDENTITY",
                number,
                expected="this column, which contains the markables",
            )
        elif len(fields) <= needed:
            found = f"{len(fields)} columns" if len(fields) != 1 else "1 column"
            self._report(
                Code.BAD_SHAPE,
                f"the line has {found}",
                number,
                expected=(
                    f"{len(columns.names)}, with IDENTITY as column {needed + 1}: write _ for an "
                    "empty cell"
                ),
            )
        elif columns.is_declared and (len(fields) != len(columns.names) or fields != line.split()):
            self._report_once(
                Code.DOUBTFUL_COLUMN,
                f"the line has {len(line.split())} columns separated by spaces or tabs",
                number,
                expected=(
                    f"{len(columns.names)}, with _ for an empty cell, and no spaces inside cells; "
                    "other lines may be wrong, too"
                ),
            )
        if "-" in fields[0] and MULTIWORD.fullmatch(fields[0]):
            self._report_once(
                Code.IRREGULAR,
                f"the multiword line {fields[0]} counts as a token, as in the official scorers",
                number,
                expected="only lines of words and empty nodes: remove such lines",
            )

    def _report(self, code: Code, found: str, line: int, *, expected: str | None = None) -> None:
        self.builder.report(code, found, self.source.name, line, expected=expected)

    def _report_once(
        self, code: Code, found: str, line: int, *, expected: str | None = None
    ) -> None:
        """Report something once per file."""
        if code not in self.warned:
            self.warned.add(code)
            self._report(code, found, line, expected=expected)


def _node(draft: _Draft, fields: Sequence[str], line: int) -> _EmptyNode:
    """Return an empty node; how many words and nodes stand before it identifies it."""
    deps = draft.columns.place("DEPS")
    last = draft.nodes[-1] if draft.nodes else None
    words = len(draft.words)
    return _EmptyNode(
        token=draft.tokens,
        sentence=draft.sentences - 1,
        words_before=words,
        order=last.order + 1 if last is not None and last.words_before == words else 1,
        line=line,
        id=fields[0],
        dependencies=NOTHING if deps is None or deps >= len(fields) else fields[deps],
    )


def _empty_nodes(nodes: Sequence[_EmptyNode]) -> EmptyNodes:
    rows = [(0, n.token, n.sentence, n.words_before, 0, n.order, n.line) for n in nodes]
    return EmptyNodes.of_rows(rows, [(node.id, node.dependencies) for node in nodes])


def _add_document(draft: _Draft, source: Source, builder: Builder, layer: Layer) -> None:
    """Add a document with the entities of a layer, and what its layers say beyond them."""
    found = {each: _read_layer(draft, each, source.name) for each in COLUMN_OF}
    chosen, said = found[layer]
    for finding in (*said.findings, *_unread(draft, source.name)):
        builder.add(finding)
    entities, mentions, parts = _mentions(chosen)
    layers = {each: [markables] for each, (_, markables) in found.items()}
    builder.add_block(
        Block(
            names=(draft.name,),
            is_named=draft.is_named,
            lines=(draft.line,),
            tokens=(draft.tokens,),
            digests=(digest(b"".join(draft.words)),),
            places=((source, draft.start, draft.stop, UaDocumentReader(draft.columns)),),
            labels=entities,
            mentions=mentions,
            columns={
                "mention_parts": parts,
                "empty_nodes": _empty_nodes(draft.nodes),
                "own": OwnColumns(anaphora=Anaphora(layers, layer)),
            },
        )
    )


def _read_layer(draft: _Draft, layer: Layer, file: str) -> tuple[MarkableColumns, Markables]:
    """Return the markables of a layer, and all that the layer says."""
    reader = MarkableReader(draft.cells[COLUMN_OF[layer]], file, len(draft.nodes))
    markables, findings = reader.read(), reader.findings
    if layer != "identity":
        return markables, Markables(markables, findings=tuple(findings))
    bridges, skipped = read_bridges(draft.cells["BRIDGING"], markables.ids, file)
    return markables, Markables(markables, tuple(bridges), (*findings, *skipped))


def _unread(draft: _Draft, file: str) -> Iterator[Finding]:
    """Report split antecedents in a column of their own, which the official scorers lack."""
    lines = draft.cells["SPLIT"].lines
    if lines:
        yield Finding(
            Code.IGNORED,
            f"document {draft.name!r} has split antecedents in the column SPLIT, which corefscope "
            "does not read",
            expected="ElementOf in the column IDENTITY",
            file=file,
            line=lines[0],
        )


def _mentions(markables: MarkableColumns) -> tuple[list[str], Integers, dict[int, Parts]]:
    """Return the entities and the mentions of referring markables that are closed."""
    entities: dict[str, int] = {}
    rows = np.empty((len(markables.ids), 4), np.int32)
    rows[:, 0] = [
        -1
        if end is None or label.endswith(NON_REFERRING)
        else entities.setdefault(label, len(entities))
        for label, end in zip(markables.entities, markables.ends, strict=True)
    ]
    rows[:, 1] = markables.starts
    rows[:, 2] = [end or 0 for end in markables.ends]
    rows[:, 3] = markables.lines
    is_given = rows[:, 0] >= 0
    numbers = np.cumsum(is_given) - 1
    gaps = {
        int(numbers[number]): spans
        for number, parts in sorted(markables.parts.items())
        if is_given[number] and len(spans := merged(parts)) > 1
    }
    return list(entities), rows[is_given], gaps


class UaDocumentReader(Struct, frozen=True):
    """Reads the text of a document from its lines."""

    columns: NamedColumns

    def __call__(self, block: bytes) -> TextColumns:
        """Return the words of a document, and the layers that are not empty."""
        rows: list[list[str]] = []
        sentences: list[range] = []
        begin = 0
        for fields in self._rows(block):
            if fields:
                rows.append(fields)
            elif len(rows) > begin:
                sentences.append(range(begin, len(rows)))
                begin = len(rows)
        if len(rows) > begin:
            sentences.append(range(begin, len(rows)))
        return TextColumns(sentences=sentences, columns=self._layers(rows, sentences))

    def _rows(self, block: bytes) -> Iterator[list[str]]:
        """Yield the cells of each line, none for a blank line."""
        for line in block.splitlines():
            if not _is_comment(line):
                yield self.columns.fields(line.decode(errors="surrogateescape"))

    def _layers(self, rows: list[list[str]], sentences: list[range]) -> Mapping[str, list[str]]:
        layers: dict[str, list[str]] = {}
        for layer, name in TEXT_LAYERS.items():
            if name not in self.columns.names:
                continue
            values = self._values(rows, name)
            if layer == "words" or any(value != NOTHING for value in values):
                layers[layer] = values
        if "heads" in layers:
            layers["heads"] = _tokens_of(layers["heads"], [row[0] for row in rows], sentences)
        return layers

    def _values(self, rows: list[list[str]], name: str) -> list[str]:
        """Return the values of a column that the file has."""
        place = self.columns.names.index(name)
        return [row[place] if place < len(row) else NOTHING for row in rows]


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"#")


def _tokens_of(heads: list[str], ids: list[str], sentences: list[range]) -> list[str]:
    """Return the token that each token depends on, −1 for a root."""
    found: list[str] = []
    for sentence in sentences:
        known = {ids[token]: str(token) for token in sentence}
        found += [known.get(heads[token], "-1") for token in sentence]
    return found
