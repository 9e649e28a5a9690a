"""The metrics of Universal Anaphora by definition: links one by one, alignments all tried.

Entities are lists of mentions and split antecedents; ``partner`` gives the mention of the other
side that a mention without an equal is aligned with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from corefscope.extensions.universal_anaphora.entities import SplitAntecedent, UaEntity, UaMention

Partner: TypeAlias = Mapping[UaMention, UaMention]
Counted: TypeAlias = tuple[float, float, float, float]


class Placed(NamedTuple):
    """A member of an entity."""

    entity: int
    other: int | None
    """The entity of the other side that has it."""
    weight: float
    is_split: bool = False

    def is_with(self, member: Placed) -> bool:
        """Whether the other side has both in one entity."""
        return self.other is not None and self.other == member.other


def place(mention: UaMention, entities: Sequence[UaEntity], partner: Partner) -> int | None:
    """The last entity that has the mention, or what it is aligned with."""
    wanted = partner.get(mention, mention)
    found = [i for i, entity in enumerate(entities) if wanted in entity]
    return found[-1] if found else None


def placed(
    key: Sequence[UaEntity],
    response: Sequence[UaEntity],
    partner: Partner,
    splits: Mapping[int, tuple[int | None, float]],
) -> list[Placed]:
    members: list[Placed] = []
    for i, entity in enumerate(key):
        for one in entity:
            if isinstance(one, UaMention):
                members.append(Placed(i, place(one, response, partner), 1.0))
            else:
                other, weight = splits.get(i, (None, 0.0))
                members.append(Placed(i, other, weight, is_split=True))
    return members


def ratio(n: float, d: float) -> float:
    return n / d if d else 0.0


def f1(counts: Counted) -> float:
    recall, precision = ratio(counts[0], counts[1]), ratio(counts[2], counts[3])
    return ratio(2 * recall * precision, recall + precision)


def muc(members: list[Placed], sizes: list[int], others: list[int], small: bool) -> float:
    total = 0.0
    for i, size in enumerate(sizes):
        own = [one for one in members if one.entity == i and one.other is not None]
        plain = [one.other for one in own if not one.is_split]
        if small and size == 1:
            total += any(j is not None and others[j] == 1 for j in plain)
        else:
            total += len(plain) - len(set(plain))
            total += sum(one.weight for one in own if one.is_split and one.other in plain)
    return total


def b_cubed(members: list[Placed], sizes: list[int]) -> float:
    return sum(
        one.weight * two.weight / sizes[one.entity]
        for one in members
        for two in members
        if one.entity == two.entity and one.is_with(two)
    )


def lea(members: list[Placed], sizes: list[int], others: list[int]) -> float:
    total = 0.0
    for i, size in enumerate(sizes):
        own = [one for one in members if one.entity == i]
        if size == 1:
            (one,) = own
            total += one.weight if one.other is not None and others[one.other] == 1 else 0
        else:
            links = [
                one.weight * two.weight for one, two in combinations(own, 2) if one.is_with(two)
            ]
            total += size * sum(links) / (size * (size - 1) / 2)
    return total


def links(members: list[Placed], together: bool) -> float:
    return sum(
        one.weight * two.weight
        for one, two in combinations(members, 2)
        if one.other is not None
        and two.other is not None
        and (one.entity == two.entity) is together
        and (one.other == two.other) is together
    )


def best_total(weights: Sequence[Sequence[float]]) -> float:
    """The greatest total of cells of which no two share a row or a column."""
    columns = range(len(weights[0])) if weights else range(0)
    padded = [*columns, *[-1] * len(weights)]
    totals = [
        sum((row[j] for row, j in zip(weights, order, strict=False) if j >= 0), start=0.0)
        for order in permutations(padded, len(weights))
    ]
    return max(totals)


def overlaps(
    key: Sequence[UaEntity],
    response: Sequence[UaEntity],
    partner: Partner,
    pairs: Mapping[tuple[int, int], float],
) -> list[list[float]]:
    return [
        [
            sum(partner.get(m, m) in other for m in entity if isinstance(m, UaMention))
            + pairs.get((i, j), 0.0)
            for j, other in enumerate(response)
        ]
        for i, entity in enumerate(key)
    ]


class Reference:
    """Counts a metric by definition; ``of_key`` and ``of_response`` are the aligned mentions."""

    def __init__(self, metric: str, of_key: Partner, of_response: Partner) -> None:
        self.metric, self.of_key, self.of_response = metric, of_key, of_response

    def count(
        self,
        key: Sequence[UaEntity],
        response: Sequence[UaEntity],
        pairs: Mapping[tuple[int, int], Counted] | None = None,
        *,
        small: bool = False,
    ) -> Counted:
        pairs = pairs or {}
        if self.metric in ("ceafe", "ceafm"):
            return self._ceaf(key, response, pairs)
        equal = {
            i: (j, 1.0)
            for i, entity in enumerate(key)
            for j, other in enumerate(response)
            if any(isinstance(one, SplitAntecedent) and one in other for one in entity)
        }
        if self.metric in ("coreference", "non_coreference"):
            weighed = equal | {i: (j, f1(counts)) for (i, j), counts in pairs.items()}
            members = placed(key, response, self.of_key, weighed)
            n = links(members, self.metric == "coreference")
            return n, self._links(key), n, self._links(response)
        forward = {i: (j, ratio(c[0], c[1])) for (i, j), c in pairs.items()}
        backward = {j: (i, ratio(c[2], c[3])) for (i, j), c in pairs.items()}
        if self.metric == "lea":
            forward = equal | forward
            backward = {j: (i, 1.0) for i, (j, _) in equal.items()} | backward
        return (
            *self._one_way(key, response, self.of_key, forward, small),
            *self._one_way(response, key, self.of_response, backward, small),
        )

    def _one_way(
        self,
        key: Sequence[UaEntity],
        response: Sequence[UaEntity],
        partner: Partner,
        splits: Mapping[int, tuple[int, float]],
        small: bool,
    ) -> tuple[float, float]:
        members = placed(key, response, partner, splits)
        sizes, others = [len(e) for e in key], [len(e) for e in response]
        if self.metric == "mentions":
            return sum(one.weight for one in members if one.other is not None), sum(sizes)
        if self.metric == "muc":
            needed = sum(max(size - 1, int(small)) for size in sizes)
            return muc(members, sizes, others, small), needed
        if self.metric == "b3":
            return b_cubed(members, sizes), sum(sizes)
        return lea(members, sizes, others), sum(sizes)

    def _ceaf(
        self,
        key: Sequence[UaEntity],
        response: Sequence[UaEntity],
        pairs: Mapping[tuple[int, int], Counted],
    ) -> Counted:
        cells = overlaps(key, response, self.of_key, {pair: f1(c) for pair, c in pairs.items()})
        sizes, others = [len(e) for e in key], [len(e) for e in response]
        if self.metric == "ceafm":
            best = best_total(cells)
            return best, sum(sizes), best, sum(others)
        best = best_total(
            [
                [2 * n / (k + r) for n, r in zip(row, others, strict=True)]
                for row, k in zip(cells, sizes, strict=True)
            ]
        )
        return best, len(sizes), best, len(others)

    def _links(self, entities: Sequence[UaEntity]) -> int:
        members = [i for i, entity in enumerate(entities) for _ in entity]
        together = self.metric == "coreference"
        return sum((i == j) is together for i, j in combinations(members, 2))

    def with_splits(self, key: Sequence[UaEntity], response: Sequence[UaEntity]) -> Counted | None:
        """Count split antecedents as well; None if several alignments of them are best."""
        scores = {
            (i, j): self.count(one.ordered, other.ordered, small=True)
            for i, one in splits_of(key)
            for j, other in splits_of(response)
        }
        best = best_alignments({pair: f1(counts) for pair, counts in scores.items()})
        if len(best) > 1:
            return None
        return self.count(key, response, {pair: scores[pair] for pair in best[0]})


def splits_of(entities: Sequence[UaEntity]) -> Iterator[tuple[int, SplitAntecedent]]:
    for i, entity in enumerate(entities):
        for one in entity:
            if isinstance(one, SplitAntecedent):
                yield i, one


def best_alignments(weights: Mapping[tuple[int, int], float]) -> list[frozenset[tuple[int, int]]]:
    """All sets of pairs with a weight, no two of them with a common end, of the greatest total."""
    cells = [pair for pair, weight in weights.items() if weight > 0]
    found: dict[frozenset[tuple[int, int]], float] = {}
    for size in range(len(cells) + 1):
        for chosen in combinations(cells, size):
            if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == size:
                found[frozenset(chosen)] = sum(weights[pair] for pair in chosen)
    greatest = max(found.values())
    return [chosen for chosen, total in found.items() if total > greatest - 1e-9]


def partial_pairs(
    key: Sequence[UaMention],
    response: Sequence[UaMention],
    fits: Callable[[UaMention, UaMention], bool],
) -> float:
    """The greatest total of |response| / |key| over pairs that fit."""
    return best_total(
        [[len(r.words) / len(k.words) if fits(k, r) else 0.0 for r in response] for k in key]
    )
