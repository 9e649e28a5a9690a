"""Messages of commands on standard error: findings, errors and progress."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import get_terminal_size
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
    WrongArgument,
)
from corefscope.extending import broken
from corefscope.findings import Finding, Remedy
from corefscope.last_resort import drop

if TYPE_CHECKING:
    from rich.progress import Progress

MOST_SHOWN = 5
"""How many causes of one code are printed; the rest are counted."""


class RefusedOption(click.ClickException):
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
    except (UnknownName, WrongArgument) as error:
        show_findings(broken())
        raise click.UsageError(str(error)) from None
    except CorefscopeError as error:
        say(f"error: {visible(str(error))}")
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of our output is gone, as with `| head`; this is not an error.
        drop(sys.stdout)
        sys.exit(0)


OPTIONS: Mapping[Remedy, Sequence[str]] = {
    Remedy.CHOOSE_FILES: ["--include PATTERN"],
    Remedy.CHOOSE_LEVEL: ["--level"],
    Remedy.RESAMPLE_DOCUMENTS: ["--unit documents"],
    Remedy.NAME_COLUMNS: ["--columns"],
    Remedy.NAME_FORMAT: ["--key-format", "--response-format", "--input-format", "--from"],
    Remedy.NAME_TAGGED_TEXT: ["--response-format tagged", "--input-format tagged"],
    Remedy.READ_MINIMAL_SPANS: ["--head minspan"],
    Remedy.PAIR_OTHERWISE: ["--pair-by position, if the order is the same"],
    Remedy.PAIR_BY_TEXT: ["--pair-by text"],
    Remedy.TREAT_OTHER_TOKENS: ["--tokens align"],
    Remedy.KEEP_FIRST_COPY: ["--duplicates first"],
    Remedy.ACCEPT_LOSSES: ["--lossy"],
    Remedy.GIVE_NAMES: ["--names FILE"],
    Remedy.FIND_HEADS: ["--heads auto"],
    Remedy.MAP_TYPES: ["--map TAG=TYPE"],
    Remedy.CHOOSE_TYPES: ["--types", "--map TAG=TYPE"],
    Remedy.RESAMPLE_PARTS: ["--unit parts"],
    Remedy.WRITE_SCORES: ["score --format json"],
    Remedy.WRITE_DOCUMENT_SCORES: ["score --format json --per-document"],
}
"""The options that do what a finding suggests: those of the running command, or of another one that
is named first."""


def lines_of(finding: Finding, *, styled: bool = True, more: int = 0) -> Iterator[str]:
    """Yield a finding: its code and place with what was found, and the fix on the next line.

    It stands for some ``more`` findings of the same cause. On a terminal, it is wrapped at words.
    """
    head = f"{finding.code.severity}[{finding.code.id}]"
    place = f" {visible(finding.place)}:" if finding.place else ""
    alike = f" (and {more:,} more like it)" if more else ""
    text = f"{head}{place} {visible(finding.message)}{alike}"
    first, *others = wrapped_message(text)
    shown = click.style(head, fg="red" if finding.is_error else "yellow", bold=True)
    yield first.replace(head, shown, 1) if styled else first
    yield from others
    if fix := _fix(finding):
        yield f"  fix: {fix}"


def wrapped_message(text: str) -> list[str]:
    """Return the lines of a message, wrapped at words on a terminal."""
    if not sys.stderr or not sys.stderr.isatty():
        return [text]
    # Imported here because most commands have no message.
    from corefscope.results.table import wrapped

    return wrapped([text], get_terminal_size().columns, hanging="  ")


def _fix(finding: Finding) -> str:
    """Return the options of the running command that help against a finding."""
    if finding.formats:
        return " ".join(f"--{side}-format {name}" for side, name in finding.formats)
    remedy = finding.remedy or finding.code.remedy
    known = {name for each in click.get_current_context().command.params for name in each.opts}
    return " or ".join(
        option
        for option in (OPTIONS[remedy] if remedy else ())
        if not option.startswith("-") or option.split()[0] in known
    )


CASE = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|\(.*?\)|\d[\d,.]*")
"""What differs in messages of one cause: names, examples and numbers."""


def show_findings(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, errors first: one of each cause, with a count."""
    causes: dict[tuple[str, str | None, str], list[Finding]] = {}
    for finding in sorted(each_once(findings), key=lambda finding: not finding.is_error):
        place = finding.code.id, finding.file
        cause = *place, CASE.sub("", finding.found)
        if finding.unlisted:
            cause = next((each for each in causes if each[:2] == place), cause)
        causes.setdefault(cause, []).append(finding)
    shown: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    for (code, *_), alike in causes.items():
        count = sum(each.unlisted or 1 for each in alike)
        shown[code] += 1
        if shown[code] <= MOST_SHOWN:
            say("\n".join(lines_of(alike[0], more=count - 1)))
        else:
            hidden[code] += count
    for code, count in hidden.items():
        say(f"… and {count:,} more of {code}")


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without repeats."""
    return list(dict.fromkeys(findings))


def say(text: str) -> None:
    """Print a message on standard error; ignore that it is closed or full."""
    with suppress(OSError):
        click.echo(text, err=True)


@contextmanager
def saying_replaced(output: str) -> Iterator[None]:
    """Say that a file was replaced, if the block did that."""
    was_there = output != "-" and Path(output).is_file()
    yield
    if was_there:
        say(f"replaced {visible(output)}")


def _is_watched() -> bool:
    """Return whether someone sees what this process prints on standard error, and no other does."""
    # Imported here because most commands need no bar.
    from multiprocessing import parent_process

    return bool(sys.stderr) and sys.stderr.isatty() and parent_process() is None


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error if it is a terminal and the work takes longer than a second."""
    begin = time.monotonic()
    done = 0
    bar: Progress | None = None

    def advance(step: int) -> None:
        nonlocal bar, done
        done += step
        if bar is None and time.monotonic() - begin > 1 and _is_watched():
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
