"""The words around a mention, within its sentence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from corefscope.error_analysis.widths import columns, cut_left, cut_right
from corefscope.matching.texts import Span


def around(
    words: Sequence[str], sentences: Sequence[range], span: Span, width: int
) -> tuple[str, str, str]:
    """Return the words before a mention, the mention, and the words after it.

    They take as many columns as fit into ``width``, and no more time than that, however long the
    sentence is. Where there are no words, all three are empty.
    """
    start, end = span
    if end >= len(words):
        return "", "", ""
    # More words than columns do not fit; a sentence may be a book, a word as long as one.
    inside = words[start : min(end, start + width) + 1]
    mention = cut_right(" ".join([word[:width] for word in inside]), max(width - 20, 10))
    first = sentences[sentence_number(sentences, start)].start
    last = sentences[sentence_number(sentences, end)].stop
    before = " ".join([word[-width:] for word in words[max(first, start - width) : start]])
    after = " ".join([word[:width] for word in words[end + 1 : min(last, end + 1 + width)]])
    room = max(width - columns(mention) - 4, 0)
    left = min(columns(before), max(room // 2, room - columns(after)))
    right = min(columns(after), room - left)
    return cut_left(before, left), mention, cut_right(after, right)


def sentence_number(sentences: Sequence[range], token: int) -> int:
    """Return the number of the sentence of a token, from 0; sentences are the whole text."""
    return bisect_right(sentences, token, key=lambda sentence: sentence.start) - 1
