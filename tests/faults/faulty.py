"""Run code again and again; each time another one of the system calls that write goes wrong.

``injected`` starts this module as a program in a directory of its own. There it runs some code with
``os`` functions that are counted, in a forked process, first without a fault and then with a
fault at the first call, at the second, and so on. The functions are replaced in ``os`` itself, so
that no module can circumvent them; what the interpreter does by itself (importing modules, its own
streams) is not counted.
"""

from __future__ import annotations

import errno
import functools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FUNCTIONS = (
    *("open", "write", "fsync", "fchmod", "link", "replace"),
    *("unlink", "truncate", "ftruncate", "mkdir", "rmdir"),
)
FREEING = ("unlink", "rmdir", "truncate", "ftruncate", "replace")
"""What works on a full disk, too: nothing of it adds a name or a block."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run has left behind."""

    number: int
    """The call that went wrong; 0 for none."""
    status: int
    stderr: str
    files: dict[str, str]
    """The contents of all files, by path."""
    after: dict[str, str]
    """The same after another run, without a fault."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Code to be run with faults."""

    fault: str
    code: str
    setup: str = ""
    """Run first, without faults, in an empty directory."""
    warm_up: str = ""
    """Run once, in the beginning, to load modules."""
    again: bool = False
    """Whether the code is run once more afterwards, without a fault."""
    most: int = 0
    """How many calls are chosen, at random but always the same ones; 0 for all."""


@contextmanager
def quick_directory() -> Iterator[Path]:
    """A directory in memory if there is one, since every file is synced, and that takes time."""
    memory = Path("/dev/shm")
    is_there = memory.is_dir() and os.access(memory, os.W_OK)
    with tempfile.TemporaryDirectory(dir=memory if is_there else None) as name:
        yield Path(name)


def injected(job: Job, directory: Path) -> list[Outcome]:
    """Return the outcomes of a job: without a fault, and with one at each call."""
    return injected_each([job], directory)[0]


def injected_each(jobs: Sequence[Job], directory: Path) -> list[list[Outcome]]:
    """Return the outcomes of several jobs, which share one process and the first warm-up."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps([asdict(job) for job in jobs]),
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    return [[Outcome(**each) for each in outcomes] for outcomes in json.loads(done.stdout)]


def full_disk(name: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    if name in FREEING:
        return call(*args, **options)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def kill(name: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def half_then_kill(name: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Do half of a write, or all of another call, and die."""
    if name == "write":
        call(args[0], bytes(args[1])[: len(args[1]) // 2])
    else:
        call(*args, **options)
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt(name: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    signal.raise_signal(signal.SIGINT)
    return call(*args, **options)


def terminate(name: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    signal.raise_signal(signal.SIGTERM)
    return call(*args, **options)


FAULTS = {f.__name__: f for f in (full_disk, kill, half_then_kill, interrupt, terminate)}


class _Counter:
    """Counts calls, and lets one of them go wrong."""

    def __init__(self, fault: str, number: int) -> None:
        self.fault = FAULTS[fault]
        self.number = number
        self.calls = 0

    def replaced(self, name: str) -> Callable[..., Any]:
        call = getattr(os, name)

        @functools.wraps(call)
        def counted(*args: Any, **options: Any) -> Any:
            self.calls += 1
            # A disk stays full; a signal comes once.
            is_full = self.fault is full_disk and 0 < self.number < self.calls
            if is_full or self.calls == self.number:
                return self.fault(name, call, *args, **options)
            return call(*args, **options)

        return counted


def _forked(work: Callable[[], None]) -> int:
    """Do work in another process; return its exit status, negative for a signal."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    status = 70
    try:
        work()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def _execute(code: str, counter: _Counter | None, calls: Path) -> None:
    """Run code with messages in a file; write down how many calls it made."""
    messages = os.open(calls.with_name("messages"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    results = os.open(os.devnull, os.O_WRONLY)
    os.dup2(messages, 2)
    os.dup2(results, 1)
    program = compile(code, "code", "exec")
    real = {name: getattr(os, name) for name in FUNCTIONS}
    if counter is not None:
        for name in FUNCTIONS:
            setattr(os, name, counter.replaced(name))
    try:
        exec(program, {"__name__": "code"})
    finally:
        for name, function in real.items():
            setattr(os, name, function)
        calls.write_text(str(counter.calls if counter else 0))


def _snapshot() -> dict[str, str]:
    return {
        str(path): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in sorted(Path().rglob("*"))
        if path.is_file()
    }


def _outcome(job: Job, number: int, calls: Path) -> Outcome:
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert _forked(lambda: _execute(job.setup, None, calls)) == 0, "the setup"
    status = _forked(lambda: _execute(job.code, _Counter(job.fault, number), calls))
    stderr = calls.with_name("messages").read_text()
    files = _snapshot()
    if job.again:
        again = _forked(lambda: _execute(job.code, None, calls.with_name("again")))
        assert again == 0, calls.with_name("messages").read_text()
    return Outcome(number=number, status=status, stderr=stderr, files=files, after=_snapshot())


def _numbers(calls: int, most: int) -> Sequence[int]:
    """Choose calls: all, or the first, the last and some between."""
    if not most or calls <= most:
        return range(1, calls + 1)
    between = random.Random(calls).sample(range(2, calls), most - 2)
    return [1, *sorted(between), calls]


def main() -> None:
    jobs = [Job(**each) for each in json.load(sys.stdin)]
    exec(jobs[0].warm_up, {"__name__": "warm_up"})
    with tempfile.TemporaryDirectory() as notes:
        done = [_outcomes(job, Path(notes, "calls")) for job in jobs]
    json.dump([[asdict(outcome) for outcome in outcomes] for outcomes in done], sys.stdout)


def _outcomes(job: Job, calls: Path) -> list[Outcome]:
    without = _outcome(job, 0, calls)
    numbers = _numbers(int(calls.read_text()), job.most)
    return [without, *(_outcome(job, number, calls) for number in numbers)]


if __name__ == "__main__":
    main()
