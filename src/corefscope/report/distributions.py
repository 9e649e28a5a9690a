"""How scores and differences spread over resamples, in bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corefscope.overlap import Floats
from corefscope.statistics.result import SystemComparison

BINS = 60


def distributions_of(comparison: SystemComparison) -> dict[str, Any] | None:
    """Return for each statistic the counts of its values, by system and by pair of systems."""
    drawn = comparison.resamples
    first = comparison.estimates[comparison.systems[0]][comparison.primary]
    if drawn is None or first.low is None:
        return None
    place = {name: number for number, name in enumerate(comparison.systems)}
    pairs = list(dict.fromkeys((d.system, d.other) for d in comparison.differences))
    return {
        statistic: {
            **_binned("systems", [drawn[:, s, number] for s in place.values()]),
            "differences": _binned(
                "pairs", [drawn[:, place[a], number] - drawn[:, place[b], number] for a, b in pairs]
            ),
        }
        for number, statistic in enumerate(comparison.statistics)
    }


def _binned(name: str, values: Sequence[Floats]) -> Mapping[str, Any]:
    """Count values on one axis."""
    low = float(min((v.min() for v in values), default=0.0))
    high = float(max((v.max() for v in values), default=0.0))
    if low == high:
        low, high = low - 0.005, high + 0.005
    counts = [np.histogram(v, BINS, (low, high))[0].tolist() for v in values]
    return {"low": low, "high": high, name: counts}
