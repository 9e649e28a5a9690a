"""The data of a report: the results of the commands, all errors, and the documents.

Tokens are counted from 0 and ends are inclusive. A cost is the share of the CoNLL recall (of
entities of the key) or precision (of entities of the response) that is lost.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from corefscope.error_analysis import ErrorType
from corefscope.language import MentionType
from corefscope.serialization.agreement import AgreementResult
from corefscope.serialization.common import FindingRecord, Result, as_json
from corefscope.serialization.compare import ComparisonRecord
from corefscope.serialization.errors import ChangeCountsRecord, ErrorsResult
from corefscope.serialization.named_entities import NecResult
from corefscope.serialization.score import CorpusLedgerRecord, ScoreResult

COMPRESSION = 6
"""The compression level; higher levels are much slower and hardly smaller."""
Span: TypeAlias = Annotated[tuple[int, int], "first and last token"]
MentionPlaces: TypeAlias = Annotated[
    tuple[int, int, int, int | None],
    "first token, last token, type (0 a name, 1 a nominal, 2 a pronoun, 3 a zero, 4 unknown), head",
]


class ReportFile(TypedDict):
    """A file that the report was made from."""

    role: Literal["key", "response", "names"]
    name: str
    path: Annotated[str | None, "null if there was no file"]
    bytes: int | None
    sha256: str | None


class ReportSystem(TypedDict):
    """A system and its letter in tables."""

    name: str
    letter: str


class ReportDocument(TypedDict):
    """A document and its scores by system."""

    name: str
    tokens: int | None
    entities: int
    mentions: int
    conll: list[float]
    b3: Annotated[list[tuple[float, float] | None], "recall and precision"]


class ReportUnit(TypedDict):
    """A window or a topic that was scored as one, and its scores by system."""

    name: str
    document: Annotated[int | None, "the number of the document of a window"]
    mentions: int
    conll: list[float]
    b3: Annotated[list[tuple[float, float] | None], "recall and precision"]


class ReportFinding(FindingRecord):
    """A finding with the title of its code."""

    title: str
    is_doubt: Annotated[bool, "whether it may make the results wrong or less certain"]


class ReportChanges(TypedDict):
    """The changes between two systems, as marks on their errors."""

    before: Annotated[int, "the number of a system"]
    after: Annotated[int, "the number of a system"]
    counts: ChangeCountsRecord
    of_before: Annotated[str, "a mark per error: = same in both, ~ changed, - fixed, + broken"]
    of_after: str
    exchanges: Annotated[
        list[list[list[int]]], "rows of errors before, and of those that replace them"
    ]


class Histogram(TypedDict):
    """The number of values in each bin; all bins have the same width."""

    low: float
    high: float
    counts: list[int]


class Distributions(TypedDict):
    """The distribution of a score over resamples."""

    systems: list[Histogram]
    differences: Annotated[list[Histogram] | None, "by pair of systems; null if there are too many"]


class Summary(Result):
    """The data that all views of a report need."""

    schema: Literal["report/1"]
    title: str
    command: Annotated[str, "the command that made the report"]
    redacted: Annotated[bool, "whether words are masked"]
    signature: str
    files: list[ReportFile]
    systems: list[ReportSystem]
    documents: list[ReportDocument]
    units: Annotated[
        list[ReportUnit] | None, "what was scored as one, if not documents: windows or topics"
    ]
    scores: ScoreResult
    ledgers: Annotated[list[CorpusLedgerRecord | None], "by system; null unless it is tagged text"]
    comparison: ComparisonRecord
    errors: ErrorsResult
    nec: Annotated[NecResult | None, "null without named entities"]
    findings: list[ReportFinding]
    changes: list[ReportChanges]
    distributions: Annotated[dict[str, Distributions] | None, "by statistic"]
    agreement: NotRequired[Annotated[AgreementResult, "only for annotators, none of them the key"]]
    reference: NotRequired[Annotated[int, "the number of the annotator in the place of the key"]]


class ErrorColumns(TypedDict):
    """All errors of all systems, one system after the other, as columns of equal length."""

    system: Annotated[list[int], "numbers of systems"]
    document: Annotated[list[int], "numbers of documents"]
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
    other: Annotated[list[str | None], "null unless the error is a part of an entity"]
    start: list[int]
    end: list[int]
    spans: Annotated[list[list[Span]], "of the first mentions"]
    mark: Annotated[
        list[int | None],
        "of the first mention: its number in the document's list of marked mentions; null if "
        "start and end identify it",
    ]


class DocumentText(TypedDict):
    """The words of a document."""

    name: str
    has_text: bool
    words: list[str]
    sentences: list[Span]
    speakers: Annotated[list[str] | None, "by sentence"]
    zeros: Annotated[
        list[tuple[int, str]], "empty nodes: the token, and its lemma if it has no word"
    ]


class EntityText(TypedDict):
    """An entity in the text."""

    name: str
    title: str
    mentions: list[MentionPlaces]
    marks: Annotated[
        list[int | None] | None,
        "by mention: a number in the document's list of marked mentions, or null for a mention "
        "that its first and last token identify; null if all mentions are such",
    ]


class KeyEntity(EntityText):
    """An entity of the key."""

    cost: Annotated[list[float], "by system"]


class ResponseEntity(EntityText):
    """An entity of a response."""

    cost: float
    key: Annotated[int | None, "the number of the key entity that it is aligned with"]


class SystemInDocument(TypedDict):
    """The entities of a system in a document; its errors are in the table of errors."""

    entities: list[ResponseEntity]


class DocumentEntities(TypedDict):
    """The entities of the key and of every system."""

    key: list[KeyEntity]
    systems: list[SystemInDocument]
    marked: Annotated[
        list[list[Span]],
        "the parts of mentions that first and last token do not identify, such as mentions with "
        "gaps; no part for a zero that the key has no token for",
    ]
    absent: Annotated[
        list[tuple[int, bool]],
        "the zeros that the key has no token for, in the order of the text: the number among "
        "marked mentions, and whether it stands before its token, or after it",
    ]


class ReportText(DocumentText, DocumentEntities):
    """A document; it is loaded when it is opened."""


def pack(value: object) -> str:
    """Return JSON, compressed and encoded in Base64, which needs no escaping in HTML."""
    data = as_json(value, indent=None).encode("utf-8", "surrogatepass")
    return b64encode(gzip.compress(data, COMPRESSION, mtime=0)).decode("ascii")
