"""Which markable of the response is which of the key, where they need not be equal.

Equal markables need no alignment. Of the others, version 2 pairs each with at most one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from corefscope.choices import UaMatch
from corefscope.corpus.mentions import Span
from corefscope.extensions.universal_anaphora.entities import UaEntity, UaMention
from corefscope.matching.assignment import as_scipy


class MarkableAlignment(Struct, frozen=True):
    """The partners of markables that have no equal on the other side."""

    of_key: Mapping[UaMention, UaMention] = field(default_factory=dict)
    of_response: Mapping[UaMention, UaMention] = field(default_factory=dict)

    @property
    def swapped(self) -> MarkableAlignment:
        """The same with the roles of key and response exchanged."""
        return MarkableAlignment(self.of_response, self.of_key)


def align(
    key: Sequence[UaEntity], response: Sequence[UaEntity], match: UaMatch
) -> MarkableAlignment:
    """Pair the markables of both sides that are not equal."""
    if match not in ("partial", "craft"):
        return MarkableAlignment()
    sides = [_mentions(key), _mentions(response)]
    left, right = (
        sorted((one for one in own if one not in other), key=lambda mention: mention.place)
        for own, other in (sides, reversed(sides))
    )
    pairs = _by_minimum(left, right) if match == "partial" else _first_fit(left, right)
    of_key = dict(pairs)
    return MarkableAlignment(of_key, {partner: mention for mention, partner in of_key.items()})


def _mentions(entities: Sequence[UaEntity]) -> dict[UaMention, None]:
    """Return the markables with words, each once; zeros can equal zeros only."""
    every = (member for entity in entities for member in entity)
    return dict.fromkeys(
        one for one in every if isinstance(one, UaMention) and one.spans and not one.is_zero
    )


def _by_minimum(
    key: Sequence[UaMention], response: Sequence[UaMention]
) -> Iterator[tuple[UaMention, UaMention]]:
    """Pair so that the total of |response| / |key| is greatest: min ⊆ response ⊆ key."""
    covering: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(response):
        for word in mention.words:
            covering[word].append(number)
    cells = {
        (row, column): response[column].place[2] / mention.place[2]
        for row, mention in enumerate(key)
        if mention.minimum is not None
        # A response that covers the minimum span has its first word.
        for column in covering.get(mention.minimum[0], ())
        if _fits(mention, response[column])
    }
    for row, column in best_pairs(cells, len(key), len(response)):
        yield key[row], response[column]


def _fits(key: UaMention, response: UaMention) -> bool:
    assert key.minimum is not None
    first, last = key.minimum
    if last - first >= len(response.words):
        return False
    return response.words.issuperset(range(first, last + 1)) and response.words <= key.words


def best_pairs(
    cells: Mapping[tuple[int, int], float], rows: int, columns: int
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of the greatest total weight; the cells have weights above 0.

    Of several best pairings it gives the one that the official scorers get from their solver.
    """
    if cells:
        for row, column in as_scipy(cells, rows, columns):
            if (row, column) in cells:
                yield row, column


def _first_fit(
    key: Sequence[UaMention], response: Sequence[UaMention]
) -> Iterator[tuple[UaMention, UaMention]]:
    """Give each response markable the first key markable whose first part holds a part of it.

    If that one is taken the response markable stays alone, though another may fit as well.
    """
    starts = defaultdict(list)
    for mention in key:
        first, last = mention.first_part or mention.spans[0]
        for word in range(first, last + 1):
            starts[word].append(mention)
    taken: set[UaMention] = set()
    for mention in response:
        fitting = [one for part in mention.spans for one in starts[part[0]] if _holds(one, part)]
        if not fitting:
            continue
        chosen = min(fitting, key=lambda one: one.place)
        if chosen not in taken:
            taken.add(chosen)
            yield chosen, mention


def _holds(key: UaMention, part: Span) -> bool:
    first, last = key.first_part or key.spans[0]
    return first <= part[0] and part[1] <= last
