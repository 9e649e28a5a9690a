"""Formats of columns, and what the layouts make of them."""

from __future__ import annotations

import csv
import io
import json
from math import nan

import pytest

from corefscope.formatting import (
    COUNT,
    DECIMAL,
    FIGURES,
    INTERVAL,
    LARGE_COUNT,
    MEAN,
    NATS,
    NET_COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    TEXT,
    Value,
)
from corefscope.results.table import (
    BarFormat,
    Cell,
    CellFormat,
    Table,
    TableColumn,
    as_csv,
    as_latex,
    as_markdown,
    as_text,
    columns,
    folded,
    latex_text,
    table_record,
    wrapped,
)

TABLE = Table(
    columns=[
        *(TableColumn("a|b"), TableColumn("count", BarFormat(8)), TableColumn("mean", MEAN)),
        *(TableColumn("gain", POINTS), TableColumn("share %", PERCENT)),
    ],
    rows=[
        ["x_1 & {$}", 4, 1.75, 0.125, 0.5],
        ["%~^\\", 8, 2.0, -0.0625, None],
        ["most", Cell(8, BarFormat(0)), 0.0, 0.0, 1.0],
    ],
    notes=["A note."],
    title="A title",
    totals=1,
)


@pytest.mark.parametrize(
    ("count", "most", "block"),
    [(0, 8, " "), (1, 8, "▁"), (4, 8, "▄"), (5, 8, "▅"), (8, 8, "█"), (1, 1000, "▁"), (0, 0, " ")],
)
def test_bar_is_empty_only_for_zero(count: int, most: int, block: str) -> None:
    assert BarFormat(most).shown(count) == f"{count} {block}"


def test_how_much_of_a_bar_is_full() -> None:
    assert BarFormat(4).fill(3) == 0.75
    assert BarFormat(0).fill(3) == 0.0, "a bar of nothing is empty"


@pytest.mark.parametrize(
    ("format", "value", "text"),
    [
        (TEXT, "a\x1b", "a\\x1b"),
        (TEXT, None, ""),
        (FIGURES, "3/4", "3/4"),
        (INTERVAL, None, "–"),
        (COUNT, 1234, "1234"),
        (LARGE_COUNT, 1234567, "1,234,567"),
        (NET_COUNT, -2, "-2"),
        (NET_COUNT, 2, "+2"),
        (NET_COUNT, 0, "+0"),
        (MEAN, 1.5, "1.5"),
        (MEAN, 2, "2.0"),
        (MEAN, 0.04, "0.0"),
        (DECIMAL, 2.5, "2.50"),
        (POINTS, 0.125, "+12.50"),
        (POINTS, -0.125, "-12.50"),
        (POINTS, 0, "+0.00"),
        (POINTS, 1, "+100.00"),
        (PERCENT, 0.125, "12.50"),
        (PERCENT, -0.125, "-12.50"),
        (PERCENT, None, ""),
        (PERCENT, nan, ""),
        (NATS.value, 0.43351, "0.4335"),
        (NATS.change, 0.43351, "+0.4335"),
        (P_VALUE, 0.0312, "0.0312"),
        (P_VALUE, None, "–"),
    ],
)
def test_what_people_read(format: CellFormat, value: Value, text: str) -> None:
    assert format.shown(value) == text


def test_no_gain_has_no_minus_sign() -> None:
    """Differences of floats are rarely zero exactly."""
    assert {POINTS.shown(value) for value in (-0.0, -1e-17, 1e-17)} == {"+0.00"}


def test_a_text_among_numbers_is_refused() -> None:
    with pytest.raises(TypeError, match="found the string 'many' in a column of numbers"):
        as_text(Table(columns=[TableColumn("count", COUNT)], rows=[["many"]]))


def test_cells_with_marks_or_own_format() -> None:
    """Letters are raised, stars stand behind the number; programs get the number."""
    rows: list[list[Value | Cell]] = [
        ["a", Cell(0.5, marks="bc"), Cell(0.5, marks="**")],
        ["b", Cell(0.5, NATS.value), Cell(0.25, NATS.change, "*")],
    ]
    table = Table(columns=[TableColumn(""), *columns(PERCENT, "x", "y")], rows=rows)
    assert as_text(table).splitlines()[2:] == [
        "a  50.00 bc   50.00**",
        "b    0.5000  +0.2500*",
    ]
    assert "| a | 50.00<sup>bc</sup> | 50.00\\*\\* |" in as_markdown(table)
    assert r"a & 50.00\textsuperscript{bc} & 50.00\textsuperscript{**} \\" in as_latex(table)
    assert table.values == [["a", 0.5, 0.5], ["b", 0.5, 0.25]]
    assert table_record(1, table).rows == table.values


def test_text_stands_in_columns() -> None:
    assert (
        as_text(TABLE)
        == """\
a|b        count  mean    gain  share %
---------------------------------------
x_1 & {$}    4 ▄   1.8  +12.50    50.00
%~^\\         8 █   2.0   -6.25
---------------------------------------
most         8     0.0   +0.00   100.00

A note.
"""
    )


