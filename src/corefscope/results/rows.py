"""What all results have in common: flat figures, a data frame, and a table in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from corefscope.formatting import TEXT, NumberFormat, PValue, TextFormat, Value

if TYPE_CHECKING:
    from pandas import DataFrame

Row: TypeAlias = Mapping[str, Value]
FigureFormat: TypeAlias = TextFormat | NumberFormat | PValue
FigureFormats: TypeAlias = Mapping[str, FigureFormat]
"""The format of each column, by name."""
MOST_ROWS = 50
"""How many rows a notebook shows."""


def of_systems(results: Iterable[tuple[str, Tabular]]) -> list[Row]:
    """Return the rows of the results of several systems, each with the name of its system."""
    return [{"system": name, **row} for name, result in results for row in result._rows()]


class Tabular:
    """Base class of results that can be shown as a table."""

    __slots__ = ()
    FORMATS: ClassVar[FigureFormats] = {}
    """The formats of the columns in a notebook."""

    def _rows(self) -> Sequence[Row]:
        """Return the result as rows of a table, all with the same columns."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Value]:
        """Return all figures by name, without nesting, as experiment loggers expect them."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """Return the rows as a pandas data frame.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError(
                "a data frame needs pandas, which is not installed (pip install pandas); the "
                "figures are also in .to_dict()"
            ) from None
        return pandas.DataFrame([dict(row) for row in self._rows()])

    def _repr_html_(self) -> str:
        from html import escape

        rows = self._rows()
        names = list(rows[0]) if rows else []
        heading = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(self._cell(name, row))}</td>" for name in names)
            + "</tr>"
            for row in rows[:MOST_ROWS]
        )
        more = len(rows) - MOST_ROWS
        rest = f"<p>… and {more:,} more rows</p>" if more > 0 else ""
        table = f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p>{escape(repr(self))}</p>{table}{rest}"

    def _cell(self, column: str, row: Row) -> str:
        return self._format(column, row).shown(row[column])

    def _format(self, column: str, row: Row) -> FigureFormat:
        """Return the format of a cell; a row may be about a metric with a unit of its own."""
        return self.FORMATS.get(column, TEXT)
