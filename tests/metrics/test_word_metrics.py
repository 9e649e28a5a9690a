"""MOR and the zero score equal their definitions, and all metrics run on the pairs."""

from __future__ import annotations

from itertools import chain, product
from random import Random

import pytest

import brute_force
import corefscope as cs
import word_reference
from corefscope.choices import Match, Zeros
from corefscope.extensions.corefud_scorer.words import word_sets_of
from corefscope.matching.matching import Matching, MatchingOptions, SingletonRule, match_corpora
from corefscope.matching.stages import ComparedMention
from corefscope.metrics import METRICS
from corefud_text import corefud, corpus_of
from metric_groups import OVERLAP_METRICS
from random_words import random_pair

MODES = list(product(("exact", "head", "partial"), ("linear", "dependent", "drop")))
SINGLETONS: tuple[SingletonRule, ...] = ("keep", "drop")


def entities(
    matching: Matching, rule: SingletonRule, side: int, document: int
) -> tuple[list[list[ComparedMention]], list[list[int]]]:
    """The mentions of each entity of a document, and their numbers."""
    which, words = matching.sides(rule)[side], word_sets_of(matching).words[side]
    found: dict[int, list[tuple[ComparedMention, int]]] = {}
    for number, row, entity in zip(
        which.mention.tolist(),
        which.mention_row.tolist(),
        which.mention_entity.tolist(),
        strict=True,
    ):
        if which.entity_document[entity] == document:
            found.setdefault(entity, []).append((words.markable(row), number))
    return (
        [[mention for mention, _ in entity] for entity in found.values()],
        [[number for _, number in entity] for entity in found.values()],
    )


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_counts_equal_the_definitions(mode: tuple[Match, Zeros]) -> None:
    match, zeros = mode
    seen = [0, 0]
    for seed, rule in product(range(10), SINGLETONS):
        matching = match_corpora(
            *random_pair(Random(seed)), MatchingOptions(match=match, zeros=zeros)
        )
        mor, zero = (METRICS[id].count(matching, rule) for id in ("mor", "zero"))
        for document in range(len(matching.key)):
            key, ours = entities(matching, rule, 0, document)
            response, theirs = entities(matching, rule, 1, document)
            assert mor[document].tolist() == list(word_reference.mor(key, response))
            places = {number: place for place, number in enumerate(chain(*theirs))}
            pairs = [
                (place, places[number])
                for place, number in enumerate(chain(*ours))
                if number in places
            ]
            assert zero[document].tolist() == list(word_reference.zero(key, response, pairs))
            seen[0] += int(mor[document, 0])
            seen[1] += int(zero[document, 0])
    assert seen[0] > 100
    assert (seen[1] > 0) == (zeros != "drop")


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_all_metrics_run_on_the_pairs(mode: tuple[Match, Zeros]) -> None:
    match, zeros = mode
    for seed, rule in product(range(10), SINGLETONS):
        matching = match_corpora(
            *random_pair(Random(seed)), MatchingOptions(match=match, zeros=zeros)
        )
        numbered = [
            tuple(entities(matching, rule, side, document)[1] for side in (0, 1))
            for document in range(len(matching.key))
        ]
        for id, reference in brute_force.METRICS.items():
            metric = OVERLAP_METRICS[id]
            found = metric.total(metric.count(matching, rule))
            expected = reference(numbered)  # type: ignore[arg-type]
            assert found.f1 == pytest.approx(float(expected.f1), abs=1e-12), (seed, id)
            assert found.recall == pytest.approx(float(expected.recall), abs=1e-12), (seed, id)


def test_mor_of_spans() -> None:
    """Any corpus of spans has words: 2 of 3 words are common."""
    scores = cs.score([[(0, 2)], [(5, 5)]], [[(1, 3)], [(9, 9)]], metrics="mor")
    assert (scores["mor"].recall_counts, scores["mor"].precision_counts) == ((2, 4), (2, 4))


def test_mor_pairs_equal_mentions_and_counts_copies_of_words_once_each() -> None:
    """Two mentions of the same words and other heads share the one mention of the response."""
    key = corpus_of(corefud("1:(a--1-(a--2- 2:a)a) 3:(a--1-)"))
    response = corpus_of(corefud("1:(a--1- 2:a) 3:(a--1-)"))
    scores = cs.score(key, response, metrics="mor", match="head")
    assert scores["mor"].recall_counts == (3, 5)
    assert scores["mor"].precision_counts == (3, 3)


def test_mor_of_ids_is_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="E206"):
        cs.score([["a", "b"]], [["a", "b"]], metrics="mor")


def test_zero_anaphors_right_wrong_missed_and_spurious() -> None:
    """In order: in its own entity, in another one, the first of an entity, not in the key."""
    key = corpus_of(
        corefud(
            "1:(a--1-) 1.1:(a--1-):1:nsubj 2:(b--1-) 2.1:(b--1-):2:obj 3:(c--1-) 3.1:(c--1-):3:obj"
            " 4 4.1::4:obj"
        )
    )
    response = corpus_of(
        corefud(
            "1:(a--1-) 1.1:(a--1-):1:nsubj 2:(b--1-) 2.1:(a--1-):2:obj 3 3.1:(c--1-):3:obj"
            " 4:(c--1-) 4.1:(c--1-):4:obj"
        )
    )
    score = cs.score(key, response, metrics="zero", zeros="dependent")["zero"]
    assert score.recall_counts == (1, 3)
    assert score.precision_counts == (1, 3)


def test_zeros_that_begin_an_entity_are_no_anaphors() -> None:
    text = corpus_of(corefud("0.1:(a--1-):1:nsubj 1:(a--1-)"))
    assert cs.score(text, text, metrics="zero")["zero"].is_undefined
