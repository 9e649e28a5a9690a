"""The properties of errors are declared once, under one name each."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis.catalogue import Property, PropertyKind, printed, properties_of
from corefscope.error_analysis.records import RECORDS, ErrorRecord, error_properties

COMMON = {
    *("id", "type", "document", "sentence", "left", "text", "right", "start", "end"),
    *("mention_type", "entity_type", "distance", "entity", "label", "title", "group", "size"),
    *("description", "mentions.text", "mentions.start", "mentions.end"),
}


@pytest.fixture(scope="module")
def errors() -> list[ErrorRecord]:
    return [error for path in RESPONSES.values() for error in cs.analyze(KEY, path).records]


def kind_of(each: Property) -> tuple[object, ...]:
    return each.kind, each.choices, each.is_list


def test_property_has_one_kind_of_value() -> None:
    for record in RECORDS:
        for name, each in properties_of(record).items():
            assert kind_of(each) == kind_of(error_properties()[name]), name


def test_every_error_has_the_common_properties() -> None:
    for record in RECORDS:
        assert properties_of(record).keys() >= COMMON
    shared = set.intersection(*(set(properties_of(record)) for record in RECORDS))
    assert shared == COMMON


def test_no_field_of_a_record_is_left_out() -> None:
    for record in RECORDS:
        declared = {name.partition(".")[0] for name in properties_of(record)}
        assert declared >= {field.name for field in fields(record)}


def test_values_are_of_their_kind(errors: list[ErrorRecord]) -> None:
    types = {
        PropertyKind.NUMBER: int,
        PropertyKind.FLAG: bool,
        PropertyKind.CHOICE: str,
        PropertyKind.TEXT: str,
    }
    for error in errors:
        for name, each in properties_of(type(error)).items():
            for value in each.values(error):
                assert each.is_nullable if value is None else isinstance(value, types[each.kind])
                if each.known_values:
                    assert printed(value) in each.known_values, name


def test_json_has_the_same_names_and_values(errors: list[ErrorRecord]) -> None:
    assert {type(error) for error in errors} == set(RECORDS)
    for error in errors:
        record = error.to_dict()
        own = properties_of(type(error))
        assert record.keys() == {name.partition(".")[0] for name in own}
        for name, each in own.items():
            assert flat(record, name.split(".")) == [
                value if value is None or isinstance(value, int) else str(value)
                for value in each.values(error)
            ]


def flat(value: object, path: list[str]) -> list[object]:
    """Return the values of JSON at a path; nothing is one null."""
    if isinstance(value, list):
        return [each for one in value for each in flat(one, path)] or [None]
    if isinstance(value, dict) and path:
        return flat(value[path[0]], path[1:])
    return [value]


def test_a_type_that_is_not_supported_is_refused() -> None:
    @dataclass
    class Wrong:
        share: Annotated[float, "a fraction"]

    with pytest.raises(TypeError, match="share"):
        properties_of(Wrong)


def test_context_is_quoted_with_a_limit(tmp_path: Path) -> None:
    """However long the sentence and the mention are."""
    words = [f"word{number}" for number in range(3000)]
    for name, clusters in (("key", [[[1500, 1600], [2, 2], [2999, 2999]]]), ("response", [])):
        record = {"doc_key": "d", "sentences": [words], "clusters": clusters}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    with pytest.warns(cs.CorefscopeWarning):
        analysis = cs.analyze(tmp_path / "key.jsonl", tmp_path / "response.jsonl")
    (error,) = analysis.records
    assert (error.sentence, error.left, error.text) == (1, "word0 word1", "word2")
    assert error.right.startswith("word3 word4 ") and error.right.endswith("…")
    assert 70 < len(error.left) + len(error.right) <= 100


def test_distance_of_span_error() -> None:
    errors = cs.analyze(KEY, RESPONSES["recency"]).records
    spans = [error for error in errors if error.type == "span_error"]
    later = [error for error in spans if error.distance is not None]
    assert later and len(later) < len(spans)
    for error in later:
        start, distance = error.start, error.distance
        assert start is not None and distance is not None and 0 <= distance <= start
