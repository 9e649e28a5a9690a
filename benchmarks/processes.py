"""Fresh processes, measured: wall time, processor time, peak memory.

A child is never reported smaller than its parent was when it began, so the process that measures
holds no data and does not import numpy.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from time import perf_counter

HERE = Path(__file__).parent
PYTHON = sys.executable
COMMAND = Path(PYTHON).with_name("corefscope")
BYTECODE = HERE / "data" / "bytecode"
"""Where processes keep compiled modules, so that ours start as an installed package does.

Python would compile an editable package each time if the caller's environment forbids it to write.
"""
BYTES_OF_RSS = 1 if sys.platform == "darwin" else 1024
"""In what unit the operating system tells the peak resident set."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took."""

    wall: float
    cpu: float
    """Seconds of user and system time."""
    peak: int
    """Bytes of the largest resident set."""
    output: str


class Failed(RuntimeError):
    """A measured process ended with an error."""


def run(command: Sequence[str], limit: float | None = None) -> Run | None:
    """Run a command to its end; None if it is not done within the limit of seconds."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        began = perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=_environment())
        alarm = Timer(limit or 1e6, process.kill)
        alarm.daemon = True
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = perf_counter() - began
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if limit is not None and wall >= limit:
            return None
        if process.returncode:
            errors.seek(0)
            raise Failed(f"{' '.join(command)}\n{errors.read().decode(errors='replace')}")
        output.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Run(wall, cpu, usage.ru_maxrss * BYTES_OF_RSS, output.read().decode())


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(BYTECODE)}


def best_of(times: int, *commands: Sequence[str]) -> list[Run]:
    """Run commands in turn, so that all see the same machine; return the best of each."""
    runs = [[_finished(command) for command in commands] for _ in range(times)]
    return [_best(column) for column in zip(*runs, strict=True)]


def _best(runs: Sequence[Run]) -> Run:
    """Return the shortest times, and the highest peak."""
    wall, cpu = min(run.wall for run in runs), min(run.cpu for run in runs)
    return Run(wall, cpu, max(run.peak for run in runs), runs[0].output)


def _finished(command: Sequence[str]) -> Run:
    finished = run(command)
    assert finished
    return finished


def corefscope(*arguments: str) -> list[str]:
    """Return the command line of corefscope, as a user calls it."""
    program = [str(COMMAND)] if COMMAND.exists() else [PYTHON, "-m", "corefscope"]
    return [*program, *arguments]


def script(name: str, *arguments: str) -> list[str]:
    """Return the command line of a script beside this one."""
    return [PYTHON, str(HERE / name), *arguments]
