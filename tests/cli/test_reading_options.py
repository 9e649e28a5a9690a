"""Options that say how files are read, on every command that reads files."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import Command
from corefscope.cli import COMMANDS, main

SCORE = Command("score")
ROWS = ["Anna\t(1)\t-", "saw\t-\t-", "her\t(1)\t-"]
"""The word is the first column, and the coreference cell the second."""


@pytest.fixture
def unusual(tmp_path: Path) -> str:
    path = tmp_path / "unusual.conll"
    path.write_text("\n".join(["#begin document x", *ROWS, "#end document", ""]))
    return str(path)


def test_named_columns_are_read(unusual: str) -> None:
    doubted = SCORE.run(unusual, unusual, "--metrics", "mentions")
    assert "[W115]" in doubted.stderr and "  see --columns\n" in doubted.stderr
    printed = SCORE.printed(
        unusual, unusual, "--columns", "word=1,coref=2", "--metrics", "mentions"
    )
    assert "100.00  2/2" in printed


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("word=0", "columns are counted from 1"),
        ("wrod=1", "did you mean word?"),
        ("word", "word"),
        ("word=1,coref=1", "both column 1"),
    ],
)
def test_impossible_columns_are_usage_errors(columns: str, message: str, unusual: str) -> None:
    status, shown = SCORE.refused(unusual, unusual, "--columns", columns)
    assert status == 2 and message in shown and "--columns" in shown


NOT_READING = ("merge", "demo", "formats", "schema")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in NOT_READING])
def test_every_reading_command_has_the_options(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"]).output
    assert "--columns" in shown and "--include" in shown
    reads_responses = name not in ("validate", "stats", "convert", "agree")
    assert ("--skip-broken" in shown) == reads_responses


def test_a_report_says_how_it_was_made(unusual: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = Command("report").run(
        unusual, unusual, "--columns", "word=1,coref=2", "--skip-broken", "-o", str(page)
    )
    assert result.exit_code == 0
    chunks = re.findall(r">([A-Za-z0-9+/=]{200,})<", page.read_text())
    records = [json.loads(gzip.decompress(base64.b64decode(chunk))) for chunk in chunks]
    (command,) = [record["command"] for record in records if "command" in record]
    assert "--columns word=1,coref=2 --skip-broken" in command


@pytest.mark.parametrize("column", ["-99", "99", "-3"])
def test_named_column_that_is_missing(column: str, tmp_path: Path) -> None:
    path = tmp_path / "uneven.conll"
    path.write_text("#begin document x\na\t-\t(1)\nb\t(1)\nc\t-\t-\t-\n#end document\n")
    status, message = SCORE.refused(str(path), str(path), "--columns", f"coref={column}")
    assert status == 3 and "the row is too short" in message and "[E116]" in message
