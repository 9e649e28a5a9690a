"""Actions: what to correct first, ranked by what each gains alone."""

from __future__ import annotations

import json
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import ErrorType, impact
from corefscope.error_analysis.analysis import impact_metrics
from corefscope.error_analysis.correction import Corrections
from corefscope.error_analysis.impact import impact_counts, impact_of
from corefscope.error_analysis.kinds import ACTIONS
from corefscope.error_analysis.record import action_records

WRONG = "wrong_links"
pytestmark = pytest.mark.filterwarnings("ignore:.*W401")
"""There are no words here."""


def entities(labels: list[int]) -> list[list[tuple[int, int]]]:
    """Entities of two mentions or more; each label is that of the mention with its number."""
    found = [[(n, n) for n, each in enumerate(labels) if each == label] for label in set(labels)]
    return [entity for entity in found if len(entity) > 1]


def test_every_type_is_in_one_action() -> None:
    assert sorted(type for types in ACTIONS.values() for type in types) == sorted(ErrorType)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=8, max_size=14))
def test_only_wrong_links(pairs: list[tuple[int, int]]) -> None:
    """If both sides have the same mentions, all errors are wrong links."""
    labels = [[*column, *range(4), *range(4)] for column in zip(*pairs, strict=True)]
    key, response = map(entities, labels)
    found = cs.analyze({"d": key}, {"d": response}).impact()
    assert {score.f1 for score in found.wrong_links.values()} == {1.0}
    gains = found.actions()
    for id, before in found.before.items():
        assert gains[WRONG][id].f1 == pytest.approx(1 - before.f1)
    assert found.before["b3"].f1 == 1 or next(iter(gains)) == WRONG


@settings(max_examples=30)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=4, max_size=9),
        min_size=2,
        max_size=6,
    ),
    st.integers(1, 5),
)
def test_counts_of_parts_give_the_impact_of_the_whole(
    documents: list[list[tuple[int, int]]], cut: int
) -> None:
    sides = [
        {f"d{n}": entities([pair[side] for pair in pairs]) for n, pairs in enumerate(documents)}
        for side in (0, 1)
    ]
    analysis = cs.analyze(*sides)
    whole = [Corrections(each.transformation, "standard") for each in analysis.documents]
    metrics = impact_metrics(None)
    parts = [impact_counts(some, metrics) for some in (whole[:cut], whole[cut:]) if some]
    undivided = analysis.impact()
    # The same in one part, but with few documents in memory at a time.
    with mock.patch.object(impact, "MOST_AT_ONCE", 4):
        parts_of_parts = [impact_counts(whole, metrics)]
    for divided in (impact_of(parts, metrics), impact_of(parts_of_parts, metrics)):
        assert divided.to_dict() == undivided.to_dict()
        assert divided.wrong_links == undivided.wrong_links


def test_a_mention_in_the_wrong_entity() -> None:
    """Corrected as a division alone, it unites two entities of the key."""
    key = {"d": [[(n, n) for n in range(6)], [(n, n) for n in range(6, 12)]]}
    response = {"d": [[(n, n) for n in range(5)], [(n, n) for n in range(5, 12)]]}
    analysis = cs.analyze(key, response)
    assert analysis.errors["divided_entity"] == analysis.errors["conflated_entities"] == 1
    found = analysis.impact()
    assert found.gains(ErrorType.DIVIDED_ENTITY)["b3"].f1 < 0
    first, *others = action_records(found, analysis)
    assert (first.action, first.errors, first.is_recommended) == (WRONG, 2, True)
    assert not any(action.is_recommended for action in others)


@pytest.mark.parametrize("system", RESPONSES)
def test_actions_are_ranked_by_gain(system: str) -> None:
    analysis = cs.analyze(KEY, RESPONSES[system])
    found = analysis.impact()
    records = action_records(found, analysis)
    gains = [record.gain["conll"] for record in records]
    assert gains == sorted(gains, key=lambda gain: -float(json.dumps(gain)))
    assert [record.action for record in records] == list(found.actions())
    for action, types in ACTIONS.items():
        if len(types) == 1:
            assert found.actions()[action] == found.gains(types[0])
    for record in records:
        gain = record.gain["conll"]
        assert isinstance(gain, float)
        assert record.is_recommended == (record.errors > 0 and gain > 0)
