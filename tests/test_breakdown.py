"""Scores by type of mention or entity: four senses on documents small enough to count."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import corefscope as cs
from annotated import NAME, Annotated, annotated, corpora
from corefscope import InvalidInput
from corefscope.breakdown.measure import AnaphorLinks, ByType, score_by_type
from corefscope.breakdown.slices import NO_TYPE
from corefscope.choices import SliceKind
from corefscope.demo import KEY, RESPONSES
from corefscope.language import MentionType, Text
from corefscope.matching.matching import match_corpora
from corefscope.metrics import STANDARD, Score
from corefscope.options import make_options
from error_examples import TOWN_A, TOWN_KEY, document, phrases, town, write

TYPES = ("name", "nominal", "pronoun")


def by_type(key: cs.Corpus, response: cs.Corpus, kind: SliceKind, **options: Any) -> ByType:
    chosen = make_options(**options)
    comparison = match_corpora(key, response, chosen.matching)
    return score_by_type(comparison, chosen.profile.singletons, kind, chosen.metrics)


def of_texts(folder: Path, kind: SliceKind, *texts: str, **options: Any) -> ByType:
    key, response = write(folder, *texts)
    return by_type(cs.read(key), cs.read(response), kind, **options)


def triple(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def counts(score: Score) -> tuple[float, ...]:
    """Numerator and denominator of recall, then of precision."""
    return (*score.recall_counts, *score.precision_counts)


TABLE_1 = """
John/NNP Doe/NNP     PERSON  1  1  -
he/PRP               -       1  1  1
he/PRP               -       1  1  1
he/PRP               -       1  -  1
Richard/NNP Roe/NNP  PERSON  2  2  -
he/PRP               -       2  2  2
he/PRP               -       2  -  2
"""
"""Table 1 of Agarwal et al.: the key, and the solutions with names and without."""


def solution(number: int, folder: Path, kind: SliceKind = "mention-type") -> ByType:
    key, *solutions = phrases(TABLE_1)
    return of_texts(folder, kind, key, solutions[number - 1])


def test_credit_of_b_cubed_by_mention_type(tmp_path: Path) -> None:
    """Names (3/4 + 2/3) / 2 = .708; pronouns (3/4 + 3/4 + 0 + 2/3 + 0) / 5 = .433."""
    credit = solution(1, tmp_path).credit
    assert credit["name"].recall == pytest.approx((3 / 4 + 2 / 3) / 2)
    assert credit["pronoun"].recall == pytest.approx((3 / 4 + 3 / 4 + 2 / 3) / 5)
    assert [round(credit[type].recall, 3) for type in ("name", "pronoun")] == [0.708, 0.433]
    assert [credit[type].precision for type in ("name", "pronoun")] == [1, 1]
    assert credit["nominal"].is_undefined and triple(credit["nominal"]) == (0, 0, 0)


def test_credit_of_the_solution_without_names(tmp_path: Path) -> None:
    """Of five pronouns three have 3/4 and two 2/3; what is there is right."""
    credit = solution(2, tmp_path).credit
    assert counts(credit["name"]) == (0, 2, 0, 0)
    assert credit["pronoun"].recall == pytest.approx((3 * 3 / 4 + 2 * 2 / 3) / 5)
    assert credit["pronoun"].precision == 1


def test_anaphors_and_links_of_table_1(tmp_path: Path) -> None:
    """Both solutions resolve three of five; links tell the two apart."""
    one, two = solution(1, tmp_path), solution(2, tmp_path)
    for found in (one, two):
        assert triple(found.anaphor["pronoun"]) == pytest.approx((0.6, 1, 0.75))
        assert counts(found.anaphor["name"]) == (0, 0, 0, 0), "names come first"
    to_name, to_pronoun = ("pronoun", "name"), ("pronoun", "pronoun")
    assert one.links == {
        to_name: AnaphorLinks(key=2, found=2, response=2, right=2),
        to_pronoun: AnaphorLinks(key=3, found=1, response=1, right=1),
    }
    assert two.links == {
        to_name: AnaphorLinks(key=2, found=0, response=0, right=0),
        to_pronoun: AnaphorLinks(key=3, found=3, response=3, right=3),
    }


def test_filtering_splits_entities_of_table_1(tmp_path: Path) -> None:
    """Names alone are all singletons; pronouns are 3 and 2, of which 2 and 1 are there."""
    found = solution(1, tmp_path).filter
    assert triple(found["name"]["b3"]) == (1, 1, 1)
    assert found["name"]["muc"].is_undefined
    assert triple(found["pronoun"]["muc"]) == pytest.approx((1 / 3, 1, 1 / 2))
    assert found["pronoun"]["b3"].recall == pytest.approx((2 * 2 / 3 + 1 / 2) / 5)
    assert found["pronoun"]["mentions"].recall == 3 / 5


def in_town(folder: Path, kind: SliceKind) -> ByType:
    """Anna, She and Anna are found with him; him is parted from the mayor; a dog is missing."""
    return of_texts(folder, kind, town(TOWN_KEY), town(TOWN_A))


def test_filter_of_a_town_by_mention_type(tmp_path: Path) -> None:
    """She and him, alone in the key, are one entity of pronouns in the response."""
    found = in_town(tmp_path, "mention-type").filter
    assert list(found) == list(TYPES)
    for metric in ("muc", "b3", "ceafe", "lea"):
        assert triple(found["name"][metric]) == (1, 1, 1), metric
    assert counts(found["pronoun"]["muc"]) == (0, 0, 0, 1)
    assert triple(found["pronoun"]["b3"]) == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert counts(found["nominal"]["muc"]) == (1, 1, 1, 1)
    assert triple(found["nominal"]["b3"]) == pytest.approx((2 / 3, 1, 4 / 5))


def test_credit_of_a_town_by_mention_type(tmp_path: Path) -> None:
    """Recall of She is 3/3, of him 1/3, of the mayors 2/3; precision of Anna 3/4, of him 1/4."""
    credit = in_town(tmp_path, "mention-type").credit
    assert counts(credit["name"]) == pytest.approx((2, 2, 3 / 4 + 3 / 4, 2))
    assert counts(credit["pronoun"]) == pytest.approx((1 + 1 / 3, 3, 3 / 4 + 1 / 4, 2))
    assert counts(credit["nominal"]) == pytest.approx((2 / 3 + 2 / 3, 3, 2, 2))


def test_anaphors_of_a_town_by_mention_type(tmp_path: Path) -> None:
    """She is right; him and the second Anna are not; the mayor is, though him is left out."""
    anaphor = in_town(tmp_path, "mention-type").anaphor
    assert counts(anaphor["name"]) == (0, 1, 0, 1)
    assert counts(anaphor["pronoun"]) == (1, 3, 1, 2)
    assert counts(anaphor["nominal"]) == (1, 1, 1, 1)


def test_links_of_a_town_by_mention_type(tmp_path: Path) -> None:
    assert in_town(tmp_path, "mention-type").links == {
        ("name", "pronoun"): AnaphorLinks(key=1, found=1, response=1, right=0),
        ("nominal", "nominal"): AnaphorLinks(key=0, found=0, response=1, right=1),
        ("nominal", "pronoun"): AnaphorLinks(key=1, found=0, response=0, right=0),
        ("pronoun", "name"): AnaphorLinks(key=1, found=1, response=1, right=1),
        ("pronoun", "nominal"): AnaphorLinks(key=2, found=0, response=0, right=0),
        ("pronoun", "pronoun"): AnaphorLinks(key=0, found=0, response=1, right=0),
    }


def test_a_town_by_entity_type(tmp_path: Path) -> None:
    """An entity is as its names: Anna's are people, him among them in the response."""
    found = in_town(tmp_path, "entity-type")
    assert list(found.filter) == ["PERSON", NO_TYPE]
    assert counts(found.filter["PERSON"]["muc"]) == (2, 2, 2, 3)
    assert triple(found.filter["PERSON"]["b3"]) == pytest.approx((1, 9 / 16, 18 / 25))
    assert counts(found.filter[NO_TYPE]["muc"]) == (1, 3, 1, 1)
    assert found.filter[NO_TYPE]["b3"].recall == pytest.approx(2 * 2 / 3 / 5)
    assert counts(found.credit["PERSON"]) == pytest.approx((3, 3, 3 * 3 / 4 + 1 / 4, 4))
    assert counts(found.credit[NO_TYPE]) == pytest.approx((2 * 2 / 3 + 1 / 3, 5, 2, 2))
    assert counts(found.anaphor["PERSON"]) == (1, 2, 1, 3)
    assert counts(found.anaphor[NO_TYPE]) == (1, 3, 1, 1)
    assert found.links == {
        ("PERSON", "PERSON"): AnaphorLinks(key=2, found=2, response=3, right=1),
        (NO_TYPE, NO_TYPE): AnaphorLinks(key=3, found=0, response=1, right=1),
    }


