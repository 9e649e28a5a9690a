"""Scores as papers print them, and the sentences that say how they were computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

from msgspec.structs import replace

from corefscope.formatting import PERCENT, counted
from corefscope.metrics import CONLL, Metric, Score, Statistic, statistics_of
from corefscope.metrics.counts import known
from corefscope.profiles import Profile
from corefscope.results.paper import BEST, FIGURES, Figure, caption_of, paper_table
from corefscope.results.table import Caption, Cell, Table, TableColumn
from corefscope.scoring.divided import score_rows
from corefscope.scoring.scores import Scores
from corefscope.scoring.systems import Evaluated, HasScores
from corefscope.scoring.tables import NOTHING_TO_FIND, every_row, value_cell
from corefscope.version import __version__

Rows: TypeAlias = Mapping[str, Mapping[str, Score]]
"""The scores of each system or document, by name and metric."""
MATCHES = {
    "exact": "mentions match exactly",
    "head": "mentions match by their heads",
    "partial": "mentions match in part",
    "min": "mentions match by their minimum spans",
    "craft": "mentions match as in CRAFT",
}
SINGLETONS = {"keep": "kept", "drop": "dropped", "drop-response": "of the response dropped"}


def score_tables(
    evaluation: Evaluated[HasScores], *, per_document: bool = False, caption: Caption = None
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
    if not per_document:
        what, shown = score_rows(evaluation)
        first = next(iter(shown.values()))
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
    is_undefined = any(score.is_undefined for scores in rows.values() for score in scores.values())
    figures = {
        name: [
            figure
            for statistic in statistics_of(scores)
            for figure in statistic_figures(statistic, [scores], value_cell(statistic, scores))
        ]
        for name, scores in rows.items()
    }
    notes = [*([NOTHING_TO_FIND] if is_undefined else []), *notes]
    # Windows of different sizes are not rivals.
    return paper_table(first, figures, notes, has_best=first != "window")


def statistic_figures(
    statistic: Statistic, runs: Sequence[Mapping[str, Score]], value: Cell
) -> list[Figure]:
    """Return precision, recall and F1 of a metric, the means of several runs.

    There is only one figure if a statistic has no more.
    """
    sides: list[Figure] = []
    if isinstance(statistic, Metric):
        scores = [run[statistic.id] for run in runs]
        pairs = [(known(score.precision), known(score.recall)) for score in scores]
        if not any(side is None for pair in pairs for side in pair):
            means = (Cell(fmean(side)) for side in zip(*pairs, strict=True))
            named = zip(("P", "R"), means, strict=True)
            sides = [(TableColumn(name, PERCENT, statistic.heading), mean) for name, mean in named]
    column = TableColumn(
        "F1" if sides or statistic.id == CONLL.id else "value",
        statistic.format,
        statistic.heading,
        lower_is_better=statistic.lower_is_better,
    )
    return [*sides, (column, value)]


def _about_scores(scores: Scores, table: Table, caption: Caption) -> str:
    conll = any(column.group == CONLL.heading for column in table.columns)
    return caption_of(
        caption,
        FIGURES,
        protocol_sentence(scores.profile, units_of(scores)),
        "CoNLL is the mean F1 of MUC, B³ and CEAFe." if conll else "",
        best=BEST if len(table.rows) > 1 and table.columns[0].name != "window" else "",
    )


def protocol_sentence(profile: Profile, units: str) -> str:
    """Say how scores were computed, as a paper must; ``units`` is what they were summed over."""
    average = "summed over" if profile.average == "micro" else "averaged over"
    return (
        f"Scores under the protocol {profile.name} of corefscope {__version__} "
        f"({MATCHES[profile.match]}, singletons {SINGLETONS[profile.singletons]}), {average} "
        f"{units}."
    )


def units_of(scores: Scores) -> str:
    """Say what was scored as one."""
    documents, number = counted(scores.scored_documents, "document"), len(scores.document_names)
    window = scores.profile.window
    if window is not None:
        return f"{counted(number, 'window')} of {window.size:,} tokens in {documents}"
    if scores.units is None:
        return documents
    topics = counted(number, "topic") if scores.profile.level == "topic" else "one corpus"
    return f"{topics} with entities across {documents}"
