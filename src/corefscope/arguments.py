"""Checks of the arguments of public functions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, get_args

from corefscope.exceptions import UnknownName, WrongArgument

T = TypeVar("T")
K = TypeVar("K", bound=Mapping[str, object])
ADDRESS = r"(?i)([a-z][a-z0-9_+.-]+::)*[a-z][a-z0-9_+.-]+://.+"
"""A scheme has two letters at least: one is a drive of Windows. fsspec chains them with ``::``."""


def is_address(path: str) -> bool:
    """Return whether a path is a remote address, such as ``s3://bucket/gold.conll``.

    A path that exists here is never one.
    """
    if "://" not in path or not re.fullmatch(ADDRESS, path):
        return False
    return not os.path.exists(path)  # noqa: PTH110 - it never raises


def one_of(option: str, value: T, choices: object) -> T:
    """Return the value of an option; raise :class:`UnknownName` if it is not a valid choice.

    ``choices`` is the ``Literal`` type with the valid values.
    """
    if value not in get_args(choices):
        raise UnknownName(f"choice of {option}", str(value), get_args(choices))
    return value


def keywords(given: K, options: type, function: Callable[..., object]) -> K:
    """Return keywords; raise :class:`WrongArgument` for one that is not an option of a group.

    Parameters
    ----------
    given
        The keywords.
    options
        The group, such as :class:`~corefscope.choices.ScoringOptions`.
    function
        The function that got them; a message also names the keywords of its own.
    """
    for name in given:
        if name not in options.__annotations__:
            own = getattr(function, "__kwdefaults__", None) or ()
            known = ", ".join((*own, *options.__annotations__))
            raise WrongArgument(
                f"{function.__name__}() got an unexpected keyword argument {name!r}; its options "
                f"are {known}"
            )
    return given


def texts(parameter: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return a collection of strings as a tuple; reject a single string.

    Python would split a single string into its letters.

    Parameters
    ----------
    parameter
        The name of the parameter, for messages.
    values
        The argument.

    Raises
    ------
    WrongArgument
        If it is a string, or not a collection of strings; the message says what to pass.
    """
    given: object = values
    if isinstance(given, str):
        raise WrongArgument(
            f"{parameter} is the string {given!r}; pass a list, such as [{given!r}]"
        )
    if not isinstance(given, Iterable):
        raise WrongArgument(f"{parameter} is {given!r}; expected a list of strings")
    listed = tuple(given)
    for each in listed:
        if not isinstance(each, str):
            raise WrongArgument(f"{parameter} contains {each!r}; expected a list of strings")
    return listed


def of_type(parameter: str, value: T, kinds: type | tuple[type, ...], expected: str) -> T:
    """Return an argument; raise :class:`WrongArgument` if it is of another type.

    Parameters
    ----------
    parameter
        The name of the parameter, for messages.
    value
        The argument.
    kinds
        The types that it may have.
    expected
        What to pass, in words.
    """
    if not isinstance(value, kinds):
        found = type(value).__name__
        raise WrongArgument(f"{parameter} is of type {found}; expected {expected}")
    return value


def by_name(parameter: str, values: Mapping[str, T], expected: str) -> Mapping[str, T]:
    """Return a mapping with strings as keys; reject everything else.

    Parameters
    ----------
    parameter
        The name of the parameter, for messages.
    values
        The argument.
    expected
        An example of what to pass.

    Raises
    ------
    WrongArgument
        If it is not a mapping with strings as keys.
    """
    texts(
        f"the names of {parameter}",
        of_type(parameter, values, Mapping, f"a dict, such as {expected}"),
    )
    return values