def test_entity_types_in_order_of_frequency(tmp_path: Path) -> None:
    """Of most names, then by the alphabet, and without a name last."""
    text = """
    it/PRP    -       1  1
    it/PRP    -       2  2
    it/PRP    -       3  3
    Rome/NNP  GPE     4  -
    Oslo/NNP  GPE     5  5
    Mars/NNP  LOC     6  6
    Acme/NNP  ORG     7  -
    Emca/NNP  ORG     8  8
    """
    found = of_texts(tmp_path, "entity-type", *phrases(text))
    assert list(found.filter) == ["GPE", "ORG", "LOC", NO_TYPE]


def test_entity_has_type_of_most_names(tmp_path: Path) -> None:
    """Whatever the tags, and of as many the first; a name inside of a mention is none of it."""
    text = """
    Rome/NNP                  ORG  1  1
    Rome/NNP                  GPE  1  1
    Rome/NNP                  GPE  1  1
    Oslo/NNP                  LOC  2  2
    Oslo/NNP                  GPE  2  2
    """
    tree = "(NP (NP a/DT man/NN) (PP of/IN (NP Rome/NNP)))"
    assert list(of_texts(tmp_path, "entity-type", *phrases(text)).filter) == ["GPE", "LOC"]
    man = document(tree, "[1 a man of Rome]", "a man of [GPE Rome]")
    assert list(of_texts(tmp_path, "entity-type", man, man).filter) == [NO_TYPE]


