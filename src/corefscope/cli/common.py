"""What commands share: arguments, messages, exit status. Nothing here loads the library."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import click

from corefscope.cli.outputs import (
    Input,
    Output,
    check_outputs,
    path_if_file,
    path_of_named,
    paths_of_set,
    split_name,
)
from corefscope.escaping import visible
from corefscope.last_resort import drop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress

    from corefscope.corpus import Corpus
    from corefscope.findings import Finding
    from corefscope.formats.conll.columns import Columns
    from corefscope.options import Options
    from corefscope.rendering.table import Table
    from corefscope.scoring import System

P = ParamSpec("P")
T = TypeVar("T")

MOST_SHOWN = 5
"""Findings of one code that are printed one by one; the rest are counted."""


NAMED = Input(path_of_named)
"""A parameter that names a response: a path, or NAME=PATH."""
SETS = Input(paths_of_set)
"""A parameter that names a key and responses: NAME=KEY:A:B."""
FILE_OR_WORD = Input(path_if_file)
"""A parameter that names a file or something else."""
FORMAT_HELP = (
    "conll, jsonl or json (default: detected from the content). jsonl:FIELD reads the clusters "
    "from another field; jsonl:ends=exclusive and jsonl:base=1 (or json:…) declare how tokens are "
    "counted."
)


class Refused(click.ClickException):
    """A choice that the inputs do not allow: one message, without the usage of the command."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message as errors are printed."""
        say(f"{click.style('error', fg='red', bold=True)}: {self.format_message()}")


class Named(NamedTuple):
    """A response and the name of the system that made it."""

    name: str
    path: str


READING = "corefscope.reading"
"""Where the context of a command keeps how files are read."""


@dataclass
class Reading:
    """How a command reads files."""

    columns: Columns | None = None
    include: tuple[str, ...] = ()
    skip_broken: bool = False
    skipped: int = 0
    """Number of response files that were left out so far."""

    def words(self) -> list[str]:
        """Return the options of the command line that say so."""
        return [
            *(["--columns", str(self.columns)] if self.columns else []),
            *(word for pattern in self.include for word in ("--include", pattern)),
            *(["--skip-broken"] if self.skip_broken else []),
        ]


def reading() -> Reading:
    """Return how the command that is running reads files."""
    found = click.get_current_context().meta.setdefault(READING, Reading())
    assert isinstance(found, Reading)
    return found


def reading_options(function: Callable[P, T]) -> Callable[P, T]:
    """Add the options that say how all files are read."""

    def keep_columns(_: click.Context, __: click.Parameter, columns: str | None) -> None:
        if columns is not None:
            reading().columns = _columns(columns)

    def keep_include(_: click.Context, __: click.Parameter, patterns: tuple[str, ...]) -> None:
        reading().include = patterns

    function = click.option(
        "--columns",
        metavar="NAME=N,...",
        expose_value=False,
        callback=keep_columns,
        help="Columns of CoNLL files, such as word=4,coref=-1: counted from 1, negative ones from "
        "the end. Names: word, coref, tag, parse, lemma, speaker, name.",
    )(function)
    return click.option(
        "--include",
        metavar="GLOB",
        multiple=True,
        expose_value=False,
        callback=keep_include,
        help="Read only the files of a directory that match, such as '*_gold_conll'. Applies to "
        "key and response; repeat it if their suffixes differ: --include '*.gold' --include "
        "'*.pred'.",
    )(function)


def _columns(text: str) -> Columns:
    from corefscope.exceptions import UnknownName
    from corefscope.formats.conll.columns import BadColumns, parse_columns

    try:
        return parse_columns(text)
    except (BadColumns, UnknownName) as error:
        raise click.BadParameter(str(error)) from None


def skip_broken_option(function: Callable[P, T]) -> Callable[P, T]:
    """Add the option that leaves out unreadable response files."""

    def keep(_: click.Context, __: click.Parameter, skip_broken: bool) -> None:
        reading().skip_broken = skip_broken

    return click.option(
        "--skip-broken",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="Leave out unreadable files of a response directory; exit with status 4.",
    )(function)


