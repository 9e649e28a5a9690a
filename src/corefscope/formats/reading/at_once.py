"""Read a key and its responses, or several inputs to validate, at the same time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from corefscope.corpus import Corpus
from corefscope.engines import CannotSend, current
from corefscope.exceptions import CorefscopeError
from corefscope.formats.reading.source import STANDARD_INPUT

ENOUGH_AT_ONCE = (3 if sys.platform == "linux" else 32) << 20
"""How many bytes a file has at least that is read beside another. Nothing has to be joined, but
where processes are not copied, starting one takes as long as reading many megabytes."""


class FileToRead(NamedTuple):
    """A file, and what reads it."""

    path: str
    read: Callable[[], Corpus]

    def __str__(self) -> str:
        return self.path


def at_once(files: Sequence[FileToRead]) -> list[Callable[[], Corpus]]:
    """Return what reads each file; the first that is called reads all, if that pays off.

    A file with errors, or whose corpus cannot be sent, is read again in this process when its turn
    comes, so that errors are raised in the order in which the files are asked for.
    """
    if not pay_off_at_once([file.path for file in files]):
        return [file.read for file in files]
    results = current().map(_read_elsewhere, files)
    found: list[Corpus | None] = []

    def corpus(number: int) -> Corpus:
        while len(found) <= number:
            try:
                found.append(next(results, None))
            except CannotSend:
                found.append(None)
        # It is not kept longer than whoever asks for it needs it.
        given, found[number] = found[number], None
        return files[number].read() if given is None else given

    return [partial(corpus, number) for number in range(len(files))]


def _read_elsewhere(file: FileToRead) -> Corpus | None:
    """Read a file; return None if that has to be done by the process that asks."""
    try:
        return file.read()
    except CorefscopeError:
        return None


def pay_off_at_once(paths: Sequence[str]) -> bool:
    """Return whether it pays off to read files at the same time."""
    engine = current()
    # A file may have this name, but standard input is meant.
    if min(engine.workers, len(paths)) < 2 or STANDARD_INPUT in paths:
        return False
    try:
        sizes = sorted(map(_size, paths))
    except (OSError, ValueError):
        return False
    return sizes[0] >= 0 and (engine.is_asked or sizes[-2] >= ENOUGH_AT_ONCE)


def _size(path: str) -> int:
    """Return the size of a file, or of all files of a folder; -1 if it is neither."""
    place = Path(path)
    if place.is_dir():
        return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    return place.stat().st_size if place.is_file() else -1
