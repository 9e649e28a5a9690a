"""Records: what results are in JSON, from which schemas and the types of the script are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, to_builtins

from corefscope.findings import Finding
from corefscope.formatting import Value
from corefscope.version import __version__

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""Any JSON value."""


def about(meaning: str) -> Meta:
    """Return the annotation that says what a field means, in the schema as well."""
    return Meta(description=meaning)


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object of JSON; fields that are unset are left out."""


class Result(Record, frozen=True, kw_only=True):
    """The first field of every result; the name and version of its schema follow."""

    corefscope: Annotated[str, about("the version of corefscope that wrote the result")] = (
        __version__
    )


class FindingRecord(Record, frozen=True, kw_only=True):
    """An error or warning about the input."""

    code: Annotated[str, about("a stable code such as W201; see the documentation of findings")]
    severity: Literal["error", "warning"]
    file: str | None
    line: int | None
    message: str


class TableRecord(Record, frozen=True, kw_only=True):
    """A table with unrounded values."""

    table: Annotated[int | str, about("the number or name of the table")]
    title: str | None
    columns: list[str]
    rows: list[list[Value]]
    notes: list[str]


def flat(record: Struct, separator: str) -> dict[str, Value]:
    """Return the figures of a record by name, such as ``micro_f1``; a part has its path."""
    figures: dict[str, Value] = {}
    for name, value in to_builtins(record).items():
        figures |= _flat(name, value, separator)
    return figures


def _flat(name: str, value: Value | Mapping[str, Value], separator: str) -> dict[str, Value]:
    if not isinstance(value, Mapping):
        return {name: value}
    parts = (_flat(f"{name}{separator}{part}", each, separator) for part, each in value.items())
    return {path: figure for each in parts for path, figure in each.items()}


def finding_records(findings: Iterable[Finding]) -> list[FindingRecord]:
    """Return findings for JSON."""
    return [
        FindingRecord(
            code=finding.code.id,
            severity=finding.code.severity,
            file=finding.file,
            line=finding.line,
            message=finding.message,
        )
        for finding in findings
    ]


class Encoded(str):
    """JSON text that stands for the value that it encodes."""

    __slots__ = ()


def as_json(value: object, indent: int | None = 2) -> str:
    """Return JSON without escaping non-ASCII text, unless it has bytes that were not UTF-8."""
    return "".join(json_parts(value, indent))


def json_parts(value: object, indent: int | None = 2) -> Iterator[str]:
    """Yield JSON part by part, as :func:`as_json` returns it.

    A list may be an iterator, so that its items need not be in memory together. Each of its items
    is on a line of its own.
    """
    lists: list[Iterator[object]] = []

    def listed(item: object) -> str:
        if not isinstance(item, Iterator):
            raise TypeError(f"{type(item).__name__} is not JSON")
        lists.append(item)
        return LIST

    plain = to_builtins(value, enc_hook=listed)
    before, *rest = _dumped(plain, indent).split(json.dumps(LIST))
    yield before
    for items, after in zip(lists[: len(rest)], rest, strict=True):
        line = before.rpartition("\n")[2]
        yield from _listed(items, "\n" + " " * (len(line) - len(line.lstrip())))
        yield after
        before = after


def _dumped(value: object, indent: int | None) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text if _is_unicode(text) else json.dumps(value, indent=indent)


def _is_unicode(text: str) -> bool:
    """Return whether a text has no bytes that were not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _listed(items: Iterator[object], newline: str) -> Iterator[str]:
    """Yield a list, some of its items at a time."""
    start = "["
    while some := list(islice(items, AT_A_TIME)):
        texts = (item if isinstance(item, Encoded) else as_json(item, None) for item in some)
        yield start + ",".join([f"{newline}  {text}" for text in texts])
        start = ","
    yield "[]" if start == "[" else newline + "]"


LIST = "\0list\0"
"""Stands for a list that is an iterator; no text of a result has such characters."""
AT_A_TIME = 500
"""How many items of such a list are in memory together."""
