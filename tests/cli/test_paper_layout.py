"""Tables as papers print them: --layout paper."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from click.testing import CliRunner

from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES

GOLD = str(KEY)
SYSTEMS = {name: str(path) for name, path in RESPONSES.items()}
ALL = (GOLD, *SYSTEMS.values())
PAPER = ("--layout", "paper")
TRIO = ("muc", "b3", "ceafe")


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def rows_of(markdown: str) -> list[list[str]]:
    """The heading and the rows of a Markdown table."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [cells[0], *cells[2:]]


def plain(cell: str) -> str:
    return cell.replace("*", "").replace("\\", "")


def percent(value: float) -> str:
    return f"{100 * value:.2f}"


def test_scores_are_those_of_the_json() -> None:
    heading, *rows = rows_of(printed("score", *ALL, *PAPER, "--format", "markdown"))
    names = ("MUC", "B³", "CEAFe")
    figures = [f"{name} {figure}" for name in names for figure in ("P", "R", "F1")]
    assert heading == ["system", *figures, "CoNLL F1"]
    found = json.loads(printed("score", *ALL, "--format", "json"))
    for row, system in zip(rows, found["systems"], strict=True):
        scores = [system["metrics"][id] for id in TRIO]
        values = [score[part] for score in scores for part in ("precision", "recall", "f1")]
        assert list(map(plain, row)) == [
            system["name"],
            *map(percent, values),
            percent(system["conll"]),
        ]
    for column in list(zip(*rows, strict=True))[1:]:
        best = max(column, key=lambda cell: float(plain(cell)))
        assert [cell for cell in column if cell.startswith("**")] == [best]


def test_one_system_has_no_best() -> None:
    text = printed("score", GOLD, SYSTEMS["sieve"], *PAPER, "--format", "markdown")
    assert "**" not in text


def test_chosen_metrics_and_documents() -> None:
    text = printed("score", *ALL, *PAPER, "--metrics", "lea", "--per-document")
    tables = re.findall(r"^ *LEA$", text, re.MULTILINE)
    assert len(tables) == len(SYSTEMS) and "CoNLL" not in text
    assert text.count("all documents") == len(SYSTEMS)


def test_headings_stand_above_their_columns() -> None:
    groups, names, rule, *rows = printed("score", *ALL, *PAPER).splitlines()
    assert groups.split() == ["MUC", "B³", "CEAFe", "CoNLL"]
    assert names.split() == ["system", *["P", "R", "F1"] * 3, "F1"]
    assert set(rule) == {"-"} and len({len(row) for row in rows[: len(SYSTEMS)]}) == 1


@pytest.mark.parametrize(
    "command",
    [
        ("score", *ALL),
        ("compare", *ALL, "--samples", "100", "--intervals"),
        ("errors", *ALL),
        ("nec", *ALL),
    ],
    ids=lambda command: command[0],
)
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_latex_is_well_formed(command: tuple[str, ...]) -> None:
    """Where there is no LaTeX to compile it: braces are balanced, and rows have all columns."""
    text = printed(*command, *PAPER, "--caption", "--format", "latex")
    code = re.sub(r"^%.*\n", "", text, flags=re.MULTILINE)
    bare = re.sub(r"\\[{}%&#$_]", "", code)
    depth = 0
    for sign in re.findall(r"[{}]", bare):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    alignment = re.search(r"\\begin\{tabular\}\{([lr]+)\}", code)
    assert alignment is not None
    width = len(alignment[1])
    opened = re.findall(r"\\begin\{([\w*]+)\}", code)
    assert opened == ["table*" if width > 8 else "table", "tabular"]
    assert opened == re.findall(r"\\end\{([\w*]+)\}", code)[::-1]
    rows = [line for line in bare.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 2 + len(SYSTEMS)
    for row in rows:
        spans = [int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row)]
        assert row.count("&") + 1 + sum(spans) == width
    rules = [tuple(map(int, pair)) for pair in re.findall(r"\\cmidrule\(lr\)\{(\d+)-(\d+)\}", code)]
    assert rules[0][0] == 2 and rules[-1][1] == width
    assert all(after[0] == before[1] + 1 for before, after in pairwise(rules))
    assert code.count(r"\textbf{") >= width - 2 and r"\caption{" in code


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_comparison_has_marks_and_intervals() -> None:
    text = printed("compare", *ALL, *PAPER, "--intervals", "--format", "markdown")
    heading, *rows = rows_of(text)
    assert heading[-2:] == ["CoNLL F1", "CoNLL 95 %"]
    found = json.loads(printed("compare", *ALL, "--metrics", "conll", "--format", "json"))
    pairs = {(each["system"], each["statistic"]): each["verdict"] for each in found["comparisons"]}
    for row in rows[1:]:
        is_marked = row[-2].strip("*").endswith("\\")
        assert is_marked == (pairs[row[0], "conll"] == "significant")


