"""The points that measure the comparison of systems, and of protocols."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from points import MEGABYTE, Row, Settings, all_files
from processes import Run, best_of, corefscope, script

SAMPLES = 10_000
STATISTICS = 8
"""The seven metrics, and CoNLL."""
NUMBER = 8
"""Bytes of a float."""
LOOPS = {"numpy": "numpy, one by one", "python": "Python, only sums"}
"""The rivals, which take one resample after the other."""


def two_systems(settings: Settings) -> Iterator[Row]:
    """Measure (k): two systems on 348 documents; all protocols of one."""
    key, one, other, *_ = all_files("news-systems")
    score, compared, single, profiles = best_of(
        settings.times,
        corefscope("score", key, one, other),
        corefscope("compare", key, one, other),
        corefscope("score", key, one),
        corefscope("profiles", key, one),
    )
    loops = _loops(100 if settings.quick else 1_000, key, one, other)
    yield from _against_loops("k", "348 documents, beyond score", score, compared, loops, 1)
    ratio = profiles.wall / single.wall
    named = "348 documents, profiles; rival: score"
    yield Row("k", named, profiles.wall, "s", profiles.cpu, single.wall, ratio)


def ten_systems(settings: Settings) -> Iterator[Row]:
    """Measure (l): all pairs of ten systems; then ten times as many resamples."""
    paths = all_files("news-systems")
    command = corefscope("compare", *paths, "--all-pairs")
    score, compared = best_of(settings.few, corefscope("score", *paths), command)
    loops = _loops(10 if settings.quick else 100, *paths)
    yield from _against_loops("l", "all pairs of 10, beyond score", score, compared, loops, 10)
    (more,) = best_of(1, [*command, "--samples", str(10 * SAMPLES)])
    yield from _memory("l", 10, score, {SAMPLES: compared, 10 * SAMPLES: more})


def many_documents(settings: Settings) -> Iterator[Row]:
    """Measure (m): two systems on 10,000 short documents; before that, a tenth of the resamples."""
    paths = all_files("short")
    command = corefscope("compare", *paths)
    score, fewer, compared = best_of(
        settings.few,
        corefscope("score", *paths),
        [*command, "--samples", str(SAMPLES // 10)],
        command,
    )
    loops = _loops(10 if settings.quick else 100, *paths)
    yield from _against_loops("m", "10,000 documents, beyond score", score, compared, loops)
    yield from _memory("m", 2, score, {SAMPLES // 10: fewer, SAMPLES: compared})


def _loops(resamples: int, *paths: str) -> dict[str, float]:
    """Return what the rivals take, extrapolated from some resamples."""
    (taken,) = best_of(1, script("one_by_one.py", str(resamples), *paths))
    return dict(json.loads(taken.output))


def _against_loops(
    point: str,
    what: str,
    score: Run,
    compared: Run,
    loops: dict[str, float],
    limit: float | None = None,
) -> Iterator[Row]:
    """Show what a comparison takes beyond scoring, and what loops take for the same."""
    beyond, cpu = compared.wall - score.wall, compared.cpu - score.cpu
    target, met = (f"≤ {limit} s", beyond <= limit) if limit else ("", None)
    for loop, rival in LOOPS.items():
        taken, named = loops[loop], f"{what}; rival: {rival}"
        yield Row(point, named, beyond, "s", cpu, taken, beyond / taken, target, met)


def _memory(point: str, systems: int, score: Run, runs: dict[int, Run]) -> Iterator[Row]:
    """Show peaks, and how they grow with resamples but for the statistics, which are kept."""
    besides = []
    for samples, taken in runs.items():
        kept = samples * systems * STATISTICS * NUMBER
        besides.append(taken.peak - kept)
        peak, rival = taken.peak / MEGABYTE, score.peak / MEGABYTE
        named = f"{samples:,} resamples, {kept / MEGABYTE:.1f} MB of them kept; rival: score"
        yield Row(point, named, peak, "MB", None, rival, peak / rival)
    growth = besides[-1] / besides[0]
    named = "10 times the resamples, without what is kept"
    yield Row(point, named, growth, "× memory", target="≤ 1.1", met=growth <= 1.1)


COMPARISON_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "k": two_systems,
    "l": ten_systems,
    "m": many_documents,
}
