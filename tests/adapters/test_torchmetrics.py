"""The metric for torchmetrics, with the real package."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
import torch
from torchmetrics import MetricCollection

import corefscope as cs
from corefscope.adapters.torchmetrics import Coref

GOLD = [[[(0, 0), (2, 2), (5, 6)], [(7, 7), (9, 9)]], [[(0, 1), (3, 3)]]]
PREDICTED = [[[(0, 0), (2, 2)], [(5, 6), (7, 7)]], [[(0, 1), (3, 3), (4, 4)]]]
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def expected() -> cs.Scores:
    scorer = cs.Scorer(metrics=["muc", "b3", "ceafe"])
    for key, response in zip(GOLD, PREDICTED, strict=True):
        scorer.update(key, response)
    return scorer.compute()


def check(metric: Coref) -> None:
    found = {name: float(value) for name, value in metric.compute().items()}
    scores = expected()
    assert found["conll"] == pytest.approx(scores.conll, abs=1e-15)
    for id, score in scores.metrics.items():
        for name in ("recall", "precision", "f1"):
            assert found[f"{id}_{name}"] == pytest.approx(getattr(score, name), abs=1e-15)


def test_updates_merging_and_reset() -> None:
    metric = Coref()
    metric.update(PREDICTED, GOLD)
    check(metric)
    first, second = Coref(), Coref()
    first.update(PREDICTED[:1], GOLD[:1])
    second.update(PREDICTED[1:], GOLD[1:])
    first.merge_state(second)
    check(first)
    first.reset()
    first.update(PREDICTED, GOLD)
    check(first)
    check(pickle.loads(pickle.dumps(first)))


def test_a_call_gives_the_batch_and_adds_it() -> None:
    metric = Coref()
    batch = metric(PREDICTED[:1], GOLD[:1])
    assert float(batch["conll"]) != pytest.approx(expected().conll)
    metric(PREDICTED[1:], GOLD[1:])
    check(metric)


def test_counts_keep_double_precision() -> None:
    metric = Coref()
    metric.update(PREDICTED, GOLD)
    for changed in (metric.to(torch.float32), metric.float(), metric.half()):
        assert changed.counts_conll_2012_b3.dtype == torch.float64
    check(metric)


def test_no_document() -> None:
    assert float(Coref().compute()["conll"]) == 0


SINGLETONS = [[[(0, 0), (2, 2)], [(5, 5)]]], [[[(0, 0), (2, 2)], [(8, 8)]]]


def test_profiles_in_a_collection_are_counted_apart() -> None:
    """torchmetrics updates only one of several metrics that look the same at first."""
    metrics = {"ref": Coref(), "e2e": Coref(profile="e2e")}
    both = MetricCollection({name: metric.clone() for name, metric in metrics.items()})
    for predicted, gold in ((PREDICTED, PREDICTED), SINGLETONS):
        both.update(predicted, gold)
        for metric in metrics.values():
            metric.update(predicted, gold)
    found = both.compute()
    alone = {name: float(metric.compute()["conll"]) for name, metric in metrics.items()}
    assert alone["ref"] != pytest.approx(alone["e2e"])
    assert {name: float(found[f"{name}_conll"]) for name in alone} == pytest.approx(alone)


@pytest.mark.parametrize("other", [{"profile": "e2e"}, {"metrics": ["muc"]}])
def test_other_options_cannot_be_merged(other: dict[str, Any]) -> None:
    metric = Coref()
    metric.update(PREDICTED, GOLD)
    with pytest.raises(ValueError, match="different options cannot be merged"):
        metric.merge_state(Coref(**other))
    check(metric)
