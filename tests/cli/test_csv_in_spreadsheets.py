"""CSV for spreadsheets and for programs, of every command that has it; its rows are frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope.results.rows import Tabular

FORMULA = "@SUM(1)"
KEY = """#begin document (=1+1); part 000
x 0 0 +tax NN * - - - - (ORG) (1)
x 0 1 fell VB * - - - - * -
x 0 2 it PRP * - - - - * (1)
x 0 3 =sum NN * - - - - * (2)
x 0 4 @it PRP * - - - - * (2)
#end document
"""
COMMANDS = {
    "score": ["--per-document"],
    "errors": ["--list"],
    "nec": ["--detail"],
    "compare": ["--samples", "9"],
    "stats": [],
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)
    Path("a.conll").write_text(KEY.replace("(2)", "(1)"))
    Path("b.conll").write_text(KEY.replace("(1)", "-"))
    return ["key.conll", f"{FORMULA}=a.conll", "b.conll"]


def cells(command: str, files: list[str], *more: str) -> list[str]:
    named = [f"{FORMULA}=a.conll"] if command == "stats" else files
    result = Command(command).run(*named, *COMMANDS[command], "--format", "csv", *more)
    assert result.exit_code == 0, result.stderr
    return [cell for row in csv.reader(io.StringIO(result.stdout)) for cell in row]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_cell_is_a_formula(command: str, files: list[str]) -> None:
    shown, raw = cells(command, files), cells(command, files, "--csv-raw")
    assert FORMULA in raw and f"'{FORMULA}" in shown and FORMULA not in shown
    for cell, given in zip(shown, raw, strict=True):
        assert cell in (given, f"'{given}")
        is_number = cell.lstrip("-+").replace(".", "", 1).replace("e-", "", 1).isdigit()
        assert is_number or cell in ("", "-") or cell[0] not in "=+-@"


@pytest.mark.parametrize("command", [*COMMANDS, "profiles"])
def test_raw_cells_need_csv(command: str, files: list[str]) -> None:
    named = files[1:2] if command == "stats" else files[:2] if command == "profiles" else files
    status, message = Command(command).refused(*named, "--csv-raw")
    assert status == 2 and "--csv-raw requires --format csv" in message


FRAMES: dict[str, Callable[[], Tabular]] = {
    "score": lambda: cs.score("key.conll", "a.conll"),
    "score --level corpus": lambda: cs.score("key.conll", "a.conll", level="corpus"),
    "errors --list": lambda: cs.analyze("key.conll", "a.conll"),
    "errors --impact": lambda: cs.analyze("key.conll", "a.conll").impact(),
    "nec": lambda: cs.nec("key.conll", "a.conll"),
    "compare": lambda: cs.compare("key.conll", {"a": "a.conll", "b": "b.conll"}, samples=9),
    "agree": lambda: cs.agree({"a": "a.conll", "b": "b.conll"}),
    "stats": lambda: cs.describe("key.conll"),
}


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("command", FRAMES)
def test_rows_are_those_of_a_frame(command: str, files: list[str]) -> None:
    name, *options = command.split()
    named = {
        "compare": ["key.conll", "a=a.conll", "b=b.conll", "--samples", "9"],
        "agree": ["a=a.conll", "b=b.conll"],
        "stats": ["key.conll"],
    }.get(name, ["key.conll", "a=a.conll"])
    found = Command(name).run(*named, *options, "--format", "csv", "--csv-raw")
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    expected = [
        {column: "" if value is None else str(value) for column, value in row.items()}
        for row in FRAMES[command]()._rows()
    ]
    for row in rows if name not in ("compare", "agree") else ():
        assert row.pop("corpus" if name == "stats" else "system") in ("a", "key")
    assert rows == expected
