"""Two runs that write into one folder: one of them wins, whole, and the other says so."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOLCK
from pathlib import Path

import pytest

from corefscope import demo
from corefscope.exceptions import CannotWrite
from corefscope.output.folder import OutputFolder

HOLDING = """
import sys
from pathlib import Path
from corefscope.output.folder import OutputFolder
with OutputFolder(Path(sys.argv[1])) as folder:
    folder.write("one.txt", b"first run\\n")
    print("begun", flush=True)
    answer = sys.stdin.readline().strip()
    if answer == "fail":
        raise SystemExit(9)
    folder.write("two.txt", b"first run\\n")
"""
"""A run that has written one of two files, and waits for a line."""


@contextmanager
def begun(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run it in another process up to its middle."""
    words = [sys.executable, "-c", HOLDING, str(folder)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def contents(folder: Path) -> dict[str, str]:
    """The files that readers see."""
    paths = (path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.name: path.read_text("utf-8") for path in paths}


def write(folder: Path, text: str) -> None:
    with OutputFolder(folder) as output:
        output.write("one.txt", text.encode())


@pytest.mark.parametrize("is_new", [True, False])
def test_the_first_run_wins(tmp_path: Path, is_new: bool) -> None:
    folder = tmp_path / "out"
    if not is_new:
        write(folder, "earlier run\n")
    with begun(folder) as first:
        with pytest.raises(CannotWrite, match="another run is writing into this folder"):
            write(folder, "second run\n")
        first.communicate("go on\n")
    assert first.returncode == 0
    assert contents(folder) == {"one.txt": "first run\n", "two.txt": "first run\n"}
    write(folder, "third run\n")
    assert contents(folder) == {"one.txt": "third run\n"}


def test_a_command_is_refused_with_status_5(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with begun(folder) as first:
        words = ["convert", str(demo.KEY), str(folder), "--to", "brat", "--lossy"]
        result = subprocess.run(
            [sys.executable, "-m", "corefscope", *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 5
        assert "another run is writing into this folder; expected one run at a time" in (
            result.stderr
        )
        assert contents(folder) == {"one.txt": "first run\n"}
        first.communicate("go on\n")
    assert contents(folder) == {"one.txt": "first run\n", "two.txt": "first run\n"}


def test_a_run_that_fails_leaves_the_folder_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with begun(folder) as first:
        first.communicate("fail\n")
    assert first.returncode == 9
    assert not folder.exists()
    write(folder, "second run\n")
    assert contents(folder) == {"one.txt": "second run\n"}


def test_a_run_that_is_killed_leaves_no_lock(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with begun(folder) as first:
        first.kill()
        first.wait()
    write(folder, "second run\n")
    assert contents(folder) == {"one.txt": "second run\n"}


def test_a_folder_that_was_removed_in_between_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run failed after this one had opened the folder, and before it had the lock."""

    folder, lock = tmp_path / "out", fcntl.flock
    folder.mkdir()

    def late(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        folder.rmdir()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    write(folder, "second run\n")
    assert contents(folder) == {"one.txt": "second run\n"}


def test_a_list_that_another_run_wrote_in_between_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    late = OutputFolder(folder)
    write(folder, "first run\n")
    with late as output:
        output.write("one.txt", b"second run\n")
    assert contents(folder) == {"one.txt": "second run\n"}


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    write(tmp_path / "out", "first run\n")
    write(tmp_path / "out", "second run\n")
    assert contents(tmp_path / "out") == {"one.txt": "second run\n"}
