"""The result of ``nec``: named entity coreference by entity type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Protocol

from msgspec import UNSET, UnsetType

from corefscope.findings import Finding
from corefscope.named_entities import ChainRow, Nec, NecOptions, TypeScore
from corefscope.named_entities.rows import DocumentRows
from corefscope.results.record import (
    FindingRecord,
    Record,
    Result,
    TableRecord,
    about,
    finding_records,
)
from corefscope.scoring.systems import HasName


class UnmeasuredTag(Record, frozen=True, kw_only=True):
    """Key chains that are not measured because their tag is not mapped to a type."""

    tag: str
    chains: int


class NamedChainRecord(Record, frozen=True, kw_only=True):
    """A chain of the key with a name, and the response chain that it is paired with."""

    document: str
    entity: Annotated[str, about("K1, K2, … as in the file of the key")]
    type: str
    mentions: int
    names: list[str]
    candidates: Annotated[list[str], about("response chains that have one of its names: R1, R2, …")]
    best: Annotated[str | None, about("the response chain that it is paired with")]
    size: Annotated[int, about("mentions of that response chain")]
    common: Annotated[int, about("mentions that both have")]
    f1: float
    recall: float
    precision: float | None
    name: Annotated[float | None, about("F1 of the mentions that are names")]
    pronoun: Annotated[float | None, about("F1 of the mentions that are pronouns")]
    nominal: Annotated[float | None, about("F1 of the mentions that are nominals")]
    zero: Annotated[float | UnsetType | None, about("F1 of the mentions that are zeros")] = UNSET
    split: Annotated[list[str], about("response chains that its name is spread over")]
    shared: Annotated[bool, about("whether another chain is paired with the same response chain")]
    found: bool


class CombinedRecord(Record, frozen=True, kw_only=True):
    """A response chain that has the names of several chains of the key."""

    document: str
    entity: str
    types: list[str]
    holds: Annotated[list[str], about("the chains of the key: K1, K2, …")]


class NecSystem(Record, frozen=True, kw_only=True):
    """The named entities of one system."""

    name: str
    response: str
    signature: str
    heads: Annotated[str, about("the layer that heads come from")]
    types: Annotated[Mapping[str, TypeScore], about("by entity type; ALL is all types together")]
    unmeasured: list[UnmeasuredTag]
    macro_f1: float | None
    conll: Annotated[float | None, about("the CoNLL score of all chains")]
    options: NecOptions
    detail: list[NamedChainRecord] | UnsetType = UNSET
    combined: list[CombinedRecord] | UnsetType = UNSET


class NecResult(Result, frozen=True, kw_only=True):
    """Named entity coreference of one or more systems."""

    schema: Literal["nec/1"] = "nec/1"
    key: str
    systems: list[NecSystem]
    findings: list[FindingRecord]
    tables: list[TableRecord] | UnsetType = UNSET


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
    return NecResult(
        key=key,
        systems=[_measured(s.name, s.path, s.named_entities, with_detail) for s in systems],
        findings=finding_records(findings),
        tables=list(tables) or UNSET,
    )


def _measured(name: str, path: str, nec: Nec, with_detail: bool) -> NecSystem:
    detail = (_chain(document, row) for document in nec.documents for row in document.rows)
    return NecSystem(
        name=name,
        response=path,
        signature=nec.signature,
        heads=nec.heads,
        types=nec.types,
        unmeasured=[UnmeasuredTag(tag=tag, chains=n) for tag, n in nec.unmeasured.items()],
        macro_f1=nec.macro_f1,
        conll=nec.standard,
        options=nec.options,
        detail=list(detail) if with_detail else UNSET,
        combined=_combined(nec) if with_detail else UNSET,
    )


def _combined(nec: Nec) -> list[CombinedRecord]:
    return [
        CombinedRecord(
            document=document.name,
            entity=document.response_name(number),
            types=sorted(document.response_types[number]),
            holds=[document.key_name(row) for row in rows],
        )
        for document, number, rows in nec.combining()
    ]


def _chain(document: DocumentRows, row: ChainRow) -> NamedChainRecord:
    return NamedChainRecord(
        document=row.document,
        entity=document.key_name(row),
        type=row.chain.type,
        mentions=row.size,
        names=[" ".join(variant) for variant in row.chain.variants],
        candidates=list(map(document.response_name, row.candidates)),
        best=None if row.best is None else document.response_name(row.best),
        size=row.best_size,
        common=row.overlap,
        f1=row.f1,
        recall=row.recall,
        precision=row.precision,
        **{f"{type}": f1 for type, f1 in row.by_type.items()},
        split=list(map(document.response_name, row.split)),
        shared=row.shares_best,
        found=bool(row.candidates),
    )
