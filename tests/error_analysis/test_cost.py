"""What each entity costs: the shares add up to what a metric finds lost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

import corefscope as cs
from corefscope.error_analysis.cost import costs
from corefscope.matching.matching import MatchingOptions, match_corpora
from corefscope.matching.overlap import Overlap
from corefscope.metrics import CONLL, STANDARD
from metric_groups import OVERLAP_METRICS
from strategies import Document, corpora


def overlap_of(documents: Mapping[str, Document]) -> Overlap:
    key, response = (
        cs.Corpus.from_clusters({name: document[side] for name, document in documents.items()})
        for side in (0, 1)
    )
    return match_corpora(key, response, MatchingOptions()).overlap("keep")


def test_all_metrics_but_blanc_give_credit() -> None:
    overlap = overlap_of({"x": ([["a"]], [["a"]])})
    without = [id for id in STANDARD if OVERLAP_METRICS[id].credits(overlap) is None]
    assert without == ["blanc"]


@given(documents=corpora())
@settings(max_examples=200)
def test_shares_add_up_to_what_is_lost(documents: dict[str, Document]) -> None:
    overlap = overlap_of(documents)
    for metric in STANDARD:
        key, response = costs(overlap, metric)
        assert (key > -1e-12).all()
        assert (response > -1e-12).all()
        expected = _losses(metric, OVERLAP_METRICS[metric].score_overlap(overlap))
        assert [key.sum(), response.sum()] == pytest.approx(expected, abs=1e-12), metric


def _losses(metric: str, score: cs.Score) -> list[float]:
    """What recall and precision lack; a side with nothing to count loses nothing."""
    if metric == "blanc":
        return _blanc_losses(score)
    recall = 1 - score.recall if score.recall_counts[1] else 0.0
    return [recall, 1 - score.precision if score.precision_counts[1] else 0.0]


def _blanc_losses(score: cs.Score) -> list[float]:
    """The mean loss over the key's kinds of links; a side without such links loses none."""
    kinds = [part for part in score.parts.values() if part.recall_counts[1]]
    recall = [1 - kind.recall for kind in kinds]
    precision = [1 - kind.precision if kind.precision_counts[1] else 0.0 for kind in kinds]
    return [sum(side) / len(side) if side else 0.0 for side in (recall, precision)]


@given(documents=corpora())
@settings(max_examples=100)
def test_the_conll_cost_is_the_mean_of_three(documents: dict[str, Document]) -> None:
    overlap = overlap_of(documents)
    for side in (0, 1):
        mean = sum(costs(overlap, id)[side] for id in CONLL.ids) / 3
        np.testing.assert_allclose(costs(overlap, "conll")[side], mean, atol=1e-12)


def test_lost_link_costs_both_entities_half() -> None:
    """BLANC by hand: six mentions in the key, the response puts c with d."""
    key = [["a", "b", "c"], ["d", "e", "f"]]
    response = [["a", "b"], ["c", "d"], ["e", "f"]]
    of = {mention: i for i, entity in enumerate(key) for mention in entity}
    in_response = {mention: i for i, entity in enumerate(response) for mention in entity}
    coreferent, other = [0.0, 0.0], [0.0, 0.0]
    links = {True: 0, False: 0}
    for one, two in combinations("abcdef", 2):
        together = of[one] == of[two]
        links[together] += 1
        if (in_response[one] == in_response[two]) != together:
            lost = coreferent if together else other
            lost[of[one]] += 0.5
            lost[of[two]] += 0.5
    expected = [(coreferent[i] / links[True] + other[i] / links[False]) / 2 for i in (0, 1)]
    assert costs(overlap_of({"x": (key, response)}), "blanc")[0].tolist() == pytest.approx(expected)
    assert expected == pytest.approx([(2 / 6 + 0.5 / 9) / 2] * 2)


def test_muc_by_hand() -> None:
    """Two key entities of three mentions: the first is cut in two, the second is found."""
    overlap = overlap_of(
        {"x": ([["a", "b", "c"], ["d", "e", "f"]], [["a", "b"], ["c"], ["d", "e", "f"]])}
    )
    assert costs(overlap, "muc")[0].tolist() == [1 / 4, 0]
    assert costs(overlap, "muc")[1].tolist() == [0, 0, 0]
