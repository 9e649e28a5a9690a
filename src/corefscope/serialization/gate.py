"""The result of ``gate``: scores compared with a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from corefscope.serialization.common import Result
from corefscope.version import __version__


class CheckRecord(TypedDict):
    """A score and its baseline."""

    statistic: str
    baseline: float
    now: float
    drop: Annotated[float, "in points; negative if the score is better"]
    max_drop: Annotated[float | None, "the allowed drop; null for a score that is only shown"]
    passes: bool


class GateResult(Result):
    """Whether a response is as good as a baseline."""

    schema: Literal["gate/1"]
    signature: str
    passes: bool
    missing: Annotated[list[str], "documents missing from the response; they fail the gate"]
    checks: list[CheckRecord]


def gate_result(
    checks: Sequence[CheckRecord], signature: str, missing: Sequence[str] = ()
) -> GateResult:
    """Return the checks for JSON; a response with missing documents fails."""
    return {
        "corefscope": __version__,
        "schema": "gate/1",
        "signature": signature,
        "passes": not missing and all(check["passes"] for check in checks),
        "missing": list(missing),
        "checks": list(checks),
    }
