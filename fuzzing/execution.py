"""Run a command in this process or in another, with a limit on processor time."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from click.testing import CliRunner

CPU_SECONDS = 20.0
"""Processor time that one small input may take; most take a hundredth of a second."""
GRACE = 40
"""Further seconds after which a process is killed that cannot be interrupted."""
DEBUG = {"COREFSCOPE_DEBUG": "1"}
"""With this an internal error shows its traceback, which says where it happened."""


class Hang(BaseException):
    """The limit on processor time is used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command left behind."""

    status: int
    stdout: bytes
    stderr: str
    traceback: str | None = None
    """The traceback of an exception that nobody caught."""
    warnings: tuple[str, ...] = ()
    """Warnings of Python, which a user would see on standard error."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise `Hang` when the block has used so much processor time.

    Time of other processes does not count, so that a busy machine gives no false alarm. The signal
    comes again every second, in case somebody catches the exception. A loop in C that never returns
    to Python is ended by the operating system; the parent process then reports the input.
    """
    fired = is_over = False

    def stop(_: int, __: FrameType | None) -> None:
        nonlocal fired
        fired = True
        if is_over:
            return
        raise Hang(f"more than {seconds:g} s of processor time")

    used = resource.getrusage(resource.RUSAGE_SELF)
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(used.ru_utime + used.ru_stime + seconds) + GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        # The signal must not come in between: the limit would then end the process later.
        is_over = True
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    if fired:
        raise Hang("an exception at the limit on processor time was caught")


def run_here(arguments: Sequence[str], standard_input: bytes | None) -> Outcome:
    """Run a command in this process, in the current folder."""
    from corefscope.cli import main

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = CliRunner(env=DEBUG).invoke(main, list(arguments), input=standard_input)
    unexpected = result.exception and not isinstance(result.exception, SystemExit)
    return Outcome(
        status=result.exit_code,
        stdout=result.stdout_bytes,
        stderr=result.stderr,
        traceback="".join(traceback.format_exception(result.exception)) if unexpected else None,
        warnings=tuple(
            f"{warning.category.__name__}: {warning.message}"
            for warning in caught
            if issubclass(warning.category, RuntimeWarning | UserWarning)
        ),
    )


def run_elsewhere(arguments: Sequence[str], standard_input: bytes | None) -> Outcome:
    """Run a command in a process of its own, in the current folder."""
    process = subprocess.run(
        [sys.executable, "-m", "corefscope", *arguments],
        input=standard_input or b"",
        capture_output=True,
        check=False,
        preexec_fn=_limit_child,
        env={name: value for name, value in os.environ.items() if name not in DEBUG},
    )
    if process.returncode == -signal.SIGXCPU:
        raise Hang(f"more than {CPU_SECONDS:g} s of processor time")
    stderr = process.stderr.decode(errors="replace")
    return Outcome(
        status=process.returncode,
        stdout=process.stdout,
        stderr=stderr,
        traceback=stderr if "Traceback (most recent call last)" in stderr else None,
    )


def _limit_child() -> None:
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(CPU_SECONDS), hard))


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Make a folder the current one for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
