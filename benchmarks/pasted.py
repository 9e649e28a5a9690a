"""An evaluator as research code has it in a file ``metrics.py``: MUC, B³ and CEAFe in plain Python.

Written from the definitions, for measurements only. It has the interface and the rules of those
files: B³ skips singletons, and CEAFe those of the response.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

Cluster: TypeAlias = tuple[Hashable, ...]
Owner: TypeAlias = Mapping[Hashable, Cluster]
Counts: TypeAlias = tuple[float, float]


def owners(clusters: Iterable[Cluster]) -> Owner:
    """Return the cluster of each mention."""
    return {mention: cluster for cluster in clusters for mention in cluster}


def muc(clusters: Iterable[Cluster], other: Owner) -> Counts:
    """Return the links of one side that the other has, and all: size minus number of parts."""
    common = total = 0
    for cluster in clusters:
        parts = {other[mention] for mention in cluster if mention in other}
        alone = sum(mention not in other for mention in cluster)
        common += len(cluster) - len(parts) - alone
        total += len(cluster) - 1
    return common, total


def b_cubed(clusters: Iterable[Cluster], other: Owner) -> Counts:
    """Return the shares of common mentions, summed over mentions, and the number of mentions."""
    shares, total = 0.0, 0
    for cluster in clusters:
        if len(cluster) < 2:
            continue
        overlap = Counter(other[mention] for mention in cluster if mention in other)
        squares = sum(n * n for part, n in overlap.items() if len(part) > 1)
        shares += squares / len(cluster)
        total += len(cluster)
    return shares, total


def ceafe(predicted: Sequence[Cluster], gold: Sequence[Cluster]) -> tuple[float, int, int]:
    """Return the similarity of the best alignment, and the numbers of clusters of both sides."""
    predicted = [cluster for cluster in predicted if len(cluster) > 1]
    similarity = np.zeros((len(gold), len(predicted)))
    for row, one in enumerate(gold):
        for column, two in enumerate(predicted):
            common = len([mention for mention in one if mention in two])
            similarity[row, column] = 2 * common / (len(one) + len(two))
    rows, columns = linear_sum_assignment(-similarity)
    return float(similarity[rows, columns].sum()), len(predicted), len(gold)


class PastedEvaluator:
    """Adds up the counts of documents."""

    def __init__(self) -> None:
        self.counts = np.zeros((3, 4))

    def update(
        self,
        predicted: Sequence[Cluster],
        gold: Sequence[Cluster],
        mention_to_predicted: Owner,
        mention_to_gold: Owner,
    ) -> None:
        """Add a document."""
        for row, metric in enumerate((muc, b_cubed)):
            precision, recall = (
                metric(predicted, mention_to_gold),
                metric(gold, mention_to_predicted),
            )
            self.counts[row] += (*precision, *recall)
        common, ours, theirs = ceafe(predicted, gold)
        self.counts[2] += (common, ours, common, theirs)

    def get_f1(self) -> float:
        """Return the mean F1 of the three metrics."""
        return float(np.mean([self._f1(*row) for row in self.counts]))

    @staticmethod
    def _f1(p_num: float, p_den: float, r_num: float, r_den: float) -> float:
        precision = p_num / p_den if p_den else 0.0
        recall = r_num / r_den if r_den else 0.0
        total = precision + recall
        return 2 * precision * recall / total if total else 0.0
