"""The result of an analysis as JSON, CSV, and tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from corefscope.error_analysis import Analysis, ErrorRecord, ErrorType
from corefscope.error_analysis.cost import cost_metric
from corefscope.error_analysis.dearest import EntityCost
from corefscope.error_analysis.mention_text import short
from corefscope.escaping import visible
from corefscope.findings import Finding
from corefscope.formatting import COUNT, Value
from corefscope.metrics import CONLL, STATISTICS, MeanF1
from corefscope.rendering.errors import numbered_table
from corefscope.rendering.errors.listing import Listed
from corefscope.rendering.errors.phenomena import gains, systems
from corefscope.rendering.errors.systems import Analysed, AnalysedSystem
from corefscope.rendering.table import Bar, Cell, Cells, Column, Table, as_csv, table_dict
from corefscope.version import __version__

HEAD_SOURCES = {
    "parse": "parse trees",
    "tags": "tags",
    "words": "words",
    "nothing": "nothing: there are no words",
}


def overview(analysed: Analysed) -> list[Table]:
    """Return the tables that are shown where none was asked for."""
    first = analysed.systems[0].analysis
    several = len(analysed.systems) > 1
    above = [
        f"key       {analysed.key}",
        *([] if several else [f"response  {analysed.systems[0].response}"]),
        f"documents {_documents(analysed)}, singletons {_singletons(first)}",
        *_sources_of(analysed),
    ]
    table = systems(analysed) if several else counts(analysed.systems[0])
    notes = [*table.notes, *_signatures(analysed)]
    with_heading = replace(table, notes=notes, heading=above, title=None)
    return [with_heading, *(gains(analysed) if all(s.impact for s in analysed.systems) else [])]


def _documents(analysed: Analysed) -> str:
    counts = [len(system.analysis.documents) for system in analysed.systems]
    return f"{counts[0]}" if len(set(counts)) == 1 else " / ".join(map(str, counts))


def _singletons(analysis: Analysis) -> str:
    return "kept" if analysis.options.singletons == "keep" else "dropped"


def _sources(analysis: Analysis) -> str:
    sources = analysis.sources
    by = ", ".join(
        f"{label} ({sources.heads_by[source]} documents)" if len(sources.heads_by) > 1 else label
        for source, label in HEAD_SOURCES.items()
        if sources.heads_by[source]
    )
    borrowed = ", ".join(sources.borrowed)
    return f"{by}; from the response: {borrowed}" if borrowed else by


def _sources_of(analysed: Analysed) -> list[str]:
    """Say what heads were found by; system by system, where systems differ."""
    by = {system.name: _sources(system.analysis) for system in analysed.systems}
    if len(set(by.values())) == 1:
        return [f"heads by  {next(iter(by.values()))}"]
    return [f"heads by  {source} ({name})" for name, source in by.items()]


def _signatures(analysed: Analysed) -> list[str]:
    signatures = {system.name: system.analysis.signature for system in analysed.systems}
    if len(set(signatures.values())) == 1:
        return list(signatures.values())[:1]
    layers = {signature.partition("|heads:")[2] for signature in signatures.values()}
    warning = "The systems were not analysed by the same layers: their counts do not compare."
    return [
        *([warning] if len(layers) > 1 else []),
        *(f"{name}: {signature}" for name, signature in signatures.items()),
    ]


def counts(system: AnalysedSystem) -> Table:
    """Return operations and errors of one system, side by side."""
    operations = list(system.analysis.operations.items())
    errors = system.analysis.errors
    rows: list[Cells] = []
    for i, type in enumerate(ErrorType):
        name, count = operations[i] if i < len(operations) else (None, None)
        label = None if name is None else name.replace("_", " ").capitalize()
        rows.append([type.label, errors[type], label, count])
    total = Cell(sum(errors.values()), Bar(0))
    rows.append(["total", total, None, sum(n for _, n in operations)])
    columns = [
        *(Column("error"), Column("count", Bar(max(errors.values())))),
        *(Column("operation"), Column("count", COUNT)),
    ]
    return Table(columns=columns, rows=rows, totals=1)


def cost_lines(
    system: AnalysedSystem, metric: str, most: int, see: Callable[[EntityCost], str]
) -> list[str]:
    """Say in words which entities cost most, and how to see the first.

    ``see`` tells which command shows an entity. The CoNLL score has no recall and no precision, so
    costs are shares of the means of its three metrics.
    """
    costs = system.analysis.dearest(metric, most)
    statistic = STATISTICS[cost_metric(metric)]
    is_mean = isinstance(statistic, MeanF1)
    if not costs:
        if not system.analysis.documents:
            return ["Nothing was analysed: the response has none of these documents."]
        perfect = not any(system.analysis.operations.values())
        why = ": the response is the key" if perfect else f" ({statistic.name})"
        return [f"No entity costs anything{why}."]
    entities = "entity that costs" if len(costs) == 1 else f"{len(costs)} entities that cost"
    unit = f"{statistic.name}; 1 point = 0.01"
    if is_mean:
        unit = "1 point = 0.01 of the mean recall or precision of MUC, B³ and CEAFe"
    lines = [f"The {entities} most ({unit}):"]
    for number, cost in enumerate(costs, 1):
        entity, why = _in_words(cost, "mean " if is_mean else "")
        lines += [f"{number:>3}. {entity}", f"     {why}"]
    return [*lines, f"See the first: {see(costs[0])}"]


def _in_words(cost: EntityCost, which: str) -> tuple[str, str]:
    """Return which entity it is, and what it costs and why."""
    loses, other = ("recall", "response") if cost.is_key else ("precision", "key")
    found = cost.size - cost.unmatched
    if not found:
        fate = f"no mention is in the {other}"
    else:
        absent = "not found" if cost.is_key else "not in the key"
        lacking = f", {cost.unmatched} {absent}" if cost.unmatched else ""
        entities = "1 entity" if cost.pieces == 1 else f"{cost.pieces} entities"
        fate = f"{found} in {entities}{lacking}"
    points = f"{100 * cost.share:.2f} points of {which}{loses}"
    entity = f"“{short(visible(cost.title), 30)}” ({cost.entity} of {visible(cost.document)})"
    return entity, f"{points}: {cost.size} mentions, {fate}"


def to_dict(
    analysed: Analysed,
    findings: Sequence[Finding] = (),
    listed: Listed | None = None,
    tables: Sequence[int] = (),
    costs: tuple[str, int] | None = None,
) -> dict[str, Any]:
    """Return the result as the JSON contract has it."""
    lists: Sequence[Sequence[ErrorRecord] | None] = [None] * len(analysed.systems)
    if listed is not None:
        lists = [errors for _, errors in listed]
    result: dict[str, Any] = {
        "corefscope": __version__,
        "key": analysed.key,
        "systems": [
            _system(system, errors, costs)
            for system, errors in zip(analysed.systems, lists, strict=True)
        ],
        "findings": [finding.to_dict() for finding in findings],
    }
    if tables:
        result["tables"] = [table_dict(n, numbered_table(n, analysed)) for n in tables]
    return result


def _system(
    system: AnalysedSystem, errors: Sequence[Any] | None, costs: tuple[str, int] | None
) -> dict[str, Any]:
    analysis = system.analysis
    pairing = analysis.comparison.pairing
    record: dict[str, Any] = {
        "name": system.name,
        "response": system.response,
        "signature": analysis.signature,
        "mode": analysis.options.mode,
        "sources": analysis.sources.to_dict(),
        "documents": {
            "analysed": len(analysis.documents),
            "missing": list(pairing.missing),
            "extra": list(pairing.extra),
        },
        "operations": analysis.operations,
        "errors": analysis.errors,
    }
    if costs:
        record["dearest"] = [cost.to_dict() for cost in analysis.dearest(*costs)]
    if errors is not None:
        record["list"] = [error.to_dict() for error in errors]
    if system.impact is not None:
        record["before"] = system.impact.before_dict()
        record["impact"] = system.impact.to_dict()
    return record


def as_counts_csv(analysed: Analysed) -> str:
    """Return one row a count: operations, errors, and gains where they were measured."""
    rows: list[list[Value]] = []
    nothing: list[Value] = [None] * 3
    for system in analysed.systems:
        name, analysis = system.name, system.analysis
        rows += [[name, "operation", o, None, n, *nothing] for o, n in analysis.operations.items()]
        rows += [[name, "error", type, None, n, *nothing] for type, n in analysis.errors.items()]
        for type, kinds in (system.impact.to_dict() if system.impact else {}).items():
            rows += [
                [name, f"gain_{kind}", type, metric, None, *parts]
                for kind, gains in kinds.items()
                for metric, parts in _gain_parts(gains)
            ]
    columns = ("system", "kind", "name", "metric", "count", "recall", "precision", "f1")
    return as_csv(columns, rows)


def _gain_parts(gains: Mapping[str, Any]) -> Iterator[tuple[str, list[Value]]]:
    for metric, gain in gains.items():
        if metric == CONLL.id:
            yield metric, [None, None, gain]
        else:
            yield metric, [gain["recall"], gain["precision"], gain["f1"]]
