"""Silent misreadings: a damaged file that is read differently, without a word."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import corefscope as cs
from corefscope import CorefscopeError, Corpus
from corefscope.scoring import as_corpus
from fuzzing.cases import Case, Violation
from fuzzing.damages import DAMAGES
from fuzzing.damages.catalogue import Damaged
from fuzzing.damages.valid import valid_change
from fuzzing.oracles.commands import DONE, GATE_FAILED, run_soundly
from fuzzing.oracles.readers import Partition, attempt, partitions
from fuzzing.oracles.violations import SILENT
from fuzzing.samples import KEY, SAMPLE, path_of, sample_path, scoring

Observation = tuple[Any, set[str]]
"""What a file says, None if it was refused; and all messages about it."""


def check_silence(case: Case) -> list[Violation]:
    """A damaged file that is read differently must not pass without a word."""
    return check_sample(case) if KEY in case.files else check_seed(case)


def check_seed(case: Case) -> list[Violation]:
    """Compare a seed with itself after a damage of its kind."""
    good, damage = next(iter(case.files)), DAMAGES[case.arguments[0]]
    damaged = write_damaged(case, Path())
    if damaged is None:
        return []
    before, messages = observe(case, good)
    if before is None or (case.label in CORPUS_KINDS and (messages or not is_plain(before))):
        return []  # Not a well-formed file, after it was minimised.
    after, more = observe(case, damaged)
    if after is None or more - messages or not differs(before, after):
        return []
    if damage.same_as and (known := damage.same_as(case.files[good], Random(case.arguments[1]))):
        Path(f"known-{good}").write_bytes(known)
        meaning, _ = observe(case, f"known-{good}")
        return [] if meaning == after else [_silent(case, "it is read as something else")]
    return [_silent(case, damage.why)] if damage.required else []


def damaged_file(case: Case) -> Damaged | None:
    """Return the file of a case that is damaged, or None if it cannot be damaged so."""
    name, place = case.arguments[:2]
    data = case.files[case.arguments[3]] if KEY in case.files else next(iter(case.files.values()))
    try:
        bad = DAMAGES[name].change(data, Random(place))
    except (ValueError, LookupError, TypeError, AttributeError, SyntaxError):
        return None  # The file was made too small for this damage while it was minimised.
    return None if bad is None or bad.data == data else bad


def write_damaged(case: Case, folder: Path) -> str | None:
    """Write the damaged file of a case; return what to read, or None if there is none."""
    bad = damaged_file(case)
    if bad is None:
        return None
    if KEY in case.files:
        return _write_sample(case, folder, bad.data)
    damaged = f"damaged-{next(iter(case.files))}"
    damaged += ".gz" if bad.data.startswith(b"\x1f\x8b") else ""
    (folder / damaged).write_bytes(bad.data)
    return damaged


def _write_sample(case: Case, folder: Path, bad: bytes) -> str:
    files = {
        name.removeprefix(f"{SAMPLE}/"): bad if name == case.arguments[3] else data
        for name, data in case.files.items()
        if name != KEY
    }
    for name, data in files.items():
        path = folder / "damaged" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path_of(files, "damaged")


def check_sample(case: Case) -> list[Violation]:
    """Score a sample before and after a damage: other scores need another finding."""
    bad, damaged = damaged_file(case), write_damaged(case, Path())
    if bad is None or damaged is None:
        return []
    before, messages = observe_sample(case, sample_path(case.files))
    after, more = observe_sample(case, damaged)
    if before is None or after is None or more - messages or before == after:
        return []
    name, _, role, file = case.arguments
    if valid_change(case.label, name, bad.place):
        return []
    where = f"{case.label}: {name} at {bad.place}"
    details = (
        f"{name} in {file}, the {role}, changes the scores, and no finding says so, although "
        f"{DAMAGES[name].why}"
    )
    return [Violation(kind=SILENT, where=where, details=details)]


def observe_sample(case: Case, path: str) -> Observation:
    """Return all counts of a sample against the key, or of the key against the sample."""
    outcome = run_soundly(observing(case, path))
    if outcome.status != DONE:
        return None, set()
    result = json.loads(outcome.stdout)
    # A message about the undamaged sample that only has other numbers says nothing new.
    messages = {
        f"{each['code']} {re.sub(r'[0-9]+', '0', each['message'].replace(path, 'FILE'))}"
        for each in result["findings"]
    }
    (system,) = result["systems"]
    # Documents without names are numbered, so another order gives other names.
    documents = sorted(json.dumps(each["metrics"]) for each in system["per_document"])
    return [system["metrics"], documents], messages


def _silent(case: Case, why: str) -> Violation:
    name, file = case.arguments[0], next(iter(case.files))
    details = f"{name} in {file} changes what is read, and no finding says so, although {why}"
    return Violation(kind=SILENT, where=f"{name}: {case.label}", details=details)


CORPUS_KINDS = ("conll", "jsonl", "json", "python")


def observing(case: Case, path: str) -> list[str]:
    """Return the command that shows what a file of a case says."""
    good, role = next(iter(case.files)), case.arguments[2]
    if KEY in case.files:
        pair = (KEY, path) if role == "response" else (path, KEY)
        return scoring(case.label, *pair, role)
    if case.label in CORPUS_KINDS:
        return ["score", *([good, path] if role == "response" else [path, good])]
    return [word.replace("FILE", path) for word in OBSERVED_BY[case.label]]


def observe(case: Case, path: str) -> Observation:
    """Run the command that shows what a file says; a corpus is read as well."""
    if case.label == "python":
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
