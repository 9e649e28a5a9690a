"""Tables of systems that are compared: two, or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corefscope.formatting import COUNT, INTERVAL, P_VALUE, PERCENT, POINTS
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
from corefscope.rendering.table import Cells, Column, Table
from corefscope.statistics.ranking import letters
from corefscope.statistics.result import Difference, SystemComparison


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with the files that it was made from."""

    key: str
    responses: Mapping[str, Sequence[str]]
    """The files of each system: one, or one per run."""
    comparison: SystemComparison
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else JSON says, such as the errors that changed."""


def tables(compared: Compared, most: int = 10, detail: bool = False) -> list[Table]:
    """Return the tables that people read."""
    comparison = compared.comparison
    if len(comparison.systems) == 2:
        result = [two_systems(compared)]
    else:
        result = [many_systems(compared)]
        chosen = comparison.statistics if detail else (comparison.primary,)
        result += [pairs(comparison, statistic) for statistic in chosen]
    if most and comparison.document_values and len(comparison.systems) == 2:
        result += moved(comparison, most)
    return result


def two_systems(compared: Compared) -> Table:
    """One row per statistic: both systems, and their difference."""
    comparison = compared.comparison
    other = comparison.baseline
    (system,) = (name for name in comparison.systems if name != other)
    if comparison.settings.all_pairs:
        other, system = comparison.systems
    limits = Column(percent(comparison), INTERVAL)
    rows: list[Cells] = []
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
        Column("metric"),
        *(Column(other, PERCENT), limits, Column(system, PERCENT), limits),
        *(Column("difference", POINTS), limits, Column("p", P_VALUE)),
    ]
    totals = int(CONLL.id in comparison.statistics)
    return Table(
        columns=columns,
        rows=rows,
        notes=notes(comparison),
        heading=heading(compared),
        totals=totals,
    )


def many_systems(compared: Compared) -> Table:
    """One row per system, with marks: stars against the baseline, or letters of those beaten."""
    comparison = compared.comparison
    all_pairs = comparison.settings.all_pairs
    marks = {id: _marks(comparison, id) for id in comparison.statistics}
    letter = letters(comparison.systems)
    rank, is_ranked = comparison.ranks(), all_pairs and comparison.has_tests
    rows: list[Cells] = []
    for name in comparison.systems:
        cells = [
            value_cell(id, comparison.estimates[name][id].value, marks[id][name])
            for id in comparison.statistics
        ]
        shown = f"({letter[name]}) {name}" if all_pairs else name
        rows.append([shown, *cells, *([rank[name]] if is_ranked else [])])
    columns = [
        Column("system"),
        *statistic_columns([STATISTICS[id] for id in comparison.statistics]),
        *([Column("rank", COUNT)] if is_ranked else []),
    ]
    return Table(columns=columns, rows=rows, notes=notes(comparison), heading=heading(compared))


def _marks(comparison: SystemComparison, id: str) -> Mapping[str, str]:
    if comparison.settings.all_pairs:
        return comparison.superscripts(id)
    found = {d.system: stars(d) for d in comparison.differences if d.statistic == id}
    return {name: found.get(name, "") for name in comparison.systems}


def pairs(comparison: SystemComparison, statistic: str) -> Table:
    """One row per pair of systems, for one statistic."""
    rows = [
        pair_row(comparison, difference)
        for difference in comparison.differences
        if difference.statistic == statistic
    ]
    name = STATISTICS[statistic].name
    title = f"{name} of each pair"
    return Table(columns=pair_columns(comparison, name), rows=rows, heading=[title], title=title)


def pair_columns(comparison: SystemComparison, value: str) -> list[Column]:
    """Return the columns of a table of pairs; ``value`` is the name of the score."""
    limits = Column(percent(comparison), INTERVAL)
    return [
        *(Column("system"), Column(value, PERCENT), limits),
        *(Column("against"), Column("difference", POINTS), limits, Column("p", P_VALUE)),
    ]


def pair_row(comparison: SystemComparison, difference: Difference) -> Cells:
    """Return the cells of a pair: a score, and how far it is from the other's."""
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
    """Return the documents whose score moved most."""
    other = comparison.baseline
    (system,) = (name for name in comparison.systems if name != other)
    place = comparison.statistics.index(comparison.primary)
    names = list(comparison.runs[system][0].document_names)
    primary = STATISTICS[comparison.primary]
    rows: list[Cells] = []
    for document, change in comparison.moved(system, other, most):
        row = names.index(document)
        before, after = (
            float(comparison.document_values[name][row, place]) for name in (other, system)
        )
        rows.append([document, before, after, change])
    if not rows:
        return []
    title = f"Documents whose {primary.name} moved most"
    columns = [
        Column("document"),
        *(Column(other, primary.format), Column(system, primary.format)),
        Column("difference", primary.unit.change),
    ]
    return [Table(columns=columns, rows=rows, heading=[title], title=title)]


def heading(compared: Compared) -> list[str]:
    """Return the lines above a table: the files, and what was resampled."""
    comparison = compared.comparison
    lines = [f"key       {compared.key}"] if compared.key else []
    for name, files in compared.responses.items():
        runs = f" ({len(files)} runs)" if len(files) > 1 else ""
        lines.append(f"system    {name} = {files[0]}{' …' if runs else ''}{runs}")
    return [*lines, f"units     {units_in_words(comparison)}"]
