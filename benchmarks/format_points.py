"""The point that measures every format that is read, against JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from points import MEGABYTE, Row, Settings
from processes import PYTHON, best_of, script

READ = """
import json, os, sys
from pathlib import Path
from time import process_time
from corefscope import read

def size(path):
    return sum(p.stat().st_size for p in [path, *path.rglob("*")] if p.is_file())

def seconds(path):
    began = process_time()
    corpus = read(path)
    return process_time() - began, len(corpus.mention_entity)

paths, times = json.loads(sys.argv[1]), int(sys.argv[2])
found = {format: [] for format in paths}
read(next(iter(paths.values())))
for _ in range(times):
    for format, path in paths.items():
        found[format].append(seconds(path))
print(json.dumps({
    format: (*min(runs), size(Path(paths[format]))) for format, runs in found.items()
}))
"""
BASELINE = "jsonl"
BARE = "bare jsonl"
"""JSON lines without words, to which other formats without words are compared."""
WITHOUT_WORDS = frozenset({BARE, "json", "pairs", "scorch", "strings"})
MOST = 1.0
"""How much longer a byte of another format may take than one of JSON lines."""


def reading(settings: Settings) -> Iterator[Row]:
    """Measure (t): reading each format, processor time per byte, after the imports."""
    (made,) = best_of(1, script("file_formats.py"))
    chosen = json.dumps({BASELINE: json.loads(made.output).pop(BASELINE)} | json.loads(made.output))
    (run,) = best_of(1, [PYTHON, "-c", READ, chosen, str(settings.few)])
    found = json.loads(run.output)
    speeds = {format: size / cpu / MEGABYTE for format, (cpu, _, size) in found.items()}
    for format, (cpu, mentions, _) in found.items():
        speed, usual = speeds[format], speeds[BARE if format in WITHOUT_WORDS else BASELINE]
        ratio = usual / speed
        what = f"reading {format}, {cpu / mentions * 1e6:.1f} µs per mention"
        target = f"≤ {MOST:.0f} times"
        yield Row("t", what, speed, "MB/s", cpu, usual, ratio, target, ratio <= MOST)


FORMAT_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {"t": reading}
