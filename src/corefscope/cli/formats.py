"""Options of ``corefscope formats``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.cli.parameters import OUTPUT
from corefscope.cli.typed import command_of


class FormatsOptions(Struct, frozen=True, kw_only=True):
    """List the formats of files; with NAME, describe one of them.

    Formats are recognised by the content of a file, so you rarely need their names.

    \b
    Examples:
      corefscope formats
      corefscope formats brat
    """

    name: Annotated[str | None, click.Argument(["name"], required=False)]
    output: Annotated[str | None, OUTPUT]


command = command_of(FormatsOptions)
