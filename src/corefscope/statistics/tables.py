"""Tables and CSV that compare systems on one key."""

from __future__ import annotations

from msgspec.structs import replace

from corefscope.formatting import INTERVAL, P_VALUE, PERCENT, POINTS, Value
from corefscope.metrics import statistic_named
from corefscope.results.paper import BEST, FIGURES, Figure, caption_of, paper_table
from corefscope.results.table import Caption, Cell, RowCells, Table, TableColumn
from corefscope.scoring.paper import protocol_sentence, statistic_figures, units_of
from corefscope.scoring.tables import statistic_columns
from corefscope.statistics.result import Difference, SystemComparison
from corefscope.statistics.words import (
    change_cell,
    change_interval,
    interval,
    notes,
    percent,
    test_in_words,
    units_in_words,
    value_cell,
)


def tables(
    comparison: SystemComparison,
    most: int = 0,
    *,
    detail: bool = False,
    intervals: bool = False,
    signed: bool = True,
) -> list[Table]:
    """Return the tables of a comparison.

    ``most`` is the number of documents that changed most to show, for two systems, and ``signed``
    says whether the signature stands below the first table.
    """
    below = notes(comparison, signed=signed)
    if len(comparison.systems) == 2:
        result = [replace(two_systems(comparison, intervals=intervals), notes=below)]
        return [*result, *(moved(comparison, most) if most else [])]
    result = [
        replace(many_systems(comparison), notes=below),
        *_of_statistic(comparison, comparison.primary, intervals=intervals),
    ]
    if detail:
        for id in comparison.statistics:
            if id != comparison.primary:
                result += _of_statistic(comparison, id, intervals=intervals)
    return result


def two_systems(comparison: SystemComparison, *, intervals: bool = False) -> Table:
    """Return a table with one row per statistic, the planned one first."""
    first = comparison.differences[0]
    rows: list[RowCells] = []
    others = (id for id in comparison.statistics if id != comparison.primary)
    for id in (comparison.primary, *others):
        difference = comparison.difference(first.system, first.other, id)
        planned = " (planned)" if difference.verdict else ""
        row: list[Value | Cell] = [f"{statistic_named(id).name}{planned}"]
        for name in (first.other, first.system):
            row += _score_cells(comparison, name, id, intervals=intervals)
        rows.append([*row, *_difference_cells(difference)])
    systems = (
        column
        for name in (first.other, first.system)
        for column in _score_columns(comparison, name, intervals=intervals)
    )
    columns = [TableColumn("metric"), *systems, *_difference_columns(comparison)]
    return Table(columns=columns, rows=rows)


def _of_statistic(comparison: SystemComparison, id: str, *, intervals: bool) -> list[Table]:
    """Return the pairs of systems by one statistic, after its intervals if they are wanted."""
    found = [pairs(comparison, id)]
    if intervals:
        rows = [
            [name, *_score_cells(comparison, name, id, intervals=True)]
            for name in comparison.systems
        ]
        columns = _score_columns(comparison, statistic_named(id).name, intervals=True)
        found.insert(0, Table(columns=[TableColumn("system"), *columns], rows=rows))
    return found


def many_systems(comparison: SystemComparison) -> Table:
    """Return a table with one row per system, and its scores."""
    statistics = [statistic_named(id) for id in comparison.statistics]
    rows: list[RowCells] = [
        [name, *(value_cell(s.id, comparison.estimates[name][s.id].value) for s in statistics)]
        for name in comparison.systems
    ]
    columns = [TableColumn("system"), *statistic_columns(statistics)]
    return Table(columns=columns, rows=rows)


def pairs(comparison: SystemComparison, statistic: str) -> Table:
    """Return a table with one row per pair of systems, for one statistic."""
    differences = [d for d in comparison.differences if d.statistic == statistic]
    name, has_verdicts = statistic_named(statistic).name, any(d.verdict for d in differences)
    is_all = comparison.settings.all_pairs
    rows: list[RowCells] = [
        [
            d.system,
            *([d.other] if is_all else []),
            *_difference_cells(d),
            *([Cell(d.p_corrected, P_VALUE), d.verdict] if has_verdicts else []),
        ]
        for d in differences
    ]
    columns = [
        TableColumn("system"),
        *([TableColumn("against")] if is_all else []),
        *_difference_columns(comparison, planned=has_verdicts),
        *([TableColumn("corrected", P_VALUE), TableColumn("verdict")] if has_verdicts else []),
    ]
    title = f"{name} by pair of systems" if is_all else f"{name} against {comparison.baseline}"
    title += ", the planned comparison" if has_verdicts else ", exploratory"
    return Table(columns=columns, rows=rows, heading=[title], title=title)


