"""Tables of systems on several sets of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from corefscope.rendering.comparison.cells import marked_cell, stars
from corefscope.rendering.comparison.record import comparison_dict, csv_rows
from corefscope.rendering.comparison.systems import pair_row
from corefscope.rendering.comparison.words import notes, percent
from corefscope.rendering.table import Table, Value
from corefscope.statistics.readings import name_of
from corefscope.statistics.sets import SetsComparison
from corefscope.version import __version__

AVERAGE = "average"


Files: TypeAlias = Mapping[str, tuple[str, Mapping[str, Sequence[str]]]]
"""The key of each set, and the files of its systems."""


def tables(compared: SetsComparison, files: Files, detail: bool = False) -> list[Table]:
    """One table of all sets, and one of the average with wins, ties and losses."""
    statistics = compared.average.statistics if detail else (compared.average.primary,)
    shown = _tables(compared, statistics)
    above = [*(_set_in_words(name, *files[name]) for name in compared.sets), ""]
    return [replace(shown[0], heading=[*above, *shown[0].heading]), *shown[1:]]


def _set_in_words(name: str, key: str, systems: Mapping[str, Sequence[str]]) -> str:
    """Say which files a set is of."""
    made_of = (f"{system} = {' '.join(paths)}" for system, paths in systems.items())
    return f"set {name}: key {key}; {'; '.join(made_of)}"


def _tables(compared: SetsComparison, statistics: Sequence[str]) -> list[Table]:
    return [
        table
        for statistic in statistics
        for table in (by_set(compared, statistic), of_average(compared, statistic))
    ]


def by_set(compared: SetsComparison, statistic: str) -> Table:
    """One row a set, one column a system, and the average below."""
    systems = compared.average.systems
    rows: list[list[Value]] = []
    for name, comparison in (*compared.sets.items(), (AVERAGE, compared.average)):
        marks = {d.system: stars(d) for d in comparison.differences if d.statistic == statistic}
        scores = [
            marked_cell(
                statistic, comparison.estimates[system][statistic].value, marks.get(system, "")
            )
            for system in systems
        ]
        rows.append([name, comparison.units, *scores])
    title = f"{name_of(statistic)} by set"
    return Table(["set", "units", *systems], rows, heading=[title], title=title, totals=1)


def of_average(compared: SetsComparison, statistic: str) -> Table:
    """One row a pair of systems: the average, its difference, and the sets won and lost."""
    average = compared.average
    rows: list[list[Value]] = []
    for difference in average.differences:
        if difference.statistic == statistic:
            record = compared.record(difference.system, difference.other, statistic)
            untested = f" ({record.untested} untested)" if record.untested else ""
            won = f"{record.wins}/{record.ties}/{record.losses}{untested}"
            rows.append([*pair_row(average, difference), won])
    limits = percent(average)
    title = f"{name_of(statistic)}, mean over sets"
    columns = ["system", "mean", limits, "against", "difference", limits, "p", "win/tie/loss"]
    return Table(columns, rows, notes(average), heading=[title], title=title)


def sets_dict(compared: SetsComparison, files: Files) -> dict[str, Any]:
    """Return all sets and their average for JSON; ``files`` has the key and responses of each."""
    average = compared.average
    return {
        "corefscope": __version__,
        "sets": [
            {"name": name, "key": files[name][0], **comparison_dict(comparison, files[name][1])}
            for name, comparison in compared.sets.items()
        ],
        "average": comparison_dict(average, {}),
        "records": [
            {
                "system": d.system,
                "other": d.other,
                "statistic": d.statistic,
                "wins": (record := compared.record(d.system, d.other, d.statistic)).wins,
                "ties": record.ties,
                "losses": record.losses,
                "untested": record.untested,
            }
            for d in average.differences
        ],
        "findings": [finding.to_dict() for finding in compared.findings],
    }


def sets_rows(compared: SetsComparison) -> list[list[Value]]:
    """Return the rows of all sets and of their average for CSV."""
    named = (*compared.sets.items(), (AVERAGE, compared.average))
    return [row for name, comparison in named for row in csv_rows(comparison, name)]
