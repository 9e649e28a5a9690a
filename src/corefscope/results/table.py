"""Tables as text, Markdown, LaTeX, CSV and JSON.

A table has columns, each with a name and a format, and rows of values. Output for people shows
values in the format of their column; output for programs has the values as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, isnan
from textwrap import wrap
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.escaping import CONTROL, visible
from corefscope.formatting import COUNT, TEXT, NumberFormat, PValue, TextFormat, Value
from corefscope.results.record import TableRecord
from corefscope.results.rows import Row

BLOCKS = " ▁▂▃▄▅▆▇█"


class BarFormat(Struct, frozen=True):
    """The format of counts with a bar, which is full for the largest count."""

    most: int
    width: int = 1
    """How many characters a full bar has."""

    is_number: ClassVar[bool] = True

    def fill(self, value: Value) -> float:
        """Return how much of the bar is full, from 0 to 1."""
        return value / self.most if self.most and isinstance(value, int) else 0.0

    def shown(self, value: Value) -> str:
        """Return the count and its bar, which is empty only for 0."""
        fill = self.fill(value)
        bar = BLOCKS[ceil(fill * (len(BLOCKS) - 1))]
        if self.width > 1:
            bar = f"{BLOCKS[-1] * ceil(fill * self.width):<{self.width}}"
        return f"{COUNT.shown(value)} {bar}"


CellFormat: TypeAlias = TextFormat | NumberFormat | PValue | BarFormat
"""How the values of a column are shown."""


class TableColumn(Struct, frozen=True):
    """A column of a table."""

    name: str
    format: CellFormat = TEXT
    group: str = ""
    """What stands above it and its neighbours of the same group."""
    lower_is_better: bool = False

    @property
    def full_name(self) -> str:
        """Its name with that of its group, where there is only one line for both."""
        return f"{self.group} {self.name}" if self.group else self.name


class Cell(Struct, frozen=True):
    """A value with its own format or marks."""

    value: Value
    format: CellFormat | None = None
    """The format; None for that of the column."""
    marks: str = ""
    """Stars after the value, or superscript letters."""
    is_best: bool = False
    """Whether it is the best of its column, and stands out."""


RowCells: TypeAlias = Sequence[Value | Cell]
"""The cells of a row."""


class Table(Struct, frozen=True, kw_only=True):
    """Columns, rows, and notes below them."""

    columns: Sequence[TableColumn]
    rows: Sequence[RowCells]
    notes: Sequence[str] = field(default_factory=tuple)
    heading: Sequence[str] = field(default_factory=tuple)
    """Lines above the table, on a terminal."""
    title: str | None = None
    """The subject of the table, for formats without a heading."""
    totals: int = 0
    """How many of the last rows are totals."""
    caption: str = ""
    """What a paper says below or above the table."""
    label: str = "coreference"
    """How a paper refers to it."""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.full_name for column in self.columns]

    @property
    def groups(self) -> list[tuple[str, range]]:
        """The groups of neighbouring columns, and which columns they are; none if none is named."""
        if not any(column.group for column in self.columns):
            return []
        runs: list[tuple[str, range]] = []
        for place, column in enumerate(self.columns):
            if column.group and runs and runs[-1][0] == column.group:
                runs[-1] = column.group, range(runs[-1][1].start, place + 1)
            else:
                runs.append((column.group, range(place, place + 1)))
        return runs

    @property
    def values(self) -> list[list[Value]]:
        """The values of the rows, without formats and marks."""
        return [[c.value if isinstance(c, Cell) else c for c in row] for row in self.rows]


def columns(format: CellFormat, *names: str) -> list[TableColumn]:
    """Return columns with the same format."""
    return [TableColumn(name, format) for name in names]


Caption: TypeAlias = Literal["plain", "bold"] | None
"""Whether a table has a caption, and whether it is printed where bold can be seen."""
WIDTH = 80
"""The width of text, unless a terminal has another."""
Show: TypeAlias = Callable[[CellFormat, Value, str], str]
"""A function that formats a value and its marks."""


def _shown(format: CellFormat, value: Value, marks: str) -> str:
    return f"{format.shown(value)}{' ' * marks.isalpha()}{marks}"


def columns_of(
    table: Table, show: Show = _shown, best: str = "{}"
) -> list[tuple[str, list[str], bool]]:
    """Return the heading and cells of each column, and whether they are numbers.

    ``best`` is what the best cell of a column looks like.
    """
    return [
        (
            visible(column.name),
            [_cell(show, column.format, row[place], best) for row in table.rows],
            column.format.is_number,
        )
        for place, column in enumerate(table.columns)
    ]


def _cell(show: Show, format: CellFormat, cell: Value | Cell, best: str) -> str:
    if not isinstance(cell, Cell):
        return show(format, cell, "")
    shown = show(cell.format or format, cell.value, cell.marks)
    return best.replace("{}", shown) if cell.is_best else shown


def with_best(table: Table) -> Table:
    """Return a table in which the best values of each column stand out, as they are shown.

    Columns of text have none, and neither has a table with a single row.
    """
    if len(table.rows) < 2:
        return table
    rows = [[c if isinstance(c, Cell) else Cell(c) for c in row] for row in table.rows]
    for place, column in enumerate(table.columns):
        values = [row[place].value for row in rows]
        numbers = [each for each in values if isinstance(each, int | float) and not isnan(each)]
        if not column.format.is_number or not numbers:
            continue
        best = min(numbers) if column.lower_is_better else max(numbers)
        for row in rows:
            format = row[place].format or column.format
            is_best = format.shown(row[place].value) == format.shown(best)
            row[place] = replace(row[place], is_best=is_best)
    return replace(table, rows=rows)


class Layout(NamedTuple):
    """The lines of a table, whose cells are padded to the width of their columns."""

    groups: str
    """The line above the headings; empty without groups."""
    headings: list[str]
    rows: list[list[str]]

    @property
    def rule(self) -> str:
        """The line below the headings, and above the totals."""
        lines = [self.groups, *map("".join, (self.headings, *self.rows))]
        return "-" * max(len(line.rstrip()) for line in lines)


def laid_out(table: Table, width: int = WIDTH) -> Layout:
    """Return a table in aligned columns; numbers are closer together if they need to be."""
    gaps, columns = _gaps(table, width), []
    for place, (name, cells, is_number) in enumerate(columns_of(table)):
        size = max(_width_above(table, place), *map(len, [name, *cells]))
        # The heading of bars stands above their numbers.
        left = not is_number or isinstance(table.columns[place].format, BarFormat)
        shown = [name.ljust(size) if left else name.rjust(size)]
        shown += [c.rjust(size) if is_number else c.ljust(size) for c in cells]
        columns.append([" " * gaps[place] + each for each in shown])
    groups = ""
    for name, places in table.groups:
        size = sum(len(columns[place][0]) for place in places) - gaps[places.start]
        groups += " " * gaps[places.start] + visible(name).center(size)
    headings, *rows = map(list, zip(*columns, strict=True))
    return Layout(groups.rstrip(), headings, rows)


def as_text(table: Table) -> str:
    """Return the table in aligned columns of plain text."""
    layout = laid_out(table)
    rule = layout.rule
    lines = ["".join(cells).rstrip() for cells in layout.rows]
    if table.totals:
        lines.insert(len(lines) - table.totals, rule)
    lines = ["".join(layout.headings).rstrip(), rule, *lines]
    if layout.groups:
        lines.insert(0, layout.groups)
    above = [*wrapped(table.heading), ""] if table.heading else []
    below = ["", *wrapped(table.notes)] if table.notes else []
    caption = ["", *wrapped([table.caption])] if table.caption else []
    return "\n".join([*above, *lines, *caption, *below]) + "\n"


def wrapped(
    lines: Iterable[str], width: int = WIDTH, hanging: str = "", *, breaks: str = ""
) -> list[str]:
    """Return lines for people, wrapped at words, and after these characters.

    What follows the first line of each begins with its own indentation and ``hanging``. Percentages
    stay whole.
    """
    found = (_wrapped(visible(line), width, hanging, breaks) for line in lines)
    return [part for parts in found for part in parts]


def _wrapped(line: str, width: int, hanging: str, breaks: str) -> list[str]:
    if len(line) <= width or (not breaks and max(map(len, line.split())) > width):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    text = line.replace(" %", "\u00a0%")
    for each in breaks:
        text = text.replace(each, f"{each}{BREAK}")
    parts = wrap(
        text,
        width,
        subsequent_indent=f"{indent}{hanging or '  ' * bool(indent)}",
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace("\u00a0", " ").replace(BREAK, "") for part in parts]


BREAK = "\v"
"""Where a word may end a line; it is no character of a visible text."""


def folded(table: Table, width: int) -> list[Table]:
    """Return a table as several of which none is wider; each begins with the first names.

    If it is enough, long headings are cut off instead.
    """
    needed = _widths(table)
    if sum(needed) > width:
        cells = [max(map(len, cells), default=0) for _, cells, _ in columns_of(table)]
        over = [max(0, len(c.name) - size) for c, size in zip(table.columns, cells, strict=True)]
        for most in range(max(needed), SHORTEST, -1):
            sizes = [max(most, size) for size in cells]
            saved = (
                min(o, max(0, len(c.name) - size))
                for c, o, size in zip(table.columns, over, sizes, strict=True)
            )
            if sum(needed) - sum(saved) <= width:
                return [replace(table, columns=_cut(list(zip(table.columns, sizes, strict=True))))]
    lead = _names_of_rows(table)
    while len(lead) > 1 and sum(needed[each] for each in lead) > width - LEFT:
        lead.pop()
    parts: list[list[int]] = [[]]
    for place in range(len(needed)):
        taken = sum(needed[each] for each in parts[-1])
        if not {*parts[-1]} <= {*lead} and taken + needed[place] > width:
            parts.append([each for each in lead if each < place])
        parts[-1].append(place)
    if len(parts) == 1:
        return [table]
    return [
        replace(
            table,
            columns=[table.columns[place] for place in part],
            rows=[[row[place] for place in part] for row in table.rows],
            heading=table.heading if part is parts[0] else (),
            notes=table.notes if part is parts[-1] else (),
        )
        for part in parts
    ]


def _names_of_rows(table: Table) -> list[int]:
    """Return the columns that say what a row is: the texts before its numbers that differ."""
    numbers = (place for place, column in enumerate(table.columns) if column.format.is_number)
    texts = range(next(numbers, 1) or 1)
    return [t for t in texts if len({row[t] for row in table.values}) > 1] or [0]


LEFT = 20
"""How much of the width is left for other columns."""
SHORTEST = 7
"""How many characters of a heading are left at least."""


def _widths(table: Table, tight: bool = True) -> list[int]:
    """Return the width of each column, with the blanks before it: fewer if it is ``tight``."""
    return [
        max(map(len, [name, *cells])) + (0 if not place else 1 if tight and is_number else 2)
        for place, (name, cells, is_number) in enumerate(columns_of(table))
    ]


def _gaps(table: Table, width: int) -> list[int]:
    """Return how many blanks stand before each column: one, if two are too many for numbers."""
    is_tight = sum(_widths(table, tight=False)) > width
    return [
        0 if not place else 1 if is_tight and column.format.is_number else 2
        for place, column in enumerate(table.columns)
    ]


def _cut(columns: Sequence[tuple[TableColumn, int]]) -> list[TableColumn]:
    """Return columns whose headings have at most so many characters, and still differ."""
    names = [column.name for column, _ in columns]
    begins = [
        name if len(name) <= most else f"{name[: most - 1]}…"
        for name, (_, most) in zip(names, columns, strict=True)
    ]
    ends = [
        name if len(name) <= most else f"…{name[1 - most :]}"
        for name, (_, most) in zip(names, columns, strict=True)
    ]
    shown = begins if len(set(begins)) == len(set(names)) else ends
    return [replace(column, name=name) for (column, _), name in zip(columns, shown, strict=True)]


def _width_above(table: Table, place: int) -> int:
    """Return the width that the name of a group needs, if the group has a single column."""
    return max(
        (len(name) for name, places in table.groups if places == range(place, place + 1)), default=0
    )


def as_markdown(table: Table) -> str:
    """Return the table as Markdown."""
    columns = columns_of(table, _markdown_cell, "**{}**")
    escaped = [
        [_indented(cell, "&nbsp;").replace("|", "\\|") for cell in (visible(name), *cells)]
        for name, (_, cells, _) in zip(table.names, columns, strict=True)
    ]
    heading, *rows = ("| " + " | ".join(cells) + " |" for cells in zip(*escaped, strict=True))
    rule = "| " + " | ".join("---:" if is_number else "---" for _, _, is_number in columns) + " |"
    title = [f"**{visible(table.title)}**\n"] if table.title else []
    shown_notes = map(visible, table.notes)
    notes = ["\n" + re.sub(r"^\*|(?<= )\*(?=\*? p)", r"\\*", note) for note in shown_notes]
    caption = [f"\n{visible(table.caption)}"] if table.caption else []
    return "\n".join([*title, heading, rule, *rows, *caption, *notes]) + "\n"


def _indented(cell: str, blank: str) -> str:
    """Return a cell whose indentation is written in another way, as blanks would be ignored."""
    text = cell.lstrip()
    return blank * (len(cell) - len(text)) + text.rstrip()


def _markdown_cell(format: CellFormat, value: Value, marks: str) -> str:
    raised = f"<sup>{marks}</sup>" if marks.isalpha() else marks.replace("*", "\\*")
    return f"{format.shown(value)}{raised}"


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
    # In the default encoding of fonts, these three are other signs.
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "−": "$-$",
    "φ": r"$\phi$",
    "α": r"$\alpha$",
    "–": "--",
}


MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
"""The sign of a negative number, which is not a hyphen."""


def latex_text(text: str) -> str:
    """Return a text with LaTeX's special characters escaped, and with minus signs of numbers."""
    text = MINUS.sub("−", text)
    escaped = "".join(LATEX.get(character, character) for character in text)
    # After the end of a row, LaTeX would read these as arguments of the line break.
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped


