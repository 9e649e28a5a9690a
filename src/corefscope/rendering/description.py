"""What is in corpora, as a table: one column a corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from corefscope.corpus.description import Description, Spread
from corefscope.rendering.table import LAYOUTS, Table, Value, as_csv


def render(descriptions: Sequence[Description], names: Sequence[str], format: str) -> str:
    """Return the descriptions as text in a format."""
    if format == "json":
        return json.dumps([_record(d) for d in descriptions], indent=2) + "\n"
    if format == "csv":
        rows = [[label, *values] for label, values in _rows(descriptions, as_numbers=True)]
        return as_csv(["", *names], rows)
    return LAYOUTS[format](description_table(descriptions, names))


def description_table(descriptions: Sequence[Description], names: Sequence[str]) -> Table:
    """One row a figure, one column a corpus."""
    rows = [[label, *values] for label, values in _rows(descriptions)]
    return Table(["", *names], rows)


def _rows(
    descriptions: Sequence[Description], as_numbers: bool = False
) -> list[tuple[str, list[Value]]]:
    figures = [_figures(description, as_numbers) for description in descriptions]
    return [(label, [figure[label] for figure in figures]) for label in figures[0]]


def _figures(d: Description, as_numbers: bool) -> dict[str, Value]:
    def shown(value: float | None) -> Value:
        if value is None or as_numbers:
            return value
        return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"

    figures: dict[str, float | None] = {
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
    return {label: shown(value) for label, value in figures.items()}


def _spread(label: str, spread: Spread | None) -> dict[str, float | None]:
    values: tuple[float | None, ...] = (None,) * 4
    if spread:
        values = spread.mean, spread.median, spread.ninety_percent, spread.largest
    names = ("mean", "median", "90 %", "largest")
    return {f"{label}, {name}": value for name, value in zip(names, values, strict=True)}


def _record(description: Description) -> dict[str, Any]:
    return asdict(description)
