"""Krippendorff's alpha by its definition: sets, fractions, and all pairs of values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

Entities = Collection[Collection[Hashable]]
"""The entities of an annotator in one document."""
Annotated = Mapping[str, Entities]
"""The entities of each annotator of one document."""
Value = frozenset[Hashable]


def rank(one: Value, other: Value) -> Fraction:
    """Return 1 for equal sets, 2/3 if one contains the other, 1/3 if they intersect, else 0."""
    if one == other:
        return Fraction(1)
    if one <= other or other <= one:
        return Fraction(2, 3)
    return Fraction(1, 3) if one & other else Fraction(0)


def passonneau(one: Value, other: Value) -> Fraction:
    return 1 - rank(one, other)


def masi(one: Value, other: Value) -> Fraction:
    return 1 - Fraction(len(one & other), len(one | other)) * rank(one, other)


DISTANCES: Mapping[str, Callable[[Value, Value], Fraction]] = {
    "passonneau": passonneau,
    "masi": masi,
}


def values_of(document: Annotated, unmarked: str) -> list[list[Value]]:
    """Return the values of each unit that has two or more."""
    entities = {who: [frozenset(each) for each in given] for who, given in document.items()}
    units = {mention for given in entities.values() for entity in given for mention in entity}
    found = []
    for unit in units:
        values = []
        for given in entities.values():
            own = [entity for entity in given if unit in entity]
            if own:
                values.append(own[0])
            elif unmarked == "singleton":
                values.append(frozenset([unit]))
        if len(values) > 1:
            found.append(values)
    return found


def disagreement(values: Sequence[Value], distance: str) -> Fraction:
    """Return the sum of distances over all ordered pairs, over the number of values less one."""
    pairs = permutations(values, 2)
    return sum((DISTANCES[distance](*pair) for pair in pairs), Fraction(0)) / (len(values) - 1)


def alpha(documents: Collection[Annotated], unmarked: str, distance: str) -> Fraction | None:
    """Return alpha; observed and expected disagreement are summed over documents."""
    observed = expected = Fraction(0)
    is_any = False
    for document in documents:
        units = values_of(document, unmarked)
        if units:
            is_any = True
            observed += sum((disagreement(unit, distance) for unit in units), Fraction(0))
            expected += disagreement([value for unit in units for value in unit], distance)
    if not is_any:
        return None
    return 1 - observed / expected if expected else Fraction(1)
