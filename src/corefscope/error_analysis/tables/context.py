"""Mentions in the context of their sentences."""

from __future__ import annotations

from collections.abc import Iterator

from corefscope.corpus import Corpus
from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.context import around
from corefscope.escaping import visible
from corefscope.matching.mention_table import Where
from corefscope.matching.texts import with_zeros

WIDTH = 76
MOST_LINES = 3
"""How many mentions of an error are shown."""


class Context:
    """Show mentions in their sentences; keep the text of one document at a time."""

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self.sides = (key, response)
        self._text: tuple[str | None, list[str], list[range]] = None, [], []

    def lines(self, error: ErrorRecord, width: int = WIDTH) -> Iterator[str]:
        """Yield one line for each of the first mentions of an error."""
        for mention in error.mentions[:MOST_LINES]:
            where = mention.where
            if where and (line := self.line(error.document, where, width)):
                yield line

    def line(self, document: str, where: Where, width: int = WIDTH) -> str:
        """Return the mention in brackets, with as much of its sentence around it as fits."""
        before, mention, after = self.around(document, where, width)
        return f"{before}[{mention}]{after}" if mention else ""

    def around(self, document: str, where: Where, width: int) -> tuple[str, str, str]:
        """Return the words before a mention, the mention, and the words after it."""
        before, mention, after = around(*self._words(document), where, width)
        return f"{before} " if before else "", mention, f" {after}" if after else ""

    def _words(self, document: str) -> tuple[list[str], list[range]]:
        if self._text[0] != document:
            found = [side[document] for side in self.sides if document in side]
            text = next((doc for doc in found if doc.words), found[0])
            empty = frozenset(text.corpus.empty_nodes.tokens_of(text.index))
            words = [visible(word) for word in with_zeros(text.words or [], empty)]
            self._text = document, words, text.sentences
        return self._text[1], self._text[2]
