"""The result of ``score``: recall, precision and F1 of each system."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import (
    TYPE_CHECKING,
    Annotated,
    Literal,
    NotRequired,
    Protocol,
    TypeAlias,
    TypedDict,
    cast,
)

import numpy as np
from msgspec import to_builtins

from corefscope.findings import Finding
from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, METRICS, Score
from corefscope.metrics.counts import known
from corefscope.scores import AT_A_TIME, Scores, counts, whole_if_whole
from corefscope.serialization.common import (
    Encoded,
    FindingRecord,
    HasName,
    Result,
    as_json,
    finding_records,
)
from corefscope.version import __version__

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorScores
    from corefscope.transfer.ledger import CorpusLedger, Ledger

SCHEMA: Literal["score/1"] = "score/1"
FractionCounts: TypeAlias = Annotated[tuple[float, float], "numerator and denominator"]


class Parts(TypedDict):
    """Scores that some metrics are computed from."""

    coreference: NotRequired[ScoreRecord]
    non_coreference: NotRequired[ScoreRecord]
    detection: NotRequired[ScoreRecord]
    mentions: NotRequired[ScoreRecord]
    coverage: NotRequired[ScoreRecord]
    all_coreference: NotRequired[ScoreRecord]
    all_non_coreference: NotRequired[ScoreRecord]


class ScoreRecord(Parts):
    """Fractions between 0 and 1, unrounded, and the counts behind them."""

    recall: Annotated[float | None, "null for a metric that has no recall"]
    precision: Annotated[float | None, "null for a metric that has no precision"]
    f1: float
    recall_counts: FractionCounts
    precision_counts: FractionCounts


MetricScores: TypeAlias = Annotated[dict[str, ScoreRecord], "scores by the id of the metric"]


class DocumentScoresRecord(TypedDict):
    """The scores of one document."""

    document: str
    metrics: MetricScores
    conll: float | None


class ScoredDocuments(TypedDict):
    """Which documents were scored."""

    scored: Annotated[int, "the number of documents of the key"]
    missing: Annotated[list[str], "documents missing from the response"]
    extra: Annotated[list[str], "documents that only the response has"]


class WordCountsRecord(TypedDict):
    """The words of a copy and of its source."""

    source: Annotated[int, "equal, respelt, replaced, deleted, and those missing at the end"]
    output: Annotated[int, "equal, respelt, replaced, inserted, and those outside"]
    equal: int
    respelt: Annotated[int, "the same word in other letters, such as upper case"]
    replaced: int
    inserted: int
    deleted: int


class WindowsRecord(TypedDict):
    """How the windows of documents were put together."""

    count: int
    joined: Annotated[int, "entities of a window that are also in windows before it"]
    conflicts: Annotated[int, "mentions on which two windows of the same text disagree"]


class LedgerRecord(TypedDict):
    """What became of the tags, mentions and words of tagged text."""

    style: Annotated[str, "how mentions are tagged; `none` without tags"]
    opened: Annotated[int, "opening tags"]
    closed: Annotated[int, "closing tags"]
    foreign: Annotated[int, "tags that mark no mention, such as `<b>`, or are cut off"]
    parsed: Annotated[int, "mentions between tags"]
    exact: int
    edited: Annotated[int, "mentions with changed words, whose edges are certain"]
    shrunk: Annotated[int, "mentions that lost words at an edge"]
    dropped: Annotated[dict[str, int], "tags and mentions that were dropped, by reason"]
    words: WordCountsRecord
    missing_tail: Annotated[int, "words at the end of the text that the copy lacks"]
    outside: Annotated[int, "words of the copy before and after the copied text"]
    status: Annotated[
        Literal["ok", "repaired", "cut off", "failed"] | None, "null in sums over documents"
    ]
    antecedent_not_found: NotRequired[
        Annotated[int, "mentions of the style tanl that name an antecedent which no mention is"]
    ]
    windows: NotRequired[
        Annotated[WindowsRecord, "how windows were put together, if the document has windows"]
    ]


class OtherScoresRecord(TypedDict):
    """The scores of a response that is treated otherwise."""

    documents: Annotated[int, "the number of documents that are scored"]
    metrics: MetricScores
    conll: float | None


class ChangedMentionRecord(TypedDict):
    """A mention that was edited, shrunk or dropped."""

    document: str
    entity: Annotated[str, "the name of its entity in the answer"]
    text: Annotated[str, "its words in the answer"]
    outcome: Annotated[str, "`edited`, `shrunk`, or why it was dropped"]
    becomes: Annotated[str | None, "its words in the key; null if it was dropped"]


class CorpusLedgerRecord(TypedDict):
    """The ledgers of a response that is tagged text."""

    statuses: Annotated[dict[str, int], "the number of documents by status"]
    total: Annotated[LedgerRecord, "sums over documents"]
    documents: Annotated[dict[str, LedgerRecord], "by name of the document in the key"]
    without_failed: Annotated[OtherScoresRecord, "the scores without failed documents"]
    mentions: NotRequired[
        Annotated[list[ChangedMentionRecord], "those that were edited, shrunk or dropped"]
    ]


class NodeScoreRecord(TypedDict):
    """How many empty nodes of key and response are the same."""

    recall: float
    precision: float
    f1: float
    counts: Annotated[list[int], "common nodes, those of the key, those of the response"]


class AnswerRecord(TypedDict):
    """The CoNLL scores of an answer to CRAC."""

    zeros_from: Annotated[Literal["answer", "skeleton"], "whose empty nodes are scored"]
    skeleton: Annotated[str | None, "the file that the answer was put into; null: the key"]
    official: Annotated[float | None, "null if an official tool stops"]
    recovered: Annotated[float | None, "what our own alignment recovers, without official faults"]
    without_shift: Annotated[
        float | None, "the official import with the empty nodes of the skeleton at their own places"
    ]


class WindowRecord(TypedDict):
    """The scores of windows of one size."""

    size: Annotated[int | None, "tokens of a window; null for whole documents"]
    units: Annotated[int, "the number of windows, or of documents"]
    signature: Annotated[str, "how these scores were computed, in one line"]
    metrics: MetricScores
    conll: float | None


class LinksRecord(TypedDict):
    """How many links between mentions of one document, or of different ones, are right."""

    recall: float
    precision: float
    f1: float
    common: int
    key: int
    response: int


class SingletonsRecord(TypedDict):
    """How many entities of a side are singletons."""

    singletons: int
    entities: int


class MajorEntityRecord(TypedDict):
    """A major entity, and the response entity that is aligned with it."""

    document: str
    entity: Annotated[str, "its name in the key"]
    mentions: int
    response_mentions: Annotated[int, "0 if no entity is aligned with it"]
    common: int
    f1: float


class MajorRecord(TypedDict):
    """The scores of major entities."""

    macro: Annotated[float, "the mean F1"]
    weighted: Annotated[float, "the mean F1, weighted by the mentions of the key"]
    entities: list[MajorEntityRecord]


class ScoredSystem(TypedDict):
    """The scores of one system."""

    name: str
    response: Annotated[str, "the file of the response"]
    signature: Annotated[str, "how the scores were computed, in one line"]
    profile: str
    documents: ScoredDocuments
    pairs: NotRequired[
        Annotated[dict[str, int], "pairs of mentions by stage of matching, where there are stages"]
    ]
    metrics: MetricScores
    conll: Annotated[float | None, "the mean F1 of MUC, B³ and CEAFe; null without all three"]
    ledger: NotRequired[Annotated[CorpusLedgerRecord, "only for tagged text"]]
    empty_nodes: NotRequired[Annotated[dict[str, NodeScoreRecord], "only if asked for"]]
    crac: NotRequired[Annotated[AnswerRecord, "only for text and JSON under the profiles of CRAC"]]
    units: NotRequired[
        Annotated[int, "the number of windows or topics, if these are scored as documents are"]
    ]
    windows: NotRequired[
        Annotated[list[WindowRecord], "by size of windows; of several sizes, whole documents last"]
    ]
    links: NotRequired[
        Annotated[dict[str, LinksRecord], "`within` and `across` documents, if these are joined"]
    ]
    singletons: NotRequired[
        Annotated[dict[str, SingletonsRecord], "of `key` and `response`, if documents are joined"]
    ]
    major: NotRequired[Annotated[MajorRecord, "only if asked for"]]
    per_document: NotRequired[Iterable[DocumentScoresRecord]]


class KeyDigest(TypedDict, total=False):
    """The digest of the key, if all of its documents were scored."""

    key_digest: str


class ScoreResult(Result):
    """The scores of one or more systems."""

    schema: Literal["score/1"]
    key: Annotated[str, "the file of the key"]
    key_digest: NotRequired[Annotated[str, "a digest of the entities of the whole key"]]
    systems: list[ScoredSystem]
    findings: list[FindingRecord]


class HasScores(HasName, Protocol):
    """A named system with its scores."""

    @property
    def scores(self) -> Scores:
        """The scores of the response."""


def score_result(
    key: str,
    systems: Iterable[HasScores],
    findings: Sequence[Finding] = (),
    *,
    per_document: bool = False,
    key_digest: str | None = None,
) -> ScoreResult:
    """Return the scores of systems for JSON."""
    digest: KeyDigest = {"key_digest": key_digest} if key_digest else {}
    return {
        "corefscope": __version__,
        "schema": SCHEMA,
        "key": key,
        **digest,
        "systems": [_scored(each.name, each.path, each.scores, per_document) for each in systems],
        "findings": finding_records(findings),
    }


def _ledger(ledger: CorpusLedger, scores: Scores) -> CorpusLedgerRecord:
    return {
        "statuses": {str(status): count for status, count in ledger.statuses.items()},
        "total": ledger_record(ledger.total),
        "documents": {name: ledger_record(each) for name, each in ledger.documents.items()},
        "without_failed": _other(scores.without_failed),
        "mentions": [
            {
                "document": name,
                "entity": mention.entity,
                "text": mention.text,
                "outcome": mention.outcome,
                "becomes": mention.becomes,
            }
            for name, each in ledger.documents.items()
            for mention in each.changed
        ],
    }


def _other(scores: Scores) -> OtherScoresRecord:
    return {
        "documents": len(scores.document_names),
        "metrics": metric_records(scores.metrics),
        "conll": scores.conll,
    }


def ledger_record(ledger: Ledger) -> LedgerRecord:
    """Return a ledger for JSON; mentions are listed for all documents together."""
    record = to_builtins(ledger)
    del record["changed"]
    if not ledger.antecedent_not_found:
        del record["antecedent_not_found"]
    if ledger.windows is None:
        del record["windows"]
    return cast(LedgerRecord, record)


def _scored(name: str, path: str, scores: Scores, per_document: bool) -> ScoredSystem:
    record: ScoredSystem = {
        "name": name,
        "response": path,
        "signature": scores.signature,
        "profile": scores.profile.name,
        "documents": {
            "scored": scores.scored_documents,
            "missing": list(scores.missing),
            "extra": list(scores.extra),
        },
        "metrics": metric_records(scores.metrics),
        "conll": scores.conll,
    }
    if scores.stages:
        record["pairs"] = dict(scores.stages)
    if scores.ledger is not None:
        record["ledger"] = _ledger(scores.ledger, scores)
    if scores.crac is not None:
        record["crac"] = cast(AnswerRecord, to_builtins(scores.crac))
    _add_units(record, scores)
    if per_document:
        record["per_document"] = cast(Iterable[DocumentScoresRecord], _document_lines(scores))
    return record


def _add_units(record: ScoredSystem, scores: Scores) -> None:
    """Add what is known of windows, topics, corpora and major entities."""
    if scores.units is not None:
        record["units"] = len(scores.document_names)
    cut = scores.windows or ([scores] if scores.profile.window is not None else [])
    if cut:
        record["windows"] = list(map(_window_record, cut))
    if scores.across is not None:
        links = scores.across.links.items()
        record["links"] = {where: _links_record(score) for where, score in links}
        record["singletons"] = {
            side: {"singletons": single, "entities": every}
            for side, (single, every) in scores.across.singletons.items()
        }
    if scores.major is not None:
        record["major"] = _major_record(scores.major)


def _window_record(scores: Scores) -> WindowRecord:
    window = scores.profile.window
    record: WindowRecord = {
        "size": None if window is None else window.size,
        "units": len(scores.document_names),
        "signature": scores.signature,
        "metrics": metric_records(scores.metrics),
        "conll": scores.conll,
    }
    return record


def _links_record(score: Score) -> LinksRecord:
    return {
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
        "common": int(score.recall_counts[0]),
        "key": int(score.recall_counts[1]),
        "response": int(score.precision_counts[1]),
    }


def _major_record(major: MajorScores) -> MajorRecord:
    return {
        "macro": major.macro,
        "weighted": major.weighted,
        "entities": [
            cast(MajorEntityRecord, {**each._asdict(), "f1": each.f1}) for each in major.entities
        ],
    }


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
    return as_json(_with_places(record), None).replace(json.dumps(PLACE), "%s")


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


def metric_records(scores: Mapping[str, Score]) -> MetricScores:
    """Return the scores of metrics for JSON."""
    return {id: score_record(id, score) for id, score in scores.items()}


def score_record(id: str, score: Score) -> ScoreRecord:
    """Return the score of a metric for JSON."""
    parts = {name: score_record(id, part) for name, part in score.parts.items()}
    return {
        "recall": known(score.recall),
        "precision": known(score.precision),
        "f1": score.f1,
        "recall_counts": counts(id, score.recall_counts),
        "precision_counts": counts(id, score.precision_counts),
        # A test compares the parts of all metrics with the fields of Parts.
        **cast(Parts, parts),
    }
