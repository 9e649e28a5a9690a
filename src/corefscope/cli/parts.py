"""Parts of the work of a command, which several machines do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from glob import glob, has_magic
from typing import TYPE_CHECKING

import click

from corefscope.cli.parameters import Input
from corefscope.cli.typed import values_of
from corefscope.engines import PartDone, Stage, current, using
from corefscope.engines.shards import Header, PartFile, ShardEngine, as_bytes, inputs_of
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


def write_part(
    name: str, words: Sequence[str], options: DataclassInstance, run: Callable[[], int]
) -> int:
    """Do the part of a command's work that was asked for, and write it to a file."""
    given = {parameter.name: value for parameter, value in values_of(options)}
    output, (shard, shards) = _checked(given)
    header = Header(
        version=__version__,
        words=(name, *_kept(words)),
        inputs=inputs_of(paths_of(options)),
        shards=shards,
    )
    engine = ShardEngine(shard, shards, STAGES[name], current())
    with using(engine), suppress(PartDone):
        run()
    write_file(output, as_bytes(PartFile(header=header, shard=shard, results=engine.results)))
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


def _kept(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command without those that only matter where a part is done."""
    rest = iter(words)
    for word in rest:
        if word in NOT_KEPT:
            next(rest, None)
        elif not word.startswith(tuple(f"{each}=" for each in NOT_KEPT)) and not _is_output(word):
            yield word


def _is_output(word: str) -> bool:
    return word.startswith("-o") and not word.startswith("--")


def paths_of(options: DataclassInstance) -> list[str]:
    """Return the paths of all inputs, in the order of the options."""
    found: list[str] = []
    for parameter, value in values_of(options):
        if isinstance(parameter.type, Input) and value:
            for each in value if isinstance(value, tuple) else (value,):
                for path in parameter.type.paths(str(each)):
                    found += sorted(glob(path)) if has_magic(path) else [path]  # noqa: PTH207
    return found
