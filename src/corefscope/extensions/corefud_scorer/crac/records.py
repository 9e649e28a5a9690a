"""Submissions to CRAC as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from corefscope.extensions.corefud_scorer.crac.empty_nodes import NodeScore
from corefscope.extensions.corefud_scorer.crac.submissions import Submission
from corefscope.findings import Finding
from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.score import NodeScoreRecord
from corefscope.version import __version__


class CracDataset(TypedDict):
    """The figures of a data set."""

    name: str
    key: Annotated[str, "the file of the key"]
    response: Annotated[str | None, "the file of the response; null if there is none"]
    columns: Annotated[dict[str, float | None], "CoNLL scores by column, and F1 of zeros"]
    empty_nodes: NotRequired[dict[str, NodeScoreRecord]]


class CracFigures(TypedDict):
    """The figures of a system on all data sets."""

    datasets: list[CracDataset]
    mean: Annotated[dict[str, float | None], "unweighted, over all data sets"]
    zero_datasets: Annotated[int, "how many data sets the mean of zeros is over"]
    missing: Annotated[list[str], "data sets without a response, which count 0"]
    extra: Annotated[list[str], "files of responses without a data set"]
    mean_empty_nodes: NotRequired[Annotated[dict[str, float], "mean F1 of empty nodes"]]


class CracSystem(CracFigures):
    """The figures of one of several systems."""

    name: str


class CracResult(Result):
    """Submissions to CRAC: the figures of one system, or of several under their names."""

    schema: Literal["crac/1"]
    profile: str
    datasets: NotRequired[Annotated[list[CracDataset], "of one system"]]
    mean: NotRequired[dict[str, float | None]]
    zero_datasets: NotRequired[int]
    missing: NotRequired[list[str]]
    extra: NotRequired[list[str]]
    mean_empty_nodes: NotRequired[dict[str, float]]
    systems: NotRequired[Annotated[list[CracSystem], "only if there are several"]]
    findings: list[FindingRecord]


def crac_result(
    submissions: Sequence[Submission], profile: str, findings: Sequence[Finding]
) -> CracResult:
    """Return submissions for JSON."""
    result = CracResult(
        corefscope=__version__,
        schema="crac/1",
        profile=profile,
        findings=finding_records(findings),
    )
    if len(submissions) == 1:
        return cast(CracResult, {**result, **_figures(submissions[0])})
    systems = [CracSystem(name=each.name, **_figures(each)) for each in submissions]
    return cast(CracResult, {**result, "systems": systems})


def _figures(submission: Submission) -> CracFigures:
    datasets = []
    for each in submission.datasets:
        record = CracDataset(
            name=each.name, key=each.key, response=each.response, columns=dict(each.columns)
        )
        if each.empty_nodes:
            record["empty_nodes"] = node_records(each.empty_nodes)
        datasets.append(record)
    figures = CracFigures(
        datasets=datasets,
        mean=submission.mean,
        zero_datasets=submission.zero_datasets,
        missing=submission.missing,
        extra=list(submission.extra),
    )
    if submission.mean_empty_nodes:
        figures["mean_empty_nodes"] = submission.mean_empty_nodes
    return figures


def node_records(scores: Mapping[str, NodeScore]) -> dict[str, NodeScoreRecord]:
    """Return the evaluation of empty nodes for JSON."""
    return {
        row: {
            "recall": score.recall,
            "precision": score.precision,
            "f1": score.f1,
            "counts": list(score),
        }
        for row, score in scores.items()
    }


RESULTS = (CracResult,)
