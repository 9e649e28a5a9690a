"""Scores that were written as JSON, read back: a result file stands for the system it is of."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from corefscope.alignment import absences, refuse
from corefscope.comparison import Options
from corefscope.corpus import Corpus
from corefscope.findings import Code, Finding, InvalidInput, UnknownName
from corefscope.metrics import CONLL, METRICS
from corefscope.metrics.counts import Average, Score
from corefscope.profiles import (
    PROFILES,
    BlancKinds,
    Duplicates,
    Profile,
    SingletonRule,
    parse_signature,
)
from corefscope.scoring import Scores, doubts, score_corpora

BEGINNING = 200
"""Characters by which a result file is told from other JSON."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredSystem:
    """A system as a result file has it."""

    name: str
    response: str
    signature: str
    f1: Mapping[str, float]
    """The F1 of each metric, and ``conll``."""
    key: Mapping[str, float]
    """What depends on the key alone: the denominator of recall of some metrics."""
    scores: Scores | None
    """All of it, where the file has the counts of each document."""
    key_digest: str | None = None
    """What tells the key that it was scored against."""


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


def read_result(path: str) -> list[StoredSystem]:
    """Read the systems of a result file that ``corefscope score --format json`` wrote."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(
            [Finding(Code.UNREADABLE, f"{error.strerror}; expected a file of results", path)]
        ) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            [
                Finding(
                    Code.BAD_JSON,
                    f"not JSON: {error}; expected what score --format json writes",
                    path,
                )
            ]
        ) from None
    try:
        digest = record.get("key_digest")
        return [replace(_system(s), key_digest=digest) for s in record["systems"]]
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        message = (
            f"not the scores of a system ({type(error).__name__}: {error}); expected what "
            "corefscope score --format json writes"
        )
        raise InvalidInput([Finding(Code.BAD_RESULT, message, path)]) from None


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
        raise InvalidInput([Finding(Code.UNLIKE_RESULTS, ANOTHER_KEY, path)])
    return checked(_whole(system, path), key, options, path)


def checked(scores: Scores, key: Corpus, options: Options, path: str | None = None) -> Scores:
    """Return scores with the metrics asked for; refuse those of another key or protocol."""
    expected = score_corpora(key, key, options)
    message = unlike(expected, scores)
    if message:
        raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, path)])
    counts = {id: scores.counts[id] for id in expected.counts}
    findings = [
        *scores.findings,
        *absences(path, scores.missing, scores.extra, options.missing),
        *doubts(key, counts, options),
    ]
    refuse(findings)
    return replace(scores, counts=counts, findings=tuple(dict.fromkeys(findings)))


ANOTHER_KEY = "these scores are of another key; expected the same entities"


def key_digest(key: Corpus) -> str:
    """Return a name for the entities of a key, by which results can be told to be of it.

    Spans are hashed as arrays in the order of the text, each with the entity it is in, entities
    numbered as they come.
    """
    digest = sha256("\n".join(key.document_names).encode("utf-8", "surrogatepass"))
    if key.mention_spans is None:
        for document in key:
            entities = sorted(sorted(repr(m.id) for m in entity) for entity in document.entities)
            digest.update(repr(entities).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:DIGITS]
    documents = key.entity_document[key.mention_entity].astype(np.int64)
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


TOLD_BY_KEY = ("mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise")


def _whole(system: StoredSystem, path: str) -> Scores:
    """Return the scores of a system with the counts of each document, or refuse."""
    if system.scores is None:
        message = (
            f"system {system.name!r} has no counts of its documents; expected a file written "
            "with --per-document"
        )
        raise InvalidInput([Finding(Code.BAD_RESULT, message, path)])
    return system.scores


def _system(record: Mapping[str, Any]) -> StoredSystem:
    metrics = {id: score for id, score in record["metrics"].items() if id in METRICS}
    f1 = {id: float(score["f1"]) for id, score in metrics.items()}
    if record["conll"] is not None:
        f1["conll"] = float(record["conll"])
        # What is not a number is near to none.
        if not abs(sum(f1[id] for id in CONLL) / len(CONLL) - f1["conll"]) <= 1e-9:
            raise ValueError("conll: not the mean of its three metrics")
    documents = record.get("per_document")
    return StoredSystem(
        str(record["name"]),
        str(record["response"]),
        str(record["signature"]),
        f1,
        {
            id: float(score["recall_counts"][1])
            for id, score in metrics.items()
            if id in TOLD_BY_KEY and "recall_counts" in score
        },
        None if documents is None else _scores(record, documents),
    )


def _scores(record: Mapping[str, Any], documents: list[Mapping[str, Any]]) -> Scores:
    profile = stored_profile(str(record["signature"]))
    ids = [id for id in record["metrics"] if id in METRICS]
    counts = {
        id: np.array(
            [_row(id, document["metrics"][id]) for document in documents], dtype=np.float64
        ).reshape(len(documents), -1)
        for id in ids
    }
    scores = Scores(
        counts,
        tuple(str(document["document"]) for document in documents),
        profile,
        tuple(map(str, record["documents"]["missing"])),
        tuple(map(str, record["documents"]["extra"])),
        skipped=int(parse_signature(str(record["signature"])).get("skipped", 0)),
    )
    for id in ids:
        if not abs(scores[id].f1 - float(record["metrics"][id]["f1"])) <= 1e-9:
            raise ValueError(f"{id}: the counts of the documents do not give the total")
    return scores


def _row(id: str, score: Mapping[str, Any]) -> list[float]:
    return METRICS[id].row_of(_score(id, score, METRICS[id].parts))


def _score(id: str, record: Mapping[str, Any], parts: Mapping[str, int]) -> Score:
    """Return the counts of a score; its figures follow from them."""
    (rn, rd), (pn, pd) = (map(float, record[f"{side}_counts"]) for side in SIDES)
    inner = {name: _score(id, record[name], {}) for name in parts}
    return Score(0.0, 0.0, 0.0, (rn, rd), (pn, pd), inner)


SIDES = ("recall", "precision")


def stored_profile(signature: str) -> Profile:
    """Return the protocol that a signature tells of."""
    fields = parse_signature(signature)
    rule, *exceptions = fields["singletons"].split(",")
    known = PROFILES.get(fields["profile"], Profile("custom", "choices of its own"))
    return replace(
        known,
        singletons=_singleton_rule(rule),
        singletons_in={
            metric: _singleton_rule(own)
            for metric, own in (exception.split("=") for exception in exceptions)
        },
        duplicates=_one_of(fields["duplicates"], Duplicates),
        average=_one_of(fields["average"], Average),
        blanc=_one_of(fields.get("blanc", "key"), BlancKinds),
    )


def _singleton_rule(value: str) -> SingletonRule:
    if value not in SINGLETON_RULES:
        raise ValueError(f"{value!r} in the signature; expected one of {SINGLETON_RULES}")
    return cast(SingletonRule, value)


SINGLETON_RULES = ("keep", "drop", "drop-response")


def _one_of(value: str, choices: Any) -> Any:
    if value not in get_args(choices):
        raise ValueError(f"{value!r} in the signature; expected one of {get_args(choices)}")
    return value
