"""A metric for Hugging Face ``evaluate``. Install ``corefscope[evaluate]``.

``evaluate.load(corefscope.adapters.hugging_face.__file__)`` loads it, or use the class itself.
"""

from __future__ import annotations

import warnings
from typing import Any

import datasets
import evaluate

from corefscope.exceptions import CorefscopeWarning
from corefscope.scoring import Scorer

DESCRIPTION = "Scores of coreference resolution, as corefscope computes them."
INPUTS = """
Args:
    predictions: the clusters of each document; a cluster is a list of mentions, a mention is
        [first, last], two token numbers with an inclusive end.
    references: the same for the gold annotation.
    metrics: ids of metrics; MUC, B3 and CEAFe by default.
    profile: a profile of corefscope; conll-2012 by default.
Returns:
    recall, precision and F1 of each metric, as muc_f1, and the CoNLL score as conll.
"""


class Coref(evaluate.Metric):  # type: ignore[misc] # evaluate may be absent when types are checked
    """Scores of coreference resolution; each item is a document."""

    def _info(self) -> Any:
        clusters = datasets.Sequence(datasets.Sequence(datasets.Sequence(datasets.Value("int64"))))
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="",
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": clusters, "references": clusters}),
        )

    def _compute(
        self,
        *,
        predictions: Any = None,
        references: Any = None,
        metrics: tuple[str, ...] = ("muc", "b3", "ceafe"),
        profile: str = "conll-2012",
    ) -> dict[str, float]:
        scorer = Scorer(metrics=list(metrics), profile=profile)
        for response, key in zip(predictions, references, strict=True):
            scorer.update(_clusters(key), _clusters(response))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CorefscopeWarning)
            scores = scorer.compute()
        found = {
            f"{id}_{name}": float(getattr(score, name))
            for id, score in scores.metrics.items()
            for name in ("recall", "precision", "f1")
        }
        return found | ({} if scores.conll is None else {"conll": scores.conll})


def _clusters(given: Any) -> list[list[tuple[int, int]]]:
    return [[(int(first), int(last)) for first, last in cluster] for cluster in given]
