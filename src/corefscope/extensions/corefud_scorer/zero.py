"""The zero score: which dropped pronouns are linked rightly (CorefUD scorer).

How zeros are paired is said in ``matching/stages.py`` (``offer_zeros``).

A *zero* is a mention whose head is an empty node. A zero of the key that is not the first mention
of its entity is an anaphor. *tp*: its partner in the response is in one entity with the partner of
an earlier mention; *wl* (wrong linkage): it is in another; *fn*: it has no partner, or the
response begins an entity with it. *fp*: a zero of the response that is not the first of its entity
and not the partner of such an anaphor. R = tp / (tp + wl + fn), P = tp / (tp + wl + fp).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from corefscope.corpus import Integers
from corefscope.extensions.corefud_scorer.words import WordMetric, word_sets_of
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Side, sums
from corefscope.matching.stages import UNPAIRED

if TYPE_CHECKING:
    from corefscope.matching.words import Booleans, MentionWords


class _Sorted(Struct, frozen=True, eq=False, kw_only=True):
    """The mentions of a side, sorted in their entities."""

    side: Side
    order: Integers
    """Mentions by entity, then by first word, last word, number of words."""
    is_anaphor: Booleans
    """Whether each mention is a zero that is not the first of its entity."""
    is_first: Booleans

    @classmethod
    def of(cls, side: Side, words: MentionWords) -> _Sorted:
        rows = side.mention_row
        order = np.lexsort(
            (
                words.head[rows],
                words.size[rows],
                words.last[rows],
                words.first[rows],
                side.mention_entity,
            )
        )
        entity = side.mention_entity[order]
        is_first = np.zeros(len(rows), dtype=bool)
        is_first[order[np.concatenate(([True], entity[1:] != entity[:-1]))[: len(order)]]] = True
        return cls(
            side=side, order=order, is_anaphor=words.is_zero[rows] & ~is_first, is_first=is_first
        )

    @property
    def document(self) -> Integers:
        """The document of each mention."""
        return self.side.entity_document[self.side.mention_entity]


def count(matching: Matching, singletons: SingletonRule) -> Floats:
    """Count zero anaphors that are linked rightly, of the key's and of the response's."""
    sets = word_sets_of(matching)
    key, response = (
        _Sorted.of(side, words)
        for side, words in zip(matching.sides(singletons), sets.words, strict=True)
    )
    documents = len(matching.key)
    partner = _partners(key.side, response.side)
    anaphors = np.flatnonzero(key.is_anaphor)
    found = anaphors[partner[anaphors] != UNPAIRED]
    linked = found[~response.is_first[partner[found]]]
    right = _right(key, partner, response.side, linked)
    is_spurious = np.array(response.is_anaphor)
    is_spurious[partner[found]] = False
    tp = sums(key.document[right], np.ones(len(right)), documents)
    tp_wl = sums(key.document[linked], np.ones(len(linked)), documents)
    in_key = sums(key.document[anaphors], np.ones(len(anaphors)), documents)
    fp = sums(response.document, is_spurious, documents)
    return np.stack([tp, in_key, tp, tp_wl + fp], axis=1)


def _partners(key: Side, response: Side) -> Integers:
    """Return the partner of each mention of the key, or −1."""
    partner = np.full(len(key.mention), UNPAIRED)
    _, ours, theirs = np.intersect1d(
        key.mention, response.mention, assume_unique=True, return_indices=True
    )
    partner[ours] = theirs
    return partner


def _right(key: _Sorted, partner: Integers, response: Side, linked: Integers) -> Integers:
    """Return the linked anaphors whose partner is with that of an earlier mention."""
    wanted = np.zeros(len(partner), dtype=bool)
    wanted[linked] = True
    has_one = np.zeros(len(key.side.entity_document), dtype=bool)
    has_one[key.side.mention_entity[linked]] = True
    right, entity, seen = [], -1, set[int]()
    for mention in key.order[has_one[key.side.mention_entity[key.order]]].tolist():
        if int(key.side.mention_entity[mention]) != entity:
            entity, seen = int(key.side.mention_entity[mention]), set()
        other = int(partner[mention])
        if other == UNPAIRED:
            continue
        home = int(response.mention_entity[other])
        if wanted[mention] and home in seen:
            right.append(mention)
        seen.add(home)
    return np.array(right, dtype=np.int64)


ZERO = WordMetric(
    id="zero",
    name="Zero anaphors",
    short_name="Zero",
    count_matching=count,
)