def test_mention_with_other_entity_type_in_response(tmp_path: Path) -> None:
    """She follows a man in the key, and Rome in the response."""
    text = """
    Ann/NNP   PERSON  1  1
    Rome/NNP  GPE     2  2
    she/PRP   -       1  2
    """
    found = of_texts(tmp_path, "entity-type", *phrases(text))
    assert counts(found.credit["PERSON"]) == pytest.approx((1 / 2 + 1 / 2, 2, 1, 1))
    assert counts(found.credit["GPE"]) == pytest.approx((1, 1, 1 / 2 + 1 / 2, 2))
    assert counts(found.anaphor["PERSON"]) == (0, 1, 0, 0)
    assert counts(found.anaphor["GPE"]) == (0, 0, 0, 1)
    assert triple(found.filter["PERSON"]["mentions"]) == pytest.approx((1 / 2, 1, 2 / 3))


def test_antecedent_at_any_distance(tmp_path: Path) -> None:
    """The response skips the second of three; the third still follows one of its entity."""
    text = """
    Ann/NNP  PERSON  1  1
    she/PRP  -       1  -
    her/PRP  -       1  1
    """
    found = of_texts(tmp_path, "mention-type", *phrases(text))
    assert counts(found.anaphor["pronoun"]) == (1, 2, 1, 1)
    assert found.links["pronoun", "pronoun"] == AnaphorLinks(key=1, found=0, response=0, right=0)
    assert found.links["pronoun", "name"] == AnaphorLinks(key=1, found=0, response=1, right=1)


def test_documents_are_added_up(tmp_path: Path) -> None:
    """Two towns, of which the second is perfect."""
    texts = [town(TOWN_KEY, "one") + town(TOWN_KEY, "two"), town(TOWN_A, "one")]
    found = of_texts(tmp_path, "mention-type", texts[0], texts[1] + town(TOWN_KEY, "two"))
    assert counts(found.credit["pronoun"]) == pytest.approx((4 / 3 + 3, 6, 1 + 3, 5))
    assert counts(found.anaphor["pronoun"]) == (1 + 3, 6, 1 + 3, 2 + 3)
    assert found.links["pronoun", "nominal"] == AnaphorLinks(key=4, found=2, response=2, right=2)


def test_a_missing_document_counts_as_empty(tmp_path: Path) -> None:
    texts = [town(TOWN_KEY, "one") + town(TOWN_KEY, "two"), town(TOWN_KEY, "one")]
    found = of_texts(tmp_path, "mention-type", *texts)
    assert counts(found.credit["name"]) == (2, 4, 2, 2)
    assert counts(found.filter["name"]["mentions"]) == (2, 4, 2, 2)


def test_singletons_are_dropped_before_types(tmp_path: Path) -> None:
    """Anna is alone among names, but not in her entity."""
    text = """
    Ann/NNP  PERSON  1  1
    she/PRP  -       1  1
    Bob/NNP  PERSON  2  2
    """
    key, response = phrases(text)
    dropped = of_texts(tmp_path, "mention-type", key, response, singletons="drop")
    assert counts(dropped.filter["name"]["mentions"]) == (1, 1, 1, 1)
    kept = of_texts(tmp_path, "mention-type", key, response)
    assert counts(kept.filter["name"]["mentions"]) == (2, 2, 2, 2)


def test_metrics_may_be_chosen(tmp_path: Path) -> None:
    found = of_texts(tmp_path, "mention-type", town(TOWN_KEY), town(TOWN_A), metrics="muc,b3")
    assert all(list(scores) == ["muc", "b3"] for scores in found.filter.values())


