"""Errors in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.corpus.mentions import Span
from corefscope.error_analysis.mention_text import MentionText, named
from corefscope.error_analysis.records import EntityRecord
from corefscope.formatting import cut_right
from corefscope.matching.mention_table import MentionTable
from error_examples import TOWN_A, TOWN_B, TOWN_KEY, analyses, document, phrases, town


def sentences(folder: Path, *texts: str) -> dict[str, str]:
    """What is said of each type of error, of which there is one at most."""
    (analysis,) = analyses(folder, *texts)
    found = {str(error.type): error.description for error in analysis.records}
    assert len(found) == len(analysis.records)
    return found


def test_every_type_of_error_is_said_in_words(tmp_path: Path) -> None:
    assert sentences(tmp_path, town(TOWN_KEY), town(TOWN_A)) == {
        "conflated_entities": "“him” (7) belongs to K2, not with the rest of R1",
        "divided_entity": "“him” (7) of K2 is in R1, apart from the rest",
        "missing_entity": "“a dog” (12–13), “It” (15): the response has no mention of K3",
    }
    assert sentences(tmp_path, town(TOWN_KEY), town(TOWN_B)) == {
        "span_error": "“dog” (13) should be “a dog” (12–13): missing “a” on the left",
        "extra_mention": "“saw” (11) in R3 is not a mention of the key",
        "extra_entity": "“met” (1), “liked” (6): the key has no mention of R2",
        "missing_mention": "“Anna” (17) of K1 was not found",
    }


def test_several_mentions_are_said_in_the_plural(tmp_path: Path) -> None:
    lines = """
    Anna/NNP  PERSON  1  1
    Anna/NNP  PERSON  1  1
    Rome/NNP  GPE     2  1
    Rome/NNP  GPE     2  1
    Oslo/NNP  GPE     3  3
    Oslo/NNP  GPE     3  3
    it/PRP    -       3  4
    it/PRP    -       3  4
    """
    assert sentences(tmp_path, *phrases(lines)) == {
        "conflated_entities": "“Rome” (2), “Rome” (3) belong to K2, not with the rest of R1",
        "divided_entity": "“it” (6), “it” (7) of K3 are in R3, apart from the rest",
    }


def test_remainder_missing_on_the_other_side(tmp_path: Path) -> None:
    """The main piece is a noun that only the response has, or only the key."""
    lines = """
    a/DT dog/NN  -    -  1
    it/PRP       -    1  1
    it/PRP       -    1  1
    Rome/NNP     GPE  2  -
    it/PRP       -    2  2
    it/PRP       -    2  2
    """
    assert sentences(tmp_path, *phrases(lines)) == {
        "conflated_entities": "“it” (2), “it” (3) belong to K1, "
        "not with the spurious mentions of R1",
        "divided_entity": "“it” (5), “it” (6) of K2 are in R2, "
        "apart from the rest, which was not found",
    }


def test_entity_found_as_pronouns_only(tmp_path: Path) -> None:
    """Each side has two nouns of its own, and a pronoun that the other side has elsewhere."""
    lines = """
    Rome/NNP       GPE  1  -
    Rome/NNP       GPE  1  -
    it/PRP         -    1  5
    a/DT dog/NN    -    -  7
    the/DT dog/NN  -    -  7
    it/PRP         -    2  7
    it/PRP         -    2  5
    """
    (analysis,) = analyses(tmp_path, *phrases(lines))
    said = {str(error.type): error.description for error in analysis.records}
    assert said["missing_entity"] == (
        "“Rome” (0), “Rome” (1): the response has only pronouns of K1"
    )
    assert said["extra_entity"] == (
        "“a dog” (3–4), “the dog” (5–6): the key has only pronouns of R2"
    )
    matched = {str(e.type): e.matched for e in analysis.records if isinstance(e, EntityRecord)}
    assert matched == {"extra_entity": 1, "missing_entity": 1}


@pytest.mark.filterwarnings("ignore:.*W116")
def test_of_many_mentions_three_are_named(tmp_path: Path) -> None:
    lines = "Rome/NNP  GPE  1  -\n" * 5
    assert sentences(tmp_path, *phrases(lines)) == {
        "missing_entity": "“Rome” (0), “Rome” (1), “Rome” (2) and 2 more: "
        "the response has no mention of K1"
    }


def test_a_boundary_can_be_wrong_at_both_ends(tmp_path: Path) -> None:
    """Trimmed, both spans are Acme; response: “ Acme, key: Acme 's."""
    tree = "(S (NP (NP ,/, Acme/NNP) 's/POS) (VP saw/VBD (NP Acme/NNP)))"
    names = ", [ORG Acme] 's saw Acme"
    texts = [
        document(tree, entities, names)
        for entities in (", [1 Acme 's] saw [1 Acme]", "[1 , Acme] 's saw [1 Acme]")
    ]
    assert sentences(tmp_path, *texts) == {
        "span_error": "“, Acme” (0–1) should be “Acme 's” (1–2): "
        "extra “,” on the left, missing “'s” on the right"
    }


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_mentions_without_position() -> None:
    analysis = cs.analyze([["x", "y"], ["z", "w"]], [["x", "z"], ["y", "w"]])
    for error in analysis.records:
        assert f"“{error.mentions[0].text}”" in error.description


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_mentions_without_words() -> None:
    analysis = cs.analyze([[(0, 1), (3, 3)]], [[(0, 1), (3, 3), (5, 6), (8, 8)]])
    first, second = (error.description for error in analysis.records)
    assert first.count("5–6") == 1 and second.count("8") == 1


def test_places_are_tokens() -> None:
    assert at((3, 3), "it").place() == "3"
    assert at((3, 5), "the old dog").place() == "3–5"
    assert MentionText.of(MentionTable(ids=["x"]), 0, None).place() == "", (
        "what is no span has no place"
    )


def at(span: Span, text: str) -> MentionText:
    return MentionText.of(MentionTable(spans=[span]), 0, text)


def test_a_long_text_is_cut_visibly() -> None:
    assert cut_right("a" * 40) == "a" * 40
    assert cut_right("a" * 41) == "a" * 39 + "…"
    assert cut_right("abcdef", 4) == "abc…"
    assert named([at((0, 9), "word " * 9 + "word")]) == (
        "“word word word word word word word word…” (0–9)"
    )


def test_a_key_of_word_numbers_takes_the_text_of_the_response(tmp_path: Path) -> None:
    """Some files have the numbers of a vocabulary in place of words."""
    for name, words in {"key": [1, 2, 3], "response": ["a", "b", "c"]}.items():
        record = {"doc_key": "d", "sentences": [words], "clusters": [[[0, 0], [2, 2]]]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    with pytest.warns(cs.CorefscopeWarning):
        analysis = cs.analyze(tmp_path / "key.jsonl", tmp_path / "response.jsonl")
    assert not analysis.records
