"""Matching in stages, MOR and the zero score from their definitions: every choice is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from corefscope.matching.stages import ComparedMention, MatchingRules

Pairs = list[tuple[int, int]]
Weight = Callable[[ComparedMention, ComparedMention], Fraction]
Entities = Sequence[Sequence[ComparedMention]]


def order(mention: ComparedMention) -> tuple[int, int, int, int]:
    return min(mention.words), max(mention.words), len(mention.words), mention.head


def choices(
    worth: Sequence[Sequence[Fraction]], taken: frozenset[int] = frozenset()
) -> Iterator[tuple[int | None, ...]]:
    """Every one-to-one choice of columns for rows, earlier columns first and none last."""
    if not worth:
        yield ()
        return
    for column, weight in enumerate(worth[0]):
        if weight and column not in taken:
            yield from ((column, *rest) for rest in choices(worth[1:], taken | {column}))
    yield from ((None, *rest) for rest in choices(worth[1:], taken))


def best(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention], weight: Weight
) -> Pairs:
    """The first choice of the greatest total."""
    ours = sorted(range(len(key)), key=lambda k: order(key[k]))
    theirs = sorted(range(len(response)), key=lambda r: order(response[r]))
    worth = [[weight(key[k], response[r]) for r in theirs] for k in ours]
    greatest: Fraction = Fraction(-1)
    found: tuple[int | None, ...] = ()
    for choice in choices(worth):
        total = sum((worth[row][c] for row, c in enumerate(choice) if c is not None), Fraction(0))
        if total > greatest:
            greatest, found = total, choice
    return [(ours[row], theirs[c]) for row, c in enumerate(found) if c is not None]


def f1(one: frozenset[object], other: frozenset[object]) -> Fraction:
    if not one or not other or not one & other:
        return Fraction(0)
    precision, recall = Fraction(len(one & other), len(one)), Fraction(len(one & other), len(other))
    return 2 * precision * recall / (precision + recall)


def by_dependency(key: ComparedMention, response: ComparedMention) -> Fraction:
    if key.sentence != response.sentence or not (key.is_zero and response.is_zero):
        return Fraction(0)
    ours, theirs = ({p for p, _ in m.dependencies} for m in (key, response))
    return 10 * f1(key.dependencies, response.dependencies) + f1(frozenset(ours), frozenset(theirs))


def by_head(key: ComparedMention, response: ComparedMention) -> Fraction:
    if key.head != response.head:
        return Fraction(0)
    return Fraction(len(key.words & response.words), len(key.words))


def by_part(key: ComparedMention, response: ComparedMention) -> Fraction:
    if key.head not in response.words or not response.words <= key.words:
        return Fraction(0)
    return Fraction(len(response.words), len(key.words))


def by_identity(rules: MatchingRules) -> Weight:
    return lambda k, r: Fraction(k.words == r.words and (rules.match != "head" or k.head == r.head))


def by_words(key: ComparedMention, response: ComparedMention) -> Fraction:
    return Fraction(key.words == response.words)


def aligned(
    key: Sequence[ComparedMention], response: Sequence[ComparedMention], rules: MatchingRules
) -> Pairs:
    """Pair mentions stage by stage."""
    stages: list[Weight] = [by_dependency] if rules.zeros == "dependent" else []
    stages.append(by_identity(rules))
    stages += {"head": [by_head], "partial": [by_part]}.get(rules.match, [])
    stages += [by_words] if rules.match == "head" and rules.same_words else []
    pairs: Pairs = []
    for stage in stages:
        ours = [k for k in range(len(key)) if k not in {k for k, _ in pairs}]
        theirs = [r for r in range(len(response)) if r not in {r for _, r in pairs}]
        found = best([key[k] for k in ours], [response[r] for r in theirs], stage)
        pairs += [(ours[k], theirs[r]) for k, r in found]
    return pairs


def mor(key: Entities, response: Entities) -> tuple[int, int, int, int]:
    """Words in common, and words of each side."""
    ours, theirs = ([mention for entity in side for mention in entity] for side in (key, response))
    pairs = best(ours, theirs, lambda k, r: Fraction(len(k.words & r.words)))
    common = sum(len(ours[k].words & theirs[r].words) for k, r in pairs)
    return common, sum(len(m.words) for m in ours), common, sum(len(m.words) for m in theirs)


def zero(key: Entities, response: Entities, pairs: Pairs) -> tuple[int, int, int, int]:
    """Right zero anaphors, those of the key, right ones again, those of the response.

    Pairs are positions in all mentions of a side, one entity after the other.
    """
    partner = dict(pairs)
    ours, theirs = ([mention for entity in side for mention in entity] for side in (key, response))
    home = [number for number, entity in enumerate(response) for _ in entity]
    right = wrong = missed = 0
    counted = set()
    place = 0
    for entity in key:
        numbers = sorted(range(place, place + len(entity)), key=lambda n: order(ours[n]))
        place += len(entity)
        for position, number in enumerate(numbers):
            if not ours[number].is_zero or position == 0:
                continue
            other = partner.get(number)
            counted.add(other)
            if other is None or _is_first(theirs, home, other):
                missed += 1
            elif any(
                partner.get(before) is not None and home[partner[before]] == home[other]
                for before in numbers[:position]
            ):
                right += 1
            else:
                wrong += 1
    spurious = sum(
        mention.is_zero and not _is_first(theirs, home, number) and number not in counted
        for number, mention in enumerate(theirs)
    )
    return right, right + wrong + missed, right, right + wrong + spurious


def _is_first(mentions: Sequence[ComparedMention], home: Sequence[int], number: int) -> bool:
    of_entity = [n for n in range(len(mentions)) if home[n] == home[number]]
    return min(of_entity, key=lambda n: order(mentions[n])) == number


METRICS = {"mor": mor, "zero": zero}
