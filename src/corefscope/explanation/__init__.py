"""Explain a score term by term, as section 4 of Pradhan et al. (2014) does for its example."""

from __future__ import annotations

from collections.abc import Mapping

from corefscope.exceptions import WrongArgument
from corefscope.explanation.terms import Explanation
from corefscope.explanation.view import DocumentView
from corefscope.explanation.working import WORKINGS
from corefscope.findings import Code
from corefscope.matching.division import divided
from corefscope.matching.matching import Matching
from corefscope.metrics import Metric, metric_named
from corefscope.options import ABOVE_DOCUMENTS
from corefscope.profiles import Profile


def explain_document(
    metric: str, matching: Matching, profile: Profile, topics: Mapping[str, str] | None = None
) -> Explanation:
    """Explain a metric on the only document of the key, or on all documents as one.

    ``topics`` are those of documents, if the key does not have them.
    """
    if profile.scorer:
        raise WrongArgument(
            f"the profile {profile.name} gives the figures of an official scorer, which cannot be "
            "explained term by term; choose how mentions are matched instead of the profile"
        )
    if profile.window is not None:
        raise WrongArgument("windows cannot be explained; expected a profile without windows")
    unit = profile.level if profile.level in ABOVE_DOCUMENTS else "document"
    matching, name = _one_unit(matching, profile, topics or {})
    chosen = explainable(metric)
    singletons = profile.singleton_rule(chosen.id)
    view = DocumentView(matching, singletons)
    score = profile.adapted(chosen).total(chosen.count(matching, singletons))
    sums, conclusion = WORKINGS[chosen.id](view, score)
    return Explanation(
        metric=chosen.name,
        document=name,
        entities=view.entities(),
        sums=sums,
        conclusion=conclusion,
        score=score,
        signature=profile.as_read(matching).signature(
            len(matching.key), len(matching.response.skipped_files)
        ),
        findings=[
            # Where documents are joined, links between them do count.
            finding
            for finding in matching.findings
            if unit == "document" or finding.code is not Code.ACROSS_DOCUMENTS
        ],
        unit=unit,
    )


def _one_unit(
    matching: Matching, profile: Profile, given: Mapping[str, str]
) -> tuple[Matching, str]:
    """Return what is explained as one document, and its name."""
    key = matching.key
    if profile.level not in ABOVE_DOCUMENTS:
        if len(key) != 1:
            raise WrongArgument(f"the key has {len(key)} documents; choose one with key.only(name)")
        return matching, key.document_names[0]
    joined, units = divided(matching, profile.level, None, given)
    if len(units.names) != 1:
        found = len(units.names)
        raise WrongArgument(f"the key has {found} topics; expected one: name it as the document")
    return joined, "" if profile.level == "corpus" else units.names[0]


def explainable(metric: str) -> Metric:
    """Return a metric by name; raise :class:`UnknownName` if it cannot be explained."""
    return metric_named(metric, WORKINGS, "explainable metric")


__all__ = ["Explanation", "explain_document", "explainable"]
