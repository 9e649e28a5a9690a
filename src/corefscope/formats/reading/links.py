"""Entities from links between mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Id = TypeVar("Id", bound=Hashable)


def linked(mentions: Iterable[Id], links: Iterable[tuple[Id, Id]]) -> list[list[Id]]:
    """Return mentions as entities: two that are linked, directly or not, are in one.

    Entities and their mentions keep the order of the mentions.
    """
    found = Links[Id]()
    for mention in mentions:
        found.add(mention)
    for link in links:
        found.join(link)
    return found.groups()


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
