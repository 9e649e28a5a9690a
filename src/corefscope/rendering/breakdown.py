"""Scores by type as tables and CSV."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.breakdown import ByType
from corefscope.formatting import COUNT, PERCENT, TEXT, Value
from corefscope.metrics import Score, statistics_of
from corefscope.metrics.counts import known, ratio
from corefscope.rendering.scores import statistic_columns
from corefscope.rendering.table import Cells, Column, Table, as_csv, columns

TypedSystems = Sequence[tuple[str, ByType]]
"""The name and the scores of each system."""


def tables(systems: TypedSystems) -> list[Table]:
    """Return a table for each of the four ways to break scores down."""
    return [_filtered(systems), _credits(systems), _anaphors(systems), _links(systems)]


def _filtered(systems: TypedSystems) -> Table:
    scored = [scores for _, by in systems for scores in by.filter.values()]
    statistics = statistics_of(scored[0]) if scored else []
    rows: list[Cells] = [
        [name, type, *(statistic.value(scores) for statistic in statistics)]
        for name, by in systems
        for type, scores in by.filter.items()
    ]
    return Table(
        columns=[*columns(TEXT, "system", "type"), *statistic_columns(statistics)],
        rows=rows,
        notes=[f"F1 after removing {REMOVED[systems[0][1].kind]}."],
        title=f"Filtered by {_words(systems)}",
    )


REMOVED = {
    "mention-type": "mentions of other types from both sides; this breaks entities apart",
    "entity-type": "entities of other types from both sides",
}


def _credits(systems: TypedSystems) -> Table:
    note = "Entities stay whole; the B³ credit is summed over mentions of the type only."
    rows = [[n, t, *_figures(s)] for n, by in systems for t, s in by.credit.items()]
    return Table(columns=COLUMNS, rows=rows, notes=[note], title=f"B³ credit by {_words(systems)}")


def _anaphors(systems: TypedSystems) -> Table:
    note = "An anaphor is correct if its closest antecedent in the response is in its key entity."
    rows = [[n, t, *_figures(s)] for n, by in systems for t, s in by.anaphor.items()]
    return Table(columns=COLUMNS, rows=rows, notes=[note], title=f"Anaphors by {_words(systems)}")


_SIDES = [
    *(Column("recall", PERCENT), Column("in key", COUNT)),
    *(Column("precision", PERCENT), Column("in response", COUNT)),
]
COLUMNS = [*columns(TEXT, "system", "type"), *_SIDES, Column("F1", PERCENT)]


def _figures(score: Score) -> list[Value]:
    return [
        score.recall,
        int(score.recall_counts[1]),
        score.precision,
        int(score.precision_counts[1]),
        score.f1,
    ]


def _links(systems: TypedSystems) -> Table:
    rows: list[Cells] = [
        [
            name,
            anaphor,
            antecedent,
            ratio(links.found, links.key),
            links.key,
            ratio(links.right, links.response),
            links.response,
        ]
        for name, by in systems
        for (anaphor, antecedent), links in by.links.items()
    ]
    return Table(
        columns=[*columns(TEXT, "system", "anaphor", "antecedent"), *_SIDES],
        rows=rows,
        notes=[
            "Links of mentions to the previous mention of their entity.",
            "A link is correct if both mentions are in one entity of the other side.",
        ],
        title=f"Links by {_words(systems)}",
    )


def _words(systems: TypedSystems) -> str:
    return systems[0][1].kind.replace("-", " ")


def as_by_csv(systems: TypedSystems) -> str:
    """Return one row per system, kind of score, type and metric."""
    rows: list[list[Value]] = []
    for name, by in systems:
        for type, scores in by.filter.items():
            rows += [[name, "filter", type, None, id, *_three(s)] for id, s in scores.items()]
        rows += [[name, "credit", type, None, "b3", *_three(s)] for type, s in by.credit.items()]
        rows += [[name, "anaphor", t, None, "links", *_three(s)] for t, s in by.anaphor.items()]
        for (anaphor, antecedent), links in by.links.items():
            parts = [ratio(links.found, links.key), ratio(links.right, links.response), None]
            rows.append([name, "links", anaphor, antecedent, "links", *parts])
    columns = ("system", "sense", "type", "antecedent", "metric", "recall", "precision", "f1")
    return as_csv(columns, rows)


def _three(score: Score) -> list[Value]:
    return [known(score.recall), known(score.precision), score.f1]