def test_captions() -> None:
    said = printed("score", *ALL, *PAPER, "--caption", "--format", "latex")
    for part in ("protocol conll-2012", "singletons kept", "10 documents", "in bold"):
        assert part in said
    piped = printed("score", *ALL, *PAPER, "--caption", "--profile", "no-singletons")
    assert "singletons dropped" in piped and "in bold" not in piped


def test_errors_and_names() -> None:
    heading, *rows = rows_of(printed("errors", *ALL, *PAPER, "--format", "markdown"))
    assert heading[1:4] == ["Span Error", "Conflated Entities", "Extra Mention"]
    found = json.loads(printed("errors", *ALL, "--format", "json"))
    for row, system in zip(rows, found["systems"], strict=True):
        assert list(map(plain, row[1:])) == list(map(str, system["errors"].values()))
    for column in list(zip(*rows, strict=True))[1:]:
        least = min(int(plain(cell)) for cell in column)
        assert all(cell.startswith("**") == (int(plain(cell)) == least) for cell in column)
    heading, *rows = rows_of(printed("nec", *ALL, *PAPER, "--format", "markdown"))
    assert heading[:4] == ["system", "PER P", "PER R", "PER F1"] and len(rows) == len(SYSTEMS)


@pytest.mark.parametrize(
    "arguments",
    [
        *(("score", *ALL, *PAPER, "--format", each) for each in ("json", "csv")),
        *(("score", *ALL[:2], *PAPER, "--format", each) for each in ("reference", "corefud")),
        ("score", *ALL, "--caption"),
        ("compare", *ALL, *PAPER, "--changes"),
        ("compare", *ALL, *PAPER, "--format", "json"),
        ("errors", *ALL, *PAPER, "--format", "jsonl"),
        ("nec", *ALL, *PAPER, "--detail"),
        ("nec", *ALL, *PAPER, "--format", "csv"),
    ],
    ids=lambda arguments: " ".join(each for each in arguments if "/" not in each),
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2 and not result.stdout


def test_metrics_without_sides_have_one_column() -> None:
    text = printed("score", *ALL, *PAPER, "--metrics", "rand,vi,zero", "--format", "markdown")
    heading, *rows = rows_of(text)
    assert heading == ["system", "Rand value", "VI value", "Zero P", "Zero R", "Zero F1"]
    # The variation of information is a distance: the lowest is the best.
    shown = [row[2] for row in rows]
    best = min(shown, key=lambda cell: float(plain(cell)))
    assert best.startswith("**") and sum(cell.startswith("**") for cell in shown) == 1
    assert all(row[-1] == "**0.00\\***" for row in rows) and "nothing in key or response" in text


def test_long_names_of_groups_stand_above_their_column() -> None:
    groups, names, *_ = printed("errors", *ALL, *PAPER).splitlines()
    assert groups.split() == ["Span", "Conflated", "Extra", "Divided", "Missing"]
    for group, name in (("Conflated", "Entities"), ("Divided", "Entity")):
        begin, end = re.search(group, groups).span()  # type: ignore[union-attr]
        assert name in names[begin : end + 1]
