"""The scorer for spaCy, with the real package."""

from __future__ import annotations

import pytest
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab

import corefscope as cs
from corefscope.adapters import spacy as adapter


def doc(words: list[str], spaces: list[int], *groups: list[tuple[int, int]]) -> Doc:
    made = Doc(Vocab(), words=words, spaces=list(map(bool, spaces)))
    for number, spans in enumerate(groups, start=1):
        made.spans[f"coref_clusters_{number}"] = [made[a:b] for a, b in spans]
    return made


def example() -> Example:
    """Tokens differ: the prediction divides "Ann's"."""
    gold = doc(["Ann's", "cat", "saw", "her", "."], [1, 1, 1, 0, 0], [(0, 2), (3, 4)])
    found = doc(["Ann", "'s", "cat", "saw", "her", "."], [0, 1, 1, 1, 0, 0], [(0, 3), (4, 5)])
    return Example(found, gold)


def test_documents_are_compared_by_characters() -> None:
    scores = adapter.score_examples([example()])
    assert scores["coref_f"] == scores["coref_conll"] == scores["coref_muc_p"] == 1


def test_the_keys_of_spacy_experimental_are_lea() -> None:
    gold = doc(list("abcd"), [1, 1, 1, 0], [(0, 1), (1, 2), (2, 3)])
    found = doc(list("abcd"), [1, 1, 1, 0], [(0, 1), (1, 2)], [(2, 3), (3, 4)])
    scores = adapter.score_examples([Example(found, gold)])
    lea = cs.score([[(0, 0), (1, 1), (2, 2)]], [[(0, 0), (1, 1)], [(2, 2), (3, 3)]], metrics="lea")
    assert (scores["coref_f"], scores["coref_p"], scores["coref_r"]) == pytest.approx(
        (lea.lea.f1, lea.lea.precision, lea.lea.recall)
    )


def test_the_registry_has_it() -> None:
    make = registry.scorers.get("corefscope.coref_scorer.v1")
    assert make(span_cluster_prefix="coref_clusters")([example()])["coref_f"] == 1
    assert make(span_cluster_prefix="other")([example()])["coref_f"] == 0