def _latex_cell(format: CellFormat, value: Value, marks: str) -> str:
    raised = rf"\textsuperscript{{{marks}}}" if marks else ""
    if isinstance(format, BarFormat):
        fill = format.fill(value)
        return COUNT.shown(value) + (rf"~\rule{{{fill:.2f}em}}{{1.2ex}}" if fill else "")
    return _indented(latex_text(format.shown(value)), "~") + raised


WIDEST = 8
"""How many columns a table has at most that fits into one of two columns of a page."""
BOOKTABS = r"% the rules need \usepackage{booktabs}"


def as_latex(table: Table) -> str:
    """Return the table as LaTeX; it needs the package booktabs."""
    columns = columns_of(table, _latex_cell, r"\textbf{{}}")
    headings = " & ".join(latex_text(name) for name, _, _ in columns) + r" \\"
    cells = (cells for _, cells, _ in columns)
    rows = [" & ".join(row) + r" \\" for row in zip(*cells, strict=True)]
    if table.totals:
        rows.insert(len(rows) - table.totals, r"\midrule")
    alignment = "".join("r" if is_number else "l" for _, _, is_number in columns)
    notes = [f"% {visible(note)}" for note in table.notes]
    begin, end = [], []
    if table.caption:
        # A wide table spans both columns of a page that has two.
        kind = "table*" if len(columns) > WIDEST else "table"
        caption = rf"\caption{{{latex_text(table.caption)}}}"
        label = rf"\label{{tab:{table.label}}}"
        begin = [rf"\begin{{{kind}}}[t]", r"\centering", caption, label, BOOKTABS]
        end = [rf"\end{{{kind}}}"]
    return (
        "\n".join(
            [
                *([f"% {visible(table.title)}"] if table.title else []),
                *begin,
                rf"\begin{{tabular}}{{{alignment}}}",
                r"\toprule",
                *_latex_groups(table),
                headings,
                r"\midrule",
                *rows,
                r"\bottomrule",
                r"\end{tabular}",
                *end,
                *notes,
            ]
        )
        + "\n"
    )


