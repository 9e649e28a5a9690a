"""Tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text

from corefscope.results.table import Cell, Table, laid_out, wrapped


def print_tables(tables: Sequence[Table]) -> None:
    """Print tables with bold and dim text if the terminal supports it."""
    console = Console(highlight=False, soft_wrap=True)
    for number, table in enumerate(tables):
        if number:
            console.print()
        if table.heading:
            _print_lines(console, table.heading, "dim")
            console.print()
        _print_rows(console, table)
        for lines, style in (([table.caption] if table.caption else [], ""), (table.notes, "dim")):
            if lines:
                console.print()
            _print_lines(console, lines, style)


def _print_rows(console: Console, table: Table) -> None:
    layout = laid_out(table, console.width)
    for heading in filter(None, (layout.groups, "".join(layout.headings).rstrip())):
        console.print(Text(heading, style="bold"))
    first_total = len(table.rows) - table.totals
    for number, (shown, row) in enumerate(zip(layout.rows, table.rows, strict=True)):
        if number == 0 or (table.totals and number == first_total):
            console.print(Text(layout.rule, style="dim"))
        best = (isinstance(cell, Cell) and cell.is_best for cell in row)
        styles = ("bold" if is_best else "" for is_best in best)
        pieces = zip(shown, styles, strict=True)
        line = Text.assemble(*pieces, style="bold" if number >= first_total else "")
        line.rstrip()
        console.print(line)


def _print_lines(console: Console, lines: Sequence[str], style: str) -> None:
    # A signature is longer than most terminals are wide.
    for line in wrapped(lines, console.width, breaks="|"):
        console.print(Text(line, style=style))


def painted(lines: Iterable[Sequence[tuple[str, str]]]) -> str:
    """Return lines of (text, style) with the control codes of a terminal."""
    console = Console(file=StringIO(), force_terminal=True, highlight=False, soft_wrap=True)
    with console.capture() as captured:
        for line in lines:
            console.print(Text.assemble(*line))
    return captured.get()
