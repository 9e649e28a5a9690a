"""No step is quadratic: what each command costs when its input doubles, in shapes made to hurt.

Costs are counted, never timed: lines of our own code that are run, and the peak of what Python
allocates. Of three sizes n, 2n and 4n the growth is (c(4n) − c(2n)) / (c(2n) − c(n)), in which
what does not depend on the size cancels out: 2 for a linear cost, 4 for a quadratic one.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import corefscope
from corefscope import Corpus
from corefscope.cli import main
from hostile_shapes import SHAPES, write

HOME = str(Path(corefscope.__file__).parent)
MOST = 2.6
"""A linear cost grows by 2, one of n log n by little more; caches of Python grow in jumps."""
SIZES = (60, 120, 240)
RANDOM = (80, 160, 320)
"""For the random shape, whose largest entities grow unevenly at first."""
LARGER = (120, 240, 480)
"""For memory: below some hundred kilobytes, what Python itself does is all that one sees."""
WORST = ("nested", "crossing", "random", "one entity, singletons", "documents", "repeated")
"""Shapes for every command; commands that look at everything get all shapes."""
ALL_SHAPES = ("score", "errors", "nec")
QUOTING = ("score --by", "errors --list", "nec", "compare", "explain", "convert")
"""Commands that store or print something about each mention."""

COMMANDS: dict[str, list[str]] = {
    "score": ["score", "KEY", "RESPONSE", "--metrics", "all,more,antecedents", "--per-document"],
    "score --by": ["score", "KEY", "RESPONSE", "--by", "mention-type"],
    "score --format reference": ["score", "KEY", "RESPONSE", "--duplicates", "reference"],
    "errors": ["errors", "KEY", "RESPONSE", "--tables", "all"],
    "errors --list": ["errors", "KEY", "RESPONSE", "--list", "--singletons", "keep"],
    "errors --groups": ["errors", "KEY", "RESPONSE", "--groups"],
    "errors --impact": ["errors", "KEY", "RESPONSE", "--impact"],
    "errors --corrected": ["errors", "KEY", "RESPONSE", "--corrected", "OUT"],
    "errors --mode berkeley": ["errors", "KEY", "RESPONSE", "--mode", "berkeley"],
    "nec": ["nec", "KEY", "RESPONSE"],
    "compare": ["compare", "KEY", "RESPONSE", "KEY", "--changes", "--samples", "10"],
    "profiles": ["profiles", "KEY", "RESPONSE"],
    "explain": ["explain", "ceafe", "KEY", "RESPONSE"],
    "gate": ["gate", "KEY", "RESPONSE", "--baseline", "BEST"],
    "validate": ["validate", "KEY", "RESPONSE"],
    "stats": ["stats", "KEY"],
    "convert": ["convert", "KEY", "OUT/key.json"],
}
REPORTS = {
    "report": ["report", "KEY", "RESPONSE", "-o", "OUT/report.html"],
    "report --split": ["report", "KEY", "RESPONSE", "--split", "-o", "OUT/report"],
}
ONE_SENTENCE = 10**9

Cost = Callable[[list[str]], int]


def lines_run(arguments: list[str]) -> int:
    """Count the lines of our own code that a command runs; a loop counts each time round."""
    count = 0

    def local(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return local

    def entered(frame: FrameType, event: str, argument: object) -> Any:
        return local if frame.f_code.co_filename.startswith(HOME) else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        run(arguments)
    finally:
        sys.settrace(before)
    return count


def peak_memory(arguments: list[str]) -> int:
    """Return the most bytes that Python holds at a time while a command runs."""
    gc.collect()
    tracemalloc.start()
    try:
        run(arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def run(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    failure = result.exception
    assert failure is None or isinstance(failure, SystemExit), failure
    assert result.exit_code in (0, 1, 3), result.stderr


def costs(
    cost: Cost, command: list[str], shape: str, sizes: tuple[int, ...], folder: Path, sentence: int
) -> list[int]:
    """Return what a command costs at each size."""
    found = []
    # The first run loads modules and fills caches; it is not counted.
    for size in (min(sizes) // 2, *sizes):
        key, response = write(folder, shape, size, sentence)
        place = {"KEY": key, "RESPONSE": response, "BEST": str(folder / f"best-{size}.json")}
        out = folder / f"out-{size}"
        out.mkdir(exist_ok=True)
        if "BEST" in command:
            run(["score", key, response, "--format", "json", "-o", place["BEST"]])
        arguments = [place.get(a, a).replace("OUT", str(out), 1) for a in command]
        if size in sizes:
            found.append(cost(arguments))
        else:
            run(arguments)
    return found


def test_rows_of_a_document_are_found_without_copying_the_tables() -> None:
    """Numpy copies a table if it looks for numbers of another type in it."""
    document = np.repeat(np.arange(20_000), 3)
    corpus = Corpus.from_arrays(np.arange(60_000), np.arange(60_000), document=document)
    others = [
        replace(
            corpus,
            entity_document=corpus.entity_document.astype(np.int32),
            mention_entity=corpus.mention_entity.astype(np.int32),
        ),
        replace(
            corpus,
            entity_document=corpus.entity_document.astype(np.int64),
            mention_entity=corpus.mention_entity.astype(np.int64),
        ),
    ]
    for other in others:
        other.mentions_of(0)
        tracemalloc.start()
        try:
            rows = [other.mentions_of(number) for number in (0, 10_000, 19_999)]
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert rows == [range(3), range(30_000, 30_003), range(59_997, 60_000)]
        assert peak < 10_000 < other.entity_document.nbytes


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_lengths_are_not_computed_for_each_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is computed for a whole corpus is not asked for in a loop over its documents."""
    usual, asked = vars(Corpus)["word_counts"], list[Corpus]()

    def counted(corpus: Corpus) -> object:
        asked.append(corpus)
        return usual.fget(corpus)

    monkeypatch.setattr(Corpus, "word_counts", property(counted))
    numbers = []
    for count in (5, 50):
        key = {f"d{n}": [[(0, 1), (3, 4)], [(6, 6)]] for n in range(count)}
        response = {name: [[(0, 1), (3, 3)]] for name in key}
        asked.clear()
        corefscope.score(key, response)
        numbers.append(len(asked))
    assert numbers[0] == numbers[1] > 0


