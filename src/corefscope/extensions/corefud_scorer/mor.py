"""MOR, the mention overlap ratio: how many words the mentions of both sides share.

The measure of the CorefUD scorer (Žabokrtský et al. 2022). Mentions are paired one to one so that
they have as many words in common as possible, whatever entities they are in and however mentions
are matched elsewhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from corefscope.extensions.corefud_scorer.words import WordMetric, word_sets_of
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Side, sums
from corefscope.matching.stages import ComparedMention, OfferedPair, first_best, in_order

if TYPE_CHECKING:
    from corefscope.matching.word_sets import WordSets


def count(matching: Matching, singletons: SingletonRule) -> Floats:
    """Count the words in common, and the words of all mentions of each side."""
    return count_words(word_sets_of(matching), matching.sides(singletons), len(matching.key))


def count_words(sets: WordSets, sides: tuple[Side, Side], documents: int) -> Floats:
    """Count one row per document for any mentions of both sides.

    Equal mentions are paired first: if S is on both sides, paired with T and U, then
    |S ∩ T| + |S ∩ U| ≤ |S| + |T ∩ U|, so that pairing S with S loses nothing.
    """
    # Loaded here because few scores compare sets of words.
    from corefscope.matching.alignment import told_apart

    numbers = [ids.words[side.mention_row] for side, ids in zip(sides, sets.ids, strict=True)]
    order = [np.argsort(number, kind="stable") for number in numbers]
    _, ours, theirs = np.intersect1d(
        *told_apart(numbers[0][order[0]], numbers[1][order[1]]),
        assume_unique=True,
        return_indices=True,
    )
    equal = order[0][ours], order[1][theirs]
    rest = [np.delete(side.mention_row, each) for side, each in zip(sides, equal, strict=True)]
    document, size = sets.words[0].document, sets.words[0].size
    paired = sides[0].mention_row[equal[0]]
    common = sums(document[paired], size[paired], documents)
    left = [
        [words.markable(row) for row in each.tolist()]
        for words, each in zip(sets.words, rest, strict=True)
    ]
    for place, shared in pair_by_words(left[0], left[1]):
        common[document[rest[0][place]]] += shared
    totals = [
        sums(words.document[side.mention_row], words.size[side.mention_row], documents)
        for side, words in zip(sides, sets.words, strict=True)
    ]
    return np.stack([common, totals[0], common, totals[1]], axis=1)


def pair_by_words(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention]
) -> Iterator[tuple[int, int]]:
    """Pair mentions one to one so that they share as many words as possible.

    Yields the place of each paired mention of the key, and the number of words in common.
    """
    order, others = in_order(key), in_order(response)
    having: defaultdict[int, list[int]] = defaultdict(list)
    for r, place in enumerate(others):
        for word in response[place].words:
            having[word].append(r)
    common: dict[tuple[int, int], int] = {}
    for k, place in enumerate(order):
        shared = Counter(r for word in key[place].words for r in having.get(word, ()))
        common.update(((k, r), words) for r, words in shared.items())
    cells = [OfferedPair(k, r, Fraction(words)) for (k, r), words in common.items()]
    for k, r in first_best(cells):
        yield order[k], common[k, r]


MOR = WordMetric(
    id="mor",
    name="MOR",
    is_recall_of_key=True,
    count_matching=count,
)
