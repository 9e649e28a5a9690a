"""Tables as papers print them: grouped headings, the best figures in bold, a caption on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Literal, TypeAlias

from corefscope.error_analysis.kinds import ErrorType
from corefscope.evaluation import Evaluation
from corefscope.formatting import COUNT, INTERVAL, PERCENT, counted
from corefscope.metrics import CONLL, METRICS, Score
from corefscope.profiles import Profile
from corefscope.rendering.comparison.cells import interval, value_cell
from corefscope.rendering.comparison.systems import significance_marks
from corefscope.rendering.comparison.words import method, percent, units_in_words
from corefscope.rendering.scores import ALL
from corefscope.rendering.table import Cell, RowCells, Table, TableColumn, with_best
from corefscope.scoring import Scores
from corefscope.statistics.result import SystemComparison
from corefscope.version import __version__

Rows: TypeAlias = Mapping[str, Mapping[str, Score]]
"""The scores of each system or document, by name and metric."""
Caption: TypeAlias = Literal["plain", "bold"] | None
"""Whether a table has a caption, and whether it is printed where bold can be seen."""
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
        rows: Rows = {system.name: system.scores.metrics for system in evaluation}
        signatures = dict.fromkeys(system.scores.signature for system in evaluation)
        table = _score_table("system", rows, list(signatures))
        return [replace(table, caption=_about_scores(first, table, caption))]
    tables = []
    for system in evaluation:
        rows = {each.document: each.metrics for each in system.scores.per_document}
        table = _score_table("document", rows, [system.scores.signature])
        (total,) = _score_table("", {ALL: system.scores.metrics}, []).rows
        said = _about_scores(system.scores, table, caption)
        title = system.name if len(evaluation) > 1 else None
        all_rows = [*table.rows, total]
        tables.append(replace(table, rows=all_rows, totals=1, title=title, caption=said))
    return tables


def _score_table(first: str, rows: Rows, notes: Sequence[str]) -> Table:
    some = next(iter(rows.values()))
    ids, conll = list(some), CONLL.is_known(some)
    table = Table(
        columns=_columns(first, ids, conll),
        rows=[
            [
                name,
                *(cell for id in ids for cell in _figures(scores[id], id)),
                *([value_cell(CONLL.id, CONLL.value(scores))] if conll else []),
            ]
            for name, scores in rows.items()
        ],
        notes=notes,
    )
    return with_best(table)


def _columns(first: str, ids: Sequence[str], conll: bool) -> list[TableColumn]:
    return [
        TableColumn(first),
        *(
            TableColumn(name, PERCENT, METRICS[id].heading)
            for id in ids
            for name in ("P", "R", "F1")
        ),
        *([TableColumn("F1", CONLL.format, CONLL.heading)] if conll else []),
    ]


def _figures(score: Score, id: str) -> list[Cell]:
    return [Cell(score.precision), Cell(score.recall), Cell(score.f1, METRICS[id].format)]


def _about_scores(scores: Scores, table: Table, caption: Caption) -> str:
    conll = any(column.group == CONLL.heading for column in table.columns)
    return _caption(
        caption,
        FIGURES,
        _protocol(scores.profile, len(scores.document_names)),
        "CoNLL is the mean F1 of MUC, B³ and CEAFe." * conll,
        best=BEST * (len(table.rows) > 1),
    )


def _caption(caption: Caption, *sentences: str, best: str) -> str:
    """Return the sentences of a caption, if one is wanted."""
    if caption is None:
        return ""
    return " ".join(filter(None, (*sentences, best * (caption == "bold"))))


def _protocol(profile: Profile, documents: int) -> str:
    """Say how scores were computed, as a paper must."""
    average = "summed over" if profile.average == "micro" else "averaged over"
    return (
        f"Scores under the protocol {profile.name} of corefscope {__version__} "
        f"({MATCHES[profile.match]}, singletons {SINGLETONS[profile.singletons]}), {average} "
        f"{counted(documents, 'document')}."
    )


# ---- Comparisons ----


def comparison_table(
    comparison: SystemComparison, *, intervals: bool = False, caption: Caption = None
) -> Table:
    """Return the same of compared systems, with marks of significance, and intervals if asked."""
    ids = [id for id in comparison.statistics if id in METRICS]
    conll = CONLL.id in comparison.statistics
    primary = comparison.primary
    rows: list[RowCells] = []
    for name in comparison.systems:
        runs = [run.metrics for run in comparison.runs[name]]
        cells = [cell for id in ids for cell in _compared(comparison, name, id, runs)]
        if conll:
            cells.append(_marked(comparison, name, CONLL.id))
        if intervals:
            cells.append(Cell(interval(primary, comparison.estimates[name][primary])))
        rows.append([name, *cells])
    columns = _columns("system", ids, conll)
    if intervals:
        columns.append(TableColumn(percent(comparison), INTERVAL, columns[-1].group))
    profile = next(iter(comparison.runs.values()))[0].profile
    documents = len(next(iter(comparison.runs.values()))[0].document_names)
    significance = _significance(comparison)
    about = _caption(caption, FIGURES, _protocol(profile, documents), significance, best=BEST)
    return with_best(
        Table(
            columns=columns,
            rows=rows,
            notes=[*([] if about else [significance]), comparison.signature],
            caption=about,
        )
    )


def _compared(
    comparison: SystemComparison, name: str, id: str, runs: Sequence[Mapping[str, Score]]
) -> list[Cell]:
    """Return the figures of a system in a metric; means if it has several runs."""
    return [
        Cell(fmean(scores[id].precision for scores in runs)),
        Cell(fmean(scores[id].recall for scores in runs)),
        _marked(comparison, name, id),
    ]


def _marked(comparison: SystemComparison, name: str, id: str) -> Cell:
    marks = significance_marks(comparison, id)[name]
    return value_cell(id, comparison.estimates[name][id].value, marks)


def _significance(comparison: SystemComparison) -> str:
    if all(difference.p is None for difference in comparison.differences):
        return f"Differences were not tested ({units_in_words(comparison)})."
    where = f"over {units_in_words(comparison)}: {method(comparison)}"
    if comparison.settings.all_pairs:
        return f"Letters mark systems that are significantly worse (p < 0.05) {where}."
    return f"* p < 0.05, ** p < 0.01 against {comparison.baseline} {where}."


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
        best="The fewest errors of each type are in bold." * (len(rows) > 1),
    )
    table = Table(
        columns=[TableColumn("system"), *(_error_column(type) for type in ErrorType)],
        rows=rows,
        notes=list(dict.fromkeys(system.errors.signature for system in evaluation)),
        caption=about,
    )
    return with_best(table, lowest=True)


def _error_column(type: ErrorType) -> TableColumn:
    """Return the column of a type, whose name has two words: Extra | Mention."""
    group, _, name = type.label.partition(" ")
    return TableColumn(name, COUNT, group)


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
        best=BEST * (len(rows) > 1),
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
