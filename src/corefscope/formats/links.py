"""Entities from links between mentions: which relations mean identity, and what they connect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from corefscope.findings import Code

IDENTITY = re.compile(
    r"coref|ident|same|anaphor|cataphor|(?<![a-z])(?:ana|cata)(?![a-z])", re.IGNORECASE
)
"""Names of relations between mentions of the same entity."""
OTHER = re.compile(r"bridg|split|part|(?<![a-z])non|not[ _-]", re.IGNORECASE)
"""Names of other relations, which may have one of those words, such as ``bridging_anaphor``."""
MOST_SHOWN = 5

Id = TypeVar("Id", bound=Hashable)


class Links(Generic[Id]):
    """The mentions of a document, and the links between them."""

    def __init__(self) -> None:
        self._parent: dict[Id, Id] = {}

    def add(self, mention: Id) -> None:
        """Add a mention, which may have no link."""
        self._parent.setdefault(mention, mention)

    def join(self, mentions: Iterable[Id]) -> None:
        """Put mentions into one entity."""
        parent = self._parent
        first: Id | None = None
        for mention in mentions:
            root = parent.setdefault(mention, mention)
            if parent[root] != root:
                root = self._root(root)
            if first is None:
                first = root
            else:
                parent[root] = first

    def _root(self, mention: Id) -> Id:
        parent = self._parent
        above = parent[mention]
        while above != mention:
            parent[mention] = mention = parent[above]
            above = parent[mention]
        return mention

    def groups(self) -> list[list[Id]]:
        """Return the entities, in the order of their first mentions."""
        groups: dict[Id, list[Id]] = {}
        for mention, above in self._parent.items():
            # Most mentions are linked to the one that stands for their entity.
            is_root = self._parent[above] == above
            groups.setdefault(above if is_root else self._root(above), []).append(mention)
        return list(groups.values())


class Relations:
    """Decides which relations mean identity, and counts those of all files."""

    def __init__(self, format: str, chosen: Sequence[str]) -> None:
        self.format = format
        self.chosen = set(chosen)
        self.read = 0
        self.others: Counter[str] = Counter()
        self._decided: dict[str, bool] = {}

    def accepts(self, name: str) -> bool:
        """Return whether a relation means identity; count it."""
        is_identity = self.is_identity(name)
        if is_identity:
            self.read += 1
        else:
            self.others[name] += 1
        return is_identity

    def is_identity(self, name: str) -> bool:
        """Return whether a relation means identity."""
        if name not in self._decided:
            self._decided[name] = (
                name in self.chosen
                if self.chosen
                else bool(IDENTITY.search(name)) and not OTHER.search(name)
            )
        return self._decided[name]

    def findings(self) -> Iterator[tuple[Code, str]]:
        """Yield what there is to say about the relations that were not read."""
        if self.chosen and not self.read:
            message = (
                f"there is no relation named {' or '.join(sorted(self.chosen))}; expected one of "
                f"these: {counted(self.others) or 'none'}"
            )
            yield Code.NOT_IN_FILE, message
        elif self.others:
            # Those that are named are read instead of others, so that the example has them all.
            read = sorted(name for name, is_identity in self._decided.items() if is_identity)
            names = "+".join([*read, *sorted(self.others)[:2]])
            message = (
                "relations that do not mean identity by their names are not read: "
                f"{counted(self.others)}; if some of them do, name all that do, as in "
                f"{self.format}:relations={names}"
            )
            yield Code.OTHER_RELATIONS, message


def counted(counts: Mapping[str, int]) -> str:
    """Return names with their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{name} ({count})" for name, count in ordered[:MOST_SHOWN])
    more = len(ordered) - MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
