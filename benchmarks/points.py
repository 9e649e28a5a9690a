"""The points that are measured, each a function from settings to rows of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from processes import PYTHON, Run, best_of, corefscope, run, script

BARE_LOOP = """
import sys
for path in sys.argv[1:]:
    with open(path) as lines:
        for line in lines:
            line.split()
"""
METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
UNRELATED_LIMIT = 120
FORMS = {
    "arrays": "as arrays",
    "spans": "as spans",
    "ids": "as numbers",
    "scattered": "as scattered spans",
}
"""In what form partitions are given."""
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user asked for."""

    quick: bool = False
    peers: str | None = None
    """The folder with the code of other tools."""

    @property
    def times(self) -> int:
        """How many fresh processes a time is the best of."""
        return 3 if self.quick else 9

    @property
    def few(self) -> int:
        """The same for what takes seconds."""
        return 1 if self.quick else 3

    @property
    def largest(self) -> str:
        """The preset for throughput."""
        return "small-large" if self.quick else "large"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    point: str
    what: str
    value: float | None
    """None if it was not done within its limit."""
    unit: str
    cpu: float | None = None
    rival: float | None = None
    """In the unit of the value."""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Duel:
    """The command and the bare loop on the same two files."""

    ours: Run
    as_json: Run
    rival: Run
    size: int
    """Bytes of both files."""


@cache
def all_files(preset: str) -> tuple[str, ...]:
    """Return the key and the responses of a preset; another process generates them."""
    (made,) = best_of(1, script("corpora.py", preset))
    return tuple(made.output.split())


def files(preset: str) -> tuple[str, str]:
    """Return the key and the response of a preset."""
    key, response = all_files(preset)
    return key, response


@cache
def duel(preset: str, times: int) -> Duel:
    """Score a preset and split its lines, in turn."""
    key, response = files(preset)
    ours, as_json, rival = best_of(
        times,
        corefscope("score", key, response),
        corefscope("score", key, response, "--format", "json"),
        [PYTHON, "-c", BARE_LOOP, key, response],
    )
    return Duel(ours, as_json, rival, sum(Path(path).stat().st_size for path in (key, response)))


def start_up(settings: Settings) -> Iterator[Row]:
    """Measure the processor time of ``--help`` and of the import."""
    help_, imported, nothing = best_of(
        2 * settings.times,
        corefscope("--help"),
        [PYTHON, "-c", "import corefscope"],
        [PYTHON, "-c", "pass"],
    )
    for what, taken in (("corefscope --help", help_), ("import corefscope", imported)):
        cpu, bare = 1000 * taken.cpu, 1000 * nothing.cpu
        met = cpu <= 100
        yield Row("start", f"{what} (CPU)", cpu, "ms", taken.cpu, bare, cpu / bare, "≤ 100 ms", met)


def one_test_set(settings: Settings) -> Iterator[Row]:
    """Measure (a): 348 documents of news size."""
    yield from _against_loop("a", "348 documents", duel("news", settings.times))


def one_book(settings: Settings) -> Iterator[Row]:
    """Measure (b): one long document."""
    yield from _against_loop("b", "one book", duel("book", settings.times))


def _against_loop(point: str, what: str, fight: Duel) -> Iterator[Row]:
    loop = fight.rival.wall
    for output, taken in (("table", fight.ours), ("json", fight.as_json)):
        named = f"{what}, 2 × {fight.size / 2 / MEGABYTE:.0f} MB, {output}"
        ratio, target = taken.wall / loop, "≤ 3.5, aim 2"
        yield Row(point, named, taken.wall, "s", taken.cpu, loop, ratio, target, ratio <= 3.5)


def throughput(settings: Settings) -> Iterator[Row]:
    """Measure (c): megabytes a second."""
    fight = duel(settings.largest, settings.few)
    named = f"{settings.largest}, 2 × {fight.size / 2 / MEGABYTE:.0f} MB"
    speed, rival = (fight.size / MEGABYTE / taken.wall for taken in (fight.ours, fight.rival))
    ratio, target = fight.ours.wall / fight.rival.wall, "≥ 100 MB/s"
    yield Row("c", named, speed, "MB/s", fight.ours.cpu, rival, ratio, target, speed >= 100)


def memory(settings: Settings) -> Iterator[Row]:
    """Measure (d): peak resident memory as a multiple of the two files."""
    for preset in ("news", "book", settings.largest):
        key, response = files(preset)
        size = sum(Path(path).stat().st_size for path in (key, response))
        loop = [PYTHON, "-c", BARE_LOOP, key, response]
        ours, rival = (r.peak for r in best_of(1, corefscope("score", key, response), loop))
        named = f"{preset}: {ours / MEGABYTE:.0f} MB for {size / MEGABYTE:.0f} MB of files"
        times = ours / size
        yield Row("d", named, times, "× files", None, rival / size, ours / rival, "≤ 3", times <= 3)


