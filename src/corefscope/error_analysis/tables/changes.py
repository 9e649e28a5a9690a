"""Changes of errors between two systems as text: by type, by document, and as a list."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from corefscope.error_analysis import ErrorType
from corefscope.error_analysis.changes import ChangeCounts, Changes, Exchange
from corefscope.error_analysis.tables.context import Context
from corefscope.error_analysis.tables.listing import WIDTH, as_list_text
from corefscope.escaping import visible
from corefscope.formatting import COUNT, NET_COUNT, Value
from corefscope.results.table import RowCells, Table, TableColumn, columns

COLUMNS = [
    *columns(COUNT, "before", "fixed", "same"),
    *(TableColumn(name, COUNT, "changed") for name in ("from", "to")),
    *columns(COUNT, "broken", "after"),
    TableColumn("net", NET_COUNT),
]
SUMS = "before = fixed + changed from + same; after = same + changed to + broken."
LEGEND = "changed from, changed to: different errors of the two systems on the same mentions."
MOST_DOCUMENTS = 10
NAMES = ("before", "after")
"""The default names of the two systems."""


def changes_by_type(changes: Changes) -> Table:
    """Return a table of fixed, changed and broken errors by type, with the total."""
    rows = [[type.label, *_cells(changes.by_type[type])] for type in ErrorType]
    return Table(
        columns=[TableColumn("error"), *COLUMNS],
        rows=[*rows, ["total", *_cells(changes.counts)]],
        notes=_notes(changes),
        title="Errors fixed and broken, by type",
        totals=1,
    )


def changes_by_document(changes: Changes, most: int | None = MOST_DOCUMENTS) -> Table:
    """Return a table of the documents with most changes, the others together, and the total.

    None for ``most`` shows all documents with changes.
    """
    documents = changes.by_document
    first = [document for document in documents if document.counts.moved][:most]
    names = {document.name for document in first}
    others = [document.counts for document in documents if document.name not in names]
    rows: list[RowCells] = [[d.name, *_cells(d.counts)] for d in first]
    if others:
        moved = sum(counts.moved > 0 for counts in others)
        label = f"{len(others)} other{'s' * (len(others) > 1)}, {moved or 'none'} changed"
        rows.append([label, *_cells(sum(others, ChangeCounts()))])
    return Table(
        columns=[TableColumn("document"), *COLUMNS],
        rows=[*rows, ["total", *_cells(changes.counts)]],
        notes=_notes(changes),
        title="Errors fixed and broken, by document",
        totals=1,
    )


def _notes(changes: Changes) -> list[str]:
    layers = [analysis.sources.signature for analysis in (changes.before, changes.after)]
    unlike = "The systems were analysed with different layers: their errors are not comparable."
    # Errors may be counted without singletons although scores are computed with them.
    signature = changes.after.signature
    return [SUMS, LEGEND, *([unlike] if layers[0] != layers[1] else []), signature]


def _cells(counts: ChangeCounts) -> list[Value]:
    return [
        counts.before,
        counts.fixed,
        counts.unchanged,
        counts.differently_before,
        counts.differently_after,
        counts.broken,
        counts.after,
        counts.net,
    ]


def change_lines(changes: Changes, names: tuple[str, str] = NAMES) -> Iterator[str]:
    """Yield descriptions of fixed, broken and changed errors.

    R1, R2, … are entities of the first system in fixed errors, of the second in broken ones.
    ``names`` are those of the systems.
    """
    matchings = [changes.before.matching, changes.after.matching]
    yield from as_list_text([("fixed", changes.fixed), ("broken", changes.broken)], matchings)
    context = Context(matchings[0].key, matchings[0].response)
    for exchange in changes.differently:
        yield from _exchange_lines(exchange, names, context)


def _exchange_lines(exchange: Exchange, names: tuple[str, str], context: Context) -> Iterator[str]:
    place = exchange.before[0].mentions[0].place()
    yield f"changed: {visible(exchange.document)}{f', {place}' if place else ''}"
    for name, errors in zip(names, (exchange.before, exchange.after), strict=True):
        for error in errors:
            text = f"{name}: {error.type.label}, {error.description}"
            yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield from (f"  {line}" for line in context.lines(exchange.before[0]))
    yield ""
