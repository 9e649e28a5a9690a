"""The evaluator that many projects have in a file ``metrics.py``, with the same interface.

Import ``CorefEvaluator`` from ``corefscope.adapters`` instead of ``metrics``: the numbers stay the
same. They are not those of the reference scorer: B³ and LEA skip singletons,
and CEAFe skips those of the response. ``CorefEvaluator(profile="conll-2012")`` gives the numbers of
the reference scorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from reprlib import repr as shown
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from corefscope.adapters.documents import Reporter
from corefscope.corpus.clusters import Given, NotClusters, as_mentions
from corefscope.findings import Code, Finding
from corefscope.scoring import Scorer, snapshot

AnyMention: TypeAlias = Hashable
Cluster: TypeAlias = tuple[AnyMention, ...]
MentionToCluster: TypeAlias = Mapping[Any, Any]
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
        others = [_hashable(mention_to_gold[m]) for m in cluster if m in mention_to_gold]
        found += len(others) - len(set(others))
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
        others = (mention_to_gold.get(mention, ()) for mention in cluster)
        common = Counter(_hashable(other) for other in others if len(other) > 1)
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
        common = Counter(_hashable(mention_to_gold[m]) for m in cluster if m in mention_to_gold)
        links = sum(count * (count - 1) / 2 for count in common.values())
        found += len(cluster) * links / (len(cluster) * (len(cluster) - 1) / 2)
        total += len(cluster)
    return found, total


def phi4(c1: Collection[Any], c2: Collection[Any]) -> float:
    """Return the similarity of two clusters: 2 |c1 ∩ c2| / (|c1| + |c2|)."""
    known = set(map(_hashable, c2))
    return 2 * sum(_hashable(mention) in known for mention in c1) / (len(c1) + len(c2))


def _hashable(value: Any) -> Any:
    """Return lists as tuples and sets as frozen sets, because dictionaries and sets need that."""
    try:
        hash(value)
    except TypeError:
        plain = value.tolist() if hasattr(value, "tolist") else value
        return (frozenset if isinstance(plain, set) else tuple)(map(_hashable, plain))
    return value


def ceafe(
    clusters: Iterable[Collection[Any]], gold_clusters: Iterable[Collection[Any]]
) -> tuple[float, float, float, float]:
    """Return the similarity of the best alignment and the numbers of clusters, for both sides.

    Singletons of the first argument are skipped, unlike in CEAFe as published (Luo 2005).
    """
    kept = [_hashable(cluster) for cluster in clusters if len(cluster) != 1]
    gold_clusters = list(map(_hashable, gold_clusters))
    similarity = np.zeros((len(gold_clusters), len(kept)))
    places: dict[AnyMention, list[int]] = {}
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


class EvaluatorCounts:
    """Precision, recall and F score of counts."""

    beta: float = 1

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall."""
        raise NotImplementedError

    def get_f1(self) -> float:
        """Return the F score."""
        return f1(*self.get_counts(), beta=self.beta)

    def get_recall(self) -> float:
        """Return the recall."""
        return _ratio(*self.get_counts()[2:])

    def get_precision(self) -> float:
        """Return the precision."""
        return _ratio(*self.get_counts()[:2])

    def get_prf(self) -> tuple[float, float, float]:
        """Return precision, recall and F score."""
        return self.get_precision(), self.get_recall(), self.get_f1()


