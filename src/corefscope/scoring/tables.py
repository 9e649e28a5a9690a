"""Tables of scores: one response in detail, several as in Pradhan et al. (2014)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from corefscope.formatting import FIGURES, PERCENT, Value
from corefscope.metrics import (
    CONLL,
    METRICS,
    Metric,
    Score,
    Statistic,
    statistics_of,
)
from corefscope.results.rows import Row
from corefscope.results.table import Cell, RowCells, Table, TableColumn
from corefscope.scoring.divided import (
    WHOLE,
    link_scores,
    major_tables,
    score_rows,
    singleton_notes,
    units_line,
)
from corefscope.scoring.scores import Scores, figure_rows
from corefscope.scoring.systems import Evaluated, HasScores

PAIRED = {
    "zeros": "zeros by dependency",
    "equal": "equal",
    "head": "with the same head",
    "partial": "partial",
    "same words": "with the same words and different heads",
}
NOTHING_TO_FIND = "* nothing in key or response counts here (0/0); the score is defined as 0"


def tables(evaluation: Evaluated[HasScores], per_document: bool = False) -> list[Table]:
    """Return the tables of an evaluation."""
    ledgers: list[Table] = []
    if any(system.scores.ledger is not None for system in evaluation):
        # Loaded here because few responses are tagged text.
        from corefscope.scoring.ledgers import ledger_tables

        ledgers = ledger_tables(evaluation, per_document)
    more = [*major_tables(evaluation), *ledgers]
    if per_document:
        return [*(documents(evaluation, system) for system in evaluation), *more]
    _, rows = score_rows(evaluation)
    return [one_system(evaluation) if len(rows) == 1 else many_systems(evaluation), *more]


def one_system(evaluation: Evaluated[HasScores]) -> Table:
    """Return a table with recall, precision and F1 of each metric."""
    (system,) = evaluation
    scores = system.scores.metrics
    return Table(
        columns=[
            TableColumn("metric"),
            *(TableColumn("recall", PERCENT), TableColumn("", FIGURES)),
            *(TableColumn("precision", PERCENT), TableColumn("", FIGURES)),
            TableColumn("F1", PERCENT),
        ],
        rows=[
            *(_statistic_row(METRICS[id], scores) for id in scores),
            *(
                [name, *_sides(METRICS["pairwise"], score), score.f1]
                for name, score in link_scores(system.scores).items()
            ),
            *([_statistic_row(CONLL, scores)] if CONLL.is_known(scores) else []),
        ],
        notes=_notes(evaluation, scores.values()),
        heading=_heading(evaluation, system),
        totals=int(CONLL.is_known(scores)),
    )


def _statistic_row(statistic: Statistic, scores: Mapping[str, Score]) -> RowCells:
    cells = _sides(statistic, scores[statistic.id]) if isinstance(statistic, Metric) else [None] * 4
    return [statistic.name, *cells, value_cell(statistic, scores)]


def _sides(metric: Metric, score: Score) -> list[Value]:
    """Return recall and precision, each with its fraction."""
    return [
        score.recall,
        None if metric.is_mean else _fraction(score.recall_counts),
        score.precision,
        None if metric.is_mean or metric.is_single else _fraction(score.precision_counts),
    ]


def _fraction(counts: tuple[float, float]) -> str:
    return "/".join(f"{n:.0f}" if n == int(n) else f"{n:.2f}" for n in counts)


def value_cell(statistic: Statistic, scores: Mapping[str, Score]) -> Cell:
    """Return the value of a statistic, marked if there was nothing to count."""
    marks = "*" if statistic.is_undefined(scores) else ""
    return Cell(statistic.value(scores), statistic.format, marks)


def statistic_columns(statistics: Sequence[Statistic]) -> list[TableColumn]:
    """Return one column per statistic."""
    return [TableColumn(statistic.heading, statistic.format) for statistic in statistics]


def many_systems(evaluation: Evaluated[HasScores]) -> Table:
    """Return a table with one row per system, or window, and one column per metric."""
    what, shown = score_rows(evaluation)
    links = [link_scores(scores) for scores in shown.values()]
    rows = [
        [*_score_row(name, scores.metrics), *(score.f1 for score in own.values())]
        for (name, scores), own in zip(shown.items(), links, strict=True)
    ]
    first = next(iter(shown.values()))
    every = [score for scores in shown.values() for score in scores.metrics.values()]
    above = [f"key       {evaluation.key_path}"]
    above += [f"response  {_named(system)}" for system in evaluation if len(evaluation) == 1]
    above += [_documents(first, several=True), *([] if what == "window" else units_line(first))]
    return Table(
        columns=[*_columns(what, first), *(TableColumn(name, PERCENT) for name in links[0])],
        rows=rows,
        notes=_notes(evaluation, every),
        heading=above,
    )


def documents(evaluation: Evaluated[HasScores], system: HasScores) -> Table:
    """Return a table with one row per document of a system, and the total."""
    scores, per_document = system.scores, system.scores.per_document
    rows = [_score_row(each.document, each.metrics) for each in per_document]
    every = [score for document in per_document for score in document.metrics.values()]
    return Table(
        columns=_columns(scores.row_name, scores),
        rows=[*rows, _score_row(every_row(scores), scores.metrics)],
        notes=_notes(evaluation, every),
        heading=_heading(evaluation, system),
        totals=1,
        title=system.name if len(evaluation) > 1 else None,
    )


def every_row(scores: Scores) -> str:
    """Return the name of the row with the total: all documents, or other units."""
    return "the corpus" if scores.row_name == "corpus" else f"all {scores.row_name}s"


def _heading(evaluation: Evaluated[HasScores], system: HasScores) -> list[str]:
    """Return the lines above the table of one system."""
    return [
        f"key       {evaluation.key_path}",
        f"response  {_named(system)}",
        _documents(system.scores),
        *units_line(system.scores),
    ]


def _named(system: HasScores) -> str:
    """Return the path of a response, with the system's name unless the path contains it."""
    return system.path if system.name in system.path else f"{system.path} ({system.name})"


