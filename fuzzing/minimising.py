"""Make a failing case smaller while it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from fuzzing.cases import Case

Fails = Callable[[Case], bool]
Pieces = TypeVar("Pieces", bytes, list[bytes])
MOST_TRIES = 500
MOST_CPU_SECONDS = 60.0


def minimised(case: Case, fails: Fails) -> Case:
    """Return the smallest failing case that is found with a limited effort.

    Files lose lines, then bytes, in pieces of decreasing size; a command loses arguments. A file
    that has a mistake on purpose loses whole lines only, because it has to stay well-formed.
    """
    end, tries = time.process_time() + MOST_CPU_SECONDS, 0
    progress = True
    while progress:
        progress = False
        for candidate in _smaller(case):
            tries += 1
            if tries > MOST_TRIES or time.process_time() > end:
                return case
            if fails(candidate):
                case, progress = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Yield smaller cases, the smallest first."""
    if case.check in ("command", "process"):
        yield from _with_less_to_do(case)
    for name, data in case.files.items():
        for smaller in _smaller_files(data, whole_lines=case.check == "silence"):
            yield replace(case, files={**case.files, name: smaller})


def _with_less_to_do(case: Case) -> Iterator[Case]:
    """Yield a command without each of its files, and without one or two of its words."""
    for name in case.files:
        yield replace(case, files={n: d for n, d in case.files.items() if n != name})
    for width in (2, 1):
        for place in range(1, len(case.arguments) - width + 1):
            words = (*case.arguments[:place], *case.arguments[place + width :])
            yield replace(case, arguments=words)


def _smaller_files(data: bytes, whole_lines: bool) -> Iterator[bytes]:
    lines = data.splitlines(keepends=True)
    for kept in _without_pieces(lines, len(lines) // 2):
        yield b"".join(kept)
    if not whole_lines:
        yield from _without_pieces(data, min(len(data) // 2, 64))


def _without_pieces(whole: Pieces, size: int) -> Iterator[Pieces]:
    """Yield the whole without each of its pieces of a size, of half that size, and so on."""
    while size:
        for start in range(0, len(whole), size):
            yield whole[:start] + whole[start + size :]
        size //= 2
