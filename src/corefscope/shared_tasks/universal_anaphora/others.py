"""Non-referring expressions and bridging."""

from __future__ import annotations

from collections.abc import Callable

from corefscope.shared_tasks.universal_anaphora.counting import FourCounts
from corefscope.shared_tasks.universal_anaphora.entities import Scored, UaMention
from corefscope.shared_tasks.universal_anaphora.tables import UaSide, accepts

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
