"""The result of ``score --by``: scores by mention type or another slice, in four ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec.structs import asdict

from corefscope.breakdown.measure import ByType
from corefscope.choices import SliceKind
from corefscope.findings import Finding
from corefscope.metrics import Score, conll_average
from corefscope.metrics.counts import shares
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.scoring.record import FractionCounts, MetricScores, metric_records
from corefscope.scoring.scores import counts


class FilteredScores(Record, frozen=True, kw_only=True):
    """Scores after removing all other types from both sides."""

    metrics: MetricScores
    conll: float | None
    key: Annotated[int, about("mentions of the key that are kept")]
    response: Annotated[int, about("mentions of the response that are kept")]


class AttributedScore(Record, frozen=True, kw_only=True):
    """Recall, precision and F1 of some mentions of whole entities."""

    recall: Annotated[float | None, about("null if the key has nothing to count")]
    precision: Annotated[float | None, about("null if the response has nothing to count")]
    f1: Annotated[float | None, about("null if neither has anything to count")]
    recall_counts: FractionCounts
    precision_counts: FractionCounts


class LinkCounts(Record, frozen=True, kw_only=True):
    """Links of an anaphor to its closest antecedent, for one pair of types."""

    anaphor: str
    antecedent: str
    key: Annotated[int, about("links of the key")]
    found: Annotated[int, about("links of the key whose mentions are in one response entity")]
    response: Annotated[int, about("links of the response")]
    right: Annotated[int, about("links of the response whose mentions are in one key entity")]


class BreakdownRecord(Record, frozen=True, kw_only=True):
    """The four kinds of scores, each by type."""

    kind: SliceKind
    filter: dict[str, FilteredScores]
    credit: Annotated[dict[str, AttributedScore], about("B³ of the mentions of each type")]
    anaphor: Annotated[dict[str, AttributedScore], about("links of the anaphors of each type")]
    links: list[LinkCounts]


class BreakdownSystem(Record, frozen=True, kw_only=True):
    """The scores of one system by type."""

    name: str
    response: str
    signature: str
    by: BreakdownRecord


class BreakdownResult(Result, frozen=True, kw_only=True):
    """The scores of one or more systems by mention type or another slice."""

    schema: Literal["breakdown/1"] = "breakdown/1"
    key: str
    systems: list[BreakdownSystem]
    findings: list[FindingRecord]


def breakdown_result(
    key: str,
    systems: Iterable[tuple[str, str, str, ByType]],
    findings: Sequence[Finding] = (),
) -> BreakdownResult:
    """Return scores by type for JSON; a system is its name, response, signature and scores."""
    return BreakdownResult(
        key=key,
        systems=[
            BreakdownSystem(name=name, response=path, signature=signature, by=breakdown_record(by))
            for name, path, signature, by in systems
        ],
        findings=finding_records(findings),
    )


def breakdown_record(by: ByType) -> BreakdownRecord:
    """Return the scores of one system by type."""
    return BreakdownRecord(
        kind=by.kind,
        filter={
            type: FilteredScores(
                metrics=metric_records(scores),
                conll=conll_average(scores),
                key=by.mentions(type)[0],
                response=by.mentions(type)[1],
            )
            for type, scores in by.filter.items()
        },
        credit={type: _attributed("b3", score) for type, score in by.credit.items()},
        anaphor={type: _attributed("muc", score) for type, score in by.anaphor.items()},
        links=[
            LinkCounts(anaphor=anaphor, antecedent=antecedent, **asdict(links))
            for (anaphor, antecedent), links in by.links.items()
        ],
    )


def _attributed(id: str, score: Score) -> AttributedScore:
    """Return the score of some mentions, counted as by a metric."""
    recall, precision, f1 = shares(score)
    return AttributedScore(
        recall=recall,
        precision=precision,
        f1=f1,
        recall_counts=counts(id, score.recall_counts),
        precision_counts=counts(id, score.precision_counts),
    )
