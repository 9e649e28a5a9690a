"""Entities from links between mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def linked(mentions: Iterable[Id], links: Iterable[tuple[Id, Id]]) -> list[list[Id]]:
    """Return mentions as entities: two that are linked, directly or not, are in one.

    Entities and their mentions keep the order of the mentions.
    """
    parent = {mention: mention for mention in mentions}

    def root(mention: Id) -> Id:
        while parent[mention] != mention:
            parent[mention] = mention = parent[parent[mention]]
        return mention

    for one, other in links:
        parent[root(other)] = root(one)
    entities: dict[Id, list[Id]] = {}
    for mention in parent:
        entities.setdefault(root(mention), []).append(mention)
    return list(entities.values())
