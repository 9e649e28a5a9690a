"""What all JSON results share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, TypedDict

from corefscope.findings import Finding
from corefscope.formatting import Value

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""Any JSON value."""


class Result(TypedDict):
    """What every result begins with; the name and version of its schema follow."""

    corefscope: Annotated[str, "the version of corefscope that wrote the result"]


class FindingRecord(TypedDict):
    """One thing that was found in an input: what, and where."""

    code: Annotated[str, "a stable code such as W201; see the documentation of findings"]
    severity: Literal["error", "warning"]
    file: str | None
    line: int | None
    message: str


class TableRecord(TypedDict):
    """A table as programs read it: values without rounding."""

    table: Annotated[int | str, "the number or name of the table"]
    title: str | None
    columns: list[str]
    rows: list[list[Value]]
    notes: list[str]


class Shape:
    """Says in an annotation which classes a JSON object has the properties of.

    Records of errors and options declare their properties once, in their own classes; their JSON
    follows from these.
    """

    def __init__(self, *classes: type) -> None:
        self.classes = classes


def finding_record(finding: Finding) -> FindingRecord:
    """Return a finding for JSON."""
    return {
        "code": finding.code.id,
        "severity": finding.code.severity,
        "file": finding.file,
        "line": finding.line,
        "message": finding.message,
    }


def finding_records(findings: Iterable[Finding]) -> list[FindingRecord]:
    """Return findings for JSON."""
    return list(map(finding_record, findings))


def as_json(value: object, indent: int | None = 2) -> str:
    """Return JSON with words as they are; bytes that were not UTF-8 are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text
