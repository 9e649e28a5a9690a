"""What a mention is: a span of tokens, or anything else that can be told from the others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

MentionId: TypeAlias = Hashable
Clusters: TypeAlias = Iterable[Iterable[MentionId | list[int]]]

Rows: TypeAlias = tuple[list[int], list[MentionId]]
"""The sizes of the entities of a document, and all their mentions in a row."""

LAST_TOKEN = 2**31 - 1
"""The largest token offset that a column can hold."""


def as_mentions(mentions: Iterable[MentionId | list[int]]) -> list[MentionId]:
    """Take lists, arrays and tensors, which JSON and numpy make of spans, for tuples."""
    row: list[Any] = list(mentions)
    if any(kind is list or hasattr(kind, "tolist") for kind in set(map(type, row))):
        row = list(map(_as_mention, row))
    return row


def rows_of(entities: Clusters) -> Rows:
    """Return the sizes of the entities of a document, and their mentions in a row."""
    mentions = [list(entity) for entity in entities]
    return list(map(len, mentions)), as_mentions(chain.from_iterable(mentions))


def _as_mention(mention: object) -> MentionId:
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    return tuple(map(_as_mention, mention)) if type(mention) is list else mention


def as_spans(mentions: Sequence[MentionId]) -> NDArray[np.int32] | None:
    """Return the mentions as rows of first and last token, or None unless all of them are spans."""
    pairs = cast(Sequence[tuple[int, int]], mentions)
    if set(map(type, mentions)) - {tuple} or set(map(len, pairs)) - {2}:
        return None
    tokens = list(chain.from_iterable(pairs))
    if set(map(type, tokens)) - {int} or min(tokens, default=0) < 0:
        return None
    if max(tokens, default=0) > LAST_TOKEN:
        return None
    spans = np.array(tokens, dtype=np.int32).reshape(-1, 2)
    return spans if (spans[:, 0] <= spans[:, 1]).all() else None


def is_span(mention: MentionId) -> bool:
    """Tell whether a mention is a pair of token offsets."""
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
        and 0 <= mention[0] <= mention[1] <= LAST_TOKEN
    )