def key_argument(function: Callable[P, T]) -> Callable[P, T]:
    """Add the argument KEY and the options that say how it is read."""
    function = reading_options(function)
    function = click.option(
        "--key-format",
        metavar="FORMAT",
        help=FORMAT_HELP,
    )(function)
    return click.argument("key", type=Input())(function)


def files_argument(function: Callable[P, T]) -> Callable[P, T]:
    """Add the argument FILE... and the options that say how files are read."""
    function = reading_options(function)
    function = click.option("--input-format", metavar="FORMAT", help=FORMAT_HELP)(function)
    return click.argument("files", nargs=-1, required=True, metavar="FILE...", type=NAMED)(function)


def response_format(function: Callable[P, T]) -> Callable[P, T]:
    """Add the options that say how responses are read."""
    function = skip_broken_option(function)
    return click.option(
        "--response-format",
        metavar="FORMAT",
        help="As --key-format.",
    )(function)


def responses_argument(function: Callable[P, T]) -> Callable[P, T]:
    """Add the argument RESPONSE... and the option that says how responses are read."""
    argument = click.argument(
        "responses", nargs=-1, required=True, metavar="RESPONSE...", type=NAMED
    )
    return argument(response_format(function))


def pair_by_option(function: Callable[P, T]) -> Callable[P, T]:
    """Add the option for how documents are paired."""
    return click.option(
        "--pair-by",
        type=click.Choice(["auto", "name"]),
        default="auto",
        show_default=True,
        help="How to pair documents: by name and then by its usual spelling, such as "
        "'(x); part 000' and 'x_0', or by name only.",
    )(function)


def comparison_options(function: Callable[P, T]) -> Callable[P, T]:
    """Add the options for documents that differ."""
    options: list[Callable[[Callable[P, T]], Callable[P, T]]] = [
        click.option(
            "--missing",
            type=click.Choice(["empty", "error"]),
            default="empty",
            show_default=True,
            help="A document that the response lacks: counts as empty, or refuse.",
        ),
        click.option(
            "--tokens",
            type=click.Choice(["error", "ignore"]),
            default="error",
            show_default=True,
            help="Different numbers of tokens in a document: refuse, or go on.",
        ),
        pair_by_option,
    ]
    for option in reversed(options):
        function = option(function)
    return function


def document_option(function: Callable[P, T]) -> Callable[P, T]:
    """Add the option for one document alone."""
    return click.option("--document", metavar="NAME", help="This document alone.")(function)


