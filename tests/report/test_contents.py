"""What the page gets: complete, in one order, and equal to what the other rooms know."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis.changes import changes
from corefscope.error_analysis.selection import Condition, select
from corefscope.report import Contents, distributions, title_of
from corefscope.report.distributions import distributions_of
from corefscope.serialization.common import as_json
from corefscope.serialization.errors import change_counts
from corefscope.serialization.report import pack
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


def test_columns_and_ids(errors: Any) -> None:
    assert len({len(column) for column in errors.values()}) == 1
    ids = list(zip(errors["system"], errors["id"], strict=True))
    assert len(set(ids)) == len(ids) > 100


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


def test_aligned_entities_share_a_mention(
    documents: Any,
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


def test_words_around_an_error(errors: Any, documents: Any) -> None:
    whole = 0
    for row, number in enumerate(errors["document"]):
        document = documents[number]
        first, last = document["sentences"][errors["sentence"][row] - 1]
        start, end = errors["start"][row], errors["end"][row]
        assert first <= start <= last
        sentence = " ".join(document["words"][first : max(last, end) + 1])
        left, right = errors["left"][row], errors["right"][row]
        assert sentence.count(errors["text"][row])
        before, after = (
            " ".join(document["words"][first:start]),
            " ".join(document["words"][end + 1 : last + 1]),
        )
        assert before.endswith(left.lstrip("…")) and after.startswith(right.rstrip("…"))
        whole += (left, right) == (before, after)
    assert whole > 100


def test_changes_are_what_compare_tells(contents: Contents, summary: Any) -> None:
    names = list(RESPONSES)
    analyses = [cs.analyze(KEY, RESPONSES[name]) for name in names]
    firsts = [sum(len(a.records) for a in analyses[:place]) for place in range(len(names))]
    pairs = [(change["before"], change["after"]) for change in summary["changes"]]
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    for change, (one, other) in zip(summary["changes"], pairs, strict=True):
        told = changes(analyses[one], analyses[other])
        assert change["counts"] == change_counts(told.counts)
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


def test_resamples_are_counted_where_they_lie(summary: Any) -> None:
    comparison = summary["comparison"]
    for statistic, spread in summary["distributions"].items():
        assert len(spread["systems"]) == len(RESPONSES)
        for system, histogram in zip(comparison["systems"], spread["systems"], strict=True):
            assert sum(histogram["counts"]) == comparison["samples"]
            score = system["scores"][statistic]["value"]
            assert centre(**histogram) == pytest.approx(score, abs=0.03)
        compared = [each for each in comparison["comparisons"] if each["statistic"] == statistic]
        for each, histogram in zip(compared, spread["differences"], strict=True):
            assert sum(histogram["counts"]) == comparison["samples"]
            assert centre(**histogram) == pytest.approx(each["difference"], abs=0.03)


def test_a_histogram_covers_just_its_own_values(contents: Contents) -> None:
    """Rows with one range had bins that reached beyond their values, even across zero."""
    compared = contents.evaluation.comparison
    drawn = compared.resamples
    assert drawn is not None
    # Beside a system of a wide range stands one that is better by a hair, but always.
    narrow = np.stack([drawn[:, 0], drawn[:, 1], drawn[:, 1] + 1e-4], axis=1)
    spread = distributions_of(replace(compared, resamples=narrow))
    assert spread is not None
    values = dict(zip(compared.systems, narrow.transpose(1, 0, 2), strict=True))
    pairs = [d for d in compared.differences if d.statistic == compared.primary]
    of_pairs = spread[compared.primary]["differences"]
    assert of_pairs is not None
    number = compared.statistics.index(compared.primary)
    for pair, histogram in zip(pairs, of_pairs, strict=True):
        own = (values[pair.system] - values[pair.other])[:, number]
        assert (histogram["low"], histogram["high"]) == (own.min(), own.max())
        assert histogram["counts"][0] > 0 and histogram["counts"][-1] > 0
    assert [len(histogram["counts"]) for histogram in of_pairs].count(1) == 1


@pytest.mark.parametrize("spread", [0.0, 1e-17, 3e-16, 1e-12])
def test_equal_values_have_one_bin(contents: Contents, spread: float) -> None:
    compared = contents.evaluation.comparison
    assert compared.resamples is not None
    values = np.full_like(compared.resamples, 0.7)
    values[::2] += spread
    found = distributions_of(replace(compared, resamples=values))
    assert found is not None
    for of_statistic in found.values():
        for histogram in (*of_statistic["systems"], *(of_statistic["differences"] or ())):
            assert histogram["counts"] == [len(values)]


def test_no_histograms_for_many_systems(
    contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributions, "MOST_PAIRS", 2)
    found = distributions_of(contents.evaluation.comparison)
    assert found is not None
    assert all(each["differences"] is None for each in found.values())
    assert all(len(each["systems"]) == len(RESPONSES) for each in found.values())


def centre(low: float, high: float, counts: list[int]) -> float:
    width = (high - low) / len(counts)
    return sum((low + (i + 0.5) * width) * n for i, n in enumerate(counts)) / sum(counts)


def test_costs_are_missing_recall_and_precision(contents: Contents, documents: Any) -> None:
    for number, system in enumerate(contents.systems):
        before = system.impact.before
        for side, part in (("key", "recall"), ("response", "precision")):
            lost = sum(
                entity["cost"][number] if side == "key" else entity["cost"]
                for document in documents
                for entity in (
                    document["key"] if side == "key" else document["systems"][number]["entities"]
                )
            )
            scores = [getattr(before[id], part) for id in ("muc", "b3", "ceafe")]
            assert lost == pytest.approx(1 - sum(scores) / 3)


def test_entity_titles_and_mention_heads(documents: Any) -> None:
    for document in documents:
        for entity in [*document["key"], *document["systems"][0]["entities"]]:
            texts = []
            for first, last, _, head in entity["mentions"]:
                assert first <= head <= last
                texts.append(" ".join(document["words"][first : last + 1]))
            assert entity["title"] in texts


def test_corrections_lead_to_the_key(summary: Any) -> None:
    for system in summary["errors"]["systems"]:
        steps = [gains["step"]["conll"] for gains in system["impact"].values()]
        assert system["before"]["conll"] + sum(steps) == pytest.approx(1)


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


def test_names_may_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    key, names = tmp_path / "key.jsonl", tmp_path / "names.json"
    words = ["Ann", "slept", ".", "She", "woke", "."]
    record = {"doc_key": "d", "sentences": [words], "clusters": [[[0, 0], [3, 3]]]}
    key.write_text(json.dumps(record))
    names.write_text(json.dumps({"d": [[0, 0, "PERSON"]]}))
    without = write_report(tmp_path / "without.html", key, key)
    assert chunk_of(without, "summary")["nec"] is None
    given = write_report(tmp_path / "with.html", key, key, "--names", names)
    summary = chunk_of(given, "summary")
    assert [row["names"] for row in summary["nec"]["systems"][0]["detail"]] == [["Ann"]]
    assert f"--names {names}" in summary["command"]


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
