"""The result of ``score --by``: scores by mention type or another slice, in four ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from corefscope.breakdown import ByType
from corefscope.choices import SliceKind
from corefscope.findings import Finding
from corefscope.metrics import Score, conll_average
from corefscope.metrics.counts import shares
from corefscope.scores import counts
from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.score import FractionCounts, MetricScores, metric_records
from corefscope.version import __version__


class FilteredScores(TypedDict):
    """Scores after removing all other types from both sides."""

    metrics: MetricScores
    conll: float | None
    key: Annotated[int, "mentions of the key that are kept"]
    response: Annotated[int, "mentions of the response that are kept"]


class AttributedScore(TypedDict):
    """Recall, precision and F1 of some mentions of whole entities."""

    recall: Annotated[float | None, "null if the key has nothing to count"]
    precision: Annotated[float | None, "null if the response has nothing to count"]
    f1: Annotated[float | None, "null if neither has anything to count"]
    recall_counts: FractionCounts
    precision_counts: FractionCounts


class LinkCounts(TypedDict):
    """Links of an anaphor to its closest antecedent, for one pair of types."""

    anaphor: str
    antecedent: str
    key: Annotated[int, "links of the key"]
    found: Annotated[int, "links of the key whose mentions are in one response entity"]
    response: Annotated[int, "links of the response"]
    right: Annotated[int, "links of the response whose mentions are in one key entity"]


class BreakdownRecord(TypedDict):
    """The four kinds of scores, each by type."""

    kind: SliceKind
    filter: dict[str, FilteredScores]
    credit: Annotated[dict[str, AttributedScore], "B³ of the mentions of each type"]
    anaphor: Annotated[dict[str, AttributedScore], "links of the anaphors of each type"]
    links: list[LinkCounts]


class BreakdownSystem(TypedDict):
    """The scores of one system by type."""

    name: str
    response: str
    signature: str
    by: BreakdownRecord


class BreakdownResult(Result):
    """The scores of one or more systems by mention type or another slice."""

    schema: Literal["breakdown/1"]
    key: str
    systems: list[BreakdownSystem]
    findings: list[FindingRecord]


def breakdown_result(
    key: str,
    systems: Iterable[tuple[str, str, str, ByType]],
    findings: Sequence[Finding] = (),
) -> BreakdownResult:
    """Return scores by type for JSON; a system is its name, response, signature and scores."""
    return {
        "corefscope": __version__,
        "schema": "breakdown/1",
        "key": key,
        "systems": [
            {"name": name, "response": path, "signature": signature, "by": breakdown_record(by)}
            for name, path, signature, by in systems
        ],
        "findings": finding_records(findings),
    }


def breakdown_record(by: ByType) -> BreakdownRecord:
    """Return the scores of one system by type."""
    return {
        "kind": by.kind,
        "filter": {
            type: {
                "metrics": metric_records(scores),
                "conll": conll_average(scores),
                "key": by.mentions(type)[0],
                "response": by.mentions(type)[1],
            }
            for type, scores in by.filter.items()
        },
        "credit": {type: _attributed("b3", score) for type, score in by.credit.items()},
        "anaphor": {type: _attributed("muc", score) for type, score in by.anaphor.items()},
        "links": [
            {
                "anaphor": anaphor,
                "antecedent": antecedent,
                "key": links.key,
                "found": links.found,
                "response": links.response,
                "right": links.right,
            }
            for (anaphor, antecedent), links in by.links.items()
        ],
    }


def _attributed(id: str, score: Score) -> AttributedScore:
    """Return the score of some mentions, counted as by a metric."""
    recall, precision, f1 = shares(score)
    return {
        "recall": recall,
        "precision": precision,
        "f1": f1,
        "recall_counts": counts(id, score.recall_counts),
        "precision_counts": counts(id, score.precision_counts),
    }
