"""Check that a JSON value has the shape of a type."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from corefscope.formats.reading.drafting import Unfit

Check = Callable[[Any, str], None]
"""Raises :class:`Unfit` if a value, which is at a place, does not fit."""
Fit = Callable[[Iterable[Any]], bool]
"""Tells whether all of some values fit."""
PLAIN = {str: "text", int: "a whole number", bool: "true or false", NoneType: "null"}


def check(value: Any, hint: Any, place: str) -> None:
    """Raise :class:`Unfit` if a value, which is at a place, does not have the shape of a type."""
    if not fitter(hint)([value]):
        checker(hint)(value, place)


# ---- All values at once ----


@cache
def fitter(hint: Any) -> Fit:
    """Return a function that tells whether values fit a type; much faster than to check each."""
    if hint is object:
        return lambda values: True
    if hint in PLAIN:
        return lambda values: {hint}.issuperset(map(type, values))
    if is_typeddict(hint):
        return _fields_fit(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Annotated):
        return fitter(arguments[0])
    if origin is Literal:
        return lambda values: all(value in arguments for value in values)
    if origin in (Union, UnionType):
        inner = fitter(next(member for member in arguments if member is not NoneType))
        return lambda values: inner([value for value in values if value is not None])
    return _items_fit(origin, fitter(arguments[-1]))


def _items_fit(container: type, inner: Fit) -> Fit:
    def fit(values: Iterable[Any]) -> bool:
        given = list(values)
        if not {container}.issuperset(map(type, given)):
            return False
        items = given if container is list else [each.values() for each in given]
        return inner(chain.from_iterable(items))

    return fit


def _fields_fit(shape: Any) -> Fit:
    hints, required = _hints(shape)
    fits = {name: fitter(hint) for name, hint in hints.items()}

    def fit(values: Iterable[Any]) -> bool:
        given = list(values)
        if not {dict}.issuperset(map(type, given)):
            return False
        names = set(chain.from_iterable(given))
        return (
            names <= fits.keys()
            and all(required <= each.keys() for each in given if required)
            and all(fits[name]([each[name] for each in given if name in each]) for name in names)
        )

    return fit


# ---- One value after the other, to say what is wrong ----


@cache
def checker(hint: Any) -> Check:
    """Return a function that checks values of a type."""
    if hint is object:
        return lambda value, place: None
    if hint in PLAIN:
        return _plain(hint)
    if is_typeddict(hint):
        return _fields(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Annotated):
        return checker(arguments[0])
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, UnionType):
        return _union(arguments)
    assert origin in (list, dict), hint
    return _list(arguments[0]) if origin is list else _mapping(arguments[1])


def _fail(place: str, value: Any, expected: str) -> Unfit:
    return Unfit(f"{place} is {reprlib.repr(value)}", expected=expected)


def _plain(type_: type) -> Check:
    def check(value: Any, place: str) -> None:
        if type(value) is not type_:
            raise _fail(place, value, PLAIN[type_])

    return check


def _literal(values: tuple[Any, ...]) -> Check:
    def check(value: Any, place: str) -> None:
        if value not in values:
            raise _fail(place, value, " or ".join(map(repr, values)))

    return check


def _union(members: tuple[Any, ...]) -> Check:
    others = [checker(member) for member in members if member is not NoneType]

    def check(value: Any, place: str) -> None:
        if value is not None:
            others[0](value, place)

    assert len(others) == 1, "only T | None"
    return check


def _list(item: Any) -> Check:
    inner = checker(item)

    def check(value: Any, place: str) -> None:
        if not isinstance(value, list):
            raise _fail(place, value, "a list")
        if item in PLAIN and set(map(type, value)) <= {item}:
            return
        for number, each in enumerate(value):
            inner(each, f"{place}[{number}]")

    return check


def _mapping(item: Any) -> Check:
    inner = checker(item)

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise _fail(place, value, "an object")
        for name, each in value.items():
            inner(each, f"{place}.{name}")

    return check


def _fields(shape: Any) -> Check:
    hints, required = _hints(shape)
    checks = {name: checker(hint) for name, hint in hints.items()}

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise _fail(place, value, "an object")
        if missing := sorted(required - value.keys()):
            raise Unfit(f"{place} has no {missing[0]!r}", expected="it")
        for name, each in value.items():
            if name not in checks:
                known = ", ".join(checks)
                raise Unfit(f"{place} has a field {name!r}", expected=f"only {known}")
            checks[name](each, f"{place}.{name}")

    return check


def _hints(shape: Any) -> tuple[dict[str, Any], set[str]]:
    """Return the types of the fields of an object, and the fields that it must have."""
    hints = get_type_hints(shape, include_extras=True)
    return hints, {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}
