"""The text layers of a corpus, which are read from the files only when needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias


class MentionAttributes(NamedTuple):
    """Annotated attributes of a mention, which ACE and LitBank have instead of named entities."""

    type: str | None
    """The type of its entity, such as PER."""
    level: str | None
    """NAM for a name, NOM for a nominal, PRO for a pronoun."""


Attributes: TypeAlias = Mapping[tuple[int, int], MentionAttributes]
"""The attributes of mentions, by first and last token."""


class TextLayers(Protocol):
    """The text of the documents of a corpus."""

    def sentences(self, document: int) -> list[range]:
        """Return the token ranges of the document's sentences."""
        ...

    def column(self, document: int, layer: str) -> list[str] | None:
        """Return one value per token (words, tags, parse, names, speakers, lemmas), or None."""
        ...

    def attributes(self, document: int) -> Attributes | None:
        """Return the attributes of the document's mentions, or None if the file has none."""
        ...


@dataclass(frozen=True, slots=True)
class SomeDocuments:
    """The text of some documents of a larger corpus."""

    layers: TextLayers
    documents: Sequence[int]

    def sentences(self, document: int) -> list[range]:
        """Return the token ranges of a document's sentences."""
        return self.layers.sentences(self.documents[document])

    def column(self, document: int, layer: str) -> list[str] | None:
        """Return one value per token of a document, or None."""
        return self.layers.column(self.documents[document], layer)

    def attributes(self, document: int) -> Attributes | None:
        """Return the attributes of a document's mentions, or None."""
        return self.layers.attributes(self.documents[document])
