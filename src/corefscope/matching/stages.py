"""Which mention of the response is which of the key: stages over what is left, one to one.

A *stage* offers pairs of mentions with a weight each, and keeps a set of pairs of the greatest
total weight in which every mention occurs once at most. Mentions that a stage has paired take no
part in later ones. Weights are fractions, so that rounding never breaks a tie.

Ties are broken by one rule: the mentions of the key are gone through in order, and each gets the
first mention of the response, or none, that still allows the greatest total. *In order* means by
first word, last word, number of words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Sized
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from corefscope.choices import Match, Zeros
from corefscope.matching.assignment import as_scipy, greatest
from corefscope.matching.overlap import components

StageName: TypeAlias = Literal["zeros", "equal", "head", "partial", "same words"]
STAGES: tuple[StageName, ...] = ("zeros", "equal", "head", "partial", "same words")
UNKNOWN = -1
"""The head of a mention whose head is not known."""
UNPAIRED = -1
MOST_EXACT = 100
"""In components with more mentions on both sides, ties are broken as by scipy's solver."""


class ComparedMention(Struct, frozen=True, kw_only=True):
    """A mention as it is compared."""

    words: frozenset[int]
    """The places of its words, which are the same in key and response."""
    head: int = UNKNOWN
    """The place of its head."""
    is_zero: bool = False
    """Whether its head is an empty node, which stands for what is not said."""
    sentence: int = 0
    """The sentence of a zero."""
    dependencies: frozenset[tuple[str, str]] = frozenset()
    """Of a zero: its parents in the enhanced graph, each with the relation."""

    @property
    def order(self) -> tuple[int, int, int, int]:
        """What mentions are sorted by: first word, last word, number of words; then the head."""
        return min(self.words), max(self.words), len(self.words), self.head


class MatchingRules(Struct, frozen=True, kw_only=True):
    """How mentions are paired."""

    match: Match = "exact"
    zeros: Zeros = "linear"
    same_words: bool = True
    """Whether head matching ends with pairs of the same words whose heads differ."""

    needs_words: bool = False
    """Whether mentions without words cannot be paired."""

    @property
    def needs_heads(self) -> bool:
        """Whether heads of mentions are compared."""
        return self.match in ("head", "partial")

    @property
    def is_by_head(self) -> bool:
        """Whether mentions of the same words with different heads are different mentions."""
        return self.match == "head"

    def identity(self, mention: ComparedMention) -> Hashable:
        """Return what is equal for equal mentions."""
        return (mention.words, mention.head) if self.is_by_head else mention.words


class StagePair(NamedTuple):
    """A mention of the key and one of the response, as positions in what was given."""

    key: int
    response: int
    stage: StageName


class OfferedPair(NamedTuple):
    """A pair that a stage offers: positions in the two sorted lists, and a weight above 0."""

    key: int
    response: int
    weight: Fraction


Solver: TypeAlias = Callable[[Sequence[OfferedPair], int, int], Sequence[tuple[int, int]]]
"""Chooses cells of the greatest total, given the cells and the lengths of the two lists."""
Offer: TypeAlias = Callable[
    [Sequence[ComparedMention], Sequence[ComparedMention]], Iterator[OfferedPair]
]
"""Offers the pairs of two lists."""


def align(
    key: Sequence[ComparedMention],
    response: Sequence[ComparedMention],
    rules: MatchingRules,
    solve: Solver | None = None,
) -> list[StagePair]:
    """Pair the mentions of one document; each mention is there once.

    Parameters
    ----------
    key, response
        The mentions of both sides, in any order; no two of a side are equal.
    rules
        How they are paired.
    solve
        What chooses among the pairs that a stage offers; by default :func:`first_best`.

    Returns
    -------
    list of Pair
        The pairs, stage by stage.
    """
    rest = _Rest.of(key, response)
    choose = solve or first_best
    pairs: list[StagePair] = []
    if rules.zeros == "dependent":
        zeros = rest.only(lambda mention: mention.is_zero)
        pairs += rest.without(zeros.chosen(offer_zeros, choose, "zeros"))
    equal = rest.equal(rules.identity)
    pairs += rest.without([StagePair(k, r, "equal") for k, r in equal])
    if rules.match == "head":
        pairs += rest.without(rest.chosen(offer_heads, choose, "head"))
    if rules.match == "partial":
        pairs += rest.without(rest.chosen(offer_parts, choose, "partial"))
    if rules.match == "head" and rules.same_words:
        same = rest.equal(lambda mention: mention.words)
        pairs += rest.without([StagePair(k, r, "same words") for k, r in same])
    return pairs


