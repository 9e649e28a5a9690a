"""Options of ``corefscope watch``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import click

from corefscope.cli.parameters import (
    KEY,
    Input,
    Output,
    PairingParameters,
    Protocol,
    ReadingParameters,
    flag,
    format_option,
    option,
)
from corefscope.cli.typed import Conflicts, command_of
from corefscope.records import dataclass

WatchFormat: TypeAlias = Literal["table", "json"]
HISTORY = ".corefscope-history.sqlite"
"""The name of the history in the watched folder; readers skip names that begin with a dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """Score each checkpoint in DIR against a KEY that stays in memory, as soon as it is written.

    A checkpoint is a response file, or a folder of response files, directly in DIR. Prints one line
    for each: its score, the difference to the best so far, and a small chart. The results are kept
    in a history, so that nothing is scored twice. Ctrl-C ends it.

    \b
    Examples:
      corefscope watch gold.conll runs/
      corefscope watch gold.conll runs/ --include 'predictions*.jsonl' --metrics lea
      corefscope watch gold.conll runs/ --once --format json
      corefscope report --history runs/.corefscope-history.sqlite -o history.html
    """

    key: Annotated[str, KEY]
    folder: Annotated[str, click.Argument(["folder"], metavar="DIR", type=Input())]
    reading: ReadingParameters
    protocol: Protocol
    pairing: PairingParameters
    history: Annotated[
        str | None,
        option(
            "--history",
            type=Output(),
            metavar="FILE",
            help=f"SQLite file in which results are kept (default: {HISTORY} in DIR).",
        ),
    ]
    interval: Annotated[
        int,
        option(
            "--interval",
            type=click.IntRange(1, 86_400),
            default=5,
            metavar="SECONDS",
            help="How often to look for new checkpoints.",
        ),
    ]
    once: Annotated[bool, flag("--once", help="Score the checkpoints that are there, then exit.")]
    format: Annotated[WatchFormat, format_option(WatchFormat)]

    @property
    def place(self) -> str:
        """The path of the history."""
        return self.history or str(Path(self.folder, HISTORY))


CONFLICTS: Conflicts[WatchOptions] = (
    (lambda o: o.history == "-", "--history names a SQLite file, which cannot be standard output"),
    (lambda o: o.folder == "-", "DIR is a directory, which cannot be standard input"),
)


command = command_of(WatchOptions, CONFLICTS)
