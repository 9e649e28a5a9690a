"""Errors in words."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.errors.kinds import ErrorType
from corefscope.errors.records import Error, MentionText, PartError, SpanError
from corefscope.errors.widths import cut_right

MOST_NAMED = 3
"""Mentions that a sentence names; the rest are counted."""
LONGEST = 40
"""Columns of a mention in a sentence."""


def in_words(error: Error) -> str:
    """Say what is wrong."""
    if isinstance(error, SpanError):
        return _span(error)
    some, is_one = named(error.mentions), len(error.mentions) == 1
    if isinstance(error, PartError):
        key, response = f"K{error.other}", f"R{error.entity}"
        if error.type is ErrorType.DIVIDED_ENTITY:
            key, response = f"K{error.entity}", f"R{error.other}"
            rest = "the rest, which was not found" if error.rest_is_unmatched else "the rest"
            return f"{some} of {key} {'is' if is_one else 'are'} in {response}, apart from {rest}"
        rest = "the spurious rest" if error.rest_is_unmatched else "the rest"
        belongs = "belongs" if is_one else "belong"
        return f"{some} {belongs} to {key}, not with {rest} of {response}"
    return {
        ErrorType.EXTRA_MENTION: f"{some} in R{error.entity} is no mention of the key",
        ErrorType.EXTRA_ENTITY: f"{some}: the key has no such entity",
        ErrorType.MISSING_MENTION: f"{some} of K{error.entity} was not found",
        ErrorType.MISSING_ENTITY: f"{some}: the response has no such entity",
    }[error.type]


def _span(error: SpanError) -> str:
    found, meant = error.mentions
    changes = [
        f"{what} “{short(difference.text)}” on the {side}"
        for what, side, difference in (
            ("extra", "left", error.extra_left),
            ("missing", "left", error.missing_left),
            ("extra", "right", error.extra_right),
            ("missing", "right", error.missing_right),
        )
        if difference
    ]
    return f"{named([found])} should be {named([meant])}: {', '.join(changes)}"


def named(mentions: Sequence[MentionText]) -> str:
    """Name some mentions, with their place, and count the others."""
    shown = ", ".join(map(_quoted, mentions[:MOST_NAMED]))
    more = len(mentions) - MOST_NAMED
    return shown if more <= 0 else f"{shown} and {more} more"


def _quoted(mention: MentionText) -> str:
    place = f" ({mention.place})" if mention.text and mention.place else ""
    return f"“{short(str(mention))}”{place}"


def short(text: str, width: int = LONGEST) -> str:
    """Cut a long text, visibly."""
    return cut_right(text, width)
