"""What people read in a table."""

from __future__ import annotations

from corefscope.results.table import Table, columns_of


def shown_rows(table: Table) -> list[list[str]]:
    """The cells of each row as text."""
    return [list(row) for row in zip(*(cells for _, cells, _ in columns_of(table)), strict=True)]
