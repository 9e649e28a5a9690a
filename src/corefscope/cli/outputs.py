"""What a command reads and writes: declared where its parameters are, checked before it works.

A parameter that names a file to read has the type :class:`Input`, one that names a file or a folder
to write has the type :class:`Output`. A test refuses a command with a path of another type.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a command writes."""

    path: str
    is_folder: bool = False
    of_documents: bool = False
    """Whether the files in the folder can be read as inputs."""
    names: tuple[str, ...] = ()
    """Files in the folder that would be overwritten, as far as they are known beforehand."""
    inputs: tuple[str, ...] = ()
    """What is read besides what parameters name."""


def _itself(value: str) -> Iterable[str]:
    return [value]


class Input(click.Path):
    """A parameter that names what is read; ``paths`` finds the paths in what was given."""

    def __init__(
        self, paths: Callable[[str], Iterable[str]] = _itself, *, dir_okay: bool = True
    ) -> None:
        super().__init__(dir_okay=dir_okay)
        self.paths = paths


class Output(click.Path):
    """A parameter that names the file to write."""

    def __init__(self) -> None:
        super().__init__()

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Refuse a name without a character, as an unset variable of a shell gives it."""
        if not os.fspath(value):
            self.fail("the name of what is to be written is empty.", param, ctx)
        return super().convert(value, param, ctx)

    def target(self, value: str | None, given: Mapping[str, Any]) -> Target | None:
        """Return what is written where this value and other parameters are given."""
        return None if value is None else Target(path=value)


class DocumentsOutput(Output):
    """A parameter that names the folder to write documents to."""

    def __init__(
        self,
        names: Callable[[], Iterable[str]] = tuple,
        inputs: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__()
        self.names = names
        self.inputs = inputs

    def target(self, value: str | None, given: Mapping[str, Any]) -> Target | None:
        """Return the folder, which gets files that can be read as inputs."""
        if value is None:
            return None
        return Target(
            path=value,
            is_folder=True,
            of_documents=True,
            names=tuple(self.names()),
            inputs=tuple(self.inputs()),
        )


def split_name(response: str) -> tuple[str | None, str]:
    """Tell NAME=PATH from a path."""
    name, equals, path = response.partition("=")
    if not equals or not name or os.path.exists(response):  # noqa: PTH110 - it never raises
        return None, response
    return name, path


def path_of_named(value: str) -> list[str]:
    """Return the path of NAME=PATH or PATH."""
    return [split_name(value)[1]]


def paths_of_set(value: str) -> list[str]:
    """Return the paths of NAME=KEY:A:B."""
    key, *responses = value.partition("=")[2].split(":")
    return [key, *(split_name(response)[1] for response in responses)]


def path_if_file(value: str) -> list[str]:
    """Return the path where a value can be a file or something else."""
    return [value] if os.path.isfile(value) else []  # noqa: PTH113 - it never raises


def check_outputs(context: click.Context, include: Sequence[str] = ()) -> None:
    """Refuse, before the work begins, outputs that are inputs or that cannot be written.

    ``include`` holds the patterns that choose files of the folders that are read.
    """
    targets = list(_targets(context))
    if not targets:
        return
    inputs = list(inputs_of(context))
    if include:
        inputs += [file for folder in inputs for file in _included(folder, include)]
    for target in targets:
        _check(target, [*inputs, *target.inputs])


def _check(target: Target, inputs: Iterable[str]) -> None:
    """Refuse an output that is an input, or that cannot be written."""
    from corefscope.formats.overwriting import refuse_inputs, refuse_inputs_in_folder
    from corefscope.output import OutputFolder, check_target

    if target.is_folder:
        refuse_inputs_in_folder(target.path, inputs, of_documents=target.of_documents)
        OutputFolder(Path(target.path)).check(target.names)
    else:
        refuse_inputs(target.path, inputs)
        check_target(target.path)


def _included(folder: str, include: Sequence[str]) -> list[str]:
    """Return the files of a folder that are read because a pattern matches them."""
    from corefscope.exceptions import InvalidInput
    from corefscope.formats.source import sources

    try:
        return [str(source.path) for source in sources(folder, include)[0] if source.path]
    except InvalidInput:
        return []  # What cannot be read is reported when it is read.


def inputs_of(context: click.Context) -> Iterator[str]:
    """Go through the paths that a command reads."""
    for parameter in context.command.params:
        if isinstance(parameter.type, Input):
            given = context.params[parameter.name or ""]
            for value in [given] if isinstance(given, str) else given or ():
                yield from parameter.type.paths(value)


def _targets(context: click.Context) -> Iterator[Target]:
    for parameter in context.command.params:
        if isinstance(parameter.type, Output):
            target = parameter.type.target(context.params[parameter.name or ""], context.params)
            if target is not None:
                yield target
