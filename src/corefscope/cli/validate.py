"""Options of ``corefscope validate``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Struct

from corefscope.cli.parameters import FILES, INPUT_FORMAT, OUTPUT, FileReading, format_option
from corefscope.cli.typed import command_of

ValidateFormat: TypeAlias = Literal["text", "json"]


class ValidateOptions(Struct, frozen=True, kw_only=True):
    """List the errors and warnings of files.

    Errors prevent scoring: the exit status is 3 if there are any. The documentation explains every
    code.

    \b
    Examples:
      corefscope validate system.conll
      corefscope validate gold/ system/ --format json
    """

    files: Annotated[tuple[str, ...], FILES]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    format: Annotated[ValidateFormat, format_option(ValidateFormat, "text")]
    output: Annotated[str | None, OUTPUT]


command = command_of(ValidateOptions)
