"""The text of a document, for formats that count its characters."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from corefscope.corpus import Document, Mention
from corefscope.formats.writing.expressing import all_words, cannot, is_encodable, span_of


class PlainText(Struct, frozen=True):
    """A text, and where its tokens are: begin and end in code points, ends exclusive."""

    text: str
    characters: Sequence[tuple[int, int]]

    def place(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return where a span of tokens begins and ends."""
        return self.characters[span[0]][0], self.characters[span[1]][1]

    def string(self, span: tuple[int, int]) -> str:
        """Return the text of a span of tokens."""
        begin, end = self.place(span)
        return self.text[begin:end]


def plain_text(document: Document) -> PlainText:
    """Return the text of a document.

    If it is not known, or has words that are no tokens, words are joined by spaces, and sentences
    by line breaks.
    """
    words = all_words(document)
    text, characters = document.text, document.characters
    if text is None or characters is None or _has_others(text, characters):
        text, characters = _joined(document, words)
    if not is_encodable(text):
        raise cannot(document, "its text has characters that cannot be written as UTF-8")
    if "\0" in text:
        raise cannot(document, "its text has a NUL character, at which text files cannot be read")
    return PlainText(text, characters)


def _has_others(text: str, characters: Sequence[tuple[int, int]]) -> bool:
    """Return whether a text has words that no token has: they would be read as tokens."""
    edges = [0, *(edge for place in characters for edge in place), len(text)]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return any(text[end:begin].strip() for end, begin in gaps)


def _joined(document: Document, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    ends = {sentence.stop for sentence in document.sentences}
    parts: list[str] = []
    characters, length = [], 0
    for token, word in enumerate(words, start=1):
        characters.append((length, length + len(word)))
        parts += [word, "\n" if token in ends else " "]
        length += len(word) + 1
    return "".join(parts), characters


def seen_span(document: Document, text: PlainText, mention: Mention) -> tuple[int, int]:
    """Return first and last token of a mention, which must have characters."""
    span = span_of(document, mention)
    for part in mention.parts:
        begin, end = text.place(part)
        if not text.text[begin:end].strip() or begin >= end:
            raise cannot(document, f"mention {span} has no characters", expected="some")
        # Readers of such formats take blanks at the edges of a mention for mistakes.
        if text.text[begin:end] != text.text[begin:end].strip():
            raise cannot(document, f"mention {span} begins or ends with a blank word")
    return span
