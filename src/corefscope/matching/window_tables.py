"""Windows as callers ask for them: sizes, or a table of where windows start."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from operator import index
from os import PathLike, fspath
from typing import NoReturn, SupportsIndex

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.formats.reading.limits import side_file
from corefscope.matching.division import Starts, Window


def windows_asked(window: object) -> tuple[Window, ...]:
    """Return the windows that a caller asks for.

    Parameters
    ----------
    window
        A number of tokens, several of them (``[500, 1500]``, ``"500,1500"``), the path of a table
        with the columns ``document``, ``start`` and ``name``, or the same as
        ``{document: {start: name}}``. None asks for nothing.

    Raises
    ------
    ValueError
        If a size is not a positive whole number.
    InvalidInput
        If the table cannot be read (``E108``, ``E501``).
    """
    if window is None:
        return ()
    if isinstance(window, Mapping):
        return (_window_table(window),)
    text = fspath(window) if isinstance(window, PathLike) else window
    if isinstance(text, str) and not _SIZES.fullmatch(text):
        return (Window(starts=_read_table(text), path=text),)
    sizes = text.split(",") if isinstance(text, str) else window
    given = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    if not given:
        raise ValueError("found no size of windows; expected one or more, such as [500, 1500]")
    found = tuple(Window(size=_size(each)) for each in given)
    if len(set(found)) < len(found):
        raise ValueError(f"a size of windows is given twice in {text}; expected each once")
    return found


_SIZES = re.compile(r"\s*[-+]?\d+\s*(,\s*[-+]?\d+\s*)*")


def _size(given: object) -> int:
    number = int(given) if isinstance(given, str) and given.strip().isdecimal() else given
    size = index(number) if isinstance(number, SupportsIndex) else 0
    if size < 1 or isinstance(given, bool):
        raise ValueError(f"found a window of {given!r} tokens; expected a whole number, 1 or more")
    return size


def _window_table(given: Mapping[object, object]) -> Window:
    """Return the windows of ``{document: {start: name}}``."""
    starts: dict[str, dict[int, str]] = {}
    for document, windows in given.items():
        if not isinstance(document, str) or not isinstance(windows, Mapping) or not windows:
            raise ValueError(
                f"found windows {windows!r} of {document!r}; expected {{document: {{start: name}}}}"
            )
        places = [index(start) if isinstance(start, SupportsIndex) else -1 for start in windows]
        if places[0] < 0 or any(next <= one for one, next in pairwise(places)):
            raise ValueError(
                f"the windows of {document!r} start at {places}; expected ascending numbers from 0"
            )
        starts[document] = dict(zip(places, map(str, windows.values()), strict=True))
    return Window(starts=starts)


COLUMNS = ("document", "start", "name")
"""The columns of a table of windows."""


def _read_table(path: str) -> Starts:
    """Read a table of windows, with tabs or commas between its columns."""
    try:
        text = side_file(path)
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:
        raise InvalidInput.of(
            Code.UNREADABLE,
            str(error),
            expected="sizes of windows, such as 500,1500, or the path of a table",
            file=path,
        ) from None
    rows = _rows(text)
    starts: dict[str, dict[int, str]] = {}
    line, heading = next(rows, (None, []))
    if sorted(heading) != sorted(COLUMNS):
        _refuse(path, line, f"found the columns {', '.join(heading)!r}", COLUMNS_ARE)
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            _refuse(path, line, f"found {len(cells)} cells", "document, start and name")
        document, start, name = (cells[heading.index(column)] for column in COLUMNS)
        _add_window(starts.setdefault(document, {}), start, name, path, line)
    if not starts:
        _refuse(path, None, "the table has no windows", COLUMNS_ARE)
    return starts


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a table that are not blank, with their numbers."""
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(cells):
            yield rows.line_num, cells


COLUMNS_ARE = (
    "the columns document, start and name, separated by tabs or commas, and a line for each window"
)


def _add_window(
    windows: dict[int, str], start: str, name: str, path: str, line: int | None
) -> None:
    if not start.isascii() or not start.isdigit():
        _refuse(path, line, f"found the start {start!r}", "the number of a token, from 0")
    if not name:
        _refuse(path, line, "found a window without a name", "its name")
    before = next(reversed(windows), -1)
    if int(start) <= before:
        _refuse(path, line, f"found the start {start} after {before}", "a larger one")
    windows[int(start)] = name


def _refuse(path: str, line: int | None, found: str, expected: str) -> NoReturn:
    raise InvalidInput.of(Code.NO_UNIT, found, expected=expected, file=path, line=line)
