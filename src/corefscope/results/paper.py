"""Tables as papers print them: grouped headings, the best figures in bold, a caption on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from corefscope.formatting import Value
from corefscope.results.table import Caption, Cell, Table, TableColumn, with_best

Figure: TypeAlias = tuple[TableColumn, Value | Cell]
"""A value, and the column that it stands in."""
BEST = "The best figure of each column is in bold."
FIGURES = "Precision (P), recall (R) and F1 in per cent."


def paper_table(
    first: str,
    rows: Mapping[str, Sequence[Figure]],
    notes: Sequence[str],
    *,
    caption: str = "",
    has_best: bool = True,
) -> Table:
    """Return a table with one row per system, or other names of which ``first`` is the heading."""
    some = next(iter(rows.values()))
    table = Table(
        columns=[TableColumn(first), *(column for column, _ in some)],
        rows=[[name, *(value for _, value in figures)] for name, figures in rows.items()],
        notes=notes,
        caption=caption,
    )
    return with_best(table) if has_best else table


def caption_of(caption: Caption, *sentences: str, best: str) -> str:
    """Return the sentences of a caption, if one is wanted; ``best`` is about bold figures."""
    if caption is None:
        return ""
    return " ".join(filter(None, (*sentences, best if caption == "bold" else "")))
