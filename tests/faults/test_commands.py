"""Commands in trouble: full disks, signals, closed streams, folders that cannot be written."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import cells_as_conll
from corefscope.cli import main
from corefscope.findings import Code
from corefscope.output.files import TEMPORARY
from faults.faulty import Job, Outcome, injected_each, quick_directory

KEY = cells_as_conll({"d1": "1122-", "d2": "1111-", "d3": "12-12"})
RESPONSE = cells_as_conll({"d1": "1122-", "d2": "1122-", "d3": "11-12"})
OTHER = cells_as_conll({"d1": "1-22-", "d2": "11--2", "d3": "12-12"})
FILES = {"key.conll": KEY, "a.conll": RESPONSE, "b.conll": OTHER}
WRITERS = {
    "score": ["score", "key.conll", "{}.conll", "--format", "json", "-o", "out.json"],
    "convert": ["convert", "{}.conll", "out.jsonl"],
    "report": ["report", "key.conll", "s={}.conll", "-o", "out.html"],
    "split": ["report", "key.conll", "s={}.conll", "--split", "-o", "out"],
    "corrected": ["errors", "key.conll", "s={}.conll", "--corrected", "out"],
}
"""Commands that write; twice they write something else in the same place."""
ORDERLY = {"full_disk": 5, "interrupt": 130, "terminate": 143}


SETUP = """
from pathlib import Path
for name, text in {!r}.items():
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)
"""
WARM_UP = """
from click.testing import CliRunner
from corefscope.cli import main
assert CliRunner().invoke(main, {!r}).exit_code == 0
"""
"""Loads all modules."""


def code_of(name: str, response: str) -> str:
    arguments = [each.format(response) for each in WRITERS[name]]
    return f"import sys; sys.argv[1:] = {arguments!r}; from corefscope.__main__ import run; run()"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with quick_directory() as place:
        monkeypatch.chdir(place)
        for name, text in FILES.items():
            Path(name).write_text(text)
        yield place
        monkeypatch.undo()


def outputs(files: dict[str, str]) -> dict[str, str]:
    """What a run has written, without the list of it."""
    return {
        name: text
        for name, text in files.items()
        if name not in FILES and not name.endswith(".corefscope-files")
    }


@pytest.mark.parametrize("name", WRITERS)
def test_no_fault_leaves_half_an_output(name: str, folder: Path) -> None:
    arguments = [each.format("a") for each in WRITERS[name]]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    before = {str(p): p.read_text() for p in Path().rglob("*") if p.is_file()}
    old = outputs(before)
    jobs = [
        Job(
            fault=fault,
            code=code_of(name, "b"),
            setup=SETUP.format(before),
            warm_up=WARM_UP.format(arguments),
            again=fault == "half_then_kill",
            most=5,
        )
        for fault in (*ORDERLY, "half_then_kill")
    ]
    for job, outcomes in zip(jobs, injected_each(jobs, folder), strict=True):
        is_old_or_new(job, outcomes, old)


def is_old_or_new(job: Job, found: list[Outcome], old: dict[str, str]) -> None:
    """Every fault leaves the outputs of the first run or of the second."""
    without, *outcomes = found
    new = outputs(without.files)
    assert without.status == 0 and old and old != new
    for outcome in outcomes:
        left_over = outputs(outcome.files)
        assert {name: outcome.files[name] for name in FILES} == FILES, "inputs are as they were"
        assert "Traceback" not in outcome.stderr
        if job.again:
            assert outputs(outcome.after).items() >= new.items()
        if outcome.status in (0, -9):
            left = {n for n in left_over if not Path(n).name.startswith(TEMPORARY)}
            assert all(left_over[n] in (old.get(n), new.get(n)) for n in left)
        else:
            assert outcome.status == ORDERLY[job.fault], outcome.stderr
            assert left_over in (old, new, {**old, **new}), (outcome.number, outcome.stderr)


INTERRUPTING = """
import signal, sys
number, seen = int(sys.argv.pop(1)), 0
def hook(event, _):
    global seen
    if event in ("import", "open", "exec"):
        seen += 1
        if seen == number:
            signal.raise_signal(signal.SIGINT)
