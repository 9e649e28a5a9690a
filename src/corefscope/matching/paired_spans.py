"""Mentions of both sides as spans of the key's tokens, where mentions are sets of words.

Analyses that look at one document of both sides identify a mention by its first and last token.
Where mentions have gaps, where key and response have different empty nodes, and where mentions are
paired by head, this is not enough. Here paired mentions get the span that the key has, and all
others a span that nothing on the other side has.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field
from typing import NamedTuple

import numpy as np

from corefscope.corpus import Integers
from corefscope.corpus.mentions import Span
from corefscope.matching.overlap import Side
from corefscope.matching.words import MentionWords, NodePlace
from corefscope.records import dataclass

GAP = " … "
"""What a reader sees in place of a gap."""


class Zero(NamedTuple):
    """Where a zero stands that the key has no token for."""

    nodes: tuple[NodePlace, ...]
    """Its empty nodes; zeros in the order of these are in the order of the text."""
    is_before: bool
    """Whether it stands before the token of its span, or after it."""


class MarkedSpan(tuple[int, int]):
    """A span that differs from all others with the same first and last token.

    Parameters
    ----------
    span
        The first and the last token in the key.
    parts
        The first and last token of each part; no part if the key has none of the tokens, which
        happens to a zero that only the response has.
    mark
        What makes it differ from other spans.
    zero
        Where a zero without parts stands.
    """

    parts: tuple[Span, ...]
    mark: Hashable
    zero: Zero | None

    def __new__(
        cls, span: Span, parts: tuple[Span, ...], mark: Hashable, zero: Zero | None = None
    ) -> MarkedSpan:
        """Make a span with a mark."""
        self = super().__new__(cls, span)
        self.parts, self.mark, self.zero = parts, mark, zero
        return self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MarkedSpan) and tuple.__eq__(self, other) and self.mark == other.mark
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((tuple.__hash__(self), self.mark))

    def __reduce__(
        self,
    ) -> tuple[type[MarkedSpan], tuple[Span, tuple[Span, ...], Hashable, Zero | None]]:
        return MarkedSpan, ((self[0], self[1]), self.parts, self.mark, self.zero)


def parts_of(span: Span) -> tuple[Span, ...]:
    """Return the parts of a mention: itself if it has no gaps, none if it has no tokens."""
    return span.parts if isinstance(span, MarkedSpan) else (span,)


def identified(span: Span) -> str:
    """Return a text that no other mention of a document has: ``3-5``, or ``3-3,5-5`` with a gap.

    A zero that the key has no token for is named by its place, as ``after-7.1``: the first node
    after the seventh word of the document. ``after-7+.1`` opens the sentence after that word.
    """
    if isinstance(span, MarkedSpan) and span.zero:
        return "after-" + ",".join(map(str, span.zero.nodes))
    return ",".join(f"{start}-{end}" for start, end in parts_of(span))


def in_words(words: Sequence[str], parts: Sequence[Span], most: int) -> str:
    """Return a mention as text, with an ellipsis for each gap.

    Parameters
    ----------
    words
        The words of the document.
    parts
        The first and last token of each part.
    most
        How many words of a part, and characters of a word, are of interest. A mention, or a single
        word, may be as long as a book.

    Returns
    -------
    str
        The text, at least as long as what is of interest, if there is as much.
    """
    return GAP.join(
        " ".join([word[: most + 1] for word in words[first : min(last, first + most) + 1]])
        for first, last in parts
    )


def paired_spans(
    words: tuple[MentionWords, MentionWords], sides: tuple[Side, Side]
) -> tuple[list[Span], list[Span]]:
    """Return the mentions of two numbered sides as spans of the key's tokens.

    Parameters
    ----------
    words
        The mentions of key and response as words.
    sides
        What is compared; paired mentions have the same number.

    Returns
    -------
    tuple of lists
        For each mention of each side its span; the same for paired mentions only.
    """
    names = _Names(words[0])
    key = [names.of_key(row) for row in sides[0].mention_row.tolist()]
    span_of = dict(zip(sides[0].mention.tolist(), key, strict=True))
    response = [
        span_of[number] if number in span_of else names.of_response(words[1], row)
        for number, row in zip(
            sides[1].mention.tolist(), sides[1].mention_row.tolist(), strict=True
        )
    ]
    return key, response


@dataclass(slots=True)
class _Names:
    """Gives spans to mentions, no span twice in a document."""

    key: MentionWords
    taken: set[tuple[int, Span]] = field(default_factory=set)

    def of_key(self, row: int) -> Span:
        """Return the span of a mention of the key."""
        corpus, document = self.key.corpus, int(self.key.document[row])
        assert corpus.mention_spans is not None
        start, end = corpus.mention_spans[row].tolist()
        parts = corpus.mention_parts.get(row, ((start, end),))
        return self._new(document, (start, end), parts, ("key", int(self.key.head[row])))

    def of_response(self, words: MentionWords, row: int) -> Span:
        """Return a span for a mention that only the response has."""
        document = int(words.document[row])
        places = words.words(row)
        parts = _runs(self.key.tokens(document, places))
        cuts = words.corpus.mention_cuts.get(row)
        if cuts is not None:
            # It is not the mention that consists of these tokens.
            return MarkedSpan((parts[0][0], parts[-1][1]), parts, ("cut", parts, cuts))
        mark = "response", places, int(words.head[row])
        if parts:
            return self._new(document, (parts[0][0], parts[-1][1]), parts, mark)
        # A zero that the key lacks stands beside a token of the key.
        token, is_before = self.key.token_beside(document, min(places))
        nodes = tuple(self.key.node_place(document, place) for place in sorted(places))
        return self._new(document, (token, token), parts, mark, Zero(nodes, is_before))

    def _new(
        self,
        document: int,
        span: Span,
        parts: tuple[Span, ...],
        mark: Hashable,
        zero: Zero | None = None,
    ) -> Span:
        # What a mention is called must not depend on the system, so that systems can be compared.
        found = span if parts == (span,) else MarkedSpan(span, parts, zero or parts, zero)
        if (document, found) in self.taken:
            found = MarkedSpan(span, parts, mark, zero)
        self.taken.add((document, found))
        return found


def _runs(tokens: Integers) -> tuple[Span, ...]:
    """Return the first and last of each run of consecutive tokens."""
    if not len(tokens):
        return ()
    runs = np.split(tokens, np.flatnonzero(np.diff(tokens) > 1) + 1)
    return tuple((int(run[0]), int(run[-1])) for run in runs)
