"""The text of files of Universal Anaphora: words, lemmas, tags, features and relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from corefscope.corpus.layers import TextColumns
from corefscope.formats.universal_anaphora.cells import NOTHING
from corefscope.formats.universal_anaphora.columns import (
    COLUMN_OF,
    NEW_DOCUMENT,
    TEXT_LAYERS,
    NamedColumns,
)
from corefscope.records import dataclass

FIELD = re.compile(r"[(|]([^=|()]+)=")
READ_FIELDS = frozenset({"EntityID", "MarkableID", "Min", "ElementOf"})
READ_COLUMNS = frozenset({"ID", "BRIDGING", *COLUMN_OF.values(), *TEXT_LAYERS.values()})


@dataclass(frozen=True, slots=True)
class UaDocumentReader:
    """Reads the text of a document from its lines."""

    columns: NamedColumns
    format: ClassVar[str] = "ua"

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

    def unread(self, block: bytes) -> Iterator[str]:
        """Yield the names of what the lines say and a corpus does not keep."""
        comments = [
            line.decode(errors="replace") for line in block.splitlines() if _is_comment(line)
        ]
        if not all(NEW_DOCUMENT.match(each) or NamedColumns.declared(each) for each in comments):
            yield "comments"
        rows = [fields for fields in self._rows(block) if fields]
        for name in self.columns.names:
            if name in COLUMN_OF.values():
                found = {
                    field for value in self._values(rows, name) for field in FIELD.findall(value)
                }
                yield from found - READ_FIELDS
            elif name not in READ_COLUMNS:
                # The DEPS of empty nodes are kept.
                some = [row for row in rows if name != "DEPS" or "." not in row[0]]
                if set(self._values(some, name)) - {NOTHING}:
                    yield name

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
