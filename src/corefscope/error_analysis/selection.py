"""Select errors by type, and by conditions on their properties."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from corefscope.error_analysis.catalogue import (
    NULL,
    Property,
    PropertyKind,
    PropertyValue,
    printed,
    properties_of,
)
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import ErrorRecord, error_properties
from corefscope.exceptions import UnknownName

CONDITION = re.compile(r"\s*([A-Za-z_.]+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")
COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "~": operator.contains,
}
OPERATORS: Mapping[PropertyKind, tuple[str, ...]] = {
    PropertyKind.NUMBER: ("=", "!=", "<", "<=", ">", ">="),
    PropertyKind.FLAG: ("=", "!="),
    PropertyKind.CHOICE: ("=", "!=", "~"),
    PropertyKind.TEXT: ("=", "!=", "~"),
}
"""The operators for each kind of property."""
FORMS = tuple(f"NAME{sign}VALUE" for sign in COMPARE)


class UnknownInCondition(UnknownName):
    """Raised if a condition has an operator or a value that does not exist; there are few."""

    def __str__(self) -> str:
        known = self.args[-1]
        listed = f"known: {', '.join(known)}"
        message = super().__str__()
        return message if message.endswith(listed) else f"{message} {listed}"


class Condition(Struct, frozen=True):
    """A property, an operator, and a value: ``text=it``, ``part.pronouns>=2``, ``text~mayor``."""

    name: str
    operator: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition.

        Raises
        ------
        UnknownName
            If the text is not a condition, or if there is no such property or value.
        """
        match = CONDITION.fullmatch(text)
        if match is None:
            raise UnknownName("condition", text, FORMS)
        name, sign, value = match.groups()
        if not value or value.startswith("="):
            raise UnknownName("condition", text, FORMS)
        known = error_properties()
        if name not in known:
            raise UnknownName("property of errors", name, known)
        _check(known[name], sign, value)
        return cls(name, sign, value)

    def holds(self, error: ErrorRecord) -> bool:
        """Return whether any value of the property fits; for ``!=``, whether all values do.

        An error without the property never fits.
        """
        wanted = properties_of(type(error)).get(self.name)
        if wanted is None:
            return False
        fits = (self._fits(wanted.kind, value) for value in wanted.values(error))
        return all(fits) if self.operator == "!=" else any(fits)

    def _fits(self, kind: PropertyKind, value: PropertyValue) -> bool:
        """Compare a value: numbers as numbers, all others as they are printed, ignoring case."""
        compare, wanted = COMPARE[self.operator], self.value.lower()
        if value is None and wanted != NULL:
            return self.operator == "!="
        if kind is PropertyKind.NUMBER and wanted != NULL:
            return compare(value, float(wanted))
        return compare(printed(value).lower(), wanted)


def _check(wanted: Property, sign: str, value: str) -> None:
    """Raise an error if no value of the property can ever fulfil the condition."""
    if sign not in OPERATORS[wanted.kind]:
        raise UnknownInCondition(f"operator for {wanted.name}", sign, OPERATORS[wanted.kind])
    if sign == "~" or (sign in ("=", "!=") and wanted.is_nullable and value.lower() == NULL):
        return
    known = wanted.known_values
    if known and value.lower() not in known:
        raise UnknownInCondition(f"value of {wanted.name}", value, known)
    if wanted.kind is PropertyKind.NUMBER and not NUMBER.fullmatch(value):
        numbers = ["any number", *([NULL] if wanted.is_nullable else [])]
        raise UnknownInCondition(f"value of {wanted.name}", value, numbers)


def known_types(names: Sequence[str]) -> list[ErrorType]:
    """Return error types by name; one text may have several names, separated by commas."""
    types = []
    for name in ",".join(names).split(",") if names else ():
        if name.strip() not in list(ErrorType):
            raise UnknownName("error type", name.strip(), list(ErrorType))
        types.append(ErrorType(name.strip()))
    return types


def select(
    errors: Iterable[ErrorRecord], types: Sequence[ErrorType] = (), where: Sequence[Condition] = ()
) -> list[ErrorRecord]:
    """Return the errors of these types (of all, if there are none) that fulfil all conditions."""
    return [
        error
        for error in errors
        if (not types or error.type in types) and all(c.holds(error) for c in where)
    ]
