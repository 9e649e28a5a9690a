"""Cells that are not plain numbers: bars, means, points; and what the layouts make of them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from corefscope.rendering.table import (
    Bar,
    Mean,
    Points,
    Table,
    Value,
    as_csv,
    as_latex,
    as_markdown,
    as_text,
    shown,
)

TABLE = Table(
    ["a|b", "count", "mean", "gain", "share %"],
    [
        ["x_1 & {$}", Bar(4, 8), Mean(1.75), Points(0.125), 0.5],
        ["% #~^\\", Bar(8, 8), Mean(2), Points(-0.0625), None],
        ["most", Bar(8, 0), Mean(0), Points(0), 1.0],
    ],
    ["A note."],
    title="A title",
    totals=1,
)


@pytest.mark.parametrize(
    ("count", "most", "block"),
    [(0, 8, " "), (1, 8, "▁"), (4, 8, "▄"), (5, 8, "▅"), (8, 8, "█"), (1, 1000, "▁"), (0, 0, " ")],
)
def test_a_bar_is_empty_for_nothing_only_and_full_for_the_most(
    count: int, most: int, block: str
) -> None:
    assert Bar(count, most).block == block
    assert shown(Bar(count, most)) == f"{count} {block}"


def test_a_bar_is_a_count() -> None:
    assert Bar(3, 4) == 3 and Bar(3, 4) + 1 == 4
    assert Bar(3, 4).fill == 0.75
    assert Bar(3, 0).fill == 0.0, "a bar of nothing is empty"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Mean(1.5), "1.5"),
        (Mean(2), "2.0"),
        (Mean(0.04), "0.0"),
        (Points(0.125), "+12.5"),
        (Points(-0.125), "-12.5"),
        (Points(0), "+0.0"),
        (Points(1), "+100.0"),
        (0.125, "12.50"),
        (3, "3"),
        (None, ""),
    ],
)
def test_what_people_read(value: Value, text: str) -> None:
    assert shown(value) == text


def test_no_gain_has_no_minus_sign() -> None:
    """Differences of floats are rarely zero exactly."""
    assert shown(Points(-0.0)) == shown(Points(-1e-17)) == shown(Points(1e-17)) == "+0.0"


def test_text_stands_in_columns() -> None:
    assert (
        as_text(TABLE)
        == """\
a|b        count  mean   gain  share %
--------------------------------------
x_1 & {$}    4 ▄   1.8  +12.5    50.00
% #~^\\       8 █   2.0   -6.2
--------------------------------------
most         8     0.0   +0.0   100.00

A note.
"""
    )


def test_markdown_escapes_its_bars_and_draws_ours() -> None:
    assert (
        as_markdown(TABLE)
        == """\
**A title**

| a\\|b | count | mean | gain | share % |
| --- | ---: | ---: | ---: | ---: |
| x_1 & {$} | 4 ▄ | 1.8 | +12.5 | 50.00 |
| % #~^\\ | 8 █ | 2.0 | -6.2 |  |
| most | 8 | 0.0 | +0.0 | 100.00 |

A note.
"""
    )


def test_latex_escapes_what_is_special_and_draws_bars_as_rules() -> None:
    assert (
        as_latex(TABLE)
        == r"""% A title
\begin{tabular}{lrrrr}
\toprule
a|b & count & mean & gain & share \% \\
\midrule
x\_1 \& \{\$\} & 4~\rule{0.50em}{1.2ex} & 1.8 & +12.5 & 50.00 \\
\% \#\textasciitilde{}\textasciicircum{}\textbackslash{} & 8~\rule{1.00em}{1.2ex} & 2.0 & -6.2 &  \\
\midrule
most & 8 & 0.0 & +0.0 & 100.00 \\
\bottomrule
\end{tabular}
% A note.
"""
    )


def test_csv_has_numbers_as_they_are() -> None:
    _, first, second, last = csv.reader(io.StringIO(as_csv(TABLE.columns, TABLE.rows)))
    assert first == ["x_1 & {$}", "4", "1.75", "0.125", "0.5"]
    assert second == ["% #~^\\", "8", "2.0", "-0.0625", ""]
    assert last == ["most", "8", "0.0", "0.0", "1.0"]


def test_json_has_numbers_as_they_are() -> None:
    rows = json.loads(json.dumps(TABLE.rows))
    assert rows[0] == ["x_1 & {$}", 4, 1.75, 0.125, 0.5]
    assert rows[1] == ["% #~^\\", 8, 2.0, -0.0625, None]
