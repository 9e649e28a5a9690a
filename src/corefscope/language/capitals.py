"""Names told by their capitals, for texts without tags."""

from __future__ import annotations

from collections.abc import Container, Sequence

from corefscope.language.tables import Language


class Capitals:
    """The words of a document, and which of them are names by the look of them.

    A capital at the beginning of a sentence says nothing if the document has the same word in
    lowercase. Scripts without capitals have no such names.
    """

    def __init__(
        self, words: Sequence[str], first_words: Container[int], language: Language
    ) -> None:
        self._words = words
        self._first_words = first_words
        self._closed_class = language.closed_class
        self._lowercase = {word for word in words if word == word.lower()}

    def is_name(self, token: int) -> bool:
        """Return whether a token is capitalised as names are."""
        word = self._words[token]
        if not word[:1].isupper():
            return False
        lowercase = word.lower()
        # "US" is not "Us": only the capital of a title or of "I" is without meaning.
        if lowercase in self._closed_class and word == lowercase.capitalize():
            return False
        return token not in self._first_words or lowercase not in self._lowercase
