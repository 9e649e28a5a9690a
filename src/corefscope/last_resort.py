"""The outermost exception handler of the command.

Whatever happens, the command prints one line with a code and ends with an exit status. This module
is loaded before all others and needs only the standard library.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

DEBUG = "COREFSCOPE_DEBUG"
"""The environment variable that turns on tracebacks."""
CANNOT_WRITE, INTERNAL_ERROR, INTERRUPTED = 5, 70, 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE)
"""The error numbers that mean that a stream cannot be written."""
SIGNALLED = 128
"""The exit status after a signal is this number plus the number of the signal."""

_received: list[int] = []
"""The signals received so far that end the process."""


def status_of(work: Callable[[], object], *, is_last: bool = False) -> int:
    """Run a command and return its exit status; never raise an exception.

    ``is_last`` means that the process ends afterwards: signals are ignored from then on.
    """
    _received.clear()
    with _orderly_signals(is_last):
        try:
            returned = work()
            status = returned if isinstance(returned, int) else 0
        except SystemExit as end:
            status = _status_of_exit(end)
        except BaseException as error:
            status = _status_of_error(error)
        if signal.SIGINT in _received:
            status = INTERRUPTED
        elif _received and status == INTERRUPTED:
            # A library that took the signal said only that it was interrupted.
            status = SIGNALLED + _received[0]
        return _flushed(status)


def _status_of_error(error: BaseException) -> int:
    """Return the exit status after an exception, and say what went wrong.

    What a signal raises while a class is made may arrive as another exception.
    """
    if _received and signal.SIGINT not in _received:
        return SIGNALLED + _received[0]
    return _reported(KeyboardInterrupt() if _received else error)


def drop(stream: TextIO | None) -> None:
    """Discard what a stream still has to write: its reader has gone, or its disk is full."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)


def reserve_standard_descriptors() -> None:
    """Open the null device for each standard descriptor that is closed.

    Otherwise a file could get the number and messages would be written into it. The access mode is
    the wrong one on purpose, so that reading or writing is still an error.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # The lowest free number, which is this one.


def _reported(error: BaseException) -> int:
    """Print one line that says what went wrong; return the exit status."""
    if _is_interruption(error):
        _say("interrupted")
        return INTERRUPTED
    if os.environ.get(DEBUG, "") not in ("", "0"):
        _show_traceback(error)
    if isinstance(error, (MemoryError, RecursionError)):
        return _out_of_resources(error)
    status = _shown_by_others(error)
    if status is not None:
        return status
    # Errors of files have a file name; this one is about a standard stream.
    if isinstance(error, OSError) and error.filename is None and error.errno in FULL:
        return _no_standard_output(error)
    what = f"{type(error).__name__}: {error}".partition("\n")[0]
    _say(
        f"error[E701] internal error: {what}; this is a bug in corefscope, not in the input: "
        f"please report it with the command and this line ({DEBUG}=1 shows the traceback)"
    )
    return INTERNAL_ERROR


def _is_interruption(error: BaseException) -> bool:
    """Return whether Ctrl-C was pressed; libraries may turn it into an exception of their own."""
    is_abort = type(error).__name__ == "Abort" and type(error).__module__ == "click.exceptions"
    return is_abort or isinstance(error, KeyboardInterrupt)


def _out_of_resources(error: BaseException) -> int:
    if isinstance(error, MemoryError):
        what = "there is not enough memory; expected more memory, or fewer documents at a time"
    else:
        what = "the input is nested too deeply; expected fewer levels of nesting"
    _say(f"error[E702] {what}")
    return INTERNAL_ERROR


def _shown_by_others(error: BaseException) -> int | None:
    """Print a deliberate exception of the package, or of click, such as wrong usage."""
    ours = sys.modules.get("corefscope.exceptions")
    if ours is not None and isinstance(error, ours.CorefscopeError):
        _say(f"error: {error}")
        return int(error.exit_status)
    exceptions = sys.modules.get("click.exceptions")
    if exceptions is None or not isinstance(error, exceptions.ClickException):
        return None
    with suppress(OSError):
        error.show()
    return int(error.exit_code)


def _no_standard_output(error: OSError) -> int:
    drop(sys.stdout)
    if error.errno == errno.EPIPE:
        return 0  # The reader has stopped reading, as `| head` does.
    _say(f"error[E601] <standard output>: cannot be written: {error.strerror}")
    return CANNOT_WRITE


def _flushed(status: int) -> int:
    """Flush the standard streams; if Python did it at exit, errors would print a traceback."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except (OSError, ValueError):
        drop(sys.stderr)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        drop(sys.stdout)
        return status or _no_standard_output(error)
    except ValueError:  # It was closed.
        pass
    return status


def _status_of_exit(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    _say(str(end.code))
    return INTERNAL_ERROR


def _show_traceback(error: BaseException) -> None:
    from traceback import format_exception

    from corefscope.escaping import visible

    # A message may quote the input, so each line is escaped.
    lines = "".join(format_exception(error)).rstrip("\n").split("\n")
    _say("\n".join(map(visible, lines)))


def _say(line: str) -> None:
    """Print a line to standard error, if it is open."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


@contextmanager
def _orderly_signals(is_last: bool) -> Iterator[None]:
    """Turn SIGINT, SIGTERM and SIGHUP into exceptions, so that the command cleans up."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    if hasattr(signal, "SIGHUP"):
        usual[signal.SIGHUP] = signal.SIG_DFL
    handled = {}
    # Signals that the caller ignores or handles stay so; only the main thread can set handlers.
    with suppress(ValueError):
        for number, default in usual.items():
            if signal.getsignal(number) is default:
                handled[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, previous in handled.items():
            signal.signal(number, signal.SIG_IGN if is_last else previous)


def _end(number: int, _: FrameType | None) -> None:
    _received.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(SIGNALLED + number)
