"""The result of ``nec``: named entity coreference by entity type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NotRequired, Protocol, TypeAlias, TypedDict

from msgspec import to_builtins

from corefscope.findings import Finding
from corefscope.language import MentionType
from corefscope.named_entities import ChainRow, Nec, NecOptions, TypeScore
from corefscope.named_entities.rows import DocumentRows
from corefscope.named_entities.summary import ChainSpread
from corefscope.serialization.common import (
    FindingRecord,
    HasName,
    Result,
    Shape,
    TableRecord,
    finding_records,
)
from corefscope.version import __version__

OptionsRecord: TypeAlias = Annotated[
    dict[str, str | dict[str, str]], Shape(NecOptions), "the choices"
]


class MicroRecord(TypedDict):
    """Recall, precision and F1 of summed counts."""

    recall: float | None
    precision: float | None
    f1: float | None


class MentionTypeScore(TypedDict):
    """F1 of mentions of one type, and the number of chains with such mentions."""

    f1: float | None
    chains: int


class ByMentionType(TypedDict):
    """F1 by type of mention; zeros only if a chain has any."""

    name: MentionTypeScore
    nominal: MentionTypeScore
    pronoun: MentionTypeScore
    zero: NotRequired[MentionTypeScore]


class SpreadRecord(TypedDict):
    """Key chains that are split, or response chains that combine several key chains."""

    chains: int
    rate: Annotated[float | None, "share of all chains of the type"]
    excess: Annotated[int, "chains, or names, beyond one"]


class TypeScoreRecord(TypedDict):
    """The scores of one entity type, or of all types; null if there is nothing to measure."""

    chains: int
    f1: float | None
    not_found: float | None
    zero_f1: float | None
    recall: float | None
    precision: float | None
    micro: MicroRecord
    by_mention_type: ByMentionType
    over_split: SpreadRecord
    over_combined: SpreadRecord
    conll: Annotated[float | None, "the CoNLL score of chains with a name of the type"]


class UnmeasuredTag(TypedDict):
    """Key chains that are not measured because their tag is not mapped to a type."""

    tag: str
    chains: int


class NamedChainRecord(TypedDict):
    """A chain of the key with a name, and the response chain that it is paired with."""

    document: str
    entity: Annotated[str, "K1, K2, … as in the file of the key"]
    type: str
    mentions: int
    names: list[str]
    candidates: Annotated[list[str], "response chains that have one of its names: R1, R2, …"]
    best: Annotated[str | None, "the response chain that it is paired with"]
    size: Annotated[int, "mentions of that response chain"]
    common: Annotated[int, "mentions that both have"]
    f1: float
    recall: float
    precision: float | None
    name: Annotated[float | None, "F1 of the mentions that are names"]
    pronoun: Annotated[float | None, "F1 of the mentions that are pronouns"]
    nominal: Annotated[float | None, "F1 of the mentions that are nominals"]
    zero: NotRequired[Annotated[float | None, "F1 of the mentions that are zeros"]]
    split: Annotated[list[str], "response chains that its name is spread over"]
    shared: Annotated[bool, "whether another chain is paired with the same response chain"]
    found: bool


class CombinedRecord(TypedDict):
    """A response chain that has the names of several chains of the key."""

    document: str
    entity: str
    types: list[str]
    holds: Annotated[list[str], "the chains of the key: K1, K2, …"]


class NecSystem(TypedDict):
    """The named entities of one system."""

    name: str
    response: str
    signature: str
    heads: Annotated[str, "the layer that heads come from"]
    types: Annotated[dict[str, TypeScoreRecord], "by entity type; ALL is all types together"]
    unmeasured: list[UnmeasuredTag]
    macro_f1: float | None
    conll: Annotated[float | None, "the CoNLL score of all chains"]
    options: OptionsRecord
    detail: NotRequired[list[NamedChainRecord]]
    combined: NotRequired[list[CombinedRecord]]


class NecResult(Result):
    """Named entity coreference of one or more systems."""

    schema: Literal["nec/1"]
    key: str
    systems: list[NecSystem]
    findings: list[FindingRecord]
    tables: NotRequired[list[TableRecord]]


class HasNames(HasName, Protocol):
    """A named system with its named entities."""

    @property
    def named_entities(self) -> Nec:
        """Named entity coreference of the response."""


def nec_result(
    key: str,
    systems: Iterable[HasNames],
    findings: Sequence[Finding] = (),
    *,
    with_detail: bool = False,
    tables: Sequence[TableRecord] = (),
) -> NecResult:
    """Return named entity coreference for JSON, optionally with every named chain."""
    result: NecResult = {
        "corefscope": __version__,
        "schema": "nec/1",
        "key": key,
        "systems": [_measured(s.name, s.path, s.named_entities, with_detail) for s in systems],
        "findings": finding_records(findings),
    }
    if tables:
        result["tables"] = list(tables)
    return result


def _measured(name: str, path: str, nec: Nec, with_detail: bool) -> NecSystem:
    record: NecSystem = {
        "name": name,
        "response": path,
        "signature": nec.signature,
        "heads": nec.heads,
        "types": {type: _type(score) for type, score in nec.types.items()},
        "unmeasured": [{"tag": tag, "chains": n} for tag, n in nec.unmeasured.items()],
        "macro_f1": nec.macro_f1,
        "conll": nec.standard,
        "options": options_record(nec.options),
    }
    if with_detail:
        record["detail"] = [
            _chain(document, row, nec) for document in nec.documents for row in document.rows
        ]
        record["combined"] = [
            {
                "document": document.name,
                "entity": document.response_name(number),
                "types": sorted(document.response_types[number]),
                "holds": [document.key_name(row) for row in rows],
            }
            for document, number, rows in nec.combining()
        ]
    return record


def options_record(options: NecOptions) -> OptionsRecord:
    """Return the options of NEC for JSON."""
    record: OptionsRecord = to_builtins(options)
    return record


def _chain(document: DocumentRows, row: ChainRow, nec: Nec) -> NamedChainRecord:
    record: NamedChainRecord = {
        "document": row.document,
        "entity": document.key_name(row),
        "type": row.chain.type,
        "mentions": row.size,
        "names": [" ".join(variant) for variant in row.chain.variants],
        "candidates": list(map(document.response_name, row.candidates)),
        "best": None if row.best is None else document.response_name(row.best),
        "size": row.best_size,
        "common": row.overlap,
        "f1": row.f1,
        "recall": row.recall,
        "precision": row.precision,
        "name": row.by_type[MentionType.NAME],
        "pronoun": row.by_type[MentionType.PRONOUN],
        "nominal": row.by_type[MentionType.NOMINAL],
        "split": list(map(document.response_name, row.split)),
        "shared": row.shares_best,
        "found": bool(row.candidates),
    }
    if MentionType.ZERO in row.by_type:
        record["zero"] = row.by_type[MentionType.ZERO]
    return record


def _type(score: TypeScore) -> TypeScoreRecord:
    return {
        "chains": score.chains,
        "f1": score.f1,
        "not_found": score.not_found,
        "zero_f1": score.zero_f1,
        "recall": score.recall,
        "precision": score.precision,
        "micro": {
            "recall": score.micro["recall"],
            "precision": score.micro["precision"],
            "f1": score.micro["f1"],
        },
        "by_mention_type": _by_mention_type(score),
        "over_split": _spread(score.over_split),
        "over_combined": _spread(score.over_combined),
        "conll": score.conll,
    }


def _by_mention_type(score: TypeScore) -> ByMentionType:
    by_type: dict[MentionType, MentionTypeScore] = {
        type: {"f1": f1, "chains": chains} for type, (f1, chains) in score.by_mention_type.items()
    }
    record: ByMentionType = {
        "name": by_type[MentionType.NAME],
        "nominal": by_type[MentionType.NOMINAL],
        "pronoun": by_type[MentionType.PRONOUN],
    }
    if MentionType.ZERO in by_type:
        record["zero"] = by_type[MentionType.ZERO]
    return record


def _spread(spread: ChainSpread) -> SpreadRecord:
    return {"chains": spread.chains, "rate": spread.rate, "excess": spread.excess}
