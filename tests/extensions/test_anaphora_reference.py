"""Counts of Universal Anaphora against their definitions, on random entities."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anaphora_reference import Reference, partial_pairs
from corefscope.extensions.universal_anaphora.alignment import MarkableAlignment, align
from corefscope.extensions.universal_anaphora.counting import (
    MEASURES,
    Measure,
    count_splits_only,
    count_with_splits,
)
from corefscope.extensions.universal_anaphora.entities import SplitAntecedent, UaEntity, UaMention
from corefscope.extensions.universal_anaphora.tables import UaTable

MEASURE_OF: dict[str, Measure] = {
    **{id: measures[0] for id, measures in MEASURES.items() if id != "blanc"},
    "coreference": MEASURES["blanc"][0],
    "non_coreference": MEASURES["blanc"][1],
}


def word(number: int) -> UaMention:
    return UaMention(((number, number),))


numbers = st.integers(0, 5)
plain_entities = st.lists(st.lists(numbers, min_size=1, max_size=3), min_size=1, max_size=4)
elements = st.frozensets(st.tuples(numbers) | st.tuples(numbers, numbers), min_size=1, max_size=3)


@st.composite
def sides(draw: st.DrawFn) -> list[UaEntity]:
    """Entities of one side; repeated mentions are allowed, repeated split antecedents are not."""
    entities: list[UaEntity] = []
    for some in draw(plain_entities):
        members: list[UaMention | SplitAntecedent] = [word(n) for n in some]
        entities.append(members)
    splits = draw(st.sets(elements, max_size=min(2, len(entities))))
    for number, split in enumerate(sorted(splits, key=sorted)):
        antecedent = SplitAntecedent(frozenset(tuple(map(word, one)) for one in split))
        entities[number] = [*entities[number], antecedent]
    return entities


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[UaEntity], list[UaEntity], MarkableAlignment]:
    """Two sides, and a random alignment of mentions that only one side has."""
    key, response = draw(sides()), draw(sides())
    moved = draw(st.permutations(range(6)))
    shifted = draw(st.integers(0, 3))
    # Mentions of the response from 10 on have no equal in the key; some of them are aligned.
    renamed = {word(n): word(10 + n) for n in range(6 - shifted, 6)}
    response = [
        [renamed.get(one, one) if isinstance(one, UaMention) else one for one in entity]
        for entity in response
    ]
    present = {one for entity in response for one in entity}
    free = [word(n) for n in moved if word(n) not in present]
    of_key = dict(zip(free, renamed.values(), strict=False))
    return key, response, MarkableAlignment(of_key, {b: a for a, b in of_key.items()})


@pytest.mark.parametrize("metric", MEASURE_OF)
@settings(max_examples=150)
@given(tables())
def test_counts_are_those_of_the_definitions(
    metric: str, drawn: tuple[list[UaEntity], list[UaEntity], MarkableAlignment]
) -> None:
    key, response, alignment = drawn
    reference = Reference(metric, alignment.of_key, alignment.of_response)
    expected = reference.with_splits(key, response)
    assume(expected is not None)
    found = count_with_splits(UaTable.of(key, response, alignment), MEASURE_OF[metric])
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", MEASURE_OF)
@given(tables())
def test_split_antecedents_alone(
    metric: str, drawn: tuple[list[UaEntity], list[UaEntity], MarkableAlignment]
) -> None:
    """The elements are scored as small lists of entities; those of no partner are missed."""
    key, response, alignment = drawn
    counts = count_splits_only(UaTable.of(key, response, alignment), MEASURE_OF[metric])
    key_only = count_splits_only(UaTable.of(key, [], alignment), MEASURE_OF[metric])
    assert counts.key == key_only.key and key_only.found == key_only.response == 0
    assert 0 <= counts.found <= counts.key + 1e-9
    same = count_splits_only(UaTable.of(key, key, MarkableAlignment()), MEASURE_OF[metric])
    assert same.found <= same.key + 1e-9


def spans(minimum: bool) -> st.SearchStrategy[UaMention]:
    @st.composite
    def draw_one(draw: st.DrawFn) -> UaMention:
        first = draw(st.integers(0, 6))
        last = draw(st.integers(first, min(first + 4, 8)))
        least = draw(st.integers(first, last)) if minimum else None
        return UaMention(
            ((first, last),),
            minimum=None if least is None or draw(st.booleans()) else (least, least),
            first_part=(first, last),
        )

    return draw_one()


def entities_of(mentions: Sequence[UaMention]) -> list[UaEntity]:
    return [[mention] for mention in mentions]


distinct = {"max_size": 5, "unique_by": lambda one: one.spans}


@given(st.lists(spans(True), **distinct), st.lists(spans(False), **distinct))  # type: ignore[arg-type]
def test_partial_matching_is_the_best_one(key: list[UaMention], response: list[UaMention]) -> None:
    pairs = align(entities_of(key), entities_of(response), "partial").of_key
    left = [one for one in key if one not in response]
    right = [one for one in response if one not in key]

    def fits(one: UaMention, other: UaMention) -> bool:
        return one.minimum is not None and (
            set(range(one.minimum[0], one.minimum[1] + 1)) <= other.words <= one.words
        )

    assert all(fits(one, other) for one, other in pairs.items())
    assert set(pairs) <= set(left) and set(pairs.values()) <= set(right)
    total = sum(len(other.words) / len(one.words) for one, other in pairs.items())
    assert total == pytest.approx(partial_pairs(left, right, fits))


@given(st.lists(spans(False), **distinct), st.lists(spans(False), **distinct))  # type: ignore[arg-type]
def test_matching_of_craft_takes_the_first_that_fits(
    key: list[UaMention], response: list[UaMention]
) -> None:
    expected: dict[UaMention, UaMention] = {}
    for other in sorted(set(response) - set(key), key=lambda one: one.place):
        for one in sorted(set(key) - set(response), key=lambda one: one.place):
            if other.words <= one.words:
                expected.setdefault(one, other)
                break
    assert align(entities_of(key), entities_of(response), "craft").of_key == expected
