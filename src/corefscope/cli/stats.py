"""Options of ``corefscope stats``."""

from __future__ import annotations

from typing import Annotated

from corefscope.cli.parameters import (
    FILES,
    INPUT_FORMAT,
    OUTPUT,
    FileReading,
    OutputFormat,
    format_option,
)
from corefscope.cli.typed import command_of
from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOptions:
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
    output: Annotated[str | None, OUTPUT]


command = command_of(StatsOptions)
