"""The words around a mention."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from corefscope.corpus import Corpus
from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.widths import columns, cut_left, cut_right
from corefscope.escaping import visible
from corefscope.matching.pairs import Span

WIDTH = 76
MOST_LINES = 3
"""Mentions of an error that are shown in their sentences."""


class Context:
    """Shows mentions in their sentences; reads the text of one document at a time."""

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self.sides = (key, response)
        self._text: tuple[str | None, list[str], list[range]] = None, [], []

    def lines(self, error: ErrorRecord, width: int = WIDTH) -> Iterator[str]:
        """Yield a line for each of the first mentions of an error."""
        for span in error.spans[:MOST_LINES]:
            if line := self.line(error.document, span, width):
                yield line

    def line(self, document: str, span: Span, width: int = WIDTH) -> str:
        """Return the mention in brackets, with as much of its sentence around it as fits."""
        before, mention, after = self.around(document, span, width)
        return f"{before}[{mention}]{after}" if mention else ""

    def around(self, document: str, span: Span, width: int) -> tuple[str, str, str]:
        """Return the words before a mention, the mention, and the words after it."""
        words, sentences = self._words(document)
        start, end = span
        if end >= len(words):
            return "", "", ""
        # More words than columns do not fit; a sentence may be a book, a word as long as one.
        inside = words[start : min(end, start + width) + 1]
        mention = cut_right(" ".join([word[:width] for word in inside]), max(width - 20, 10))
        first, last = _sentence(sentences, start).start, _sentence(sentences, end).stop
        before = " ".join([word[-width:] for word in words[max(first, start - width) : start]])
        after = " ".join([word[:width] for word in words[end + 1 : min(last, end + 1 + width)]])
        room = max(width - columns(mention) - 4, 0)
        left = min(columns(before), max(room // 2, room - columns(after)))
        right = min(columns(after), room - left)
        before, after = cut_left(before, left), cut_right(after, right)
        return f"{before} " if before else "", mention, f" {after}" if after else ""

    def sentence(self, document: str, token: int) -> int | None:
        """Return the number of a token's sentence, from 1; None where there are no words."""
        words, sentences = self._words(document)
        return _number(sentences, token) + 1 if token < len(words) else None

    def _words(self, document: str) -> tuple[list[str], list[range]]:
        if self._text[0] != document:
            found = [side[document] for side in self.sides if document in side]
            text = next((doc for doc in found if doc.words), found[0])
            words = [visible(word) for word in text.words or ()]
            self._text = document, words, text.sentences
        return self._text[1], self._text[2]


def _sentence(sentences: list[range], token: int) -> range:
    """Return the sentence of a token; sentences are the whole text, in order."""
    return sentences[_number(sentences, token)]


def _number(sentences: list[range], token: int) -> int:
    return bisect_right(sentences, token, key=lambda sentence: sentence.start) - 1
