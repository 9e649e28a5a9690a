"""The properties of errors: their names, kinds and meanings, read from the record classes.

A property is declared once, in a record class: as a field whose type is annotated with its meaning,
or as a ``@property`` whose docstring is its meaning. Its kind follows from its type. The JSON and
CSV output, the conditions of ``--where`` and the table in the documentation are all derived from
these declarations. The name of a property is the name of the Python attribute; a dot separates an
attribute from its part, as in ``part.pronouns``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct
from msgspec.structs import replace

PropertyValue: TypeAlias = str | int | bool | None
"""One value of a property."""
Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain] | None"
"""The JSON value of a property."""
NULL = "null"
FIRST = ("id", "type", "document")
"""The properties that come first in JSON and CSV; the others follow as they are declared."""


class PropertyKind(StrEnum):
    """The kind of values that a property has."""

    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    TEXT = "text"


KINDS: Mapping[type, PropertyKind] = {
    bool: PropertyKind.FLAG,
    int: PropertyKind.NUMBER,
    str: PropertyKind.TEXT,
}


class Property(Struct, frozen=True, kw_only=True):
    """A property of errors."""

    name: str
    kind: PropertyKind
    about: str
    """Its meaning."""
    choices: tuple[str, ...] = ()
    """All possible values, if the kind is a choice."""
    is_list: bool = False
    """Whether an error can have several values."""
    is_nullable: bool = False
    """Whether the value can be null."""

    @property
    def known_values(self) -> tuple[str, ...]:
        """All possible values as they are printed; empty if the values are not a closed set."""
        values = ("true", "false") if self.kind is PropertyKind.FLAG else self.choices
        return (*values, NULL) if values and self.is_nullable else values

    def values(self, record: object) -> list[PropertyValue]:
        """Return the values of this property in a record: at least one, which may be None."""
        found: list[Any] = [record]
        for name in self.name.split("."):
            parts = [getattr(each, name) for each in found if each is not None]
            found = [value for part in parts for value in _several(part)]
        return found or [None]


def printed(value: PropertyValue) -> str:
    """Return a value as it is written in JSON, without quotes."""
    if value is None:
        return NULL
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain(value: object) -> Plain:
    """Return the JSON value of an attribute; a record becomes an object with its properties."""
    if isinstance(value, StrEnum):
        return str(value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return plain_record(value)


def plain_record(record: object) -> dict[str, Plain]:
    """Return a record as a JSON object with its properties."""
    return {name: plain(getattr(record, name)) for name in members_of(type(record))}


# Type checkers reject records as arguments of a cached function, hence the two functions each.
def members_of(record: type) -> Mapping[str, tuple[Any, str]]:
    """Return the attributes that are properties: their types and meanings by name."""
    return _members(record)


def properties_of(record: type) -> Mapping[str, Property]:
    """Return the properties of a record class by name; an attribute with parts is split up."""
    return _properties(record)


@cache
def _properties(record: type) -> Mapping[str, Property]:
    members = _members(record).items()
    found = (each for name, (hint, about) in members for each in _of(name, hint, about))
    return {each.name: each for each in found}


@cache
def _members(record: type) -> Mapping[str, tuple[Any, str]]:
    hints = get_type_hints(record, include_extras=True)
    members: dict[str, tuple[Any, str]] = {}
    for each in reversed(record.__mro__):
        for name in get_annotations(each):
            hint = hints[name]
            if get_origin(hint) is ClassVar:
                (hint,) = get_args(hint)
            if get_origin(hint) is Annotated:
                members[name] = get_args(hint)
        for name, method in vars(each).items():
            if isinstance(method, property):
                members[name] = get_type_hints(method.fget)["return"], _meaning(method)
    first = {name: members[name] for name in FIRST if name in members}
    return first | members


def _meaning(method: property) -> str:
    """Return the docstring without its capital letter and full stop."""
    text = str(method.__doc__).rstrip(".")
    return text[0].lower() + text[1:]


def _of(name: str, hint: Any, about: str) -> Iterator[Property]:
    """Yield the properties of one attribute: the attribute itself, or its parts."""
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (each for each in get_args(hint) if each is not NoneType)
        yield from (replace(each, is_nullable=True) for each in _of(name, inner, about))
    elif get_origin(hint) is tuple:
        inner, _ = get_args(hint)
        several = _of(name, inner, about)
        yield from (replace(each, is_list=True, is_nullable=True) for each in several)
    elif get_origin(hint) is Literal:
        yield Property(name=name, kind=PropertyKind.CHOICE, about=about, choices=get_args(hint))
    elif isinstance(hint, type) and issubclass(hint, StrEnum):
        yield Property(
            name=name, kind=PropertyKind.CHOICE, about=about, choices=tuple(map(str, hint))
        )
    elif hint in KINDS:
        yield Property(name=name, kind=KINDS[hint], about=about)
    elif not (isinstance(hint, type) and issubclass(hint, Struct)):
        raise TypeError(f"the property {name} has a type that is not supported: {hint}")
    else:
        for part, (inner, meaning) in _members(hint).items():
            yield from _of(f"{name}.{part}", inner, f"{about}: {meaning}")


def _several(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
