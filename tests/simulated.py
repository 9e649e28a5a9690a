"""Simulated corpora: counts of documents of unlike size and difficulty, for systems of known skill.

The F1 that a system would have on all documents that there could be is known as exactly as wanted,
so that intervals can be checked to cover it, and tests to call equal systems different as rarely as
they promise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corefscope.metrics.counts import plain_figures
from corefscope.overlap import Floats
from corefscope.statistics.readings import Readings

METRICS = ("muc", "b3", "ceafe")
READINGS = Readings(
    (*METRICS, "conll"), (slice(0, 4), slice(4, 8), slice(8, 12)), (plain_figures,) * 3
)
SKILL = 0.8
"""The log odds by which a system gets something right in a document of middling difficulty."""


def systems(
    rng: np.random.Generator,
    documents: int,
    skills: Sequence[float],
    runs: int = 1,
    spread: float = 0,
) -> list[list[Floats]]:
    """Counts of systems on the same documents: for each its runs, whose skills are spread."""
    size = rng.geometric(1 / 30, documents) + 10
    ease = rng.normal(0, 0.5, documents)
    return [
        [_counts(rng, size, skill + rng.normal(0, spread) + ease) for _ in range(runs)]
        for skill in skills
    ]


def _counts(
    rng: np.random.Generator, size: np.ndarray[tuple[int], np.dtype[np.int64]], skill: Floats
) -> Floats:
    columns = []
    for place, _ in enumerate(METRICS, 1):
        right = 1 / (1 + np.exp(-skill - rng.normal(0, 0.4, len(size))))
        key = size * place
        response = rng.poisson(key * 1.05) + 1
        found = rng.binomial(np.minimum(key, response), right)
        columns += [found, key, found, response]
    return np.stack(columns, axis=1).astype(np.float64)


def truth(skill: float = SKILL) -> Floats:
    """The statistics of a system on very many documents."""
    ((counts,),) = systems(np.random.default_rng(99), 400_000, [skill])
    return READINGS.read(counts.sum(axis=0))
