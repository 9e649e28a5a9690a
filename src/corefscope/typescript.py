"""TypeScript types for the scripts of the report, made from the schema of its data.

The scripts refer to them as ``import("../types.js").Summary``. To update them::

    python -m corefscope.typescript > src/corefscope/report/static/types.d.ts
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from corefscope.results.record import Json
from corefscope.schemas import PAGE, Schema, schema_of_types, used

HEADING = "// Made by corefscope.typescript from records; do not edit.\n"
NAMES = {"integer": "number"}
"""Types of JSON Schema that have another name in TypeScript."""
OF_PAGE: Mapping[str, tuple[str, ...]] = {
    "ScoreResult": (),
    "CompareResult": (),
    "ScoredSystem": (),
    "AnalysedSystem": ("dearest", "before", "impact", "actions"),
    "ErrorsResult": (),
    "NecSystem": ("detail", "combined"),
    "NecResult": (),
}
"""The optional fields that results always have in a report; they never have any other."""


def page_types() -> str:
    """Return a declaration for each type of object in a report."""
    definitions = cast(Mapping[str, Schema], page_schema()["$defs"])
    return "\n".join([HEADING, *(_declared(name, each) for name, each in definitions.items())])


def page_schema() -> Schema:
    """Return the schema of a report, with only the fields that occur in it."""
    schema = schema_of_types(*PAGE)
    every = cast(dict[str, Schema], schema["$defs"])
    for name, optional in OF_PAGE.items():
        every[name] = _with_fields(every[name], optional)
    names = [each.__name__ for each in PAGE]
    return {**schema, "$defs": dict(sorted(used(names, every).items()))}


def _with_fields(schema: Schema, optional: tuple[str, ...]) -> Schema:
    """Return the schema of an object, with these optional fields made required."""
    required = [*cast(list[str], schema["required"]), *optional]
    properties = cast(Mapping[str, Schema], schema["properties"])
    kept = {name: each for name, each in properties.items() if name in required}
    return {**schema, "properties": kept, "required": required}


def _declared(name: str, schema: Schema) -> str:
    comment = f"/** {schema['description']} */\n"
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    return f"{comment}export interface {name} {{\n{''.join(_fields(schema))}}}\n"


def _fields(schema: Schema) -> Iterator[str]:
    required = cast(list[str], schema["required"])
    for name, each in cast(Mapping[str, Schema], schema["properties"]).items():
        if "description" in each:
            yield f"  /** {each['description']} */\n"
        yield f"  {name}{'' if name in required else '?'}: {_type(each)};\n"


def _type(schema: Schema) -> str:
    """Return the type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(map(_type, _schemas(schema["anyOf"])))
    if "const" in schema or "enum" in schema:
        values = cast(list[Json], schema.get("enum", [schema.get("const")]))
        return " | ".join(map(json.dumps, values))
    if schema["type"] == "array":
        return _array(schema)
    if schema["type"] == "object":
        return _object(schema)
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(dict.fromkeys(NAMES.get(str(name), str(name)) for name in names))


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, _schemas(schema['prefixItems'])))}]"
    inner = _type(cast(Schema, schema["items"]))
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def _object(schema: Schema) -> str:
    """Return the type of a mapping; all other objects are definitions."""
    names = _type(cast(Schema, schema.get("propertyNames", {"type": "string"})))
    return f"Record<{names}, {_type(cast(Schema, schema['additionalProperties']))}>"


def _schemas(value: Json) -> list[Schema]:
    return cast(list[Schema], value)


if __name__ == "__main__":
    print(page_types(), end="")
