"""A digest of a key, by which results can be told to be of it."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from corefscope.corpus import Corpus

DIGITS = 16
"""Hexadecimal digits of a digest."""


def key_digest(key: Corpus) -> str:
    """Return a name for the entities of a key, by which results can be told to be of it.

    Spans are hashed as arrays, in the order of the text and of the names of documents, each with
    the entity it is in, entities numbered as they come.
    """
    names = sorted(key.document_names)
    digest = sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    if key.mention_spans is None:
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
