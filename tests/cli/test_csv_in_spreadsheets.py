"""CSV that a person opens in a spreadsheet, and CSV for programs, of every command that has it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from commands import Command

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
