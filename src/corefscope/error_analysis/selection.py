"""Some errors of many: by type, and by conditions on their properties."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import ErrorRecord, property_names
from corefscope.exceptions import UnknownName

CONDITION = re.compile(r"\s*([A-Za-z_.]+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*", re.DOTALL)
OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "~": lambda value, part: part in value,
}


ORDER = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Condition:
    """A property, an operator, and a value: ``text=it``, ``part.pronouns>=2``, ``text~mayor``."""

    name: str
    operator: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read a condition as the command line has it."""
        match = CONDITION.fullmatch(text)
        if match is None:
            raise UnknownName("condition", text, [f"NAME{sign}VALUE" for sign in OPERATORS])
        name, sign, value = match.groups()
        is_number = re.fullmatch(r"[+-]?\d+(\.\d*)?", value)
        if not value or value.startswith("=") or (sign in ORDER and not is_number):
            forms = [f"NAME{s}{'NUMBER' if s in ORDER else 'VALUE'}" for s in OPERATORS]
            raise UnknownName("condition", text, forms)
        known = property_names()
        if name not in known and not any(full.startswith(f"{name}.") for full in known):
            raise UnknownName("property of errors", name, known)
        return cls(name, sign, value)

    def holds(self, error: ErrorRecord) -> bool:
        """Tell whether an error has the property, and one of its values (for ``!=``: none) fits."""
        values = [value for name, value in _values(error) if self._is_meant(name)]
        quantifier = all if self.operator == "!=" else any
        return bool(values) and quantifier(map(self._compare, values))

    def _is_meant(self, name: str) -> bool:
        return name == self.name or name.startswith(f"{self.name}.")

    def _compare(self, value: Any) -> bool:
        wanted = self.value.lower()
        if self.operator == "~":
            return wanted in _as_text(value)
        if self.operator in ("=", "!="):
            return OPERATORS[self.operator](_as_text(value), wanted)
        try:
            return OPERATORS[self.operator](float(value), float(wanted))
        except (TypeError, ValueError):
            return False


def _values(error: ErrorRecord) -> Iterable[tuple[str, Any]]:
    """Go through the properties of an error; its text is that of each of its mentions."""
    for name, value in error.properties():
        values = value if isinstance(value, (list, tuple)) else [value]
        if name != "text":
            yield from ((name, each) for each in values if each is not None)
    for mention in error.mentions:
        yield "text", str(mention)


def _as_text(value: Any) -> str:
    return str(value).lower()


def known_types(names: Sequence[str]) -> list[ErrorType]:
    """Return types of errors by name; several may be joined by commas."""
    types = []
    for name in ",".join(names).split(",") if names else ():
        if name.strip() not in list(ErrorType):
            raise UnknownName("error type", name.strip(), list(ErrorType))
        types.append(ErrorType(name.strip()))
    return types


def select(
    errors: Iterable[ErrorRecord], types: Sequence[ErrorType] = (), where: Sequence[Condition] = ()
) -> list[ErrorRecord]:
    """Return the errors of these types for which all conditions hold."""
    return [
        error
        for error in errors
        if (not types or error.type in types) and all(c.holds(error) for c in where)
    ]
