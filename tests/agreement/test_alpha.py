"""Alpha is what its definition says, whatever the annotators did."""

from __future__ import annotations

from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import masi_distance

import agreement_reference as reference
import corefscope as cs
from corefscope.agreement import alpha as module
from corefscope.agreement.alpha import DISTANCES
from corefscope.choices import Unmarked

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

Corpus = dict[str, dict[str, list[list[str]]]]
"""The entities of each annotator in each document."""
NAMES = ("anna", "ben", "carla", "dora")
ABSENT = -1
UNMARKED: tuple[Unmarked, ...] = ("missing", "singleton")


def _entities(places: list[int]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for mention, place in zip("abcdefgh", places, strict=False):
        if place != ABSENT:
            found.setdefault(place, []).append(mention)
    return list(found.values())


@st.composite
def corpora(draw: st.DrawFn, max_documents: int = 3) -> Corpus:
    """Two to four annotators; some may not have annotated a document."""
    names = NAMES[: draw(st.integers(2, 4))]
    places = st.lists(st.integers(ABSENT, 3), min_size=0, max_size=8)
    documents = draw(st.integers(1, max_documents))
    found: Corpus = {name: {} for name in names}
    for number in range(documents):
        for name in names:
            if number == 0 or draw(st.booleans()):
                found[name][f"d{number}"] = _entities(draw(places))
    return found


def by_document(corpus: Corpus) -> list[reference.Annotated]:
    names = dict.fromkeys(document for own in corpus.values() for document in own)
    return [
        {who: own[document] for who, own in corpus.items() if document in own} for document in names
    ]


@given(corpora(), st.sampled_from(UNMARKED))
def test_it_is_what_the_definition_says(corpus: Corpus, unmarked: Unmarked) -> None:
    found = cs.agree(corpus, unmarked=unmarked).alpha
    for distance in DISTANCES:
        expected = reference.alpha(by_document(corpus), unmarked, distance)
        value = getattr(found, distance)
        assert (value is None) == (expected is None)
        if expected is not None:
            assert value == pytest.approx(float(expected), abs=1e-9)


@given(corpora(max_documents=1), st.sampled_from(UNMARKED))
def test_it_is_that_of_nltk_in_one_document(corpus: Corpus, unmarked: Unmarked) -> None:
    (document,) = by_document(corpus)
    units = reference.values_of(document, unmarked)
    data = [
        (who, unit, value) for unit, values in enumerate(units) for who, value in enumerate(values)
    ]
    assume(len({value for _, _, value in data}) > 1)
    task = AnnotationTask(data=data, distance=masi_distance)
    found = cs.agree(corpus, unmarked=unmarked).alpha
    assert found.masi == pytest.approx(task.alpha(), abs=1e-9)


@given(corpora(), st.sampled_from(UNMARKED), st.randoms(use_true_random=False))
def test_order_and_labels_do_not_matter(corpus: Corpus, unmarked: Unmarked, random: Random) -> None:
    before = cs.agree(corpus, unmarked=unmarked)
    names = list(corpus)
    random.shuffle(names)
    shuffled: Corpus = {}
    for name in names:
        documents = list(corpus[name].items())
        random.shuffle(documents)
        shuffled[name] = {d: random.sample(own, len(own)) for d, own in documents}
    after = cs.agree(shuffled, unmarked=unmarked)
    for distance in DISTANCES:
        one, other = getattr(before.alpha, distance), getattr(after.alpha, distance)
        assert one == other or one == pytest.approx(other, abs=1e-12)
    assert before.mentions == after.mentions
    assert dict(before.mean) == pytest.approx(dict(after.mean), abs=1e-12)


@given(corpora(), st.permutations(range(4)))
def test_the_order_of_annotators_changes_no_bit(corpus: Corpus, order: list[int]) -> None:
    names = [list(corpus)[place] for place in order if place < len(corpus)]
    before, after = cs.agree(corpus), cs.agree({name: corpus[name] for name in names})
    assert before.alpha == after.alpha
    assert before.mean == after.mean
    assert before.documents == after.documents
    assert before.disputed_entities(None) == after.disputed_entities(None)
    for pair in before:
        other = after[pair.a, pair.b]
        assert other.conll == pair.conll
        assert {id: score.f1 for id, score in other.metrics.items()} == {
            id: score.f1 for id, score in pair.metrics.items()
        }


@given(corpora())
def test_annotators_who_agree_have_alpha_one(corpus: Corpus) -> None:
    same = dict.fromkeys(corpus, corpus["anna"])
    found = cs.agree(same)
    is_any = any(corpus["anna"].values())
    assert found.alpha.masi == found.alpha.passonneau == (1 if is_any else None)
    # 0/0 is defined as 0: single mentions have no links.
    assert all(value in (0, 1) for id, value in found.mean.items() if id != "conll")
    assert found.mean["b3"] == is_any
    assert found.disputed_entities(None) == []


def test_no_pairs_of_values_are_compared() -> None:
    """Ten times as many mentions make ten times as many cells, and not a hundred times."""

    def joined(mentions: int) -> int:
        rng = np.random.default_rng(1)
        annotators = {
            name: {"d": _split(rng.integers(0, mentions // 4, mentions).tolist())} for name in NAMES
        }
        with mock.patch.object(module, "_cells", wraps=module._cells) as cells:
            assert cs.agree(annotators).alpha.masi is not None
        steps = 0
        for call in cells.call_args_list:
            one, other, values = call.args
            steps += len(one.mention) + len(other.mention) + len(values)
        assert cells.call_count == 6
        return steps

    assert joined(20_000) <= 10.5 * joined(2_000)


def _split(places: list[int]) -> list[list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for token, place in enumerate(places):
        found.setdefault(place, []).append((token, token))
    return list(found.values())
