"""Facts: what is noticed document by document, added up, and judged when all is read."""

from __future__ import annotations

from collections import Counter
from typing import Self

from msgspec import Struct


class Facts(Struct):
    """Base class of records of counts and lists; ``+`` gives those of two sets of documents."""

    def __add__(self, later: Self) -> Self:
        names = self.__struct_fields__
        return type(self)(
            **{name: _joined(getattr(self, name), getattr(later, name)) for name in names}
        )


def _joined(one: object, other: object) -> object:
    """Return the sum of counts, one list after the other, or whether one of two is true."""
    match one, other:
        case (bool(), bool()):
            return one or other
        case (int(), int()):
            return one + other
        case (dict(), dict()):
            return Counter(one) + Counter(other)
        case (frozenset(), frozenset()):
            return one | other
        case (tuple(), tuple()):
            return tuple(map(_joined, one, other))
        case (list(), list()):
            return [*one, *other]
        case (Facts(), Facts()):
            return one + other
    raise TypeError(f"{type(one).__name__} is no fact")
