"""The five operations and seven error types of Kummerfeld & Klein (2013)."""

from __future__ import annotations

from collections.abc import Mapping
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


ACTIONS: Mapping[str, tuple[ErrorType, ...]] = {
    "span_error": (ErrorType.SPAN_ERROR,),
    "wrong_links": (ErrorType.CONFLATED_ENTITIES, ErrorType.DIVIDED_ENTITY),
    "extra_mention": (ErrorType.EXTRA_MENTION,),
    "extra_entity": (ErrorType.EXTRA_ENTITY,),
    "missing_mention": (ErrorType.MISSING_MENTION,),
    "missing_entity": (ErrorType.MISSING_ENTITY,),
}
"""What one can correct in a system, as error types.

A mention in the wrong entity is both a division and a conflation: to correct one of them alone
leaves it in a wrong place, and may lower a score. So both are one action.
"""


def action_label(action: str) -> str:
    """Return the name of an action for tables."""
    return action.replace("_", " ").title()
