"""Counts of errors, averaged over systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.record import Analysed, HasErrors
from corefscope.formatting import COUNT, MEAN, NumberFormat, Value
from corefscope.language import MentionType, known_types
from corefscope.results.table import RowCells, Table

E = TypeVar("E", bound=ErrorRecord)
MOST_ROWS = 10
"""How many of the most frequent names get a row; the rest are added up."""


def averages(evaluation: Analysed) -> NumberFormat:
    """Return the format of the results of :func:`averaged`."""
    return COUNT if len(evaluation) == 1 else MEAN


def averaged(counts: Sequence[int]) -> Value:
    """Return the count of one system, or the mean over several systems."""
    return counts[0] if len(counts) == 1 else sum(counts) / len(counts)


def with_means(table: Table, evaluation: Analysed) -> Table:
    """Add to the title of a table that its counts are means, if there are several systems."""
    systems = len(evaluation)
    title = f"{table.title} (mean of {systems} systems)"
    return table if systems == 1 else replace(table, title=title)


class SystemColumns:
    """Counts by name, in one column per kind of error, averaged over systems."""

    def __init__(
        self,
        evaluation: Analysed,
        *columns: tuple[type[E], Callable[[E], Iterable[Hashable]]],
    ) -> None:
        """Count every error of a column's class under each name that its function returns."""
        self.counts = [
            [Counter(_names(system, record, names)) for system in evaluation]
            for record, names in columns
        ]

    def row(self, *names: Hashable) -> list[Value]:
        """Return the sum of the counts of some names, for each column."""
        return [
            averaged([sum(counter[name] for name in names) for counter in column])
            for column in self.counts
        ]

    def names(self) -> list[Hashable]:
        """Return all names, the most frequent first."""
        total = Counter[Hashable]()
        for counter in (counter for column in self.counts for counter in column):
            total.update(counter)
        return sorted(total, key=lambda name: (-total[name], str(name)))

    def total(self) -> list[Value]:
        """Return the sum of each column."""
        return self.row(*self.names())

    def most_frequent(self, rest: str, most: int = MOST_ROWS) -> list[RowCells]:
        """Return a row for each of the most frequent names, and one for the rest."""
        names = self.names()
        rows: list[RowCells] = [[str(name), *self.row(name)] for name in names[:most]]
        if names[most:]:
            rows.append([rest, *self.row(*names[most:])])
        return rows


def _names(
    system: HasErrors, record: type[E], names: Callable[[E], Iterable[Hashable]]
) -> Iterator[Hashable]:
    for error in system.errors.records:
        if isinstance(error, record):
            yield from names(error)


def share(errors: Iterable[E], test: Callable[[E], bool]) -> str:
    """Return the share of errors that pass a test, as text; a dash if there are none."""
    results = [test(error) for error in errors]
    return f"{100 * sum(results) / len(results):.1f} %" if results else "–"


def together(evaluation: Analysed) -> list[str]:
    """Return a note on the shares below a table, if there are several systems."""
    several = len(evaluation) > 1
    return ["Shares are computed over the errors of all systems."] if several else []


def shown_types(evaluation: Analysed) -> list[MentionType]:
    """Return the types of mentions that tables show; zeros only if there are any."""
    has_zeros = any(system.errors.sources.zeros for system in evaluation)
    return known_types(zeros=has_zeros)


def records(evaluation: Analysed, record: type[E]) -> list[E]:
    """Return the errors of a class of all systems."""
    return [e for s in evaluation for e in s.errors.records if isinstance(e, record)]
