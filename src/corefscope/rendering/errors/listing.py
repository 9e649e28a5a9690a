"""Errors one by one: as JSON lines, as CSV, and as text with context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from corefscope.error_analysis import ErrorRecord, ErrorType
from corefscope.error_analysis.records import RECORDS, property_names
from corefscope.error_analysis.sentences import in_words
from corefscope.formatting import Value
from corefscope.matching.comparison import Comparison
from corefscope.rendering.errors.context import Context
from corefscope.rendering.table import as_csv, as_json

WIDTH = 80
Listed = Sequence[tuple[str, Sequence[ErrorRecord]]]
"""The chosen errors of each system."""


def as_jsonl(listed: Listed) -> str:
    """Return one JSON object per error."""
    return "".join(
        as_json({"system": system, **error.to_dict()}, indent=None) + "\n"
        for system, errors in listed
        for error in errors
    )


def as_list_csv(listed: Listed, types: Sequence[ErrorType] = ()) -> str:
    """Return one row per error; a property that a type does not have is empty."""
    chosen = {type(error) for _, errors in listed for error in errors}
    chosen |= {record for record in RECORDS if record.type in types}
    names = [name for name in property_names(chosen) if name not in ("id", "type")]
    columns = ["system", "id", "type", *names, "start", "end", "mention", "mentions"]
    return as_csv(columns, [_row(system, e, names) for system, errors in listed for e in errors])


def _row(system: str, error: ErrorRecord, names: Sequence[str]) -> list[Value]:
    values = dict(error.properties())
    first = error.mentions[0]
    return [
        system,
        error.id,
        str(error.type),
        *(_cell(values.get(name)) for name in names),
        *((first.start, first.end) if first.id is None else (None, None)),
        str(first),
        " | ".join(map(str, error.mentions)),
    ]


def _cell(value: Any) -> Value:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    assert value is None or isinstance(value, (str, int, float))
    return value


def as_list_text(listed: Listed, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield the errors for a reader: what, where, and the sentence around it."""
    several = len(listed) > 1
    for (system, errors), comparison in zip(listed, comparisons, strict=True):
        context = Context(comparison.key, comparison.response)
        for error in errors:
            name = f"{system}: " if several else ""
            place = error.mentions[0].place
            yield f"{name}{error.type.label}, {error.document}{f', {place}' if place else ''}"
            yield from wrap(in_words(error), WIDTH, initial_indent="  ", subsequent_indent="  ")
            yield from (f"  {line}" for line in context.lines(error))
            yield ""
