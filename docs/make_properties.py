"""Write the table of error properties into docs/errors-reference.md; a test fails when it is stale.

The table follows from the record classes: see ``corefscope.error_analysis.catalogue``.
"""

from __future__ import annotations

import re
from pathlib import Path

from corefscope.error_analysis.catalogue import NULL, Property, PropertyKind, properties_of
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import RECORDS

PAGE = Path(__file__).parent / "errors-reference.md"
TABLE = re.compile(r"(?<=<!-- made by make_properties\.py -->\n\n)\|.*?\n\n", re.DOTALL)


def page() -> str:
    """Return the page with the table as it should be."""
    return TABLE.sub(lambda _: table() + "\n", PAGE.read_text("utf-8"), count=1)


def table() -> str:
    """Return one row per property, or one per meaning if types of errors differ in it."""
    types: dict[tuple[str, str], list[ErrorType]] = {}
    values: dict[tuple[str, str], str] = {}
    for record in RECORDS:
        for name, each in properties_of(record).items():
            types.setdefault((name, each.about), []).append(record.type)
            values[name, each.about] = _values(each)
    rows = sorted(types, key=lambda row: -(len(types[row]) == len(ErrorType)))
    lines = ["| property | values | errors | meaning |", "| --- | --- | --- | --- |"]
    for name, about in rows:
        of = _types(types[name, about])
        lines.append(f"| `{name}` | {values[name, about]} | {of} | {about} |")
    return "\n".join(lines) + "\n"


def _values(of: Property) -> str:
    """Return the values that a property can have."""
    known = ", ".join(f"`{value}`" for value in of.known_values if value != NULL)
    said = known or ("number" if of.kind is PropertyKind.NUMBER else "text")
    if of.is_list:
        return f"any of {said}" if known else f"{said}s"
    return f"{said}, or `{NULL}`" if of.is_nullable else said


def _types(types: list[ErrorType]) -> str:
    return "all" if len(types) == len(ErrorType) else ", ".join(type.label for type in types)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
