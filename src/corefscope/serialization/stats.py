"""The result of ``stats``: counts and distributions of corpora."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, TypedDict

from corefscope.corpus.description import Description, Spread
from corefscope.serialization.common import Result
from corefscope.version import __version__


class NumbersRecord(TypedDict):
    """The distribution of some numbers."""

    mean: float
    median: float
    ninety_percent: float
    largest: int


class CorpusRecord(TypedDict):
    """The statistics of a corpus; null where its format does not have the information."""

    path: str | None
    documents: int
    tokens: int | None
    mentions: int
    entities: int
    singletons: int
    entity_sizes: NumbersRecord | None
    size_classes: Annotated[dict[str, int], "entities by number of mentions"]
    mention_lengths: Annotated[NumbersRecord | None, "in tokens"]
    nested: Annotated[int | None, "mentions inside another mention"]
    deepest: Annotated[int | None, "the number of mentions around the most deeply nested mention"]
    crossing: Annotated[int | None, "pairs of mentions that overlap without nesting"]
    distances: Annotated[NumbersRecord | None, "tokens to the next mention of the entity"]


class StatsResult(Result):
    """The statistics of one or more corpora."""

    schema: Literal["stats/1"]
    corpora: list[CorpusRecord]


def stats_result(descriptions: Iterable[Description]) -> StatsResult:
    """Return the statistics of corpora for JSON."""
    return {
        "corefscope": __version__,
        "schema": "stats/1",
        "corpora": list(map(_corpus, descriptions)),
    }


def _corpus(description: Description) -> CorpusRecord:
    return {
        "path": description.path,
        "documents": description.documents,
        "tokens": description.tokens,
        "mentions": description.mentions,
        "entities": description.entities,
        "singletons": description.singletons,
        "entity_sizes": _spread(description.entity_sizes),
        "size_classes": dict(description.size_classes),
        "mention_lengths": _spread(description.mention_lengths),
        "nested": description.nested,
        "deepest": description.deepest,
        "crossing": description.crossing,
        "distances": _spread(description.distances),
    }


def _spread(spread: Spread | None) -> NumbersRecord | None:
    if spread is None:
        return None
    return {
        "mean": spread.mean,
        "median": spread.median,
        "ninety_percent": spread.ninety_percent,
        "largest": spread.largest,
    }
