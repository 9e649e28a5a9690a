"""The words of Kummerfeld & Klein (2013): five operations, seven types of error."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

Mode = Literal["standard", "berkeley"]
"""Our reading of the paper, or the counts that the published tool prints."""


class Operation(StrEnum):
    """What transforms the response into the key, in the order of its stages (section 3.1)."""

    ALTER_SPAN = "alter_span"
    SPLIT = "split"
    REMOVE = "remove"
    INTRODUCE = "introduce"
    MERGE = "merge"


class ErrorType(StrEnum):
    """What the operations are mapped onto (section 3.2), in the order of the paper's Table 1."""

    SPAN_ERROR = "span_error"
    CONFLATED_ENTITIES = "conflated_entities"
    EXTRA_MENTION = "extra_mention"
    EXTRA_ENTITY = "extra_entity"
    DIVIDED_ENTITY = "divided_entity"
    MISSING_MENTION = "missing_mention"
    MISSING_ENTITY = "missing_entity"

    @property
    def label(self) -> str:
        """The type as the paper prints it."""
        return self.replace("_", " ").title()