def singletons_option(
    default: str | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return what adds the option for entities of one mention; None leaves it to the profile."""
    return click.option(
        "--singletons",
        type=click.Choice(["keep", "drop"]),
        default=default,
        show_default=default is not None,
        help=f"Entities of one mention, on both sides{'' if default else '; kept by default'}.",
    )


def protocol_options(function: Callable[P, T]) -> Callable[P, T]:
    """Add the options that say which numbers are computed, and how."""
    options: list[Callable[[Callable[P, T]], Callable[P, T]]] = [
        click.option(
            "--metrics",
            metavar="LIST",
            help="Of mentions, muc, b3 (bcub), ceafm, ceafe, blanc, lea, conll, all (default); "
            "more, antecedents, legacy, v4, or any of theirs.",
        ),
        click.option(
            "--profile",
            default="conll-2012",
            show_default=True,
            metavar="NAME",
            help="The protocol; `corefscope profiles` lists them.",
        ),
        click.option(
            "--match",
            type=click.Choice(["exact"]),
            default="exact",
            show_default=True,
            help="When two mentions are the same.",
        ),
        singletons_option(),
        click.option(
            "--duplicates",
            type=click.Choice(["first", "error", "reference"]),
            help="A mention annotated twice: keep the first (default), refuse, or as the "
            "reference scorer does.",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def protocol(given: Mapping[str, Any]) -> Options:
    """Return what :func:`protocol_options` and :func:`comparison_options` were given."""
    from corefscope.options import make_options

    names = ("metrics", "profile", "singletons", "duplicates", "missing", "tokens", "pair_by")
    return make_options(**{name: given[name] for name in names})


def format_option(formats: Sequence[str]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return what adds the option for the format, a table by default."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default="table",
        show_default=True,
        help="What to print.",
    )


def output_option(function: Callable[P, T]) -> Callable[P, T]:
    """Add the option for the file to write."""
    return click.option(
        "-o",
        "--output",
        type=Output(),
        metavar="FILE",
        help="Write to a file, not to standard output.",
    )(function)


def reports_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Turn the package's errors into messages and the documented exit status."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        from corefscope.exceptions import (
            CannotExpress,
            CannotWrite,
            CorefscopeError,
            IncompleteResponse,
            InvalidInput,
            OutputIsInput,
            UnknownName,
        )

        try:
            check_outputs(click.get_current_context(), reading().include)
            result = function(*args, **kwargs)
            if reading().skipped:
                sys.exit(IncompleteResponse.exit_status)
            return result
        except InvalidInput as error:
            show_findings(error.findings)
            sys.exit(error.exit_status)
        except (CannotExpress, CannotWrite, OutputIsInput) as error:
            show_findings([error.finding])
            sys.exit(error.exit_status)
        except UnknownName as error:
            raise click.UsageError(str(error)) from None
        except CorefscopeError as error:
            say(f"error: {visible(str(error))}")
            sys.exit(error.exit_status)
        except BrokenPipeError:
            # The reader of our output has gone, as `| head` does; that is no error of ours.
            drop(sys.stdout)
            sys.exit(0)

    return wrapped


HINTS: Mapping[str, tuple[str, ...]] = {
    "E106": ("--include",),
    "E110": ("--include",),
    "E117": ("--columns",),
    "E202": ("--tokens",),
    "W110": ("--key-format", "--response-format", "--input-format"),
    "W115": ("--columns",),
    "W208": ("--key-format", "--response-format"),
    "W209": ("--pair-by",),
    "W409": ("--map",),
    "W412": ("--types", "--map"),
}
"""The options that do what a finding suggests."""


def with_hint(finding: Finding) -> str:
    """Return a finding as text, with the options of this command that do what it suggests."""
    known = {name for each in click.get_current_context().command.params for name in each.opts}
    options = [option for option in HINTS.get(finding.code.id, ()) if option in known]
    if not options:
        return str(finding)
    return str(replace(finding, message=f"{finding.message} (see {' and '.join(options)})"))


def show_findings(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, errors first, at most so many of each code."""
    unique = list(dict.fromkeys(findings))
    shown: dict[str, int] = {}
    for finding in sorted(unique, key=lambda finding: not finding.is_error):
        code = finding.code.id
        shown[code] = shown.get(code, 0) + 1
        if shown[code] <= MOST_SHOWN:
            colour = "red" if finding.is_error else "yellow"
            kind = click.style(finding.code.severity, fg=colour, bold=True)
            say(f"{kind}: {with_hint(finding)}")
    for code, count in shown.items():
        if count > MOST_SHOWN:
            say(f"… and {count - MOST_SHOWN} more of {code}")


def say(text: str) -> None:
    """Print a message on standard error; one that is closed or full hinders nothing."""
    with suppress(OSError):
        click.echo(text, err=True)


def named(responses: Sequence[str]) -> list[Named]:
    """Tell the systems apart: by NAME= where given, else by file name, else by path."""
    given = [split_name(response) for response in responses]
    if sum(path == "-" for _, path in given) > 1:
        raise click.UsageError("standard input can be read only once")
    asked = [name for name, _ in given if name]
    for name in asked:
        if asked.count(name) > 1:
            raise click.UsageError(f"the name {name!r} is given to two responses")
    names = [name or short_name(path) for name, path in given]
    systems = [
        Named(name if asked or names.count(name) == 1 else path, path)
        for name, (asked, path) in zip(names, given, strict=True)
    ]
    taken = [system.name for system in systems]
    for name in taken:
        if taken.count(name) > 1:
            raise click.UsageError(f"two responses are named {name!r}; give each a name: NAME=PATH")
    return systems


def short_name(path: str) -> str:
    """Return the name that a file gives its system."""
    if path == "-":
        return "standard input"
    name = Path(path).name.removesuffix(".gz")
    for ending in (".conll", ".jsonl", ".jsonlines", ".json"):
        name = name.removesuffix(ending)
    return name or path


def refuse_double_input(key: str, responses: Sequence[Named]) -> None:
    """Standard input can be the key or a response, not both."""
    if key == "-" and any(response.path == "-" for response in responses):
        raise click.UsageError("standard input can be read only once")


def read_corpus(path: str, format: str | None) -> Corpus:
    """Read a corpus, with a progress bar where it takes long and somebody watches."""
    from corefscope.formats import read

    with progress_bar(f"reading {path}", _size(path)) as advance:
        return read(
            path,
            format,
            columns=reading().columns,
            include=reading().include,
            progress=advance,
        )


def read_response(path: str, format: str | None) -> Corpus:
    """Read a response; leave out its unreadable files if that was asked for."""
    from corefscope.formats import read

    with progress_bar(f"reading {path}", _size(path)) as advance:
        corpus = read(
            path,
            format,
            columns=reading().columns,
            include=reading().include,
            skip_broken=reading().skip_broken,
            progress=advance,
        )
    reading().skipped += len(corpus.skipped_files)
    return corpus


def read_key(path: str, format: str | None, document: str | None) -> Corpus:
    """Read the key; refuse the name of a document it lacks before responses are read."""
    key = read_corpus(path, format)
    if document is not None:
        key.index(document)
    return key


def read_systems(
    key: Corpus,
    systems: Sequence[Named],
    options: Options,
    response_format: str | None = None,
    document: str | None = None,
) -> tuple[Corpus, list[System]]:
    """Read responses, or the scores of files of results; of one document, if that was asked for."""
    from corefscope.scoring import System
    from corefscope.serialization.stored import is_result, stored_scores

    chosen = key if document is None else key.only(document)
    read = []
    for system in systems:
        if not is_result(system.path):
            response = read_response(system.path, response_format)
            if document is not None:
                from corefscope.matching.documents import only_document

                _, response = only_document(key, response, document, options.pair_by)
            read.append(System(system.name, system.path, response))
        elif document is None:
            scores = stored_scores(system.path, system.name, key, options)
            read.append(System(system.name, system.path, None, scores))
        else:
            raise click.UsageError(
                f"{system.path} holds results of all documents; leave --document"
            )
    return chosen, read


def _size(path: str) -> int | None:
    place = Path(path)
    try:
        files = place.rglob("*") if place.is_dir() else [place]
        return sum(file.stat().st_size for file in files if file.is_file())
    except OSError:
        return None


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


def emit(text: str, output: str | None) -> None:
    """Print a result, or write it to a file; ``-`` is standard output, too."""
    from corefscope.output import write_file

    if output not in (None, "-"):
        write_file(output, as_bytes(text))
    else:
        write_file("-", as_bytes(text, sys.stdout.encoding if sys.stdout else "utf-8"))


def as_bytes(text: str, encoding: str = "utf-8") -> bytes:
    """Encode a result: bytes that were not UTF-8 as they were, and never an error."""
    try:
        return text.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace")


def print_tables(tables: Sequence[Table], format: str, output: str | None, after: str = "") -> None:
    """Print tables and what comes after them; at a terminal the same text with emphasis."""
    if format == "table" and is_terminal() and output is None:
        from corefscope.rendering import terminal

        terminal.print_tables(tables)
        emit(after, None)
    else:
        from corefscope.rendering.table import LAYOUTS

        emit("\n".join(map(LAYOUTS[format], tables)) + after, output)


def is_terminal() -> bool:
    """Tell whether a person reads standard output, on a terminal that can show every character."""
    out = sys.stdout
    return out is not None and out.isatty() and out.encoding.lower().replace("-", "") == "utf8"
