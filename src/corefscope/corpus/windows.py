"""Windows of a document: parts of it that a model answered one by one, put together again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field

from corefscope.corpus.mentions import Parts
from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowCounts:
    """How the windows of a document were put together."""

    count: int
    joined: int
    """Entities of a window that are also in windows before it."""
    conflicts: int
    """Mentions in text that two windows have, which only one of them marks, or which they put into
    different entities."""


@dataclass(slots=True, kw_only=True)
class MergedWindows:
    """The entities of windows that were added so far, one window after the other."""

    entities: list[dict[Parts, None]] = field(default_factory=list)
    """The mentions of each entity."""
    count: int = 0
    joined: int = 0
    conflicts: int = 0
    _before: set[Parts] = field(default_factory=set)
    """The mentions of the latest window."""

    @property
    def counts(self) -> WindowCounts:
        """How many windows there are, and how they were put together."""
        return WindowCounts(count=self.count, joined=self.joined, conflicts=self.conflicts)

    def add(
        self, entities: Sequence[Sequence[Parts]], is_repeated: Callable[[Parts], bool]
    ) -> list[int]:
        """Add the entities of the next window.

        Parameters
        ----------
        entities
            The mentions of each entity of the window, on the tokens of the document.
        is_repeated
            Whether a mention stands in text that the window before has as well.

        Returns
        -------
        list of int
            The entity that each of them belongs to: the one so far that shares most mentions with
            it, or a new one.
        """
        home = {mention: n for n, entity in enumerate(self.entities) for mention in entity}
        homes = [self._home(entity, home) for entity in entities]
        own = {m: n for n, entity in zip(homes, entities, strict=True) for m in entity}
        if self.count:
            repeated = filter(is_repeated, own.keys() | self._before)
            self.conflicts += sum(
                (m in own) != (m in self._before) or home.get(m) != own[m] for m in repeated
            )
        for number, entity in zip(homes, entities, strict=True):
            self.entities[number].update(dict.fromkeys(m for m in entity if m not in home))
        self.count += 1
        self._before = set(own)
        return homes

    def _home(self, entity: Sequence[Parts], home: dict[Parts, int]) -> int:
        """Return the entity that shares most mentions; of several, the one that begins first."""
        shared = Counter(home[mention] for mention in entity if mention in home)
        if shared:
            self.joined += 1
            return min(shared, key=lambda number: (-shared[number], min(self.entities[number])))
        self.entities.append({})
        return len(self.entities) - 1
