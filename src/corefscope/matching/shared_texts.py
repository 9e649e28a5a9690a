"""The texts of a key, shared by the systems of an evaluation.

What reads and understands texts is loaded when the first text is needed: most scores need none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from corefscope.choices import LanguageChoice
from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import Span

if TYPE_CHECKING:
    from corefscope.matching.texts import KeyLanguage, ReadText

MOST_TOKENS = 250_000
"""How many tokens of texts are kept in memory for further systems, with their trees."""


class Texts:
    """Reads the texts of a key's documents.

    Texts whose layers all come from the key are kept, up to a number of tokens, so that the systems
    of an evaluation share them, their trees and the traits of mentions. Documents are read in
    order, and then from the first one on again, so the first ones are kept and not the last ones.
    """

    def __init__(self, key: Corpus, language: LanguageChoice = "auto") -> None:
        self.key = key
        self.language = language
        self._kept: dict[tuple[int, bool], ReadText] = {}
        self._tokens = 0

    def read(
        self,
        document: int,
        response: Corpus,
        number: int | None,
        names: Mapping[Span, str] | None = None,
    ) -> ReadText | None:
        """Return the text of a document: each layer from the key, else from the response.

        Parameters
        ----------
        document
            The position of the document in the key.
        response, number
            The response, and the position of the document there; None if it is missing.
        names
            Named entities that replace those of both sides.

        Returns
        -------
        ReadText or None
            None if neither side has words.
        """
        from corefscope.matching.texts import has_any, read_text

        place = document, names is not None
        known = self._kept.get(place)
        if known is not None and not has_any(self.key, document, response, number, known.absent):
            return known
        read = read_text(self.key, document, response, number, names, self._language)
        if read is not None and not read.borrowed and known is None:
            self._keep(place, read)
        return read

    def forget(self) -> None:
        """Forget the texts that are kept, to keep others."""
        self._kept, self._tokens = {}, 0

    @cached_property
    def tree_heads(self) -> Integers:
        """The heads of the key's mentions in its dependency trees, −1 without a tree."""
        from corefscope.matching.heads import tree_heads

        return tree_heads(self.key)

    @cached_property
    def _language(self) -> KeyLanguage:
        from corefscope.matching.texts import KeyLanguage

        return KeyLanguage(self.key, self.language)

    def _keep(self, place: tuple[int, bool], read: ReadText) -> None:
        if not self._kept or self._tokens + len(read.text) <= MOST_TOKENS:
            self._kept[place] = read
            self._tokens += len(read.text)
