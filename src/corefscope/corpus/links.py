"""Links between entities beside coreference, and what a file says of a mention in its own fields.

Split antecedents: "they" refers to Ann and Bob, who were mentioned apart. Bridging: "the door"
belongs to a house that was mentioned before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus.arrays import Integers
from corefscope.corpus.columns import Axis, Before, Selection, put

T = TypeVar("T")
Antecedents: TypeAlias = Mapping[int, tuple[int, ...]]
"""The split antecedents of the entities that have some: entities by entity."""


class Bridge(NamedTuple):
    """A mention that is understood by way of another entity."""

    mention: int
    """The row of the mention."""
    entity: int
    """The entity that it is linked to."""
    relation: str
    """How they are related, as ``part``; empty if the file does not say."""


class Openings(Struct, frozen=True, eq=False, kw_only=True):
    """The text of the opening brackets of a file, which may have fields that are not scored."""

    texts: Sequence[str]
    """The text of each mention without brackets: ``e1-person-2-gstype:gen``."""
    fields: Sequence[tuple[str, ...]]
    """The names of the fields in each document: ``("eid", "etype", "head", "other")``."""
    types: Sequence[str]
    """The type of each entity, empty if no mention has one."""
    head_field: str = "head"
    """The field that heads were read from, where a document has it."""

    def give_heads(self, document: int) -> bool:
        """Return whether the brackets of a document have a field for heads.

        If not, a reader of CorefUD takes the first word of a mention for its head.
        """
        return not {"head", self.head_field}.isdisjoint(self.fields[document])

    def selected(self, selection: Selection) -> Openings:
        """Return those of some documents, entities and mentions."""
        return replace(
            self,
            texts=_chosen(self.texts, selection.mention),
            fields=_chosen(self.fields, selection.document),
            types=_chosen(self.types, selection.entity),
        )

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, Openings]], sizes: Mapping[Axis, int]
    ) -> Openings:
        """Put the brackets of several parts of a corpus together."""
        texts, types = [""] * sizes["mention"], [""] * sizes["entity"]
        fields: list[tuple[str, ...]] = [()] * sizes["document"]
        for before, given in blocks:
            put(given.texts, texts, before.mention)
            put(given.types, types, before.entity)
            put(given.fields, fields, before.document)
        return cls(texts=texts, fields=fields, types=types, head_field=blocks[-1][1].head_field)


def _chosen(values: Sequence[T], rows: Integers | None) -> Sequence[T]:
    return values if rows is None else [values[row] for row in rows.tolist()]


class Bridges(tuple[Bridge, ...]):
    """The links of mentions to other entities than their own."""

    __slots__ = ()

    def selected(self, selection: Selection) -> Bridges:
        """Return the links of some mentions, by their new rows."""
        if not self:
            return self
        mention, entity = selection.numbers("mention"), selection.numbers("entity")
        return Bridges(
            link._replace(mention=int(mention[link.mention]), entity=int(entity[link.entity]))
            for link in self
            if mention[link.mention] >= 0
        )

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, Bridges]], sizes: Mapping[Axis, int]
    ) -> Bridges:
        """Put the links of several parts of a corpus together."""
        del sizes
        return cls(
            link._replace(mention=before.mention + link.mention, entity=before.entity + link.entity)
            for before, links in blocks
            for link in links
        )
