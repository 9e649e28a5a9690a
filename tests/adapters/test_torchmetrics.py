"""The metric for torchmetrics, with the real package."""

from __future__ import annotations

import pickle

import pytest
import torch

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
        assert changed.counts_b3.dtype == torch.float64
    check(metric)


def test_no_document() -> None:
    assert float(Coref().compute()["conll"]) == 0
