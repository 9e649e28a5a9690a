"""Tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from corefscope.escaping import visible
from corefscope.results.table import Cell, Table, columns_of, wrapped


def print_tables(tables: Sequence[Table]) -> None:
    """Print tables with bold and dim text if the terminal supports it."""
    console = Console(highlight=False, soft_wrap=True)
    for number, table in enumerate(tables):
        if number:
            console.print()
        if table.heading:
            _print_lines(console, table.heading, "dim")
            console.print()
        console.print(_rich(table))
        if table.caption or table.notes:
            console.print()
        _print_lines(console, [table.caption] if table.caption else [], "")
        _print_lines(console, table.notes, "dim")


def _print_lines(console: Console, lines: Sequence[str], style: str) -> None:
    for line in wrapped(lines, console.width):
        console.print(Text(line, style=style))


def painted(lines: Iterable[Sequence[tuple[str, str]]]) -> str:
    """Return lines of (text, style) with the control codes of a terminal."""
    console = Console(file=StringIO(), force_terminal=True, highlight=False, soft_wrap=True)
    with console.capture() as captured:
        for line in lines:
            console.print(Text.assemble(*line))
    return captured.get()


def _rich(table: Table) -> RichTable:
    rich = RichTable(
        box=box.SIMPLE_HEAD,
        header_style="bold",
        pad_edge=False,
        padding=(0, 0, 0, 1),
        show_edge=False,
    )
    columns = columns_of(table)
    headings = [
        f"{visible(each.group)}\n{visible(each.name)}" if table.groups else visible(each.name)
        for each in table.columns
    ]
    for heading, (name, cells, is_number) in zip(headings, columns, strict=True):
        # On a narrow terminal names are wrapped, but numbers never are.
        rich.add_column(
            heading,
            justify="right" if is_number else "left",
            overflow="fold",
            min_width=max(map(len, [name, *cells])) if is_number else None,
        )
    rows = list(zip(*(cells for _, cells, _ in columns), strict=True))
    first_total = len(rows) - table.totals
    for number, row in enumerate(rows):
        if table.totals and number == first_total:
            rich.add_section()
        styled = [
            Text(text, style="bold" if isinstance(cell, Cell) and cell.is_best else "")
            for text, cell in zip(row, table.rows[number], strict=True)
        ]
        rich.add_row(*styled, style="bold" if number >= first_total else None)
    return rich
