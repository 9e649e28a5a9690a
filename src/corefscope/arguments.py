"""What callers pass to public functions: a choice, several texts, or things by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, cast, get_args

from corefscope.exceptions import UnknownName

T = TypeVar("T")


def one_of(option: str, value: T, choices: object) -> T:
    """Return a choice; raise :class:`UnknownName` if a literal type does not have it."""
    if value not in get_args(choices):
        raise UnknownName(f"choice of {option}", str(value), get_args(choices))
    return value


def texts(parameter: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return several texts; refuse a single one, which Python would split into its letters.

    Parameters
    ----------
    parameter
        What the caller calls them.
    values
        What was given.

    Raises
    ------
    TypeError
        If it is a text, or not a collection of texts; the message says what to pass.
    """
    given: object = values
    if isinstance(given, str):
        raise TypeError(f"{parameter} is the text {given!r}; expected a list, such as [{given!r}]")
    if not isinstance(given, Iterable):
        raise TypeError(f"{parameter} is {given!r}; expected a list of texts")
    listed = tuple(given)
    for each in listed:
        if not isinstance(each, str):
            raise TypeError(f"{parameter} holds {each!r}; expected a list of texts")
    return listed


def by_name(parameter: str, values: Mapping[str, T], expected: str) -> Mapping[str, T]:
    """Return things by name; refuse everything else.

    Parameters
    ----------
    parameter
        What the caller calls them.
    values
        What was given.
    expected
        An example of what to pass.

    Raises
    ------
    TypeError
        If it is not a mapping with texts as names.
    """
    given: object = values
    if not isinstance(given, Mapping):
        found = type(given).__name__
        raise TypeError(f"{parameter} is of type {found}; expected a dict, such as {expected}")
    texts(f"the names of {parameter}", given)
    return cast(Mapping[str, T], given)
