"""A score worked out term by term, as section 4 of Pradhan et al. (2014) works its example."""

from __future__ import annotations

from corefscope.comparison import Options, compare
from corefscope.corpus import Corpus
from corefscope.explain.terms import Explanation
from corefscope.explain.view import DocumentView
from corefscope.explain.working import WORKINGS
from corefscope.metrics import metric_named


def explain(metric: str, key: Corpus, response: Corpus, options: Options) -> Explanation:
    """Work out a metric of the only document of the key."""
    if len(key) != 1:
        raise ValueError(f"the key has {len(key)} documents; choose one with key.only(name)")
    chosen = metric_named(metric)
    comparison = compare(key, response, options)
    view = DocumentView(comparison)
    score = chosen.total(chosen.count(view.overlap))
    sums, conclusion = WORKINGS[chosen.id](view, score)
    return Explanation(
        chosen.name,
        key.document_names[0],
        view.entities(),
        sums,
        conclusion,
        score,
        options.profile.signature(1),
        comparison.findings,
    )


__all__ = ["Explanation", "explain"]
