"""Type checks for fields of JSON; the messages say where the wrong value is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf, isfinite


class Damage(ValueError):
    """An error in a record: where it is, and what is wrong."""


def field(record: object, name: str, where: str) -> object:
    """Return a required field of an object."""
    if not isinstance(record, dict):
        raise Damage(f"{where or 'the file'}: not an object")
    if name not in record:
        raise Damage(f"{where}{'.' if where else ''}{name}: missing")
    return record[name]


def an_object(value: object, where: str) -> Mapping[str, object]:
    """Return the value if it is an object; raise Damage otherwise."""
    if not isinstance(value, dict):
        raise Damage(f"{where}: not an object")
    return value


def a_list(value: object, where: str) -> list[object]:
    """Return the value if it is a list; raise Damage otherwise."""
    if not isinstance(value, list):
        raise Damage(f"{where}: not a list")
    return value


def a_text(value: object, where: str) -> str:
    """Return the value if it is a string; raise Damage otherwise."""
    if not isinstance(value, str):
        raise Damage(f"{where}: {value!r} is not a string")
    return value


def a_number(value: object, where: str) -> float:
    """Return the value as a float if it is a finite number; raise Damage otherwise."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = inf
        if isfinite(number):
            return number
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    # JSON writes true and null where Python writes True and None.
    shown = "a huge integer" if is_integer else f"{json.dumps(value)[:40]}"
    raise Damage(f"{where}: {shown} is not a finite number")


def all_differ(names: Sequence[str], where: str) -> None:
    """Raise Damage if a name occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise Damage(f"{where}: two are named {name!r}")
        seen.add(name)
