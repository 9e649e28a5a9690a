"""The result of ``agree``: how far annotators agree, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec import to_builtins

from corefscope.agreement.disputes import (
    DisagreementCounts,
    Dispute,
    DisputedDocument,
    DisputedEntity,
    Kind,
)
from corefscope.agreement.pairs import PairAgreement
from corefscope.agreement.result import Agreement
from corefscope.choices import Unmarked
from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.score import (
    MetricScores,
    ScoreRecord,
    metric_records,
    score_record,
)
from corefscope.version import __version__


class DisagreementCountsRecord(TypedDict):
    """How often two annotators disagree, by kind."""

    boundaries: Annotated[int, "mentions that both marked with different boundaries"]
    one_in_a: Annotated[int, "entities of a whose mentions are in several entities of b"]
    one_in_b: Annotated[int, "entities of b whose mentions are in several entities of a"]
    only_in_a: Annotated[int, "mentions that only a marked"]
    only_in_b: Annotated[int, "mentions that only b marked"]


class PairRecord(TypedDict):
    """The agreement of two annotators."""

    a: Annotated[str, "an annotator, in the role of the key"]
    b: Annotated[str, "another annotator"]
    documents: Annotated[int, "the number of documents that both annotated"]
    metrics: MetricScores
    conll: Annotated[float | None, "the mean F1 of MUC, B³ and CEAFe; null without all three"]
    boundaries: Annotated[ScoreRecord, "the agreement on which mentions there are"]
    disagreements: DisagreementCountsRecord


class AlphaRecord(TypedDict):
    """Krippendorff's alpha with two distances between entities."""

    passonneau: Annotated[float | None, "null if no mention was marked by two annotators"]
    masi: Annotated[float | None, "null if no mention was marked by two annotators"]
    unmarked: Annotated[Unmarked, "what an annotator says about a mention that only others marked"]
    units: Annotated[int, "the number of mentions with two values or more"]


class MarkedMentionsRecord(TypedDict):
    """How many annotators marked the mentions that someone marked."""

    marked_by: Annotated[list[int], "the number of mentions that 1, 2, … annotators marked"]
    by_all: Annotated[int, "the number of mentions that all annotators of their document marked"]


class DisputedEntityRecord(TypedDict):
    """An entity of an annotator, and how far the others agree with it."""

    annotator: str
    document: str
    place: Annotated[int, "its number among the annotator's entities of the document, from 1"]
    label: Annotated[str, "its label in its file"]
    title: Annotated[str, "its first name, or else its first noun, or else a pronoun"]
    mentions: int
    b3: Annotated[float, "its B³ score in each other annotator, averaged"]


class DisputedDocumentRecord(TypedDict):
    """A document, and how far its annotators agree."""

    document: str
    annotators: list[str]
    b3: Annotated[float | None, "B³ F1, averaged over pairs; null if nobody marked a mention"]


class DisagreementRecord(TypedDict):
    """One disagreement of two annotators."""

    a: str
    b: str
    kind: Kind
    document: str
    sentence: Annotated[int | None, "the sentence of the first mention, from 1; null without words"]
    in_a: Annotated[str | None, "what a marked; null if only b marked it"]
    in_b: Annotated[str | None, "what b marked; null if only a marked it"]


class AgreementResult(Result):
    """How far annotators of the same texts agree."""

    schema: Literal["agreement/1"]
    signature: Annotated[str, "how the figures were computed, in one line"]
    annotators: Annotated[list[str], "the names, in the order in which they were given"]
    files: Annotated[dict[str, str], "the file of each annotator"]
    pairs: list[PairRecord]
    mean: Annotated[dict[str, float], "the unweighted mean F1 over pairs, by metric, and `conll`"]
    alpha: AlphaRecord
    mentions: MarkedMentionsRecord
    documents: Annotated[list[DisputedDocumentRecord], "the most disputed one first"]
    entities: Annotated[list[DisputedEntityRecord], "the most disputed ones"]
    list: NotRequired[Annotated[list[DisagreementRecord], "every disagreement, if asked for"]]
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
    alpha, mentions = agreement.alpha, agreement.mentions
    result: AgreementResult = {
        "corefscope": __version__,
        "schema": "agreement/1",
        "signature": agreement.signature,
        "annotators": list(agreement.annotators),
        "files": dict(agreement.files),
        "pairs": [_pair(pair, agreement.disagreements[pair.a, pair.b]) for pair in agreement],
        "mean": dict(agreement.mean),
        "alpha": {
            "passonneau": alpha.passonneau,
            "masi": alpha.masi,
            "unmarked": alpha.unmarked,
            "units": alpha.units,
        },
        "mentions": {"marked_by": list(mentions.marked_by), "by_all": mentions.by_all},
        "documents": document_records(agreement.documents),
        "entities": entity_records(agreement.disputed_entities(most)),
        "findings": finding_records([*agreement.findings, *agreement.doubts]),
    }
    if with_list:
        result["list"] = disagreement_records(agreement.listed)
    return result


def _pair(pair: PairAgreement, counts: DisagreementCounts) -> PairRecord:
    return {
        "a": pair.a,
        "b": pair.b,
        "documents": len(pair.documents),
        "metrics": metric_records(pair.metrics),
        "conll": pair.conll,
        "boundaries": score_record("mentions", pair.boundaries),
        "disagreements": {
            "boundaries": counts.boundaries,
            "one_in_a": counts.one_in_a,
            "one_in_b": counts.one_in_b,
            "only_in_a": counts.only_in_a,
            "only_in_b": counts.only_in_b,
        },
    }


def document_records(documents: Sequence[DisputedDocument]) -> list[DisputedDocumentRecord]:
    """Return disputed documents for JSON."""
    return [cast(DisputedDocumentRecord, to_builtins(each)) for each in documents]


def entity_records(entities: Sequence[DisputedEntity]) -> list[DisputedEntityRecord]:
    """Return disputed entities for JSON."""
    return [cast(DisputedEntityRecord, to_builtins(each)) for each in entities]


def disagreement_records(listed: Sequence[Dispute]) -> list[DisagreementRecord]:
    """Return disagreements for JSON."""
    return [cast(DisagreementRecord, to_builtins(each)) for each in listed]
