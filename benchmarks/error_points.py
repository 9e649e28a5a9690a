"""The points that measure the analysis of errors, and named entities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from points import MEGABYTE, Row, Settings, files
from processes import PYTHON, best_of, corefscope, script

IMPORTS = [PYTHON, "-c", "import corefscope.error_analysis"]
"""What every analysis has in memory before it reads a file."""


def one_test_set(settings: Settings) -> Iterator[Row]:
    """Measure (g): 348 documents of news size with parses."""
    yield from _commands("g", "news-parsed", {"": 5, "--impact": 15}, settings)
    (taken,) = _in_turn(settings.few, "news-parsed")
    impact, rival = taken["impact"], taken["analysis"]
    named = "impact of each type; rival: reading and analysis"
    yield Row("g", named, impact, "s", None, rival, impact / rival, "≤ 10 s", impact <= 10)


def one_large_entity(settings: Settings) -> Iterator[Row]:
    """Measure (h): a third of a document's mentions in one entity; then twice as many of all."""
    yield from _commands("h", "saga", {"": 5}, settings)
    presets = ("half-saga", "saga") if settings.quick else ("saga", "double-saga")
    single, double = _in_turn(settings.few, *presets)
    for taken in (single, double):
        ours, rival = 1000 * taken["counting"], 1000 * taken["comparing"]
        named = f"matches within an entity of {taken['mentions']:,.0f} mentions"
        yield Row("h", named, ours, "ms", None, rival, ours / rival)
    ours, rival = (double[what] / single[what] for what in ("analysis", "comparing"))
    named = f"analysis, from {single['mentions']:,.0f} to {double['mentions']:,.0f} in one entity"
    yield Row("h", named, ours, "× time", None, rival, ours / rival, "< 3", ours < 3)


def _commands(
    point: str, preset: str, limits: Mapping[str, float], settings: Settings
) -> Iterator[Row]:
    """Measure the command with some options, each with its limit in seconds."""
    pair = files(preset)
    score, *all_taken = best_of(
        settings.few,
        corefscope("score", *pair),
        *(corefscope("errors", *pair, *options.split()) for options in limits),
    )
    for (options, limit), taken in zip(limits.items(), all_taken, strict=True):
        size = f"2 × {_size(*pair) / 2 / MEGABYTE:.0f} MB"
        named = " ".join(f"{preset}, {size}, errors {options}".split())
        ratio, target = taken.wall / score.wall, f"≤ {limit} s"
        met = taken.wall <= limit
        yield Row(point, named, taken.wall, "s", taken.cpu, score.wall, ratio, target, met)


def _in_turn(times: int, *presets: str) -> list[dict[str, float]]:
    """Measure presets inside a process, in turn, so that all see the same machine."""
    rounds = [[_inside(preset) for preset in presets] for _ in range(times)]
    columns = zip(*rounds, strict=True)
    return [
        {what: min(taken[what] for taken in column) for what in column[0]} for column in columns
    ]


def _inside(preset: str) -> dict[str, float]:
    (taken,) = best_of(1, script("analysis.py", *files(preset)))
    return dict(json.loads(taken.output))


def memory(settings: Settings) -> Iterator[Row]:
    """Measure (i): peak resident memory, and how it grows with twice as much to read."""
    (imports,) = best_of(1, IMPORTS)
    for half, whole in (("half-news-parsed", "news-parsed"), ("half-saga", "saga")):
        peaks = []
        for preset in (half, whole):
            pair, size = files(preset), _size(*files(preset))
            commands = corefscope("errors", *pair, "--impact"), corefscope("score", *pair)
            ours, rival = (taken.peak for taken in best_of(1, *commands))
            peaks.append(ours)
            named = f"{preset}: {ours / MEGABYTE:.0f} MB for {size / MEGABYTE:.0f} MB of files"
            yield Row("i", named, ours / size, "× files", None, rival / size, ours / rival)
        growth = (peaks[1] - imports.peak) / (peaks[0] - imports.peak)
        named = f"{half} to {whole}, beyond {imports.peak / MEGABYTE:.0f} MB of imports"
        yield Row("i", named, growth, "× memory", target="≤ 2.2", met=growth <= 2.2)


def _size(*paths: str) -> int:
    return sum(Path(path).stat().st_size for path in paths)


def named_entities(settings: Settings) -> Iterator[Row]:
    """Measure (j): named entity coreference beyond reading, which scoring does, too."""
    for preset, limit in (("news-parsed", 1.0), ("book", 2.0)):
        pair = files(preset)
        score, nec = best_of(
            settings.few, corefscope("score", *pair), corefscope("nec", *pair, "--most", "0")
        )
        beyond = nec.wall - score.wall
        named = f"{preset}: nec beyond score"
        yield Row(
            "j",
            named,
            beyond,
            "s",
            None,
            score.wall,
            nec.wall / score.wall,
            f"≤ {limit:.0f} s",
            beyond <= limit,
        )


ERROR_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "g": one_test_set,
    "h": one_large_entity,
    "i": memory,
    "j": named_entities,
}
