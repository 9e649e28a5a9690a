"""Options of ``corefscope errors``."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

import click
from msgspec import Struct

from corefscope.choices import AnalysisOptions, Singletons
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    KEY,
    LAYOUT,
    LAYOUTS,
    MATCHING,
    OUTPUT,
    PROFILE,
    RESPONSES,
    DocumentsOutput,
    Layout,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes, requires

ErrorsFormat: TypeAlias = Literal["table", "json", "jsonl", "csv", "markdown", "latex"]
Mode: TypeAlias = Literal["standard", "berkeley"]
LAST_TABLE = 11
GAINS_TABLE = 10
"""The table of the paper with the gains of corrections."""


def _numbers(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Parse a list of tables such as ``1,3-5`` or ``all``."""
    if text is None:
        return ()
    if text.strip() == "all":
        return tuple(range(1, LAST_TABLE + 1))
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= LAST_TABLE:
            raise click.UsageError(f"no table {part.strip()!r}; expected 1 to {LAST_TABLE}")
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


class CountingParameters(Struct, frozen=True, kw_only=True):
    """How to count errors."""

    mode: Annotated[
        Mode,
        option(
            "--mode",
            type=choice(Mode),
            default="standard",
            help="Rules of counting; berkeley gives the counts of the published tool.",
        ),
    ]
    singletons: Annotated[Singletons | None, singletons_option("drop")]


class ErrorsOptions(Struct, frozen=True, kw_only=True):
    """Find the errors of one or more RESPONSEs and what they cost.

    Transforms each response into the KEY and counts errors of seven types (Kummerfeld & Klein
    2013). --tables prints the tables of the paper, --groups shows entities that are confused with
    each other, --list prints every error. --type and --where select errors.

    \b
    Examples:
      corefscope errors gold.conll system.conll
      corefscope errors gold.conll a=run1.conll b=run2.conll --tables all --format markdown
      corefscope errors gold.conll system.conll --groups --type missing_mention
      corefscope errors gold.conll system.conll --list --where text=it --format jsonl
      corefscope errors gold.conll system.conll --impact --corrected corrected/
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    tables: Annotated[
        tuple[int, ...],
        option(
            "--tables",
            metavar="LIST",
            callback=_numbers,
            help="Print tables of the paper by number, such as 1,3-5, or all.",
        ),
    ]
    groups: Annotated[
        bool, flag("--groups", help="Show groups of confused entities with their mentions.")
    ]
    list_: Annotated[bool, flag("--list", "list_", help="List every error.")]
    types: Annotated[
        tuple[str, ...],
        option(
            "--type",
            "types",
            metavar="TYPE",
            multiple=True,
            help="Select errors of this type, such as missing_mention; may be repeated.",
        ),
    ]
    where: Annotated[
        tuple[str, ...],
        option(
            "--where",
            metavar="CONDITION",
            multiple=True,
            help="Select errors by a property: text=it, mention_type=name, size>=3, text~mayor; "
            "may be repeated.",
        ),
    ]
    impact: Annotated[
        bool, flag("--impact", help="Measure the gain of correcting each type of error.")
    ]
    corrected: Annotated[
        str | None,
        option(
            "--corrected",
            metavar="DIR",
            type=DocumentsOutput(),
            help="Write corrected responses to this folder.",
        ),
    ]
    metrics: Annotated[
        str | None, option("--metrics", metavar="LIST", help="Metrics of --impact (default: all).")
    ]
    cost: Annotated[
        str,
        option(
            "--cost",
            metavar="METRIC",
            default="conll",
            help="Metric by which the costliest entities are ranked.",
        ),
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=5,
            help="How many of the costliest entities to show.",
        ),
    ]
    rules: CountingParameters
    profile: Annotated[str | None, PROFILE]
    matching: Annotated[AnalysisOptions, MATCHING]
    document: Annotated[str | None, DOCUMENT]
    layout: Annotated[Layout, LAYOUT]
    caption: Annotated[bool, CAPTION]
    format: Annotated[ErrorsFormat, format_option(ErrorsFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]

    @property
    def selects(self) -> bool:
        """Whether only some errors are wanted."""
        return bool(self.types or self.where)

    @property
    def shows_list(self) -> bool:
        """Whether errors are listed."""
        return self.list_ or self.format == "jsonl" or (self.selects and self.format == "csv")

    @property
    def shows_groups(self) -> bool:
        """Whether groups of confused entities are shown."""
        is_default = self.selects and not self.shows_list and self.format == "table"
        return self.groups or is_default

    @property
    def shown(self) -> list[str]:
        """The options that replace the overview."""
        asked = {
            "--tables": bool(self.tables),
            "--groups": self.shows_groups,
            "--list": self.shows_list,
        }
        return [option for option, is_asked in asked.items() if is_asked]


def _printed_otherwise(options: ErrorsOptions) -> str:
    """Say what is printed in no such format."""
    shown, format = options.shown, options.format
    if options.selects and options.tables and not (options.list_ or options.groups):
        return "--type and --where cannot be combined with --tables; use --list or --groups"
    if options.selects and not (options.shows_list or options.shows_groups):
        return "--type and --where select errors; add --list or --groups"
    if len(shown) > 1 and format != "json":
        return f"choose one of {', '.join(shown)}"
    if options.impact and format == "csv" and shown == ["--tables"]:
        return "--impact cannot be combined with --tables in --format csv"
    if options.impact and format != "json" and shown not in ([], ["--tables"]):
        return f"--impact can be combined with {shown[0]} only in --format json"
    if options.metrics and not options.impact and GAINS_TABLE not in options.tables:
        return "--metrics requires --impact or --tables 10"
    return ""


CONFLICTS: Conflicts[ErrorsOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--tables", "--groups", "--list", "--type", "--where", "--impact"),
    excludes("--impact", "--type", "--where"),
    requires("--groups", "--format table"),
    excludes("--list", "--format markdown", "--format latex"),
    _printed_otherwise,
)


command = command_of(ErrorsOptions, CONFLICTS)
