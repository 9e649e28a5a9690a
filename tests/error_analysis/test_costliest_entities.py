"""The costliest entities."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import to_builtins

import corefscope as cs
from corefscope.error_analysis import Analysis
from corefscope.error_analysis.record import cost_record
from error_examples import NAME, TOWN_A, TOWN_B, TOWN_KEY, analyses, phrases, town


def brief(analysis: Analysis, metric: str, most: int = 10) -> list[tuple[str, str, float]]:
    """Side and label, words, and share."""
    return [
        (f"{'K' if cost.is_key else 'R'}{cost.label}", cost.title, cost.share)
        for cost in analysis.costliest_entities(metric, most)
    ]


def test_lost_links_are_charged_to_their_entities(tmp_path: Path) -> None:
    """MUC: of five links of the key K2 and K3 lose one each; of four of the response R1 one."""
    (a,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    assert brief(a, "muc") == [
        ("R1", "Anna", 1 / 4),
        ("K2", "the mayor", 1 / 5),
        ("K3", "a dog", 1 / 5),
    ]
    assert brief(a, "muc", 1) == [("R1", "Anna", 1 / 4)]
    assert brief(a, "muc", 0) == []


def test_errors_are_not_described_to_name_entities(tmp_path: Path) -> None:
    """A document has many errors, of which nobody asked."""
    (a,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    costs = a.costliest_entities("muc")
    assert not any("description" in vars(document) for document in a.documents)
    assert a.records and a.costliest_entities("muc") == costs


def test_lost_mentions_are_charged_to_their_entities(tmp_path: Path) -> None:
    """Eight in the key, ten in the response; met, liked, saw and dog are not in the key."""
    (b,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_B))
    assert [(entity, share) for entity, _, share in brief(b, "mentions")] == [
        ("R4", 2 / 10),
        ("K1", 1 / 8),
        ("K3", 1 / 8),
        ("R2", 1 / 10),
        ("R3", 1 / 10),
    ]


def test_an_entity_says_what_became_of_it(tmp_path: Path) -> None:
    """B³: a key entity in two pieces of two and one loses 3 - 5/3 of eight mentions."""
    (a,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    cost = next(cost for cost in a.costliest_entities("b3") if cost.is_key and cost.label == "2")
    assert cost.share == pytest.approx((3 - 5 / 3) / 8)
    assert to_builtins(cost_record(cost)) == {
        "side": "key",
        "document": NAME,
        "entity": "K2",
        "label": "2",
        "title": "the mayor",
        "size": 3,
        "loses": "recall",
        "share": cost.share,
        "pieces": 2,
        "unmatched": 0,
        "group": 0,
    }
    missing = next(cost for cost in a.costliest_entities("b3") if cost.is_key and cost.label == "3")
    assert (missing.pieces, missing.unmatched, missing.share) == (0, 2, 2 / 8)
    of_response = next(cost for cost in a.costliest_entities("b3") if not cost.is_key)
    assert cost_record(of_response).loses == "precision"


def test_what_costs_nothing_is_not_named(tmp_path: Path) -> None:
    (same,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_KEY))
    assert same.costliest_entities() == []


@pytest.mark.filterwarnings("ignore:.*W116")
def test_title_prefers_name_then_noun_then_pronoun(
    tmp_path: Path,
) -> None:
    lines = """
    she/PRP          -       1  -
    the/DT boss/NN   -       1  -
    Anna/NNP         PERSON  1  -
    Ms./NNP Lee/NNP  -       1  -
    it/PRP           -       2  -
    the/DT dog/NN    -       2  -
    a/DT cat/NN      -       2  -
    we/PRP           -       3  -
    us/PRP           -       3  -
    """
    (analysis,) = analyses(tmp_path, *phrases(lines))
    titles = {cost.label: cost.title for cost in analysis.costliest_entities("mentions")}
    assert titles == {"1": "Anna", "2": "the dog", "3": "we"}


def test_response_entity_has_words_of_response(tmp_path: Path) -> None:
    """The response has dog, where the key has a dog."""
    (b,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_B))
    titles = {(cost.is_key, cost.label): cost.title for cost in b.costliest_entities("mentions")}
    assert titles[True, "3"] == "a dog"
    assert titles[False, "3"] == "dog"


def test_documents_in_another_order(tmp_path: Path) -> None:
    lines = """
    {0}/NNP  GPE  {1}  {1}
    {0}/NNP  GPE  {1}  {1}
    {0}/NNP  GPE  {1}  -
    """
    towns = {"(x)": ("Oslo", "7"), "(y)": ("Rome", "8")}
    texts = [phrases(lines.format(*values), name) for name, values in towns.items()]
    (ours, theirs), (other, others) = texts
    (analysis,) = analyses(tmp_path, ours + other, others + theirs)
    costs = analysis.costliest_entities("mentions")
    assert [(cost.document, cost.label, cost.title) for cost in costs] == [
        ("(x)", "7", "Oslo"),
        ("(y)", "8", "Rome"),
    ]
    assert [cost.share for cost in costs] == [1 / 6, 1 / 6]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_title_of_mentions_without_words() -> None:
    analysis = cs.analyze([["x", "y"]], [["x", "z"]])
    assert {cost.title for cost in analysis.costliest_entities("mentions")} == {"x"}


def test_all_costly_entities(tmp_path: Path) -> None:
    """Thirteen missing mentions in as many entities; the response has two of each."""
    lines = "\n".join(
        f"Rome/NNP  GPE  {number}  {side}" for number in range(13) for side in (number, number, "-")
    )
    (analysis,) = analyses(tmp_path, *phrases(lines))
    assert len(analysis.costliest_entities("mentions")) == 10
    assert [cost.share for cost in analysis.costliest_entities("mentions", None)] == [1 / 39] * 13


def test_an_unknown_metric_is_refused(tmp_path: Path) -> None:
    (a,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    with pytest.raises(cs.UnknownName, match="ceaf-e"):
        a.costliest_entities("ceaf-e")
