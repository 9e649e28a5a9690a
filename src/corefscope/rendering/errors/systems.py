"""Analysed systems, and counts of their errors side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corefscope.error_analysis import Analysis, ErrorRecord
from corefscope.error_analysis.impact import Impact
from corefscope.error_analysis.phenomena import Candidates
from corefscope.formatting import COUNT, MEAN, Number, Value
from corefscope.rendering.table import Cells, Table

MOST_ROWS = 10
"""Rows of a table that lists whatever occurs; the rest are added up."""


@dataclass(frozen=True, slots=True, eq=False)
class AnalysedSystem:
    """A response that was analysed."""

    name: str
    response: str
    analysis: Analysis
    impact: Impact | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """Several responses to one key, and what tables ask for beside them."""

    key: str
    systems: Sequence[AnalysedSystem]
    candidates: Candidates | None = None
    """What could be mentions in the key, if it was counted."""


def averages(analysed: Analysed) -> Number:
    """Return the format of what :func:`averaged` gives."""
    return COUNT if len(analysed.systems) == 1 else MEAN


def averaged(counts: Sequence[int]) -> Value:
    """Return a count, or the mean of those of several systems."""
    return counts[0] if len(counts) == 1 else sum(counts) / len(counts)


def with_means(table: Table, analysed: Analysed) -> Table:
    """Say in the title of a table that its counts are means over systems, if they are."""
    systems = len(analysed.systems)
    title = f"{table.title} (mean of {systems} systems)"
    return table if systems == 1 else replace(table, title=title)


class Columns:
    """Counts under names, in one column per kind of error, averaged over the systems."""

    def __init__(
        self,
        analysed: Analysed,
        *columns: tuple[type[ErrorRecord], Callable[[Any], Iterable[Hashable]]],
    ) -> None:
        """Count every error of a column's class under each name that its function gives."""
        self.counts = [
            [Counter(_names(system, record, names)) for system in analysed.systems]
            for record, names in columns
        ]

    def row(self, *names: Hashable) -> list[Value]:
        """Return the counts of some names together, one per column."""
        return [
            averaged([sum(counter[name] for name in names) for counter in column])
            for column in self.counts
        ]

    def names(self) -> list[Hashable]:
        """Return all names that occur, the most frequent first."""
        total = Counter[Hashable]()
        for counter in (counter for column in self.counts for counter in column):
            total.update(counter)
        return sorted(total, key=lambda name: (-total[name], str(name)))

    def total(self) -> list[Value]:
        """Return the sum of each column."""
        return self.row(*self.names())

    def most_frequent(self, rest: str, most: int = MOST_ROWS) -> list[Cells]:
        """Return a row for each of the most frequent names, and one for the rest."""
        names = self.names()
        rows: list[Cells] = [[str(name), *self.row(name)] for name in names[:most]]
        if names[most:]:
            rows.append([rest, *self.row(*names[most:])])
        return rows


def _names(
    system: AnalysedSystem, record: type[ErrorRecord], names: Callable[[Any], Iterable[Hashable]]
) -> Iterator[Hashable]:
    for error in system.analysis.records:
        if isinstance(error, record):
            yield from names(error)


def share(errors: Iterable[ErrorRecord], test: Callable[[Any], bool]) -> str:
    """Return the share of errors that pass a test, as text; a dash if there are none."""
    results = [test(error) for error in errors]
    return f"{100 * sum(results) / len(results):.1f} %" if results else "–"


def together(analysed: Analysed) -> list[str]:
    """Say what the shares below a table are of, where there are several systems."""
    several = len(analysed.systems) > 1
    return ["Shares are of the errors of all systems together."] if several else []


def records(analysed: Analysed, record: type[ErrorRecord]) -> list[Any]:
    """Return the errors of a class, of all systems."""
    return [e for s in analysed.systems for e in s.analysis.records if isinstance(e, record)]
