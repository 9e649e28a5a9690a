"""Scored checkpoints as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from corefscope.escaping import visible
from corefscope.watching.watcher import ScoredCheckpoint

BARS = "▁▂▃▄▅▆▇█"
DIGITS = "12345678"
"""What stands for the bars where only ASCII can be printed."""
MOST_BARS = 20
"""How many of the latest values a sparkline shows."""
NEW_BEST = "new best"
"""The mark of a checkpoint that is better than all before it."""


def sparkline(values: Sequence[float], bars: str = BARS) -> str:
    """Return the latest values as bars; the lowest of them is the smallest bar.

    Examples
    --------
    >>> sparkline([0.5, 0.6, 0.58, 0.7])
    '▁▅▄█'
    """
    shown = values[-MOST_BARS:]
    least, span = min(shown, default=0.0), max(shown, default=0.0) - min(shown, default=0.0)
    if not span:
        return bars[len(bars) // 2 - 1] * len(shown)
    return "".join(bars[round((value - least) / span * (len(bars) - 1))] for value in shown)


def heading(scored: ScoredCheckpoint, width: int) -> str:
    """Return the line above the first checkpoint; ``width`` is that of names."""
    name = scored.checkpoint.statistic.heading
    return f"{'scored':<16}  {'name':<{width}}  {name:>8}  {'to best':>8}  {'':8}  history"


def line(scored: ScoredCheckpoint, width: int, *, bars: str = BARS) -> tuple[str, str, str]:
    """Return a checkpoint as one line, in three parts: up to its mark, the mark, and the rest."""
    checkpoint, statistic = scored.checkpoint, scored.checkpoint.statistic
    change = scored.difference
    to_best = "first" if change is None else statistic.unit.change.shown(change)
    when = datetime.fromisoformat(checkpoint.scored).astimezone()
    figure = statistic.format.shown(checkpoint.value)
    before = (
        f"{when:%Y-%m-%d %H:%M}  {visible(checkpoint.name):<{width}}  {figure:>8}  {to_best:>8}"
    )
    mark = NEW_BEST if scored.is_best and change is not None else ""
    values = [*(each.value for each in scored.earlier), checkpoint.value]
    rest = f"{sparkline(values, bars):<{MOST_BARS}}  {_warnings(scored)}"
    return f"{before}  ", f"{mark:<8}", f"  {rest}"


def _warnings(scored: ScoredCheckpoint) -> str:
    """Return the codes of warnings, with their numbers if there are several."""
    counts = Counter(finding.code.id for finding in scored.findings)
    return " ".join(code if count == 1 else f"{code}×{count}" for code, count in counts.items())
