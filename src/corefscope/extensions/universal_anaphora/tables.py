"""Who is in whose entity: what all metrics of a document are counted from.

A mention that both sides have in their entities is *found*. Where a side has it in several
entities, or several times in one, every copy counts, and the entity that comes last owns it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from corefscope.extensions.universal_anaphora.alignment import MarkableAlignment
from corefscope.extensions.universal_anaphora.entities import SplitAntecedent, UaEntity, UaMention

WeightedCells: TypeAlias = dict[tuple[int, int], float]
"""Values of pairs of a key entity and a response entity."""


class UaSide(Struct, frozen=True, dict=True):
    """The entities of one side."""

    entities: Sequence[UaEntity]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of mentions of each entity, a split antecedent being one."""
        return [len(entity) for entity in self.entities]

    @cached_property
    def mentions(self) -> list[list[UaMention]]:
        """The mentions of each entity that are markables."""
        return [[one for one in entity if isinstance(one, UaMention)] for entity in self.entities]

    @cached_property
    def splits(self) -> dict[int, SplitAntecedent]:
        """The split antecedents, by their entity."""
        return {
            number: one
            for number, entity in enumerate(self.entities)
            for one in entity
            if isinstance(one, SplitAntecedent)
        }

    @cached_property
    def owner(self) -> Mapping[UaMention, int]:
        """The entity of each markable: the last one that has it."""
        return {one: number for number, some in enumerate(self.mentions) for one in some}

    @cached_property
    def holders(self) -> Mapping[UaMention, set[int]]:
        """All entities of each markable."""
        found: dict[UaMention, set[int]] = defaultdict(set)
        for number, some in enumerate(self.mentions):
            for one in some:
                found[one].add(number)
        return found


class UaTable(Struct, frozen=True, kw_only=True, dict=True):
    """A key and a response side by side."""

    key: UaSide
    response: UaSide
    alignment: MarkableAlignment
    by_minimum: bool = False
    """Whether overlaps accept what covers the minimum span, as in version 1."""

    @classmethod
    def of(
        cls,
        key: Iterable[UaEntity],
        response: Iterable[UaEntity],
        alignment: MarkableAlignment,
        by_minimum: bool = False,
    ) -> UaTable:
        """Put two lists of entities side by side."""
        return cls(
            key=UaSide(list(key)),
            response=UaSide(list(response)),
            alignment=alignment,
            by_minimum=by_minimum,
        )

    @cached_property
    def swapped(self) -> UaTable:
        """The same with the roles of key and response exchanged; for all but overlaps."""
        return UaTable(key=self.response, response=self.key, alignment=self.alignment.swapped)

    @cached_property
    def found(self) -> list[Counter[int]]:
        """How many mentions of each key entity are in which response entity."""
        partner, owner = self.alignment.of_key, self.response.owner
        return [
            Counter(owner[other] for one in some if (other := partner.get(one, one)) in owner)
            for some in self.key.mentions
        ]

    @cached_property
    def overlaps(self) -> WeightedCells:
        """How many mentions of a key entity are in a response entity, for the pairs with any.

        A mention counts in every entity that has it.
        """
        cells: WeightedCells = defaultdict(float)
        for number, some in enumerate(self.key.mentions):
            for one in some:
                for other in self._entities_with(one):
                    cells[number, other] += 1
        return dict(cells)

    def _entities_with(self, mention: UaMention) -> set[int]:
        if self.by_minimum:
            return {
                entity
                for one in self._mentions_from(mention)
                if accepts(mention, one)
                for entity in self.response.holders[one]
            }
        partner = self.alignment.of_key.get(mention, mention)
        return self.response.holders.get(partner, set())

    def _mentions_from(self, mention: UaMention) -> Iterable[UaMention]:
        """Yield the mentions of the response that begin where an accepted one can."""
        first, last = mention.spans[0]
        latest = min(mention.minimum[0], last) if mention.minimum else first
        for word in range(first, latest + 1):
            yield from self._by_start.get(word, ())

    @cached_property
    def related_splits(self) -> list[tuple[int, int]]:
        """The split antecedents, by number, whose elements have mentions in common.

        All others score nothing against each other.
        """
        key, response = (
            [
                [one for element in split.ordered for one in element]
                for split in side.splits.values()
            ]
            for side in (self.key, self.response)
        )
        related: set[tuple[int, int]] = set()
        if key and response:
            for by_minimum in {False, self.by_minimum}:
                related.update(UaTable.of(key, response, self.alignment, by_minimum).overlaps)
        return sorted(related)

    @cached_property
    def _by_start(self) -> Mapping[int, list[UaMention]]:
        found: dict[int, list[UaMention]] = defaultdict(list)
        for one in self.response.owner:
            found[one.spans[0][0]].append(one)
        return found


def accepts(key: UaMention, response: UaMention) -> bool:
    """Tell whether a response markable is within the key's and covers its minimum span.

    A key markable without a minimum span accepts its own span only. Version 1 alone asks this, and
    its markables have one span.
    """
    (first, last), (start, end) = key.spans[0], response.spans[0]
    minimum = key.minimum or (first, last)
    return first <= start <= minimum[0] and minimum[1] <= end <= last
