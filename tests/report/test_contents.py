"""What the page gets: complete, in one order, and equal to what the other rooms know."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis.changes import changes
from corefscope.error_analysis.selection import Condition, select
from corefscope.report import Contents, title_of
from corefscope.report.record import pack
from corefscope.results.record import as_json
from report.error_table import Table
from report.report_pages import chunk_of, unpacked, write_report


@pytest.fixture(scope="module")
def contents() -> Contents:
    evaluation = cs.evaluate(KEY, RESPONSES)
    return Contents(evaluation=evaluation, title=title_of(evaluation), command="again")


@pytest.fixture(scope="module")
def summary(contents: Contents) -> Any:
    return json.loads(as_json(contents.summary()))


@pytest.fixture(scope="module")
def errors(contents: Contents) -> Any:
    return json.loads(as_json(contents.errors()))


@pytest.fixture(scope="module")
def documents(contents: Contents) -> Any:
    return [unpacked(each) for each in contents.documents()]


def test_counts_are_those_of_the_analyses(contents: Contents, errors: Any) -> None:
    counts = Counter(zip(errors["system"], errors["type"], strict=True))
    for number, system in enumerate(contents.systems):
        assert {t: counts[number, t] for t in system.errors.errors} == system.errors.errors
    assert sum(counts.values()) == sum(len(s.errors.records) for s in contents.systems)


def test_costs_are_those_of_the_analyses(contents: Contents, documents: Any) -> None:
    for number, system in enumerate(contents.systems):
        costs = system.errors.costliest_entities("conll", None)
        expected = {(cost.document, cost.entity): cost.share for cost in costs}
        found = {
            (document["name"], entity["name"]): cost
            for document in documents
            for entity, cost in (
                *((each, each["cost"][number]) for each in document["key"]),
                *((each, each["cost"]) for each in document["systems"][number]["entities"]),
            )
        }
        assert {place: cost for place, cost in found.items() if cost} == expected


def test_every_row_is_of_its_document_and_system(
    contents: Contents, errors: Any, documents: Any
) -> None:
    records = [error for system in contents.systems for error in system.errors.records]
    counts = [len(system.errors.records) for system in contents.systems]
    assert errors["system"] == [number for number, count in enumerate(counts) for _ in range(count)]
    assert errors["id"] == [record.id for record in records]
    names = [documents[number]["name"] for number in errors["document"]]
    assert names == [record.document for record in records]


def test_error_is_in_its_document_with_its_words(errors: Any, documents: Any) -> None:
    for row, number in enumerate(errors["document"]):
        words = documents[number]["words"]
        start, end = errors["start"][row], errors["end"][row]
        assert 0 <= start <= end < len(words)
        assert errors["text"][row] == " ".join(words[start : end + 1])


def spans(entity: dict[str, Any]) -> set[tuple[int, int]]:
    return {(first, last) for first, last, *_ in entity["mentions"]}


def test_equal_entities_are_aligned(documents: Any) -> None:
    for document in documents:
        places = {frozenset(spans(entity)): i for i, entity in enumerate(document["key"])}
        for system in document["systems"]:
            for entity in system["entities"]:
                place = places.get(frozenset(spans(entity)))
                assert place is None or entity["key"] == place


def test_documents_in_order_of_the_key(contents: Contents, summary: Any, documents: Any) -> None:
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


def test_mentions_of_the_systems_are_all_there(contents: Contents, documents: Any) -> None:
    for number, name in enumerate(RESPONSES):
        response = cs.read(RESPONSES[name])
        for document in documents:
            shown = Counter(frozenset(spans(e)) for e in document["systems"][number]["entities"])
            written = Counter(
                frozenset((mention.start, mention.end) for mention in entity)
                for entity in response[document["name"]].entities
            )
            assert shown == written


def test_summary(contents: Contents, summary: Any) -> None:
    assert [system["letter"] for system in summary["systems"]] == ["A", "B", "C"]
    for file, path in zip(summary["files"], [KEY, *RESPONSES.values()], strict=True):
        data = path.read_bytes()
        assert (file["path"], file["bytes"]) == (str(path), len(data))
        assert file["sha256"] == sha256(data).hexdigest()
    assert [each["name"] for each in summary["comparison"]["systems"]] == list(RESPONSES)
    assert [each["name"] for each in summary["errors"]["systems"]] == list(RESPONSES)
    for shown, system in zip(summary["errors"]["systems"], contents.systems, strict=True):
        assert shown["errors"] == system.errors.errors
    assert summary["command"] == "again"


def test_document_score_is_that_of_the_document(summary: Any) -> None:
    key = cs.read(KEY)
    for number, path in enumerate(RESPONSES.values()):
        scores = cs.score(key, cs.read(path))
        for document, alone in zip(summary["documents"], scores.per_document, strict=True):
            assert document["name"] == alone.document
            assert document["conll"][number] == pytest.approx(alone.conll)
            b3 = alone.metrics["b3"]
            assert document["b3"][number] == [b3.recall, b3.precision]


def test_changes_are_what_compare_tells(contents: Contents, summary: Any) -> None:
    names = list(RESPONSES)
    analyses = [cs.analyze(KEY, RESPONSES[name]) for name in names]
    firsts = [sum(len(a.records) for a in analyses[:place]) for place in range(len(names))]
    pairs = [(change["before"], change["after"]) for change in summary["changes"]]
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    for change, (one, other) in zip(summary["changes"], pairs, strict=True):
        told = changes(analyses[one], analyses[other])
        assert change["counts"] == told.counts.figures
        for marks, place, sign, errors in (
            (change["of_before"], one, "-", told.fixed),
            (change["of_after"], other, "+", told.broken),
        ):
            records = analyses[place].records
            assert len(marks) == len(records)
            assert [records[i].id for i, m in enumerate(marks) if m == sign] == [
                error.id for error in errors
            ]
        assert change["of_after"].count("=") == told.counts.unchanged
        shown = [
            [[records[row - firsts[place]].id for row in rows] for records, place, rows in sides]
            for exchange in change["exchanges"]
            for sides in [
                [
                    (analyses[one].records, one, exchange[0]),
                    (analyses[other].records, other, exchange[1]),
                ]
            ]
        ]
        assert shown == [
            [[error.id for error in side] for side in (each.before, each.after)]
            for each in told.differently
        ]


def test_text_without_words() -> None:
    key = cs.Corpus.from_clusters({"d": [[(0, 0), (2, 2)]]})
    far = cs.Corpus.from_clusters({"d": [[(0, 0), (50, 51)]]})
    contents = Contents(evaluation=cs.evaluate(key, {"near": key, "far": far}), title="")
    (document,) = map(unpacked, contents.documents())
    assert len(document["words"]) == 52 and not document["has_text"]


def test_document_counts(tmp_path: Path) -> None:
    """A mention in two entities counts once; of offsets alone nobody knows how long a text is."""
    twice = tmp_path / "twice.json"
    twice.write_text(json.dumps({"d": [[[0, 0], [2, 2]], [[2, 2], [4, 4]]]}))
    report = write_report(tmp_path / "r.html", twice, twice)
    summary, text = (chunk_of(report, chunk) for chunk in ("summary", "document-0"))
    (document,) = summary["documents"]
    shown = [len(entity["mentions"]) for entity in text["key"]]
    assert (document["mentions"], document["entities"]) == (sum(shown), len(shown)) == (3, 2)
    assert document["tokens"] is None


def test_what_is_found_is_told_once(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    record = {
        "doc_key": "d",
        "sentences": [["Ann", "saw", "Ann", "."]],
        "clusters": [[[0, 0], [2, 2]], [[2, 2], [3, 3]]],
        "ner": [[[0, 0, "PERSON"]]],
    }
    key.write_text(json.dumps(record))
    summary = chunk_of(write_report(tmp_path / "r.html", key, key), "summary")
    assert summary["nec"] is not None
    places = [(f["code"], f["file"], f["line"], f["message"]) for f in summary["findings"]]
    assert "W108" in {code for code, *_ in places}
    assert len(set(places)) == len(places)


def test_names_from_file_reach_the_errors(tmp_path: Path) -> None:
    key, other, names = (tmp_path / name for name in ("key.jsonl", "other.jsonl", "names.json"))
    words = ["Ann", "slept", ".", "She", "woke", "."]
    record = {"doc_key": "(d); part 000", "sentences": [words]}
    key.write_text(json.dumps({**record, "clusters": [[[0, 0], [3, 3]]]}))
    # The names of the response are not those of the key, and no longer used.
    ner = [[[0, 0, "ORG"]]]
    other.write_text(json.dumps({**record, "clusters": [[[1, 1], [4, 4]]], "ner": ner}))
    names.write_text(json.dumps({"d_0": [[0, 0, "PERSON"], [40, 41, "GPE"]]}))
    page = write_report(tmp_path / "with.html", key, other, "--names", names)
    summary, errors = chunk_of(page, "summary"), chunk_of(page, "errors")
    assert "PERSON" in errors["entity_type"] and "ORG" not in errors["entity_type"]
    (system,) = summary["errors"]["systems"]
    assert system["sources"]["names"] == 1 and system["sources"]["from_response"] == {}
    assert system["signature"].endswith("|names:given")
    codes = [finding["code"] for finding in summary["findings"]]
    assert "named entities" not in str(summary["findings"])
    assert codes.count("W209") == codes.count("W407") == 1
    digest = sha256(names.read_bytes()).hexdigest()
    assert [file["role"] for file in summary["files"]] == ["key", "response", "names"]
    assert summary["files"][-1] == {
        "role": "names",
        "name": "named entities",
        "path": str(names),
        "bytes": names.stat().st_size,
        "sha256": digest,
    }


def test_what_is_packed_is_read_back(documents: Any) -> None:
    hostile = {"words": ["</script>", "\ud800", "👩‍👧", "مرحبا"]}
    for value in (documents[0], hostile):
        assert unpacked(pack(value)) == value


COMMON = (
    *("type", "mention_type", "entity_type", "entity", "text", "title"),
    *("sentence", "distance", "size", "group", "start", "end", "other"),
)
"""Properties that the table of the report and the lists of the command have in common."""


@pytest.mark.parametrize("number", range(len(RESPONSES)))
def test_report_and_conditions_choose_the_same_errors(
    contents: Contents, errors: Any, number: int
) -> None:
    """For every value that a property has in the report."""
    records = contents.systems[number].errors.records
    rows = [row for row, system in enumerate(errors["system"]) if system == number]
    for name in COMMON:
        shown: dict[Any, list[str]] = {}
        for row in rows:
            value = errors[name][row]
            folded = value.lower() if isinstance(value, str) else value
            shown.setdefault(folded, []).append(errors["id"][row])
        for value, ids in shown.items():
            condition = Condition.parse(f"{name}={'null' if value is None else value}")
            found = [error.id for error in select(records, where=[condition])]
            # Only parts have another entity; the table of the report has a column for it.
            assert found == (ids if (name, value) != ("other", None) else []), condition


CONDITIONS = {
    "first of its entity": ["distance=null"],
    "up to 10 tokens": ["distance<=10"],
    "11–50": ["distance>10", "distance<=50"],
    "51–200": ["distance>50", "distance<=200"],
    "more than 200": ["distance>200"],
    "1": ["size=1"],
    "2": ["size=2"],
    "3–5": ["size>=3", "size<=5"],
    "6–10": ["size>=6", "size<=10"],
    "more than 10": ["size>10"],
}
"""Values of facets that are ranges of numbers."""


def test_facet_counts_equal_listed_errors(summary: Any, errors: Any) -> None:
    table = Table(summary, errors)
    number = list(RESPONSES).index("sieve")
    rows = [row for row in table.rows if errors["system"][row] == number]
    counted = {}
    for facet in ("type", "mention_type", "entity_type", "distance", "size"):
        values = table.values(facet)
        for value, count in Counter(values[row] for row in rows).items():
            where = CONDITIONS.get(value, [f"{facet}={value}"])
            chosen = [part for condition in where for part in ("--where", condition)]
            arguments = ["errors", str(KEY), str(RESPONSES["sieve"]), *chosen]
            listed = CliRunner().invoke(main, [*arguments, "--format", "jsonl"])
            assert len(listed.stdout.splitlines()) == count, (facet, value)
            counted[value] = count
    assert counted["pronoun"] == 80, "not only the 18 that are extra or missing mentions"
