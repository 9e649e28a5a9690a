"""The scorer for spaCy, with the real package."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab

import corefscope as cs
from corefscope.extensions.adapters import spacy as adapter


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


NAME = "corefscope.coref_scorer.v1"
ENTRY_POINTS = entry_points(group="spacy_scorers")


def test_the_entry_point_is_the_scorer() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    value = project["project"]["entry-points"]["spacy_scorers"][NAME]
    assert EntryPoint(NAME, value, "spacy_scorers").load() is adapter.make_coref_scorer


@pytest.mark.skipif(NAME not in ENTRY_POINTS.names, reason="make setup installs the entry point")
def test_the_registry_has_it() -> None:
    make = registry.scorers.get(NAME)
    assert make(span_cluster_prefix="coref_clusters")([example()])["coref_f"] == 1


def words(spaces: list[bool] | None = None, prefix: str = "coref_clusters") -> Doc:
    tokens = ["Ann", "saw", "her", "cat", ".", "She", "fed", "it", "."]
    made = Doc(Vocab(), words=tokens, spaces=spaces)
    made.spans[f"{prefix}_1"] = [made[0:1], made[2:3], made[5:6]]
    made.spans[f"{prefix}_2"] = [made[2:4], made[7:8]]
    return made


def test_blanks_may_differ() -> None:
    closer = words([True, True, True, False, True, True, True, False, False])
    assert closer.text != words().text
    assert adapter.score_examples([Example(closer, words())])["coref_conll"] == 1


@pytest.mark.parametrize("text", ["Bob saw her cat . She fed it .", "Something else"])
def test_another_text_is_refused(text: str) -> None:
    """One of them has as many tokens as the reference."""
    other = Doc(Vocab(), words=text.split())
    other.spans["coref_clusters_1"] = [other[0:1], other[1:2]]
    with pytest.raises(cs.InvalidInput, match=r"example 1 has another text.*E138"):
        adapter.score_examples([Example(words(), words()), Example(other, words())])


def test_groups_of_another_name() -> None:
    pair = Example(words(prefix="entity"), words(prefix="entity"))
    with pytest.raises(cs.InvalidInput, match=r"found entity_1, entity_2; .*E138"):
        adapter.score_examples([pair])
    for prefix in ("entity", "entity_"):
        assert adapter.score_examples([pair], span_cluster_prefix=prefix)["coref_conll"] == 1
    both = adapter.make_coref_scorer("other")([pair], span_cluster_prefix="entity")
    assert both["coref_conll"] == 1


def test_heads_instead_of_mentions() -> None:
    heads = words(prefix="coref_head_clusters")
    with pytest.raises(cs.InvalidInput, match="E206"):
        adapter.score_examples([Example(heads, words())])
    scores = adapter.score_examples(
        [Example(heads, heads)], span_cluster_prefix="coref_head_clusters"
    )
    assert scores["coref_conll"] == 1


def test_nothing_to_score() -> None:
    assert adapter.score_examples([])["coref_f"] == 0


def test_each_kind_of_finding_is_reported_once() -> None:
    twice = words()
    twice.spans["coref_clusters_3"] = [twice[0:1], twice[5:6]]
    score = adapter.make_coref_scorer()
    with pytest.warns(cs.CorefscopeWarning) as caught:
        score([Example(twice, words())] * 2)
    assert ["[W108]" in str(each.message) for each in caught] == [True]
    score([Example(twice, words())])
