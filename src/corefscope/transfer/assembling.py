"""Put documents that were carried over to the tokens of the key back into their corpus."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import Corpus, Document, Integers
from corefscope.corpus.columns import OwnColumns
from corefscope.corpus.layers import TextColumns, TextLayers
from corefscope.corpus.words import NUMBERS, EmptyNodes
from corefscope.transfer.documents import NODE_WORD, CarriedDocument


def assembled(
    key: Corpus,
    response: Corpus,
    key_document: Integers,
    documents: Mapping[int, CarriedDocument],
) -> Corpus:
    """Return the response with some documents on the tokens of the key."""
    assert response.layers is not None
    spans = np.array(response.mention_spans)
    heads = None if response.mention_heads is None else np.array(response.mention_heads)
    tokens = np.array(response.document_tokens)
    parts = dict(response.mention_parts)
    cuts = dict(response.mention_cuts)
    keep = np.ones(len(spans), dtype=bool)
    for number, document in documents.items():
        tokens[number] = document.tokens
        for row in response.mentions_of(number):
            parts.pop(row, None)
            new = document.parts.get(row)
            keep[row] = new is not None
            if new is None:
                continue
            spans[row] = new[0][0], new[-1][1]
            if len(new) > 1:
                parts[row] = new
            if row in document.cuts:
                cuts[row] = document.cuts[row]
            if heads is not None:
                heads[row] = document.heads.get(row, -1)
    carried_over = replace(
        response,
        document_tokens=tokens,
        mention_spans=spans,
        mention_parts=parts,
        mention_cuts=cuts,
        mention_heads=heads,
        empty_nodes=_nodes(key, response, key_document, documents),
        own=OwnColumns(),
        word_digests=_digests(key, response, key_document, documents),
        copies=None,
        layers=CarriedLayers(
            own=response.layers,
            key=key,
            key_document=key_document,
            documents=documents,
        ),
        _index={},
    )
    return carried_over.with_mentions(keep)


def _digests(
    key: Corpus, response: Corpus, key_document: Integers, documents: Mapping[int, CarriedDocument]
) -> list[bytes | None] | None:
    """Return the digests of the words, which are those of the key in documents carried over."""
    if response.word_digests is None:
        return None
    digests = list(response.word_digests)
    for number in documents:
        known = key.word_digests
        digests[number] = None if known is None else known[int(key_document[number])]
    return digests


def _nodes(
    key: Corpus,
    response: Corpus,
    key_document: Integers,
    documents: Mapping[int, CarriedDocument],
) -> EmptyNodes:
    """Return the empty nodes of all documents."""
    old = response.empty_nodes
    numbers = zip(*(getattr(old, column).tolist() for column in NUMBERS), strict=True)
    columns = zip(numbers, zip(old.ids, old.dependencies, strict=True), strict=True)
    rows = [row for row in columns if row[0][0] not in documents]
    for number, document in documents.items():
        if document.nodes:
            place = _Sentences(key, int(key_document[number]))
            rows += [
                (
                    (
                        number,
                        token,
                        place.of(node.words_before - 1 + node.opens_sentence),
                        node.words_before,
                        node.opens_sentence,
                        node.order,
                        node.line,
                    ),
                    (node.id, node.dependencies),
                )
                for token, node in document.nodes
            ]
    rows.sort(key=lambda row: row[0][:2])
    return EmptyNodes.of_rows([own for own, _ in rows], [names for _, names in rows])


class _Sentences:
    """The sentences of a document of the key, counted in plain words."""

    def __init__(self, key: Corpus, document: int) -> None:
        empty = set(key.empty_nodes.tokens_of(document))
        self.ends = np.cumsum(
            [
                sum(token not in empty for token in sentence)
                for sentence in Document(key, document).sentences
            ]
        )

    def of(self, word: int) -> int:
        """Return the sentence of a plain word."""
        found = int(np.searchsorted(self.ends, max(word, 0), side="right"))
        return min(found, max(len(self.ends) - 1, 0))


class CarriedLayers(TextLayers, Struct, eq=False, kw_only=True):
    """The texts of a response, some of them on the tokens of the key."""

    own: TextLayers
    key: Corpus
    key_document: Integers
    documents: Mapping[int, CarriedDocument]

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document; of those carried over only the words."""
        if document not in self.documents:
            return self.own.text(document)
        carried_over = self.documents[document]
        words = [NODE_WORD] * carried_over.tokens
        for token, word in zip(carried_over.word_tokens, carried_over.words, strict=True):
            words[token] = word
        ends = _Sentences(self.key, int(self.key_document[document])).ends.tolist()
        stops = [
            carried_over.word_tokens[end] if end < len(carried_over.words) else len(words)
            for end in ends
        ]
        sentences = [range(a, b) for a, b in zip([0, *stops], stops, strict=False)]
        return TextColumns(sentences=sentences, columns={"words": words})