def test_markdown_escapes_bars() -> None:
    assert (
        as_markdown(TABLE)
        == """\
**A title**

| a\\|b | count | mean | gain | share % |
| --- | ---: | ---: | ---: | ---: |
| x_1 & {$} | 4 ▄ | 1.8 | +12.50 | 50.00 |
| %~^\\ | 8 █ | 2.0 | -6.25 |  |
| most | 8 | 0.0 | +0.00 | 100.00 |

A note.
"""
    )


def test_latex_escapes_and_draws_rules() -> None:
    assert (
        as_latex(TABLE)
        == r"""% A title
\begin{tabular}{lrrrr}
\toprule
a\textbar{}b & count & mean & gain & share \% \\
\midrule
x\_1 \& \{\$\} & 4~\rule{0.50em}{1.2ex} & 1.8 & +12.50 & 50.00 \\
\%\textasciitilde{}\textasciicircum{}\textbackslash{} & 8~\rule{1.00em}{1.2ex} & 2.0 & $-$6.25 &  \\
\midrule
most & 8 & 0.0 & +0.00 & 100.00 \\
\bottomrule
\end{tabular}
% A note.
"""
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p < 0.05", "p $<$ 0.05"),
        ("-61.73 to -52.62", "$-$61.73 to $-$52.62"),
        ("2026-05-01, t5-3b", "2026-05-01, t5-3b"),
        ("≥ 4 → 5", r"$\geq$ 4 $\rightarrow$ 5"),
    ],
)
def test_signs_of_latex(text: str, expected: str) -> None:
    """In the default encoding, < is an exclamation mark upside down, and a hyphen no minus."""
    assert latex_text(text) == expected


def test_csv_has_numbers_as_they_are() -> None:
    _, first, second, last = csv.reader(io.StringIO(as_csv(TABLE.names, TABLE.values)))
    assert first == ["x_1 & {$}", "4", "1.75", "0.125", "0.5"]
    assert second == ["%~^\\", "8", "2.0", "-0.0625", ""]
    assert last == ["most", "8", "0.0", "0.0", "1.0"]


IN_SPREADSHEETS = {
    "=1+1": "'=1+1",
    "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0",
    "-2+3": "'-2+3",
    "@SUM(A1)": "'@SUM(A1)",
    "＝1+1": "'＝1+1",
    "-0.5": "-0.5",
    "+1e-9": "+1e-9",
    "-": "-",
    "it=1": "it=1",
    "a\x1b[31mb": "a\\x1b[31mb",
    "\t=1": "\\t=1",
    "two\nlines": "two\\nlines",
    "\udcff": "\udcff",
}


def test_csv_is_safe_in_spreadsheets() -> None:
    """The heading may have names of files."""
    rows: list[list[Value]] = [[*IN_SPREADSHEETS], [-0.5, -1, None, True]]
    heading, cells, numbers = csv.reader(io.StringIO(as_csv([*IN_SPREADSHEETS], rows)))
    assert heading == cells == [*IN_SPREADSHEETS.values()]
    assert numbers == ["-0.5", "-1", "", "True"]


def test_csv_for_programs_is_unchanged() -> None:
    texts = [text for text in IN_SPREADSHEETS if "\n" not in text]
    assert list(csv.reader(io.StringIO(as_csv(texts, [texts], raw=True)))) == [texts, texts]


def test_json_has_numbers_as_they_are() -> None:
    rows = json.loads(json.dumps(TABLE.values))
    assert rows[0] == ["x_1 & {$}", 4, 1.75, 0.125, 0.5]
    assert rows[1] == ["%~^\\", 8, 2.0, -0.0625, None]


def test_parts_of_a_folded_table_repeat_what_tells_rows_apart() -> None:
    names = columns(TEXT, "system", "document", "entity")
    table = Table(
        columns=[*names, *columns(COUNT, *(f"measured {n}" for n in range(9)))],
        rows=[["ours", f"text {n // 2}", "ab"[n % 2], *range(9)] for n in range(4)],
    )
    first, *others = folded(table, 60)
    assert others and first.names[:3] == ["system", "document", "entity"]
    assert [each.names[:2] for each in others] == [["document", "entity"]] * len(others)
    assert sum(len(each.names) - 2 for each in others) + len(first.names) == len(table.names)
    assert all(len(line) <= 60 for each in (first, *others) for line in as_text(each).splitlines())


def test_lines_are_wrapped_at_words_and_signatures_at_fields() -> None:
    line = "corefscope:0.1|profile:conll-2012|match:exact"
    assert wrapped([line], 30) == [line]
    assert wrapped([line], 32, breaks="|") == ["corefscope:0.1|", "profile:conll-2012|match:exact"]
    assert wrapped(["  one two three"], 10, "  ") == ["  one two", "    three"]
