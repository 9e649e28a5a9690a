"""Tables of systems on several sets of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from corefscope.formatting import COUNT, FIGURES, Value
from corefscope.metrics import STATISTICS
from corefscope.rendering.comparison.cells import stars, value_cell
from corefscope.rendering.comparison.systems import csv_rows, pair_columns, pair_row
from corefscope.rendering.comparison.words import notes
from corefscope.rendering.table import RowCells, Table, TableColumn, columns
from corefscope.serialization.compare import Files
from corefscope.statistics.sets import SetsComparison

AVERAGE = "average"
"""The name of the mean over sets, which no set may have."""

SetFiles: TypeAlias = Mapping[str, tuple[str, Files]]
"""The key of each set and the files of its systems."""


def tables(compared: SetsComparison, files: SetFiles, detail: bool = False) -> list[Table]:
    """Return a table of all sets, and one of the average with wins, ties and losses."""
    statistics = compared.average.statistics if detail else (compared.average.primary,)
    shown = _tables(compared, statistics)
    above = [*(set_in_words(name, *files[name]) for name in compared.sets), ""]
    return [replace(shown[0], heading=[*above, *shown[0].heading]), *shown[1:]]


def set_in_words(name: str, key: str, systems: Files) -> str:
    """Return the files of a set as one line."""
    made_of = (f"{system} = {' '.join(paths)}" for system, paths in systems.items())
    return f"set {name}: key {key}; {'; '.join(made_of)}"


def _tables(compared: SetsComparison, statistics: Sequence[str]) -> list[Table]:
    return [
        table
        for statistic in statistics
        for table in (by_set(compared, statistic), of_average(compared, statistic))
    ]


def by_set(compared: SetsComparison, statistic: str) -> Table:
    """Return a table with one row per set, one column per system, and the average below."""
    systems = compared.average.systems
    rows: list[RowCells] = []
    for name, comparison in (*compared.sets.items(), (AVERAGE, compared.average)):
        marks = {d.system: stars(d) for d in comparison.differences if d.statistic == statistic}
        scores = [
            value_cell(
                statistic, comparison.estimates[system][statistic].value, marks.get(system, "")
            )
            for system in systems
        ]
        rows.append([name, comparison.units, *scores])
    title = f"{STATISTICS[statistic].name} by set"
    values = columns(STATISTICS[statistic].format, *systems)
    heads = [TableColumn("set"), TableColumn("units", COUNT), *values]
    return Table(columns=heads, rows=rows, heading=[title], title=title, totals=1)


def of_average(compared: SetsComparison, statistic: str) -> Table:
    """Return a table with one row per pair of systems: average, difference, wins and losses."""
    average = compared.average
    rows: list[RowCells] = []
    for difference in average.differences:
        if difference.statistic == statistic:
            record = compared.record(difference.system, difference.other, statistic)
            untested = f" ({record.untested} untested)" if record.untested else ""
            won = f"{record.wins}/{record.ties}/{record.losses}{untested}"
            rows.append([*pair_row(average, difference), won])
    title = f"{STATISTICS[statistic].name}, mean over sets"
    heads = [*pair_columns(average, "mean"), TableColumn("win/tie/loss", FIGURES)]
    return Table(columns=heads, rows=rows, notes=notes(average), heading=[title], title=title)


def sets_rows(compared: SetsComparison) -> list[list[Value]]:
    """Return the CSV rows of all sets and of their average."""
    named = (*compared.sets.items(), (AVERAGE, compared.average))
    return [row for name, comparison in named for row in csv_rows(comparison, name)]
