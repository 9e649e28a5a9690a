"""A metric for Hugging Face ``evaluate``. Install ``corefscope[evaluate]``.

``evaluate.load(corefscope.extensions.adapters.hugging_face.__file__)`` loads it, or use the class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import datasets
import evaluate

from corefscope.corpus.clusters import NotClusters
from corefscope.extensions.adapters.documents import Reporter, add_documents, figures_of
from corefscope.scoring.scorer import Scorer

DESCRIPTION = "Scores of coreference resolution, as corefscope computes them."
INPUTS = """
Args:
    predictions: the clusters of each document; a cluster is a list of mentions, a mention is
        [first, last], two token numbers with an inclusive end.
    references: the same for the gold annotation.
    metrics: ids of metrics, as for corefscope.Scorer; MUC, B3 and CEAFe by default.
    profile: a profile of corefscope; conll-2012 by default.
Returns:
    recall, precision and F1 of each metric, as muc_f1, and the CoNLL score as conll.
"""


class Coref(evaluate.Metric):  # type: ignore[misc] # evaluate may be absent when types are checked
    """Scores of coreference resolution; each item is a document."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reporter = Reporter()

    def _info(self) -> Any:
        # Integers would cut 1.5 down to 1; the scorer takes 1.0 and refuses 1.5.
        clusters = datasets.Sequence(
            datasets.Sequence(datasets.Sequence(datasets.Value("float64")))
        )
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
        metrics: str | Iterable[str] = ("muc", "b3", "ceafe"),
        profile: str = "conll-2012",
    ) -> dict[str, float]:
        scorer = Scorer(metrics=metrics, profile=profile)
        add_documents(
            scorer,
            [_clusters(number, document) for number, document in enumerate(predictions)],
            [_clusters(number, document) for number, document in enumerate(references)],
        )
        scores = scorer.compute(warn=False)
        self.reporter.report(scores.findings, stacklevel=3)
        return figures_of(scores)


def _clusters(number: int, document: Any) -> list[list[tuple[float, ...]]]:
    """Return the clusters of a document; mentions have to be pairs."""
    clusters = [[tuple(mention) for mention in cluster] for cluster in document]
    for mention in (mention for cluster in clusters for mention in cluster):
        if len(mention) != 2:
            raise NotClusters(
                f"document {number}: found a mention of {len(mention)} numbers, {list(mention)}; "
                "expected [first, last], two token numbers with an inclusive end"
            )
    return clusters
