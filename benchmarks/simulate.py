"""How often tests reject a true null or a false one, and intervals cover, on simulated corpora.

``make simulate`` runs the whole grid, which takes about half an hour, and writes the tables into
``simulation.md``. It fails if a share is outside of what that page promises.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from corefscope.matching.overlap import Floats
from corefscope.statistics.testing import AnyTest
from simulated import Cell, Shares, shares, standard_error, truth

PAGE = Path(__file__).with_name("simulation.md")
DOCUMENTS = (30, 100, 343)
RUNS = (2, 3, 5, 10)
SPREADS = (0.0, 0.05, 0.15, 0.5)
ONE_RUN = (0.035, 0.065)
SEVERAL_RUNS = (0.0, 0.065)
GAIN = 0.2
"""By how much one system is better, in log odds, where the power of the test is measured."""
Results = dict[Cell, Shares]


def main() -> int:
    """Run the grid, and write the page or print it."""
    options = _options()
    one, several = (20, 20) if options.quick else (options.one_run, options.several_runs)
    cells = _power(several)
    if not options.power:
        cells += [*_one_run(one), *_unseen(several), *_several(several), *_unequal(several)]
    results: Results = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, (cell, found) in enumerate(zip(cells, pool.map(shares, cells), strict=True), 1):
            results[cell] = found
            print(f"{number}/{len(cells)} {cell} {_shown(found.rejected)}", file=sys.stderr)
    tables = {"power": _power_table(results, several)}
    if not options.power:
        tables |= _tables(results, one, several)
    if options.quick:
        print("\n\n".join(tables.values()))
        return 0
    PAGE.write_text(filled(PAGE.read_text("utf-8"), tables), encoding="utf-8")
    if options.power:
        return 0
    broken = [
        *_outside(results, _one_run(one), ONE_RUN),
        *_outside(results, _several(several), SEVERAL_RUNS),
    ]
    print("\n".join(broken) or "all shares are as promised", file=sys.stderr)
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 corpora per cell; print the page")
    parser.add_argument("--power", action="store_true", help="only the table of power")
    parser.add_argument("--one-run", type=int, default=4_000, help="corpora per cell of one run")
    parser.add_argument("--several-runs", type=int, default=1_000, help="corpora per other cell")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def _one_run(corpora: int) -> list[Cell]:
    tests: tuple[AnyTest, ...] = ("randomization", "bootstrap")
    return [
        Cell(documents=documents, test=test, corpora=corpora)
        for documents, test in product(DOCUMENTS, tests)
    ]


def _unseen(corpora: int) -> list[Cell]:
    """One run each, although runs differ: what the test cannot see."""
    return [
        Cell(documents=100, spread=spread, test="randomization", corpora=corpora)
        for spread in SPREADS[1:]
    ]


def _several(corpora: int) -> list[Cell]:
    return [
        Cell(documents=documents, runs=runs, spread=spread, corpora=corpora)
        for documents, runs, spread in product(DOCUMENTS, RUNS, SPREADS)
    ]


def _unequal(corpora: int) -> list[Cell]:
    """Runs of one system differ, those of the other do not."""
    return [
        Cell(documents=100, runs=runs, spread=spread, is_other_fixed=True, corpora=corpora)
        for runs, spread in product(RUNS, SPREADS[1:])
    ]


def _power(corpora: int) -> list[Cell]:
    """One system is better than the other."""
    return [
        Cell(documents=100, runs=runs, spread=spread, gain=GAIN, corpora=corpora)
        for runs, spread in product(RUNS, SPREADS[:3])
    ]


def _shown(values: Floats) -> str:
    """Return the percentage of CoNLL, and the least and the most of all four scores."""
    *_, conll = percent = (100 * values).tolist()
    return f"{conll:.1f} ({min(percent):.1f}–{max(percent):.1f})"


def _outside(
    results: Results, cells: Sequence[Cell], promised: tuple[float, float]
) -> Iterator[str]:
    least, most = promised
    for cell in cells:
        rejected = results[cell].rejected
        if rejected.min() < least or rejected.max() > most:
            yield f"{cell}: {_shown(rejected)} is outside of {100 * least:g} to {100 * most:g} %"


def _tables(results: Results, one: int, several: int) -> dict[str, str]:
    """Return the tables of the page by name."""
    runs, unequal, unseen = _several(several), _unequal(several), _unseen(several)
    said = f"{_precision(several)}\n\n"
    return {
        "effects": _effects(),
        "status": "All cells were measured in one run of `make simulate`.",
        "one run": f"{_precision(one)}\n\n{_one_run_table(results, one)}",
        "several runs": said + _by_effect(results, runs, lambda found: found.rejected),
        "scores": said + _by_effect(results, runs, lambda found: found.system),
        "unequal runs": said + _by_effect(results, unequal, lambda found: found.difference),
        "unseen runs": said + _by_effect(results, unseen, lambda found: found.rejected),
    }


def filled(page: str, tables: dict[str, str]) -> str:
    """Return the page with its tables between the comments that name them."""
    for name, table in tables.items():
        first, last = f"<!-- simulated: {name} -->\n", "\n<!-- end -->"
        before, found, after = page.partition(first)
        if not found or last not in after:
            raise ValueError(f"{PAGE.name} has no place for {name}: expected {first.strip()}")
        page = f"{before}{first}\n{table}\n{last}{after.partition(last)[2]}"
    return page


def _effects() -> str:
    """Return what run effects are in points."""
    rows = [[f"{each:g}", f"{_points(each):.1f}"] for each in SPREADS]
    return _table(
        ["run effect (log odds)", "a run above the mean by this much gains (points)"], rows
    )


def _points(spread: float) -> float:
    """Return how far a run that is better by one deviation is above the mean, in points."""
    return 100 * (truth(0, spread)[-1] - truth(0)[-1])


def _precision(corpora: int) -> str:
    error = 100 * standard_error(0.05, corpora)
    return (
        f"{corpora:,} corpora per cell: a share of 5 % has a standard error of {error:.2f} points."
    )


def _one_run_table(results: Results, corpora: int) -> str:
    rows = []
    for documents in DOCUMENTS:
        swapped, drawn = (
            results[cell] for cell in _one_run(corpora) if cell.documents == documents
        )
        shown = (swapped.rejected, drawn.rejected, swapped.difference, swapped.system)
        rows.append([str(documents), *map(_shown, shown)])
    columns = ["documents", "randomization rejects", "bootstrap rejects"]
    return _table([*columns, "interval of the difference covers", "of the score"], rows)


def _power_table(results: Results, corpora: int) -> str:
    """Return how often CoNLL differs by the test, and by one that knew how much it varies."""
    cells = _power(corpora)
    rows = []
    for runs in RUNS:
        found = [results[cell] for cell in cells if cell.runs == runs]
        shown = [f"{100 * f.rejected[-1]:.0f} of {100 * f.known[-1]:.0f}" for f in found]
        rows.append([str(runs), *shown])
    points = 100 * (truth(0, GAIN)[-1] - truth(0)[-1])
    better = f"one system is better by {points:.1f} points"
    columns = ["runs", *(f"run effect {each:g}" for each in SPREADS[:3])]
    return f"{corpora:,} corpora of 100 documents per cell; {better}.\n\n{_table(columns, rows)}"


def _by_effect(results: Results, cells: Sequence[Cell], read: Callable[[Shares], Floats]) -> str:
    spreads = list(dict.fromkeys(cell.spread for cell in cells))
    rows = []
    for documents, runs in dict.fromkeys((cell.documents, cell.runs) for cell in cells):
        row = [cell for cell in cells if (cell.documents, cell.runs) == (documents, runs)]
        rows.append([str(documents), str(runs), *(_shown(read(results[cell])) for cell in row)])
    return _table(["documents", "runs", *(f"run effect {each:g}" for each in spreads)], rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
