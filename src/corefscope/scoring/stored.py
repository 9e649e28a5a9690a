"""Stored scores: a file of scores can be given in place of a response."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Remedy
from corefscope.matching.documents import absences, refuse
from corefscope.options import Options
from corefscope.scoring.measure import doubts, score_corpora
from corefscope.scoring.scores import ANOTHER_KEY, Scores, unlike

if TYPE_CHECKING:
    from corefscope.scoring.stored_reading import StoredSystem


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


def stored_system(path: str, name: str | None) -> StoredSystem:
    """Return the only system of a file of scores, or the one with the given name."""
    from corefscope.scoring.stored_reading import read_result

    systems = {system.name: system for system in read_result(path)}
    if len(systems) == 1:
        return next(iter(systems.values()))
    if name not in systems:
        raise UnknownName(f"system in {path}", str(name), systems)
    return systems[name]


def stored_scores(path: str, name: str | None, key: Corpus, options: Options) -> Scores:
    """Return the scores of a file; refuse those of another key, protocol or metrics."""
    system = stored_system(path, name)
    if system.key_digest not in (None, key_digest(key)):
        raise InvalidInput([ANOTHER_KEY.at(path)])
    return checked(_whole(system, path), key, options, path)


def checked(scores: Scores, key: Corpus, options: Options, path: str | None = None) -> Scores:
    """Return scores with the requested metrics; refuse those of another key or protocol."""
    expected = score_corpora(key, key, options)
    if sorted(scores.document_names) == sorted(expected.document_names):
        scores = scores.in_order_of(expected.document_names)
    difference = unlike(expected, scores)
    if difference is not None:
        raise InvalidInput([difference.at(path)])
    counts = {id: scores.counts[id] for id in expected.counts}
    findings = [
        *scores.findings,
        *absences(path, scores.missing, scores.extra, options.missing),
        *doubts(key.path, counts, options),
    ]
    refuse(findings)
    return replace(
        scores,
        units=expected.units,
        counts=counts,
        findings=tuple(dict.fromkeys(findings)),
        path=path or scores.path,
    )


def _whole(system: StoredSystem, path: str) -> Scores:
    """Return the scores of a system; refuse it if the counts of the documents are missing."""
    if system.scores is None:
        raise InvalidInput.of(
            Code.BAD_RESULT,
            f"system {system.name!r} has no counts of its documents",
            expected="a file with the scores of each document",
            file=path,
            remedy=Remedy.WRITE_DOCUMENT_SCORES,
        )
    return system.scores
