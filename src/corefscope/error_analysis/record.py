"""The result of ``errors``, and the changes between two systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Protocol, TypeAlias

from msgspec import UNSET, UnsetType, field
from msgspec.structs import asdict

from corefscope.error_analysis import Analysis, ErrorRecord, ErrorType
from corefscope.error_analysis.catalogue import Plain
from corefscope.error_analysis.changes import Changes
from corefscope.error_analysis.cost import EntityCost
from corefscope.error_analysis.impact import Gain, Impact
from corefscope.error_analysis.kinds import ACTIONS, Mode, Operation
from corefscope.error_analysis.phenomena import Candidates
from corefscope.error_analysis.sources import Sources
from corefscope.findings import Finding
from corefscope.metrics import CONLL, Score, statistics_of
from corefscope.metrics.counts import known
from corefscope.results.record import (
    FindingRecord,
    Record,
    Result,
    TableRecord,
    about,
    finding_records,
)
from corefscope.scoring.systems import Evaluated, HasScores


class ListedError(dict[str, Plain]):
    """One error: the properties of its type."""


ListedErrors: TypeAlias = list[ListedError]
ErrorCounts: TypeAlias = dict[ErrorType, int]


class SourcesRecord(Record, frozen=True, kw_only=True):
    """How many documents used which layer of the text."""

    heads: dict[str, int]
    types: dict[str, int]
    languages: Annotated[dict[str, int], about("english for English tables, or universal")]
    names: Annotated[int, about("documents with named entities")]
    from_response: Annotated[dict[str, int], about("layers that were taken from the response")]


class AnalysedDocuments(Record, frozen=True, kw_only=True):
    """Which documents were analysed."""

    analysed: int
    missing: list[str]
    extra: list[str]


class CostRecord(Record, frozen=True, kw_only=True):
    """An entity, and the recall or precision that it loses."""

    side: Literal["key", "response"]
    document: str
    entity: Annotated[str, about("K1, K2, … of the key, R1, R2, … of the response")]
    label: Annotated[str, about("its label in its file")]
    title: Annotated[str, about("the words of a typical mention")]
    size: Annotated[int, about("number of mentions")]
    loses: Literal["recall", "precision"]
    share: float
    pieces: Annotated[int, about("entities of the other side that contain its mentions")]
    unmatched: Annotated[int, about("mentions that the other side does not have")]
    group: Annotated[int, about("its confusion group in the document")]


class FiguresRecord(Record, frozen=True, kw_only=True):
    """Recall, precision and F1, or their changes."""

    recall: float | None
    precision: float | None
    f1: float


Figures: TypeAlias = Annotated[
    dict[str, FiguresRecord | float], "by metric; for `conll`, only a number"
]


class ImpactRecord(Record, frozen=True, kw_only=True):
    """The gain of correcting one type of error."""

    alone: Annotated[
        Figures, about("if only this type is corrected (and span errors, which come first)")
    ]
    step: Annotated[Figures, about("if all types are corrected one after the other")]


class ActionRecord(Record, frozen=True, kw_only=True):
    """What one can correct: one type of error, or conflated and divided entities together."""

    action: str
    types: list[ErrorType]
    errors: int
    gain: Annotated[
        Figures, about("if nothing else is corrected (but span errors, which come first)")
    ]
    is_recommended: Annotated[
        bool, about("whether there are such errors, and the gain is positive")
    ]


class AnalysedSystem(Record, frozen=True, kw_only=True):
    """The errors of one system."""

    name: str
    response: str
    signature: str
    mode: Mode
    sources: SourcesRecord
    documents: AnalysedDocuments
    operations: dict[Operation, int]
    errors: ErrorCounts
    dearest: Annotated[list[CostRecord] | UnsetType, about("the costliest entities")] = UNSET
    every: ListedErrors | UnsetType = field(default=UNSET, name="list")
    before: Annotated[Figures | UnsetType, about("the scores of the response as it is")] = UNSET
    impact: dict[ErrorType, ImpactRecord] | UnsetType = UNSET
    actions: Annotated[
        list[ActionRecord] | UnsetType,
        about("what to correct first: by the gain in the CoNLL score, or in the last metric"),
    ] = UNSET


class ErrorsResult(Result, frozen=True, kw_only=True):
    """The errors of one or more systems."""

    schema: Literal["errors/1"] = "errors/1"
    key: str
    systems: list[AnalysedSystem]
    findings: list[FindingRecord]
    tables: list[TableRecord] | UnsetType = UNSET


class ChangeCountsRecord(Record, frozen=True, kw_only=True):
    """Numbers of errors that were fixed, changed, and so on."""

    before: int
    fixed: int
    differently_before: int
    unchanged: int
    differently_after: int
    broken: int
    after: int
    net: int


class DocumentChangesRecord(ChangeCountsRecord, frozen=True, kw_only=True):
    """Numbers of errors of one document."""

    document: str


class ChangedSystem(Record, frozen=True, kw_only=True):
    """One of the two systems."""

    name: str
    signature: str
    errors: ErrorCounts


class ExchangeRecord(Record, frozen=True, kw_only=True):
    """Different errors of the two systems on the same mentions."""

    document: str
    before: ListedErrors
    after: ListedErrors


class ChangesRecord(Record, frozen=True, kw_only=True):
    """The errors that changed from one system to another."""

    before: ChangedSystem
    after: ChangedSystem
    total: ChangeCountsRecord
    by_type: dict[ErrorType, ChangeCountsRecord]
    by_document: list[DocumentChangesRecord]
    fixed: ListedErrors
    broken: ListedErrors
    differently: list[ExchangeRecord]


class HasErrors(HasScores, Protocol):
    """A named system with its errors."""

    @property
    def errors(self) -> Analysis:
        """The errors of the response."""

    @property
    def impact(self) -> Impact:
        """The gain of correcting each type of error."""


class Analysed(Evaluated[HasErrors], Protocol):
    """Systems whose errors were analysed on one key."""

    @property
    def candidates(self) -> Candidates:
        """The key mentions that are missing from the responses, by what is known of them."""


def errors_result(
    key: str,
    systems: Iterable[HasErrors],
    findings: Sequence[Finding] = (),
    *,
    lists: Sequence[Sequence[ErrorRecord]] | None = None,
    costs: tuple[str, int] | None = None,
    with_impact: bool = False,
    tables: Sequence[TableRecord] = (),
) -> ErrorsResult:
    """Return the errors of systems for JSON.

    Parameters
    ----------
    key
        The file of the key.
    systems
        The systems, each with its errors.
    findings
        Errors and warnings about the input.
    lists
        The errors to list, system by system.
    costs
        The metric that entities are ranked by, and how many of the costliest to include.
    with_impact
        Whether to include the gain of correcting each type of error.
    tables
        Tables to include.
    """
    return ErrorsResult(
        key=key,
        systems=[
            _analysed(system, lists[place] if lists is not None else None, costs, with_impact)
            for place, system in enumerate(systems)
        ],
        findings=finding_records(findings),
        tables=list(tables) or UNSET,
    )


def _analysed(
    system: HasErrors,
    listed: Sequence[ErrorRecord] | None,
    costs: tuple[str, int] | None,
    with_impact: bool,
) -> AnalysedSystem:
    analysis = system.errors
    pairing = analysis.matching.pairing
    impact = system.impact if with_impact else None
    return AnalysedSystem(
        name=system.name,
        response=system.path,
        signature=analysis.signature,
        mode=analysis.options.mode,
        sources=_sources(analysis.sources),
        documents=AnalysedDocuments(
            analysed=len(analysis.documents),
            missing=list(pairing.missing),
            extra=list(pairing.extra),
        ),
        operations={operation: analysis.operations[operation] for operation in Operation},
        errors=_counts(analysis),
        dearest=list(map(cost_record, analysis.costliest_entities(*costs))) if costs else UNSET,
        every=UNSET if listed is None else error_records(listed),
        before=_figures(impact.before) if impact else UNSET,
        impact=impact_record(impact) if impact else UNSET,
        actions=action_records(impact, analysis) if impact else UNSET,
    )


def _counts(analysis: Analysis) -> ErrorCounts:
    return {type: analysis.errors[type] for type in ErrorType}


def _sources(sources: Sources) -> SourcesRecord:
    return SourcesRecord(
        heads=dict(sources.heads_by),
        types=dict(sources.types_by),
        languages=dict(sources.languages),
        names=sources.names,
        from_response=dict(sources.borrowed),
    )


def error_records(errors: Iterable[ErrorRecord]) -> ListedErrors:
    """Return errors for JSON."""
    return [ListedError(error.to_dict()) for error in errors]


def cost_record(cost: EntityCost) -> CostRecord:
    """Return the cost of an entity for JSON."""
    own = asdict(cost)
    is_key = own.pop("is_key")
    return CostRecord(
        side="key" if is_key else "response", loses="recall" if is_key else "precision", **own
    )


def action_records(impact: Impact, analysis: Analysis) -> list[ActionRecord]:
    """Return what each action gains for JSON, the largest gain first."""
    main = statistics_of(impact.before)[-1]
    records: list[ActionRecord] = []
    for action, gained in impact.actions().items():
        errors = sum(analysis.errors[type] for type in ACTIONS[action])
        records.append(
            ActionRecord(
                action=action,
                types=list(ACTIONS[action]),
                errors=errors,
                gain=_figures(gained),
                is_recommended=errors > 0 and main.value(gained) > 0,
            )
        )
    return records


def impact_record(impact: Impact) -> dict[ErrorType, ImpactRecord]:
    """Return the gain of correcting each type of error for JSON."""
    steps = impact.steps()
    return {
        type: ImpactRecord(alone=_figures(impact.gains(type)), step=_figures(steps[type]))
        for type in ErrorType
    }


def _figures(of: Mapping[str, Gain] | Mapping[str, Score]) -> Figures:
    """Return recall, precision and F1 of each metric, and the CoNLL score."""
    figures: dict[str, FiguresRecord | float] = {
        id: FiguresRecord(recall=known(each.recall), precision=known(each.precision), f1=each.f1)
        for id, each in of.items()
    }
    if CONLL.is_known(of):
        figures[CONLL.id] = CONLL.value(of)
    return figures


def changes_record(changes: Changes, names: tuple[str, str]) -> ChangesRecord:
    """Return the changes for JSON; documents with the most changes come first."""
    return ChangesRecord(
        before=_changed(names[0], changes.before),
        after=_changed(names[1], changes.after),
        total=ChangeCountsRecord(**changes.counts.figures),
        by_type={type: ChangeCountsRecord(**changes.by_type[type].figures) for type in ErrorType},
        by_document=[
            DocumentChangesRecord(document=document.name, **document.counts.figures)
            for document in changes.by_document
        ],
        fixed=error_records(changes.fixed),
        broken=error_records(changes.broken),
        differently=[
            ExchangeRecord(
                document=exchange.document,
                before=error_records(exchange.before),
                after=error_records(exchange.after),
            )
            for exchange in changes.differently
        ],
    )


def _changed(name: str, analysis: Analysis) -> ChangedSystem:
    return ChangedSystem(name=name, signature=analysis.signature, errors=_counts(analysis))
