"""Entities whose mentions disagree in a property (Table 11)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from corefscope.errors.properties import Tally
from corefscope.errors.records import PROPERTIES
from corefscope.pairs import DocumentPair, Entity


@dataclass(slots=True)
class Disagreement:
    """Entities of one side, and how many of them have two values or more of a property."""

    entities: int = 0
    mixed: Counter[str] = field(default_factory=Counter)

    def count(self, pair: DocumentPair, entities: list[Entity]) -> None:
        """Count entities of a document."""
        self.entities += len(entities)
        for entity in entities:
            values = Tally(pair, entity).values
            self.mixed.update(name for name in PROPERTIES if len(values[name]) > 1)

    def share(self, name: str) -> float:
        """Return the share of entities that disagree, of all entities."""
        return self.mixed[name] / self.entities if self.entities else 0.0
