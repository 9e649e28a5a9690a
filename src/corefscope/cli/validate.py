"""``corefscope validate``: what is wrong with a file?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from corefscope.cli.parameters import FILES, INPUT_FORMAT, OUTPUT, FileReading, format_option
from corefscope.cli.typed import takes

Format: TypeAlias = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOptions:
    """What ``validate`` takes."""

    files: Annotated[tuple[str, ...], FILES]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    format: Annotated[Format, format_option(Format, "text")]
    output: Annotated[str | None, OUTPUT]


@takes(ValidateOptions)
def command(options: ValidateOptions) -> int:
    """List all findings of files: errors, which stop scoring, and warnings.

    The exit status is 3 if there is an error. Every code is explained in the documentation.

    \b
    Examples:
      corefscope validate system.conll
      corefscope validate gold/ system/ --format json
    """
    from corefscope.cli.running.validate import run

    return run(options)
