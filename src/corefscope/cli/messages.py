"""Messages of commands on standard error: findings, errors and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

import click

from corefscope.escaping import visible
from corefscope.exceptions import (
    CannotExpress,
    CannotWrite,
    CorefscopeError,
    InvalidInput,
    OutputIsInput,
    UnknownName,
)
from corefscope.last_resort import drop
from corefscope.records import dataclass

if TYPE_CHECKING:
    from rich.progress import Progress

    from corefscope.findings import Finding

MOST_SHOWN = 5
"""How many findings of one code are printed; the rest are counted."""


class Refused(click.ClickException):
    """An option that the inputs do not allow: one message, without the usage of the command."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message in the style of other errors."""
        say(f"{click.style('error', fg='red', bold=True)}: {self.format_message()}")


@contextmanager
def errors_reported() -> Iterator[None]:
    """Turn exceptions of the package into messages and the documented exit status."""
    try:
        yield
    except (InvalidInput, CannotExpress) as error:
        show_findings(error.findings)
        sys.exit(error.exit_status)
    except (CannotWrite, OutputIsInput) as error:
        show_findings([error.finding])
        sys.exit(error.exit_status)
    except UnknownName as error:
        raise click.UsageError(str(error)) from None
    except CorefscopeError as error:
        say(f"error: {visible(str(error))}")
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of our output is gone, as with `| head`; this is not an error.
        drop(sys.stdout)
        sys.exit(0)


@dataclass(frozen=True, slots=True)
class Hint:
    """Options that do what a finding suggests."""

    code: str
    options: Sequence[str]
    """Options of the running command, or of another one that is named first: ``score --rpf``."""
    if_said: str = ""
    """Text of the findings that this applies to; others of the same code need something else."""


AGREE = "agree to lose"
"""What messages say if something may be left out on request."""
HINTS = (
    Hint("E105", ["--response-format tagged", "--input-format tagged"], "the format tagged"),
    Hint("E106", ["--include"]),
    Hint("E110", ["--include"]),
    Hint("E111", ["score --format json"], "expected a file of scores"),
    Hint("E117", ["--columns"]),
    Hint("E126", ["--head minspan"], "read heads from minspan"),
    Hint("E201", ["--pair-by"]),
    Hint("E202", ["--tokens"]),
    Hint("E204", ["--duplicates first"]),
    *(Hint(code, ["--lossy"], AGREE) for code in ("E301", "E302", "E303", "E304")),
    Hint("E401", ["--names"], "a file of names"),
    Hint("E402", ["--heads auto"], "expected 'auto', as mention levels"),
    Hint("E502", ["score --format json"], "expected a file of scores"),
    Hint("E502", ["score --format json --per-document"], "scores of each document"),
    Hint("W110", ["--key-format", "--response-format", "--input-format", "--from"]),
    Hint("W115", ["--columns"]),
    Hint("W208", ["--key-format", "--response-format"], "with the format"),
    Hint("W209", ["--pair-by"]),
    Hint("W237", ["--head minspan"], "read heads from minspan"),
    Hint("W250", ["--pair-by"]),
    Hint("W409", ["--map"]),
    Hint("W412", ["--types", "--map"]),
    Hint("W503", ["--unit parts"]),
)


def with_hint(finding: Finding) -> str:
    """Return a finding as text, with the options that do what it suggests."""
    known = {name for each in click.get_current_context().command.params for name in each.opts}
    options = [
        option
        for hint in HINTS
        if hint.code == finding.code.id and hint.if_said in finding.message
        for option in hint.options
        if not option.startswith("-") or option.split()[0] in known
    ]
    if not options:
        return str(finding)
    return str(replace(finding, message=f"{finding.message} (see {' and '.join(options)})"))


def show_findings(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, errors first and a limited number of each code."""
    shown: dict[str, int] = {}
    for finding in sorted(each_once(findings), key=lambda finding: not finding.is_error):
        code = finding.code.id
        shown[code] = shown.get(code, 0) + 1
        if shown[code] <= MOST_SHOWN:
            colour = "red" if finding.is_error else "yellow"
            kind = click.style(finding.code.severity, fg=colour, bold=True)
            say(f"{kind}: {with_hint(finding)}")
    for code, count in shown.items():
        if count > MOST_SHOWN:
            say(f"… and {count - MOST_SHOWN} more of {code}")


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without repeats."""
    return list(dict.fromkeys(findings))


def say(text: str) -> None:
    """Print a message on standard error; ignore that it is closed or full."""
    with suppress(OSError):
        click.echo(text, err=True)


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error if it is a terminal and the work takes longer than a second."""
    begin = time.monotonic()
    done = 0
    bar: Progress | None = None

    def advance(step: int) -> None:
        nonlocal bar, done
        done += step
        if bar is None and sys.stderr and sys.stderr.isatty() and time.monotonic() - begin > 1:
            # Imported here because most commands need no bar.
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.add_task(escape(visible(what)), total=total)
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
