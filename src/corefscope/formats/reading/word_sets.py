"""Collects what only some formats have: gaps, heads, empty nodes, links, fields of brackets."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias, TypedDict

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.corpus.links import Antecedents, Bridge, Bridges, Openings
from corefscope.corpus.words import NO_NODES, EmptyNodes
from corefscope.records import dataclass

NODE_COLUMNS = (
    "document",
    "token",
    "sentence",
    "words_before",
    "opens_sentence",
    "order",
    "line",
)


GivenNode: TypeAlias = tuple[int, str, str]
"""Token, ID and dependencies of an empty node."""


class FilledColumns(TypedDict):
    """The columns of a corpus that are filled here."""

    mention_parts: Mapping[int, tuple[tuple[int, int], ...]]
    mention_heads: Integers | None
    empty_nodes: EmptyNodes
    split_antecedents: Antecedents
    bridges: Bridges
    openings: Openings | None


@dataclass(slots=True, eq=False, kw_only=True)
class WordColumns:
    """Rows are those of the builder: mentions in the order in which they were added."""

    parts: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    heads: array[int] = field(default_factory=lambda: array("i"))
    """The heads of the first mentions; those added later have none."""
    has_heads: bool = False
    """Whether a format has heads, even if a file has no mention."""
    antecedents: dict[int, tuple[int, ...]] = field(default_factory=dict)
    bridges: list[Bridge] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)
    """The texts of the opening brackets of the first mentions; those added later have none."""
    types: list[str] = field(default_factory=list)
    """The types of the first entities; those added later have none."""
    fields: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The declared fields of brackets, by document."""
    head_field: str = "head"
    """The field that heads are read from, where it is declared."""
    nodes: list[Integers] = field(default_factory=list)
    """The columns of the empty nodes of each document that has some."""
    node_ids: list[str] = field(default_factory=list)
    node_dependencies: list[str] = field(default_factory=list)

    def add_heads(self, row: int, heads: Sequence[int] | Integers) -> None:
        """Add the heads of mentions from a row on."""
        self.has_heads = True
        self.heads.extend([-1] * (row - len(self.heads)))
        self.heads.extend(np.asarray(heads, dtype=np.int64).tolist())

    def add_openings(self, row: int, texts: Sequence[str]) -> None:
        """Add the texts of opening brackets from a row on."""
        self.openings.extend([""] * (row - len(self.openings)))
        self.openings.extend(texts)

    def add_types(self, entity: int, types: Sequence[str]) -> None:
        """Add the types of entities from one on."""
        self.types.extend([""] * (entity - len(self.types)))
        self.types.extend(types)

    def add_nodes(
        self,
        document: int,
        nodes: Sequence[GivenNode],
        sentences: Sequence[Sequence[str]],
        line: int,
    ) -> None:
        """Add the empty nodes of a document, which stands on a line of its file."""
        sentence_of = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
        tokens = np.array([token for token, *_ in nodes])
        ids = [id.split(".") for _, id, _ in nodes]
        self.nodes.append(
            np.stack(
                (
                    np.full(len(nodes), document),
                    tokens,
                    sentence_of[tokens],
                    tokens - np.arange(len(nodes)),
                    [major == "0" for major, _ in ids],
                    [int(minor) for _, minor in ids],
                    np.full(len(nodes), line),
                )
            )
        )
        self.node_ids += [id for _, id, _ in nodes]
        self.node_dependencies += [dependencies for *_, dependencies in nodes]

    def columns(self, order: Integers, documents: int, entities: int) -> FilledColumns:
        """Return the columns of a corpus in the given order of rows."""
        rows = len(order)
        heads, texts = None, None
        if self.has_heads:
            padded = [*self.heads, *[-1] * (rows - len(self.heads))]
            heads = np.array(padded, dtype=np.int64)[order]
        if self.fields:
            said = [*self.openings, *[""] * (rows - len(self.openings))]
            fields = [self.fields.get(document, ()) for document in range(documents)]
            types = [*self.types, *[""] * (entities - len(self.types))]
            texts = Openings(
                texts=[said[row] for row in order.tolist()],
                fields=fields,
                types=types,
                head_field=self.head_field,
            )
        new = np.empty(rows, dtype=np.int64)
        new[order] = np.arange(rows)
        return FilledColumns(
            mention_parts={int(new[row]): parts for row, parts in self.parts.items()},
            mention_heads=heads,
            empty_nodes=self._empty_nodes(),
            split_antecedents=self.antecedents,
            bridges=Bridges(link._replace(mention=int(new[link.mention])) for link in self.bridges),
            openings=texts,
        )

    def _empty_nodes(self) -> EmptyNodes:
        if not self.nodes:
            return NO_NODES
        columns = np.concatenate(self.nodes, axis=1)
        return EmptyNodes(
            **dict(zip(NODE_COLUMNS, columns, strict=True)),
            ids=self.node_ids,
            dependencies=self.node_dependencies,
        )
