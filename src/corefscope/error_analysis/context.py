"""The words around a mention, cut to a width on the terminal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from unicodedata import combining, east_asian_width

from corefscope.matching.paired_spans import MarkedSpan
from corefscope.matching.texts import ZERO, Span


def around(
    words: Sequence[str], sentences: Sequence[range], span: Span, width: int
) -> tuple[str, str, str]:
    """Return the words before a mention, the mention, and the words after it.

    Together they fit into ``width`` columns, and long sentences take no more time than short ones.
    Without words, all three are empty. A zero that the key has no token for is shown by a sign,
    after the word before it.
    """
    start, end = span
    if end >= len(words):
        return "", "", ""
    first = sentences[_sentence_of(sentences, start)].start
    last = sentences[_sentence_of(sentences, end)].stop
    # No more words than columns can fit. A sentence, or a single word, may be as long as a book.
    inside = words[start : min(end, start + width) + 1]
    if isinstance(span, MarkedSpan) and not span.parts:
        start, inside = end + 1, [ZERO]
    mention = cut_right(" ".join([word[:width] for word in inside]), max(width - 20, 10))
    before = " ".join([word[-width:] for word in words[max(first, start - width) : start]])
    after = " ".join([word[:width] for word in words[end + 1 : min(last, end + 1 + width)]])
    room = max(width - columns(mention) - 4, 0)
    left = min(columns(before), max(room // 2, room - columns(after)))
    right = min(columns(after), room - left)
    return cut_left(before, left), mention, cut_right(after, right)


def _sentence_of(sentences: Sequence[range], token: int) -> int:
    """Return the number of the sentence of a token, from 0; the sentences cover the whole text."""
    return bisect_right(sentences, token, key=lambda sentence: sentence.start) - 1


def columns(text: str) -> int:
    """Return the width of a text on a terminal: East Asian characters take two columns."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut_right(text: str, width: int) -> str:
    """Shorten a text that is too wide at its end, and mark the cut with an ellipsis."""
    if columns(text) <= width:
        return text
    room = accumulate(map(_columns_of, text))
    return text[: sum(used < width for used in room)] + "…" if width > 0 else ""


def cut_left(text: str, width: int) -> str:
    """Shorten a text that is too wide at its beginning, and mark the cut with an ellipsis."""
    return cut_right(text[::-1], width)[::-1]
