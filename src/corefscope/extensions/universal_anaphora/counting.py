"""The coreference metrics with split antecedents.

A split antecedent S counts as one mention of its entity. Those of key and response are aligned one
to one, *for each metric anew*: the elements of two of them are scored against each other with the
metric itself, as if they were two small lists of entities, and the total F1 of the pairs is
maximised. Where a mention would count 1, S counts the recall, precision or F1 of its pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from corefscope.extensions.universal_anaphora.alignment import best_pairs
from corefscope.extensions.universal_anaphora.entities import Scored, SplitAntecedent, UaMention
from corefscope.extensions.universal_anaphora.tables import (
    UaSide,
    UaTable,
    WeightedCells,
    accepts,
)
from corefscope.matching.assignment import best_alignment
from corefscope.metrics.counts import harmonic_mean, ratio


class FourCounts(NamedTuple):
    """Numerator and denominator of recall, then of precision."""

    found: float
    key: float
    right: float
    response: float

    @property
    def recall(self) -> float:
        """The share of the key that was found."""
        return ratio(self.found, self.key)

    @property
    def precision(self) -> float:
        """The share of the response that is right."""
        return ratio(self.right, self.response)

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        return harmonic_mean(self.recall, self.precision)


class Weighed(NamedTuple):
    """The entity of the other side's partner of a split antecedent, and what the pair counts."""

    entity: int
    weight: float


class Splits(Struct, frozen=True):
    """Pairs of split antecedents, by the entities that they are in."""

    pairs: Mapping[tuple[int, int], FourCounts] = field(default_factory=dict)
    """What each aligned pair scores."""
    equal: Mapping[int, int] = field(default_factory=dict)
    """Key and response entities with equal split antecedents."""

    @property
    def swapped(self) -> Splits:
        """The same with the roles of key and response exchanged."""
        return Splits(
            {
                (response, key): FourCounts(counts.right, counts.response, counts.found, counts.key)
                for (key, response), counts in self.pairs.items()
            },
            {response: key for key, response in self.equal.items()},
        )

    def by_recall(self) -> dict[int, Weighed]:
        """Return what the split antecedent of each key entity counts in recall."""
        return {key: Weighed(to, counts.recall) for (key, to), counts in self.pairs.items()}

    def by_f1(self) -> dict[int, Weighed]:
        """Return what the split antecedent of each key entity counts in links of both sides."""
        aligned = {key: Weighed(to, counts.f1) for (key, to), counts in self.pairs.items()}
        return self._equal() | aligned

    def by_recall_or_equality(self) -> dict[int, Weighed]:
        """Return the same as by recall; one without a partner counts 1 if it has an equal."""
        return self._equal() | self.by_recall()

    def _equal(self) -> dict[int, Weighed]:
        return {key: Weighed(to, 1.0) for key, to in self.equal.items()}


NO_SPLITS = Splits()


def both_ways(
    recall: Callable[[UaTable, Splits], tuple[float, float]], table: UaTable, splits: Splits
) -> FourCounts:
    """Count recall, and precision as recall with the roles exchanged."""
    return FourCounts(*recall(table, splits), *recall(table.swapped, splits.swapped))


