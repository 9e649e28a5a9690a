"""A mention with its words, and how sentences name mentions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from corefscope.error_analysis.context import cut_right
from corefscope.matching.paired_spans import MarkedSpan
from corefscope.matching.texts import Span
from corefscope.records import dataclass

MOST_NAMED = 3
"""The maximum number of mentions that a sentence names; the rest are counted."""
LONGEST = 40
"""The maximum width of a mention in a sentence, in columns."""


@dataclass(frozen=True, slots=True)
class MentionText:
    """A mention with its words."""

    span: Span
    """First and last token; if mentions are not spans of tokens, the mention's number twice."""
    text: Annotated[
        str | None,
        "the words, cut after 400 characters; null without words; the id of a mention that is "
        "not a span of tokens",
    ]
    is_span: bool = True
    """Whether it is a span of tokens."""

    def __str__(self) -> str:
        return self.text or f"({self.place()})"

    @property
    def start(self) -> int | None:
        """The first token; null for a mention that is not a span of tokens."""
        return self.span[0] if self.is_span else None

    @property
    def end(self) -> int | None:
        """The last token; null for a mention that is not a span of tokens."""
        return self.span[1] if self.is_span else None

    def place(self) -> str:
        """Return its tokens as text; an empty text if it is not a span of tokens."""
        return tokens(self.span) if self.is_span else ""


def tokens(span: Span) -> str:
    """Return the tokens of a mention as text, such as ``3`` or ``3–5``.

    A mention with gaps has several parts, as ``3, 5–6``. A zero that the key has no token for is
    ``after 3``, or ``before 3`` at the beginning of a sentence.
    """
    if isinstance(span, MarkedSpan):
        if span.zero:
            return f"{'before' if span.zero.is_before else 'after'} {span[0]}"
        return ", ".join(map(tokens, span.parts))
    start, end = span
    return f"{start}" if start == end else f"{start}–{end}"


def named(mentions: Sequence[MentionText]) -> str:
    """Return a list of mentions for a sentence: the first ones with their place, then a count."""
    shown = ", ".join(map(_quoted, mentions[:MOST_NAMED]))
    more = len(mentions) - MOST_NAMED
    return shown if more <= 0 else f"{shown} and {more} more"


def _quoted(mention: MentionText) -> str:
    place = mention.place()
    return f"“{short(str(mention))}”{f' ({place})' if mention.text and place else ''}"


def short(text: str, width: int = LONGEST) -> str:
    """Shorten a long text, and mark the cut with an ellipsis."""
    return cut_right(text, width)
