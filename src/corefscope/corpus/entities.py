"""Entities and mentions as objects, for those who want them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corefscope.corpus.mentions import MentionId, is_parts


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: a span of tokens, or whatever its file calls it."""

    id: MentionId

    @property
    def start(self) -> int:
        """The first token."""
        return self._span[0]

    @property
    def end(self) -> int:
        """The last token: ends are inclusive."""
        return self._span[1]

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The first and last token of each part; a mention without gaps has one part."""
        return self.id if is_parts(self.id) else (self._span,)

    @property
    def _span(self) -> tuple[int, int]:
        match self.id:
            case (int(start), int(end)):
                return start, end
            case ((int(start), _), *_, (_, int(end))):
                return start, end
        raise AttributeError(f"mention {self.id!r} is not a span of tokens")


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that refer to one thing."""

    label: str
    mentions: tuple[Mention, ...]

    def __len__(self) -> int:
        return len(self.mentions)

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)
