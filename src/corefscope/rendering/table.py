"""A table on its way to a terminal, a paper or a program."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from corefscope.escaping import visible

Value = str | int | float | None

BLOCKS = " ▁▂▃▄▅▆▇█"


class Mean(float):
    """The mean of counts."""


class Fraction(float):
    """A fraction shown as such, with four decimals."""


class Points(float):
    """A difference of two fractions, with its sign."""


class Change(float):
    """A difference of two scores, with its sign and as many digits as they have."""


class Marked(float):
    """A score with marks that say which differences are significant."""

    marks: str

    def __new__(cls, score: float, marks: str) -> Marked:
        """Make a score that carries marks."""
        marked = super().__new__(cls, score)
        marked.marks = marks
        return marked


class Bar(int):
    """A count with a bar that is full at the most."""

    most: int

    def __new__(cls, count: int, most: int) -> Bar:
        """Make a count that knows how large it could be."""
        bar = super().__new__(cls, count)
        bar.most = most
        return bar

    @property
    def fill(self) -> float:
        """How much of the bar is full, from 0 to 1."""
        return self / self.most if self.most else 0.0

    @property
    def block(self) -> str:
        """The bar as one character: an empty one only for nothing."""
        return BLOCKS[ceil(self.fill * (len(BLOCKS) - 1))]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns with a heading each, rows of values, and notes below.

    A float is a fraction and is shown as a percentage with two digits, unless it is a
    :class:`Mean`, :class:`Points` or :class:`Change`; an int is a count; None is an empty cell.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    notes: Sequence[str] = field(default_factory=tuple)
    heading: Sequence[str] = field(default_factory=tuple)
    """Lines above the table, on a terminal."""
    title: str | None = None
    """What a table among several is about, where there is no heading."""
    totals: int = 0
    """How many of the last rows are set apart from the others."""


def _signed(value: float, digits: int) -> str:
    """Return points with their sign; what is rounded to nothing is no loss."""
    text = f"{100 * value:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0 else text


SHOWN: Mapping[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    Mean: lambda mean: f"{mean:.1f}",
    Fraction: lambda fraction: f"{fraction:.4f}",
    Points: lambda points: _signed(points, 1),
    Change: lambda change: _signed(change, 2),
    Marked: lambda score: f"{100 * score:.2f}{' ' * score.marks.isalpha()}{score.marks}",
    Bar: lambda bar: f"{int(bar)} {bar.block}",
}
"""How values that are no plain numbers are shown."""


def shown(value: Value) -> str:
    """Return a value as people read it."""
    if type(value) in SHOWN:
        return SHOWN[type(value)](value)
    if isinstance(value, float):
        return f"{100 * value:.2f}" if value == value else ""
    return visible(str(value))


def _is_number(column: Sequence[Value]) -> bool:
    known = (value for value in column if value is not None)
    return all(not isinstance(v, str) or re.match(r"[+-]?[\d.]", v) for v in known)


def columns_of(
    table: Table, show: Callable[[Value], str] = shown
) -> list[tuple[str, list[str], bool]]:
    """Each column's heading, cells, and whether it holds numbers, which stand to the right."""
    rows = list(table.rows)
    values = [[row[i] for row in rows] for i in range(len(table.columns))]
    return [
        (visible(name), [show(v) for v in column], i > 0 and _is_number(column))
        for i, (name, column) in enumerate(zip(table.columns, values, strict=True))
    ]


def as_text(table: Table) -> str:
    """Return the table in aligned columns of plain text."""
    columns = []
    for name, cells, is_number in columns_of(table):
        width = max(map(len, [name, *cells]))
        columns.append([c.rjust(width) if is_number else c.ljust(width) for c in (name, *cells)])
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    rule = "-" * max(map(len, lines))
    lines.insert(1, rule)
    if table.totals:
        lines.insert(len(lines) - table.totals, rule)
    above = [*map(visible, table.heading), ""] if table.heading else []
    below = ["", *map(visible, table.notes)] if table.notes else []
    return "\n".join([*above, *lines, *below]) + "\n"


