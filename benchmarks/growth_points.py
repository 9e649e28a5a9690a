"""The point that measures what every command costs when the size of its input doubles.

``python growth_points.py`` prints how costs grow when the input doubles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from points import MEGABYTE, Row, Settings
from processes import PYTHON, Failed, Run, best_of, corefscope, run

WRITER = Path(__file__).parents[1] / "tests" / "hostile_shapes.py"
"""The tests count what this measures, on the same shapes."""
SIZES = (10_000, 20_000)
QUICK_SIZES = (2_500, 5_000)
SHAPES = ("nested", "crossing", "random", "one entity, singletons", "documents")
LIMIT = 900
COMMANDS: dict[str, list[str]] = {
    "score": ["score", "KEY", "RESPONSE"],
    "score --metrics all,more,legacy": [
        *("score", "KEY", "RESPONSE", "--metrics", "all,more,legacy"),
    ],
    "score --by mention-type": ["score", "KEY", "RESPONSE", "--by", "mention-type"],
    "errors": ["errors", "KEY", "RESPONSE"],
    "errors --tables all": ["errors", "KEY", "RESPONSE", "--tables", "all"],
    "errors --list": ["errors", "KEY", "RESPONSE", "--list"],
    "errors --groups": ["errors", "KEY", "RESPONSE", "--groups"],
    "errors --impact": ["errors", "KEY", "RESPONSE", "--impact"],
    "errors --corrected": ["errors", "KEY", "RESPONSE", "--corrected", "OUT"],
    "nec": ["nec", "KEY", "RESPONSE"],
    "compare --changes": ["compare", "KEY", "RESPONSE", "KEY", "--changes"],
    "report": ["report", "KEY", "RESPONSE", "-o", "OUT/report.html"],
    "report --split": ["report", "KEY", "RESPONSE", "--split", "-o", "OUT/split"],
    "profiles": ["profiles", "KEY", "RESPONSE"],
    "explain ceafe": ["explain", "ceafe", "KEY", "RESPONSE"],
    "gate": ["gate", "KEY", "RESPONSE", "--baseline", "BEST"],
    "validate": ["validate", "KEY", "RESPONSE"],
    "stats": ["stats", "KEY"],
    "convert": ["convert", "KEY", "OUT/key.json"],
}


@dataclass(frozen=True, slots=True)
class Growth:
    """What a command took for some input, and for twice as much; beyond what an empty one takes."""

    command: str
    shape: str
    size: int
    single: Run
    double: Run
    imports: Run

    @property
    def time(self) -> float:
        """By how much processor time grew."""
        return _ratio(self.single.cpu, self.double.cpu, self.imports.cpu)

    @property
    def memory(self) -> float:
        """By how much the peak of memory grew."""
        return _ratio(self.single.peak, self.double.peak, self.imports.peak)


def _ratio(single: float, double: float, nothing: float) -> float:
    return (double - nothing) / max(single - nothing, nothing / 10)


def measured(sizes: tuple[int, int]) -> Iterator[Growth]:
    """Measure every command with every shape, each in fresh processes."""
    modules = "numpy, corefscope.cli, corefscope.scoring.scorer"
    (imports,) = best_of(3, [PYTHON, "-c", f"import {modules}"])
    for shape in SHAPES:
        with TemporaryDirectory() as folder:
            places = [_places(Path(folder), shape, size) for size in sizes]
            for name, command in COMMANDS.items():
                if (name, shape) == ("explain ceafe", "documents"):
                    continue
                runs = [_run(command, place) for place in places]
                if all(runs):
                    single, double = (taken for taken in runs if taken)
                    yield Growth(name, shape, sizes[0], single, double, imports)


def _places(folder: Path, shape: str, size: int) -> dict[str, str]:
    written = run([PYTHON, str(WRITER), str(folder), shape, str(size)])
    assert written
    key, response = written.output.split("\n")[:2]
    out, best = folder / f"out-{size}", folder / f"best-{size}.json"
    out.mkdir()
    run(corefscope("score", key, response, "--format", "json", "-o", str(best)))
    return {"KEY": key, "RESPONSE": response, "OUT": str(out), "BEST": str(best)}


def _run(command: list[str], places: dict[str, str]) -> Run | None:
    arguments = [places.get(argument, argument) for argument in command]
    if arguments[-1].startswith("OUT/"):
        arguments[-1] = places["OUT"] + arguments[-1].removeprefix("OUT")
    # What is printed is thrown away: a process that keeps it grows, and its children with it.
    return run(["sh", "-c", 'exec "$0" "$@" > /dev/null', *corefscope(*arguments)], LIMIT)


def growth(settings: Settings) -> Iterator[Row]:
    """Measure (q): processor time of every command when its input doubles."""
    for taken in measured(QUICK_SIZES if settings.quick else SIZES):
        named = f"{taken.command}, {taken.shape}, {taken.size:,} doubled"
        cpu, before = taken.double.cpu, taken.single.cpu
        yield Row("q", named, cpu, "s", cpu, before, taken.time, "< 2.6", taken.time < 2.6)
        peaks = [each.peak / MEGABYTE for each in (taken.double, taken.single)]
        met = taken.memory < 2.6
        yield Row("q", "memory", peaks[0], "MB", None, peaks[1], taken.memory, "< 2.6", met)


GROWTH_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {"q": growth}


def main() -> None:
    """Print the table of the documentation: of each command the shape that grows most."""
    quick = "--quick" in sys.argv
    sizes = QUICK_SIZES if quick else SIZES
    print("| command | shape | CPU time | doubled | growth | memory | doubled | growth |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    worst: dict[str, list[Growth]] = {name: [] for name in COMMANDS}
    for taken in measured(sizes):
        worst[taken.command].append(taken)
        print(_line(taken), file=sys.stderr, flush=True)
    for found in worst.values():
        print(_line(max(found, key=lambda taken: taken.double.cpu)))


def _line(taken: Growth) -> str:
    single, double = taken.single, taken.double
    cells = (
        f"`{taken.command}`",
        taken.shape,
        f"{single.cpu:.2f} s",
        f"{double.cpu:.2f} s",
        f"{taken.time:.1f}" if double.cpu > 3 * taken.imports.cpu else "–",
        f"{single.peak / MEGABYTE:.0f} MB",
        f"{double.peak / MEGABYTE:.0f} MB",
        f"{taken.memory:.1f}" if double.peak > 2 * taken.imports.peak else "–",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(str(failed))
