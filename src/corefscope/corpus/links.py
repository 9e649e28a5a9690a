"""Links between entities beside coreference, and what a file says of a mention in its own fields.

Split antecedents: "they" refers to Ann and Bob, who were mentioned apart. Bridging: "the door"
belongs to a house that was mentioned before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from corefscope.corpus.arrays import Integers
from corefscope.records import dataclass

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Openings:
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

    def of_mentions(self, rows: Iterable[int]) -> Openings:
        """Return those of some mentions."""
        return replace(self, texts=[self.texts[row] for row in rows])

    def restricted(self, documents: Iterable[int], entities: Iterable[int]) -> Openings:
        """Return those of some documents and entities; the mentions stay."""
        return Openings(
            texts=self.texts,
            fields=[self.fields[document] for document in documents],
            types=[self.types[entity] for entity in entities],
            head_field=self.head_field,
        )


def chosen_antecedents(antecedents: Antecedents, number: Integers) -> Antecedents:
    """Return the antecedents of some entities; ``number`` is the new one of each, or −1."""
    return {
        int(number[entity]): tuple(int(number[other]) for other in others)
        for entity, others in antecedents.items()
        if number[entity] >= 0
    }


def bridges_of(bridges: Sequence[Bridge], rows: Integers) -> tuple[Bridge, ...]:
    """Return the links of the mentions in some rows, by their new rows."""
    if not bridges:
        return ()
    new = {old: row for row, old in enumerate(rows.tolist())}
    return tuple(
        link._replace(mention=new[link.mention]) for link in bridges if link.mention in new
    )


def chosen_bridges(bridges: Iterable[Bridge], number: Integers) -> tuple[Bridge, ...]:
    """Return links to some entities; ``number`` is the new one of each."""
    return tuple(link._replace(entity=int(number[link.entity])) for link in bridges)