def growth(found: list[int]) -> float:
    """Return by how much the cost grows when the size doubles, without what never changes."""
    small, middle, large = found
    return (large - middle) / max(middle - small, 1)


NOT_RUN = {
    ("explain", "documents"),  # It takes one document.
    # Fifteen files of many documents are slow to count; nothing there is about a document alone.
    ("errors --corrected", "documents"),
}
CASES = [
    (command, shape)
    for command in COMMANDS
    for shape in (SHAPES if command in ALL_SHAPES else WORST)
    if (command, shape) not in NOT_RUN
]


@pytest.mark.parametrize(("command", "shape"), CASES)
def test_work_grows_as_the_input_does(command: str, shape: str, tmp_path: Path) -> None:
    """All words are one sentence, so that nothing is short because its sentence is."""
    sizes = RANDOM if shape == "random" else SIZES
    found = costs(lines_run, COMMANDS[command], shape, sizes, tmp_path, ONE_SENTENCE)
    assert growth(found) < MOST, found


@pytest.mark.parametrize("shape", ["nested", "crossing"])
@pytest.mark.parametrize("command", QUOTING)
def test_memory_grows_as_the_input_does(
    command: str, shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The buffer of a file would be larger than all that these small files need.
    monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", 4096)
    found = costs(peak_memory, COMMANDS[command], shape, LARGER, tmp_path, ONE_SENTENCE)
    assert growth(found) < MOST, found


@pytest.mark.parametrize("shape", ["nested", "documents"])
@pytest.mark.parametrize("command", REPORTS)
def test_reports_grow_as_the_input_does(command: str, shape: str, tmp_path: Path) -> None:
    found = costs(lines_run, REPORTS[command], shape, SIZES, tmp_path, ONE_SENTENCE)
    assert growth(found) < MOST, found


def test_a_quadratic_step_would_be_seen(tmp_path: Path) -> None:
    """The measure itself: a loop in a loop grows by 4, a loop by 2."""
    assert growth([n * n + 5_000 for n in SIZES]) == 4
    assert growth([n + 5_000 for n in SIZES]) == 2
