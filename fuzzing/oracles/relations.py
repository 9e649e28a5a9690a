"""Relations that the scores of two valid files of JSON lines must satisfy.

Each function takes the paths of key and response and returns what is wrong, or None.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import corefscope as cs
from brute_force import METRICS
from corefscope import CorefscopeWarning, Scores
from corefscope.formats.registry import writings
from fuzzing.cases import Case, Violation
from fuzzing.oracles.commands import run_soundly
from fuzzing.oracles.readers import attempt, copy_of
from fuzzing.oracles.violations import broken
from fuzzing.samples import ONLY_RESPONSES, ROLES, sample_path, scoring

TOLERANCE = 1e-9
RATIOS = ("mentions", "muc", "b3", "ceafm", "ceafe", "lea")
"""Metrics whose recall and precision are one numerator over one denominator."""
Record = dict[str, Any]
Figures = dict[str, tuple[float, float, float]]


def figures(scores: Scores) -> Figures:
    """Return recall, precision and F1 of each metric."""
    return {id: (s.recall, s.precision, s.f1) for id, s in scores.metrics.items()}


def unlike(expected: Figures, found: Figures) -> str | None:
    """Return the first metric whose figures differ, or None."""
    for id, values in expected.items():
        if any(abs(a - b) > TOLERANCE for a, b in zip(values, found[id], strict=True)):
            return f"{id}: {values} became {found[id]}"
    return None


def records(path: str) -> list[Record]:
    """Read JSON lines without the package."""
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]


def write(path: str, lines: list[Record]) -> str:
    """Write JSON lines without the package."""
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def of_key_against_itself(key: str, response: str) -> str | None:
    """A key scores 1 against itself wherever there is something to score."""
    scores = cs.score(key, key)
    found = figures(scores)
    some = [id for id, score in scores.metrics.items() if score.recall_counts[1]]
    return unlike(dict.fromkeys(some, (1.0, 1.0, 1.0)), found)


def of_swapped_roles(key: str, response: str) -> str | None:
    """Key and response in each other's place: recall and precision change places."""
    names = {record["doc_key"] for record in records(key)}
    if names != {record["doc_key"] for record in records(response)}:
        return None  # Documents of one side alone are ignored in the response only.
    swapped = figures(cs.score(response, key))
    back = {id: (precision, recall, f1) for id, (recall, precision, f1) in swapped.items()}
    del back["blanc"]  # Where the key has no link of one kind, BLANC is defined by the key alone.
    return unlike(back, figures(cs.score(key, response)))


def of_reordered_files(key: str, response: str) -> str | None:
    """The order of documents, entities and mentions makes no difference."""
    turned = [
        {**record, "clusters": [cluster[::-1] for cluster in record["clusters"][::-1]]}
        for record in records(response)[::-1]
    ]
    if _repeats(turned):
        return None  # Which of two copies comes first does make a difference.
    found = cs.score(write("key-2.jsonl", records(key)[::-1]), write("response-2.jsonl", turned))
    return unlike(figures(cs.score(key, response)), figures(found))


def _repeats(lines: list[Record]) -> bool:
    spans = [[tuple(m) for c in record["clusters"] for m in c] for record in lines]
    return any(len(set(each)) < len(each) for each in spans)


def of_converted_files(key: str, response: str) -> str | None:
    """The scores are the same in every format that can hold the files."""
    texts = [[record[name] for name in ("doc_key", "sentences")] for record in records(key)]
    if texts != [[each["doc_key"], each["sentences"]] for each in records(response)]:
        return None  # Copies are paired by position, because some have no names.
    expected = figures(cs.score(key, response))
    for format in writings():
        copy = f"copy-{format}"
        if run_soundly(["convert", response, copy, "--to", format]).status == 0:
            scores = attempt(
                lambda f=format, c=copy: cs.score(key, copy_of(c, f), pair_by="position")  # type: ignore[misc]
            )
            problem = unlike(expected, figures(scores)) if scores else "the copy is refused"
            if problem:
                return f"{format}: {problem}"
    return None


def of_the_command(key: str, response: str) -> str | None:
    """``score --format json`` prints what Python computes, and figures follow from counts."""
    outcome = run_soundly(["score", key, response, "--format", "json"])
    if outcome.status != 0:
        return f"exit status {outcome.status}, but Python scores the files"
    metrics: dict[str, Any] = json.loads(outcome.stdout)["systems"][0]["metrics"]
    printed = {id: (m["recall"], m["precision"], m["f1"]) for id, m in metrics.items()}
    return unlike(figures(cs.score(key, response)), printed) or _not_from_counts(metrics)


def _not_from_counts(metrics: dict[str, Any]) -> str | None:
    for id in RATIOS:
        metric = metrics[id]
        recall, precision = (
            counts[0] / counts[1] if counts[1] else 0.0
            for counts in (metric["recall_counts"], metric["precision_counts"])
        )
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        found = {id: (metric["recall"], metric["precision"], metric["f1"])}
        problem = unlike({id: (recall, precision, f1)}, found)
        if problem:
            return f"counts of {problem}"
    return None


def of_streamed_documents(key: str, response: str) -> str | None:
    """A ``Scorer`` that sees one document after the other gives the same scores."""
    theirs = {record["doc_key"]: record["clusters"] for record in records(response)}
    scorer = cs.Scorer()
    for record in records(key):
        scorer.update(record["clusters"], theirs.get(record["doc_key"], []))
    return unlike(figures(cs.score(key, response)), figures(scorer.compute()))


RELATIONS: dict[str, Callable[[str, str], str | None]] = {
    relation.__name__.replace("_", " "): relation
    for relation in (
        of_key_against_itself,
        of_swapped_roles,
        of_reordered_files,
        of_converted_files,
        of_the_command,
        of_streamed_documents,
    )
}


def check_format(case: Case) -> list[Violation]:
    """Files of a format have the scores that the reference implementations compute."""
    sides = [{each["doc_key"]: each["clusters"] for each in records(f)} for f in ROLES]
    key, response = sides
    documents = [(_entities(key[name]), _entities(response[name])) for name in key]
    expected = {
        id: (float(score.recall), float(score.precision), float(score.f1))
        for id, metric in METRICS.items()
        for score in (metric(documents),)
    }
    (role,) = case.arguments
    path = sample_path(case.files)
    pair = (path, ROLES[1]) if role == "key" else (ROLES[0], path)
    words = scoring(case.label, *pair, role)
    if case.label in ONLY_RESPONSES:
        words += ["--response-format", case.label]  # Nothing shows what text without tags is.
    outcome = run_soundly(words)
    if outcome.status != 0:
        return [broken("a valid file is refused", case, outcome.stderr)]
    metrics: dict[str, Any] = json.loads(outcome.stdout)["systems"][0]["metrics"]
    found = {id: (m["recall"], m["precision"], m["f1"]) for id, m in metrics.items()}
    problem = unlike(expected, found)
    return [] if problem is None else [broken("scores through the format", case, problem)]


def _entities(clusters: list[list[list[int]]]) -> list[list[Hashable]]:
    return [[tuple(mention) for mention in cluster] for cluster in clusters]


def check_scores(case: Case) -> list[Violation]:
    """Relations between the scores of files that are valid."""
    key, response = case.files
    (name,) = case.arguments
    if attempt(lambda: (cs.read(key), cs.read(response), cs.score(key, response))) is None:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CorefscopeWarning)
        problem = RELATIONS[name](key, response)
    return [] if problem is None else [broken(f"{name} scores", case, problem)]
