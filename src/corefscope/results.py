"""Scores that were written as JSON, read back: a result file stands for the system it is of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

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
from corefscope.scoring import Scores, score_corpora

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
        raise InvalidInput([Finding(Code.UNREADABLE, str(error), path)]) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput([Finding(Code.BAD_JSON, f"not JSON: {error}", path)]) from None
    try:
        return [_system(system) for system in record["systems"]]
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
    scores = _whole(stored_system(path, name), path)
    wanted = [metric.id for metric in options.metrics]
    itself = score_corpora(key, key, options)
    for what, ours, theirs in (
        ("metrics", wanted, [id for id in wanted if id in scores.counts]),
        ("signature", itself.signature, scores.signature),
        ("documents", list(key.document_names), list(scores.document_names)),
        ("key", key_counts(itself, wanted), key_counts(scores, wanted)),
    ):
        if ours != theirs:
            raise InvalidInput([Finding(Code.UNLIKE_RESULTS, _unlike(what, ours, theirs), path)])
    return replace(scores, counts={id: scores.counts[id] for id in wanted})


def _unlike(what: str, ours: object, theirs: object) -> str:
    if what in ("metrics", "signature"):
        return f"these results have {what} {theirs}; expected {ours}"
    if what == "documents":
        return "these results are of other documents; expected those of the key, in its order"
    return "these results are of another key; expected the same entities"


def key_counts(scores: Scores, ids: Iterable[str]) -> dict[str, list[float]]:
    """Return what depends on the key alone: the denominators of recall of each document."""
    told = [id for id in ids if id in TOLD_BY_KEY and id in scores.counts]
    return {id: scores.counts[id][:, 1].tolist() for id in told}


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
        {id: float(metrics[id]["recall_counts"][1]) for id in TOLD_BY_KEY if id in metrics},
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
