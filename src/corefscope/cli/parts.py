"""Parts of the work of a command, which several machines do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from glob import glob, has_magic
from itertools import islice
from typing import TYPE_CHECKING

import click

from corefscope.cli.messages import saying_replaced
from corefscope.cli.parameters import Input
from corefscope.cli.typed import values_of
from corefscope.engines import PartDone, Stage, current, using
from corefscope.engines.shards import Header, PartFile, ShardEngine, as_bytes, inputs_of
from corefscope.formats.file_names import local
from corefscope.output import write_file
from corefscope.version import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

STAGES: dict[str, Stage] = {
    "score": "reading",
    "compare": "reading",
    "errors": "analysis",
    "nec": "analysis",
}
"""What takes most of the time of each command, and is divided."""
REFUSED = {
    "sets": "--set",
    "crac": "--crac",
    "document": "--document",
    "corrected": "--corrected",
    "choices": "--choices",
    "empty_nodes": "--empty-nodes",
}
"""Options that cannot be combined with a part of the work."""
NOT_KEPT = ("--shard", "--output", "-o", "--jobs", "--engine")
"""Options that only matter where a part is done."""
ATTACHED = ("-o", *(f"{each}=" for each in NOT_KEPT))
"""What these begin with if the value is in the same word."""


def write_part(
    name: str, words: Sequence[str], options: DataclassInstance, run: Callable[[], int]
) -> int:
    """Do the part of a command's work that was asked for, and write it to a file."""
    given = {parameter.name: value for parameter, value in values_of(options)}
    output, (shard, shards) = _checked(given)
    header = Header(
        version=__version__,
        words=(name, *kept(name, words)),
        inputs=inputs_of(paths_of(options), local),
        shards=shards,
    )
    engine = ShardEngine(shard, shards, STAGES[name], current())
    with using(engine), suppress(PartDone):
        run()
    part = PartFile(header=header, shard=shard, results=engine.results)
    with saying_replaced(output):
        write_file(output, as_bytes(part))
    return 0


def _checked(given: dict[str, object]) -> tuple[str, tuple[int, int]]:
    """Return the file and the numbers of a part; refuse options that cannot be combined with it."""
    refused = [option for name, option in REFUSED.items() if given.get(name)]
    if refused:
        raise click.UsageError(f"--shard cannot be combined with {refused[0]}")
    output, shard = given["output"], given["shard"]
    if not isinstance(output, str) or output == "-":
        raise click.UsageError("--shard requires -o FILE, the file of the part")
    paths = [given.get("key"), *_as_tuple(given.get("responses"))]
    if any(path == "-" for path in paths):
        raise click.UsageError("--shard cannot be combined with standard input")
    assert isinstance(shard, tuple)
    return output, shard


def _as_tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def kept(name: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command without options that only matter where a part is done."""
    # The group of commands loads this module.
    from corefscope.cli import main

    command = main.get_command(click.Context(main), name)
    assert command is not None
    flags = {each for p in command.params if getattr(p, "is_flag", False) for each in p.opts}
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield word
            yield from rest
        elif word in NOT_KEPT:
            next(rest, None)
        elif word.startswith(ATTACHED):
            continue
        elif word.startswith("-") and word not in flags and "=" not in word and word != "-":
            # The next word is the value of this option, whatever it looks like.
            yield word
            yield from islice(rest, 1)
        else:
            yield word


def paths_of(options: DataclassInstance) -> list[str]:
    """Return the paths of all inputs, in the order of the options."""
    found: list[str] = []
    for parameter, value in values_of(options):
        if isinstance(parameter.type, Input) and value:
            for each in value if isinstance(value, tuple) else (value,):
                for path in parameter.type.paths(str(each)):
                    is_pattern = has_magic(path) and not os.path.exists(path)  # noqa: PTH110
                    found += sorted(glob(path)) if is_pattern else [path]  # noqa: PTH207
    return found