def _latex_groups(table: Table) -> list[str]:
    """Return the line above the headings, and the rules below it."""
    if not table.groups:
        return []
    names = [
        rf"\multicolumn{{{len(places)}}}{{c}}{{{latex_text(visible(name))}}}" if name else ""
        for name, places in table.groups
    ]
    rules = [
        rf"\cmidrule(lr){{{places.start + 1}-{places.stop}}}"
        for name, places in table.groups
        if name
    ]
    return [" & ".join(names) + r" \\", " ".join(rules)]


FORMULA = re.compile("[=+@＝＋＠－-].", re.DOTALL)
"""How a cell begins that a spreadsheet may take for a formula."""


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Value]], *, raw: bool = False) -> str:
    """Return rows as CSV, with unrounded values.

    Unless they are wanted ``raw``, cells are safe in spreadsheets: text that begins like a formula
    gets an apostrophe before it, and control characters are escaped. Numbers stay numbers.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow(row if raw else map(_for_spreadsheets, row))
    return text.getvalue()


def rows_as_csv(rows: Sequence[Row], columns: Sequence[str] = (), *, raw: bool = False) -> str:
    """Return rows as CSV, with these columns or all that a row has."""
    names = list(columns or dict.fromkeys(name for row in rows for name in row))
    return as_csv(names, ([row.get(name) for name in names] for row in rows), raw=raw)


def _for_spreadsheets(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    escaped = visible(value, CONTROL)
    return f"'{escaped}" if FORMULA.match(escaped) and not _is_number(escaped) else escaped


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def table_record(number: int | str, table: Table) -> TableRecord:
    """Return a table for JSON."""
    return TableRecord(
        table=number,
        title=table.title,
        columns=table.names,
        rows=table.values,
        notes=list(table.notes),
    )


def as_tables_csv(tables: Sequence[tuple[int | str, Table]], *, raw: bool = False) -> str:
    """Return one table as CSV, or several tables with one row per cell."""
    if len(tables) == 1:
        ((_, table),) = tables
        return as_csv(table.names, table.values, raw=raw)
    rows: list[list[Value]] = [
        [number, i, column, value]
        for number, table in tables
        for i, row in enumerate(table.values, 1)
        for column, value in zip(table.names, row, strict=True)
    ]
    return as_csv(["table", "row", "column", "value"], rows, raw=raw)


LAYOUTS: Mapping[str, Callable[[Table], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""The formats for people."""
