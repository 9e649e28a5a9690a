"""Commands with typed options: a dataclass declares what a command takes and holds what was given.

Each field is a parameter of click, which stands beside the type of the field
(``Annotated[str, click.Option(…)]``), or a group of parameters, which is a dataclass of the same
kind.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar, get_type_hints

import click

from corefscope.cli.messages import errors_reported

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
Conflicts: TypeAlias = Sequence[tuple[Callable[[T], object], str | Callable[[T], str]]]
"""What cannot be asked for together: a condition on the options, and what is said if it holds."""


def takes(
    options: type[T], conflicts: Conflicts[T] = ()
) -> Callable[[Callable[[T], int]], click.Command]:
    """Return what makes a command with these options of a function that returns the exit status.

    The docstring of the function is the help of the command, and the last word of its module the
    name.
    """

    def made(work: Callable[[T], int]) -> click.Command:
        def called(**given: object) -> None:
            status = _run(work, filled(options, given), conflicts)
            if status:
                sys.exit(status)

        return click.Command(
            work.__module__.rpartition(".")[2],
            callback=called,
            params=list(parameters_of(options)),
            help=inspect.getdoc(work),
        )

    return made


def _run(work: Callable[[T], int], options: T, conflicts: Conflicts[T]) -> int:
    # Loaded here: help needs none of it.
    from corefscope.cli.printing import check_outputs

    with errors_reported():
        check_outputs(options)
        refuse_conflicts(options, conflicts)
        return work(options)


def refuse_conflicts(options: T, conflicts: Conflicts[T]) -> None:
    """Refuse the first thing in a table that cannot be asked for."""
    for is_refused, message in conflicts:
        if is_refused(options):
            raise click.UsageError(message if isinstance(message, str) else message(options))


def parameters_of(options: type[DataclassInstance]) -> Iterator[click.Parameter]:
    """Go through the parameters that a class declares, in the order of its fields."""
    for declared in _declared(options).values():
        if isinstance(declared, click.Parameter):
            yield declared
        else:
            yield from parameters_of(declared)


def filled(options: type[T], given: Mapping[str, object]) -> T:
    """Return the options that were given, by the names of parameters."""
    make: Callable[..., T] = options
    return make(
        **{
            name: given[name] if isinstance(each, click.Parameter) else filled(each, given)
            for name, each in _declared(options).items()
        }
    )


def values_of(options: DataclassInstance) -> Iterator[tuple[click.Parameter, object]]:
    """Go through parameters and what was given for them."""
    for name, declared in _declared(type(options)).items():
        value = getattr(options, name)
        if isinstance(declared, click.Parameter):
            yield declared, value
        else:
            yield from values_of(value)


def words_of(options: DataclassInstance) -> list[str]:
    """Return the words of a command line that give these options; defaults need none."""
    words: list[str] = []
    for parameter, value in values_of(options):
        if value is None or value is False or value == parameter.default:
            continue
        for one in value if isinstance(value, tuple) else [value]:
            words += parameter.opts[:1] if isinstance(parameter, click.Option) else []
            words += [] if one is True else [str(one)]
    return words


@cache
def _declared(
    options: type[DataclassInstance],
) -> Mapping[str, click.Parameter | type[DataclassInstance]]:
    """Return the parameter or the group of parameters of each field."""
    hints = get_type_hints(options, include_extras=True)
    return {field.name: _parameter(hints[field.name]) for field in fields(options)}


def _parameter(hint: type[DataclassInstance]) -> click.Parameter | type[DataclassInstance]:
    beside = getattr(hint, "__metadata__", ())
    return next((each for each in beside if isinstance(each, click.Parameter)), hint)