class _Rest(Struct):
    """What is left of both sides, sorted; numbers are positions in what was given."""

    mentions: tuple[Sequence[ComparedMention], Sequence[ComparedMention]]
    key: list[int]
    response: list[int]

    @classmethod
    def of(cls, key: Sequence[ComparedMention], response: Sequence[ComparedMention]) -> _Rest:
        return cls((key, response), in_order(key), in_order(response))

    def only(self, wanted: Callable[[ComparedMention], bool]) -> _Rest:
        """Return what is left of the mentions that are wanted."""
        key, response = self.mentions
        return _Rest(
            self.mentions,
            [k for k in self.key if wanted(key[k])],
            [r for r in self.response if wanted(response[r])],
        )

    def equal(self, identity: Callable[[ComparedMention], Hashable]) -> list[tuple[int, int]]:
        """Pair equal mentions, the first with the first."""
        key, response = self.mentions
        waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
        for r in reversed(self.response):
            waiting[identity(response[r])].append(r)
        found = ((k, waiting.get(identity(key[k]))) for k in self.key)
        return [(k, others.pop()) for k, others in found if others]

    def chosen(self, offer: Offer, solve: Solver, stage: StageName) -> list[StagePair]:
        """Return the pairs that a stage makes."""
        key = [self.mentions[0][k] for k in self.key]
        response = [self.mentions[1][r] for r in self.response]
        cells = list(offer(key, response))
        solved = solve(cells, len(key), len(response)) if cells else ()
        return [StagePair(self.key[k], self.response[r], stage) for k, r in solved]

    def without(self, pairs: Sequence[StagePair]) -> Sequence[StagePair]:
        """Take what is paired away; return the pairs."""
        keys, responses = {pair.key for pair in pairs}, {pair.response for pair in pairs}
        self.key = [k for k in self.key if k not in keys]
        self.response = [r for r in self.response if r not in responses]
        return pairs


def in_order(mentions: Sequence[ComparedMention]) -> list[int]:
    """Return the positions of mentions in order."""
    return sorted(range(len(mentions)), key=lambda place: mentions[place].order)


# ---- What the stages offer ----


def offer_zeros(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention]
) -> Iterator[OfferedPair]:
    """Offer zeros of one sentence that have a parent in common."""
    by_sentence = _grouped(response, lambda mention: mention.sentence)
    for k, mention in enumerate(key):
        for r in by_sentence.get(mention.sentence, ()):
            weight = dependency_weight(mention, response[r])
            if weight:
                yield OfferedPair(k, r, weight)


def offer_heads(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention]
) -> Iterator[OfferedPair]:
    """Offer mentions with the same head; the weight is the share of the key's words in common."""
    by_head = _grouped(response, lambda mention: mention.head)
    for k, mention in enumerate(key):
        if mention.head == UNKNOWN:
            continue
        for r in by_head.get(mention.head, ()):
            common = len(mention.words & response[r].words)
            if common:
                yield OfferedPair(k, r, Fraction(common, len(mention.words)))


def offer_parts(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention]
) -> Iterator[OfferedPair]:
    """Offer mentions within one of the key that have its head; the weight is their share of it."""
    wanted = {mention.head for mention in key}
    having: defaultdict[int, list[int]] = defaultdict(list)
    for r, mention in enumerate(response):
        for word in mention.words & wanted:
            having[word].append(r)
    for k, mention in enumerate(key):
        for r in having.get(mention.head, ()):
            if response[r].words <= mention.words:
                yield OfferedPair(k, r, Fraction(len(response[r].words), len(mention.words)))


