"""The data of a report: the results of the commands, all errors, and the documents.

Tokens are counted from 0 and ends are inclusive. A cost is the share of the CoNLL recall (of
entities of the key) or precision (of entities of the response) that is lost.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from corefscope.agreement.record import AgreementResult
from corefscope.error_analysis import ErrorType
from corefscope.error_analysis.record import ChangeCountsRecord, ErrorsResult
from corefscope.language import MentionType
from corefscope.named_entities.record import NecResult
from corefscope.results.record import FindingRecord, Record, Result, about, as_json
from corefscope.scoring.record import CorpusLedgerRecord, ScoreResult
from corefscope.statistics.record import CompareResult

COMPRESSION = 6
"""The compression level; higher levels are much slower and hardly smaller."""
Span: TypeAlias = Annotated[tuple[int, int], about("first and last token")]
MentionPlaces: TypeAlias = Annotated[
    tuple[int, int, int, int | None],
    about(
        "first token, last token, type (0 a name, 1 a nominal, 2 a pronoun, 3 a zero, 4 unknown),"
        " head"
    ),
]


class ReportFile(Record, frozen=True, kw_only=True):
    """A file that the report was made from."""

    role: Literal["key", "response", "names"]
    name: str
    path: Annotated[str | None, about("null if there was no file")]
    bytes: int | None
    sha256: str | None


class ReportSystem(Record, frozen=True, kw_only=True):
    """A system and its letter in tables."""

    name: str
    letter: str


class ReportDocument(Record, frozen=True, kw_only=True):
    """A document and its scores by system."""

    name: str
    tokens: int | None
    entities: int
    mentions: int
    conll: list[float]
    b3: Annotated[list[tuple[float, float] | None], about("recall and precision")]


class ReportUnit(Record, frozen=True, kw_only=True):
    """A window or a topic that was scored as one, and its scores by system."""

    name: str
    document: Annotated[int | None, about("the number of the document of a window")]
    mentions: int
    conll: list[float]
    b3: Annotated[list[tuple[float, float] | None], about("recall and precision")]


class ReportFinding(FindingRecord, frozen=True, kw_only=True):
    """A finding with the title of its code."""

    title: str
    is_doubt: Annotated[bool, about("whether it may make the results wrong or less certain")]


class ReportChanges(Record, frozen=True, kw_only=True):
    """The changes between two systems, as marks on their errors."""

    before: Annotated[int, about("the number of a system")]
    after: Annotated[int, about("the number of a system")]
    counts: ChangeCountsRecord
    of_before: Annotated[
        str, about("a mark per error: = same in both, ~ changed, - fixed, + broken")
    ]
    of_after: str
    exchanges: Annotated[
        list[list[list[int]]], about("rows of errors before, and of those that replace them")
    ]


class Histogram(Record, frozen=True, kw_only=True):
    """The number of values in each bin; all bins have the same width."""

    low: float
    high: float
    counts: list[int]


class Distributions(Record, frozen=True, kw_only=True):
    """The distribution of a score over resamples."""

    systems: list[Histogram]
    differences: Annotated[
        list[Histogram] | None, about("by pair of systems; null if there are too many")
    ]


class Summary(Result, frozen=True, kw_only=True):
    """The data that all views of a report need."""

    schema: Literal["report/1"] = "report/1"
    title: str
    command: Annotated[str, about("the command that made the report")]
    redacted: Annotated[bool, about("whether words are masked")]
    signature: str
    files: list[ReportFile]
    systems: list[ReportSystem]
    documents: list[ReportDocument]
    units: Annotated[
        list[ReportUnit] | None,
        about("what was scored as one, if not documents: windows or topics"),
    ]
    scores: ScoreResult
    ledgers: Annotated[
        list[CorpusLedgerRecord | None], about("by system; null unless it is tagged text")
    ]
    comparison: CompareResult
    errors: ErrorsResult
    nec: Annotated[NecResult | None, about("null without named entities")]
    findings: list[ReportFinding]
    changes: list[ReportChanges]
    distributions: Annotated[dict[str, Distributions] | None, about("by statistic")]
    agreement: Annotated[
        AgreementResult | UnsetType, about("only for annotators, none of them the key")
    ] = UNSET
    reference: Annotated[
        int | UnsetType, about("the number of the annotator in the place of the key")
    ] = UNSET


class ErrorColumns(Record, frozen=True, kw_only=True):
    """All errors of all systems, one system after the other, as columns of equal length."""

    system: Annotated[list[int], about("numbers of systems")]
    document: Annotated[list[int], about("numbers of documents")]
    id: list[str]
    type: list[ErrorType]
    sentence: list[int | None]
    left: list[str]
    text: list[str | None]
    right: list[str]
    mention_type: list[MentionType]
    entity_type: list[str | None]
    distance: list[int | None]
    entity: list[str]
    title: list[str]
    group: list[int]
    size: list[int]
    description: list[str]
    other: Annotated[list[str | None], about("null unless the error is a part of an entity")]
    start: list[int]
    end: list[int]
    spans: Annotated[list[list[Span]], about("of the first mentions")]
    mark: Annotated[
        list[int | None],
        about(
            "of the first mention: its number in the document's list of marked mentions; null if "
            "start and end identify it"
        ),
    ]


class DocumentText(Record, frozen=True, kw_only=True):
    """The words of a document."""

    name: str
    has_text: bool
    words: list[str]
    sentences: list[Span]
    speakers: Annotated[list[str] | None, about("by sentence")]
    zeros: Annotated[
        list[tuple[int, str]], about("empty nodes: the token, and its lemma if it has no word")
    ]


class EntityText(Record, frozen=True, kw_only=True):
    """An entity in the text."""

    name: str
    title: str
    mentions: list[MentionPlaces]
    marks: Annotated[
        list[int | None] | None,
        about(
            "by mention: a number in the document's list of marked mentions, or null for a "
            "mention that its first and last token identify; null if all mentions are such"
        ),
    ]


class KeyEntity(EntityText, frozen=True, kw_only=True):
    """An entity of the key."""

    cost: Annotated[list[float], about("by system")]


class ResponseEntity(EntityText, frozen=True, kw_only=True):
    """An entity of a response."""

    cost: float
    key: Annotated[int | None, about("the number of the key entity that it is aligned with")]


class SystemInDocument(Record, frozen=True, kw_only=True):
    """The entities of a system in a document; its errors are in the table of errors."""

    entities: list[ResponseEntity]


class ReportText(DocumentText, frozen=True, kw_only=True):
    """A document; it is loaded when it is opened."""

    key: list[KeyEntity]
    systems: list[SystemInDocument]
    marked: Annotated[
        list[list[Span]],
        about(
            "the parts of mentions that first and last token do not identify, such as mentions "
            "with gaps; no part for a zero that the key has no token for"
        ),
    ]
    absent: Annotated[
        list[tuple[int, bool]],
        about(
            "the zeros that the key has no token for, in the order of the text: the number among "
            "marked mentions, and whether it stands before its token, or after it"
        ),
    ]


def pack(value: object) -> str:
    """Return JSON, compressed and encoded in Base64, which needs no escaping in HTML."""
    data = as_json(value, indent=None).encode("utf-8", "surrogatepass")
    return b64encode(gzip.compress(data, COMPRESSION, mtime=0)).decode("ascii")
