"""What the page gets: complete, in one order, and equal to what the other rooms know."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

import corefscope as cs
from corefscope.comparison import make_options
from corefscope.demo import KEY, RESPONSES
from corefscope.report import Contents, Response, collect
from corefscope.report.page import pack


@pytest.fixture(scope="module")
def contents() -> Contents:
    responses = [Response(name, str(path), cs.read(path)) for name, path in RESPONSES.items()]
    return collect(str(KEY), cs.read(KEY), responses, make_options(), command="again")


@pytest.fixture(scope="module")
def summary(contents: Contents) -> dict[str, Any]:
    return contents.summary()


@pytest.fixture(scope="module")
def errors(contents: Contents) -> dict[str, list[Any]]:
    return contents.errors()


@pytest.fixture(scope="module")
def documents(contents: Contents) -> list[dict[str, Any]]:
    return list(contents.documents())


def test_columns_are_of_one_length_and_ids_are_of_one_error(errors: dict[str, list[Any]]) -> None:
    assert len({len(column) for column in errors.values()}) == 1
    ids = list(zip(errors["system"], errors["id"], strict=True))
    assert len(set(ids)) == len(ids) > 100


def test_counts_are_those_of_the_analyses(contents: Contents, errors: dict[str, list[Any]]) -> None:
    counts = Counter(zip(errors["system"], errors["type"], strict=True))
    for number, system in enumerate(contents.systems):
        assert {t: counts[number, t] for t in system.analysis.errors} == system.analysis.errors
    assert sum(counts.values()) == sum(len(s.analysis.records) for s in contents.systems)


def test_every_row_is_of_its_document_and_system(
    contents: Contents, errors: dict[str, list[Any]], documents: list[dict[str, Any]]
) -> None:
    seen: list[int] = []
    for number, document in enumerate(documents):
        for place, system in enumerate(document["systems"]):
            for row in system["errors"]:
                assert (errors["document"][row], errors["system"][row]) == (number, place)
            seen += system["errors"]
    assert sorted(seen) == list(range(len(errors["id"])))
    records = [error for system in contents.systems for error in system.analysis.records]
    assert errors["id"] == [record.id for record in records]
    names = [documents[number]["name"] for number in errors["document"]]
    assert names == [record.document for record in records]


def test_an_error_lies_in_its_document_and_has_its_words(
    errors: dict[str, list[Any]], documents: list[dict[str, Any]]
) -> None:
    for row, number in enumerate(errors["document"]):
        words = documents[number]["words"]
        start, end = errors["start"][row], errors["end"][row]
        assert 0 <= start <= end < len(words)
        assert errors["text"][row] == " ".join(words[start : end + 1])


def spans(entity: dict[str, Any]) -> set[tuple[int, int]]:
    return {(first, last) for first, last, *_ in entity["mentions"]}


def test_aligned_entities_share_a_mention_and_have_one_partner(
    documents: list[dict[str, Any]],
) -> None:
    aligned = 0
    for document in documents:
        for system in document["systems"]:
            partners = [e["key"] for e in system["entities"] if e["key"] is not None]
            assert len(set(partners)) == len(partners)
            aligned += len(partners)
            for entity in system["entities"]:
                if entity["key"] is not None:
                    assert spans(entity) & spans(document["key"][entity["key"]])
    assert aligned > 100


def test_an_entity_of_the_same_mentions_is_aligned_with_it(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        places = {frozenset(spans(entity)): i for i, entity in enumerate(document["key"])}
        for system in document["systems"]:
            for entity in system["entities"]:
                place = places.get(frozenset(spans(entity)))
                assert place is None or entity["key"] == place


def test_documents_are_complete_and_in_the_order_of_the_key(
    contents: Contents, summary: dict[str, Any], documents: list[dict[str, Any]]
) -> None:
    gold = contents.gold
    assert [document["name"] for document in documents] == list(gold.document_names)
    assert [document["name"] for document in summary["documents"]] == list(gold.document_names)
    for document, short in zip(documents, summary["documents"], strict=True):
        original = gold[document["name"]]
        assert document["has_text"] and document["words"] == list(original.words or ())
        assert len(document["words"]) == short["tokens"]
        tokens = [t for first, last in document["sentences"] for t in range(first, last + 1)]
        assert tokens == list(range(len(document["words"])))
        assert len(document["systems"]) == len(contents.systems) == len(short["conll"])
        assert len(document["key"]) == short["entities"]
        assert sum(len(entity["mentions"]) for entity in document["key"]) == short["mentions"]


def test_mentions_of_the_systems_are_all_there(
    contents: Contents, documents: list[dict[str, Any]]
) -> None:
    for number, name in enumerate(RESPONSES):
        response = cs.read(RESPONSES[name])
        for document in documents:
            shown = Counter(frozenset(spans(e)) for e in document["systems"][number]["entities"])
            written = Counter(
                frozenset((mention.start, mention.end) for mention in entity)
                for entity in response[document["name"]].entities
            )
            assert shown == written


def test_the_summary_has_files_letters_and_the_results_of_the_others(
    contents: Contents, summary: dict[str, Any]
) -> None:
    assert [system["letter"] for system in summary["systems"]] == ["A", "B", "C"]
    for file, path in zip(summary["files"], [KEY, *RESPONSES.values()], strict=True):
        data = path.read_bytes()
        assert (file["path"], file["bytes"]) == (str(path), len(data))
        assert file["sha256"] == sha256(data).hexdigest()
    assert [each["name"] for each in summary["comparison"]["systems"]] == list(RESPONSES)
    assert [each["name"] for each in summary["errors"]["systems"]] == list(RESPONSES)
    for shown, system in zip(summary["errors"]["systems"], contents.systems, strict=True):
        assert shown["errors"] == system.analysis.errors
    assert summary["command"] == "again"


def test_a_document_score_is_that_of_the_document_alone(summary: dict[str, Any]) -> None:
    key = cs.read(KEY)
    for number, path in enumerate(RESPONSES.values()):
        scores = cs.score(key, cs.read(path))
        for document, alone in zip(summary["documents"], scores.per_document, strict=True):
            assert document["name"] == alone.document
            assert document["conll"][number] == pytest.approx(alone.conll)


def test_what_is_packed_is_read_back(documents: list[dict[str, Any]]) -> None:
    hostile = {"words": ["</script>", "\ud800", "👩‍👧", "مرحبا"]}
    for value in (documents[0], hostile):
        data = gzip.decompress(b64decode(pack(value))).decode("utf-8", "surrogatepass")
        assert json.loads(data) == value
