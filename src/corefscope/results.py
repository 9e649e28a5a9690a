"""Scores that were written as JSON, read back: a result file stands for the system it is of."""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.matching.documents import absences, refuse
from corefscope.options import Options
from corefscope.profiles import parse_signature
from corefscope.scoring import Scores, doubts, score_corpora
from corefscope.stored import TOLD_BY_KEY, StoredSystem, read_result, stored_profile

BEGINNING = 200
"""Characters by which a result file is told from other JSON."""


def is_result(path: str) -> bool:
    """Tell whether a file holds results of ours."""
    # What cannot be read twice, such as a pipe, is left to those who read it once.
    if not os.path.isfile(path):  # noqa: PTH113 - it never raises
        return False
    try:
        with Path(path).open("rb") as file:
            begin = file.read(BEGINNING).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    except OSError:
        return False
    return begin.startswith("{") and begin[1:].lstrip().startswith('"corefscope"')


def stored_system(path: str, name: str | None) -> StoredSystem:
    """Return the only system of a result file, or the one of a name."""
    systems = {system.name: system for system in read_result(path)}
    if len(systems) == 1:
        return next(iter(systems.values()))
    if name not in systems:
        raise UnknownName(f"system in {path}", str(name), systems)
    return systems[name]


def stored_scores(path: str, name: str | None, key: Corpus, options: Options) -> Scores:
    """Return scores of a result file; refuse those of another key, protocol or metrics."""
    system = stored_system(path, name)
    if system.key_digest not in (None, key_digest(key)):
        raise InvalidInput([Finding(Code.UNLIKE_RESULTS, ANOTHER_KEY, file=path)])
    return checked(_whole(system, path), key, options, path)


def checked(scores: Scores, key: Corpus, options: Options, path: str | None = None) -> Scores:
    """Return scores with the metrics asked for; refuse those of another key or protocol."""
    expected = score_corpora(key, key, options)
    if sorted(scores.document_names) == sorted(expected.document_names):
        scores = scores.in_order_of(expected.document_names)
    message = unlike(expected, scores)
    if message:
        raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, file=path)])
    counts = {id: scores.counts[id] for id in expected.counts}
    findings = [
        *scores.findings,
        *absences(path, scores.missing, scores.extra, options.missing),
        *doubts(key, counts, options),
    ]
    refuse(findings)
    return replace(
        scores, counts=counts, findings=tuple(dict.fromkeys(findings)), path=path or scores.path
    )


ANOTHER_KEY = "these scores are of another key; expected the same entities"


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


DIGITS = 16


def unlike(expected: Scores, found: Scores) -> str | None:
    """Say in what scores were not computed as expected, if in anything."""
    lacking = [id for id in expected.counts if id not in found.counts]
    if lacking:
        return f"these scores lack the metrics {', '.join(lacking)}; expected all that are compared"
    if not same_rules(expected.signature, found.signature):
        return f"these scores have signature {found.signature}; expected {expected.signature}"
    if list(expected.document_names) != list(found.document_names):
        return "these scores are of other documents; expected those of the key, in its order"
    if _key_counts(expected, expected) != _key_counts(found, expected):
        return ANOTHER_KEY
    return None


def same_rules(signature: str, other: str) -> bool:
    """Tell whether two signatures are of the same rules and the same number of documents.

    The name of the profile and the number of skipped response files do not change the rules.
    """
    one, two = (
        {**parse_signature(each), "profile": "", "skipped": ""} for each in (signature, other)
    )
    return one == two


def _key_counts(scores: Scores, of: Scores) -> list[list[float]]:
    """Return what depends on the key alone: the denominators of recall of each document."""
    return [scores.counts[id][:, 1].tolist() for id in of.counts if id in TOLD_BY_KEY]


def _whole(system: StoredSystem, path: str) -> Scores:
    """Return the scores of a system with the counts of each document, or refuse."""
    if system.scores is None:
        message = (
            f"system {system.name!r} has no counts of its documents; expected a file with "
            "the scores of each document"
        )
        raise InvalidInput([Finding(Code.BAD_RESULT, message, file=path)])
    return system.scores


__all__ = [
    "ANOTHER_KEY",
    "StoredSystem",
    "checked",
    "is_result",
    "key_digest",
    "read_result",
    "same_rules",
    "stored_profile",
    "stored_scores",
    "stored_system",
    "unlike",
]
