"""Errors in words."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import (
    EntityError,
    ErrorRecord,
    MentionText,
    PartError,
    SpanError,
)
from corefscope.error_analysis.widths import cut_right

MOST_NAMED = 3
"""Mentions that a sentence names; the rest are counted."""
LONGEST = 40
"""Columns of a mention in a sentence."""


def in_words(error: ErrorRecord) -> str:
    """Say what is wrong."""
    if isinstance(error, SpanError):
        return _span(error)
    some, is_one = named(error.mentions), len(error.mentions) == 1
    if isinstance(error, PartError):
        if error.type is ErrorType.DIVIDED_ENTITY:
            rest = "the rest, which was not found" if error.rest_is_unmatched else "the rest"
            apart = f"{'is' if is_one else 'are'} in {error.other}, apart from {rest}"
            return f"{some} of {error.entity} {apart}"
        rest = "the spurious rest" if error.rest_is_unmatched else "the rest"
        belongs = "belongs" if is_one else "belong"
        return f"{some} {belongs} to {error.other}, not with {rest} of {error.entity}"
    if isinstance(error, EntityError):
        other = "key" if error.type is ErrorType.EXTRA_ENTITY else "response"
        has = f"only pronouns of {error.entity}" if error.matched else f"nothing of {error.entity}"
        return f"{some}: the {other} has {has}"
    if error.type is ErrorType.EXTRA_MENTION:
        return f"{some} in {error.entity} is not a mention of the key"
    return f"{some} of {error.entity} was not found"


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
