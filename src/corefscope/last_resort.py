"""The last resort of the command: whatever happens, one line with a code and an exit status.

It is loaded before everything else, and needs nothing but the standard library itself.
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
"""The environment variable that asks for tracebacks."""
CANNOT_WRITE, INTERNAL_ERROR, INTERRUPTED = 5, 70, 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE)
"""What the system answers if nothing more can be written."""
SIGNALLED = 128
"""Added to the number of a signal, this is the exit status of what it ended."""

_received: list[int] = []
"""The signals that asked this process to end."""


def status_of(work: Callable[[], object], *, is_last: bool = False) -> int:
    """Do the work of a command and return its exit status; no exception comes out of it.

    ``is_last`` says that the process ends after it: signals are ignored from then on.
    """
    _received.clear()
    with _orderly_signals(is_last):
        try:
            returned = work()
            status = returned if isinstance(returned, int) else 0
        except SystemExit as end:
            status = _status_of_exit(end)
        except BaseException as error:
            status = _reported(error)
        if signal.SIGINT in _received:
            status = INTERRUPTED
        return _flushed(status)


def drop(stream: TextIO | None) -> None:
    """Send what a stream still holds to nowhere: its reader has gone, or its disk is full."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)


def reserve_standard_descriptors() -> None:
    """Occupy standard descriptors that are closed, lest a file gets one and messages go into it.

    What should be read can only be written, and the reverse: using it is still an error.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # The lowest free number, which is this one.


def _reported(error: BaseException) -> int:
    """Say in one line what went wrong; return the exit status."""
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
    # Files have names; what has none and is full is a stream.
    if isinstance(error, OSError) and error.filename is None and error.errno in FULL:
        return _no_standard_output(error)
    what = f"{type(error).__name__}: {error}".partition("\n")[0]
    _say(
        f"error: internal error: {what}; this is a fault of corefscope, not of the input: please "
        f"report it with the command and this line ({DEBUG}=1 shows the traceback) [E701]"
    )
    return INTERNAL_ERROR


def _is_interruption(error: BaseException) -> bool:
    """Tell whether Ctrl-C was pressed; libraries may turn it into an exception of their own."""
    is_abort = type(error).__name__ == "Abort" and type(error).__module__ == "click.exceptions"
    return is_abort or isinstance(error, KeyboardInterrupt) or signal.SIGINT in _received


def _out_of_resources(error: BaseException) -> int:
    if isinstance(error, MemoryError):
        what = "there is not enough memory; expected more memory, or fewer documents at a time"
    else:
        what = "the input is nested too deeply; expected fewer levels of nesting"
    _say(f"error: {what} [E702]")
    return INTERNAL_ERROR


def _shown_by_others(error: BaseException) -> int | None:
    """Show what was raised on purpose: by click, such as a wrong usage, or by the package."""
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
        return 0  # The reader has read enough, as `| head` does.
    what = f"cannot be written: {error.strerror}; expected free space on the disk"
    _say(f"error: <standard output>: {what} [E601]")
    return CANNOT_WRITE


def _is_broken(stream: TextIO | None) -> bool:
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        return True
    return False


def _flushed(status: int) -> int:
    """Bring out what streams still hold, since Python would fail with a traceback."""
    if _is_broken(sys.stderr):
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

    # A message may quote the input; its lines are those of the traceback.
    lines = "".join(format_exception(error)).rstrip("\n").split("\n")
    _say("\n".join(map(visible, lines)))


def _say(line: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


@contextmanager
def _orderly_signals(is_last: bool) -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP end the work by an exception, so that it cleans up."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    if hasattr(signal, "SIGHUP"):
        usual[signal.SIGHUP] = signal.SIG_DFL
    handled = {}
    # What the caller ignores or handles stays so; only the main thread may ask for more.
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
