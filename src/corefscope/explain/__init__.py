"""A score worked out term by term, as section 4 of Pradhan et al. (2014) works its example."""

from __future__ import annotations

from corefscope.corpus import Corpus
from corefscope.exceptions import UnknownName
from corefscope.explain.terms import Explanation
from corefscope.explain.view import DocumentView
from corefscope.explain.working import WORKINGS
from corefscope.matching.comparison import side_by_side
from corefscope.metrics import Metric, metric_named
from corefscope.options import Options


def explain(metric: str, key: Corpus, response: Corpus, options: Options) -> Explanation:
    """Work out a metric of the only document of the key."""
    if len(key) != 1:
        raise ValueError(f"the key has {len(key)} documents; choose one with key.only(name)")
    chosen = workable(metric)
    profile = options.profile
    comparison = side_by_side(key, response, options.matching)
    view = DocumentView(comparison, profile.singleton_rule(chosen.id))
    score = profile.adapted(chosen).total(
        chosen.count(comparison, profile.singleton_rule(chosen.id))
    )
    sums, conclusion = WORKINGS[chosen.id](view, score)
    return Explanation(
        chosen.name,
        key.document_names[0],
        view.entities(),
        sums,
        conclusion,
        score,
        options.profile.signature(1, len(response.skipped_files)),
        comparison.findings,
    )


def workable(metric: str) -> Metric:
    """Return a metric by name; refuse one that has no working."""
    chosen = metric_named(metric)
    if chosen.id not in WORKINGS:
        raise UnknownName("metric that can be worked out", metric, WORKINGS)
    return chosen


__all__ = ["Explanation", "explain", "workable"]
