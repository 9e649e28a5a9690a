"""Lists of errors as JSON lines, and as text with context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.tables.context import Context
from corefscope.matching.matching import Matching
from corefscope.results.record import as_json

WIDTH = 80
Listed = Sequence[tuple[str, Sequence[ErrorRecord]]]
"""The selected errors of each system."""


def as_jsonl(listed: Listed) -> str:
    """Return one JSON object per error."""
    return "".join(
        as_json({"system": system, **error.to_dict()}, indent=None) + "\n"
        for system, errors in listed
        for error in errors
    )


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
