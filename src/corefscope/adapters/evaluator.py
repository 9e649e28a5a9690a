"""The evaluator that many projects have in a file ``metrics.py``, with the same interface.

Import ``CorefEvaluator`` from ``corefscope.adapters`` instead of ``metrics``: the numbers stay the
same. They are not those of the reference scorer: B³ and LEA skip singletons,
and CEAFe skips those of the response. ``CorefEvaluator(profile="conll-2012")`` gives the numbers of
the reference scorer.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from corefscope.exceptions import CorefscopeWarning
from corefscope.options import make_options
from corefscope.scoring import Scorer

Mention: TypeAlias = Hashable
Cluster: TypeAlias = tuple[Mention, ...]
MentionToCluster: TypeAlias = Mapping[Any, Cluster]
PASTED = "e2e"
"""The profile whose numbers are those of the pasted file."""


def f1(p_num: float, p_den: float, r_num: float, r_den: float, beta: float = 1) -> float:
    """Return the F score of counts; 0/0 is defined as 0."""
    precision, recall = _ratio(p_num, p_den), _ratio(r_num, r_den)
    return _f(precision, recall, beta)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def _f(precision: float, recall: float, beta: float) -> float:
    total = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / total if total else 0.0


def muc(clusters: Iterable[Cluster], mention_to_gold: MentionToCluster) -> tuple[float, float]:
    """Return the links of clusters that the other side has, and all links (Vilain et al. 1995)."""
    found = total = 0
    for cluster in clusters:
        others = [mention_to_gold.get(mention) for mention in cluster]
        missing = others.count(None)
        found += len(cluster) - missing - len(set(others) - {None})
        total += len(cluster) - 1
    return found, total


def b_cubed(clusters: Iterable[Cluster], mention_to_gold: MentionToCluster) -> tuple[float, float]:
    """Return the sum over mentions of their share of common mentions, and their number.

    Singletons are skipped on both sides, unlike in B³ as published.
    """
    found, total = 0.0, 0
    for cluster in clusters:
        if len(cluster) == 1:
            continue
        common = Counter(o for m in cluster if len(o := mention_to_gold.get(m, ())) > 1)
        found += sum(count * count for count in common.values()) / len(cluster)
        total += len(cluster)
    return found, total


def lea(clusters: Iterable[Cluster], mention_to_gold: MentionToCluster) -> tuple[float, float]:
    """Return the resolved links of clusters, weighted by size, and the sum of sizes.

    Singletons are skipped, unlike in LEA as published (Moosavi & Strube 2016).
    """
    found, total = 0.0, 0
    for cluster in clusters:
        if len(cluster) == 1:
            continue
        common = Counter(mention_to_gold[m] for m in cluster if m in mention_to_gold)
        links = sum(count * (count - 1) / 2 for count in common.values())
        found += len(cluster) * links / (len(cluster) * (len(cluster) - 1) / 2)
        total += len(cluster)
    return found, total


def phi4(c1: Collection[Mention], c2: Collection[Mention]) -> float:
    """Return the similarity of two clusters: 2 |c1 ∩ c2| / (|c1| + |c2|)."""
    known = set(c2)
    return 2 * sum(mention in known for mention in c1) / (len(c1) + len(c2))


def ceafe(
    clusters: Iterable[Cluster], gold_clusters: Sequence[Cluster]
) -> tuple[float, float, float, float]:
    """Return the similarity of the best alignment and the numbers of clusters, for both sides.

    Singletons of the first argument are skipped, unlike in CEAFe as published (Luo 2005).
    """
    kept = [cluster for cluster in clusters if len(cluster) != 1]
    similarity = np.zeros((len(gold_clusters), len(kept)))
    places: dict[Mention, list[int]] = {}
    for column, cluster in enumerate(kept):
        for mention in cluster:
            places.setdefault(mention, []).append(column)
    for row, gold in enumerate(gold_clusters):
        # Most pairs of clusters have nothing in common.
        for column in {column for mention in gold for column in places.get(mention, ())}:
            similarity[row, column] = phi4(gold, kept[column])
    rows, columns = linear_sum_assignment(-similarity)
    found = float(similarity[rows, columns].sum())
    return found, len(kept), found, len(gold_clusters)


class Counts:
    """Numerators and denominators of precision and recall, added up over documents.

    Parameters
    ----------
    beta
        The weight of recall in the F score.
    """

    def __init__(self, beta: float = 1) -> None:
        self.beta = beta
        self.p_num = self.p_den = self.r_num = self.r_den = 0.0

    def add(self, p_num: float, p_den: float, r_num: float, r_den: float) -> None:
        """Add the counts of a document."""
        self.p_num += p_num
        self.p_den += p_den
        self.r_num += r_num
        self.r_den += r_den

    def get_f1(self) -> float:
        """Return the F score."""
        return f1(self.p_num, self.p_den, self.r_num, self.r_den, beta=self.beta)

    def get_recall(self) -> float:
        """Return the recall."""
        return _ratio(self.r_num, self.r_den)

    def get_precision(self) -> float:
        """Return the precision."""
        return _ratio(self.p_num, self.p_den)

    def get_prf(self) -> tuple[float, float, float]:
        """Return precision, recall and F score."""
        return self.get_precision(), self.get_recall(), self.get_f1()

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall."""
        return self.p_num, self.p_den, self.r_num, self.r_den


