"""The result of ``agree``: how far annotators agree, and where they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, field

from corefscope.agreement.alpha import Alpha
from corefscope.agreement.disputes import (
    DisagreementCounts,
    Dispute,
    DisputedDocument,
    DisputedEntity,
)
from corefscope.agreement.pairs import PairAgreement
from corefscope.agreement.result import Agreement, MarkedMentions
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.scoring.record import (
    MetricScores,
    ScoreRecord,
    metric_records,
    score_record,
)


class PairRecord(Record, frozen=True, kw_only=True):
    """The agreement of two annotators."""

    a: Annotated[str, about("an annotator, in the role of the key")]
    b: Annotated[str, about("another annotator")]
    documents: Annotated[int, about("the number of documents that both annotated")]
    metrics: MetricScores
    conll: Annotated[
        float | None, about("the mean F1 of MUC, B³ and CEAFe; null without all three")
    ]
    boundaries: Annotated[ScoreRecord, about("the agreement on which mentions there are")]
    disagreements: DisagreementCounts


class AgreementResult(Result, frozen=True, kw_only=True):
    """How far annotators of the same texts agree."""

    schema: Literal["agreement/1"] = "agreement/1"
    signature: Annotated[str, about("how the figures were computed, in one line")]
    annotators: Annotated[list[str], about("the names, in the order in which they were given")]
    files: Annotated[Mapping[str, str], about("the file of each annotator")]
    pairs: list[PairRecord]
    mean: Annotated[
        Mapping[str, float], about("the unweighted mean F1 over pairs, by metric, and `conll`")
    ]
    alpha: Alpha
    mentions: MarkedMentions
    documents: Annotated[Sequence[DisputedDocument], about("the most disputed one first")]
    entities: Annotated[Sequence[DisputedEntity], about("the most disputed ones")]
    every: Annotated[Sequence[Dispute] | UnsetType, about("every disagreement, if asked for")] = (
        field(default=UNSET, name="list")
    )
    findings: list[FindingRecord]


def agreement_result(
    agreement: Agreement, *, most: int | None = 10, with_list: bool = False
) -> AgreementResult:
    """Return the agreement of annotators for JSON.

    Parameters
    ----------
    agreement
        The agreement.
    most
        How many of the most disputed entities to include; None for all.
    with_list
        Whether to include every disagreement.
    """
    return AgreementResult(
        signature=agreement.signature,
        annotators=list(agreement.annotators),
        files=agreement.files,
        pairs=[_pair(pair, agreement.disagreements[pair.a, pair.b]) for pair in agreement],
        mean=agreement.mean,
        alpha=agreement.alpha,
        mentions=agreement.mentions,
        documents=agreement.documents,
        entities=agreement.disputed_entities(most),
        every=agreement.listed if with_list else UNSET,
        findings=finding_records([*agreement.findings, *agreement.doubts]),
    )


def _pair(pair: PairAgreement, counts: DisagreementCounts) -> PairRecord:
    return PairRecord(
        a=pair.a,
        b=pair.b,
        documents=len(pair.documents),
        metrics=metric_records(pair.metrics),
        conll=pair.conll,
        boundaries=score_record("mentions", pair.boundaries),
        disagreements=counts,
    )