class Sums(EvaluatorCounts):
    """Numerators and denominators of precision and recall, added up over documents.

    Parameters
    ----------
    beta
        The weight of recall in the F score.
    """

    def __init__(self, beta: float = 1) -> None:
        self.beta = beta
        self.p_num = self.p_den = self.r_num = self.r_den = 0.0

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall."""
        return self.p_num, self.p_den, self.r_num, self.r_den

    def add(self, p_num: float, p_den: float, r_num: float, r_den: float) -> None:
        """Add counts."""
        self.p_num += p_num
        self.p_den += p_den
        self.r_num += r_num
        self.r_den += r_den


class Evaluator(Sums):
    """Adds up the counts of one metric over documents.

    Parameters
    ----------
    metric
        One of the functions of this module, or a function of the same kind. A function that is
        called ``ceafe`` gets the clusters of both sides; others get the clusters of one side, and
        the cluster of each mention of the other side.
    beta
        The weight of recall in the F score.
    """

    def __init__(self, metric: Callable[..., tuple[float, ...]], beta: float = 1) -> None:
        super().__init__(beta)
        self.metric = metric

    def update(
        self,
        predicted: Sequence[Any],
        gold: Sequence[Any],
        mention_to_predicted: MentionToCluster | None = None,
        mention_to_gold: MentionToCluster | None = None,
    ) -> None:
        """Add a document; the last two arguments are made of the clusters by default."""
        if getattr(self.metric, "__name__", "") == "ceafe":
            p_num, p_den, r_num, r_den = self.metric(predicted, gold)
        else:
            in_gold = _by_mention(gold) if mention_to_gold is None else mention_to_gold
            found = _by_mention(predicted) if mention_to_predicted is None else mention_to_predicted
            p_num, p_den = self.metric(predicted, in_gold)
            r_num, r_den = self.metric(gold, found)
        self.add(p_num, p_den, r_num, r_den)


def _by_mention(clusters: Iterable[Iterable[Any]]) -> dict[Any, Any]:
    """Return the cluster of each mention."""
    return {mention: cluster for cluster in clusters for mention in cluster}


def evaluate_documents(
    documents: Iterable[Any], metric: Callable[..., tuple[float, ...]], beta: float = 1
) -> tuple[float, float, float]:
    """Return precision, recall and F score of documents.

    Parameters
    ----------
    documents
        Tuples of the arguments of :meth:`Evaluator.update`, or objects with the attributes
        ``clusters``, ``gold``, ``mention_to_cluster`` and ``mention_to_gold``.
    metric, beta
        Those of :class:`Evaluator`.
    """
    evaluator = Evaluator(metric, beta=beta)
    for document in documents:
        evaluator.update(
            *(
                document
                if isinstance(document, list | tuple)
                else (
                    document.clusters,
                    document.gold,
                    document.mention_to_cluster,
                    document.mention_to_gold,
                )
            )
        )
    return evaluator.get_prf()


class _Documents:
    """Documents that are counted together when a figure is needed, which is much faster."""

    def __init__(self, metrics: Sequence[str], profile: str) -> None:
        self.new, self.counted = (Scorer(metrics=metrics, profile=profile) for _ in range(2))
        self.sums = {metric: Sums() for metric in metrics}

    def count(self) -> None:
        """Count new documents."""
        scores = self.new.compute(warn=False)
        if scores.document_names:
            for metric, score in scores.metrics.items():
                self.sums[metric].add(*score.precision_counts, *score.recall_counts)
            self.counted.merge(self.new)
            self.new.reset()


class _ProfileEvaluator(EvaluatorCounts):
    """Has the counts of one metric as a profile of corefscope defines it."""

    def __init__(self, metric: str, documents: _Documents) -> None:
        self.metric = metric
        self._documents = documents

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall."""
        self._documents.count()
        return self._documents.sums[self.metric].get_counts()

    @property
    def p_num(self) -> float:
        """The numerator of precision."""
        return self.get_counts()[0]

    @property
    def p_den(self) -> float:
        """The denominator of precision."""
        return self.get_counts()[1]

    @property
    def r_num(self) -> float:
        """The numerator of recall."""
        return self.get_counts()[2]

    @property
    def r_den(self) -> float:
        """The denominator of recall."""
        return self.get_counts()[3]


