"""The result of ``score``: recall, precision and F1 of each system."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, cast

import numpy as np
from msgspec import UNSET, UnsetType, defstruct, to_builtins
from msgspec.structs import asdict

from corefscope.corpus.copies import WindowCounts
from corefscope.findings import Finding
from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, METRICS, Score
from corefscope.metrics.counts import known
from corefscope.results.record import (
    Encoded,
    FindingRecord,
    Record,
    Result,
    about,
    as_json,
    finding_records,
)
from corefscope.scoring.scores import (
    AT_A_TIME,
    AcrossDocuments,
    AnswerFigures,
    Scores,
    counts,
    whole_if_whole,
)
from corefscope.scoring.systems import HasScores
from corefscope.transfer.ledger import WordCounts

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorScores
    from corefscope.transfer.ledger import CorpusLedger, Ledger

SCHEMA = "score/1"
FractionCounts: TypeAlias = Annotated[tuple[float, float], about("numerator and denominator")]


class ScoreRecord(Record, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """Fractions between 0 and 1, unrounded, and the counts behind them."""

    recall: Annotated[float | None, about("null for a metric that has no recall")]
    precision: Annotated[float | None, about("null for a metric that has no precision")]
    f1: float
    recall_counts: FractionCounts
    precision_counts: FractionCounts
    coreference: ScoreRecord | UnsetType = UNSET
    non_coreference: ScoreRecord | UnsetType = UNSET
    detection: ScoreRecord | UnsetType = UNSET
    mentions: ScoreRecord | UnsetType = UNSET
    coverage: ScoreRecord | UnsetType = UNSET
    all_coreference: ScoreRecord | UnsetType = UNSET
    all_non_coreference: ScoreRecord | UnsetType = UNSET


MetricScores: TypeAlias = Annotated[dict[str, ScoreRecord], about("scores by the id of the metric")]


class DocumentScoresRecord(Record, frozen=True, kw_only=True):
    """The scores of one document."""

    document: str
    metrics: MetricScores
    conll: float | None


class ScoredDocuments(Record, frozen=True, kw_only=True):
    """Which documents were scored."""

    scored: Annotated[int, about("the number of documents of the key")]
    missing: Annotated[list[str], about("documents missing from the response")]
    extra: Annotated[list[str], about("documents that only the response has")]


class LedgerRecord(Record, frozen=True, kw_only=True):
    """What became of the tags, mentions and words of tagged text."""

    style: Annotated[str, about("how mentions are tagged; `none` without tags")]
    opened: Annotated[int, about("opening tags")]
    closed: Annotated[int, about("closing tags")]
    foreign: Annotated[int, about("tags that mark no mention, such as `<b>`, or are cut off")]
    parsed: Annotated[int, about("mentions between tags")]
    exact: int
    edited: Annotated[int, about("mentions with changed words, whose edges are certain")]
    shrunk: Annotated[int, about("mentions that lost words at an edge")]
    dropped: Annotated[dict[str, int], about("tags and mentions that were dropped, by reason")]
    words: WordCounts
    missing_tail: Annotated[int, about("words at the end of the text that the copy lacks")]
    outside: Annotated[int, about("words of the copy before and after the copied text")]
    status: Annotated[
        Literal["ok", "repaired", "cut off", "failed"] | None, about("null in sums over documents")
    ]
    antecedent_not_found: Annotated[
        int | UnsetType,
        about("mentions of the style tanl that name an antecedent which no mention is"),
    ] = UNSET
    windows: Annotated[
        WindowCounts | UnsetType,
        about("how windows were put together, if the document has windows"),
    ] = UNSET


class OtherScoresRecord(Record, frozen=True, kw_only=True):
    """The scores of a response that is treated otherwise."""

    documents: Annotated[int, about("the number of documents that are scored")]
    metrics: MetricScores
    conll: float | None


class ChangedMentionRecord(Record, frozen=True, kw_only=True):
    """A mention that was edited, shrunk or dropped."""

    document: str
    entity: Annotated[str, about("the name of its entity in the answer")]
    text: Annotated[str, about("its words in the answer")]
    outcome: Annotated[str, about("`edited`, `shrunk`, or why it was dropped")]
    becomes: Annotated[str | None, about("its words in the key; null if it was dropped")]


class CorpusLedgerRecord(Record, frozen=True, kw_only=True):
    """The ledgers of a response that is tagged text."""

    statuses: Annotated[dict[str, int], about("the number of documents by status")]
    total: Annotated[LedgerRecord, about("sums over documents")]
    documents: Annotated[dict[str, LedgerRecord], about("by name of the document in the key")]
    without_failed: Annotated[OtherScoresRecord, about("the scores without failed documents")]
    mentions: Annotated[
        list[ChangedMentionRecord] | UnsetType, about("those that were edited, shrunk or dropped")
    ] = UNSET


class NodeScoreRecord(Record, frozen=True, kw_only=True):
    """How many empty nodes of key and response are the same."""

    recall: float
    precision: float
    f1: float
    counts: Annotated[list[int], about("common nodes, those of the key, those of the response")]


class WindowRecord(Record, frozen=True, kw_only=True):
    """The scores of windows of one size."""

    size: Annotated[int | None, about("tokens of a window; null for whole documents")]
    units: Annotated[int, about("the number of windows, or of documents")]
    signature: Annotated[str, about("how these scores were computed, in one line")]
    metrics: MetricScores
    conll: float | None


class LinksRecord(Record, frozen=True, kw_only=True):
    """How many links between mentions of one document, or of different ones, are right."""

    recall: float
    precision: float
    f1: float
    common: int
    key: int
    response: int


class SingletonsRecord(Record, frozen=True, kw_only=True):
    """How many entities of a side are singletons."""

    singletons: int
    entities: int


class MajorEntityRecord(Record, frozen=True, kw_only=True):
    """A major entity, and the response entity that is aligned with it."""

    document: str
    entity: Annotated[str, about("its name in the key")]
    mentions: int
    response_mentions: Annotated[int, about("0 if no entity is aligned with it")]
    common: int
    f1: float


class MajorRecord(Record, frozen=True, kw_only=True):
    """The scores of major entities."""

    macro: Annotated[float, about("the mean F1")]
    weighted: Annotated[float, about("the mean F1, weighted by the mentions of the key")]
    entities: list[MajorEntityRecord]


class ScoredSystem(Record, frozen=True, kw_only=True):
    """The scores of one system."""

    name: str
    response: Annotated[str, about("the file of the response")]
    signature: Annotated[str, about("how the scores were computed, in one line")]
    profile: str
    documents: ScoredDocuments
    pairs: Annotated[
        dict[str, int] | UnsetType,
        about("pairs of mentions by stage of matching, where there are stages"),
    ] = UNSET
    metrics: MetricScores
    conll: Annotated[
        float | None, about("the mean F1 of MUC, B³ and CEAFe; null without all three")
    ]
    ledger: Annotated[CorpusLedgerRecord | UnsetType, about("only for tagged text")] = UNSET
    empty_nodes: Annotated[dict[str, NodeScoreRecord] | UnsetType, about("only if asked for")] = (
        UNSET
    )
    crac: Annotated[
        AnswerFigures | UnsetType, about("only for text and JSON under the profiles of CRAC")
    ] = UNSET
    units: Annotated[
        int | UnsetType,
        about("the number of windows or topics, if these are scored as documents are"),
    ] = UNSET
    windows: Annotated[
        list[WindowRecord] | UnsetType,
        about("by size of windows; of several sizes, whole documents last"),
    ] = UNSET
    links: Annotated[
        dict[str, LinksRecord] | UnsetType,
        about("`within` and `across` documents, if these are joined"),
    ] = UNSET
    singletons: Annotated[
        dict[str, SingletonsRecord] | UnsetType,
        about("of `key` and `response`, if documents are joined"),
    ] = UNSET
    major: Annotated[MajorRecord | UnsetType, about("only if asked for")] = UNSET
    per_document: Sequence[DocumentScoresRecord] | UnsetType = UNSET


class ScoreResult(Result, frozen=True, kw_only=True):
    """The scores of one or more systems."""

    schema: Literal["score/1"] = "score/1"
    key: Annotated[str, about("the file of the key")]
    key_digest: Annotated[str | UnsetType, about("a digest of the entities of the whole key")] = (
        UNSET
    )
    systems: list[ScoredSystem]
    findings: list[FindingRecord]


def score_result(
    key: str,
    systems: Iterable[HasScores],
    findings: Sequence[Finding] = (),
    *,
    per_document: bool = False,
    key_digest: str | None = None,
) -> ScoreResult:
    """Return the scores of systems for JSON."""
    return ScoreResult(
        key=key,
        key_digest=key_digest or UNSET,
        systems=[_scored(each.name, each.path, each.scores, per_document) for each in systems],
        findings=finding_records(findings),
    )


def _ledger(ledger: CorpusLedger, scores: Scores) -> CorpusLedgerRecord:
    return CorpusLedgerRecord(
        statuses={str(status): count for status, count in ledger.statuses.items()},
        total=ledger_record(ledger.total),
        documents={name: ledger_record(each) for name, each in ledger.documents.items()},
        without_failed=_other(scores.without_failed),
        mentions=[
            ChangedMentionRecord(document=name, **asdict(mention))
            for name, each in ledger.documents.items()
            for mention in each.changed
        ],
    )


def _other(scores: Scores) -> OtherScoresRecord:
    return OtherScoresRecord(
        documents=len(scores.document_names),
        metrics=metric_records(scores.metrics),
        conll=scores.conll,
    )


def ledger_record(ledger: Ledger) -> LedgerRecord:
    """Return a ledger for JSON; mentions are listed for all documents together."""
    own = asdict(ledger)
    del own["changed"]
    own["antecedent_not_found"] = ledger.antecedent_not_found or UNSET
    own["windows"] = ledger.windows or UNSET
    return LedgerRecord(**own)


def _scored(name: str, path: str, scores: Scores, per_document: bool) -> ScoredSystem:
    cut = scores.windows or ([scores] if scores.profile.window is not None else [])
    across = scores.across
    return ScoredSystem(
        name=name,
        response=path,
        signature=scores.signature,
        profile=scores.profile.name,
        documents=ScoredDocuments(
            scored=scores.scored_documents,
            missing=list(scores.missing),
            extra=list(scores.extra),
        ),
        metrics=metric_records(scores.metrics),
        conll=scores.conll,
        pairs=dict(scores.stages) or UNSET,
        ledger=UNSET if scores.ledger is None else _ledger(scores.ledger, scores),
        crac=scores.crac or UNSET,
        units=UNSET if scores.units is None else len(scores.document_names),
        windows=list(map(_window_record, cut)) or UNSET,
        links=UNSET if across is None else _links(across),
        singletons=UNSET if across is None else _singletons(across),
        major=UNSET if scores.major is None else _major_record(scores.major),
        per_document=cast(Any, _document_lines(scores)) if per_document else UNSET,
    )


def _window_record(scores: Scores) -> WindowRecord:
    window = scores.profile.window
    return WindowRecord(
        size=None if window is None else window.size,
        units=len(scores.document_names),
        signature=scores.signature,
        metrics=metric_records(scores.metrics),
        conll=scores.conll,
    )


def _links(across: AcrossDocuments) -> dict[str, LinksRecord]:
    return {
        where: LinksRecord(
            recall=score.recall,
            precision=score.precision,
            f1=score.f1,
            common=int(score.recall_counts[0]),
            key=int(score.recall_counts[1]),
            response=int(score.precision_counts[1]),
        )
        for where, score in across.links.items()
    }


def _singletons(across: AcrossDocuments) -> dict[str, SingletonsRecord]:
    return {
        side: SingletonsRecord(singletons=single, entities=every)
        for side, (single, every) in across.singletons.items()
    }


def _major_record(major: MajorScores) -> MajorRecord:
    entities = [MajorEntityRecord(**each._asdict(), f1=each.f1) for each in major.entities]
    return MajorRecord(macro=major.macro, weighted=major.weighted, entities=entities)


def _document_lines(scores: Scores) -> Iterator[Encoded]:
    """Yield the records of documents as JSON.

    All have the same shape, so it is encoded once, and numbers are put into it.
    """
    template = None
    for begin in range(0, len(scores.document_names), AT_A_TIME):
        some = slice(begin, begin + AT_A_TIME)
        names = [as_json(name, None) for name in scores.document_names[some]]
        columns: list[list[str]] = [names]
        f1: dict[str, Floats] = {}
        for id, rows in scores.counts.items():
            metric = scores.profile.adapted(METRICS[id])
            for figures, numbers in metric.figures_and_counts(rows[some]):
                f1.setdefault(id, figures[:, 2])
                are_whole = False, False, False, metric.integral, True, metric.integral, True
                columns += map(_texts, (*figures.T, *numbers.T), are_whole)
        columns.append(_texts(CONLL.mean(f1)) if CONLL.is_known(f1) else ["null"] * len(names))
        template = template or _template(scores)
        yield from (Encoded(template % row) for row in zip(*columns, strict=True))


def _texts(column: Floats, is_whole: bool = False) -> list[str]:
    """Return numbers as JSON; ``is_whole`` writes whole numbers as such."""
    values, where = np.unique(column, return_inverse=True)
    whole = whole_if_whole if is_whole else float
    texts = ["null" if isnan(value) else repr(whole(value)) for value in values.tolist()]
    return [texts[place] for place in where.tolist()]


def _template(scores: Scores) -> str:
    """Return the record of a document with ``%s`` in place of its name and numbers."""
    first = next(scores.by_document())
    record = {"document": "", "metrics": metric_records(first.metrics), "conll": 0}
    return as_json(_with_places(to_builtins(record)), None).replace(json.dumps(PLACE), "%s")


def _with_places(value: object) -> object:
    """Return a record with a mark in place of everything that is not a list or an object."""
    match value:
        case dict():
            return {key: _with_places(each) for key, each in value.items()}
        case list() | tuple():
            return list(map(_with_places, value))
    return PLACE


PLACE = "\0place\0"
"""Stands for a name or a number."""


def metric_records(scores: Mapping[str, Score]) -> dict[str, ScoreRecord]:
    """Return the scores of metrics for JSON."""
    return {id: score_record(id, score) for id, score in scores.items()}


def score_record(id: str, score: Score) -> ScoreRecord:
    """Return the score of a metric for JSON."""
    parts = {name: score_record(id, part) for name, part in score.parts.items()}
    return _shape(frozenset(parts))(
        recall=known(score.recall),
        precision=known(score.precision),
        f1=score.f1,
        recall_counts=counts(id, score.recall_counts),
        precision_counts=counts(id, score.precision_counts),
        **parts,
    )


@cache
def _shape(parts: frozenset[str]) -> type[ScoreRecord]:
    """Return the record of a score with these parts, of which another package may bring some."""
    own = sorted(parts.difference(ScoreRecord.__struct_fields__))
    if not own:
        return ScoreRecord
    fields: list[tuple[str, type]] = [(name, ScoreRecord) for name in own]
    made = defstruct("ScoreRecord", fields, bases=(ScoreRecord,), frozen=True, kw_only=True)
    return cast(type[ScoreRecord], made)