def _columns(first: str, scores: Scores) -> list[TableColumn]:
    return [TableColumn(first), *statistic_columns(statistics_of(scores.counts))]


def _score_row(name: str, scores: Mapping[str, Score]) -> RowCells:
    """Return a row with F1."""
    return [name, *(value_cell(statistic, scores) for statistic in statistics_of(scores))]


def _documents(scores: Scores, several: bool = False) -> str:
    line = f"documents {scores.scored_documents}"
    if scores.missing and not several:
        line += f" ({len(scores.missing)} missing from the response, {treated(scores)})"
    return line


def treated(scores: Scores) -> str:
    """Return what became of missing documents."""
    return "left out" if scores.profile.scorer.leaves_out_missing else "counted as empty"


def _notes(evaluation: Evaluated[HasScores], scores: Iterable[Score]) -> list[str]:
    """Return the notes below a table: marks, missing documents, signatures."""
    notes = [NOTHING_TO_FIND] if any(score.is_undefined for score in scores) else []
    notes += coverage_notes(list(evaluation))
    notes += [*_average_of_v4(evaluation), *_pairs_by_stage(evaluation)]
    notes += singleton_notes(list(evaluation))
    signatures = dict.fromkeys(
        scores.signature
        for system in evaluation
        for scores in (system.scores.windows or [system.scores])
    )
    if len(evaluation) > 1:
        for system in evaluation:
            if system.scores.missing:
                lacking = len(system.scores.missing)
                notes.append(
                    f"{system.name}: missing documents, {treated(system.scores)}: {lacking}"
                )
    return [*notes, *signatures]


def coverage_notes(systems: Sequence[HasScores]) -> list[str]:
    """Return the share of mentions that metrics on common mentions are computed on."""
    notes = []
    for system in systems:
        covered = {
            METRICS[id].name: score.parts["coverage"]
            for id, score in system.scores.metrics.items()
            if "coverage" in score.parts
        }
        if covered:
            coverage = next(iter(covered.values()))
            whose = f"{system.name}: " if len(systems) > 1 else ""
            notes.append(
                f"{whose}{', '.join(covered)}: computed on common mentions only, "
                f"{PERCENT.shown(coverage.recall)} % of the key and "
                f"{PERCENT.shown(coverage.precision)} % of the response"
            )
    return notes


def _average_of_v4(evaluation: Evaluated[HasScores]) -> list[str]:
    """Return the CoNLL score of 2011 and 2012, if its metrics are requested."""
    notes = []
    for system in evaluation:
        if "b3_v4" not in system.scores.counts:
            continue
        from corefscope.metrics.legacy import CONLL_V4

        if CONLL_V4.is_known(system.scores.counts):
            mean = CONLL_V4.format.shown(CONLL_V4.value(system.scores.metrics))
            names = ", ".join(metric.name for metric in CONLL_V4.metrics)
            whose = f"{system.name}: " if len(evaluation) > 1 else ""
            notes.append(f"{whose}{mean}, the mean of {names}: {CONLL_V4.name}")
    return notes


def _pairs_by_stage(evaluation: Evaluated[HasScores]) -> list[str]:
    """Say how many mentions each stage of matching paired, where there are stages."""
    notes = []
    for system in evaluation:
        stages = system.scores.stages
        if stages:
            whose = f"{system.name}: " if len(evaluation) > 1 else ""
            shown = ", ".join(f"{number:,} {PAIRED[stage]}" for stage, number in stages.items())
            notes.append(f"{whose}pairs of mentions: {shown}")
    return notes


def rows(evaluation: Evaluated[HasScores], per_document: bool = False) -> Iterator[Row]:
    """Yield the rows of all systems: of each document and the total, or of each size of windows."""
    for system in evaluation:
        first = {"system": system.name}
        for scores in system.scores.windows:
            window = scores.profile.window
            first["window"] = WHOLE if window is None else str(window.size)
            yield from ({**first, **row} for row in scores._rows())
        for each in system.scores.per_document if per_document else ():
            first["document"] = each.document
            yield from ({**first, **row} for row in figure_rows(each.metrics))
        if not system.scores.windows:
            total = {**first, "document": ""} if per_document else first
            yield from ({**total, **row} for row in system.scores._rows())