def in_memory(settings: Settings) -> Iterator[Row]:
    """Measure (e): millions of mentions, a noisy copy; then two unrelated partitions."""
    mentions = 500_000 if settings.quick else 5_000_000
    for case, form in FORMS.items():
        taken = _seconds("in_memory.py", case, str(mentions))
        assert taken
        named = f"{mentions:,} mentions, noisy copy, {form}"
        yield _timed(named, taken, "≤ 30 s", taken["score"] <= 30)
    yield from _unrelated(mentions // 10)
    yield from _tables(2 * mentions)


def _tables(mentions: int) -> Iterator[Row]:
    """Compare two giant tables, and such labels as arrays, with DuckDB's join of the tables."""
    taken, arrays = (_best_of_three(case, mentions) for case in ("tables", "labels"))
    named = f"{mentions:,} mentions in Parquet, peak {taken['peak']:.0f} MB"
    is_met = taken["score"] <= 2 * taken["rival"] and taken["peak"] <= 1500
    yield _timed(named, taken, "≤ 2 joins, 1.5 GB", is_met)
    named = f"the same number of labels as two arrays, peak {arrays['peak']:.0f} MB"
    is_met = arrays["score"] <= 2 * taken["rival"] and arrays["peak"] <= 1500
    yield _timed(named, {**arrays, "rival": taken["rival"]}, "≤ 2 joins, 1.5 GB", is_met)


def _best_of_three(case: str, mentions: int) -> dict[str, float]:
    """Run a case three times: the first one may get memory that the machine has to fetch."""
    runs = [_seconds("in_memory.py", case, str(mentions)) for _ in range(3)]
    return min(filter(None, runs), key=lambda taken: taken["score"])


def _unrelated(mentions: int) -> Iterator[Row]:
    for metric in METRICS:
        taken = _seconds("in_memory.py", "unrelated", str(mentions), metric, limit=UNRELATED_LIMIT)
        named = f"{mentions:,} mentions, unrelated, {metric} alone"
        if taken is None:
            yield Row("e", f"{named}: over {UNRELATED_LIMIT} s", None, "s")
        else:
            yield _timed(named, taken)


def _timed(what: str, taken: dict[str, float], target: str = "", met: bool | None = None) -> Row:
    score, rival = taken["score"], taken["rival"]
    return Row("e", what, score, "s", taken["cpu"], rival, score / rival, target, met)


def _seconds(name: str, *arguments: str, limit: float | None = None) -> dict[str, float] | None:
    """Run a script that prints seconds as JSON."""
    taken = run(script(name, *arguments), limit)
    return None if taken is None else dict(json.loads(taken.output))


def updating(settings: Settings) -> Iterator[Row]:
    """Measure (f): ``Scorer.update`` on typical documents."""
    documents = 1_000 if settings.quick else 10_000
    taken = _seconds("in_memory.py", "updates", str(documents))
    assert taken
    compute = taken["compute"] / documents
    rows = (
        ("Scorer.update, median", taken["median"], "≤ 200 µs"),
        ("Scorer.update, slowest percent", taken["slowest_percent"], ""),
        (f"compute() of {documents:,} documents, each", compute, ""),
        ("update and compute, each", taken["mean"] + compute, "≤ 200 µs"),
    )
    for what, value, target in rows:
        met = value <= 200e-6 if target else None
        ratio = value / taken["rival"]
        yield Row("f", what, 1e6 * value, "µs", None, 1e6 * taken["rival"], ratio, target, met)


def training(settings: Settings) -> Iterator[Row]:
    """Measure (v): the evaluation of an epoch by ``Scorer``, and by a pasted evaluator."""
    for documents, mentions in ((348, 60), (35, 600)):
        taken = _seconds("in_memory.py", "training", str(documents), str(mentions))
        assert taken
        yield from _epoch(f"{documents} × {mentions} mentions", taken)


def _epoch(epoch: str, taken: dict[str, float]) -> Iterator[Row]:
    rows = {
        "epoch": "all metrics, compute() once",
        "conll epoch": "CoNLL, compute() once",
        "update": "the share of update() in it",
        "each": "all metrics, compute() after each document",
        "conll each": "CoNLL, compute() after each document",
    }
    for name, what in rows.items():
        rival = taken["pasted each" if name.endswith("each") else "pasted epoch"]
        value = 1000 * taken[name]
        ratio = taken[name] / rival
        yield Row("v", f"{epoch}, {what}", value, "ms", taken[name], 1000 * rival, ratio)


POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "start": start_up,
    "a": one_test_set,
    "b": one_book,
    "c": throughput,
    "d": memory,
    "e": in_memory,
    "f": updating,
    "v": training,
}