def muc(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Count links that are needed, and those of them that are there."""
    return both_ways(_muc_recall, table, splits)


def _muc_recall(table: UaTable, splits: Splits) -> tuple[float, float]:
    weighed = splits.by_recall()
    found = 0.0
    for entity, owners in enumerate(table.found):
        found += owners.total() - len(owners)
        if entity in weighed and weighed[entity].entity in owners:
            found += weighed[entity].weight
    return found, sum(size - 1 for size in table.key.sizes)


def mentions(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Count mentions, whatever their entities."""
    return both_ways(_mention_recall, table, splits)


def _mention_recall(table: UaTable, splits: Splits) -> tuple[float, float]:
    found = float(sum(owners.total() for owners in table.found))
    found += sum(split.weight for split in splits.by_recall().values())
    return found, sum(table.key.sizes)


def muc_of_elements(table: UaTable, _: Splits = NO_SPLITS) -> FourCounts:
    """Count links between elements' mentions; an element of one mention is one link to itself."""
    return both_ways(_muc_recall_of_elements, table, NO_SPLITS)


def _muc_recall_of_elements(table: UaTable, _: Splits) -> tuple[float, float]:
    found = 0.0
    for size, owners in zip(table.key.sizes, table.found, strict=True):
        links = _is_found_alone(table, owners) if size == 1 else owners.total() - len(owners)
        found += links
    return found, sum(max(size - 1, 1) for size in table.key.sizes)


def _is_found_alone(table: UaTable, owners: Mapping[int, int]) -> bool:
    """Tell whether the only mention of an entity is the only one of its owner."""
    return any(table.response.sizes[owner] == 1 for owner in owners)


def b_cubed(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Sum over mentions the share of their entity that is with them on the other side."""
    return both_ways(_b_cubed_recall, table, splits)


def _b_cubed_recall(table: UaTable, splits: Splits) -> tuple[float, float]:
    weighed = splits.by_recall()
    found = sum(
        _squares(_together(owners, weighed.get(entity)).values()) / table.key.sizes[entity]
        for entity, owners in enumerate(table.found)
    )
    return found, sum(table.key.sizes)


def _together(owners: Mapping[int, int], split: Weighed | None) -> dict[int, float]:
    """Return the weight of the mentions of an entity in each entity of the other side."""
    together = {owner: float(n) for owner, n in owners.items()}
    if split is not None:
        together[split.entity] = together.get(split.entity, 0.0) + split.weight
    return together


def ceaf_e(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Align entities one to one so that their total similarity is greatest."""
    key, response = table.key.sizes, table.response.sizes
    similar = {
        (i, j): 2 * n / (key[i] + response[j]) for (i, j), n in _overlaps(table, splits).items()
    }
    best = greatest_total(similar)
    return FourCounts(best, len(key), best, len(response))


def ceaf_m(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Align entities one to one so that they have most mentions in common."""
    best = greatest_total(_overlaps(table, splits))
    return FourCounts(best, sum(table.key.sizes), best, sum(table.response.sizes))


def _overlaps(table: UaTable, splits: Splits) -> WeightedCells:
    cells = dict(table.overlaps)
    for pair, counts in splits.pairs.items():
        cells[pair] = cells.get(pair, 0.0) + counts.f1
    return cells


def greatest_total(cells: WeightedCells) -> float:
    """Return the greatest total of cells of which no two share a row or a column."""
    if len(cells) < 2:
        return sum(cells.values())
    places = np.array(list(cells))
    weights = np.array(list(cells.values()))
    rows, columns = (np.unique(places[:, side], return_inverse=True)[1] for side in (0, 1))
    return float(weights[best_alignment(rows, columns, weights)].sum())


def lea(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Sum over entities their size times the share of their links that is found."""
    return both_ways(_lea_recall, table, splits)


def _lea_recall(table: UaTable, splits: Splits) -> tuple[float, float]:
    weighed = splits.by_recall_or_equality()
    found = 0.0
    for entity, (size, owners) in enumerate(zip(table.key.sizes, table.found, strict=True)):
        split = weighed.get(entity)
        if size > 1:
            found += size * _linked(owners, split) / _pairs(size)
        elif split is not None:
            found += split.weight * (table.response.sizes[split.entity] == 1)
        else:
            found += _is_found_alone(table, owners)
    return found, sum(table.key.sizes)


def _pairs(n: float) -> float:
    return n * (n - 1) / 2


def _linked(owners: Mapping[int, int], split: Weighed | None) -> float:
    """Return the links of a key entity whose ends are together, each the product of its ends."""
    links = sum(_pairs(n) for n in owners.values())
    if split is not None:
        links += split.weight * owners.get(split.entity, 0)
    return links


def blanc_coreference(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Count links within entities, and those that both sides have."""
    weighed = splits.by_f1()
    common = sum(_linked(owners, weighed.get(i)) for i, owners in enumerate(table.found))
    key, response = (sum(map(_pairs, side.sizes)) for side in (table.key, table.response))
    return FourCounts(common, key, common, response)


def blanc_non_coreference(table: UaTable, splits: Splits = NO_SPLITS) -> FourCounts:
    """Count links between entities, and those that both sides have.

    Links between mentions that are together on neither side are, by inclusion and exclusion, half
    of T² − Σ Kᵢ² − Σ Rⱼ² + Σ nᵢⱼ², with the weights of all mentions, of those of each entity of
    the key and of the response, and of those that both have.
    """
    weighed = splits.by_f1()
    rows = [_together(owners, weighed.get(i)) for i, owners in enumerate(table.found)]
    columns: dict[int, float] = defaultdict(float)
    for row in rows:
        for other, weight in row.items():
            columns[other] += weight
    total = sum(columns.values())
    common = (
        total * total
        - _squares(sum(row.values()) for row in rows)
        - _squares(columns.values())
        + _squares(weight for row in rows for weight in row.values())
    ) / 2
    # Fractions may leave a little less than nothing.
    common = max(common, 0.0)
    key, response = (
        _pairs(sum(side.sizes)) - sum(map(_pairs, side.sizes))
        for side in (table.key, table.response)
    )
    return FourCounts(common, key, common, response)


def _squares(values: Iterable[float]) -> float:
    return sum(value * value for value in values)


class Measure(Struct, frozen=True):
    """How entities are counted, and how the elements of two split antecedents are."""

    count: Callable[[UaTable, Splits], FourCounts]
    count_elements: Callable[[UaTable, Splits], FourCounts]


def _plain(count: Callable[[UaTable, Splits], FourCounts]) -> Measure:
    return Measure(count, count)


MEASURES: dict[str, tuple[Measure, ...]] = {
    "mentions": (_plain(mentions),),
    "muc": (Measure(muc, muc_of_elements),),
    "b3": (_plain(b_cubed),),
    "ceafe": (_plain(ceaf_e),),
    "ceafm": (_plain(ceaf_m),),
    "blanc": (_plain(blanc_coreference), _plain(blanc_non_coreference)),
    "lea": (_plain(lea),),
}
"""The measures of each metric; the two kinds of links of BLANC are aligned each by itself.

The official scorers do not give mentions. They are counted as all else, by what the metrics see.
"""


def align_splits(table: UaTable, measure: Measure) -> Splits:
    """Align the split antecedents of a key and a response by a measure."""
    key, response = list(table.key.splits), list(table.response.splits)
    scores = {
        (key[i], response[j]): measure.count_elements(
            elements(table, table.key.splits[key[i]], table.response.splits[response[j]]), NO_SPLITS
        )
        for i, j in table.related_splits
    }
    weights = {
        (i, j): f1 for i, j in table.related_splits if (f1 := scores[key[i], response[j]].f1) > 0
    }
    pairs = [(key[i], response[j]) for i, j in best_pairs(weights, len(key), len(response))]
    return Splits({pair: scores[pair] for pair in pairs}, _equal_splits(table.key, table.response))


def elements(table: UaTable, key: SplitAntecedent, response: SplitAntecedent) -> UaTable:
    """Return the elements of two split antecedents side by side."""
    return UaTable.of(key.ordered, response.ordered, table.alignment, table.by_minimum)


def _equal_splits(key: UaSide, response: UaSide) -> dict[int, int]:
    owner = {split: entity for entity, split in response.splits.items()}
    return {entity: owner[split] for entity, split in key.splits.items() if split in owner}


def count_with_splits(table: UaTable, measure: Measure) -> FourCounts:
    """Count all mentions, split antecedents included."""
    return measure.count(table, align_splits(table, measure))


def count_splits_only(table: UaTable, measure: Measure) -> FourCounts:
    """Count the elements of split antecedents alone."""
    pairs = align_splits(table, measure).pairs.values()
    nothing = SplitAntecedent(frozenset())
    key = (
        measure.count_elements(elements(table, split, nothing), NO_SPLITS).key
        for split in table.key.splits.values()
    )
    response = (
        measure.count_elements(elements(table, nothing, split), NO_SPLITS).response
        for split in table.response.splits.values()
    )
    return FourCounts(
        sum(pair.found for pair in pairs),
        sum(key),
        sum(pair.right for pair in pairs),
        sum(response),
    )


Same = Callable[[UaMention, UaMention], bool]


def count_others(key: Scored, response: Scored, *, by_minimum: bool) -> dict[str, FourCounts]:
    """Count non-referring expressions, and bridging at three levels."""
    return {
        "non_referring": _non_referring(key, response, by_minimum),
        **_bridging(key, response, accepts if by_minimum else _equal),
    }


def _equal(key: UaMention, response: UaMention) -> bool:
    return key == response


def _non_referring(key: Scored, response: Scored, by_minimum: bool) -> FourCounts:
    """Count the first markables of non-referring entities that the response has as well."""
    if by_minimum:
        found = sum(
            any(accepts(one, other) for other in response.non_referring)
            for one in key.non_referring
        )
    else:
        known = set(response.non_referring)
        found = sum(one in known for one in key.non_referring)
    return FourCounts(found, len(key.non_referring), found, len(response.non_referring))


def _bridging(key: Scored, response: Scored, same: Same) -> dict[str, FourCounts]:
    """Count bridging anaphors: recognised; with the right anchor; with one of its entity.

    Entities are those of the key alone, without what is not scored, such as dropped singletons.
    """
    owner = UaSide(key.entities).owner
    anaphors = [one for one in key.bridges if one in response.bridges]
    anchors = [(key.bridges[one], response.bridges[one]) for one in anaphors]
    right = [same(expected, found) for expected, found in anchors]
    related = [
        is_right or (expected in owner and owner[expected] == owner.get(found))
        for is_right, (expected, found) in zip(right, anchors, strict=True)
    ]
    counts = {
        "bridging_anaphor": len(anaphors),
        "bridging_mention": sum(right),
        "bridging_entity": sum(related),
    }
    sizes = len(key.bridges), len(response.bridges)
    return {id: FourCounts(n, sizes[0], n, sizes[1]) for id, n in counts.items()}
