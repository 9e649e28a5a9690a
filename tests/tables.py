"""What people read in a table."""

from __future__ import annotations

from corefscope.rendering.table import Cell, CellFormat, Table, TableColumn, columns_of


def shown_rows(table: Table) -> list[list[str]]:
    """The cells of each row as text."""
    return [list(row) for row in zip(*(cells for _, cells, _ in columns_of(table)), strict=True)]


def shown_cell(cell: Cell, format: CellFormat | None = None) -> str:
    """One cell as text, in a column of a format."""
    column = TableColumn("") if format is None else TableColumn("", format)
    ((text,),) = shown_rows(Table(columns=[column], rows=[[cell]]))
    return text
