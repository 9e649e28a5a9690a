"""``corefscope errors``: what is wrong with it?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import click

from corefscope.cli.parameters import (
    DOCUMENT,
    KEY,
    OUTPUT,
    RESPONSES,
    DocumentsOutput,
    Pairing,
    Reading,
    Singletons,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, takes

Format: TypeAlias = Literal["table", "json", "jsonl", "csv", "markdown", "latex"]
Mode: TypeAlias = Literal["standard", "berkeley"]
LAST_TABLE = 11
GAINS_TABLE = 10
"""The table of the paper that has gains in metrics."""


def _numbers(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Read a list of tables such as ``1,3-5`` or ``all``."""
    if text is None:
        return ()
    if text.strip() == "all":
        return tuple(range(1, LAST_TABLE + 1))
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= LAST_TABLE:
            raise click.UsageError(f"no table {part.strip()!r}; there are 1 to {LAST_TABLE}")
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How errors are found."""

    mode: Annotated[
        Mode,
        option(
            "--mode",
            type=choice(Mode),
            default="standard",
            help="Our rules, or the counts that the published tool prints.",
        ),
    ]
    singletons: Annotated[Singletons, singletons_option("drop")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorsOptions:
    """What ``errors`` takes."""

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: Reading
    tables: Annotated[
        tuple[int, ...],
        option(
            "--tables",
            metavar="LIST",
            callback=_numbers,
            help="Tables of the paper by number, such as 1,3-5, or all.",
        ),
    ]
    groups: Annotated[bool, flag("--groups", help="Show confusion groups, mention by mention.")]
    list_: Annotated[bool, flag("--list", "list_", help="List the errors one by one.")]
    types: Annotated[
        tuple[str, ...],
        option(
            "--type",
            "types",
            metavar="TYPE",
            multiple=True,
            help="Only errors of this type, such as missing_mention; may be repeated.",
        ),
    ]
    where: Annotated[
        tuple[str, ...],
        option(
            "--where",
            metavar="CONDITION",
            multiple=True,
            help="Only errors with a property: text=it, mention_type=name, size>=3, text~mayor.",
        ),
    ]
    impact: Annotated[bool, flag("--impact", help="Measure what correcting each type would gain.")]
    corrected: Annotated[
        str | None,
        option(
            "--corrected",
            metavar="DIR",
            type=DocumentsOutput(),
            help="Write corrected responses into this folder.",
        ),
    ]
    metrics: Annotated[
        str | None, option("--metrics", metavar="LIST", help="Metrics of --impact; all by default.")
    ]
    cost: Annotated[
        str,
        option(
            "--cost",
            metavar="METRIC",
            default="conll",
            help="The metric by which entities are ranked.",
        ),
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=10,
            help="How many of the entities that cost most are named.",
        ),
    ]
    rules: Rules
    pairing: Pairing
    document: Annotated[str | None, DOCUMENT]
    format: Annotated[Format, format_option(Format)]
    output: Annotated[str | None, OUTPUT]

    @property
    def chooses(self) -> bool:
        """Whether only some errors are wanted."""
        return bool(self.types or self.where)

    @property
    def shows_list(self) -> bool:
        """Whether errors are listed one by one."""
        return self.list_ or self.format == "jsonl" or (self.chooses and self.format == "csv")

    @property
    def shows_groups(self) -> bool:
        """Whether confusion groups are shown."""
        by_itself = self.chooses and not self.shows_list and self.format == "table"
        return self.groups or by_itself

    @property
    def shown(self) -> list[str]:
        """What is shown instead of the overview, by the options that ask for it."""
        asked = {
            "--tables": bool(self.tables),
            "--groups": self.shows_groups,
            "--list": self.shows_list,
        }
        return [option for option, is_asked in asked.items() if is_asked]


CONFLICTS: Conflicts[ErrorsOptions] = (
    (
        lambda o: o.chooses and o.tables and not o.list_ and not o.groups,
        "--type and --where choose errors of --list, not of --tables",
    ),
    (
        lambda o: len(o.shown) > 1 and o.format != "json",
        lambda o: f"choose one of {', '.join(o.shown)}",
    ),
    (
        lambda o: o.shows_groups and o.format != "table",
        lambda o: f"--groups are not printed as {o.format}",
    ),
    (
        lambda o: o.shows_list and o.format in ("markdown", "latex"),
        "--list is printed as table, json, jsonl or csv",
    ),
    (
        lambda o: o.chooses and not (o.shows_list or o.shows_groups),
        "--type and --where choose errors: add --list or --groups",
    ),
    (
        lambda o: o.impact and o.format == "csv" and o.shown == ["--tables"],
        "--impact is not printed with --tables as csv",
    ),
    (
        lambda o: o.impact and o.format != "json" and o.shown not in ([], ["--tables"]),
        lambda o: f"--impact is not printed with {o.shown[0]} but as json",
    ),
    (
        lambda o: o.metrics and not o.impact and GAINS_TABLE not in o.tables,
        "--metrics are those of --impact and of Table 10",
    ),
)


@takes(ErrorsOptions, CONFLICTS)
def command(options: ErrorsOptions) -> int:
    """Find the errors of one or more RESPONSEs: what is wrong, and what it costs.

    Transforms each response into the KEY and counts seven types of errors (Kummerfeld & Klein
    2013). --tables prints the tables of the paper, --groups shows the entities that are confused,
    --list every error with its properties; --type and --where choose some of them.

    \b
    Examples:
      corefscope errors gold.conll system.conll
      corefscope errors gold.conll a=run1.conll b=run2.conll --tables all --format markdown
      corefscope errors gold.conll system.conll --groups --type missing_mention
      corefscope errors gold.conll system.conll --list --where text=it --format jsonl
      corefscope errors gold.conll system.conll --impact --corrected corrected/
    """
    from corefscope.cli.running.errors import run

    return run(options)
