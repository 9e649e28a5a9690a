"""Tokens that are not plain words: empty nodes, which stand for what is not said.

Universal Dependencies put an empty node, numbered ``3.1``, where a language drops a pronoun. Such
nodes are tokens of their document like all others. A response may have other empty nodes than its
key, so that the same word has another number there; :func:`word_places` gives every token a place
that is the same in both.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain

import numpy as np
from msgspec import Struct

from corefscope.corpus.arrays import Integers, rows_between
from corefscope.corpus.columns import Axis, Before, Selection


class Comments(Struct, frozen=True):
    """The comments of a CoNLL-U document that official scorers compare."""

    newdoc: str | None
    """The name after ``# newdoc``: empty if there is none, None without such a line."""
    sentence_ids: Sequence[bytes]
    """The ``sent_id`` of each sentence; empty if it has none."""


MOST_NODES = 1 << 20
"""Empty nodes that can stand between two words."""


class EmptyNodes(Struct, frozen=True, eq=False, kw_only=True):
    """The empty nodes of a corpus, one row per node, in the order of documents and tokens."""

    document: Integers
    token: Integers
    """Its number among all tokens of its document."""
    sentence: Integers
    """Its sentence, counted in its document from 0."""
    words_before: Integers
    """How many plain words of its document stand before it."""
    opens_sentence: Integers
    """1 if it stands before the first word of its sentence (``0.1``), else 0."""
    order: Integers
    """Its place among the nodes after the same word: 2 of ``3.2``."""
    line: Integers
    """Its line in its file; in JSON lines, that of its document."""
    ids: Sequence[str]
    """What its file calls it: ``3.2``."""
    dependencies: Sequence[str]
    """Its column DEPS: where it stands in the enhanced graph, as ``2:nsubj|4:nsubj``."""

    def __len__(self) -> int:
        return len(self.document)

    def rows_of(self, document: int) -> range:
        """Return the rows of the nodes of a document."""
        return rows_between(self.document, document, document + 1)

    def tokens_of(self, document: int) -> list[int]:
        """Return the tokens of a document that are empty nodes."""
        rows = self.rows_of(document)
        tokens: list[int] = self.token[rows.start : rows.stop].tolist()
        return tokens

    def selected(self, selection: Selection) -> EmptyNodes:
        """Return the nodes of some documents."""
        if selection.document is None:
            return self
        number = selection.numbers("document")
        return self.chosen(np.flatnonzero(number[self.document] >= 0), number)

    def chosen(self, rows: Integers, number: Integers) -> EmptyNodes:
        """Return some nodes in an order; ``number`` is the new one of each document."""
        kept = rows.tolist()
        numbers = {column: getattr(self, column)[rows] for column in NUMBERS}
        return EmptyNodes(
            **(numbers | {"document": number[numbers["document"]]}),
            ids=[self.ids[row] for row in kept],
            dependencies=[self.dependencies[row] for row in kept],
        )

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, EmptyNodes]], sizes: Mapping[Axis, int]
    ) -> EmptyNodes:
        """Put the nodes of several parts of a corpus together."""
        del sizes
        many = [nodes for _, nodes in blocks]
        numbers = {
            column: np.concatenate([getattr(nodes, column) for nodes in many]) for column in NUMBERS
        }
        numbers["document"] += np.repeat(
            [before.document for before, _ in blocks], [len(nodes) for nodes in many]
        )
        return cls(
            **numbers,
            ids=list(chain.from_iterable(nodes.ids for nodes in many)),
            dependencies=list(chain.from_iterable(nodes.dependencies for nodes in many)),
        )

    @classmethod
    def of_rows(
        cls, rows: Sequence[Sequence[int]] | Integers, names: Sequence[tuple[str, str]]
    ) -> EmptyNodes:
        """Return nodes, each with its numbers, and with its ID and dependencies."""
        if not len(rows):
            return NO_NODES
        numbers = np.array(rows, dtype=np.int64).T
        return cls(
            **dict(zip(NUMBERS, numbers, strict=True)),
            ids=[id for id, _ in names],
            dependencies=[dependencies for _, dependencies in names],
        )


NUMBERS = ("document", "token", "sentence", "words_before", "opens_sentence", "order", "line")
"""The columns of empty nodes that are numbers."""
_NONE = np.zeros(0, dtype=np.int64)
NO_NODES = EmptyNodes(**dict.fromkeys(NUMBERS, _NONE), ids=(), dependencies=())
"""The empty nodes of a corpus that has none."""


def sentence_digest(words: Iterable[int]) -> bytes:
    """Return a digest of the numbers of words in the sentences of a document."""
    return blake2b(np.fromiter(words, dtype="<i8").tobytes(), digest_size=8).digest()


def division(sentences: Iterable[range], hidden: Container[int]) -> bytes:
    """Return a digest of the numbers of words in sentences, some of whose tokens are no words."""
    return sentence_digest(sum(token not in hidden for token in sentence) for sentence in sentences)


def word_places(nodes: EmptyNodes, document: int, tokens: int) -> Integers:
    """Return a place for each token of a document, ascending: the same word has the same place.

    Words count; the nodes after a word stand between it and the next. Without empty nodes the
    place of a token says nothing more than its number.
    """
    rows = nodes.rows_of(document)
    some = slice(rows.start, rows.stop)
    is_word = np.ones(tokens, dtype=bool)
    is_word[nodes.token[some]] = False
    places = np.cumsum(is_word) * 2 * MOST_NODES
    places[nodes.token[some]] = (
        nodes.words_before[some] * 2 + nodes.opens_sentence[some]
    ) * MOST_NODES + nodes.order[some]
    return places
