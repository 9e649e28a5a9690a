"""JSON Schema (draft 2020-12) of each result, made from its TypedDict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from inspect import cleandoc
from types import NoneType, UnionType
from typing import (
    Annotated,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import Struct, field

from corefscope.error_analysis.catalogue import members_of
from corefscope.exceptions import UnknownName
from corefscope.extending import Registry
from corefscope.formats.native.schema import NativeDocument, document_shape
from corefscope.serialization.agreement import AgreementResult
from corefscope.serialization.breakdown import BreakdownResult
from corefscope.serialization.common import Json, Shape
from corefscope.serialization.compare import CompareResult
from corefscope.serialization.errors import ErrorsResult
from corefscope.serialization.gate import GateResult
from corefscope.serialization.named_entities import NecResult
from corefscope.serialization.profiles import ProfileScoresResult, ProfilesResult
from corefscope.serialization.report import EntityText, ErrorColumns, ReportText, Summary
from corefscope.serialization.score import ScoreResult
from corefscope.serialization.stats import StatsResult
from corefscope.serialization.validate import ValidateResult

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PAGE = (Summary, ErrorColumns, ReportText, EntityText)
"""The types of the data in a report."""
PLAIN: Mapping[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}

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


def about(name: str) -> str:
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
    definitions = Definitions()
    first, *_ = [definitions.schema(each) for each in types]
    return {**first, "$defs": dict(sorted(definitions.found.items()))}


def _result(name: str) -> type:
    if name not in RESULTS:
        raise UnknownName("result", name, RESULTS)
    return document_shape() if name == "corpus" else RESULTS[name]


def _summary(type: type) -> str:
    return cleandoc(type.__doc__ or "").partition("\n\n")[0].replace("\n", " ")


class Definitions(Struct):
    """Make schemas of types; classes become definitions that schemas refer to."""

    found: dict[str, Schema] = field(default_factory=dict)
    types: dict[str, type] = field(default_factory=dict)
    """The class of each definition, to detect two classes with the same name."""

    def schema(self, hint: object) -> Schema:
        """Return the schema of a type."""
        origin = get_origin(hint)
        if hint is object:
            return {}
        if hint in PLAIN:
            return {"type": PLAIN[hint]}
        if origin in MAKERS:
            return MAKERS[origin](self, hint)
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return self._defined(hint, lambda: {"enum": [each.value for each in hint]})
        if isinstance(hint, type):
            return self._defined(hint, lambda: self._object(hint))
        raise TypeError(f"no schema for {hint}")

    def _defined(self, of: type, make: Callable[[], Schema]) -> Schema:
        name = of.__name__
        if self.types.setdefault(name, of) is not of:
            raise TypeError(f"two types of one schema are named {name}")
        if name not in self.found:
            self.found[name] = {}  # A type may refer to itself.
            self.found[name] = {"description": _summary(of), **make()}
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, of: type) -> Schema:
        """Return the schema of a TypedDict or of a class that declares its properties."""
        hints: Mapping[str, object] = get_type_hints(of, include_extras=True)
        if not is_typeddict(of) and (members := members_of(of)):
            hints = {name: Annotated[hint, about] for name, (hint, about) in members.items()}
        return {
            "type": "object",
            "properties": {name: self.schema(hint) for name, hint in hints.items()},
            "required": [n for n, hint in hints.items() if get_origin(hint) is not NotRequired],
            "additionalProperties": False,
        }

    def annotated(self, hint: object) -> Schema:
        """Return the schema of an annotated type: the texts describe it, or a shape replaces it."""
        inner, *notes = get_args(hint)
        texts = [note for note in notes if isinstance(note, str)]
        for shape in (note for note in notes if isinstance(note, Shape)):
            inner = Union[tuple(shape.classes)]  # noqa: UP007 - the classes are not known here
        schema = self.schema(inner)
        return {**schema, "description": texts[-1]} if texts else schema

    def union(self, hint: object) -> Schema:
        """Return the schema of a union."""
        schemas = [self.schema(each) for each in get_args(hint)]
        names = [schema["type"] for schema in schemas if list(schema) == ["type"]]
        if len(names) == len(schemas):
            return {"type": names}
        return {"anyOf": schemas}

    def literal(self, hint: object) -> Schema:
        """Return the schema of a literal type."""
        values = list(get_args(hint))
        return {"const": values[0]} if len(values) == 1 else {"enum": values}

    def array(self, hint: object) -> Schema:
        """Return the schema of a list, or of a tuple of a fixed length."""
        items = get_args(hint)
        if get_origin(hint) in (list, Iterable) or items[-1] is Ellipsis:
            return {"type": "array", "items": self.schema(items[0])}
        schemas = [self.schema(each) for each in items]
        return {"type": "array", "prefixItems": schemas, "items": False, "minItems": len(schemas)}

    def mapping(self, hint: object) -> Schema:
        """Return the schema of a mapping; an enumeration of keys makes all of them required."""
        key, value = get_args(hint)
        schema: Schema = {"type": "object", "additionalProperties": self.schema(value)}
        if isinstance(key, type) and issubclass(key, StrEnum):
            names = [each.value for each in key]
            return {**schema, "propertyNames": self.schema(key), "required": names}
        return schema


MAKERS: Mapping[object, Callable[[Definitions, object], Schema]] = {
    Annotated: Definitions.annotated,
    NotRequired: lambda definitions, hint: definitions.schema(get_args(hint)[0]),
    Union: Definitions.union,
    UnionType: Definitions.union,
    Literal: Definitions.literal,
    list: Definitions.array,
    Iterable: Definitions.array,
    tuple: Definitions.array,
    dict: Definitions.mapping,
    Mapping: Definitions.mapping,
}
"""The functions that make schemas of generic types."""
