"""Errors one by one: as JSON lines, as CSV, and as text with context."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from corefscope.comparison import Comparison
from corefscope.errors import Error
from corefscope.errors.records import RECORDS
from corefscope.errors.sentences import in_words, place
from corefscope.tables.errors.context import Context
from corefscope.tables.table import Value, as_csv

Listed = Sequence[tuple[str, Sequence[Error]]]
"""The chosen errors of each system."""


def as_jsonl(listed: Listed) -> str:
    """Return one JSON object an error."""
    return "".join(
        json.dumps({"system": system, **error.to_dict()}, ensure_ascii=False) + "\n"
        for system, errors in listed
        for error in errors
    )


def as_list_csv(listed: Listed) -> str:
    """Return one row an error; a property that a type does not have is empty."""
    names = _columns()
    columns = ["system", "id", "type", *names, "start", "end", "mention", "mentions"]
    return as_csv(columns, [_row(system, e, names) for system, errors in listed for e in errors])


def _row(system: str, error: Error, names: Sequence[str]) -> list[Value]:
    values = dict(error.properties())
    first = error.mentions[0]
    return [
        system,
        error.id,
        str(error.type),
        *(_cell(values.get(name)) for name in names),
        first.start,
        first.end,
        str(first),
        len(error.mentions),
    ]


def _cell(value: Any) -> Value:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    assert value is None or isinstance(value, (str, int, float))
    return value


@cache
def _columns() -> tuple[str, ...]:
    """Return the names of all properties of all types of errors, parts of parts by a dot."""
    names: dict[str, None] = {}
    for record in RECORDS:
        for name, hint in get_type_hints(record).items():
            if name in ("type", "mentions"):
                continue
            parts = [part for part in (hint, *get_args(hint)) if is_dataclass(part)]
            inner = [f"{name}.{field.name}" for part in parts for field in fields(part)]
            names.update(dict.fromkeys(inner or [name]))
    return tuple(names)


def as_list_text(listed: Listed, comparison: Comparison) -> Iterator[str]:
    """Yield the errors for a reader: what, where, and the sentence around it."""
    several = len(listed) > 1
    for system, errors in listed:
        context = Context(comparison)
        for error in errors:
            name = f"{system}: " if several else ""
            yield f"{name}{error.type.label}, {error.document}, {place(error.mentions[0])}"
            yield f"  {in_words(error)}"
            yield from (f"  {line}" for line in context.lines(error))
            yield ""
