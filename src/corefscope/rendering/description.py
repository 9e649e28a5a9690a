"""Statistics of corpora as a table with one column per corpus."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.corpus.description import Description, Spread
from corefscope.formatting import DECIMAL, LARGE_COUNT
from corefscope.results.table import Cell, RowCells, Table, TableColumn, columns


def description_table(descriptions: Sequence[Description], names: Sequence[str]) -> Table:
    """Return a table with one row per figure and one column per corpus."""
    figures = [_figures(description) for description in descriptions]
    rows: list[RowCells] = [
        [label, *(_cell(each[label]) for each in figures)]
        for label in figures[0]
        if any(each[label] is not None for each in figures)
    ]
    return Table(columns=[TableColumn(""), *columns(LARGE_COUNT, *names)], rows=rows)


def _cell(value: float | None) -> Cell:
    """Return the cell of a count or, with decimals, of a mean or median."""
    return Cell(value, DECIMAL if isinstance(value, float) else None)


def _figures(d: Description) -> dict[str, float | None]:
    return {
        "documents": d.documents,
        "tokens": d.tokens,
        "mentions": d.mentions,
        "entities": d.entities,
        "  singletons": d.singletons,
        **{f"  of {name} mentions": n for name, n in d.size_classes.items() if name != "1"},
        **_spread("entity size", d.entity_sizes),
        **_spread("mention length", d.mention_lengths),
        "nested mentions": d.nested,
        "  deepest nesting": d.deepest,
        "crossing pairs of mentions": d.crossing,
        **_spread("distance to the next mention", d.distances),
    }


def _spread(label: str, spread: Spread | None) -> dict[str, float | None]:
    values: tuple[float | None, ...] = (None,) * 4
    if spread:
        values = spread.mean, spread.median, spread.ninety_percent, spread.largest
    names = ("mean", "median", "90 %", "largest")
    return {f"{label}, {name}": value for name, value in zip(names, values, strict=True)}
