"""Scores, differences and intervals as cells of a table."""

from __future__ import annotations

from corefscope.metrics import statistic_named
from corefscope.rendering.table import Cell
from corefscope.statistics.result import Difference, Estimate


def value_cell(id: str, value: float, marks: str = "") -> Cell:
    """Return a score as a cell."""
    return Cell(value, statistic_named(id).format, marks)


def change_cell(id: str, value: float) -> Cell:
    """Return a difference as a cell."""
    return Cell(value, statistic_named(id).unit.change)


def interval(id: str, estimate: Estimate) -> str | None:
    """Return the interval of a score, or None if there is none."""
    if estimate.low is None or estimate.high is None:
        return None
    limit = statistic_named(id).unit.limit
    return f"{limit.shown(estimate.low)}–{limit.shown(estimate.high)}"


def change_interval(difference: Difference) -> str | None:
    """Return the interval of a difference, or None if there is none."""
    if difference.low is None or difference.high is None:
        return None
    change = statistic_named(difference.statistic).unit.change
    return f"{change.shown(difference.low)} to {change.shown(difference.high)}"
