"""Mentions of a made-up corpus, and responses that have most of them: noisy copies of the key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sentences import Integers

DROPPED, MOVED, ISOLATED, SPURIOUS = 0.08, 0.10, 0.03, 0.10
"""Shares of the key's mentions that a response lacks, has elsewhere, has alone, has in addition."""
SHIFTED = 0.10
"""Share of the mentions that lack their first token, or reach beyond their last."""
CUT = 0.06
"""Pieces of an entity, but for the first, in relation to its mentions."""
UNITED, OMITTED = 0.15, 0.06
"""Shares of the pieces that are in one entity with another, and that are not found at all."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Spans of tokens, counted through the corpus, with their documents and entities."""

    start: Integers
    end: Integers
    document: Integers
    entity: Integers

    def __getitem__(self, rows: Integers | NDArray[np.bool_]) -> Mentions:
        return Mentions(self.start[rows], self.end[rows], self.document[rows], self.entity[rows])

    def __len__(self) -> int:
        return len(self.start)

    def with_entities(self, entity: Integers) -> Mentions:
        """Return the same spans in other entities."""
        return Mentions(self.start, self.end, self.document, entity)

    def joined(self, others: Mentions) -> Mentions:
        """Return both in the order of the text."""
        columns = ("start", "end", "document", "entity")
        joined = Mentions(
            *(np.concatenate((getattr(self, c), getattr(others, c))) for c in columns)
        )
        return joined[np.lexsort((joined.end, joined.start))]


def noisy_copy(key: Mentions, spare: Mentions, rng: np.random.Generator) -> Mentions:
    """Drop some mentions, move some to another entity or a new one, and add some that are wrong."""
    fate = rng.random(len(key))
    entity = np.where(fate < DROPPED + MOVED, _entity_nearby(key, key.document, rng), key.entity)
    isolated = fate > 1 - ISOLATED
    copy = key.with_entities(np.where(isolated, -1, entity))[fate >= DROPPED]
    wrong = _wrong(key, spare, rng)
    nearby = _entity_nearby(key, wrong.document, rng)
    wrong = wrong.with_entities(np.where(rng.random(len(wrong)) < 0.5, nearby, -1))
    return expressible(copy.joined(wrong))


def mistaken_copy(
    key: Mentions, spare: Mentions, last_tokens: Integers, rng: np.random.Generator
) -> Mentions:
    """Make errors of all seven types; ``last_tokens`` are those of the sentences.

    Entities are cut into pieces, and pieces united or left out as wholes, so that entities are
    divided, conflated and missing; boundaries are wrong; mentions are dropped and added, and of
    those that are added a third each is alone, in an entity of the key, and with its neighbour.
    """
    pieces = key.with_entities(_cut(key, rng))
    copy = _with_pieces_united(pieces, rng)
    copy = _with_wrong_boundaries(copy[rng.random(len(copy)) >= DROPPED], last_tokens, rng)
    wrong = _wrong(key, spare, rng)
    extra = copy.entity.max(initial=0) + 1 + np.arange(len(wrong)) // 2
    choices = np.full(len(wrong), -1), _entity_nearby(copy, wrong.document, rng), extra
    # Two neighbours have one fate.
    fate = np.repeat(rng.integers(len(choices), size=len(wrong) // 2 + 1), 2)[: len(wrong)]
    return expressible(_each_once(copy, wrong.with_entities(np.choose(fate, choices))))


def _wrong(key: Mentions, spare: Mentions, rng: np.random.Generator) -> Mentions:
    """Draw from the noun phrases that are no mentions."""
    return spare[np.sort(rng.choice(len(spare), int(SPURIOUS * len(key)), replace=False))]


def _entity_nearby(key: Mentions, document: Integers, rng: np.random.Generator) -> Integers:
    """Return the entity of some mention of each document; −1 if it has none."""
    first, beyond = (np.searchsorted(key.document, document, side) for side in ("left", "right"))
    row = first + (rng.random(len(document)) * (beyond - first)).astype(np.int64)
    return np.where(beyond > first, key.entity[np.minimum(row, len(key) - 1)], -1)


def _cut(key: Mentions, rng: np.random.Generator) -> Integers:
    """Return the piece of each mention, counted through the corpus; the first is the largest."""
    _, entity, size = np.unique(
        key.document * len(key) + key.entity, return_inverse=True, return_counts=True
    )
    pieces = 1 + (CUT * size + rng.random(len(size))).astype(np.int64)
    piece = (pieces[entity] * rng.random(len(key)) ** 6).astype(np.int64)
    return np.asarray((np.cumsum(pieces) - pieces)[entity] + piece)


def _with_pieces_united(pieces: Mentions, rng: np.random.Generator) -> Mentions:
    """Give some pieces the number of another of their document, and leave some out."""
    number, first, inverse = np.unique(pieces.entity, return_index=True, return_inverse=True)
    fate = rng.random(len(number))
    another = _entity_nearby(pieces, pieces.document[first], rng)
    united = np.where(fate < UNITED, another, number)
    return pieces.with_entities(united[inverse])[fate[inverse] < 1 - OMITTED]


def _with_wrong_boundaries(
    mentions: Mentions, last_tokens: Integers, rng: np.random.Generator
) -> Mentions:
    last = last_tokens[np.searchsorted(last_tokens, mentions.end)]
    fate = rng.random(len(mentions))
    later = (fate < SHIFTED / 2) & (mentions.start < mentions.end)
    longer = (fate > 1 - SHIFTED / 2) & (mentions.end < last)
    return Mentions(
        mentions.start + later, mentions.end + longer, mentions.document, mentions.entity
    )


def _each_once(copy: Mentions, wrong: Mentions) -> Mentions:
    """Join mentions; of two that have become one span the first stays."""
    joined = copy.joined(wrong)
    _, first = np.unique(np.stack((joined.start, joined.end)), axis=1, return_index=True)
    return joined[first]


def expressible(mentions: Mentions) -> Mentions:
    """Give mentions without entity, and those that brackets cannot express, entities of their own.

    Two mentions of one entity are apart or one in the other; they neither cross nor touch.
    """
    entity = mentions.entity.copy()
    entity[_crossing(mentions)] = -1
    new = entity < 0
    entity[new] = entity.max(initial=0) + 1 + np.arange(new.sum())
    return mentions.with_entities(_numbered_by_document(mentions.document, entity))


def _crossing(mentions: Mentions) -> list[int]:
    """Return the mentions that cross or touch an earlier one of their entity."""
    order = np.lexsort((-mentions.end, mentions.start))
    starts, ends = mentions.start[order].tolist(), mentions.end[order].tolist()
    owners = zip(mentions.document[order].tolist(), mentions.entity[order].tolist(), strict=True)
    pending: dict[tuple[int, int], list[int]] = {}
    crossing = []
    for row, start, end, owner in zip(order.tolist(), starts, ends, owners, strict=True):
        around = pending.setdefault(owner, [])
        while around and around[-1] < start:
            around.pop()
        if around and around[-1] < end:
            crossing.append(row)
        else:
            around.append(end)
    return crossing


def _numbered_by_document(document: Integers, entity: Integers) -> Integers:
    """Give the entities of each document numbers from 0."""
    width = int(entity.max(initial=0)) + 1
    distinct, number = np.unique(document * width + entity, return_inverse=True)
    first = np.searchsorted(distinct, document * width)
    return np.asarray(number - first)
