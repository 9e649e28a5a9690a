"""The evaluator of pasted files, against one written from the formulas with sets and loops."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope import CorefscopeWarning
from corefscope.extensions.adapters import CorefEvaluator, MentionEvaluator
from live_objects import SpacyDoc

Partition = list[tuple[tuple[int, int], ...]]


@st.composite
def partitions(draw: st.DrawFn) -> Partition:
    """Entities of mentions (n, n + 1); some mentions are left out."""
    entities = draw(st.lists(st.integers(0, 3), min_size=7, max_size=7))
    left = draw(st.sets(st.integers(0, 6), max_size=4))
    groups: dict[int, list[tuple[int, int]]] = {}
    for mention, entity in enumerate(entities):
        if mention not in left:
            groups.setdefault(entity, []).append((mention, mention + 1))
    return [tuple(group) for group in groups.values()]


pairs = st.lists(st.tuples(partitions(), partitions()), min_size=1, max_size=3)


def links(entity: set[tuple[int, int]], others: list[set[tuple[int, int]]]) -> int:
    """MUC: size of an entity less the number of parts that the other side divides it into."""
    parts = [entity & other for other in others if entity & other]
    parts += [{mention} for mention in entity if not any(mention in other for other in others)]
    return len(entity) - len(parts)


def slow(documents: list[tuple[Partition, Partition]]) -> tuple[float, float, float]:
    """Mean precision, recall and F1 of MUC, B³ and CEAFe as the pasted file defines them."""
    sums = np.zeros((3, 4))
    for predicted, gold in documents:
        sides = [set(map(frozenset, side)) for side in (predicted, gold)]
        response, key = ([set(entity) for entity in side] for side in sides)
        for column, (own, other) in ((0, (response, key)), (2, (key, response))):
            for entity in own:
                sums[0, column] += links(entity, other)
                sums[0, column + 1] += len(entity) - 1
                for mention in entity if len(entity) > 1 else ():
                    common = [o for o in other if mention in o and len(o) > 1]
                    sums[1, column] += sum(len(entity & o) / len(entity) for o in common)
                    sums[1, column + 1] += 1
        kept = [entity for entity in response if len(entity) > 1]
        small, large = sorted((kept, key), key=len)
        best = max(
            sum(2 * len(a & b) / (len(a) + len(b)) for a, b in zip(small, chosen, strict=True))
            for chosen in permutations(large, len(small))
        )
        sums[2] += best, len(kept), best, len(key)
    prf = []
    for p_num, p_den, r_num, r_den in sums:
        p, r = (n / d if d else 0 for n, d in ((p_num, p_den), (r_num, r_den)))
        prf.append((p, r, 2 * p * r / (p + r) if p + r else 0))
    return tuple(np.mean(prf, axis=0))


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@given(documents=pairs)
@settings(max_examples=200)
def test_the_numbers_are_those_of_the_formulas(
    documents: list[tuple[Partition, Partition]],
) -> None:
    evaluator = CorefEvaluator()
    for predicted, gold in documents:
        evaluator.update(predicted, gold)
    assert evaluator.get_prf() == pytest.approx(slow(documents))
    figures = evaluator.get_precision(), evaluator.get_recall(), evaluator.get_f1()
    assert evaluator.get_prf() == figures


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("profile", ["e2e", "conll-2012", "no-singletons"])
@given(documents=pairs)
@settings(max_examples=40)
def test_the_numbers_are_those_of_a_profile(
    profile: str, documents: list[tuple[Partition, Partition]]
) -> None:
    evaluator, scorer = CorefEvaluator(profile=profile), cs.Scorer(profile=profile)
    for predicted, gold in documents:
        evaluator.update(predicted, gold)
        scorer.update(gold, predicted)
    scores = scorer.compute()
    for each, id in zip(evaluator.evaluators, ("muc", "b3", "ceafe"), strict=True):
        score = scores[id]
        assert each.get_prf() == pytest.approx((score.precision, score.recall, score.f1))
        assert each.get_counts() == pytest.approx((*score.precision_counts, *score.recall_counts))
    assert evaluator.get_f1() == pytest.approx(scores.conll)


def test_singletons_of_the_key_count_in_ceafe() -> None:
    """A perfect response with singletons scores below 1, as in the pasted file."""
    entities = [[(n, n) for n in range(5)], [(5, 5), (6, 6)], [(n, n) for n in range(7, 12)]]
    both = [*entities, [(20, 20)]]
    evaluator = CorefEvaluator()
    evaluator.update(both, both)
    assert evaluator.evaluators[2].get_prf() == pytest.approx((1, 0.75, 6 / 7))
    assert CorefEvaluator(profile="conll-2012").evaluators[0].get_prf() == (0, 0, 0)


def test_precision_comes_first() -> None:
    evaluator = CorefEvaluator()
    evaluator.update([((0, 0), (1, 1), (2, 2))], [((0, 0), (1, 1))])
    precision, recall, _ = evaluator.evaluators[0].get_prf()
    assert (precision, recall) == (0.5, 1.0)


def test_lists_and_arrays_are_taken() -> None:
    lists = [[[0, 0], [2, 2]]]
    tuples = [((0, 0), (2, 2))]
    of_mention = dict.fromkeys(tuples[0], tuples[0])
    evaluator = CorefEvaluator()
    evaluator.update(lists, [np.array(lists[0])])
    evaluator.update(tuples, tuples, of_mention, of_mention)
    assert evaluator.get_f1() == 1
    backwards = dict.fromkeys(tuples[0], tuples[0][::-1])
    evaluator.update(tuples, tuples, of_mention, backwards)
    evaluator.update(tuples, tuples, dict.fromkeys(tuples[0], lists[0]), of_mention)
    with pytest.warns(CorefscopeWarning, match=r"mention_to_gold .*the clusters count.*W110"):
        evaluator.update(tuples, tuples, of_mention, {})
    evaluator.update(tuples, tuples, of_mention, {})  # Once is enough.
    assert evaluator.evaluators[0].get_counts() == (6, 6, 6, 6)


def test_mentions() -> None:
    mentions = MentionEvaluator()
    mentions.update([(0, 0), (9, 9)], [(0, 0), (1, 1), (2, 2)])
    assert mentions.get_prf() == pytest.approx((0.5, 1 / 3, 0.4))


def test_unknown_profile() -> None:
    with pytest.raises(cs.UnknownName):
        CorefEvaluator(profile="nope")


GOOD: Any = [((0, 0), (1, 1))]
WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "a path": ("gold.conll", TypeError, "clusters of one document, not a str"),
    "documents by name": ({"a": GOOD}, TypeError, "clusters of one document, not a dict"),
    "a JSON record": ({"tokens": ["a"], "clusters": GOOD}, TypeError, "not a dict"),
    "a flat list of mentions": ([(0, 0), (3, 4)], TypeError, "flat list of spans"),
    "a list of documents": ([GOOD, [((0, 0), (1, 1), (2, 2)), ((4, 4), (5, 5))]], TypeError, "doc"),
    "ids against spans": ([["a", "b"]], cs.InvalidInput, "E206"),
    "a document of spaCy": (SpacyDoc("Ann saw Eve"), TypeError, "document of spaCy"),
    "documents of spaCy": ([SpacyDoc("Ann saw Eve")], TypeError, "document of spaCy"),
    "nothing": (None, TypeError, "not a list of entities"),
}


@pytest.mark.parametrize("profile", ["e2e", "conll-2012"])
@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_clusters_is_refused(case: str, profile: str) -> None:
    given, error, message = WRONG[case]
    evaluator = CorefEvaluator(profile=profile)
    evaluator.update(GOOD, GOOD)
    for sides in ((given, GOOD), (GOOD, given)):
        with pytest.raises(error, match=message):
            evaluator.update(*sides)
    assert evaluator.evaluators[0].get_counts() == (1, 1, 1, 1)
    assert evaluator.get_f1() == 1


def test_ids_of_clusters_are_refused() -> None:
    evaluator = CorefEvaluator()
    with pytest.raises(TypeError, match="mention_to_gold has 0 as the cluster of a mention"):
        evaluator.update(GOOD, GOOD, None, dict.fromkeys(GOOD[0], 0))
    assert evaluator.evaluators[0].get_counts() == (0, 0, 0, 0)


@pytest.mark.parametrize("profile", ["e2e", "conll-2012"])
def test_empty_clusters_are_left_out(profile: str) -> None:
    evaluator = CorefEvaluator(profile=profile)
    evaluator.update([*GOOD, ()], GOOD)
    assert evaluator.get_prf() == (1, 1, 1)


@pytest.mark.parametrize("profile", ["e2e", "conll-2012"])
def test_each_kind_of_finding_is_reported_once(profile: str) -> None:
    starts = range(0, 60, 10)
    inclusive = [[(n, n + 1), (n + 5, n + 6)] for n in starts]
    exclusive = [[(n, n + 2), (n + 5, n + 7)] for n in starts]
    evaluator = CorefEvaluator(profile=profile)
    for _ in range(3):
        evaluator.update([*exclusive, [(0, 2)]], inclusive)
    with pytest.warns(CorefscopeWarning) as caught:
        evaluator.get_prf()
    assert sorted(str(each.message).count("[W108]") for each in caught) == [0, 1]
    assert sorted(str(each.message).count("[W208]") for each in caught) == [0, 1]
    assert all(each.filename == __file__ for each in caught)
    evaluator.update([*exclusive, [(0, 2)]], inclusive)
    evaluator.get_prf()
