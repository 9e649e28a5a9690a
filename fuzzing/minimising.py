"""Make a failing case smaller while it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from fuzzing.cases import Case

Fails = Callable[[Case], bool]
MOST_TRIES = 500
MOST_CPU_SECONDS = 60.0


def minimised(case: Case, fails: Fails) -> Case:
    """Return the smallest failing case that is found with a limited effort.

    Files lose lines, then bytes, in pieces of decreasing size; a command loses arguments.
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
        for name in case.files:
            yield replace(case, files={n: d for n, d in case.files.items() if n != name})
        for width in (2, 1):
            for place in range(1, len(case.arguments) - width + 1):
                kept = (*case.arguments[:place], *case.arguments[place + width :])
                yield replace(case, arguments=kept)
    for name, data in case.files.items():
        for smaller in _pieces_removed(data):
            yield replace(case, files={**case.files, name: smaller})


def _pieces_removed(data: bytes) -> Iterator[bytes]:
    """Yield the data without a half, a quarter, … of its lines, then of its bytes."""
    lines = data.splitlines(keepends=True)
    size = len(lines) // 2
    while size:
        for start in range(0, len(lines), size):
            yield b"".join(lines[:start] + lines[start + size :])
        size //= 2
    size = min(len(data) // 2, 64)
    while size:
        for start in range(0, len(data), size):
            yield data[:start] + data[start + size :]
        size //= 2
