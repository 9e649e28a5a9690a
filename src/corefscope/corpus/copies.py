"""Documents that are copies of a text, with tags in it, as language models write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from msgspec import Struct, field

from corefscope.corpus.mentions import Parts
from corefscope.results.record import Record, about


class WindowCounts(Record, frozen=True, kw_only=True):
    """How the windows of a document were put together."""

    count: int
    joined: Annotated[int, about("entities of a window that are also in windows before it")]
    conflicts: Annotated[int, about("mentions on which two windows of the same text disagree")]


class MergedWindows(Struct, kw_only=True):
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


NO_STYLE = "none"
"""The style of a copy without tags, or of an answer without entities."""
STRINGS = "strings"
"""The style of a document whose mentions are strings, so that it has no copy of the text."""

EMPTY = "empty"
NO_NAME = "no entity name"
NEVER_CLOSED = "opened but never closed"
NEVER_OPENED = "closed but never opened"
"""Why tags mark no mention."""


class Copy(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What the reader found in one copy, apart from its words and mentions."""

    style: str
    """How mentions are tagged, such as ``markdown``; ``none`` if there are no tags."""
    opened: int
    """Opening tags, also those that may be text."""
    closed: int
    """Closing tags."""
    foreign: int = 0
    """Tags that do not mark mentions, such as ``<b>``."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Tags that mark no mention, by reason."""
    undecided: Sequence[tuple[int, int]] = field(default_factory=list)
    """Opening tags that are never closed, as stretches of the text of the copy: they are text if
    the source has them too."""
    nameless: Sequence[tuple[int, int]] = field(default_factory=list)
    """Opening tags whose closing tags name no entity, as stretches of the text of the copy: they
    are text if the source has them too."""
    asides: Sequence[tuple[int, int]] = field(default_factory=list)
    """Stretches of the text that are no part of the copy: what a model thinks before it answers."""
    antecedent_not_found: int = 0
    """Mentions that name the words of an antecedent which no mention before has."""
    is_cut_off: bool = field(default=False, name="cut_off")
    """Whether it is JSON that is cut off, of which what is complete was read."""
    windows: WindowCounts | None = None
    """How its windows were put together, if there are any."""


UNTAGGED = Copy(style="none", opened=0, closed=0)
"""A document without tags, beside others that are copies with tags."""
