"""JSON Schema (draft 2020-12) of each result, made from its record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, reduce
from inspect import cleandoc
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from corefscope.agreement.record import AgreementResult
from corefscope.breakdown.record import BreakdownResult
from corefscope.corpus.description import StatsResult
from corefscope.error_analysis.catalogue import members_of
from corefscope.error_analysis.record import ErrorsResult, ListedError
from corefscope.error_analysis.records import RECORDS
from corefscope.exceptions import UnknownName
from corefscope.extending import Registry
from corefscope.formats.native.schema import NativeDocument, document_shape
from corefscope.gate import GateResult
from corefscope.named_entities.record import NecResult
from corefscope.report.record import EntityText, ErrorColumns, ReportText, Summary
from corefscope.results.record import Json, about
from corefscope.scoring.record import ScoreResult
from corefscope.scoring.under_profiles import ProfileScoresResult, ProfilesResult
from corefscope.statistics.record import CompareResult
from corefscope.validation import ValidateResult

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PAGE = (Summary, ErrorColumns, ReportText, EntityText)
"""The types of the data in a report."""
REFERENCE = re.compile(r'"#/\$defs/(\w+)"')

Schema = dict[str, Json]


def _id_of(result: type) -> str:
    (id,) = get_args(get_type_hints(result)["schema"])
    return str(id)


RESULTS: Registry[type] = Registry(
    "RESULTS",
    type,
    (
        *(ScoreResult, BreakdownResult, ErrorsResult, NecResult, CompareResult, AgreementResult),
        *(GateResult, ProfilesResult, ProfileScoresResult, StatsResult, ValidateResult, Summary),
        NativeDocument,
    ),
    lambda result: _id_of(result).partition("/")[0],
)
"""Every result by the name of its schema."""


def schema_id(name: str) -> str:
    """Return the name and version of a schema, such as ``score/1``."""
    return _id_of(_result(name))


def meaning(name: str) -> str:
    """Return a description of a result in one line."""
    return _summary(_result(name))


def schema_of(name: str) -> Schema:
    """Return the JSON Schema of a result.

    Parameters
    ----------
    name
        The name of a result, such as ``"score"``.

    Raises
    ------
    UnknownName
        If there is no such result.
    """
    return {"$schema": DIALECT, "title": schema_id(name), **schema_of_types(_result(name))}


def schema_of_types(*types: type) -> Schema:
    """Return a schema with definitions of these types; the first is the type of the document."""
    schemas, found = msgspec.json.schema_components(
        [*types, *map(_shape, RECORDS)], schema_hook=_of_listed, ref_template="#/$defs/{name}"
    )
    if not types[0].__struct_config__.omit_defaults:  # type: ignore[attr-defined]
        for definition in found.values():
            _require_defaults(definition)
    definitions = used([each.__name__ for each in types], found)
    return {**schemas[0], "$defs": dict(sorted(definitions.items()))}


def _require_defaults(definition: dict[str, Any]) -> None:
    """Require what has a default, because it is always written; what is unset has none."""
    fields = definition.get("properties", {})
    required = {*definition.get("required", ()), *(n for n, f in fields.items() if "default" in f)}
    if fields:
        definition["required"] = [name for name in fields if name in required]
    for field in fields.values():
        field.pop("default", None)


def used(names: Iterable[str], definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return some definitions, with those that they refer to."""
    used: dict[str, Schema] = {}
    left = list(names)
    while left:
        name = left.pop()
        if name not in used:
            used[name] = definitions[name]
            left += REFERENCE.findall(json.dumps(definitions[name]))
    return used


def _of_listed(kind: type) -> Schema:
    """Return the schema of an error, which has the properties of its class."""
    assert kind is ListedError, kind
    return {"anyOf": [{"$ref": f"#/$defs/{each.__name__}"} for each in RECORDS]}


@cache
def _shape(record: type) -> type:
    """Return a record with the properties that a class declares as its fields."""
    members = members_of(record).items()
    fields = [(name, Annotated[_shaped(hint), about(said)]) for name, (hint, said) in members]
    made = msgspec.defstruct(record.__name__, fields, kw_only=True, forbid_unknown_fields=True)
    made.__doc__ = record.__doc__
    return made


def _shaped(hint: Any) -> Any:
    """Return a type with shapes in place of the classes that declare properties."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _shape(hint)
    inner = tuple(map(_shaped, get_args(hint)))
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return reduce(or_, inner)
    return origin[inner] if origin is tuple else hint


def _result(name: str) -> type:
    if name not in RESULTS:
        raise UnknownName("result", name, RESULTS)
    return document_shape() if name == "corpus" else RESULTS[name]


def _summary(type: type) -> str:
    return cleandoc(type.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
