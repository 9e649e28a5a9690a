"""The further metrics and the profiles equal their references, written from the specifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given, settings

import brute_force
import more_references
from brute_force import ZERO, Entities, Ratios, without_singletons
from corefscope.metrics import STANDARD, Score
from corefscope.profiles import PROFILES
from corefscope.scoring.scores import Scores
from lettered import score
from metric_groups import LEGACY, MORE
from strategies import Document, corpora, documents

pytestmark = pytest.mark.filterwarnings("ignore:.*W50[56]:corefscope.CorefscopeWarning")

CLOSE = 1e-12
IDS = (*MORE, *LEGACY)
OF_PROFILES = ("muc", "b3", "ceafe", "lea", "blanc")

Reference = Callable[[Sequence[tuple[Entities, Entities]]], Sequence[Fraction | None]]
"""Recall, precision and F1 of a corpus; None for a figure that the metric does not have."""
REFERENCES: Mapping[str, Reference] = {**more_references.REFERENCES, **more_references.INDICES}


def test_every_further_metric_has_a_reference() -> None:
    assert REFERENCES.keys() == set(IDS)
    assert more_references.DOCUMENT_METRICS.keys() | more_references.INDICES.keys() == set(IDS)


def test_every_profile_has_a_reference() -> None:
    """coval differs from conll-2012 by its name alone; profiles of scorers have their own tests."""
    of_scorers = {name for name, profile in PROFILES.items() if profile.scorer}
    of_scorers.discard("corefud-exact")  # It has one for well-formed clusters.
    of_scorers.add(
        "bookcoref-window"
    )  # It needs lengths of texts: tests/test_windows_and_levels.py
    assert more_references.PROFILES.keys() == PROFILES.keys() - {"conll-2012", "coval"} - of_scorers


@settings(max_examples=200)
@given(corpora())
def test_random_corpora(
    corpus: dict[str, Document],
) -> None:
    equals_references(scored(corpus, IDS), list(corpus.values()))


@settings(max_examples=100)
@given(documents(max_mentions=12))
def test_larger_documents(document: Document) -> None:
    equals_references(score(*document, metrics=IDS), [document])


@settings(max_examples=100)
@given(corpora())
def test_without_singletons(
    corpus: dict[str, Document],
) -> None:
    linked = [(without_singletons(k), without_singletons(r)) for k, r in corpus.values()]
    equals_references(scored(corpus, IDS, "no-singletons"), linked)


@settings(max_examples=100)
@given(corpora())
def test_macro_averages(
    corpus: dict[str, Document],
) -> None:
    """Means of the recalls and precisions, then F1; of a single figure the mean."""
    scores = scored(corpus, IDS, "macro")
    for id, found in scores.metrics.items():
        each = [REFERENCES[id]([document]) for document in corpus.values()]
        recall, precision, f1 = (mean(column) for column in zip(*each, strict=True))
        if recall is not None and precision is not None:
            both = recall + precision
            f1 = 2 * recall * precision / both if both else ZERO
        agree(id, figures(found), (recall, precision, f1))


@pytest.mark.parametrize("profile", more_references.PROFILES)
@settings(max_examples=120)
@given(corpora())
def test_profiles_equal_their_references(profile: str, corpus: dict[str, Document]) -> None:
    """Corpora have singletons more often than not.

    A document has nothing to average: under macro its scores are the plain ones.
    """
    reference, scores = more_references.PROFILES[profile], scored(corpus, STANDARD, profile)
    equals_profile(scores, reference(corpus.values()))
    for document, sides in zip(scores.per_document, corpus.values(), strict=True):
        alone = {id: metric([sides]) for id, metric in brute_force.METRICS.items()}
        expected = alone if profile == "macro" else reference([sides])
        for id in expected.keys() & set(OF_PROFILES):
            agree(id, figures(document.metrics[id]), expected[id])


@pytest.mark.parametrize(
    ("profile", "without_blanc"),
    [(profile, profile == "e2e") for profile in more_references.PROFILES],
)
def test_what_the_references_of_profiles_have(profile: str, without_blanc: bool) -> None:
    """The metrics file of e2e-coref has no BLANC."""
    known = more_references.PROFILES[profile]([]).keys() & set(OF_PROFILES)
    assert set(OF_PROFILES) - known == ({"blanc"} if without_blanc else set())


@settings(max_examples=100)
@given(corpora())
def test_profiles_agree_without_singletons(corpus: dict[str, Document]) -> None:
    """Without any, e2e and no-singletons are what conll-2012 is."""
    linked = {
        name: (linked_only(key), linked_only(response)) for name, (key, response) in corpus.items()
    }
    plain = scored(linked, STANDARD)
    for profile in ("e2e", "no-singletons"):
        assert scored(linked, STANDARD, profile).metrics == plain.metrics


def scored(
    corpus: Mapping[str, Document], metrics: Iterable[str], profile: str = "conll-2012"
) -> Scores:
    key = {name: document[0] for name, document in corpus.items()}
    response = {name: document[1] for name, document in corpus.items()}
    return score(key, response, metrics=metrics, profile=profile)


def equals_references(scores: Scores, corpus: Sequence[tuple[Entities, Entities]]) -> None:
    """Compare the figures and counts of the corpus and of each document with the references."""
    assert scores.counts.keys() == set(IDS)
    counted = {
        id: [count(*document) for document in corpus]
        for id, count in (
            *more_references.DOCUMENT_METRICS.items(),
            ("coverage", brute_force.mentions),
        )
    }
    every_metric_agrees(scores.metrics, counted, corpus)
    for place, document in enumerate(scores.per_document):
        alone = {id: [documents[place]] for id, documents in counted.items()}
        every_metric_agrees(document.metrics, alone, corpus[place : place + 1])


def every_metric_agrees(
    scores: Mapping[str, Score],
    counted: Mapping[str, Sequence[Ratios]],
    corpus: Sequence[tuple[Entities, Entities]],
) -> None:
    for id in more_references.DOCUMENT_METRICS:
        agree(id, figures(scores[id]), brute_force.score(counted[id]))
        agree(id, counts(scores[id]), added(counted[id]))
    for id, index in more_references.INDICES.items():
        agree(id, figures(scores[id]), index(corpus))
        agree(id, counts(scores[id].parts["coverage"]), added(counted["coverage"]))


def equals_profile(scores: Scores, expected: Mapping[str, brute_force.Score]) -> None:
    for id in expected.keys() & set(OF_PROFILES):
        agree(id, figures(scores[id]), expected[id])
    agree("conll", [scores.conll], [expected["conll"].f1])


def figures(found: Score) -> list[float | None]:
    shown = found.recall, found.precision, found.f1
    return [None if isnan(figure) else figure for figure in shown]


def counts(found: Score) -> list[float | None]:
    return [*found.recall_counts, *found.precision_counts]


def added(ratios: Iterable[Ratios]) -> list[Fraction]:
    return [sum(column, ZERO) for column in zip(*ratios, strict=True)]


def mean(column: Sequence[Fraction | None]) -> Fraction | None:
    known = [value for value in column if value is not None]
    return sum(known, ZERO) / len(known) if known else None


def linked_only(side: list[list[str]]) -> list[list[str]]:
    return [entity for entity in side if len(entity) > 1]


def agree(what: str, found: Iterable[float | None], expected: Iterable[Fraction | None]) -> None:
    for one, other in zip(found, expected, strict=True):
        if one is None or other is None:
            assert one is None and other is None, what
        else:
            assert abs(one - float(other)) < CLOSE, what
