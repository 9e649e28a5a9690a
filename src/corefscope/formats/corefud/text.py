"""The text of CoNLL-U: words, lemmas, tags, features, dependencies, and types of entities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from corefscope.choices import HeadSource
from corefscope.corpus.layers import MentionAttributes, TextColumns
from corefscope.findings import Finding
from corefscope.formats.corefud.brackets import EntityBrackets
from corefscope.formats.corefud.declaration import Declaration
from corefscope.formats.corefud.document import BracketMentions, EntityCells, read_mentions
from corefscope.formats.corefud.lines import DEPS, ConlluLines

if TYPE_CHECKING:
    from corefscope.language.dependencies import DependencyTree

COLUMNS = {"words": 1, "lemmas": 2, "tags": 3, "xpos": 4, "feats": 5, "deprels": 7}
"""The layers that are columns."""
HEAD_COLUMN = 6
LEVELS = {"PROPN": "NAM", "PRON": "PRO"}
"""The levels of mentions by the tags of their heads; others are nominal."""
DEPENDENCY = re.compile(r"(\d+)(?:\.(\d+))?:([^|]*)")


class CorefudDocumentReader(Struct, frozen=True):
    """Reads the text of a document from its lines."""

    declaration: Declaration | None
    head: HeadSource

    def __call__(self, block: bytes) -> TextColumns:
        """Return the layers of a document, each of which is read when it is first needed."""
        lines = ConlluLines(block if block.endswith(b"\n") else block + b"\n")
        sentence = lines.tokens.sentence
        begins = [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), len(sentence)]
        ranges = [range(first, last) for first, last in pairwise(begins) if first < last]
        layers = CorefudLayers(lines, ranges)
        return TextColumns(
            sentences=ranges, columns=layers, attributes=_Attributes(lines, layers, self)
        )


class CorefudLayers(Mapping[str, list[str]]):
    """The layers of a document. A column of nothing but ``_`` is no layer."""

    def __init__(self, lines: ConlluLines, sentences: list[range]) -> None:
        self.lines = lines
        self.sentences = sentences
        self._read: dict[str, list[str] | None] = {}

    def __iter__(self) -> Iterator[str]:
        return (layer for layer in (*COLUMNS, "heads") if self._layer(layer) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, layer: str) -> list[str]:
        values = self._layer(layer)
        if values is None:
            raise KeyError(layer)
        return values

    def root(self, first: int, last: int) -> int:
        """Return the first word that depends on none of the others; without a tree, the first."""
        return first if self._tree is None else self._tree.root(first, last)

    @cached_property
    def _tree(self) -> DependencyTree | None:
        # Loaded here because nearly all files give the heads of mentions.
        from corefscope.language import UniversalLayers

        empty = np.flatnonzero(self.lines.tokens.minor).tolist()
        return UniversalLayers(heads=self._layer("heads"), empty=frozenset(empty)).tree

    def _layer(self, layer: str) -> list[str] | None:
        if layer not in self._read:
            self._read[layer] = self._find(layer)
        return self._read[layer]

    def _find(self, layer: str) -> list[str] | None:
        if layer not in COLUMNS and layer != "heads":
            return None
        values = self._column(COLUMNS.get(layer, HEAD_COLUMN))
        if layer != "words" and not set(values) - {"_"}:
            return None
        if layer == "heads":
            return self._heads(values)
        if layer == "deprels":
            for token, (_, _, relation) in self._dependencies.items():
                values[token] = relation if values[token] == "_" else values[token]
        return values

    def _column(self, column: int) -> list[str]:
        text, _ = self.lines.column(self.lines.tokens.line, column)
        values = text.decode(errors="surrogateescape").split("\n")[:-1]
        return [value or "_" for value in values]

    @cached_property
    def _dependencies(self) -> dict[int, tuple[int, int, str]]:
        """What each empty node depends on first in DEPS: two numbers of an ID, and the relation."""
        found: dict[int, tuple[int, int, str]] = {}
        tokens = self.lines.tokens
        for token in np.flatnonzero(tokens.minor).tolist():
            text = self.lines.field(int(tokens.line[token]), DEPS)
            if match := DEPENDENCY.match(text.decode(errors="surrogateescape")):
                found[token] = int(match[1]), int(match[2] or 0), match[3]
        return found

    def _heads(self, values: list[str]) -> list[str]:
        """Return the token that each token depends on, −1 for a root."""
        tokens = self.lines.tokens
        heads: list[str] = []
        for sentence in self.sentences:
            place = slice(sentence.start, sentence.stop)
            ids = zip(tokens.major[place].tolist(), tokens.minor[place].tolist(), strict=True)
            known = {id: str(token) for id, token in zip(ids, sentence, strict=True)}
            for token in sentence:
                value = values[token]
                id = (int(value), 0) if value.isascii() and value.isdigit() else (0, 0)
                if token in self._dependencies:
                    id = self._dependencies[token][:2]
                heads.append(known.get(id, "-1"))
        return heads


class _Attributes(Mapping[tuple[int, int], MentionAttributes]):
    """The types of entities and the levels of mentions, read when they are first needed."""

    def __init__(
        self, lines: ConlluLines, layers: CorefudLayers, reader: CorefudDocumentReader
    ) -> None:
        self.lines = lines
        self.layers = layers
        self.reader = reader

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, span: tuple[int, int]) -> MentionAttributes:
        return self._found[span]

    @cached_property
    def _found(self) -> dict[tuple[int, int], MentionAttributes]:
        if self.reader.declaration is None:
            return {}
        mentions = annotated(self.lines, self.reader.declaration, self.reader.head)
        if not any(mentions.types):
            return {}
        tags = self.layers.get("tags")
        gives_heads = self.reader.declaration.has_heads(self.reader.head)
        found: dict[tuple[int, int], MentionAttributes] = {}
        rows = zip(
            mentions.entity.tolist(),
            mentions.first.tolist(),
            mentions.last.tolist(),
            mentions.head.tolist(),
            strict=True,
        )
        for row, (entity, first, last, head) in enumerate(rows):
            token = head if gives_heads else self.layers.root(first, last)
            level = LEVELS.get(tags[token], "NOM") if tags else None
            said = MentionAttributes(mentions.types[entity] or None, level)
            # A mention without gaps says more about its tokens than one with gaps around them.
            if row not in mentions.parts or (first, last) not in found:
                found[first, last] = said
        return found


def annotated(lines: ConlluLines, declaration: Declaration, head: HeadSource) -> BracketMentions:
    """Read the mentions of a document again; what is wrong was reported the first time."""
    line, texts, _ = lines.entities()
    token = lines.token_of_line[line]
    said = {t: text for t, text in zip(token.tolist(), texts, strict=True) if t >= 0 and text}
    tokens = sorted(said)
    annotation = EntityCells(
        tokens=tokens, lines=[0] * len(tokens), texts=[said[token] for token in tokens]
    )
    return read_mentions(
        annotation, EntityBrackets(declaration=declaration, report=_ignore, head=head)
    )


def _ignore(finding: Finding) -> None:
    """Report nothing."""
