"""Which lines of the package an input reaches: an input that reaches new ones is worth mutating."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import corefscope

PACKAGE = str(Path(corefscope.__file__).parent)
"""The folder of the package."""


class Lines:
    """The lines that were reached so far."""

    def __init__(self) -> None:
        self.seen: set[tuple[CodeType, int]] = set()

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Record the lines that the block reaches; it is several times as slow."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(PACKAGE) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.seen.add((frame.f_code, frame.f_lineno))
        return self._line