sys.argv[0] = "corefscope"
from corefscope.__main__ import run
sys.addaudithook(hook)
try:
    run()
finally:
    if not number:
        open("seen", "w").write(str(seen))
"""


def interrupted(number: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTING, str(number), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_ctrl_c_at_any_moment_is_one_line() -> None:
    """From the first module that is loaded to the last file that is opened."""
    score = ("score", "key.conll", "a.conll", "-o", "out.txt")
    assert interrupted(0, *score).returncode == 0
    Path("out.txt").unlink()
    events = int(Path("seen").read_text()) - 1  # The last one was to write this file.
    Path("seen").unlink()
    assert events > 100
    for number in [1, *sorted(random.Random(7).sample(range(2, events), 8)), events]:
        done = interrupted(number, *score)
        assert done.returncode == 130, (number, done.stderr)
        assert done.stderr.strip() == "interrupted" and done.stdout == "", number
        assert {path.name for path in Path().iterdir()} <= {*FILES, "out.txt"}


SIGNALLED_IN_A_CLASS = """
import signal, sys
from corefscope.last_resort import status_of
class Named:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.Signals[sys.argv[1]])
def work():
    class Made:
        field = Named()
sys.exit(status_of(work))
"""


@pytest.mark.parametrize(
    ("name", "status", "said"), [("SIGINT", 130, "interrupted\n"), ("SIGTERM", 143, "")]
)
def test_a_signal_while_a_class_is_made(name: str, status: int, said: str) -> None:
    """Python 3.11 raises another exception then, which is no internal error."""
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED_IN_A_CLASS, name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


def test_ignored_signal_stays_ignored() -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPTING
    arguments = ("score", "key.conll", "a.conll", "-o", "out.txt")
    done = subprocess.run([sys.executable, "-c", code, "9", *arguments], check=False)
    assert done.returncode == 0 and Path("out.txt").exists()


def limited(kind: int, size: int) -> None:
    resource.setrlimit(kind, (size, size))


@pytest.mark.parametrize("name", WRITERS)
def test_a_real_limit_is_as_a_full_disk(name: str) -> None:
    """No file may have more than 100 bytes: the system itself refuses."""
    arguments = [each.format("a") for each in WRITERS[name]]
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *arguments],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: limited(resource.RLIMIT_FSIZE, 100),
    )
    assert done.returncode == 5 and "[E601]" in done.stderr and "Usage" not in done.stderr
    assert {path.name for path in Path().iterdir()} == set(FILES)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("score key.conll a.conll > /dev/full", 5),
        ("score key.conll a.conll -o /dev/full", 5),
        ("--help > /dev/full", 5),
        ("score --help > /dev/full", 5),
        ("convert a.conll - --to jsonl > /dev/full", 5),
        ("score key.conll a.conll >&-", 5),
        ("score key.conll a.conll -o /dev/stdout >&-", 5),
        ("convert a.conll - --to jsonl >&-", 5),
        ("score key.conll a.conll <&- >&- 2>&-", 5),
        ("score key.conll a.conll -o out <&- >&- 2>&-", 0),
        ("score key.conll nowhere.conll 2>&-", 3),
        ("score key.conll nowhere.conll 2>/dev/full", 3),
        ("score key.conll 2>/dev/full", 2),
        ("score - a.conll <&-", 3),
    ],
)
def test_streams_that_are_closed_or_full(line: str, status: int) -> None:
    run = f"{sys.executable} -m corefscope"
    done = subprocess.run(
        ["bash", "-c", f"{run} {line}"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    if status == 5 and "2>&-" not in line:
        assert "[E601]" in done.stderr and done.stdout == ""
    if "-o out" in line:
        assert "CoNLL" in Path("out").read_text()


def test_a_reader_that_has_gone_is_no_error() -> None:
    run = f"{sys.executable} -m corefscope score key.conll a.conll --format json --per-document"
    done = subprocess.run(
        ["bash", "-c", f"{run} | true; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


WITHOUT_RIGHTS = """
import os, sys
from click.testing import CliRunner
from corefscope.cli import main
arguments = sys.argv[1:]
CliRunner().invoke(main, [*arguments[:-1], "warm-up"])  # All modules are loaded by now.
os.chmod("locked", 0o555)
if os.getuid() == 0:
    os.setuid(65534)  # To root nothing is locked.
