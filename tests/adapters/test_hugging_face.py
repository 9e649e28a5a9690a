"""The metric for Hugging Face evaluate, with the real package and without a network."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import evaluate
import pytest

import corefscope as cs
from corefscope.extensions.adapters import hugging_face

GOLD = [[[[0, 0], [2, 2], [5, 6]], [[7, 7], [9, 9]]], [[[0, 1], [3, 3]]]]
PREDICTED = [[[[0, 0], [2, 2]], [[5, 6], [7, 7]]], [[[0, 1], [3, 3], [4, 4]]]]
pytestmark = pytest.mark.filterwarnings("ignore", "always::corefscope.CorefscopeWarning")


def expected(profile: str = "conll-2012") -> float:
    scorer = cs.Scorer(profile=profile)
    for key, response in zip(GOLD, PREDICTED, strict=True):
        scorer.update([list(map(tuple, e)) for e in key], [list(map(tuple, e)) for e in response])
    conll = scorer.compute().conll
    assert conll is not None
    return conll


@pytest.fixture(params=["class", "path"])
def metric(request: pytest.FixtureRequest, tmp_path: Path) -> evaluate.Metric:
    if request.param == "class":
        return hugging_face.Coref(cache_dir=str(tmp_path))
    return evaluate.load(hugging_face.__file__, cache_dir=str(tmp_path))


def test_compute(metric: evaluate.Metric) -> None:
    found = metric.compute(predictions=PREDICTED, references=GOLD)
    assert found["conll"] == pytest.approx(expected())
    assert {"muc_recall", "b3_precision", "ceafe_f1"} <= set(found)


def test_batches_and_profiles(metric: evaluate.Metric) -> None:
    metric.add(prediction=PREDICTED[0], reference=GOLD[0])
    metric.add_batch(predictions=PREDICTED[1:], references=GOLD[1:])
    found = metric.compute(profile="e2e")
    assert found["conll"] == pytest.approx(expected("e2e"))


def test_empty_documents(metric: evaluate.Metric) -> None:
    assert metric.compute(predictions=[[], []], references=[[], []])["conll"] == 0


@pytest.mark.parametrize("name", ["muc", ["muc"], "MUC", ("muc",)])
def test_names_of_metrics(metric: evaluate.Metric, name: Any) -> None:
    found = metric.compute(predictions=PREDICTED, references=GOLD, metrics=name)
    assert list(found) == ["muc_recall", "muc_precision", "muc_f1"]


def test_figures_that_a_metric_does_not_have_are_left_out(metric: evaluate.Metric) -> None:
    found = metric.compute(predictions=PREDICTED, references=GOLD, metrics=["conll", "vi"])
    assert "conll" in found
    assert [name for name in found if name.startswith("vi")] == ["vi_f1"]


@pytest.mark.parametrize(
    ("mention", "message"),
    [([0, 0, 1], "mention of 3 numbers"), ([0], "mention of 1 numbers"), ([0.9, 1.9], "0.9, 1.9")],
)
def test_mentions_are_two_whole_numbers(
    metric: evaluate.Metric, mention: list[float], message: str
) -> None:
    with pytest.raises(TypeError, match=f"document 1: .*{message}"):
        metric.compute(predictions=[[], [[mention]]], references=[[], [[[0, 1]]]])


def test_each_kind_of_finding_is_reported_once(metric: evaluate.Metric) -> None:
    inclusive = [[[n, n + 1], [n + 5, n + 6]] for n in range(0, 60, 10)]
    exclusive = [[[n, n + 2], [n + 5, n + 7]] for n in range(0, 60, 10)]
    with pytest.warns(cs.CorefscopeWarning) as caught:
        metric.compute(predictions=[exclusive] * 3, references=[inclusive] * 3)
    ours = [each for each in caught if issubclass(each.category, cs.CorefscopeWarning)]
    assert [str(each.message)[-6:] for each in ours] == ["[W208]"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.CorefscopeWarning)
        metric.compute(predictions=[exclusive] * 3, references=[inclusive] * 3)
