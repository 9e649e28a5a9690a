"""The words around a mention, cut to a width on the terminal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from corefscope.formatting import cut_left, cut_right, display_width
from corefscope.matching.mention_table import Where
from corefscope.matching.texts import ZERO


def around(
    words: Sequence[str], sentences: Sequence[range], where: Where, width: int
) -> tuple[str, str, str]:
    """Return the words before a mention, the mention, and the words after it.

    Together they fit into ``width`` columns, and long sentences take no more time than short ones.
    Without words, all three are empty. Of a mention with gaps only the parts are shown. A zero that
    the key has no token for is shown by a sign.
    """
    start, end = where.span
    if end >= len(words):
        return "", "", ""
    first = sentences[_sentence_of(sentences, start)].start
    last = sentences[_sentence_of(sentences, end)].stop
    text = where.words(words, width)
    if where.zero:
        text = ZERO
        start, end = (start, end - 1) if where.zero.is_before else (start + 1, end)
    mention = cut_right(text, max(width - 20, 10))
    # No more words than columns can fit. A sentence, or a single word, may be as long as a book.
    before = " ".join([word[-width:] for word in words[max(first, start - width) : start]])
    after = " ".join([word[:width] for word in words[end + 1 : min(last, end + 1 + width)]])
    room = max(width - display_width(mention) - 4, 0)
    left = min(display_width(before), max(room // 2, room - display_width(after)))
    right = min(display_width(after), room - left)
    return cut_left(before, left), mention, cut_right(after, right)


def _sentence_of(sentences: Sequence[range], token: int) -> int:
    """Return the number of the sentence of a token, from 0; the sentences cover the whole text."""
    return bisect_right(sentences, token, key=lambda sentence: sentence.start) - 1
