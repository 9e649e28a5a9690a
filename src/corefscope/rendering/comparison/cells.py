"""Scores, differences and intervals as cells of a table."""

from __future__ import annotations

from corefscope.metrics import METRICS
from corefscope.rendering.table import Change, Marked, Value
from corefscope.statistics.readings import name_of
from corefscope.statistics.result import Difference, Estimate


def value_cell(id: str, value: float) -> Value:
    """Return a score as a cell: a percentage, or a number of nats."""
    return f"{value:.4f}" if is_in_nats(id) else value


def is_in_nats(id: str) -> bool:
    """Tell whether a statistic is no fraction but a number of nats."""
    return id in METRICS and METRICS[id].unit == "nats"


def marked_cell(id: str, value: float, marks: str) -> Value:
    """Return a score with marks as a cell."""
    return f"{value:.4f} {marks}".rstrip() if is_in_nats(id) else Marked(value, marks)


def amount(id: str, value: float) -> str:
    """Return a score, or a part of one, for a sentence: without its unit."""
    return f"{value:.4f}" if is_in_nats(id) else f"{100 * value:.2f}"


def range_of(id: str, estimate: Estimate) -> str:
    """Return the interval of a score; nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    if is_in_nats(id):
        return f"{estimate.low:.3f}–{estimate.high:.3f}"
    return f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"


def change_of(id: str, value: float) -> Value:
    """Return a difference as a cell, with its sign."""
    return f"{value:+.4f}" if is_in_nats(id) else Change(value)


def change_range(difference: Difference) -> str:
    """Return the interval of a difference; nothing where there is none."""
    if difference.low is None or difference.high is None:
        return ""
    scale, digits = (1, 4) if is_in_nats(difference.statistic) else (100, 2)
    low, high = (scale * limit for limit in (difference.low, difference.high))
    return f"{low:+.{digits}f} to {high:+.{digits}f}"


def stars(difference: Difference) -> str:
    """Mark a difference: one star below 5 %, two below 1 %, after correction."""
    p = difference.p_corrected
    if p is None or not difference.is_significant:
        return ""
    return "**" if p < 0.01 else "*"


def short(id: str) -> str:
    """Return the heading of a statistic."""
    return "MD" if id == "mentions" else name_of(id)