class Evaluator(Counts):
    """Adds up the counts of one metric over documents.

    Parameters
    ----------
    metric
        One of the functions of this module.
    beta
        The weight of recall in the F score.
    """

    def __init__(self, metric: Callable[..., tuple[float, ...]], beta: float = 1) -> None:
        super().__init__(beta)
        self.metric = metric

    def update(
        self,
        predicted: Sequence[Cluster],
        gold: Sequence[Cluster],
        mention_to_predicted: MentionToCluster,
        mention_to_gold: MentionToCluster,
    ) -> None:
        """Add a document."""
        if self.metric is ceafe:
            p_num, p_den, r_num, r_den = self.metric(predicted, gold)
        else:
            p_num, p_den = self.metric(predicted, mention_to_gold)
            r_num, r_den = self.metric(gold, mention_to_predicted)
        self.add(p_num, p_den, r_num, r_den)


class _ProfileEvaluator(Counts):
    """Counts one metric as a profile of corefscope does."""

    def __init__(self, metric: str, profile: str) -> None:
        super().__init__()
        self.name = metric
        self.scorer = Scorer(metrics=[metric], profile=profile)

    def update(
        self,
        predicted: Sequence[Cluster],
        gold: Sequence[Cluster],
        mention_to_predicted: MentionToCluster,
        mention_to_gold: MentionToCluster,
    ) -> None:
        """Add a document."""
        del mention_to_predicted, mention_to_gold
        self.scorer.reset()
        self.scorer.update(gold, predicted)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CorefscopeWarning)
            score = self.scorer.compute().metrics[self.name]
        self.add(*score.precision_counts, *score.recall_counts)


class CorefEvaluator:
    """Means of MUC, B³ and CEAFe over documents; a replacement for the pasted class of that name.

    Parameters
    ----------
    profile
        A profile of corefscope. By default the numbers are those of the pasted file, in which
        singletons are skipped.
    """

    def __init__(self, profile: str = PASTED) -> None:
        make_options(profile=profile)
        self.evaluators: list[Evaluator] | list[_ProfileEvaluator] = (
            [Evaluator(metric) for metric in (muc, b_cubed, ceafe)]
            if profile == PASTED
            else [_ProfileEvaluator(metric, profile) for metric in ("muc", "b3", "ceafe")]
        )

    def update(
        self,
        predicted: Iterable[Any],
        gold: Iterable[Any],
        mention_to_predicted: Mapping[Any, Any] | None = None,
        mention_to_gold: Mapping[Any, Any] | None = None,
    ) -> None:
        """Add a document.

        Parameters
        ----------
        predicted, gold
            Clusters: lists of mentions, which are ``(start, end)`` pairs or any other ids.
        mention_to_predicted, mention_to_gold
            The cluster of each mention. They say nothing that the clusters do not say; if they
            disagree with them, a warning says so, and the clusters count.
        """
        given = _clusters(predicted), _clusters(gold)
        known = tuple({m: cluster for cluster in side for m in cluster} for side in given)
        for side, found, name in zip(
            known, (mention_to_predicted, mention_to_gold), ("predicted", "gold"), strict=True
        ):
            if found is not None and _clusters_of(found) != side:
                message = f"mention_to_{name} does not agree with the clusters, which count"
                warnings.warn(message, CorefscopeWarning, stacklevel=2)
        for evaluator in self.evaluators:
            evaluator.update(*given, *known)

    def get_f1(self) -> float:
        """Return the mean F score."""
        return sum(each.get_f1() for each in self.evaluators) / len(self.evaluators)

    def get_recall(self) -> float:
        """Return the mean recall."""
        return sum(each.get_recall() for each in self.evaluators) / len(self.evaluators)

    def get_precision(self) -> float:
        """Return the mean precision."""
        return sum(each.get_precision() for each in self.evaluators) / len(self.evaluators)

    def get_prf(self) -> tuple[float, float, float]:
        """Return mean precision, mean recall and mean F score."""
        return self.get_precision(), self.get_recall(), self.get_f1()


def _clusters(given: Iterable[Any]) -> list[Cluster]:
    return [tuple(_mention(mention) for mention in cluster) for cluster in given]


def _clusters_of(found: Mapping[Any, Any]) -> dict[Mention, Cluster]:
    return {_mention(m): tuple(map(_mention, cluster)) for m, cluster in found.items()}


def _mention(mention: Any) -> Mention:
    """Return a mention that is hashable: lists and arrays become tuples."""
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    return tuple(map(_mention, mention)) if isinstance(mention, list | tuple) else mention


class MentionEvaluator(Counts):
    """Compares sets of mentions over documents."""

    def update(self, predicted_mentions: Iterable[Any], gold_mentions: Iterable[Any]) -> None:
        """Add a document."""
        predicted, gold = (set(map(_mention, side)) for side in (predicted_mentions, gold_mentions))
        common = len(predicted & gold)
        self.add(common, len(predicted), common, len(gold))
