"""``corefscope schema``."""

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


def run(options: SchemaOptions) -> int:
    """Print the schema of a result, or list the results."""
    from corefscope.cli.printing import emit_json, emit_lines
    from corefscope.schemas import RESULTS, meaning, schema_id, schema_of

    if options.result is not None:
        emit_json(schema_of(options.result), options.output)
        return 0
    names = {schema_id(name): meaning(name) for name in RESULTS}
    width = max(map(len, names))
    lines = (f"{id:<{width}}  {text}" for id, text in names.items())
    emit_lines(lines, options.output, hanging=" " * (width + 2))
    return 0


command = command_of(SchemaOptions, run)
