"""The evaluator that many projects have in a file ``metrics.py``, with the same interface.

Import ``CorefEvaluator`` from ``corefscope.extensions.adapters`` instead of ``metrics``: the
numbers stay the same. They are not those of the reference scorer: B³ skips singletons, and CEAFe
skips those of the response. ``CorefEvaluator(profile="conll-2012")`` gives its numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from reprlib import repr as shown
from typing import Any, TypeAlias

import numpy as np

from corefscope.corpus.clusters import Given, NotClusters, as_mentions
from corefscope.extensions.adapters.documents import Reporter
from corefscope.findings import Code, Finding
from corefscope.scoring.scorer import Scorer, snapshot

AnyMention: TypeAlias = Hashable
Cluster: TypeAlias = tuple[AnyMention, ...]
METRICS = ("muc", "b3", "ceafe")


class Counts:
    """Numerators and denominators of precision and recall, added up over documents."""

    def __init__(self) -> None:
        self._sums = np.zeros(4)

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall."""
        p_num, p_den, r_num, r_den = self._sums.tolist()
        return p_num, p_den, r_num, r_den

    def add(self, counts: Iterable[float]) -> None:
        """Add the counts of documents, in the order of :meth:`get_counts`."""
        self._sums += list(counts)

    def get_precision(self) -> float:
        """Return the precision; 0/0 is defined as 0."""
        return _ratio(*self.get_counts()[:2])

    def get_recall(self) -> float:
        """Return the recall; 0/0 is defined as 0."""
        return _ratio(*self.get_counts()[2:])

    def get_f1(self) -> float:
        """Return F1."""
        precision, recall = self.get_precision(), self.get_recall()
        return _ratio(2 * precision * recall, precision + recall)

    def get_prf(self) -> tuple[float, float, float]:
        """Return precision, recall and F1."""
        return self.get_precision(), self.get_recall(), self.get_f1()


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


class _Evaluator(Counts):
    """Has the counts of one metric, once the documents so far are counted."""

    def __init__(self, documents: _Documents) -> None:
        super().__init__()
        self._documents = documents

    def get_counts(self) -> tuple[float, float, float, float]:
        self._documents.count()
        return super().get_counts()


class _Documents:
    """Documents that are counted together when a figure is needed, which is much faster."""

    def __init__(self, profile: str) -> None:
        self.new, self.counted = (Scorer(metrics=METRICS, profile=profile) for _ in range(2))
        self.evaluators = [_Evaluator(self) for _ in METRICS]

    def count(self) -> None:
        """Count new documents."""
        scores = self.new.compute(warn=False)
        if scores.document_names:
            for evaluator, metric in zip(self.evaluators, METRICS, strict=True):
                score = scores[metric]
                evaluator.add((*score.precision_counts, *score.recall_counts))
            self.counted.merge(self.new)
            self.new.reset()


class CorefEvaluator:
    """Means of MUC, B³ and CEAFe over documents; a replacement for the pasted class of that name.

    When figures are asked for, a Python warning is issued for each kind of finding, once.

    Parameters
    ----------
    profile
        A profile of corefscope. By default the numbers are those of the pasted file, in which
        singletons are skipped.
    """

    def __init__(self, profile: str = "e2e") -> None:
        self._documents = _Documents(profile)
        self.evaluators: Sequence[Counts] = self._documents.evaluators
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
        self._reporter.report(self._documents.counted.findings, stacklevel=3)


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


class MentionEvaluator(Counts):
    """Compares sets of mentions over documents."""

    def update(self, predicted_mentions: Iterable[Any], gold_mentions: Iterable[Any]) -> None:
        """Add a document."""
        predicted, gold = set(as_mentions(predicted_mentions)), set(as_mentions(gold_mentions))
        common = len(predicted & gold)
        self.add((common, len(predicted), common, len(gold)))
