"""``corefscope schema``: what is in a JSON result?"""

from __future__ import annotations

import click

from corefscope.cli.common import emit, output_option, reports_errors


@click.command("schema")
@click.argument("result", required=False)
@output_option
@reports_errors
def command(result: str | None, output: str | None) -> None:
    """Print the JSON Schema of a RESULT, or list the results.

    Every JSON result names its schema: "schema": "score/1" is version 1 of score.

    \b
    Examples:
      corefscope schema
      corefscope schema score
      corefscope schema errors -o errors.schema.json
    """
    from corefscope.serialization.common import as_json
    from corefscope.serialization.schema import RESULTS, about, schema_id, schema_of

    if result is not None:
        emit(as_json(schema_of(result)) + "\n", output)
        return
    names = {schema_id(name): about(name) for name in RESULTS}
    width = max(map(len, names))
    emit("".join(f"{id:<{width}}  {text}\n" for id, text in names.items()), output)
