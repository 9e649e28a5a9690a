"""The text layers of a corpus, which are read from the files only when needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from corefscope.corpus.columns import Selection


class MentionAttributes(NamedTuple):
    """Annotated attributes of a mention, which ACE and LitBank have instead of named entities."""

    type: str | None
    """The type of its entity, such as PER."""
    level: str | None
    """NAM for a name, NOM for a nominal, PRO for a pronoun."""


Attributes: TypeAlias = Mapping[tuple[int, int], MentionAttributes]
"""The attributes of mentions, by first and last token."""


class TextColumns(Struct, frozen=True, kw_only=True):
    """The text layers of one document."""

    sentences: list[range] = field(default_factory=list)
    """The token ranges of the sentences."""
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    """One value per token by layer: words, tags, parse, names, speakers, lemmas and others."""
    attributes: Attributes | None = None
    text: str | None = None
    """The text with everything between the tokens, if the file has it."""
    characters: Sequence[tuple[int, int]] | None = None
    """Where each token begins and ends in the text, in code points; the end is exclusive."""


class TextLayers:
    """The texts of the documents of a corpus."""

    __slots__ = ()

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Make ready what processes that read texts can share."""
        return

    def selected(self, selection: Selection) -> TextLayers:
        """Return the texts of some documents."""
        rows = selection.document
        return self if rows is None else SomeDocuments(self, rows.tolist())


class SomeDocuments(TextLayers, Struct, frozen=True):
    """The texts of some documents of a larger corpus."""

    layers: TextLayers
    documents: Sequence[int]

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document."""
        return self.layers.text(self.documents[document])

    def prepare(self) -> None:
        """Make ready what processes that read texts can share."""
        self.layers.prepare()
