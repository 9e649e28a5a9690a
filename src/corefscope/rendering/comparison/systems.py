"""Tables and CSV that compare systems on one key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefscope.formatting import COUNT, INTERVAL, P_VALUE, PERCENT, POINTS, Value
from corefscope.metrics import CONLL, STATISTICS
from corefscope.rendering.comparison.cells import (
    change_cell,
    change_interval,
    interval,
    p_cell,
    stars,
    value_cell,
)
from corefscope.rendering.comparison.words import notes, percent, units_in_words
from corefscope.rendering.scores import statistic_columns
from corefscope.rendering.table import RowCells, Table, TableColumn, as_csv
from corefscope.serialization.compare import Files
from corefscope.statistics.ranking import letters
from corefscope.statistics.result import Difference, SystemComparison


def tables(
    comparison: SystemComparison, key: str, files: Files, *, most: int = 10, detail: bool = False
) -> list[Table]:
    """Return the tables of a comparison; ``files`` are those of each system."""
    above = heading(comparison, key, files)
    if len(comparison.systems) == 2:
        result = [two_systems(comparison, above)]
    else:
        result = [many_systems(comparison, above)]
        chosen = comparison.statistics if detail else (comparison.primary,)
        result += [pairs(comparison, statistic) for statistic in chosen]
    if most and comparison.document_values and len(comparison.systems) == 2:
        result += moved(comparison, most)
    return result


def two_systems(comparison: SystemComparison, above: Sequence[str] = ()) -> Table:
    """Return a table with one row per statistic: both systems and their difference."""
    other = comparison.baseline
    (system,) = (name for name in comparison.systems if name != other)
    if comparison.settings.all_pairs:
        other, system = comparison.systems
    limits = TableColumn(percent(comparison), INTERVAL)
    rows: list[RowCells] = []
    for id in comparison.statistics:
        difference = comparison.difference(system, other, id)
        base, ours = (comparison.estimates[name][id] for name in (other, system))
        rows.append(
            [
                STATISTICS[id].name,
                *(value_cell(id, base.value), interval(id, base)),
                *(value_cell(id, ours.value), interval(id, ours)),
                *(change_cell(id, difference.difference), change_interval(difference)),
                p_cell(difference),
            ]
        )
    columns = [
        TableColumn("metric"),
        *(TableColumn(other, PERCENT), limits, TableColumn(system, PERCENT), limits),
        *(TableColumn("difference", POINTS), limits, TableColumn("p", P_VALUE)),
    ]
    totals = int(CONLL.id in comparison.statistics)
    return Table(columns=columns, rows=rows, notes=notes(comparison), heading=above, totals=totals)


def many_systems(comparison: SystemComparison, above: Sequence[str] = ()) -> Table:
    """Return a table with one row per system.

    Stars mark significant differences from the baseline; letters mark significantly worse systems.
    """
    all_pairs = comparison.settings.all_pairs
    marks = {id: significance_marks(comparison, id) for id in comparison.statistics}
    letter = letters(comparison.systems)
    rank, is_ranked = comparison.ranks(), all_pairs and comparison.has_tests
    rows: list[RowCells] = []
    for name in comparison.systems:
        cells = [
            value_cell(id, comparison.estimates[name][id].value, marks[id][name])
            for id in comparison.statistics
        ]
        shown = f"({letter[name]}) {name}" if all_pairs else name
        rows.append([shown, *cells, *([rank[name]] if is_ranked else [])])
    columns = [
        TableColumn("system"),
        *statistic_columns([STATISTICS[id] for id in comparison.statistics]),
        *([TableColumn("rank", COUNT)] if is_ranked else []),
    ]
    return Table(columns=columns, rows=rows, notes=notes(comparison), heading=above)


def significance_marks(comparison: SystemComparison, id: str) -> Mapping[str, str]:
    """Return the marks of each system in a statistic: stars, or letters of all pairs."""
    if comparison.settings.all_pairs:
        return comparison.superscripts(id)
    found = {d.system: stars(d) for d in comparison.differences if d.statistic == id}
    return {name: found.get(name, "") for name in comparison.systems}


def pairs(comparison: SystemComparison, statistic: str) -> Table:
    """Return a table with one row per pair of systems, for one statistic."""
    rows = [
        pair_row(comparison, difference)
        for difference in comparison.differences
        if difference.statistic == statistic
    ]
    name = STATISTICS[statistic].name
    title = f"{name} by pair of systems"
    return Table(columns=pair_columns(comparison, name), rows=rows, heading=[title], title=title)


def pair_columns(comparison: SystemComparison, value: str) -> list[TableColumn]:
    """Return the columns of a table of pairs; ``value`` is the heading of the score."""
    limits = TableColumn(percent(comparison), INTERVAL)
    return [
        *(TableColumn("system"), TableColumn(value, PERCENT), limits),
        *(
            TableColumn("against"),
            TableColumn("difference", POINTS),
            limits,
            TableColumn("p", P_VALUE),
        ),
    ]


def pair_row(comparison: SystemComparison, difference: Difference) -> RowCells:
    """Return the cells of a pair: a score, and its difference from the other score."""
    id = difference.statistic
    estimate = comparison.estimates[difference.system][id]
    return [
        difference.system,
        value_cell(id, estimate.value),
        interval(id, estimate),
        difference.other,
        change_cell(id, difference.difference),
        change_interval(difference),
        p_cell(difference),
    ]


def moved(comparison: SystemComparison, most: int) -> list[Table]:
    """Return a table of the documents whose score changed most."""
    other = comparison.baseline
    (system,) = (name for name in comparison.systems if name != other)
    place = comparison.statistics.index(comparison.primary)
    names = list(comparison.runs[system][0].document_names)
    primary = STATISTICS[comparison.primary]
    rows: list[RowCells] = []
    for document, change in comparison.moved(system, other, most):
        row = names.index(document)
        before, after = (
            float(comparison.document_values[name][row, place]) for name in (other, system)
        )
        rows.append([document, before, after, change])
    if not rows:
        return []
    what = comparison.runs[system][0].row_name
    title = f"{what.capitalize()}s whose {primary.name} score changed most"
    columns = [
        TableColumn(what),
        *(TableColumn(other, primary.format), TableColumn(system, primary.format)),
        TableColumn("difference", primary.unit.change),
    ]
    return [Table(columns=columns, rows=rows, heading=[title], title=title)]


def heading(comparison: SystemComparison, key: str, files: Files) -> list[str]:
    """Return the lines above a table: the files, and the number of resampled units."""
    lines = [f"key       {key}"]
    for name, paths in files.items():
        runs = f" ({len(paths)} runs)" if len(paths) > 1 else ""
        lines.append(f"system    {name} = {paths[0]}{' …' if runs else ''}{runs}")
    return [*lines, f"units     {units_in_words(comparison)}"]


CSV_COLUMNS = (
    "set",
    "system",
    "statistic",
    "value",
    "low",
    "high",
    "deviation",
    "other",
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_corrected",
)


def csv_rows(comparison: SystemComparison, set_: str = "") -> list[list[Value]]:
    """Return one row per system and statistic, and one per pair and statistic."""
    rows: list[list[Value]] = [
        [set_, name, id, e.value, e.low, e.high, e.deviation, *[None] * 6]
        for name in comparison.systems
        for id, e in comparison.estimates[name].items()
    ]
    for d in comparison.differences:
        tested: list[Value] = [d.other, d.difference, d.low, d.high, d.p, d.p_corrected]
        rows.append([set_, d.system, d.statistic, *[None] * 4, *tested])
    return rows


def as_comparison_csv(rows: Sequence[Sequence[Value]], *, raw: bool = False) -> str:
    """Return the rows of one or more comparisons as CSV."""
    return as_csv(CSV_COLUMNS, rows, raw=raw)