def as_markdown(table: Table) -> str:
    """Return the table for a README or an issue."""
    columns = columns_of(table, _markdown_cell)
    escaped = [
        [cell.strip().replace("|", "\\|") for cell in (name, *cells)] for name, cells, _ in columns
    ]
    heading, *rows = ("| " + " | ".join(cells) + " |" for cells in zip(*escaped, strict=True))
    rule = "| " + " | ".join("---:" if is_number else "---" for _, _, is_number in columns) + " |"
    title = [f"**{visible(table.title)}**\n"] if table.title else []
    shown_notes = map(visible, table.notes)
    notes = ["\n" + re.sub(r"^\*|(?<= )\*(?=\*? p)", r"\\*", note) for note in shown_notes]
    return "\n".join([*title, heading, rule, *rows, *notes]) + "\n"


def _markdown_cell(value: Value) -> str:
    """Return a cell; letters that mark a score are raised."""
    if isinstance(value, Marked) and value.marks.isalpha():
        return f"{100 * value:.2f}<sup>{value.marks}</sup>"
    return shown(value).replace("*", "\\*") if isinstance(value, Marked) else shown(value)


LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "³": r"\textsuperscript{3}",
    "₀": r"\textsubscript{0}",
    "₁": r"\textsubscript{1}",
    "₂": r"\textsubscript{2}",
    "φ": r"$\phi$",
    "–": "--",
}


def latex_text(text: str) -> str:
    """Return a text with all that is special to LaTeX escaped."""
    escaped = "".join(LATEX.get(character, character) for character in text)
    # After the end of a row LaTeX takes these for its own.
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped


def _latex_cell(value: Value) -> str:
    """Return a cell; a bar is drawn."""
    if isinstance(value, Marked):
        return f"{100 * value:.2f}" + (rf"\textsuperscript{{{value.marks}}}" if value.marks else "")
    if isinstance(value, Bar):
        return f"{int(value)}" + (rf"~\rule{{{value.fill:.2f}em}}{{1.2ex}}" if value.fill else "")
    return latex_text(shown(value))


def as_latex(table: Table) -> str:
    """Return the table for a paper; it needs the package booktabs."""
    columns = columns_of(table)
    headings = " & ".join(latex_text(visible(name)) for name in table.columns) + r" \\"
    rows = [" & ".join(map(_latex_cell, row)) + r" \\" for row in table.rows]
    if table.totals:
        rows.insert(len(rows) - table.totals, r"\midrule")
    alignment = "".join("r" if is_number else "l" for _, _, is_number in columns)
    notes = [f"% {visible(note)}" for note in table.notes]
    return (
        "\n".join(
            [
                *([f"% {visible(table.title)}"] if table.title else []),
                rf"\begin{{tabular}}{{{alignment}}}",
                r"\toprule",
                headings,
                r"\midrule",
                *rows,
                r"\bottomrule",
                r"\end{tabular}",
                *notes,
            ]
        )
        + "\n"
    )


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """Return rows for a program: fractions unrounded, one observation a row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def as_json(value: object, indent: int | None = 2) -> str:
    """Return JSON with words as they are; bytes that were not UTF-8 are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def table_dict(number: int | str, table: Table) -> dict[str, Any]:
    """Return a table for JSON."""
    return {
        "table": number,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "notes": list(table.notes),
    }


def as_tables_csv(tables: Sequence[tuple[int | str, Table]]) -> str:
    """Return one table as it is, or several as one row a cell."""
    if len(tables) == 1:
        ((_, table),) = tables
        return as_csv(table.columns, table.rows)
    rows: list[list[Value]] = [
        [number, i, column, value]
        for number, table in tables
        for i, row in enumerate(table.rows, 1)
        for column, value in zip(table.columns, row, strict=True)
    ]
    return as_csv(["table", "row", "column", "value"], rows)


LAYOUTS: Mapping[str, Callable[[Table], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""The formats that people read."""
