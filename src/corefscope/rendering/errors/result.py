"""The overview of an error analysis as tables, text and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.cost import EntityCost, cost_metric
from corefscope.error_analysis.mention_text import short
from corefscope.escaping import visible
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.formatting import counted
from corefscope.metrics import MeanF1, statistic_named
from corefscope.rendering.errors.phenomena import gains, systems
from corefscope.results.rows import Row
from corefscope.results.table import (
    BarFormat,
    Cell,
    RowCells,
    Table,
    TableColumn,
    wrapped,
)

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
        f"documents {_documents(evaluation)}, singletons {_singletons(first.errors)}",
        *_sources_of(evaluation),
    ]
    table = systems(evaluation) if several else counts(first)
    notes = [*table.notes, *_signatures(evaluation)]
    with_heading = replace(table, notes=notes, heading=above, title=None)
    return [with_heading, *(gains(evaluation)[:1] if with_impact else [])]


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
        return [f"heads {next(iter(by.values()))}"]
    return [f"heads {source} ({name})" for name, source in by.items()]


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
    """Return a table of the errors of one system."""
    errors = system.errors.errors
    rows: list[RowCells] = [[type.label, errors[type]] for type in ErrorType]
    rows.append(["total", Cell(sum(errors.values()), BarFormat(0, WIDEST))])
    bars = TableColumn("count", BarFormat(max(errors.values()), WIDEST))
    return Table(columns=[TableColumn("error"), bars], rows=rows, totals=1)


def cost_lines(
    system: EvaluatedSystem, metric: str, most: int, see: Callable[[EntityCost], str]
) -> list[str]:
    """Describe the costliest entities, and how to see the first.

    ``see`` returns the command that shows an entity. The CoNLL score has no recall and precision,
    so its costs are shares of the mean recall or precision of its three metrics.
    """
    costs = system.errors.costliest_entities(metric, most)
    statistic = statistic_named(cost_metric(metric))
    if not costs:
        if not system.errors.documents:
            return ["Nothing was analysed: the response has none of these documents."]
        perfect = not any(system.errors.operations.values())
        why = ": the response equals the key" if perfect else f" ({statistic.name})"
        return [f"No entity costs anything{why}."]
    entities = "costliest entity" if len(costs) == 1 else f"{len(costs)} costliest entities"
    which = f"{statistic.name} recall"
    if isinstance(statistic, MeanF1):
        which = "the mean recall of MUC, B³ and CEAFe"
    title = (
        f"The {entities}, in points of {which} (of precision for R entities), with the mentions "
        "found, and in how many entities:"
    )
    return [
        *wrapped([title]),
        *map(_in_words, costs),
        f"See the first: {see(costs[0])}",
    ]


def _in_words(cost: EntityCost) -> str:
    """Return in a line what an entity costs, its name and place, and what was found of it."""
    found = f"{cost.size - cost.unmatched}/{cost.size}"
    if cost.pieces > 1:
        found += f" in {cost.pieces}"
    entity = f"{cost.entity} “{short(visible(cost.title), LONGEST)}”"
    return f"{100 * cost.share:6.2f}  {entity}, {visible(cost.document)}: {found}"


WIDEST = 20
"""How many characters a bar has at most."""
LONGEST = 20
"""How many characters of the title of an entity are shown."""


def count_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield one row per operation and type of error of each system."""
    for system in evaluation:
        analysis = system.errors
        for kind, counts in (("operation", analysis.operations), ("error", analysis.errors)):
            for name, count in counts.items():
                yield {"system": system.name, "kind": kind, "name": name, "count": count}
