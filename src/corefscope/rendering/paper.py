"""Tables as papers print them: grouped headings, the best figures in bold, a caption on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

from msgspec.structs import replace

from corefscope.error_analysis.kinds import ErrorType
from corefscope.evaluation import Evaluation
from corefscope.formatting import COUNT, INTERVAL, PERCENT, counted
from corefscope.metrics import CONLL, Metric, Score, Statistic, statistic_named, statistics_of
from corefscope.metrics.counts import known
from corefscope.profiles import Profile
from corefscope.rendering.comparison.words import interval, method, notes, percent, units_in_words
from corefscope.rendering.divided_scores import score_rows
from corefscope.rendering.scores import NOTHING_TO_FIND, every_row, value_cell
from corefscope.results.table import Caption, Cell, RowCells, Table, TableColumn, with_best
from corefscope.scores import Scores
from corefscope.statistics.result import SystemComparison
from corefscope.version import __version__

Rows: TypeAlias = Mapping[str, Mapping[str, Score]]
"""The scores of each system or document, by name and metric."""
BEST = "The best figure of each column is in bold."
FIGURES = "Precision (P), recall (R) and F1 in per cent."
MATCHES = {
    "exact": "mentions match exactly",
    "head": "mentions match by their heads",
    "partial": "mentions match in part",
    "min": "mentions match by their minimum spans",
    "craft": "mentions match as in CRAFT",
}
SINGLETONS = {"keep": "kept", "drop": "dropped", "drop-response": "of the response dropped"}


# ---- Scores ----


def score_tables(
    evaluation: Evaluation, *, per_document: bool = False, caption: Caption = None
) -> list[Table]:
    """Return precision, recall and F1 of each system or document, and the CoNLL score.

    Parameters
    ----------
    evaluation
        The systems and their scores.
    per_document
        Whether to return a table for each system, with one row per document.
    caption
        Whether to say under which protocol the scores were computed, and how the best stand out.
    """
    first = next(iter(evaluation)).scores
    if not per_document:
        what, shown = score_rows(evaluation)
        rows: Rows = {name: scores.metrics for name, scores in shown.items()}
        signatures = dict.fromkeys(scores.signature for scores in shown.values())
        table = _score_table(what, rows, list(signatures))
        return [replace(table, caption=_about_scores(first, table, caption))]
    tables = []
    for system in evaluation:
        rows = {each.document: each.metrics for each in system.scores.per_document}
        table = _score_table("document", rows, [system.scores.signature])
        (total,) = _score_table("", {every_row(system.scores): system.scores.metrics}, []).rows
        said = _about_scores(system.scores, table, caption)
        title = system.name if len(evaluation) > 1 else None
        all_rows = [*table.rows, total]
        tables.append(replace(table, rows=all_rows, totals=1, title=title, caption=said))
    return tables


def _score_table(first: str, rows: Rows, notes: Sequence[str]) -> Table:
    some = next(iter(rows.values()))
    is_undefined = any(score.is_undefined for scores in rows.values() for score in scores.values())
    table = Table(
        columns=[TableColumn(first), *_columns(statistics_of(some), some)],
        rows=[
            [
                name,
                *(
                    cell
                    for statistic in statistics_of(scores)
                    for cell in (*_sides(statistic, [scores]), value_cell(statistic, scores))
                ),
            ]
            for name, scores in rows.items()
        ],
        notes=[*([NOTHING_TO_FIND] if is_undefined else []), *notes],
    )
    # Windows of different sizes are not rivals.
    return table if first == "window" else with_best(table)


def _columns(statistics: Sequence[Statistic], scores: Mapping[str, Score]) -> list[TableColumn]:
    """Return the columns of statistics: P, R and F1, or a single figure if they have no more."""
    return [
        column
        for statistic in statistics
        for column in (
            *(
                TableColumn(name, PERCENT, statistic.heading)
                for name, _ in zip(("P", "R"), _sides(statistic, [scores]), strict=False)
            ),
            TableColumn(
                _figure(statistic, scores),
                statistic.format,
                statistic.heading,
                lower_is_better=statistic.lower_is_better,
            ),
        )
    ]


def _figure(statistic: Statistic, scores: Mapping[str, Score]) -> str:
    has_f1 = statistic.id == CONLL.id or bool(_sides(statistic, [scores]))
    return "F1" if has_f1 else "value"


def _sides(statistic: Statistic, runs: Sequence[Mapping[str, Score]]) -> list[Cell]:
    """Return precision and recall, the means of several runs; none if a statistic has neither."""
    if not isinstance(statistic, Metric):
        return []
    scores = [run[statistic.id] for run in runs]
    sides = [(score.precision, score.recall) for score in scores]
    if any(known(side) is None for pair in sides for side in pair):
        return []
    return [Cell(fmean(side)) for side in zip(*sides, strict=True)]


def _about_scores(scores: Scores, table: Table, caption: Caption) -> str:
    conll = any(column.group == CONLL.heading for column in table.columns)
    return _caption(
        caption,
        FIGURES,
        protocol_sentence(scores.profile, _units(scores)),
        "CoNLL is the mean F1 of MUC, B³ and CEAFe." if conll else "",
        best=BEST if len(table.rows) > 1 and table.columns[0].name != "window" else "",
    )


def _caption(caption: Caption, *sentences: str, best: str) -> str:
    """Return the sentences of a caption, if one is wanted."""
    if caption is None:
        return ""
    return " ".join(filter(None, (*sentences, best if caption == "bold" else "")))


def protocol_sentence(profile: Profile, units: str) -> str:
    """Say how scores were computed, as a paper must; ``units`` is what they were summed over."""
    average = "summed over" if profile.average == "micro" else "averaged over"
    return (
        f"Scores under the protocol {profile.name} of corefscope {__version__} "
        f"({MATCHES[profile.match]}, singletons {SINGLETONS[profile.singletons]}), {average} "
        f"{units}."
    )


def _units(scores: Scores) -> str:
    """Say what was scored as one."""
    documents, number = counted(scores.scored_documents, "document"), len(scores.document_names)
    window = scores.profile.window
    if window is not None:
        return f"{counted(number, 'window')} of {window.size:,} tokens in {documents}"
    if scores.units is None:
        return documents
    topics = counted(number, "topic") if scores.profile.level == "topic" else "one corpus"
    return f"{topics} with entities across {documents}"


# ---- Comparisons ----


def comparison_table(
    comparison: SystemComparison, *, intervals: bool = False, caption: Caption = None
) -> Table:
    """Return the same of compared systems, with marks of significance, and intervals if asked."""
    runs = {name: [run.metrics for run in comparison.runs[name]] for name in comparison.systems}
    some = next(iter(runs.values()))[0]
    statistics = [statistic_named(id) for id in comparison.statistics]
    primary = comparison.primary
    rows: list[RowCells] = []
    for name in comparison.systems:
        cells = [
            cell
            for statistic in statistics
            for cell in (*_sides(statistic, runs[name]), _marked(comparison, name, statistic.id))
        ]
        if intervals:
            cells.append(Cell(interval(primary, comparison.estimates[name][primary])))
        rows.append([name, *cells])
    columns = [TableColumn("system"), *_columns(statistics, some)]
    if intervals:
        columns.append(
            TableColumn(
                percent(comparison.settings.confidence), INTERVAL, statistic_named(primary).heading
            )
        )
    scores = comparison.runs[comparison.systems[0]][0]
    significance = _significance(comparison)
    about = _caption(
        caption,
        FIGURES,
        protocol_sentence(scores.profile, _units(scores)),
        significance,
        best=BEST,
    )
    below = [*([] if about else [significance]), *notes(comparison)]
    return with_best(Table(columns=columns, rows=rows, notes=below, caption=about))


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
    tests = " and ".join(dict.fromkeys(method(comparison, d.test) for d in planned if d.test))
    corrected = f", corrected for {len(planned)} comparisons" if len(planned) > 1 else ""
    return (
        f"* {statistic_named(comparison.primary).name} differs from that of {comparison.baseline} "
        f"(p < {level:g}, {tests} over {units_in_words(comparison)}{corrected})."
        + (f" Others: {others}." if others else "")
    )


# ---- Errors and named entities ----


def errors_table(evaluation: Evaluation, *, caption: Caption = None) -> Table:
    """Return the numbers of errors: one row per system, one column per type."""
    rows: list[RowCells] = [
        [system.name, *(system.errors.errors[type] for type in ErrorType)] for system in evaluation
    ]
    first = next(iter(evaluation)).errors
    rule = SINGLETONS[first.options.singleton_rule]
    about = _caption(
        caption,
        "Errors by type (Kummerfeld and Klein, 2013), counted by corefscope "
        f"{__version__} on {counted(len(first.documents), 'document')}, singletons {rule}.",
        best="The fewest errors of each type are in bold." if len(rows) > 1 else "",
    )
    table = Table(
        columns=[TableColumn("system"), *(_error_column(type) for type in ErrorType)],
        rows=rows,
        notes=list(dict.fromkeys(system.errors.signature for system in evaluation)),
        caption=about,
    )
    return with_best(table)


def _error_column(type: ErrorType) -> TableColumn:
    """Return the column of a type, whose name has two words: Extra | Mention."""
    group, _, name = type.label.partition(" ")
    return TableColumn(name, COUNT, group, lower_is_better=True)


def nec_table(evaluation: Evaluation, *, caption: Caption = None) -> Table:
    """Return precision, recall and F1 of each entity type: one row per system."""
    first = next(iter(evaluation)).named_entities
    types = list(first.types)
    rows: list[RowCells] = []
    for system in evaluation:
        found = system.named_entities.types
        cells = ((found[t].precision, found[t].recall, found[t].f1) for t in types)
        rows.append([system.name, *(value for three in cells for value in three)])
    choices = first.options.changed()
    about = _caption(
        caption,
        f"{FIGURES[:-1]} of named entity coreference by type (Agarwal et al., 2019), measured by "
        f"corefscope {__version__} on {counted(len(first.documents), 'document')}"
        + (f" ({', '.join(choices)})." if choices else "."),
        best=BEST if len(rows) > 1 else "",
    )
    columns = [
        TableColumn("system"),
        *(TableColumn(name, PERCENT, type) for type in types for name in ("P", "R", "F1")),
    ]
    table = Table(
        columns=columns,
        rows=rows,
        notes=list(dict.fromkeys(system.named_entities.signature for system in evaluation)),
        caption=about,
    )
    return with_best(table)
