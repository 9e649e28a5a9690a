"""Submissions to CRAC as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, structs

from corefscope.extensions.corefud_scorer.crac.empty_nodes import NodeScore
from corefscope.extensions.corefud_scorer.crac.submissions import Submission
from corefscope.findings import Finding
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.scoring.record import NodeScoreRecord


class CracDataset(Record, frozen=True, kw_only=True):
    """The figures of a data set."""

    name: str
    key: Annotated[str, about("the file of the key")]
    response: Annotated[str | None, about("the file of the response; null if there is none")]
    columns: Annotated[Mapping[str, float | None], about("CoNLL scores by column, and F1 of zeros")]
    empty_nodes: dict[str, NodeScoreRecord] | UnsetType = UNSET


class CracFigures(Record, frozen=True, kw_only=True):
    """The figures of a system on all data sets."""

    datasets: list[CracDataset]
    mean: Annotated[dict[str, float | None], about("unweighted, over all data sets")]
    zero_datasets: Annotated[int, about("how many data sets the mean of zeros is over")]
    missing: Annotated[list[str], about("data sets without a response, which count 0")]
    extra: Annotated[list[str], about("files of responses without a data set")]
    mean_empty_nodes: Annotated[dict[str, float] | UnsetType, about("mean F1 of empty nodes")] = (
        UNSET
    )


class CracSystem(CracFigures, frozen=True, kw_only=True):
    """The figures of one of several systems."""

    name: str


class CracResult(Result, frozen=True, kw_only=True):
    """Submissions to CRAC: the figures of one system, or of several under their names."""

    schema: Literal["crac/1"] = "crac/1"
    profile: str
    datasets: Annotated[list[CracDataset] | UnsetType, about("of one system")] = UNSET
    mean: dict[str, float | None] | UnsetType = UNSET
    zero_datasets: int | UnsetType = UNSET
    missing: list[str] | UnsetType = UNSET
    extra: list[str] | UnsetType = UNSET
    mean_empty_nodes: dict[str, float] | UnsetType = UNSET
    systems: Annotated[list[CracSystem] | UnsetType, about("only if there are several")] = UNSET
    findings: list[FindingRecord]


def crac_result(
    submissions: Sequence[Submission], profile: str, findings: Sequence[Finding]
) -> CracResult:
    """Return submissions for JSON."""
    figures = [_figures(each) for each in submissions]
    said = finding_records(findings)
    if len(figures) == 1:
        return CracResult(profile=profile, findings=said, **structs.asdict(figures[0]))
    systems = [
        CracSystem(name=each.name, **structs.asdict(own))
        for each, own in zip(submissions, figures, strict=True)
    ]
    return CracResult(profile=profile, findings=said, systems=systems)


def _figures(submission: Submission) -> CracFigures:
    return CracFigures(
        datasets=[
            CracDataset(
                name=each.name,
                key=each.key,
                response=each.response,
                columns=each.columns,
                empty_nodes=node_records(each.empty_nodes) if each.empty_nodes else UNSET,
            )
            for each in submission.datasets
        ],
        mean=submission.mean,
        zero_datasets=submission.zero_datasets,
        missing=submission.missing,
        extra=list(submission.extra),
        mean_empty_nodes=submission.mean_empty_nodes or UNSET,
    )


def node_records(scores: Mapping[str, NodeScore]) -> dict[str, NodeScoreRecord]:
    """Return the evaluation of empty nodes for JSON."""
    return {
        row: NodeScoreRecord(
            recall=score.recall, precision=score.precision, f1=score.f1, counts=list(score)
        )
        for row, score in scores.items()
    }


RESULTS = (CracResult,)
