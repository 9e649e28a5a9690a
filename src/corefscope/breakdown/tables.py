"""Scores by type as tables and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corefscope.breakdown.measure import ByType
from corefscope.breakdown.slices import SLICES
from corefscope.formatting import COUNT, SHARE, TEXT, Value
from corefscope.metrics import Score, statistics_of
from corefscope.metrics.counts import known, share, shares
from corefscope.results.rows import Row
from corefscope.results.table import RowCells, Table, TableColumn, columns
from corefscope.scoring.tables import NOTHING_TO_FIND, statistic_columns, value_cell

TypedSystems = Sequence[tuple[str, ByType]]
"""The name and the scores of each system."""


def tables(systems: TypedSystems) -> list[Table]:
    """Return a table for each of the four ways to break scores down."""
    return [_filtered(systems), _credits(systems), _anaphors(systems), _links(systems)]


def _filtered(systems: TypedSystems) -> Table:
    scored = [scores for _, by in systems for scores in by.filter.values()]
    statistics = statistics_of(scored[0]) if scored else []
    rows: list[RowCells] = [
        [
            *(name, type),
            *(value_cell(statistic, scores) for statistic in statistics),
            *by.mentions(type),
        ]
        for name, by in systems
        for type, scores in by.filter.items()
    ]
    is_marked = any(score.is_undefined for scores in scored for score in scores.values())
    return Table(
        columns=[
            *_first(systems),
            *statistic_columns(statistics),
            *columns(COUNT, "in key", "in response"),
        ],
        rows=rows,
        notes=[
            f"Filtered: F1 after removing {SLICES[systems[0][1].kind].removed}.",
            *([NOTHING_TO_FIND] if is_marked else []),
        ],
        title=f"Filtered by {_words(systems)}",
    )


def _credits(systems: TypedSystems) -> Table:
    note = f"B³ credit: entities stay whole; it is summed over {_some(systems)} only."
    rows = [[n, t, *_figures(s)] for n, by in systems for t, s in by.credit.items()]
    title = f"B³ credit by {_words(systems)}"
    return Table(columns=_columns(systems), rows=rows, notes=[note], title=title)


def _anaphors(systems: TypedSystems) -> Table:
    note = (
        "Anaphors: one is correct if its closest antecedent in the response is in its key entity."
    )
    rows = [[n, t, *_figures(s)] for n, by in systems for t, s in by.anaphor.items()]
    title = f"Anaphors by {_words(systems)}"
    return Table(columns=_columns(systems), rows=rows, notes=[note], title=title)


_SIDES = [
    *(TableColumn("recall", SHARE), TableColumn("in key", COUNT)),
    *(TableColumn("precision", SHARE), TableColumn("in response", COUNT)),
]


def _columns(systems: TypedSystems) -> list[TableColumn]:
    return [*_first(systems), *_SIDES, TableColumn("F1", SHARE)]


def _first(systems: TypedSystems) -> list[TableColumn]:
    return columns(TEXT, "system", "type" if _is_of_types(systems) else _words(systems))


def _figures(score: Score) -> list[Value]:
    recall, precision, f1 = shares(score)
    in_key, in_response = _denominators(score)
    return [recall, in_key, precision, in_response, f1]


def _links(systems: TypedSystems) -> Table:
    rows: list[RowCells] = [
        [
            name,
            anaphor,
            antecedent,
            share(links.found, links.key),
            links.key,
            share(links.right, links.response),
            links.response,
        ]
        for name, by in systems
        for (anaphor, antecedent), links in by.links.items()
    ]
    return Table(
        columns=[*columns(TEXT, "system", "anaphor", "antecedent"), *_SIDES],
        rows=rows,
        notes=[
            "Links: of mentions to the previous mention of their entity, in whole entities.",
            "A link is correct if both mentions are in one entity of the other side.",
        ],
        title=f"Links by {_words(systems)}",
    )


def _words(systems: TypedSystems) -> str:
    kind = systems[0][1].kind
    return "UPOS" if kind == "upos" else kind.replace("-", " ")


def _is_of_types(systems: TypedSystems) -> bool:
    return systems[0][1].kind.endswith("-type")


def _some(systems: TypedSystems) -> str:
    return "mentions of the type" if _is_of_types(systems) else "these mentions"


def rows(systems: TypedSystems) -> Iterator[Row]:
    """Yield one row per system, kind of score, type and metric.

    ``key`` and ``response`` are what is counted: mentions, anaphors or links of each side.
    """
    for name, by in systems:
        for type, scores in by.filter.items():
            n = by.mentions(type)
            for id, s in scores.items():
                figures = (known(s.recall), known(s.precision), s.f1)
                yield _row(name, "filter", type, None, id, *figures, *n)
        for sense, metric, of in (("credit", "b3", by.credit), ("anaphor", "links", by.anaphor)):
            for type, s in of.items():
                yield _row(name, sense, type, None, metric, *shares(s), *_denominators(s))
        for (anaphor, antecedent), links in by.links.items():
            sides = share(links.found, links.key), share(links.right, links.response)
            counts = links.key, links.response
            yield _row(name, "links", anaphor, antecedent, "links", *sides, None, *counts)


def _row(*values: Value) -> Row:
    return dict(zip(COLUMNS, values, strict=True))


COLUMNS = (
    *("system", "sense", "type", "antecedent", "metric", "recall", "precision", "f1"),
    *("key", "response"),
)


def _denominators(score: Score) -> list[int]:
    return [int(score.recall_counts[1]), int(score.precision_counts[1])]