def dependency_weight(key: ComparedMention, response: ComparedMention) -> Fraction:
    """Return how well the parents of two zeros agree: with relations ten times as much."""
    parents = [frozenset(parent for parent, _ in z.dependencies) for z in (key, response)]
    return 10 * _agreement(key.dependencies, response.dependencies) + _agreement(*parents)


def _agreement(one: frozenset[object], other: frozenset[object]) -> Fraction:
    """F1 of two sets; 0 if one is empty."""
    common = len(one & other)
    return Fraction(2 * common, len(one) + len(other)) if common else Fraction(0)


def _grouped(
    mentions: Sequence[ComparedMention], group: Callable[[ComparedMention], int]
) -> Mapping[int, Sequence[int]]:
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, mention in enumerate(mentions):
        groups[group(mention)].append(place)
    return groups


# ---- The best pairs ----


def first_best(cells: Sequence[OfferedPair], *lengths: int) -> list[tuple[int, int]]:
    """Choose cells of the greatest total; of several choices the first by the rule for ties."""
    return [pair for component in tied_together(cells) for pair in best_of(component)]


def is_tied(component: Sequence[OfferedPair]) -> bool:
    """Return whether several choices of one component have the greatest total.

    Of a large component this is not known; it counts as tied.
    """
    if len(component) == 1:
        return False
    if _is_large({cell.key for cell in component}, {cell.response for cell in component}):
        return True
    return set(best_of(component)) != set(best_of(component, is_first=False))


def tied_together(cells: Sequence[OfferedPair]) -> list[list[OfferedPair]]:
    """Split cells into components, which can be solved one by one."""
    if len(cells) < 2:
        return [list(cells)] if cells else []
    found: defaultdict[int, list[OfferedPair]] = defaultdict(list)
    leaders = components((cell.key for cell in cells), (cell.response for cell in cells))
    for cell, leader in zip(cells, leaders, strict=True):
        found[leader].append(cell)
    return list(found.values())


def best_of(cells: Sequence[OfferedPair], *, is_first: bool = True) -> list[tuple[int, int]]:
    """Return the best choice of one component: the first, or the last, by the rule for ties."""
    if len(cells) == 1:
        return [(cells[0].key, cells[0].response)]
    rows = sorted({cell.key for cell in cells})
    columns = sorted({cell.response for cell in cells})
    if _is_large(rows, columns):
        return _as_scipy(cells, rows, columns)
    row_of, column_of = _places(rows), _places(columns)
    unit = lcm(*(cell.weight.denominator for cell in cells))
    # The choice of each mention is a digit; the digits of earlier mentions are worth more than all
    # later ones, and the smallest difference of weights is worth more than all digits.
    base = len(columns) + 1
    worth: dict[tuple[int, int], int] = {}
    for cell in cells:
        row, column = row_of[cell.key], column_of[cell.response]
        digit = base - 1 - column if is_first else column - base + 1
        weight = int(cell.weight * unit)
        worth[row, column] = weight * 2 * base ** len(rows) + digit * base ** (len(rows) - 1 - row)
    return [(rows[row], columns[column]) for row, column in greatest(worth)]


def _is_large(rows: Sized, columns: Sized) -> bool:
    return min(len(rows), len(columns)) > MOST_EXACT


def _places(numbers: Sequence[int]) -> dict[int, int]:
    return {number: place for place, number in enumerate(numbers)}


def _as_scipy(
    cells: Sequence[OfferedPair], rows: Sequence[int], columns: Sequence[int]
) -> list[tuple[int, int]]:
    """Choose among the cells of some rows and columns as scipy's solver does."""
    row_of, column_of = _places(rows), _places(columns)
    weights = {(row_of[cell.key], column_of[cell.response]): float(cell.weight) for cell in cells}
    chosen = as_scipy(weights, len(rows), len(columns))
    return [(rows[row], columns[column]) for row, column in chosen if (row, column) in weights]


def of_whole_lists(cells: Sequence[OfferedPair], rows: int, columns: int) -> list[tuple[int, int]]:
    """Choose cells as the CorefUD scorer does: with scipy's solver, among the whole lists."""
    return _as_scipy(cells, range(rows), range(columns))
