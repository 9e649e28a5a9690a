"""The metric for torchmetrics, with the real package."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest
import torch
from torchmetrics import MetricCollection

import corefscope as cs
from corefscope.extensions.adapters.torchmetrics import Coref, precision_on

GOLD = [[[(0, 0), (2, 2), (5, 6)], [(7, 7), (9, 9)]], [[(0, 1), (3, 3)]]]
PREDICTED = [[[(0, 0), (2, 2)], [(5, 6), (7, 7)]], [[(0, 1), (3, 3), (4, 4)]]]
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning", "always::corefscope.CorefscopeWarning"
)


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


@pytest.mark.parametrize("name", ["muc", ["muc"], "MUC"])
def test_names_of_metrics(name: Any) -> None:
    metric = Coref(metrics=name)
    metric.update(PREDICTED, GOLD)
    assert list(metric.compute()) == ["muc_recall", "muc_precision", "muc_f1"]


def test_groups_of_metrics_and_indices() -> None:
    metric = Coref(metrics=["conll", "vi"])
    metric.update(PREDICTED, GOLD)
    found = metric.compute()
    assert float(found["conll"]) == pytest.approx(expected().conll)
    assert [name for name in found if name.startswith("vi")] == ["vi_f1"]


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "fewer documents": (GOLD[:1], ValueError, "found 2 predicted and 1 gold documents"),
    "nothing": (None, TypeError, "the gold documents are None"),
    "documents by name": ({"a": GOLD[0], "b": GOLD[1]}, TypeError, "expected a list"),
    "a path": ("gold.conll", TypeError, "expected a list"),
    "a bad second document": ([GOLD[0], [(0, 0), (1, 1)]], TypeError, "document 1: .*flat list"),
    "ids in the second document": ([GOLD[0], [["a", "b"]]], ValueError, "in document '1'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_scored_changes_nothing(case: str) -> None:
    gold, error, message = WRONG[case]
    metric = Coref()
    metric.update(PREDICTED, GOLD)
    with pytest.raises(error, match=message):
        metric.update(PREDICTED, gold)
    check(metric)


def shifted() -> tuple[list[Any], list[Any]]:
    """A batch of three documents whose response has exclusive ends."""
    inclusive = [[(n, n + 1), (n + 5, n + 6)] for n in range(0, 60, 10)]
    exclusive = [[(n, n + 2), (n + 5, n + 7)] for n in range(0, 60, 10)]
    return [exclusive] * 3, [inclusive] * 3


@pytest.mark.parametrize("is_called", [False, True])
def test_each_kind_of_finding_is_reported_once(is_called: bool) -> None:
    """An empty document among others is no finding, not even if it is a batch."""
    metric = Coref()
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.CorefscopeWarning)
        empty: tuple[list[Any], list[Any]] = ([[]], [[]])
        for predicted, gold in (empty, shifted(), shifted()):
            (metric if is_called else metric.update)(predicted, gold)
    with pytest.warns(cs.CorefscopeWarning) as caught:
        metric.compute()
    ours = [each for each in caught if issubclass(each.category, cs.CorefscopeWarning)]
    assert [str(each.message)[-6:] for each in ours] == ["[W208]"]
    metric.reset()
    metric.update(*shifted())
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.CorefscopeWarning)
        metric.compute()


def test_a_device_without_double_precision() -> None:
    """The GPUs of Apple refuse double precision; the counts stay where they are."""

    def moved(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.dtype == torch.float64:
            raise TypeError("the MPS framework doesn't support float64")
        return tensor.to("meta")

    metric = Coref()
    metric.update(PREDICTED[:1], GOLD[:1])
    metric.compute()
    metric._apply(moved)
    metric.update(PREDICTED[1:], GOLD[1:])
    assert metric.counts_conll_2012_b3.device == torch.device("cpu")
    assert {figure.device.type for figure in metric.compute().values()} == {"meta"}
    metric._apply(
        lambda tensor: tensor.to("cpu") if tensor.device.type == "cpu" else torch.zeros(1)
    )
    check(metric)
    assert precision_on(torch.device("mps")) == torch.float32
    assert precision_on(torch.device("cpu")) == torch.float64
