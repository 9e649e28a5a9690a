"""The metric for Hugging Face evaluate, with the real package and without a network."""

from __future__ import annotations

from pathlib import Path

import evaluate
import pytest

import corefscope as cs
from corefscope.adapters import hugging_face

GOLD = [[[[0, 0], [2, 2], [5, 6]], [[7, 7], [9, 9]]], [[[0, 1], [3, 3]]]]
PREDICTED = [[[[0, 0], [2, 2]], [[5, 6], [7, 7]]], [[[0, 1], [3, 3], [4, 4]]]]
pytestmark = pytest.mark.filterwarnings("ignore")


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
