"""The overview of an error analysis as tables, text and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.cost import EntityCost, cost_metric
from corefscope.error_analysis.record import Analysed, HasErrors
from corefscope.error_analysis.tables.phenomena import gains, systems
from corefscope.escaping import visible
from corefscope.formatting import COUNT, counted, cut_right
from corefscope.metrics import statistic_named
from corefscope.results.paper import Figure, caption_of, paper_table
from corefscope.results.rows import Row
from corefscope.results.table import (
    BarFormat,
    Caption,
    Cell,
    RowCells,
    Table,
    TableColumn,
)
from corefscope.scoring.paper import SINGLETONS
from corefscope.version import __version__

HEAD_SOURCES = {
    "file": "from the file",
    "parse": "from parse trees",
    "dependencies": "from dependency trees",
    "tags": "from tags",
    "words": "from words",
    "nothing": "none, because there are no words",
}


def overview(evaluation: Analysed, with_impact: bool = False) -> list[Table]:
    """Return the default tables."""
    first = next(iter(evaluation))
    several = len(evaluation) > 1
    rule = first.errors.options.singleton_rule
    documents = f"documents {_documents(evaluation)}, singletons {SINGLETONS[rule]}"
    heads = _sources_of(evaluation)
    above = [f"{documents}, {heads[0]}"] if len(heads) == 1 else [documents, *heads]
    table = systems(evaluation) if several else counts(first)
    notes = [*table.notes, *_signatures(evaluation)]
    with_heading = replace(table, notes=notes, heading=above, title=None)
    return [with_heading, *(gains(evaluation)[:1] if with_impact else [])]


def _documents(evaluation: Analysed) -> str:
    counts = [len(system.errors.documents) for system in evaluation]
    return f"{counts[0]}" if len(set(counts)) == 1 else " / ".join(map(str, counts))


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


def _sources_of(evaluation: Analysed) -> list[str]:
    """Return where heads come from, by system if systems differ."""
    by = {system.name: _sources(system.errors) for system in evaluation}
    if len(set(by.values())) == 1:
        return [f"heads {next(iter(by.values()))}"]
    return [f"heads {source} ({name})" for name, source in by.items()]


def _signatures(evaluation: Analysed) -> list[str]:
    signatures = {system.name: system.errors.signature for system in evaluation}
    if len(set(signatures.values())) == 1:
        return list(signatures.values())[:1]
    layers = {signature.partition("|heads:")[2] for signature in signatures.values()}
    warning = "The systems were analysed with different layers: their counts are not comparable."
    return [
        *([warning] if len(layers) > 1 else []),
        *(f"{name}: {signature}" for name, signature in signatures.items()),
    ]


def counts(system: HasErrors) -> Table:
    """Return a table of the errors of one system."""
    errors = system.errors.errors
    rows: list[RowCells] = [[type.label, errors[type]] for type in ErrorType]
    rows.append(["total", Cell(sum(errors.values()), BarFormat(0, WIDEST))])
    bars = TableColumn("count", BarFormat(max(errors.values()), WIDEST))
    return Table(columns=[TableColumn("error"), bars], rows=rows, totals=1)


def cost_lines(
    system: HasErrors, metric: str, most: int, see: Callable[[EntityCost], str]
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
    return [
        f"The {entities}: points of {statistic.name} recall (R: precision), mentions found",
        *map(_in_words, costs),
        "See the first:",
        see(costs[0]),
    ]


def _in_words(cost: EntityCost) -> str:
    """Return in a line what an entity costs, its name and place, and what was found of it."""
    found = f"{cost.size - cost.unmatched}/{cost.size}"
    if cost.pieces > 1:
        found += f" in {cost.pieces}"
    entity = f"{cost.entity} “{cut_right(visible(cost.title), LONGEST)}”"
    return f"{100 * cost.share:6.2f}  {entity}, {visible(cost.document)}: {found}"


WIDEST = 20
"""How many characters a bar has at most."""
LONGEST = 20
"""How many characters of the title of an entity are shown."""


def count_rows(evaluation: Analysed) -> Iterator[Row]:
    """Yield one row per operation and type of error of each system."""
    for system in evaluation:
        analysis = system.errors
        for kind, counts in (("operation", analysis.operations), ("error", analysis.errors)):
            for name, count in counts.items():
                yield {"system": system.name, "kind": kind, "name": name, "count": count}


def paper_counts(evaluation: Analysed, *, caption: Caption = None) -> Table:
    """Return the numbers of errors: one row per system, one column per type."""
    rows: dict[str, list[Figure]] = {
        system.name: [(_column(type), system.errors.errors[type]) for type in ErrorType]
        for system in evaluation
    }
    first = next(iter(evaluation)).errors
    rule = SINGLETONS[first.options.singleton_rule]
    about = caption_of(
        caption,
        "Errors by type (Kummerfeld and Klein, 2013), counted by corefscope "
        f"{__version__} on {counted(len(first.documents), 'document')}, singletons {rule}.",
        best="The fewest errors of each type are in bold." if len(rows) > 1 else "",
    )
    signatures = dict.fromkeys(system.errors.signature for system in evaluation)
    return paper_table("system", rows, list(signatures), caption=about)


def _column(type: ErrorType) -> TableColumn:
    """Return the column of a type, whose name has two words: Extra | Mention."""
    group, _, name = type.label.partition(" ")
    return TableColumn(name, COUNT, group, lower_is_better=True)
