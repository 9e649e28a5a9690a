"""The checks of a gate as a table."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.formatting import DECIMAL, PERCENT, POINTS
from corefscope.gate import Check, GateResult
from corefscope.metrics import statistic_named
from corefscope.results.table import Cell, RowCells, Table, TableColumn

VERDICTS = {(True, True): "ok", (False, False): "FAILS", (False, True): "not checked"}
"""The verdict by (is checked and passes, passes)."""


def gate_table(result: GateResult) -> Table:
    """Return a table with one row per check; a response with missing documents fails."""
    notes = [f"FAILS: {_lacking(result.missing)}"] if result.missing else []
    columns = [
        TableColumn("metric"),
        *(
            TableColumn("baseline", PERCENT),
            TableColumn("now", PERCENT),
            TableColumn("difference", POINTS),
        ),
        *(TableColumn("allowed drop", DECIMAL), TableColumn("gate")),
    ]
    rows = [_row(check) for check in result.checks]
    return Table(columns=columns, rows=rows, notes=[*notes, result.signature])


def _row(check: Check) -> RowCells:
    statistic = statistic_named(check.statistic)
    return [
        statistic.name,
        Cell(check.baseline, statistic.format),
        Cell(check.now, statistic.format),
        Cell(check.now - check.baseline, statistic.unit.change),
        check.max_drop,
        VERDICTS[check.max_drop is not None and check.passes, check.passes],
    ]


def _lacking(missing: Sequence[str]) -> str:
    shown = ", ".join(map(repr, missing[:MOST_NAMED]))
    more = ", …" if len(missing) > MOST_NAMED else ""
    return f"the response is incomplete, documents missing: {len(missing)} ({shown}{more})"


MOST_NAMED = 3
"""How many missing documents are named."""
