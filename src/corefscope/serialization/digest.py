"""The digest of a key, which shows whether results belong to it."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from corefscope.corpus import Corpus

DIGITS = 16
"""Hexadecimal digits of a digest."""


def key_digest(key: Corpus) -> str:
    """Return a digest of the documents, mentions and entities of a key.

    It depends neither on the order of documents nor on the labels of entities: spans are hashed as
    arrays, sorted by document name and position, with entities numbered by first mention.
    """
    names = sorted(key.document_names)
    digest = sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    if not key.has_spans:
        for name in names:
            entities = sorted(sorted(repr(m.id) for m in entity) for entity in key[name].entities)
            digest.update(repr(entities).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:DIGITS]
    place = {name: number for number, name in enumerate(names)}
    places = np.array([place[name] for name in key.document_names], dtype=np.int64)
    documents = places[key.entity_document[key.mention_entity]]
    spans = key.mention_spans.astype(np.int64)
    order = np.lexsort((key.mention_entity, spans[:, 1], spans[:, 0], documents))
    _, first, entity = np.unique(key.mention_entity[order], return_index=True, return_inverse=True)
    numbered = np.argsort(np.argsort(first))[entity]
    digest.update(np.column_stack([documents[order], spans[order], numbered]).tobytes())
    return digest.hexdigest()[:DIGITS]
