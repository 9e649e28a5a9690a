"""Explain a score term by term, as section 4 of Pradhan et al. (2014) does for its example."""

from __future__ import annotations

from corefscope.exceptions import UnknownName
from corefscope.explanation.terms import Explanation
from corefscope.explanation.view import DocumentView
from corefscope.explanation.working import WORKINGS
from corefscope.matching.matching import Matching
from corefscope.metrics import Metric, metric_named
from corefscope.profiles import Profile


def explain_document(metric: str, matching: Matching, profile: Profile) -> Explanation:
    """Explain a metric on the only document of the key."""
    if profile.scorer:
        raise ValueError(
            f"the profile {profile.name} gives the figures of an official scorer, which cannot be "
            "explained term by term; choose how mentions are matched instead of the profile"
        )
    key = matching.key
    if len(key) != 1:
        raise ValueError(f"the key has {len(key)} documents; choose one with key.only(name)")
    chosen = explainable(metric)
    singletons = profile.singleton_rule(chosen.id)
    view = DocumentView(matching, singletons)
    score = profile.adapted(chosen).total(chosen.count(matching, singletons))
    sums, conclusion = WORKINGS[chosen.id](view, score)
    return Explanation(
        metric=chosen.name,
        document=key.document_names[0],
        entities=view.entities(),
        sums=sums,
        conclusion=conclusion,
        score=score,
        signature=profile.as_read(matching).signature(1, len(matching.response.skipped_files)),
        findings=matching.findings,
    )


def explainable(metric: str) -> Metric:
    """Return a metric by name; raise :class:`UnknownName` if it cannot be explained."""
    chosen = metric_named(metric)
    if chosen.id not in WORKINGS:
        raise UnknownName("explainable metric", metric, WORKINGS)
    return chosen


__all__ = ["Explanation", "explain_document", "explainable"]
