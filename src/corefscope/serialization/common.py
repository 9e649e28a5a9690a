"""Types and functions that all JSON results share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Protocol, TypeAlias, TypedDict

from corefscope.findings import Finding
from corefscope.formatting import Value

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""Any JSON value."""


class Result(TypedDict):
    """The first field of every result; the name and version of its schema follow."""

    corefscope: Annotated[str, "the version of corefscope that wrote the result"]


class FindingRecord(TypedDict):
    """An error or warning about the input."""

    code: Annotated[str, "a stable code such as W201; see the documentation of findings"]
    severity: Literal["error", "warning"]
    file: str | None
    line: int | None
    message: str


class TableRecord(TypedDict):
    """A table with unrounded values."""

    table: Annotated[int | str, "the number or name of the table"]
    title: str | None
    columns: list[str]
    rows: list[list[Value]]
    notes: list[str]


class Shape:
    """An annotation: the JSON object has the properties of one of these classes.

    Error records and options declare their properties in their own classes, from which the schema
    of their JSON is made.
    """

    def __init__(self, *classes: type) -> None:
        self.classes = classes


class HasName(Protocol):
    """A named system with a response."""

    @property
    def name(self) -> str:
        """The name of the system."""

    @property
    def path(self) -> str:
        """The file of the response."""


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
    """Return JSON without escaping non-ASCII text, unless it has bytes that were not UTF-8."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text
