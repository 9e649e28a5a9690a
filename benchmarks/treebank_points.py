"""The points that measure CorefUD files: reading, and mention matching by head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from points import BARE_LOOP, MEGABYTE, Row, Settings
from processes import PYTHON, best_of, corefscope, script

READ = """
import sys
from time import process_time
import corefscope.formats.corefud.reading
from corefscope import read
began = process_time()
for path in sys.argv[1:]:
    read(path)
print(process_time() - began)
"""
SLOWEST = 40
"""Megabytes per second that are read at least."""
MOST = 1.5
"""How much longer head matching may take than exact matching."""
NAMED = {"treebank": "250,000 words, 200 documents", "novel": "a novel of 200,000 words"}


@cache
def files(preset: str) -> tuple[str, str]:
    """Return the key and the response of a preset; another process generates them."""
    (made,) = best_of(1, script("treebank.py", preset))
    key, response = made.output.split()
    return key, response


def reading(settings: Settings) -> Iterator[Row]:
    """Measure (r): reading CorefUD files, after the imports."""
    for preset, named in NAMED.items():
        paths = files(preset)
        size = sum(Path(path).stat().st_size for path in paths) / MEGABYTE
        took = []
        for _ in range(settings.times):
            ours, rival = best_of(
                1, [PYTHON, "-c", READ, *paths], [PYTHON, "-c", BARE_LOOP, *paths]
            )
            took.append((float(ours.output), rival.cpu))
        cpu, bare = (min(column) for column in zip(*took, strict=True))
        speed = size / cpu
        target, met = f"≥ {SLOWEST} MB/s", speed >= SLOWEST
        what = f"reading, {named}"
        yield Row("r", what, speed, "MB/s", cpu, size / bare, cpu / bare, target, met)


def matching(settings: Settings) -> Iterator[Row]:
    """Measure (s): head matching and the official figures, against exact matching."""
    for preset, named in NAMED.items():
        key, response = files(preset)
        exact, head, official = best_of(
            settings.times,
            corefscope("score", key, response),
            corefscope("score", key, response, "--match", "head"),
            corefscope("score", key, response, "--profile", "corefud"),
        )
        ratio = head.cpu / exact.cpu
        target, met = f"≤ {MOST} times", ratio <= MOST
        yield Row(
            "s", f"--match head, {named}", head.cpu, "s", head.cpu, exact.cpu, ratio, target, met
        )
        ratio = official.cpu / exact.cpu
        cpu = official.cpu
        yield Row("s", f"--profile corefud, {named}", cpu, "s", cpu, exact.cpu, ratio)


TREEBANK_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {"r": reading, "s": matching}
