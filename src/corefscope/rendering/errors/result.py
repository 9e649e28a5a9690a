"""The overview of an error analysis as tables, text and CSV."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.cost import EntityCost, cost_metric
from corefscope.error_analysis.impact import FIGURES
from corefscope.error_analysis.mention_text import short
from corefscope.escaping import visible
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.formatting import COUNT, Value, counted
from corefscope.metrics import MeanF1, statistic_named
from corefscope.rendering.errors.phenomena import gains, systems
from corefscope.rendering.table import BarFormat, Cell, RowCells, Table, TableColumn, as_csv

HEAD_SOURCES = {
    "file": "from the file",
    "parse": "from parse trees",
    "dependencies": "from dependency trees",
    "tags": "from tags",
    "words": "from words",
    "nothing": "none, because there are no words",
}


def overview(evaluation: Evaluation, with_impact: bool = False) -> list[Table]:
    """Return the default tables."""
    first = next(iter(evaluation))
    several = len(evaluation) > 1
    above = [
        f"key       {evaluation.key_path}",
        *([] if several else [f"response  {first.path}"]),
        f"documents {_documents(evaluation)}, singletons {_singletons(first.errors)}",
        *_sources_of(evaluation),
    ]
    table = systems(evaluation) if several else counts(first)
    notes = [*table.notes, *_signatures(evaluation)]
    with_heading = replace(table, notes=notes, heading=above, title=None)
    return [with_heading, *(gains(evaluation) if with_impact else [])]


def _documents(evaluation: Evaluation) -> str:
    counts = [len(system.errors.documents) for system in evaluation]
    return f"{counts[0]}" if len(set(counts)) == 1 else " / ".join(map(str, counts))


def _singletons(analysis: Analysis) -> str:
    rule = analysis.options.singleton_rule
    return {"keep": "kept", "drop": "dropped", "drop-response": "of the response dropped"}[rule]


def _sources(analysis: Analysis) -> str:
    sources = analysis.sources
    by = ", ".join(
        f"{label} ({counted(sources.heads_by[source], 'document')})"
        if len(sources.heads_by) > 1
        else label
        for source, label in HEAD_SOURCES.items()
        if sources.heads_by[source]
    )
    borrowed = ", ".join(sources.borrowed)
    return f"{by}; taken from the response: {borrowed}" if borrowed else by


def _sources_of(evaluation: Evaluation) -> list[str]:
    """Return where heads come from, by system if systems differ."""
    by = {system.name: _sources(system.errors) for system in evaluation}
    if len(set(by.values())) == 1:
        return [f"heads     {next(iter(by.values()))}"]
    return [f"heads     {source} ({name})" for name, source in by.items()]


def _signatures(evaluation: Evaluation) -> list[str]:
    signatures = {system.name: system.errors.signature for system in evaluation}
    if len(set(signatures.values())) == 1:
        return list(signatures.values())[:1]
    layers = {signature.partition("|heads:")[2] for signature in signatures.values()}
    warning = "The systems were analysed with different layers: their counts are not comparable."
    return [
        *([warning] if len(layers) > 1 else []),
        *(f"{name}: {signature}" for name, signature in signatures.items()),
    ]


def counts(system: EvaluatedSystem) -> Table:
    """Return a table of the errors and operations of one system."""
    operations = list(system.errors.operations.items())
    errors = system.errors.errors
    rows: list[RowCells] = []
    for i, type in enumerate(ErrorType):
        name, count = operations[i] if i < len(operations) else (None, None)
        label = None if name is None else name.replace("_", " ").capitalize()
        rows.append([type.label, errors[type], label, count])
    total = Cell(sum(errors.values()), BarFormat(0))
    rows.append(["total", total, None, sum(n for _, n in operations)])
    columns = [
        *(TableColumn("error"), TableColumn("count", BarFormat(max(errors.values())))),
        *(TableColumn("operation"), TableColumn("count", COUNT)),
    ]
    return Table(columns=columns, rows=rows, totals=1)


def cost_lines(
    system: EvaluatedSystem, metric: str, most: int, see: Callable[[EntityCost], str]
) -> list[str]:
    """Describe the costliest entities, and how to see the first.

    ``see`` returns the command that shows an entity. The CoNLL score has no recall and precision,
    so its costs are shares of the mean recall or precision of its three metrics.
    """
    costs = system.errors.costliest_entities(metric, most)
    statistic = statistic_named(cost_metric(metric))
    is_mean = isinstance(statistic, MeanF1)
    if not costs:
        if not system.errors.documents:
            return ["Nothing was analysed: the response has none of these documents."]
        perfect = not any(system.errors.operations.values())
        why = ": the response equals the key" if perfect else f" ({statistic.name})"
        return [f"No entity costs anything{why}."]
    entities = "costliest entity" if len(costs) == 1 else f"{len(costs)} costliest entities"
    unit = f"{statistic.name}; 1 point = 0.01"
    if is_mean:
        unit = "1 point = 0.01 of the mean recall or precision of MUC, B³ and CEAFe"
    lines = [f"The {entities} ({unit}):"]
    # A mention may be a singleton of the other side.
    aside = ", singletons left out" if system.errors.options.singletons == "drop" else ""
    for number, cost in enumerate(costs, 1):
        entity, why = _in_words(cost, "mean " if is_mean else "", aside)
        lines += [f"{number:>3}. {entity}", f"     {why}"]
    return [*lines, f"See the first: {see(costs[0])}"]


def _in_words(cost: EntityCost, which: str, aside: str) -> tuple[str, str]:
    """Return the name of an entity, and what it costs and why."""
    loses, other = ("recall", "response") if cost.is_key else ("precision", "key")
    found = cost.size - cost.unmatched
    if not found:
        fate = f"no mention is in the {other}{aside}"
    else:
        absent = "not found" if cost.is_key else "not in the key"
        lacking = f", {cost.unmatched} {absent}" if cost.unmatched else ""
        entities = f"1 {other} entity" if cost.pieces == 1 else f"{cost.pieces} {other} entities"
        fate = f"{found} in {entities}{lacking}"
    points = f"{100 * cost.share:.2f} points of {which}{loses}"
    entity = f"“{short(visible(cost.title), 30)}” ({cost.entity} of {visible(cost.document)})"
    return entity, f"{points}: {cost.size} mentions, {fate}"


def as_counts_csv(evaluation: Evaluation, with_impact: bool = False, *, raw: bool = False) -> str:
    """Return CSV with one row per count: operations, errors, and optionally gains."""
    rows: list[list[Value]] = []
    nothing: list[Value] = [None] * 3
    for system in evaluation:
        name, analysis = system.name, system.errors
        rows += [[name, "operation", o, None, n, *nothing] for o, n in analysis.operations.items()]
        rows += [[name, "error", type, None, n, *nothing] for type, n in analysis.errors.items()]
        rows += [
            [
                *(name, f"gain_{way}", row["type"], row["metric"], None),
                *(row[f"{way}_{figure}"] for figure in FIGURES),
            ]
            for row in (system.impact._rows() if with_impact else ())
            for way in ("alone", "step")
            if row[f"{way}_f1"] is not None
        ]
    columns = ("system", "kind", "name", "metric", "count", "recall", "precision", "f1")
    return as_csv(columns, rows, raw=raw)
