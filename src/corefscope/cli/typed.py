"""Commands with typed options: a record declares the parameters and holds their values.

Each field is annotated with a click parameter (``Annotated[str, click.Option(…)]``), or its type is
a group of parameters, which is a record of the same kind.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_type_hints

import click
from msgspec import Struct

from corefscope.cli.messages import errors_reported


class OfLibrary(dict[str, click.Option]):
    """Options that the library declares, by name: one field of a command has the keywords."""

    def __or__(self, other: Mapping[str, click.Option]) -> OfLibrary:  # type: ignore[override]
        """Return these options with others, or with others in their places."""
        return OfLibrary({**self, **other})


COMMON = "common"
"""The group of options that the short help shows."""
ALL = "--help-all"


class GroupedOption(click.Option):
    """An option with the group in which help shows it."""

    def __init__(self, names: Sequence[str], *, group: str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose short help shows the common options, and names the others by group."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with those that show the help."""
        shows_all = click.Option(
            [ALL],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        )
        return [*super().get_params(ctx), shows_all]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: all of them, group by group, or the common ones."""
        groups: dict[str, list[click.Parameter]] = {COMMON: []}
        for each in self.get_params(ctx):
            if isinstance(each, click.Argument):
                continue
            groups.setdefault(getattr(each, "group", COMMON), []).append(each)
        shown = groups if ctx.meta.get(ALL) else [COMMON]
        for group in shown:
            with formatter.section(
                "Options" if group == COMMON else f"{group[0].upper()}{group[1:]} options"
            ):
                records = (each.get_help_record(ctx) for each in groups[group])
                formatter.write_dl([record for record in records if record])
        if len(shown) < len(groups):
            with formatter.section(f"More options, explained by {ALL}"):
                formatter.write_dl(
                    [
                        (group, ", ".join(each.opts[-1] for each in options))
                        for group, options in groups.items()
                        if group not in shown
                    ]
                )


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


Declared: TypeAlias = click.Parameter | OfLibrary | type[Struct]
WITHOUT_EFFECT = ("jobs", "engine")
"""Options that do not change results, so that commands which messages show do without them."""
T = TypeVar("T", bound=Struct)


class Conflict(NamedTuple):
    """An option that excludes others, or requires one of them.

    Each is written as on the command line: ``--by`` is given, ``--layout paper`` has this value.
    """

    option: str
    verb: Literal["cannot be combined with", "requires"]
    others: Sequence[str]

    def message(self, given: Sequence[tuple[click.Parameter, object]]) -> str:
        """Return what is wrong with the given values; nothing if all is well."""
        met = any(_is_given(other, given) for other in self.others)
        if not _is_given(self.option, given) or met == (self.verb == "requires"):
            return ""
        *most, last = self.others
        return f"{self.option} {self.verb} {' or '.join(filter(None, [', '.join(most), last]))}"


def excludes(option: str, *others: str) -> Conflict:
    """Declare that an option cannot be combined with others."""
    return Conflict(option, "cannot be combined with", others)


def requires(option: str, *others: str) -> Conflict:
    """Declare that an option requires one of others."""
    return Conflict(option, "requires", others)


def _is_given(option: str, given: Sequence[tuple[click.Parameter, object]]) -> bool:
    name, _, wanted = option.partition(" ")
    value = next((v for parameter, v in given if name in parameter.opts), None)
    if wanted:
        return value == wanted
    return any(v is not None and name in p.opts and not _is_default(p, v) for p, v in given)


def _is_default(parameter: click.Parameter, value: object) -> bool:
    is_absent = value is None or value is False or value == ()
    return is_absent or value == parameter.default


Conflicts: TypeAlias = Sequence[Conflict | Callable[[T], str]]
"""Options that cannot be combined, and functions that return what else is wrong with options."""


def command_of(
    options: type[T], run: Callable[[T], int], conflicts: Conflicts[T] = ()
) -> click.Command:
    """Return the command with these options; their docstring is its help.

    The command has the name of the module that defines the options; ``run`` takes them and returns
    the exit status.
    """
    name = options.__module__.rpartition(".")[2]

    def called(**given: object) -> None:
        # Imported here because help needs none of it.
        from corefscope.cli.printing import check_outputs

        values = filled(options, given)
        with errors_reported():
            check_outputs(values)
            refuse_conflicts(values, conflicts)
            with _engine_of(given):
                status = run(values)
        if status:
            sys.exit(status)

    parameters = list(parameters_of(options))
    return GroupedCommand(name, callback=called, params=parameters, help=inspect.getdoc(options))


def _engine_of(given: Mapping[str, object]) -> AbstractContextManager[object]:
    """Put the engine in force that was asked for, in commands that have one."""
    from corefscope.engines import ALONE, current, engine_of, using

    # A program that runs commands may have chosen one already.
    if "engine" not in given or current() is not ALONE:
        return nullcontext()

    jobs, name = given["jobs"], given["engine"]
    return using(engine_of(jobs if isinstance(jobs, int) else None, str(name)))


def refuse_conflicts(options: T, conflicts: Conflicts[T]) -> None:
    """Raise a usage error for the first conflict among the options."""
    given = list(values_of(options))
    for each in conflicts:
        message = each.message(given) if isinstance(each, Conflict) else each(options)
        if message:
            raise click.UsageError(message)


def parameters_of(options: type[Struct]) -> Iterator[click.Parameter]:
    """Yield the parameters that a class declares, in the order of its fields."""
    for declared in _declared(options).values():
        if isinstance(declared, click.Parameter):
            yield declared
        elif isinstance(declared, OfLibrary):
            yield from declared.values()
        else:
            yield from parameters_of(declared)


def filled(options: type[T], given: Mapping[str, object]) -> T:
    """Return options with the given values, which are keyed by parameter name."""
    make: Callable[..., T] = options
    return make(**{name: _value(name, each, given) for name, each in _declared(options).items()})


def _value(name: str, declared: Declared, given: Mapping[str, object]) -> object:
    if isinstance(declared, click.Parameter):
        return given[name]
    if isinstance(declared, OfLibrary):
        return {each: given[each] for each in declared}
    return filled(declared, given)


def values_of(options: Struct, *only: str) -> Iterator[tuple[click.Parameter, object]]:
    """Yield each parameter with its value, or those of some fields."""
    for name, declared in _declared(type(options)).items():
        if only and name not in only:
            continue
        value = getattr(options, name)
        if isinstance(declared, click.Parameter):
            yield declared, value
        elif isinstance(declared, OfLibrary):
            yield from ((each, value[option]) for option, each in declared.items())
        else:
            yield from values_of(value)


def words_of(options: Struct, *only: str) -> list[str]:
    """Return the command-line arguments that set options, or some fields; defaults are left out."""
    words: list[str] = []
    for parameter, value in values_of(options, *only):
        if _is_default(parameter, value) or parameter.name in WITHOUT_EFFECT:
            continue
        for one in value if isinstance(value, tuple) else [value]:
            words += parameter.opts[:1] if isinstance(parameter, click.Option) else []
            words += [] if one is True else [str(one)]
    return words


@cache
def _declared(options: type[Struct]) -> Mapping[str, Declared]:
    """Return the parameter or the group of parameters of each field."""
    hints = get_type_hints(options, include_extras=True)
    return {name: _parameter(hints[name]) for name in options.__struct_fields__}


def _parameter(hint: type[Struct]) -> Declared:
    metadata = getattr(hint, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, click.Parameter | OfLibrary)), hint)
