"""Scores of short examples, whose entities are words and whose mentions are their letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

import corefscope as cs
from corefscope.corpus.mentions import Clusters


def letters(entities: Iterable[Any]) -> list[Any]:
    """Return words as entities of letters; entities that are no words stay as they are."""
    return [list(entity) if isinstance(entity, str) else entity for entity in entities]


def _lettered(annotation: Any) -> Any:
    if isinstance(annotation, (str, PathLike, cs.Corpus)):
        return annotation
    if isinstance(annotation, Mapping):
        return {name: letters(entities) for name, entities in annotation.items()}
    return letters(annotation)


def score(key: Any, response: Any, **options: Any) -> cs.Scores:
    """Score a response, both sides as words."""
    return cs.score(_lettered(key), _lettered(response), **options)


class Scorer(cs.Scorer):
    """A scorer that takes words."""

    def update(
        self, key: Clusters | cs.Corpus, response: Clusters | cs.Corpus, name: str | None = None
    ) -> None:
        """Add a document."""
        super().update(_lettered(key), _lettered(response), name)
