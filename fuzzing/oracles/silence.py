"""Silent misreadings: a mistake of the list that is read differently, without a word."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import corefscope as cs
from corefscope import CorefscopeError, Corpus
from corefscope.inputs import as_corpus
from fuzzing.cases import Case, Violation
from fuzzing.mistakes import CONLL, JSON, JSONL, MISTAKES, PYTHON
from fuzzing.oracles.commands import DONE, GATE_FAILED, run_soundly
from fuzzing.oracles.readers import Partition, attempt, partitions
from fuzzing.oracles.violations import SILENT

Observation = tuple[Any, set[str]]
"""What a file says, None if it was refused; and all messages about it."""


def check_silence(case: Case) -> list[Violation]:
    """A mistake is refused, reported by one of its codes, or makes no difference."""
    good, mistake = next(iter(case.files)), MISTAKES[case.arguments[0]]
    wrong = write_mistake(case, Path())
    if wrong is None:
        return []
    before, messages = observe(case, good)
    if before is None or (case.label in CORPUS_KINDS and (messages or not is_plain(before))):
        return []  # Not a well-formed file, after it was minimised.
    after, more = observe(case, wrong)
    if after is None or not differs(before, after):
        return []
    if any(f"[{code}]" in line for code in mistake.codes.split() for line in more - messages):
        return []
    said = sorted(more - messages) or "no finding"
    details = f"{case.arguments[0]} in {good} is read with {said}; seen: {mistake.seen}"
    return [Violation(kind=SILENT, where=f"{case.arguments[0]}: {case.label}", details=details)]


def write_mistake(case: Case, folder: Path) -> str | None:
    """Write the first file of a case with its mistake; return its name, or None without one."""
    name, place = case.arguments[:2]
    good, data = next(iter(case.files.items()))
    try:
        wrong = MISTAKES[name].change(data, Random(place))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None  # The file was made too small for this mistake while it was minimised.
    if wrong is None or wrong == data:
        return None
    (folder / f"wrong-{good}").write_bytes(wrong)
    return f"wrong-{good}"


CORPUS_KINDS = (CONLL, JSONL, JSON, PYTHON)


def observing(case: Case, path: str) -> list[str]:
    """Return the command that shows what a file of a case says."""
    good, role = next(iter(case.files)), case.arguments[2]
    if case.label in CORPUS_KINDS:
        return ["score", *([good, path] if role == "response" else [path, good])]
    return [word.replace("FILE", path) for word in OBSERVED_BY[case.label]]


def observe(case: Case, path: str) -> Observation:
    """Run the command that shows what a file says; a corpus is read as well."""
    if case.label == PYTHON:
        return observe_object(next(iter(case.files)), path, case.arguments[2])
    outcome = run_soundly(observing(case, path))
    messages = {line.replace(path, "FILE") for line in outcome.stderr.splitlines()}
    if outcome.status not in (DONE, GATE_FAILED):
        return None, messages
    if case.label not in CORPUS_KINDS:
        return outcome.stdout.decode().replace(path, "FILE"), messages
    corpus = attempt(lambda: cs.read(path))
    return None if corpus is None else contents(corpus), messages


def observe_object(good: str, path: str, role: str) -> Observation:
    """Score an object, which a file has as JSON, against the good one."""
    pair = [json.loads(Path(name).read_bytes()) for name in (good, path)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            cs.score(*(pair if role == "response" else pair[::-1]))
            read = contents(as_corpus(pair[1], "the response"))
        except (CorefscopeError, TypeError, ValueError) as error:
            return None, {str(error)}
    return read, {str(warning.message) for warning in caught}


Contents = dict[str, tuple[Partition, tuple[str, ...] | None]]
"""The entities and the words of each document."""


def contents(corpus: Corpus) -> Contents:
    """Return the entities and the words of each document."""
    words = {d.name: None if d.words is None else tuple(d.words) for d in corpus}
    return {name: (entities, words[name]) for name, entities in partitions(corpus).items()}


def is_plain(documents: Contents) -> bool:
    """Tell whether a file has mentions, and all of them are spans or all are text."""
    mentions = [m for entities, _ in documents.values() for entity in entities for m in entity]
    spans = [isinstance(m, tuple) and [type(part) for part in m] == [int, int] for m in mentions]
    texts = [isinstance(m, str) for m in mentions]
    return bool(mentions) and (all(spans) or all(texts))


def differs(before: Any, after: Any) -> bool:
    """Tell whether two observations differ; a text without words does not differ in words."""
    if not isinstance(before, Mapping) or before.keys() != after.keys():
        return bool(before != after)
    return any(
        before[name][0] != entities or (words is not None and before[name][1] != words)
        for name, (entities, words) in after.items()
    )


PAIR = ("full.key.conll", "full.response.conll")
THREE = (*PAIR, "b=full.key.conll", "--samples", "9")
OBSERVED_BY: dict[str, tuple[str, ...]] = {
    "names": ("nec", *PAIR, "--names", "FILE", "--format", "json"),
    "units": ("compare", *THREE, "--unit", "FILE", "--format", "json"),
    "results": ("gate", *PAIR, "--baseline", "FILE", "--format", "json"),
}
"""Commands whose output shows what other files say; ``FILE`` stands for the file."""
