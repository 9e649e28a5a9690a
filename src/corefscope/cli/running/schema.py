"""Run ``corefscope schema``."""

from __future__ import annotations

from corefscope.cli.printing import emit, emit_json
from corefscope.cli.schema import SchemaOptions
from corefscope.schemas import RESULTS, meaning, schema_id, schema_of


def run(options: SchemaOptions) -> int:
    """Print the schema of a result, or list the results."""
    if options.result is not None:
        emit_json(schema_of(options.result), options.output)
        return 0
    names = {schema_id(name): meaning(name) for name in RESULTS}
    width = max(map(len, names))
    emit("".join(f"{id:<{width}}  {text}\n" for id, text in names.items()), options.output)
    return 0
