"""The five operations and seven error types of Kummerfeld & Klein (2013)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

Mode = Literal["standard", "berkeley"]
"""Follow the paper, or reproduce the counts of the published tool."""


class Operation(StrEnum):
    """The operations that turn the response into the key, in order (section 3.1)."""

    ALTER_SPAN = "alter_span"
    SPLIT = "split"
    REMOVE = "remove"
    INTRODUCE = "introduce"
    MERGE = "merge"


class ErrorType(StrEnum):
    """The error types that operations are mapped to (section 3.2), in the order of Table 1."""

    SPAN_ERROR = "span_error"
    CONFLATED_ENTITIES = "conflated_entities"
    EXTRA_MENTION = "extra_mention"
    EXTRA_ENTITY = "extra_entity"
    DIVIDED_ENTITY = "divided_entity"
    MISSING_MENTION = "missing_mention"
    MISSING_ENTITY = "missing_entity"

    @property
    def label(self) -> str:
        """The name of the type as the paper prints it."""
        return self.replace("_", " ").title()
