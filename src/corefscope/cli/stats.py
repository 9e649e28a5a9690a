"""Options of ``corefscope stats``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from corefscope.cli.parameters import (
    CSV_RAW,
    FILES,
    INPUT_FORMAT,
    OUTPUT,
    RAW,
    FileReading,
    OutputFormat,
    format_option,
)
from corefscope.cli.typed import Conflicts, command_of


class StatsOptions(Struct, frozen=True, kw_only=True):
    """Count documents, tokens, mentions, entities, singletons, sizes, nesting and distances.

    \b
    Examples:
      corefscope stats gold.conll
      corefscope stats gold.conll system.jsonl --format markdown
    """

    files: Annotated[tuple[str, ...], FILES]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[StatsOptions] = (RAW,)

command = command_of(StatsOptions, CONFLICTS)