sys.argv[1:] = arguments
from corefscope.__main__ import run
run()
"""


@pytest.mark.parametrize("target", ["new.txt", "old.txt"])
def test_unwritable_folder_with_writable_file(target: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        for file, text in FILES.items():
            (place / file).write_text(text)
        (place / "locked").mkdir()
        (place / "locked" / "old.txt").write_text("old")
        (place / "locked" / "old.txt").chmod(0o666)
        score = ["score", "key.conll", "a.conll", "-o", f"locked/{target}"]
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_RIGHTS, *score],
            capture_output=True,
            text=True,
            check=False,
            cwd=place,
        )
        (place / "locked").chmod(0o755)
        assert done.returncode == 5, done.stderr
        assert "no file can be created in its folder" in done.stderr and "[E601]" in done.stderr
        assert (place / "locked" / "old.txt").read_text() == "old"
        assert [path.name for path in (place / "locked").iterdir()] == ["old.txt"]


STARVED = """
import resource, sys
from click.testing import CliRunner
from corefscope.cli import main
CliRunner().invoke(main, ["score", "key.conll", "a.conll"])  # All modules are loaded by now.
pages = int(open("/proc/self/statm").read().split()[0])
size = pages * resource.getpagesize() + (24 << 20)
resource.setrlimit(resource.RLIMIT_AS, (size, size))
sys.argv[1:] = ["score", "large.conll", "large.conll"]
from corefscope.__main__ import run
run()
"""


def test_too_little_memory_is_a_message() -> None:
    Path("large.conll").write_text(cells_as_conll({"d": "12345678" * 60_000}))
    done = subprocess.run(
        [sys.executable, "-c", STARVED], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 70, done.stderr
    assert "not enough memory" in done.stderr and done.stderr.startswith("error[E702] ")
    assert done.stderr.count("\n") == 1 and done.stdout == ""


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RuntimeError("first line\nsecond"), Code.INTERNAL_ERROR, "RuntimeError: first line;"),
        (AssertionError(), Code.INTERNAL_ERROR, "AssertionError"),
        (RecursionError("deep"), Code.NO_MEMORY, "nested too deeply"),
        (MemoryError(), Code.NO_MEMORY, "not enough memory"),
    ],
)
def test_internal_error_and_debug_traceback(
    error: BaseException, code: Code, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("corefscope.inputs.read", fail)
    shown = CliRunner().invoke(main, ["score", "key.conll", "a.conll"])
    assert shown.exit_code == 70 and shown.stdout == ""
    assert shown.stderr.count("\n") == 1 and message in shown.stderr
    assert shown.stderr.startswith(f"error[{code.id}] ")
    assert ("please report it" in shown.stderr) == (code is Code.INTERNAL_ERROR)
    monkeypatch.setenv("COREFSCOPE_DEBUG", "1")
    shown = CliRunner().invoke(main, ["score", "key.conll", "a.conll"])
    assert shown.exit_code == 70 and "Traceback" in shown.stderr and "in fail" in shown.stderr
    assert os.environ["COREFSCOPE_DEBUG"]


def test_traceback_escapes_control_characters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COREFSCOPE_DEBUG", "1")
    key = tmp_path / "key.json"
    key.write_text('{"\\u0085\\u001b[31m": [[[0, 1], [2, 3]]]}', encoding="utf-8")
    shown = CliRunner().invoke(main, ["explain", "muc", str(key), str(key), "--document", "x"])
    assert shown.exit_code == 2 and "Traceback" in shown.stderr
    assert "known: \\x85\\x1b[31m" in shown.stderr
    assert "\x85" not in shown.stderr and "\x1b" not in shown.stderr
