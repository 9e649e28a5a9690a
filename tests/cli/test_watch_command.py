"""The command watch: lines, JSON, exit status, and bad input."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import corefscope as cs
from commands import Command, cells_as_conll, on_a_terminal
from corefscope.cli import main
from corefscope.cli.running.watch import watch
from corefscope.cli.typed import filled
from corefscope.cli.watch import HISTORY, WatchOptions
from corefscope.demo import KEY, RESPONSES
from corefscope.rendering.watch import sparkline

WATCH = Command("watch")
GOLD = cells_as_conll({"d1": "1122-", "d2": "1111-"})
BAD = cells_as_conll({"d1": "1-2--", "d2": "1111-"})
BROKEN = "#begin document d1\nx\t(1\n#end document\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("key.conll").write_text(GOLD)
    return tmp_path


def without_times(text: str) -> list[str]:
    return [re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", line) for line in text.splitlines()]


def test_one_line_for_each(folder: Path) -> None:
    Path("runs/epoch-1.conll").write_text(BAD)
    conll = cs.score("key.conll", "runs/epoch-1.conll")["conll"]
    first = without_times(WATCH.printed("key.conll", "runs", "--once"))
    figure = f"{100 * conll:.2f}"
    assert first[0].split() == ["scored", "name", "CoNLL", "to", "best", "history"]
    assert first[1].split() == ["TIME", "epoch-1.conll", figure, "first", "▄"]
    Path("runs/epoch-2.conll").write_text(GOLD)
    (second,) = without_times(WATCH.printed("key.conll", "runs", "--once"))[1:]
    gain = f"+{100 * (1 - conll):.2f}"
    assert second.split() == ["TIME", "epoch-2.conll", "100.00", gain, "new", "best", "▁█"]
    assert WATCH.printed("key.conll", "runs", "--once") == ""
    assert [each.name for each in cs.read_history(Path("runs", HISTORY))] == [
        "epoch-1.conll",
        "epoch-2.conll",
    ]


def test_json_has_one_object_per_line() -> None:
    Path("runs/epoch-1.conll").write_text(BAD)
    Path("runs/epoch-2.conll").write_text(GOLD)
    shown = WATCH.printed("key.conll", "runs", "--once", "--format", "json")
    one, two = map(json.loads, shown.splitlines())
    assert one["conll"] == cs.score("key.conll", "runs/epoch-1.conll").conll
    assert (one["is_best"], one["best_before"], one["difference"]) == (True, None, None)
    assert (two["is_best"], two["best_before"]) == (True, "epoch-1.conll")
    assert two["difference"] == two["conll"] - one["conll"]
    expected = cs.score("key.conll", "runs/epoch-2.conll")
    assert two["metrics"]["muc"]["recall_counts"] == list(expected.muc.recall_counts)
    assert two["signature"] == expected.signature


def test_a_metric_for_which_less_is_better() -> None:
    Path("runs/1.conll").write_text(BAD)
    Path("runs/2.conll").write_text(GOLD)
    shown = WATCH.printed("key.conll", "runs", "--once", "--metrics", "vi", "--format", "json")
    one, two = map(json.loads, shown.splitlines())
    assert two["statistic"] == "vi" and two["value"] == 0
    assert two["is_best"] == (one["value"] > 0)


def test_options_of_scoring_apply_and_make_another_series() -> None:
    Path("runs/1.conll").write_text(BAD)
    WATCH.printed("key.conll", "runs", "--once")
    done = WATCH.run("key.conll", "runs", "--once", "--profile", "macro", "--format", "json")
    assert json.loads(done.stdout)["settings"] == "--profile macro"
    assert (
        json.loads(done.stdout)["conll"]
        == cs.score("key.conll", "runs/1.conll", profile="macro").conll
    )
    assert done.stderr == (
        "note: the history also has 1 result of another key, version or options, kept apart\n"
    )


def test_warnings_are_brief_and_explained_once() -> None:
    short = cells_as_conll({"d1": "1122-"})
    Path("runs/1.conll").write_text(short)
    Path("runs/2.conll").write_text(short + "\n")
    done = WATCH.run("key.conll", "runs", "--once")
    assert [line.split()[-1] for line in done.stdout.splitlines()[1:]] == ["W201", "W201"]
    assert done.exit_code == 0 and done.stderr.count("[W201]") == 1


def test_a_checkpoint_that_cannot_be_read() -> None:
    Path("runs/1.conll").write_text(BROKEN)
    Path("runs/2.conll").write_text(GOLD)
    done = WATCH.run("key.conll", "runs", "--once")
    assert done.exit_code == 4
    assert "error: runs/1.conll:2: " in done.stderr and "[E102]" in done.stderr
    assert "note: 1.conll is not scored; it is tried again at the next run" in done.stderr
    assert "2.conll" in done.stdout and "1.conll" not in done.stdout


def test_nothing_to_score() -> None:
    done = WATCH.run("key.conll", "runs", "--once")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "note: runs has no checkpoint that can be read\n"
    assert not Path("runs", HISTORY).exists()


def options_of(line: str) -> WatchOptions:
    command = main.get_command(click.Context(main), "watch")
    assert command is not None
    return filled(WatchOptions, command.make_context("watch", shlex.split(line)).params)


def test_it_waits_for_checkpoints(capfd: pytest.CaptureFixture[str]) -> None:
    """Files come while it sleeps; each is scored at the second look."""
    looks = 0

    def sleep(seconds: float) -> None:
        nonlocal looks
        assert seconds == 2
        looks += 1
        if looks == 2:
            Path("runs/1.conll").write_text(BROKEN)
        if looks == 5:
            Path("runs/1.conll").write_text(GOLD)
        if looks == 9:
            raise KeyboardInterrupt

    command = main.get_command(click.Context(main), "watch")
    assert command is not None
    with click.Context(command), pytest.raises(KeyboardInterrupt):
        watch(options_of("key.conll runs --interval 2"), sleep)
    shown = capfd.readouterr()
    assert shown.err.count("has no checkpoint that can be read; waiting") == 1
    assert shown.err.count("[E102]") == 1 and "tried again when it changes" in shown.err
    assert [line.split()[2:4] for line in shown.out.splitlines()[1:]] == [["1.conll", "100.00"]]
    assert [each.conll for each in cs.read_history(Path("runs", HISTORY))] == [1.0]


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("key.conll nowhere --once", 3, "nowhere: the directory cannot be listed: No such"),
        ("key.conll key.conll --once", 3, "key.conll: the directory cannot be listed: Not a"),
        ("none.conll runs --once", 3, "none.conll"),
        ("key.conll runs --once --history none/h.sqlite", 5, "its folder does not exist"),
        ("key.conll runs --once --history runs", 5, "it is a folder"),
        ("key.conll runs --once --history text.sqlite", 3, "not an intact SQLite file"),
        ("key.conll runs --once --history -", 2, "cannot be standard output"),
        ("key.conll - --once", 2, "cannot be standard input"),
        ("key.conll runs --once --interval 0", 2, "interval"),
        ("key.conll runs --once --window 2,3", 2, "several sizes of windows"),
    ],
)
def test_bad_input(line: str, status: int, message: str) -> None:
    Path("text.sqlite").write_text("no database" * 100)
    before = sorted(Path().rglob("*"))
    found, shown = WATCH.refused(*line.split())
    assert found == status and message in shown, shown
    assert sorted(Path().rglob("*")) == before


def test_a_read_only_history(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("runs/1.conll").write_text(GOLD)
    WATCH.printed("key.conll", "runs", "--once")
    # The tests may run as root, who may write to any file.
    monkeypatch.setattr("os.access", lambda path, mode: not str(path).endswith(HISTORY))
    Path("runs/2.conll").write_text(BAD)
    status, shown = WATCH.refused("key.conll", "runs", "--once")
    assert status == 5 and "the file is read-only" in shown and "[E601]" in shown


def test_the_key_may_come_from_standard_input() -> None:
    Path("runs/1.conll").write_text(GOLD)
    assert "100.00" in WATCH.printed("-", "runs", "--once", input=GOLD)


def test_ctrl_c_ends_it_and_leaves_a_whole_history(folder: Path) -> None:
    Path("runs/1.conll").write_text(BAD)
    command = [sys.executable, "-m", "corefscope", "watch", "key.conll", "runs", "--interval", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        assert b"1.conll" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read().strip() == b"interrupted"
    assert len(cs.read_history(Path("runs", HISTORY))) == 1
    assert sorted(path.name for path in Path("runs").iterdir()) == [HISTORY, "1.conll"]


def test_colour_is_never_the_only_cue(folder: Path) -> None:
    for number, name in enumerate(("string-match", "recency", "sieve")):
        Path(f"runs/{number}.conll").write_bytes(RESPONSES[name].read_bytes())
    shown = on_a_terminal("watch", str(KEY), "runs", "--once")
    assert shown.count("\x1b[32m\x1b[1mnew best") == 2
    plain = Command("watch").run(str(KEY), "runs", "--once", "--history", "h.sqlite").stdout
    assert "\x1b" not in plain and plain.count("new best") == 2


def test_sparklines() -> None:
    assert sparkline([]) == ""
    assert sparkline([0.5, 0.5]) == "▄▄"
    assert sparkline([0, 0.5, 1]) == "▁▅█"
    assert sparkline([1, *range(20)]) == sparkline(list(range(20))), "the latest 20"
    assert sparkline([0, 1], "12345678") == "18"
