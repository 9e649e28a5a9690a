"""Every metric equals its reference, written from the definition with sets and fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings

import brute_force
from brute_force import Entities, Ratios, first_copies, without_singletons
from corefscope.metrics import STANDARD, Score
from corefscope.scoring.scores import Scores
from lettered import score
from strategies import Document, corpora, documents

CLOSE = 1e-12

REFERENCES: Mapping[str, Callable[[Entities, Entities], tuple[Ratios, ...]]] = {
    "mentions": lambda key, response: (brute_force.mentions(key, response),),
    "muc": lambda key, response: (brute_force.muc(key, response),),
    "b3": lambda key, response: (brute_force.b3(key, response),),
    "ceafm": lambda key, response: (brute_force.ceafm(key, response),),
    "ceafe": lambda key, response: (brute_force.ceafe(key, response),),
    "blanc": brute_force.blanc,
    "lea": lambda key, response: (brute_force.lea(key, response),),
}
"""The references' counts by metric: one part, but for BLANC, which has two kinds of link."""


def test_every_metric_has_a_reference() -> None:
    assert REFERENCES.keys() == brute_force.METRICS.keys() == set(STANDARD)


@settings(max_examples=500)
@given(corpora())
def test_random_corpora(corpus: dict[str, Document]) -> None:
    """Recall, precision, F1, counts and the CoNLL score, of each document and of the corpus."""
    equals_references(scored(corpus), list(corpus.values()))


@settings(max_examples=300)
@given(documents(max_mentions=14))
def test_larger_documents(document: Document) -> None:
    equals_references(score(*document), [document])


@settings(max_examples=300)
@given(corpora())
def test_without_singletons(corpus: dict[str, Document]) -> None:
    linked = [(without_singletons(k), without_singletons(r)) for k, r in corpus.values()]
    equals_references(scored(corpus, profile="no-singletons"), linked)


@settings(max_examples=300)
@given(documents(), documents())
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_repeated_mentions(one: Document, other: Document) -> None:
    """Two partitions of the same mentions, one after the other, repeat many of them."""
    key, response = one[0] + other[0], one[1] + other[1]
    equals_references(score(key, response), [(first_copies(key), first_copies(response))])


def scored(corpus: Mapping[str, Document], profile: str = "conll-2012") -> Scores:
    key = {name: document[0] for name, document in corpus.items()}
    response = {name: document[1] for name, document in corpus.items()}
    return score(key, response, profile=profile)


def equals_references(scores: Scores, corpus: Sequence[tuple[Entities, Entities]]) -> None:
    """Compare the scores of the corpus and of each document with the references."""
    references = {
        id: [reference(*document) for document in corpus] for id, reference in REFERENCES.items()
    }
    every_metric_agrees(scores.metrics, scores.conll, references)
    for place, document in enumerate(scores.per_document):
        alone = {id: [counted[place]] for id, counted in references.items()}
        every_metric_agrees(document.metrics, document.conll, alone)


def every_metric_agrees(
    scores: Mapping[str, Score],
    conll: float | None,
    references: Mapping[str, Sequence[tuple[Ratios, ...]]],
) -> None:
    expected = {id: reference_score(id, counted) for id, counted in references.items()}
    for id, found in scores.items():
        agree(id, (found.recall, found.precision, found.f1), expected[id])
        totals = [added(part) for part in zip(*references[id], strict=True)]
        for part, total in zip(found.parts.values() or [found], totals, strict=True):
            agree(id, (*part.recall_counts, *part.precision_counts), total)
    assert conll is not None
    agree("conll", [conll], [(expected["muc"].f1 + expected["b3"].f1 + expected["ceafe"].f1) / 3])


def reference_score(id: str, counted: Sequence[tuple[Ratios, ...]]) -> brute_force.Score:
    if id == "blanc":
        return brute_force.blanc_score((parts[0], parts[1]) for parts in counted)
    return brute_force.score(parts[0] for parts in counted)


def added(ratios: Sequence[Ratios]) -> Ratios:
    if len(ratios) == 1:
        return ratios[0]
    return Ratios(*(sum(column, Fraction(0)) for column in zip(*ratios, strict=True)))


def agree(what: str, found: Iterable[float], expected: Iterable[Fraction]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert abs(one - float(other)) < CLOSE, what
