"""The checks of a gate as a table, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corefscope.gate import Check
from corefscope.rendering.comparison.cells import change_of, value_cell
from corefscope.rendering.table import Table, Value
from corefscope.statistics.readings import name_of

VERDICTS = {(True, True): "ok", (False, False): "FAILS", (False, True): "not checked"}
"""By whether a score was checked and passes, and whether it passes."""


def gate_table(checks: Sequence[Check], signature: str, missing: Sequence[str] = ()) -> Table:
    """Return one row per check; a response that lacks documents fails."""
    rows: list[list[Value]] = [
        [
            name_of(check.statistic),
            value_cell(check.statistic, check.baseline),
            value_cell(check.statistic, check.now),
            change_of(check.statistic, check.now - check.baseline),
            "" if check.max_drop is None else f"{check.max_drop:.2f}",
            VERDICTS[check.max_drop is not None and check.passes, check.passes],
        ]
        for check in checks
    ]
    notes = [f"FAILS: {_lacking(missing)}"] if missing else []
    columns = ["metric", "baseline", "now", "difference", "allowed drop", "gate"]
    return Table(columns, rows, [*notes, signature])


def _lacking(missing: Sequence[str]) -> str:
    shown = ", ".join(map(repr, missing[:MOST_NAMED]))
    more = ", …" if len(missing) > MOST_NAMED else ""
    return f"the response is incomplete, documents missing: {len(missing)} ({shown}{more})"


MOST_NAMED = 3
"""Missing documents that are named."""


def gate_dict(
    checks: Sequence[Check], signature: str, missing: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the checks for JSON; a response that lacks documents fails."""
    return {
        "signature": signature,
        "passes": not missing and all(check.passes for check in checks),
        "missing": list(missing),
        "checks": [
            {
                "statistic": check.statistic,
                "baseline": check.baseline,
                "now": check.now,
                "drop": check.drop,
                "max_drop": check.max_drop,
                "passes": check.passes,
            }
            for check in checks
        ],
    }
