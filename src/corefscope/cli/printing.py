"""Output of results: to standard output, a terminal, or files that are not inputs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size

from msgspec import Struct

from corefscope.cli.messages import saying_replaced
from corefscope.cli.parameters import Input, Output, Target
from corefscope.cli.typed import values_of
from corefscope.exceptions import InvalidInput
from corefscope.formats.directories import sources
from corefscope.output.files import write_file
from corefscope.results.rows import Row
from corefscope.results.table import LAYOUTS, WIDTH, Caption, Table, folded, wrapped


def emit(text: str, output: str | None) -> None:
    """Write a result to a file, or to standard output if that is None or ``-``."""
    if output not in (None, "-"):
        with saying_replaced(output):
            write_file(output, as_bytes(text))
    else:
        write_file("-", as_bytes(text, sys.stdout.encoding if sys.stdout else "utf-8"))


def emit_json(result: object, output: str | None) -> None:
    """Write a result as JSON, part by part."""
    from corefscope.results.record import json_parts

    encoding = "utf-8"
    if output in (None, "-"):
        output = "-"
        encoding = sys.stdout.encoding if sys.stdout else encoding
    parts = (as_bytes(part, encoding) for part in chain(json_parts(result), ["\n"]))
    with saying_replaced(output):
        write_file(output, parts)


def as_bytes(text: str, encoding: str = "utf-8") -> bytes:
    """Encode a result without ever failing; bytes that were not UTF-8 stay as they were."""
    try:
        return text.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace")


def print_tables(tables: Sequence[Table], format: str, output: str | None, after: str = "") -> None:
    """Print tables and the text after them, with emphasis on a terminal."""
    if format == "table":
        width = width_of(output)
        tables = [part for table in tables for part in folded(table, width)]
    if format == "table" and output is None and is_terminal():
        # Imported here because output to a pipe has no emphasis.
        from corefscope.results import terminal

        terminal.print_tables(tables)
        emit(after, None)
    else:
        emit("\n".join(map(LAYOUTS[format], tables)) + after, output)


def width_of(output: str | None) -> int:
    """Return how wide text is: as a terminal, or as plain text is."""
    return get_terminal_size().columns if output is None and is_terminal() else WIDTH


def emit_lines(lines: Iterable[str], output: str | None, hanging: str = "") -> None:
    """Print or write lines for people, wrapped at words."""
    emit("".join(f"{line}\n" for line in wrapped_for(output, lines, hanging)), output)


def wrapped_for(output: str | None, lines: Iterable[str], hanging: str = "") -> list[str]:
    """Return lines as they are wrapped; only on a terminal, signatures are divided."""
    breaks = "|" if output is None and is_terminal() else ""
    return wrapped(lines, width_of(output), hanging, breaks=breaks)


def caption_for(wanted: bool, format: str, output: str | None) -> Caption:
    """Return what kind of caption a table has: bold cannot be seen in plain text."""
    is_plain = format == "table" and (output is not None or not is_terminal())
    return None if not wanted else "plain" if is_plain else "bold"


def emit_rows(
    rows: Sequence[Row], raw: bool, output: str | None, columns: Sequence[str] = ()
) -> None:
    """Print or write rows as CSV."""
    from corefscope.results.table import rows_as_csv

    emit(rows_as_csv(rows, columns, raw=raw), output)


def is_terminal() -> bool:
    """Return whether standard output is a terminal that can show every character."""
    out = sys.stdout
    return out is not None and out.isatty() and out.encoding.lower().replace("-", "") == "utf8"


def check_outputs(options: Struct) -> None:
    """Refuse outputs that are inputs or cannot be written, before the work begins."""
    targets = list(_targets(options))
    if not targets:
        return
    inputs = list(_inputs(options))
    include = _include(options)
    if include:
        inputs += [file for folder in inputs for file in _included(folder, include)]
    for target in targets:
        _check(target, [*inputs, *target.inputs])


def _check(target: Target, inputs: Iterable[str]) -> None:
    """Refuse an output that is an input or cannot be written."""
    # Loaded here because most results go to standard output.
    from corefscope.formats.writing.overwriting import refuse_inputs, refuse_inputs_in_folder
    from corefscope.output.files import check_target, refuse_remote
    from corefscope.output.folder import OutputFolder

    refuse_remote(target.path)
    if target.is_folder:
        refuse_inputs_in_folder(target.path, inputs, of_documents=target.of_documents)
        OutputFolder(Path(target.path)).check(target.names)
    else:
        refuse_inputs(target.path, inputs)
        check_target(target.path)


def _targets(options: Struct) -> Iterator[Target]:
    for parameter, value in values_of(options):
        if isinstance(parameter.type, Output):
            target = parameter.type.target(None if value is None else str(value), options)
            if target is not None:
                yield target


def _inputs(options: Struct) -> Iterator[str]:
    """Yield the paths that a command reads."""
    for parameter, value in values_of(options):
        if isinstance(parameter.type, Input) and value is not None:
            for each in value if isinstance(value, tuple) else [value]:
                yield from parameter.type.paths(str(each))


def _include(options: Struct) -> list[str]:
    """Return the patterns that select files in directories."""
    (patterns,) = [v for parameter, v in values_of(options) if parameter.name == "include"] or [()]
    return list(patterns) if isinstance(patterns, tuple) else []


def _included(folder: str, include: Sequence[str]) -> list[str]:
    """Return the files of a directory that match a pattern."""
    try:
        return [str(source.path) for source in sources(folder, include)[0] if source.path]
    except InvalidInput:
        return []  # What cannot be read is reported when it is read.