def test_without_words_there_are_no_types(tmp_path: Path) -> None:
    clusters = cs.Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]}, path="key.json")
    for kind in ("mention-type", "entity-type"):
        with pytest.raises(InvalidInput, match="'d' has no words") as caught:
            by_type(clusters, clusters, kind)
        (finding,) = caught.value.findings
        assert (finding.code.id, finding.file) == ("E402", "key.json")


def test_types_and_levels_of_json_lines(tmp_path: Path) -> None:
    """As NEC takes them where there are no names."""
    record = {
        "doc_key": "d",
        "sentences": [["x", "y", "z"]],
        "clusters": [[[0, 0], [1, 1]], [[2, 2]]],
        "entity_types": ["PER", "FAC"],
        "mention_levels": [["NAM", "PRO"], ["NOM"]],
    }
    path = tmp_path / "key.jsonl"
    path.write_text(json.dumps(record))
    corpus = cs.read(path)
    mentions = by_type(corpus, corpus, "mention-type").credit
    assert [mentions[type].recall_counts[1] for type in TYPES] == [1, 1, 1]
    assert list(by_type(corpus, corpus, "entity-type").credit) == ["PER", "FAC"]


def of_mention_type(corpus: cs.Corpus, type: MentionType, text: Callable[[str], Text]) -> cs.Corpus:
    """The corpus with the mentions of one type alone."""
    kept = {
        each.name: [
            [
                (m.start, m.end)
                for m in entity
                if text(each.name).mention_type(m.start, m.end) is type
            ]
            for entity in each.entities
        ]
        for each in corpus
    }
    return corpus.with_clusters({name: [e for e in found if e] for name, found in kept.items()})


def filtered_by_hand(key: cs.Corpus, response: cs.Corpus, type: MentionType) -> cs.Scores:
    def text(name: str) -> Text:
        found = key[name]
        assert found.words is not None
        return Text(found.words, found.sentences, found.tags, found.parse, found.names)

    return cs.score(of_mention_type(key, type, text), of_mention_type(response, type, text))


def filter_is_scoring_what_is_left(key: cs.Corpus, response: cs.Corpus) -> None:
    found = by_type(key, response, "mention-type")
    for type in (MentionType.NAME, MentionType.NOMINAL, MentionType.PRONOUN):
        scores = filtered_by_hand(key, response, type)
        for metric in STANDARD:
            expected = scores[metric]
            score = found.filter[type.value][metric]
            assert triple(score) == pytest.approx(triple(expected)), (type, metric)
            assert counts(score) == pytest.approx(counts(expected)), (type, metric)


@pytest.mark.parametrize("system", RESPONSES)
def test_filtering_demo_equals_scoring_remainder(system: str) -> None:
    filter_is_scoring_what_is_left(cs.read(KEY), cs.read(RESPONSES[system]))


@pytest.mark.filterwarnings("ignore:.*W208:corefscope.CorefscopeWarning")
@settings(max_examples=100)
@given(annotated())
def test_filtering_equals_scoring_remainder(
    tmp_path_factory: pytest.TempPathFactory, text: Annotated
) -> None:
    path = tmp_path_factory.mktemp("any") / "text.conll"
    filter_is_scoring_what_is_left(*corpora(text, path))


@pytest.mark.filterwarnings("ignore:.*W208:corefscope.CorefscopeWarning")
@settings(max_examples=100)
@given(annotated())
def test_all_types_together_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, text: Annotated
) -> None:
    """Credit adds up to B³; links add up to all that follow another, found or not."""
    key, response = corpora(text, tmp_path_factory.mktemp("any") / "text.conll")
    b_cubed = cs.score(key, response)["b3"]
    for kind in ("mention-type", "entity-type"):
        found = by_type(key, response, kind)
        total = [sum(part) for part in zip(*map(counts, found.credit.values()), strict=True)]
        assert (total or [0] * 4) == pytest.approx(counts(b_cubed))
        links = found.links.values()
        assert sum(each.key for each in links) == following(key)
        assert sum(each.response for each in links) == following(response)
        anaphors = [counts(score) for score in found.anaphor.values()]
        assert sum(each[1] for each in anaphors) == following(key)
        assert sum(each[3] for each in anaphors) == following(response)
        assert sum(each[0] for each in anaphors) == sum(each[2] for each in anaphors)
        assert sum(each[2] for each in anaphors) == sum(each.right for each in links)


def following(corpus: cs.Corpus) -> int:
    """Mentions that follow another one of their entity."""
    return sum(len(entity) - 1 for entity in corpus[NAME].entities)
