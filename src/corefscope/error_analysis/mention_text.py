"""A mention with its words, and how sentences name mentions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from corefscope.corpus.mentions import Span
from corefscope.formatting import cut_right
from corefscope.matching.mention_table import MentionTable, Where

MOST_NAMED = 3
"""The maximum number of mentions that a sentence names; the rest are counted."""


class MentionText(Struct, frozen=True, kw_only=True):
    """A mention with its words."""

    span: Span | None
    """First and last token; None if it is an id."""
    text: Annotated[
        str | None,
        "the words, cut after 400 characters; null without words; the id of a mention that is "
        "not a span of tokens",
    ]
    number: int
    """Its number in the document, among the mentions of key and response."""
    where: Where | None
    """Where it stands in the text, gaps included; None if it is an id."""

    @classmethod
    def of(cls, table: MentionTable, mention: int, words: str | None) -> MentionText:
        """Return a mention of a document with its words; an id is shown in place of words."""
        if not table.has_spans:
            return cls(span=None, text=str(table.ids[mention]), number=mention, where=None)
        where = table.where(mention)
        return cls(span=where.span, text=words, number=mention, where=where)

    def __repr__(self) -> str:
        return f"MentionText(span={self.span!r}, text={self.text!r})"

    def __str__(self) -> str:
        return self.text or f"({self.place()})"

    @property
    def start(self) -> int | None:
        """The first token; null for a mention that is not a span of tokens."""
        return None if self.span is None else self.span[0]

    @property
    def end(self) -> int | None:
        """The last token; null for a mention that is not a span of tokens."""
        return None if self.span is None else self.span[1]

    def place(self) -> str:
        """Return its tokens as text; an empty text if it is not a span of tokens."""
        return "" if self.where is None else self.where.tokens()


def named(mentions: Sequence[MentionText]) -> str:
    """Return a list of mentions for a sentence: the first ones with their place, then a count."""
    shown = ", ".join(map(_quoted, mentions[:MOST_NAMED]))
    more = len(mentions) - MOST_NAMED
    return shown if more <= 0 else f"{shown} and {more} more"


def _quoted(mention: MentionText) -> str:
    place = mention.place()
    return f"“{cut_right(str(mention))}”{f' ({place})' if mention.text and place else ''}"
