"""What could not be read in a layer of a text, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Layer: TypeAlias = Literal["parse", "names"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where a layer makes no sense, so that a caller can report it."""

    layer: Layer
    token: int
    """The token of the document, from 0."""
    reason: str


class UnreadableTree(ValueError):
    """The parse bits of a sentence are not one tree."""

    def __init__(self, token: int, reason: str) -> None:
        super().__init__(token, reason)
        self.token = token
        self.reason = reason

    def __str__(self) -> str:
        return f"token {self.token}: {self.reason}"
