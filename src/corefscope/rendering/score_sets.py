"""Tables of scores on several sets of texts, with the unweighted mean over sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from corefscope.formatting import COUNT, Value
from corefscope.metrics import CONLL, STATISTICS, Metric, Score, Statistic
from corefscope.metrics.counts import known
from corefscope.rendering.comparison.sets import AVERAGE, set_in_words
from corefscope.rendering.scores import NOTHING_TO_FIND, coverage_notes, treated, value_cell
from corefscope.rendering.table import Cell, RowCells, Table, TableColumn, as_csv
from corefscope.statistics.sets import MeanScore, SetsScores

CSV_COLUMNS = (
    "set",
    "system",
    "documents",
    "metric",
    "recall",
    "precision",
    "f1",
    "undefined",
)


class _Shown(NamedTuple):
    """A column: a statistic of a system."""

    heading: str
    system: str
    statistic: Statistic


def tables(scored: SetsScores) -> list[Table]:
    """Return a table with one row per set, and the mean over sets below.

    One system has a column for each statistic. Several systems have a column each, with the CoNLL
    score; without it, there is one table per metric.
    """
    first, *others = scored.average
    statistics = [STATISTICS[id] for id in scored.average[first].scores]
    if not others:
        shown = [_Shown(each.heading, first, each) for each in statistics]
        return [_table(scored, shown, f"Scores of {first} by set", with_files=True)]
    primary = [CONLL] if CONLL in statistics else statistics
    return [
        _table(
            scored,
            [_Shown(system, system, statistic) for system in scored.average],
            f"{statistic.name} by set",
            with_files=statistic is primary[0],
        )
        for statistic in primary
    ]


def _table(scored: SetsScores, shown: Sequence[_Shown], title: str, with_files: bool) -> Table:
    rows: list[RowCells] = []
    for name, each in scored.sets.items():
        metrics = {system.name: system.scores.metrics for system in each.systems}
        cells = [value_cell(column.statistic, metrics[column.system]) for column in shown]
        rows.append([name, each.documents, *cells])
    means = [_mean_cell(scored, column) for column in shown]
    values = [TableColumn(column.heading, column.statistic.format) for column in shown]
    return Table(
        columns=[TableColumn("set"), TableColumn("documents", COUNT), *values],
        rows=[*rows, [AVERAGE, scored.documents, *means]],
        notes=_notes(scored, shown),
        heading=[*(_files(scored) if with_files else ()), title],
        title=title,
        totals=1,
    )


def _mean(scored: SetsScores, column: _Shown) -> MeanScore:
    return scored.average[column.system].scores[column.statistic.id]


def _mean_cell(scored: SetsScores, column: _Shown) -> Cell:
    mean = _mean(scored, column)
    return Cell(mean.f1, column.statistic.format, "*" if mean.undefined else "")


def _files(scored: SetsScores) -> list[str]:
    """Return the files of each set as one line, and an empty line."""
    return [
        *(
            set_in_words(name, each.key, {system.name: [system.path] for system in each.systems})
            for name, each in scored.sets.items()
        ),
        "",
    ]


def _notes(scored: SetsScores, shown: Sequence[_Shown]) -> list[str]:
    """Return the notes below a table: what is doubtful in it, and signatures."""
    notes = [*_undefined(scored, shown)]
    for name, each in scored.sets.items():
        if any(_has_coverage(column.statistic) for column in shown):
            notes += [f"{name}: {note}" for note in coverage_notes(each.systems)]
        notes += [
            f"{name}: {system.name}: missing documents, {treated(system.scores)}: "
            f"{len(system.scores.missing)}"
            for system in each.systems
            if system.scores.missing
        ]
    notes.append(f"{AVERAGE}: the unweighted mean over {len(scored.sets)} sets")
    return [*notes, *dict.fromkeys(mean.signature for mean in scored.average.values())]


def _has_coverage(statistic: Statistic) -> bool:
    return isinstance(statistic, Metric) and "coverage" in statistic.parts


def _undefined(scored: SetsScores, shown: Sequence[_Shown]) -> list[str]:
    """Say which means include a 0 of a set with nothing to count."""
    headings: dict[tuple[str, ...], list[str]] = {}
    for column in shown:
        headings.setdefault(_mean(scored, column).undefined, []).append(column.heading)
    said = [
        f"{AVERAGE} of {', '.join(columns)}: includes such a 0 from {', '.join(sets)}"
        for sets, columns in headings.items()
        if sets
    ]
    return [NOTHING_TO_FIND, *said] if said else []


def as_sets_csv(scored: SetsScores, *, raw: bool = False) -> str:
    """Return one row per set, system and statistic, and the rows of the mean."""
    return as_csv(CSV_COLUMNS, list(_csv_rows(scored)), raw=raw)


def _csv_rows(scored: SetsScores) -> Iterator[list[Value]]:
    for name, each in scored.sets.items():
        for system in each.systems:
            metrics = system.scores.metrics
            for id in scored.average[system.name].scores:
                figures = _figures(STATISTICS[id], metrics)
                undefined = int(STATISTICS[id].is_undefined(metrics))
                yield [name, system.name, each.documents, id, *figures, undefined]
    for name, mean in scored.average.items():
        for id, score in mean.scores.items():
            figures = [known(score.recall), known(score.precision), score.f1]
            yield [AVERAGE, name, scored.documents, id, *figures, len(score.undefined)]


def _figures(statistic: Statistic, metrics: Mapping[str, Score]) -> list[Value]:
    """Return recall, precision and F1; a mean of metrics has only F1."""
    score = metrics.get(statistic.id)
    sides = [known(score.recall), known(score.precision)] if score else [None, None]
    return [*sides, statistic.value(metrics)]
