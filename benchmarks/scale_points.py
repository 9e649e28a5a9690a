"""The point that measures what several processes gain, beside what the machine itself gives them.

``make bench``, unless it is quick, and ``python scale_points.py`` write the table of a page.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from points import BARE_LOOP, MEGABYTE, Row, Settings, files
from processes import HERE, PYTHON, Run, best_of, corefscope

BUSY = """
import os, sys
def work():
    total = 0
    for number in range(6_000_000):
        total += number % 7
processes = int(sys.argv[1])
for _ in range(processes - 1):
    if not os.fork():
        work()
        os._exit(0)
work()
for _ in range(processes - 1):
    os.wait()
"""
"""A loop in one process, or the same in each of several."""
JOBS = 2
LEAST_GAIN = 0.8
"""The share of what the machine gives two busy loops that two jobs gain."""
MOST_CPU = 1.2
"""How much more processor time two jobs may take together."""
MARKER = b"#begin document"
PAGE = HERE / "scale.md"
FIRST, LAST = "<!-- measured by make bench -->\n", "\n<!-- end -->"
"""What stands before and after the table on the page."""
COLUMNS = ("command", "files", "bare loop", "one job", "two jobs", "gain", "CPU", "memory")
WRITES = {"report": ("-o", "report.html"), "convert": ("--lossy", "converted.jsonl")}
"""The options of commands that write a file, and its name."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A command with one job and with several."""

    what: str
    size: int
    """Bytes of the files."""
    alone: Run
    together: Run
    bare: Run
    memory: tuple[float, float]
    """Bytes of all processes together, with one job and with several."""

    @property
    def gain(self) -> float:
        """How many times as fast several jobs are."""
        return self.alone.wall / self.together.wall


def busy_loops(times: int) -> float:
    """Return how many times the work of one process the machine does in two."""
    one, two = best_of(times, *([PYTHON, "-c", BUSY, str(count)] for count in (1, JOBS)))
    # Where it seems to be more than twice as much, the machine was slower for the one.
    return min(JOBS * one.wall / two.wall, JOBS)


def _cut(preset: str, folder: Path, share: int) -> list[str]:
    """Return the first documents of the files of a preset, one in so many."""
    paths = []
    for path in map(Path, files(preset)):
        data = path.read_bytes()
        end = len(data) if share == 1 else data.index(MARKER, len(data) // share)
        place = folder / f"{path.stem}-{share}.conll"
        place.write_bytes(data[:end])
        paths.append(str(place))
    return paths


def _repeated(preset: str, folder: Path, times: int) -> list[str]:
    """Return the files of a preset with all documents several times, under other names."""
    paths = []
    for path in map(Path, files(preset)):
        data, place = path.read_bytes(), folder / f"{path.stem}-{times}.conll"
        copies = [
            re.sub(rb"^(#begin document \()", rb"\g<1>%d-" % n, data, flags=re.M)
            for n in range(times)
        ]
        place.write_bytes(b"".join(copies))
        paths.append(str(place))
    return paths


def _memory(command: Sequence[str]) -> float:
    """Return the most memory that a command and its workers take together."""
    highest, done = 0.0, Event()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:

        def watch() -> None:
            nonlocal highest
            while not done.wait(0.02):
                highest = max(highest, sum(map(_share, _family(process.pid))))

        thread = Thread(target=watch)
        thread.start()
        process.wait()
        done.set()
        thread.join()
    return highest


def _family(process: int) -> Iterator[int]:
    yield process
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return
    for child in map(int, text.split()):
        yield from _family(child)


def _share(process: int) -> float:
    """Return the memory of a process, with its share of what it has in common with others."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024.0 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _measured(times: int, *, is_quick: bool) -> Iterator[Scaled]:
    large, parsed = ("small-large" if is_quick else "large"), "news-parsed"
    with TemporaryDirectory() as folder:
        for share in (4, 2, 1):
            yield _scaled("score", _cut(large, Path(folder), share), times)
        for repeats in (1, 4):
            paths = _repeated(parsed, Path(folder), repeats)
            for command in ("errors", "nec", "report", "validate"):
                yield _scaled(command, paths, times)
            yield _scaled("convert", paths[:1], times)


def _scaled(command: str, paths: Sequence[str], times: int) -> Scaled:
    with TemporaryDirectory() as folder:
        option, name = WRITES.get(command, (None, None))
        output = [] if option is None else [option, f"{folder}/{name}"]
        ours = [corefscope(command, *paths, *output, "--jobs", str(n)) for n in (1, JOBS)]
        alone, together, bare = best_of(times, *ours, [PYTHON, "-c", BARE_LOOP, *paths])
        size = sum(Path(path).stat().st_size for path in paths)
        memory = _memory(ours[0]), _memory(ours[1])
        return Scaled(command, size, alone, together, bare, memory)


def several_jobs(settings: Settings) -> Iterator[Row]:
    """Measure (w): the gain of two jobs, beside that of two busy loops, and what both cost."""
    machine, measured = busy_loops(settings.few), []
    yield Row("w", "two busy loops at once, as a multiple of one", machine, "×")
    for each in _measured(settings.few, is_quick=settings.quick):
        measured.append(each)
        what = f"{each.what}, {each.size / MEGABYTE:.0f} MB: two jobs instead of one"
        share = each.gain / machine
        yield Row(
            "w", what, each.gain, "×", each.together.cpu, machine, share, f"≥ {LEAST_GAIN}",
            share >= LEAST_GAIN,
        )  # fmt: skip
        cost = each.together.cpu / each.alone.cpu
        yield Row(
            "w", f"{each.what}, {each.size / MEGABYTE:.0f} MB: CPU of both", each.together.cpu, "s",
            each.together.cpu, each.alone.cpu, cost, f"≤ {MOST_CPU}", cost <= MOST_CPU,
        )  # fmt: skip
    if not settings.quick:
        _write(machine, measured)


SCALE_POINTS = {"w": several_jobs}


def _write(machine: float, measured: Sequence[Scaled]) -> None:
    """Write the table into the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, first, rest = page.partition(FIRST)
    _, last, after = rest.partition(LAST)
    if not first or not last:
        raise ValueError(f"{PAGE.name} has no place for the table: expected {FIRST.strip()}")
    said = f"Two busy loops at once did {machine:.2f} times the work of one."
    lines = [_line(COLUMNS), _line("---" for _ in COLUMNS), *map(_row, measured)]
    table = "\n".join([said, "", *lines])
    PAGE.write_text(f"{before}{first}\n{table}\n{last}{after}", encoding="utf-8")


def _row(each: Scaled) -> str:
    return _line(
        [
            f"`{each.what}`",
            f"{each.size / MEGABYTE:.0f} MB",
            *(f"{run.wall:.2f} s" for run in (each.bare, each.alone, each.together)),
            f"{each.gain:.2f}",
            f"{each.alone.cpu:.2f} s → {each.together.cpu:.2f} s",
            " → ".join(f"{used / MEGABYTE:.0f} MB" for used in each.memory),
        ]
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    _write(busy_loops(5), list(_measured(3, is_quick=False)))
