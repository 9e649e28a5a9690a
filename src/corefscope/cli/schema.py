"""Options of ``corefscope schema``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.cli.parameters import OUTPUT
from corefscope.cli.typed import command_of


class SchemaOptions(Struct, frozen=True, kw_only=True):
    """Print the JSON Schema of a RESULT, or list the results.

    Every JSON result names its schema: "schema": "score/1" is version 1 of score.

    \b
    Examples:
      corefscope schema
      corefscope schema score
      corefscope schema errors -o errors.schema.json
    """

    result: Annotated[str | None, click.Argument(["result"], required=False)]
    output: Annotated[str | None, OUTPUT]


command = command_of(SchemaOptions)
