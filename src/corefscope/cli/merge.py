"""Options of ``corefscope merge``."""

from __future__ import annotations

from typing import Annotated

import click

from corefscope.cli.parameters import OUTPUT, Input, WorkParameters
from corefscope.cli.typed import command_of
from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """Put the parts of a divided result together.

    Each PART is a file that score, compare, errors or nec wrote with --shard. Prints what the
    undivided command prints, byte for byte. The inputs must be where they were, unchanged.

    \b
    Examples:
      corefscope score gold.conll system.conll --format json --shard 1/2 -o 1.part
      corefscope score gold.conll system.conll --format json --shard 2/2 -o 2.part
      corefscope merge 1.part 2.part -o scores.json
      corefscope merge parts/*.part
    """

    parts: Annotated[
        tuple[str, ...],
        click.Argument(
            ["parts"], nargs=-1, required=True, metavar="PART...", type=Input(dir_okay=False)
        ),
    ]
    output: Annotated[str | None, OUTPUT]
    work: WorkParameters


command = command_of(MergeOptions)
