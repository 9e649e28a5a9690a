"""What changed between two systems, as text: by type, by document, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from corefscope.error_analysis import ErrorType
from corefscope.error_analysis.changes import ChangeCounts, Changes, Exchange
from corefscope.escaping import visible
from corefscope.formatting import COUNT, NET_COUNT, Value
from corefscope.rendering.errors.context import Context
from corefscope.rendering.errors.listing import WIDTH, as_list_text
from corefscope.rendering.table import Cells, Column, Table, columns

COLUMNS = [
    *columns(COUNT, "before", "fixed", "changed from", "same", "changed to", "broken", "after"),
    Column("net", NET_COUNT),
]
SUMS = "before = fixed + changed from + same; after = same + changed to + broken."
LEGEND = "changed from, to: errors about a mention that both get wrong, differently."
MOST_DOCUMENTS = 10
NAMES = ("before", "after")
"""What the two systems are called, if they have no names."""


def changes_by_type(changes: Changes) -> Table:
    """Return what became of the errors of each type, and of all."""
    rows = [[type.label, *_cells(changes.by_type[type])] for type in ErrorType]
    return Table(
        columns=[Column("error"), *COLUMNS],
        rows=[*rows, ["total", *_cells(changes.counts)]],
        notes=_notes(changes),
        title="Errors fixed and broken, by type",
        totals=1,
    )


def changes_by_document(changes: Changes, most: int | None = MOST_DOCUMENTS) -> Table:
    """Return the documents that moved most, the others together, and all; None for all moved."""
    documents = changes.by_document
    first = [document for document in documents if document.counts.moved][:most]
    names = {document.name for document in first}
    others = [document.counts for document in documents if document.name not in names]
    rows: list[Cells] = [[d.name, *_cells(d.counts)] for d in first]
    if others:
        moved = sum(counts.moved > 0 for counts in others)
        label = f"{len(others)} other{'s' * (len(others) > 1)}, {moved or 'none'} changed"
        rows.append([label, *_cells(sum(others, ChangeCounts()))])
    return Table(
        columns=[Column("document"), *COLUMNS],
        rows=[*rows, ["total", *_cells(changes.counts)]],
        notes=_notes(changes),
        title="Errors fixed and broken, by document",
        totals=1,
    )


def _notes(changes: Changes) -> list[str]:
    layers = [analysis.sources.signature for analysis in (changes.before, changes.after)]
    unlike = "The two were not analysed by the same layers: their errors do not compare."
    # Errors may be counted without singletons where scores are not.
    signature = changes.after.signature
    return [SUMS, LEGEND, *([unlike] if layers[0] != layers[1] else []), signature]


def _cells(counts: ChangeCounts) -> list[Value]:
    return [
        counts.before,
        counts.fixed,
        counts.differently_before,
        counts.unchanged,
        counts.differently_after,
        counts.broken,
        counts.after,
        counts.net,
    ]


def change_lines(changes: Changes, names: tuple[str, str] = NAMES) -> Iterator[str]:
    """Yield what is fixed, what is broken, and what is wrong differently, for a reader.

    R1, R2, … are entities of the system before in what is fixed, of the one after in what is
    broken. ``names`` are those of the systems.
    """
    matchings = [changes.before.matching, changes.after.matching]
    yield from as_list_text([("fixed", changes.fixed), ("broken", changes.broken)], matchings)
    context = Context(matchings[0].key, matchings[0].response)
    for exchange in changes.differently:
        yield from _exchange_lines(exchange, names, context)


def _exchange_lines(exchange: Exchange, names: tuple[str, str], context: Context) -> Iterator[str]:
    place = exchange.before[0].mentions[0].place()
    yield f"differently: {visible(exchange.document)}{f', {place}' if place else ''}"
    for name, errors in zip(names, (exchange.before, exchange.after), strict=True):
        for error in errors:
            text = f"{name}: {error.type.label}, {error.description}"
            yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield from (f"  {line}" for line in context.lines(exchange.before[0]))
    yield ""
