"""``corefscope schema``: what is in a JSON result?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import click

from corefscope.cli.parameters import OUTPUT
from corefscope.cli.typed import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaOptions:
    """What ``schema`` takes."""

    result: Annotated[str | None, click.Argument(["result"], required=False)]
    output: Annotated[str | None, OUTPUT]


@takes(SchemaOptions)
def command(options: SchemaOptions) -> int:
    """Print the JSON Schema of a RESULT, or list the results.

    Every JSON result names its schema: "schema": "score/1" is version 1 of score.

    \b
    Examples:
      corefscope schema
      corefscope schema score
      corefscope schema errors -o errors.schema.json
    """
    from corefscope.cli.running.schema import run

    return run(options)
