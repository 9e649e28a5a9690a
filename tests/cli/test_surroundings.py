"""Odd surroundings: paths that are none, closed streams, full disks, names that break rows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.formatting import PERCENT
from corefscope.results.table import Table, TableColumn, as_latex, as_markdown, as_text

KEY = "#begin document a\nx\t(1)\ny\t(1)\n#end document\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("corefscope", f"{sys.executable} -m corefscope", 1)
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ('corefscope score "" key.conll', 3),
        ("corefscope score key.conll a=", 3),
        (f"corefscope score {'a' * 300} key.conll", 3),
        (f"corefscope score key.conll x={'a' * 300}", 3),
        ("corefscope score - key.conll <&-", 3),
        ("corefscope score key.conll key.conll >&-", 5),
        ("corefscope score key.conll key.conll > /dev/full", 5),
        ('corefscope score key.conll key.conll --metrics ""', 2),
    ],
)
def test_unreadable_and_unwritable_paths(line: str, status: int) -> None:
    done = shell(line)
    assert done.returncode == status, done.stderr
    assert done.stdout == "" and "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_a_closed_standard_error_hinders_nothing() -> None:
    done = shell("corefscope score key.conll key.conll 2>&-")
    assert done.returncode == 0 and "CoNLL" in done.stdout


def test_an_ascii_terminal_gets_what_it_can_show() -> None:
    done = shell("corefscope score key.conll key.conll", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and r"B\xb3" in done.stdout
    shown = shell("corefscope demo -o d", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert shown.returncode == 0 and "◐" in Path("d/report.html").read_text("utf-8")


def test_a_hyphen_as_output_is_standard_output() -> None:
    done = shell("corefscope score key.conll key.conll --format csv -o -")
    assert done.stdout.startswith("system,") and not Path("-").exists()


def test_broken_link_and_pipe_in_directory() -> None:
    Path("gold").mkdir()
    Path("gold/a.conll").write_text(KEY)
    os.mkfifo("gold/pipe.conll")
    done = shell("corefscope validate gold")
    assert done.returncode == 0 and "W109" in done.stdout and "pipe.conll" in done.stdout
    Path("gold/b.conll").symlink_to("nowhere")
    done = shell("corefscope validate gold")
    assert done.returncode == 3 and "E108" in done.stdout and "b.conll" in done.stdout


def test_names_are_escaped_in_tables() -> None:
    columns = [TableColumn("document"), TableColumn("MUC", PERCENT)]
    table = Table(columns=columns, rows=[["a\nb|c", 0.5], ["[x]", 1.0], ["*", 1.0]])
    assert r"a\nb|c" in as_text(table)
    assert r"| a\nb\|c | 50.00 |" in as_markdown(table)
    latex = as_latex(table)
    assert "\n{}[x] & 100.00" in latex and "\n{}* & 100.00" in latex


def test_names_of_documents_must_be_text() -> None:
    numbered: dict[object, list[str]] = {1: ["ab"]}
    with pytest.raises(TypeError, match="must be strings"):
        cs.score(numbered, numbered)  # type: ignore[arg-type]


def test_spans_with_tolist() -> None:
    class Tensor:
        """What a library of tensors gives for a span: compared by identity."""

        def tolist(self) -> list[int]:
            return [0, 1]

    assert cs.score([[Tensor(), (2, 2)]], [[(0, 1), (2, 2)]]).b3.f1 == 1


def test_every_one_of_many_copies_is_counted() -> None:
    """A hundred of each side are listed."""
    entities = [[(i, i), (i, i)] for i in range(20_000)]
    with pytest.warns(cs.CorefscopeWarning, match="and 39999 more"):
        scores = cs.score(entities, entities, metrics="mentions")
    assert len(scores.findings) == 202
    assert sum(finding.unlisted or 1 for finding in scores.findings) == 40_000


@pytest.mark.parametrize("command", ["score", "errors", "compare", "nec", "report"])
@pytest.mark.parametrize("response", ["response.conll", "b=response.conll", "link.conll"])
def test_no_command_writes_over_its_input(command: str, response: str) -> None:
    Path("response.conll").write_text(KEY)
    Path("link.conll").symlink_to("response.conll")
    done = shell(f"corefscope {command} key.conll {response} -o response.conll")
    assert done.returncode == 2 and "is an input" in done.stderr
    assert Path("response.conll").read_text() == KEY


@pytest.mark.parametrize(
    "line",
    ["nec key.conll key.conll --names read.json", "gate key.conll key.conll --baseline read.json"],
)
def test_what_an_option_names_is_an_input_too(line: str) -> None:
    Path("read.json").write_text("{}")
    done = shell(f"corefscope {line} -o read.json")
    assert done.returncode == 2 and "is an input" in done.stderr
    assert Path("read.json").read_text() == "{}"


@pytest.mark.parametrize("command", ["score", "report"])
def test_missing_folder_is_reported_early(command: str) -> None:
    # The response is not there either, which reading it would say.
    done = shell(f"corefscope {command} key.conll none.conll -o nowhere/out")
    assert done.returncode == 5 and "its folder does not exist" in done.stderr
    assert "[E601]" in done.stderr and "Usage" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "muc", "key.conll", "key.conll", "x\x1b[31m\nerror: forged"],
        ["nec", "key.conll", "key.conll", "--names", "x\x1b[31m\nerror: forged"],
        ["score", "key.conll", "key.conll", "--x\x1b[31m\nerror: forged"],
        ["x\x1b[31m\nerror: forged"],
    ],
)
def test_usage_messages_are_escaped(arguments: list[str]) -> None:
    Path("x\x1b[31m\nerror: forged").mkdir()
    # Colours stay in the output, as on a terminal.
    result = CliRunner().invoke(main, arguments, color=True)
    assert result.exit_code == 2
    assert "x\\x1b[31m\\nerror: forged" in result.stderr
    assert "\x1b" not in result.stderr and "\nerror" not in result.stderr


def test_missing_documents_stay_line_by_line() -> None:
    result = CliRunner().invoke(main, ["errors"])
    assert result.stderr.startswith("Usage: ") and "Missing argument 'KEY'" in result.stderr
