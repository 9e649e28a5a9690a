"""Reading of keys, responses and scores, and the names of systems."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Unpack

import click
from msgspec.structs import replace

from corefscope.arguments import is_address
from corefscope.choices import Singletons
from corefscope.cli.messages import progress_bar
from corefscope.cli.parameters import FileReading, ReadingParameters, split_name
from corefscope.exceptions import IncompleteResponse
from corefscope.formats.file_names import local, shown
from corefscope.inputs import Files, Given, Inputs
from corefscope.options import Options, ReadAs


def named(responses: Sequence[str], what: str = "responses") -> list[Given]:
    """Name each system: by NAME= if given, else by file name, else by path.

    ``what`` they are is said in messages.
    """
    given = [split_name(response) for response in responses]
    if sum(path == "-" for _, path in given) > 1:
        raise click.UsageError("standard input can be read only once")
    asked = [name for name, _ in given if name]
    for name in asked:
        if asked.count(name) > 1:
            raise click.UsageError(f"the name {name!r} is given to two {what}")
    names = [name or short_name(path) for name, path in given]
    systems = [
        Given(name if asked or names.count(name) == 1 else path, path)
        for name, (asked, path) in zip(names, given, strict=True)
    ]
    taken = [system.name for system in systems]
    for name in taken:
        if taken.count(name) > 1:
            raise click.UsageError(f"two {what} are named {name!r}; give each a name: NAME=PATH")
    return systems


def named_beside(key: str, responses: Sequence[str]) -> list[Given]:
    """Name systems as :func:`named` does; refuse standard input as both key and response."""
    systems = named(responses)
    if key == "-" and any(system.path == "-" for system in systems):
        raise click.UsageError("standard input can be read only once")
    return systems


def short_name(path: str) -> str:
    """Return the name of a system without a given name: its file name without extension."""
    if path == "-":
        return "standard input"
    name = Path(path).name.removesuffix(".gz")
    for ending in (".conll", ".conllu", ".jsonl", ".jsonlines", ".json", ".parquet"):
        name = name.removesuffix(ending)
    return name or path


def runs_of(responses: Sequence[str]) -> dict[str, list[str]]:
    """Return the paths of each system; several for a pattern or a name that is given twice."""
    runs: dict[str, list[str]] = {}
    given_names: set[str] = set()
    for response in responses:
        name, path = split_name(response)
        called = name or short_name(path)
        paths = _matching(path, is_named=name is not None)
        if called in runs and (name is None or called not in given_names):
            raise click.UsageError(
                f"two responses are named {called!r}; give each a name: NAME=PATH"
            )
        if name is not None:
            given_names.add(name)
        runs.setdefault(called, []).extend(paths)
    return runs


def _matching(path: str, *, is_named: bool) -> list[str]:
    """Return the files that match a pattern, which needs a name; or the path itself."""
    if not glob.has_magic(path) or is_address(path) or os.path.exists(path):  # noqa: PTH110 - it never raises
        return [path]
    if not is_named:
        raise click.UsageError(
            f"{path!r} does not exist; if it is a pattern for several runs of one system, "
            "give the system a name: NAME=PATTERN"
        )
    paths = sorted(glob.glob(path))  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not paths:
        raise click.UsageError(f"no file matches {path!r}")
    return paths


def each_run(runs: Mapping[str, Sequence[str]]) -> list[Given]:
    """Return every run of every system."""
    return [Given(name, path) for name, paths in runs.items() for path in paths]


def singletons_of(
    given: Singletons | None, profile: str | None, options: Options, usual: Singletons
) -> Singletons:
    """Return how an analysis treats singletons: as it is told, as the profile does, or as usual."""
    if given is not None or profile is None:
        return given or usual
    return "keep" if options.profile.singletons == "keep" else "drop"


def files_of(reading: FileReading, format: str | None = None, **more: Unpack[ReadAs]) -> Files:
    """Return how files are read, with a progress bar on a terminal if it takes long."""
    return Files(
        key_format=format,
        columns=reading.columns,
        include=reading.include,
        head=reading.head,
        bar=_bar,
        **more,
    )


def inputs_of(
    reading: ReadingParameters, options: Options | None = None, document: str | None = None
) -> Inputs:
    """Return what reads a key and responses, as scoring with these options demands."""
    files = replace(
        files_of(reading.files, reading.key_format),
        response_format=reading.response_format,
        skip_broken=reading.skip_broken,
    )
    return Inputs(replace(files, **options.reading) if options else files, document)


def status(inputs: Inputs) -> int:
    """Return the exit status of a command that succeeds, possibly without skipped files."""
    return IncompleteResponse.exit_status if inputs.skipped else 0


def _bar(path: str) -> AbstractContextManager[Callable[[int], None]]:
    return progress_bar(f"reading {shown(path)}", _size(path))


def _size(path: str) -> int | None:
    place = Path(local(path))
    try:
        files = place.rglob("*") if place.is_dir() else [place]
        return sum(file.stat().st_size for file in files if file.is_file())
    except OSError:
        return None