class CorefEvaluator:
    """Means of MUC, B³ and CEAFe over documents; a replacement for the pasted class of that name.

    When figures are asked for, a Python warning is issued for each kind of finding, once.

    Parameters
    ----------
    profile
        A profile of corefscope. By default the numbers are those of the pasted file, in which
        singletons are skipped.
    """

    def __init__(self, profile: str = PASTED) -> None:
        metrics = ("mentions",) if profile == PASTED else ("muc", "b3", "ceafe")
        self._documents = _Documents(metrics, profile)
        self._pasted = (
            [Evaluator(metric) for metric in (muc, b_cubed, ceafe)] if profile == PASTED else []
        )
        self.evaluators: Sequence[Evaluator | _ProfileEvaluator] = self._pasted or [
            _ProfileEvaluator(metric, self._documents) for metric in metrics
        ]
        self._reporter = Reporter()

    def update(
        self,
        predicted: Iterable[Any],
        gold: Iterable[Any],
        mention_to_predicted: Mapping[Any, Any] | None = None,
        mention_to_gold: Mapping[Any, Any] | None = None,
    ) -> None:
        """Add a document.

        If the document cannot be scored, an error is raised and the evaluator is unchanged.

        Parameters
        ----------
        predicted, gold
            Clusters: lists of mentions, which are ``(start, end)`` pairs or any other ids.
        mention_to_predicted, mention_to_gold
            The cluster of each mention. They say nothing that the clusters do not say; if they
            disagree with them, a warning says so, and the clusters count.
        """
        response, key = snapshot(predicted), snapshot(gold)
        sides = _clusters(response), _clusters(key)
        findings = [
            *_other_clusters("mention_to_predicted", mention_to_predicted, sides[0]),
            *_other_clusters("mention_to_gold", mention_to_gold, sides[1]),
        ]
        self._documents.new.add(key, response)
        known = tuple(map(_by_mention, sides)) if self._pasted else ()
        for evaluator in self._pasted:
            evaluator.update(*sides, *known)
        self._reporter.report(findings)

    def get_f1(self) -> float:
        """Return the mean F score."""
        self._report()
        return sum(each.get_f1() for each in self.evaluators) / len(self.evaluators)

    def get_recall(self) -> float:
        """Return the mean recall."""
        self._report()
        return sum(each.get_recall() for each in self.evaluators) / len(self.evaluators)

    def get_precision(self) -> float:
        """Return the mean precision."""
        self._report()
        return sum(each.get_precision() for each in self.evaluators) / len(self.evaluators)

    def get_prf(self) -> tuple[float, float, float]:
        """Return mean precision, mean recall and mean F score."""
        self._report()
        return self.get_precision(), self.get_recall(), self.get_f1()

    def _report(self) -> None:
        """Warn of what was found in the documents so far."""
        self._documents.count()
        findings = self._documents.counted.findings
        self._reporter.report(_as_pasted(findings) if self._pasted else findings, stacklevel=3)


def _clusters(given: Given) -> list[Cluster]:
    """Return the clusters of a document as tuples; empty ones are left out."""
    sizes, mentions = given.rows
    rest = iter(mentions)
    return [tuple(islice(rest, size)) for size in sizes if size]


def _other_clusters(
    name: str, found: Mapping[Any, Any] | None, clusters: Sequence[Cluster]
) -> Iterator[Finding]:
    """Report a dictionary that does not have the cluster of each mention."""
    if found is None:
        return
    # Most values are one object for all mentions of a cluster.
    known = {id(cluster): _members(name, cluster) for cluster in found.values()}
    mentions = as_mentions(found)
    theirs = {m: known[id(c)] for m, c in zip(mentions, found.values(), strict=True)}
    ours = {mention: members for c in clusters for members in (frozenset(c),) for mention in c}
    if theirs != ours:
        yield Finding(
            Code.SEVERAL_ANNOTATIONS,
            f"{name} does not have the cluster of each mention",
            expected="what the clusters say: the clusters count",
        )


def _members(name: str, cluster: Any) -> frozenset[AnyMention]:
    if isinstance(cluster, str) or not hasattr(cluster, "__iter__"):
        raise NotClusters(
            f"{name} has {shown(cluster)} as the cluster of a mention; expected a tuple of all "
            "mentions of the cluster; or leave this argument out, which is not needed"
        )
    return frozenset(as_mentions(cluster))


def _as_pasted(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings; a mention that is annotated twice counts twice in the pasted file."""
    repeated = 0
    for finding in findings:
        repeated += finding.code is Code.REPEATED
        if finding.code is not Code.REPEATED:
            yield finding
    if repeated:
        found = "a mention is" if repeated == 1 else f"{repeated:,} mentions are"
        yield Finding(
            Code.REPEATED,
            f"{found} annotated twice and counted twice, as in the pasted file",
            expected="each mention once: with profile='conll-2012' the first counts",
        )


class MentionEvaluator(Sums):
    """Compares sets of mentions over documents."""

    def update(self, predicted_mentions: Iterable[Any], gold_mentions: Iterable[Any]) -> None:
        """Add a document."""
        predicted, gold = (
            set(map(_hashable, side)) for side in (predicted_mentions, gold_mentions)
        )
        common = len(predicted & gold)
        self.add(common, len(predicted), common, len(gold))
