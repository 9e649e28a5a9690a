"""Tables of submissions to CRAC, and of the evaluation of empty nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corefscope.extensions.corefud_scorer.crac.empty_nodes import COMPARED, NodeScore
from corefscope.extensions.corefud_scorer.crac.submissions import COLUMNS, ZERO, Submission
from corefscope.formatting import COUNT, PERCENT
from corefscope.results.rows import Row
from corefscope.results.table import RowCells, Table, TableColumn

MEAN = "mean"


def tables(submissions: Sequence[Submission], signature: str) -> list[Table]:
    """Return one table with a row per data set; or one per column with a row per system."""
    if len(submissions) == 1:
        (only,) = submissions
        found = [_of_one(only, signature)]
    else:
        found = [_of_column(submissions, each, signature) for each in (*COLUMNS, ZERO)]
    return [*found, *_of_nodes(submissions)]


def _of_one(submission: Submission, signature: str) -> Table:
    names = (*COLUMNS, ZERO)
    rows: list[RowCells] = [
        [each.name, *(each.columns[name] for name in names)] for each in submission.datasets
    ]
    mean = submission.mean
    title = f"Scores of {submission.name} on CRAC data sets"
    return Table(
        columns=[TableColumn("data set"), *(TableColumn(name, PERCENT) for name in names)],
        rows=[*rows, [MEAN, *(mean[name] for name in names)]],
        notes=_notes([submission], signature),
        heading=[title],
        title=title,
        totals=1,
    )


def _of_column(submissions: Sequence[Submission], column: str, signature: str) -> Table:
    datasets = [each.name for each in submissions[0].datasets]
    rows: list[RowCells] = []
    for each in submissions:
        values = {dataset.name: dataset.columns[column] for dataset in each.datasets}
        rows.append([each.name, *(values[name] for name in datasets), each.mean[column]])
    title = f"{column} by data set"
    return Table(
        columns=[
            TableColumn("system"),
            *(TableColumn(name, PERCENT) for name in (*datasets, MEAN)),
        ],
        rows=rows,
        notes=_notes(submissions, signature) if column == ZERO else [],
        heading=[title],
        title=title,
    )


def _notes(submissions: Sequence[Submission], signature: str) -> list[str]:
    first = submissions[0]
    count = len(first.datasets)
    notes = [
        f"{MEAN}: the unweighted mean over all {count} data sets; {ZERO} over the "
        f"{first.zero_datasets} with zeros in the key",
        *(
            f"{each.name}: without a response, counted 0: {', '.join(each.missing)}"
            for each in submissions
            if each.missing
        ),
    ]
    return [*notes, signature]


def _of_nodes(submissions: Sequence[Submission]) -> Iterator[Table]:
    for each in submissions:
        if not each.mean_empty_nodes:
            continue
        rows: list[RowCells] = [
            [dataset.name, *(dataset.empty_nodes[row].f1 for row in COMPARED)]
            for dataset in each.datasets
            if dataset.empty_nodes
        ]
        mean = each.mean_empty_nodes
        title = f"F1 of empty nodes, {each.name}"
        yield Table(
            columns=[TableColumn("data set"), *(TableColumn(row, PERCENT) for row in COMPARED)],
            rows=[*rows, [MEAN, *(mean[row] for row in COMPARED)]],
            heading=[title],
            title=title,
            totals=1,
        )


def empty_node_table(system: str, scores: Mapping[str, NodeScore]) -> Table:
    """Return the evaluation of the empty nodes of one response."""
    title = f"Empty nodes of {system}"
    return Table(
        columns=[
            TableColumn("compared"),
            *(TableColumn(name, PERCENT) for name in ("recall", "precision", "F1")),
            *(TableColumn(name, COUNT) for name in ("common", "key", "response")),
        ],
        rows=[
            [row, score.recall, score.precision, score.f1, *score] for row, score in scores.items()
        ],
        heading=["", title],
        title=title,
    )


def rows(submissions: Sequence[Submission]) -> Iterator[Row]:
    """Yield one row per system, data set and column, and the rows of the mean."""
    for each in submissions:
        of_sets = [(dataset.name, dataset.columns) for dataset in each.datasets]
        for name, columns in [*of_sets, (MEAN, each.mean)]:
            for column, value in columns.items():
                yield {"system": each.name, "dataset": name, "column": column, "f1": value}
