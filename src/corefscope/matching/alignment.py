"""The stages of matching over two whole corpora: arrays where possible, records for what is left.

Mentions that are equal are found with arrays. Only zeros and mentions without an equal one become
records, and each stage splits them into components of a few mentions, so that no matrix of a
document is ever made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.corpus import Integers
from corefscope.matching.overlap import Side
from corefscope.matching.stages import (
    UNKNOWN,
    UNPAIRED,
    MatchingRules,
    Offer,
    StageName,
    best_of,
    in_order,
    is_tied,
    offer_heads,
    offer_parts,
    offer_zeros,
    tied_together,
)
from corefscope.matching.words import Booleans, MentionWords

LARGEST = 2**62
"""Joined numbers stay below this."""


class Identities(Struct, frozen=True, eq=False, kw_only=True):
    """Numbers of the mentions of a corpus, the same on both sides for the same mention."""

    words: Integers
    """The same number for the same words."""
    mention: Integers
    """The same number for the same mention: the same words and, if heads matter, the same head."""


def identities(
    key: MentionWords, response: MentionWords, *, by_head: bool
) -> tuple[Identities, Identities]:
    """Number the mentions of both sides by their words, and by words and heads."""
    sides = (key, response)
    unlike = np.setxor1d(key.node_places, response.node_places)
    odd = [side.has_gap | side.is_cut | side.has_within(unlike) for side in sides]
    words = _joined([[side.first for side in sides], [side.size for side in sides]])
    sets: dict[tuple[frozenset[int], tuple[int, int]], int] = {}
    beyond = 1 + max(int(each.max(initial=0)) for each in words)
    for side, number, is_odd in zip(sides, words, odd, strict=True):
        for row in np.flatnonzero(is_odd & (side.document >= 0)).tolist():
            cuts = side.corpus.mention_cuts.get(row, (0, 0))
            number[row] = beyond + sets.setdefault((side.words(row), cuts), len(sets))
    mention = words if not by_head else _joined([words, [side.head + 1 for side in sides]])
    return (
        Identities(words=words[0], mention=mention[0]),
        Identities(words=words[1], mention=mention[1]),
    )


def _joined(columns: Sequence[Sequence[Integers]]) -> list[Integers]:
    """Return one number for the values of all columns, each given for both sides."""
    result: Integers | None = None
    cut = [len(columns[0][0])]
    for column in columns:
        _, rank = np.unique(np.concatenate(column), return_inverse=True)
        rank = rank.astype(np.int64)
        if result is None:
            result = rank
            continue
        width = int(rank.max(initial=0)) + 1
        if (int(result.max(initial=0)) + 1) * width >= LARGEST:
            result = np.unique(result, return_inverse=True)[1].astype(np.int64)
        result = result * width + rank
    assert result is not None
    return [np.array(part) for part in np.split(result, cut)]


class Alignment(Struct, eq=False, kw_only=True, dict=True):
    """The pairs of two sides, found stage by stage."""

    sides: tuple[Side, Side]
    words: tuple[MentionWords, MentionWords]
    ids: tuple[Identities, Identities]
    notes_ties: bool = False
    stages: Counter[StageName] = field(default_factory=Counter)
    """How many pairs each stage made."""
    tied: set[int] = field(default_factory=set)
    """The documents in which several choices were equally good."""

    @cached_property
    def partner(self) -> Integers:
        """For each mention of the key the place of its partner on the other side, or −1."""
        return np.full(len(self.sides[0].mention), UNPAIRED)

    @cached_property
    def is_taken(self) -> Booleans:
        """Whether each mention of the response has a partner."""
        return np.zeros(len(self.sides[1].mention), dtype=bool)

    def run(self, rules: MatchingRules) -> Alignment:
        """Go through the stages."""
        if rules.zeros == "dependent":
            zeros = [
                words.is_zero[side.mention_row] for side, words, *_ in self._each(self._free())
            ]
            self._assign(zeros[0], zeros[1], offer_zeros, "zeros")
        self._equal(lambda ids: ids.mention, "equal")
        if rules.match == "head":
            self._same_heads()
        if rules.match == "partial":
            free = self._free()
            self._assign(free[0], free[1], offer_parts, "partial")
        if rules.match == "head" and rules.same_words:
            self._equal(lambda ids: ids.words, "same words")
        return self

    def numbered(self) -> tuple[Side, Side]:
        """Return both sides; pairs have one number, and no other mentions have the same number."""
        key, response = self.sides
        keys = np.arange(len(key.mention))
        responses = np.arange(len(response.mention)) + len(keys)
        paired = self.partner >= 0
        responses[self.partner[paired]] = keys[paired]
        return replace(key, mention=keys), replace(response, mention=responses)

    def _free(self) -> tuple[Booleans, Booleans]:
        return self.partner == UNPAIRED, ~self.is_taken

    def _pair(self, key: Integers, response: Integers, stage: StageName) -> None:
        if len(key):
            self.partner[key] = response
            self.is_taken[response] = True
            self.stages[stage] += len(key)

    def _equal(self, number_of: Callable[[Identities], Integers], stage: StageName) -> None:
        """Pair what is left and has the same number; of several, the first with the first."""
        places, numbers = [], []
        for side, words, ids, free in self._each(self._free()):
            chosen = np.flatnonzero(free)
            rows = side.mention_row[chosen]
            number = number_of(ids)[rows]
            order = np.lexsort((words.head[rows], number))
            places.append(chosen[order])
            numbers.append(number[order])
        _, key, response = np.intersect1d(
            *told_apart(numbers[0], numbers[1]), assume_unique=True, return_indices=True
        )
        self._pair(places[0][key], places[1][response], stage)

    def _same_heads(self) -> None:
        """Pair mentions with the same head; those that are alone with it on both sides at once."""
        found = []
        for side, words, _, free in self._each(self._free()):
            places = np.flatnonzero(free & (words.head[side.mention_row] != UNKNOWN))
            heads = words.head[side.mention_row[places]]
            found.append((places, *np.unique(heads, return_index=True, return_counts=True)))
        (places, heads, first, count), (others, other_heads, other_first, other_count) = found
        common, key, response = np.intersect1d(
            heads, other_heads, assume_unique=True, return_indices=True
        )
        alone = (count[key] == 1) & (other_count[response] == 1)
        # A head is a word of its mention, so that mentions with the same head have it in common.
        self._pair(places[first[key[alone]]], others[other_first[response[alone]]], "head")
        wanted = [
            free & np.isin(words.head[side.mention_row], common[~alone])
            for side, words, _, free in self._each(self._free())
        ]
        self._assign(wanted[0], wanted[1], offer_heads, "head")

    def _assign(self, key: Booleans, response: Booleans, offer: Offer, stage: StageName) -> None:
        """Pair some mentions by the cells that a stage offers."""
        if not key.any() or not response.any():
            return
        places, records = [], []
        for side, words, _, wanted in self._each((key, response)):
            chosen = np.flatnonzero(wanted)
            made = [words.markable(row) for row in side.mention_row[chosen].tolist()]
            order = in_order(made)
            places.append(chosen[order])
            records.append([made[place] for place in order])
        pairs = []
        for component in tied_together(list(offer(records[0], records[1]))):
            pairs += best_of(component)
            if self.notes_ties and is_tied(component):
                entity = self.sides[0].mention_entity[places[0][component[0].key]]
                self.tied.add(int(self.sides[0].entity_document[entity]))
        if pairs:
            chosen_keys, chosen_responses = np.array(pairs).T
            self._pair(places[0][chosen_keys], places[1][chosen_responses], stage)

    def _each(
        self, chosen: tuple[Booleans, Booleans]
    ) -> Iterator[tuple[Side, MentionWords, Identities, Booleans]]:
        """Go through both sides, with some mentions of each."""
        return zip(self.sides, self.words, self.ids, chosen, strict=True)


def told_apart(key: Integers, response: Integers) -> tuple[Integers, Integers]:
    """Return numbers for sorted numbers of both sides: the first, second, … of the same differ."""
    copies = []
    for ordered in (key, response):
        is_new = np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(ordered)]
        begins = np.flatnonzero(is_new)
        sizes = np.diff(begins, append=len(ordered))
        copies.append(np.arange(len(ordered)) - np.repeat(begins, sizes))
    most = 1 + max(int(copy.max(initial=0)) for copy in copies)
    return key * most + copies[0], response * most + copies[1]
