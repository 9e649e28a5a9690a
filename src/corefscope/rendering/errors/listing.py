"""Lists of errors as JSON lines, CSV, and text with context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from corefscope.error_analysis import ErrorRecord, ErrorType
from corefscope.error_analysis.catalogue import Property, PropertyValue, printed, properties_of
from corefscope.error_analysis.records import RECORDS, error_properties
from corefscope.formatting import Value
from corefscope.matching.matching import Matching
from corefscope.rendering.errors.context import Context
from corefscope.results.record import as_json
from corefscope.results.table import as_csv

WIDTH = 80
SEPARATOR = " | "
"""Separates several values in a CSV cell; values may contain spaces."""
Listed = Sequence[tuple[str, Sequence[ErrorRecord]]]
"""The selected errors of each system."""


def as_jsonl(listed: Listed) -> str:
    """Return one JSON object per error."""
    return "".join(
        as_json({"system": system, **error.to_dict()}, indent=None) + "\n"
        for system, errors in listed
        for error in errors
    )


def as_list_csv(listed: Listed, types: Sequence[ErrorType] = (), *, raw: bool = False) -> str:
    """Return CSV with one row per error; properties that a type does not have are empty."""
    chosen = {*types, *(error.type for _, errors in listed for error in errors)}
    known = error_properties(tuple(record for record in RECORDS if record.type in chosen))
    shown = [error for _, errors in listed for error in errors]
    properties = [name for name, each in known.items() if not _is_idle(each, shown)]
    rows = [_row(system, error, properties) for system, errors in listed for error in errors]
    return as_csv(["system", *properties], rows, raw=raw)


def _is_idle(property: Property, errors: Sequence[ErrorRecord]) -> bool:
    """Return whether a property counts zeros where there are none, as in most corpora."""
    if property.name.rpartition(".")[2] != "zeros":
        return False
    own = (each for each in errors if property.name in properties_of(type(each)))
    return not any(any(property.values(error)) for error in own)


def _row(system: str, error: ErrorRecord, names: Iterable[str]) -> list[Value]:
    own = properties_of(type(error))
    cells = (_cell(own[name].values(error)) if name in own else None for name in names)
    return [system, *cells]


def _cell(values: Sequence[PropertyValue]) -> Value:
    """Return the values of a property as one cell, which is empty without values."""
    return None if values == [None] else SEPARATOR.join(map(printed, values))


def as_list_text(listed: Listed, matchings: Sequence[Matching]) -> Iterator[str]:
    """Yield each error as text: its type, place, description and context."""
    several = len(listed) > 1
    for (system, errors), matching in zip(listed, matchings, strict=True):
        context = Context(matching.key, matching.response)
        for error in errors:
            name = f"{system}: " if several else ""
            place = error.mentions[0].place()
            yield f"{name}{error.type.label}, {error.document}{f', {place}' if place else ''}"
            yield from wrap(error.description, WIDTH, initial_indent="  ", subsequent_indent="  ")
            yield from (f"  {line}" for line in context.lines(error))
            yield ""
