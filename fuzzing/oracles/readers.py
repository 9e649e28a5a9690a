"""Readers and writers, and objects given to the functions in Python."""

from __future__ import annotations

import json
import traceback
import warnings
from collections.abc import Callable, Hashable
from typing import Any

import corefscope as cs
from corefscope import CorefscopeError, CorefscopeWarning, Corpus, Scores
from corefscope.choices import PairBy
from corefscope.formats.registry import writings
from corefscope.formats.writing.abilities import EVERYTHING, NAMES
from fuzzing.cases import Case, Violation
from fuzzing.coverage import PACKAGE
from fuzzing.oracles.violations import broken, failed
from fuzzing.samples import ONLY_RESPONSES, READ_AS, sample_path

NAMED = ONLY_RESPONSES | {"corefud"}
"""Formats that a copy is read in by name: words may look like the fields of another one."""


def attempt(action: Callable[[], Any]) -> Any:
    """Return what an action gives, or None where it is refused with a message."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CorefscopeWarning)
        try:
            return action()
        except CorefscopeError as error:
            assert str(error), "a refusal without a message"
            return None


def check_reader(case: Case) -> list[Violation]:
    """Whatever is read has text that fits its tokens, and is the same after a round trip."""
    path, format = sample_path(case.files), READ_AS.get(case.label)
    corpus = attempt(lambda: cs.read(path, format))
    if corpus is None:
        return []
    try:
        look_at(corpus)
        write_again(corpus, *case.arguments)
        scores = attempt(lambda: cs.score(corpus, cs.read(path, format)))
        counts = scores["mentions"].recall_counts if scores else (0, 0)
        assert counts[0] == counts[1], "a file against itself misses mentions"
    except AssertionError as error:
        return [broken(str(error), case, str(error))]
    return []


def look_at(corpus: Corpus) -> None:
    """Check that all layers of the text have a value for each token."""
    for document in corpus:
        if corpus.has_spans:
            tokens = [token for sentence in document.sentences for token in sentence]
            assert tokens == list(range(len(document))), "sentences do not cover the tokens"
        layers = (document.words, document.tags, document.parse, document.speakers, document.names)
        for layer in layers:
            assert layer is None or len(layer) == len(document), "a layer does not fit the tokens"


def copy_of(path: str, format: str) -> str | Corpus:
    """Return what is scored of a copy; a text without tags, or with signs of others, is named."""
    return cs.read(path, format) if format in NAMED else path


def write_again(corpus: Corpus, format: str) -> None:
    """Check that a writer refuses the corpus, or that what it writes scores like the corpus."""
    alone: Scores | None = attempt(lambda: cs.score(corpus, corpus))
    path = f"copy-{format}"
    if alone is None or attempt(lambda: cs.write(corpus, path, format)) is None:
        return
    # Documents without names are paired by their texts, which may be the same, or not there.
    is_named = not corpus.numbered and {NAMES, EVERYTHING} & writings()[format].layers
    pairing: PairBy = "auto" if is_named else "position"
    copied = attempt(lambda: cs.score(corpus, copy_of(path, format), pair_by=pairing))
    assert copied is not None, f"{format}: the copy cannot be scored against its source"
    for id, score in alone.metrics.items():
        found = copied.metrics[id]
        is_same = (
            abs(score.f1 - found.f1) < 1e-9 and score.recall_counts[1] == (found.recall_counts[1])
        )
        assert is_same, f"{format}: the copy scores {id} {found.f1} against its source"


Partition = frozenset[frozenset[Hashable]]


def partitions(corpus: Corpus) -> dict[str, Partition]:
    """Return the entities of each document as sets of mentions."""
    return {
        document.name: frozenset(
            frozenset(mention.id for mention in entity) for entity in document.entities
        )
        for document in corpus
    }


def check_python(case: Case) -> list[Violation]:
    """Objects are scored, or refused with a message that says what to pass."""
    key, response = (json.loads(data) for data in case.files.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CorefscopeWarning)
        try:
            scores = cs.score(key, response)
        except (CorefscopeError, TypeError, ValueError) as error:
            if isinstance(error, CorefscopeError) or _is_our_message(error):
                return []
            trace = "".join(traceback.format_exception(error))
            return [failed(trace)]
    if scores.conll is None or not 0 <= scores.conll <= 1:
        return [broken("score outside 0 to 1", case, str(scores.conll))]
    return []


def _is_our_message(error: BaseException) -> bool:
    """Tell an exception raised on purpose from one that Python or numpy raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return frame.filename.startswith(f"{PACKAGE}/") and (frame.line or "").lstrip().startswith(
        "raise "
    )