def _score_columns(
    comparison: SystemComparison, name: str, *, intervals: bool
) -> list[TableColumn]:
    limits = TableColumn(f"{percent(comparison.settings.confidence)} interval", INTERVAL)
    return [TableColumn(name, PERCENT), *([limits] if intervals else [])]


def _score_cells(
    comparison: SystemComparison, name: str, statistic: str, *, intervals: bool
) -> list[Value | Cell]:
    estimate = comparison.estimates[name][statistic]
    shown = value_cell(statistic, estimate.value)
    return [shown, *([interval(statistic, estimate)] if intervals else [])]


def _difference_columns(
    comparison: SystemComparison, *, planned: bool = False
) -> list[TableColumn]:
    level = comparison.settings.confidence
    if planned:
        level = max(each.confidence for each in comparison.planned)
    limits = TableColumn(f"{percent(level)} interval", INTERVAL)
    return [TableColumn("difference", POINTS), limits, TableColumn("p", P_VALUE)]


def _difference_cells(difference: Difference) -> list[Value | Cell]:
    change = change_cell(difference.statistic, difference.difference)
    return [change, change_interval(difference), Cell(difference.p, P_VALUE)]


def moved(comparison: SystemComparison, most: int) -> list[Table]:
    """Return a table of the documents whose score changed most."""
    system, other = comparison.differences[0].system, comparison.differences[0].other
    place = comparison.statistics.index(comparison.primary)
    names = list(comparison.runs[system][0].document_names)
    primary = statistic_named(comparison.primary)
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


def comparison_table(
    comparison: SystemComparison, *, intervals: bool = False, caption: Caption = None
) -> Table:
    """Return the same of compared systems, with marks of significance, and intervals if asked."""
    runs = {name: [run.metrics for run in comparison.runs[name]] for name in comparison.systems}
    statistics = [statistic_named(id) for id in comparison.statistics]
    rows: dict[str, list[Figure]] = {}
    for name in comparison.systems:
        rows[name] = [
            figure
            for statistic in statistics
            for figure in statistic_figures(
                statistic, runs[name], _marked(comparison, name, statistic.id)
            )
        ]
        if intervals:
            rows[name].append(_interval_figure(comparison, name))
    scores = comparison.runs[comparison.systems[0]][0]
    significance = _significance(comparison)
    about = caption_of(
        caption,
        FIGURES,
        protocol_sentence(scores.profile, units_of(scores)),
        significance,
        best=BEST,
    )
    below = [*([] if about else [significance]), *notes(comparison)]
    return paper_table("system", rows, below, caption=about)


def _interval_figure(comparison: SystemComparison, name: str) -> Figure:
    primary = comparison.primary
    heading = statistic_named(primary).heading
    column = TableColumn(percent(comparison.settings.confidence), INTERVAL, heading)
    return column, interval(primary, comparison.estimates[name][primary])


def _marked(comparison: SystemComparison, name: str, id: str) -> Cell:
    found = {d.system for d in comparison.planned if d.statistic == id and d.is_significant}
    marks = "*" if name in found else ""
    return Cell(comparison.estimates[name][id].value, statistic_named(id).format, marks)


def _significance(comparison: SystemComparison) -> str:
    planned = [difference for difference in comparison.planned if difference.test]
    if not planned:
        return f"Differences were not tested ({units_in_words(comparison)})."
    others = ", ".join(f"{d.system} {d.verdict}" for d in planned if not d.is_significant)
    against = f"{statistic_named(comparison.primary).name} against {comparison.baseline}"
    if all(not d.is_significant for d in planned):
        return f"{against}: {others}."
    level = 1 - comparison.settings.confidence
    tests = " and ".join(
        dict.fromkeys(test_in_words(comparison, d.test) for d in planned if d.test)
    )
    corrected = f", corrected for {len(planned)} comparisons" if len(planned) > 1 else ""
    return (
        f"* {statistic_named(comparison.primary).name} differs from that of {comparison.baseline} "
        f"(p < {level:g}, {tests} over {units_in_words(comparison)}{corrected})."
        + (f" Others: {others}." if others else "")
    )
