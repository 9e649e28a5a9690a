"""The text behind a corpus: what a file carries beside entities, read only when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias


class MentionAttributes(NamedTuple):
    """What an annotator said of a mention: ACE and LitBank have this where others have names."""

    type: str | None
    """The type of its entity, such as PER."""
    level: str | None
    """NAM for a name, NOM for a nominal, PRO for a pronoun."""


Attributes: TypeAlias = Mapping[tuple[int, int], MentionAttributes]
"""What is said of mentions, by first and last token."""


class TextLayers(Protocol):
    """The text of the documents of a corpus."""

    def sentences(self, document: int) -> list[range]:
        """Return the token ranges of the document's sentences."""
        ...

    def column(self, document: int, layer: str) -> list[str] | None:
        """Return one value per token (words, tags, parse, names, speakers, lemmas), or None."""
        ...

    def attributes(self, document: int) -> Attributes | None:
        """Return what the file says of mentions beside their entity, or None."""
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
        """Return one value per token of a document."""
        return self.layers.column(self.documents[document], layer)

    def attributes(self, document: int) -> Attributes | None:
        """Return what is said of a document's mentions."""
        return self.layers.attributes(self.documents[document])
