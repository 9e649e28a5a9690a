"""The results of ``watch``: a scored checkpoint, and the page of a history."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from corefscope.serialization.common import FindingRecord, Result
from corefscope.serialization.score import MetricScores


class CheckpointResult(Result):
    """A checkpoint that was scored, compared with those before it."""

    schema: Literal["checkpoint/1"]
    scored: Annotated[str, "when it was scored, in UTC"]
    name: Annotated[str, "the name of the file or folder"]
    digest: Annotated[str, "the SHA-256 digest of its contents"]
    size: Annotated[int, "in bytes"]
    key: Annotated[str, "the file of the key"]
    key_digest: Annotated[str, "a digest of the entities of the key"]
    settings: Annotated[str, "the options that were given and may change scores"]
    signature: str
    metrics: MetricScores
    conll: Annotated[float | None, "the mean F1 of MUC, B³ and CEAFe; null without all three"]
    statistic: Annotated[str, "the figure that is compared: `conll`, or the first metric"]
    value: float
    best_before: Annotated[str | None, "the name of the best earlier checkpoint; null if none"]
    difference: Annotated[float | None, "its figure minus that of the best earlier checkpoint"]
    is_best: Annotated[bool, "whether it is better than all earlier checkpoints"]
    findings: list[FindingRecord]


class HistoryPoint(TypedDict):
    """A checkpoint in the chart of a history."""

    name: str
    scored: Annotated[str, "when it was scored, in UTC"]
    digest: str
    f1: Annotated[list[float | None], "by metric of the series; null if it was not computed"]
    warnings: Annotated[str, "the codes of warnings, with commas"]
    is_best: Annotated[bool, "whether it was better than all before it, by the first figure"]


class HistorySeries(TypedDict):
    """The checkpoints that were scored with one key in one way."""

    key: Annotated[str, "the file of the key"]
    key_digest: str
    settings: str
    signature: str
    metrics: Annotated[list[str], "ids of the figures, the one that is compared first"]
    names: Annotated[list[str], "names of the figures"]
    units: Annotated[list[Literal["points", "nats"]], "of differences of the figures"]
    points: list[HistoryPoint]


class HistoryPage(Result):
    """The data of the page of a history."""

    schema: Literal["history/1"]
    title: str
    path: Annotated[str, "the file of the history"]
    series: Annotated[list[HistorySeries], "the one with the latest checkpoint first"]
