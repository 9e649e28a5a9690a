"""Documents of a file in columns: what every reader gives to the builder.

Readers of different formats find different things, each in its own way; a block is what they have
in common. It has one document, or as many as a reader reads together. Documents, entities and
mentions are counted in the block from 0, so that a reader does not need to know what came before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from corefscope.corpus.arrays import Integers
from corefscope.corpus.layers import TextColumns
from corefscope.corpus.mentions import MentionId
from corefscope.corpus.words import EmptyNodes
from corefscope.formats.reading.source import Source

TextReader: TypeAlias = Callable[[bytes], TextColumns]
FilePlace: TypeAlias = "tuple[Source, int, int, TextReader | None]"
"""A file, where a document begins and ends in it, and what reads its text."""
GivenNode: TypeAlias = tuple[int, str, str]
"""Token, ID and dependencies of an empty node."""


class Block(Struct, frozen=True, eq=False, kw_only=True):
    """Documents of a file in columns."""

    names: Sequence[str]
    is_named: bool = True
    """Whether the names are in the file."""
    lines: Sequence[int | None]
    """The line on which each document begins, in formats with lines."""
    tokens: Sequence[int]
    digests: Sequence[bytes | None]
    """What stands for the words of each document, if they are known."""
    places: Sequence[FilePlace]
    entities: Sequence[int] | None = None
    """How many entities each document has; not needed if there is only one document."""
    labels: Sequence[str]
    """The names of the entities, document by document."""
    mentions: Integers
    """Entity, first token, last token and line of each mention, in the order of the documents."""
    ids: Mapping[int, MentionId] = field(default_factory=dict)
    """The mentions that are not spans."""
    columns: Mapping[str, object] = field(default_factory=dict)
    """Columns of the corpus that only some formats have, by name: those of mentions and entities
    count in the block, and those of documents have one value per document."""


def empty_nodes(nodes: Sequence[GivenNode], sentences: Iterable[int], line: int) -> EmptyNodes:
    """Return the empty nodes of a document.

    Parameters
    ----------
    nodes
        The token, ID and dependencies of each node, in order.
    sentences
        The number of tokens of each sentence.
    line
        The line of the document, which stands for that of the nodes.
    """
    lengths = list(sentences)
    tokens = np.array([token for token, *_ in nodes], np.int64)
    ids = [id.split(".") for _, id, _ in nodes]
    return EmptyNodes(
        document=np.zeros(len(nodes), np.int64),
        token=tokens,
        sentence=np.repeat(np.arange(len(lengths)), lengths)[tokens],
        words_before=tokens - np.arange(len(nodes)),
        opens_sentence=np.array([major == "0" for major, _ in ids], np.int64),
        order=np.array([int(minor) for _, minor in ids], np.int64),
        line=np.full(len(nodes), line),
        ids=[id for _, id, _ in nodes],
        dependencies=[dependencies for *_, dependencies in nodes],
    )
