"""Errors one by one: JSON lines, CSV, text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis
from corefscope.rendering.errors.listing import Listed, as_jsonl, as_list_csv, as_list_text
from error_examples import NAME, TOWN_A, TOWN_B, TOWN_KEY, analyses, document, phrases, town

COUNTS = {"names": 0, "nominals": 0, "pronouns": 0, "zeros": 0}
PORTION: dict[str, Any] = COUNTS | {"entity_types": [], "numbers": [], "persons": [], "genders": []}
HIM = {"numbers": ["single"], "persons": ["third"], "genders": ["male"]}
HER = {"numbers": ["single"], "persons": ["third"], "genders": ["female"]}

CONFLATED = {
    "id": f"{NAME}/conflated_entities/7-7",
    "type": "conflated_entities",
    "document": NAME,
    "sentence": 2,
    "left": "She liked",
    "right": ".",
    "mention_type": "pronoun",
    "entity_type": None,
    "distance": 4,
    "entity": "R1",
    "label": "1",
    "title": "Anna",
    "group": 0,
    "start": 7,
    "end": 7,
    "text": "him",
    "size": 1,
    "description": "“him” (7) belongs to K2, not with the rest of R1",
    "mentions": [{"start": 7, "end": 7, "text": "him"}],
    "other": "K2",
    "part": PORTION | {"pronouns": 1} | HIM,
    "rest": PORTION | {"names": 2, "pronouns": 1, "entity_types": ["PERSON"]} | HER,
    "rest_is_unmatched": False,
    "cataphoric": 0,
    "same_text": False,
    "same_head": False,
    "later": "merge",
    "earlier": "split",
}
DIVIDED = {
    **CONFLATED,
    "id": f"{NAME}/divided_entity/7-7",
    "type": "divided_entity",
    "entity": "K2",
    "label": "2",
    "title": "the mayor",
    "description": "“him” (7) of K2 is in R1, apart from the rest",
    "other": "R1",
    "rest": PORTION | {"nominals": 2},
}
MISSING_ENTITY = {
    "id": f"{NAME}/missing_entity/12-13",
    "type": "missing_entity",
    "document": NAME,
    "sentence": 3,
    "left": "The mayor saw",
    "right": ".",
    "mention_type": "nominal",
    "entity_type": None,
    "distance": None,
    "entity": "K3",
    "label": "3",
    "title": "a dog",
    "group": 1,
    "start": 12,
    "end": 13,
    "text": "a dog",
    "size": 2,
    "description": "“a dog” (12–13), “It” (15): the response has no mention of K3",
    "mentions": [
        {"start": 12, "end": 13, "text": "a dog"},
        {"start": 15, "end": 15, "text": "It"},
    ],
    "composition": COUNTS | {"nominals": 1, "pronouns": 1},
    "matched": 0,
    "pronoun": "it",
    "entity_types": [],
    "cataphoric": 0,
    "same_text": False,
    "same_head": False,
}
SPAN = {
    "id": f"{NAME}/span_error/13-13",
    "type": "span_error",
    "document": NAME,
    "sentence": 3,
    "left": "The mayor saw a",
    "right": ".",
    "mention_type": "nominal",
    "entity_type": None,
    "distance": None,
    "entity": "R4",
    "label": "3",
    "title": "dog",
    "group": 3,
    "start": 13,
    "end": 13,
    "text": "dog",
    "size": 2,
    "description": "“dog” (13) should be “a dog” (12–13): missing “a” on the left",
    "mentions": [
        {"start": 13, "end": 13, "text": "dog"},
        {"start": 12, "end": 13, "text": "a dog"},
    ],
    "in_parse": True,
    "extra_left": None,
    "missing_left": {"text": "a", "labels": ["DT"]},
    "extra_right": None,
    "missing_right": None,
}
EXTRA_MENTION = {
    "id": f"{NAME}/extra_mention/11-11",
    "type": "extra_mention",
    "document": NAME,
    "sentence": 3,
    "left": "The mayor",
    "right": "a dog .",
    "mention_type": "nominal",
    "entity_type": None,
    "distance": 1,
    "entity": "R3",
    "label": "2",
    "title": "the mayor",
    "group": 2,
    "start": 11,
    "end": 11,
    "text": "saw",
    "size": 1,
    "description": "“saw” (11) in R3 is not a mention of the key",
    "mentions": [{"start": 11, "end": 11, "text": "saw"}],
    "cataphoric": 0,
    "same_text": False,
    "same_head": False,
    "nesting": "none",
    "is_first": False,
    "is_last": True,
    "entity_type_agreement": "unknown",
    "number_agreement": "unknown",
    "person_agreement": "unknown",
    "gender_agreement": "unknown",
}
EXTRA_ENTITY = {
    **MISSING_ENTITY,
    "id": f"{NAME}/extra_entity/1-1",
    "type": "extra_entity",
    "sentence": 1,
    "left": "Anna",
    "right": "the mayor .",
    "entity": "R2",
    "label": "4",
    "title": "met",
    "start": 1,
    "end": 1,
    "text": "met",
    "description": "“met” (1), “liked” (6): the key has no mention of R2",
    "mentions": [
        {"start": 1, "end": 1, "text": "met"},
        {"start": 6, "end": 6, "text": "liked"},
    ],
    "composition": COUNTS | {"nominals": 2},
    "pronoun": None,
}
MISSING_MENTION = {
    **EXTRA_MENTION,
    "id": f"{NAME}/missing_mention/17-17",
    "type": "missing_mention",
    "sentence": 4,
    "left": "It liked",
    "right": ".",
    "mention_type": "name",
    "distance": 12,
    "entity": "K1",
    "label": "1",
    "title": "Anna",
    "group": 0,
    "start": 17,
    "end": 17,
    "text": "Anna",
    "description": "“Anna” (17) of K1 was not found",
    "mentions": [{"start": 17, "end": 17, "text": "Anna"}],
    "same_text": True,
    "same_head": True,
}


@pytest.fixture
def listed(tmp_path: Path) -> Listed:
    a, b = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    return [("a", a.records), ("b", b.records)]


def lines(listed: Listed) -> list[dict[str, Any]]:
    return [json.loads(line) for line in as_jsonl(listed).splitlines()]


def rows(listed: Listed) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_list_csv(listed))))


def test_json_line_has_all_properties(listed: Listed) -> None:
    assert lines(listed) == [
        {"system": "a", **CONFLATED},
        {"system": "a", **DIVIDED},
        {"system": "a", **MISSING_ENTITY},
        {"system": "b", **SPAN},
        {"system": "b", **EXTRA_MENTION},
        {"system": "b", **EXTRA_ENTITY},
        {"system": "b", **MISSING_MENTION},
    ]


def test_a_row_of_csv_has_the_same(listed: Listed) -> None:
    found = rows(listed)
    assert [row["id"] for row in found] == [line["id"] for line in lines(listed)]
    assert [row["system"] for row in found] == ["a"] * 3 + ["b"] * 4
    for row, line in zip(found, lines(listed), strict=True):
        for name, value in flat(line):
            # There is no zero, so that no column counts them.
            assert row.get(name, "0") == value, f"{name} of {row['id']}"


def flat(line: dict[str, Any]) -> list[tuple[str, str]]:
    """What a spreadsheet shows of an error; null is an empty cell."""
    cells: list[tuple[str, str]] = []
    for name, value in line.items():
        if isinstance(value, dict):
            cells += [(f"{name}.{part}", cell(inner)) for part, inner in value.items()]
        elif name == "mentions":
            cells += [(f"{name}.{part}", cell([m[part] for m in value])) for part in value[0]]
        elif f"{name}." not in SPAN_PARTS:
            cells.append((name, cell(value)))
    return cells


SPAN_PARTS = ("extra_left.", "missing_left.", "extra_right.", "missing_right.")


def cell(value: Any) -> str:
    if isinstance(value, list):
        return " | ".join(map(cell, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def test_property_that_a_type_lacks_is_empty(listed: Listed) -> None:
    conflated, _, entity, *_ = rows(listed)
    assert (entity["nesting"], entity["other"], entity["matched"]) == ("", "", "0")
    assert (conflated["other"], conflated["matched"]) == ("K2", "")


def test_csv_has_properties_of_listed_types(listed: Listed) -> None:
    (_, of_a), (_, of_b) = listed
    for errors in ([of_b[0]], [of_b[1]], of_a[:1], of_a[2:], of_b, [*of_a, *of_b]):
        (heading, *_) = csv.reader(io.StringIO(as_list_csv([("x", errors)])))
        known = {name for error in errors for name in error.to_dict()}
        assert {name.partition(".")[0] for name in heading} == known | {"system"}
        assert heading[:4] == ["system", "id", "type", "document"]


def test_cell_of_several_values(tmp_path: Path) -> None:
    """The words that are missing are two constituents."""
    trees = "(NP The/DT old/JJ man/NN)\n(NP he/PRP)"
    key, response = "[1 The old man] [1 he]", "The old [1 man] [1 he]"
    names = "[PERSON The old man] he"
    texts = [document(trees, entities, names) for entities in (key, response)]
    (analysis,) = analyses(tmp_path, *texts)
    (span,) = rows([("a", analysis.records)])
    assert (span["missing_left.text"], span["missing_left.labels"]) == ("the old", "DT | JJ")
    assert (span["text"], span["mentions.text"]) == ("man", "man | The old man")


def test_columns_of_csv_have_each_their_own_name(listed: Listed) -> None:
    (heading, *_) = csv.reader(io.StringIO(as_list_csv(listed)))
    assert len(set(heading)) == len(heading)


@pytest.mark.filterwarnings("ignore:.*W116")
def test_csv_survives_any_word(tmp_path: Path) -> None:
    tree = '(NP say/NN) \n(NP ",;/NN)\n(NP ""/NN)\n(NP é漢/NN)'
    words = 'say ",; "" é漢'
    key = " ".join(f"[1 {word}]" for word in words.split())
    texts = [document(tree, entities, "[X say] " + words[4:]) for entities in (key, words)]
    (analysis,) = analyses(tmp_path, *texts)
    (row,) = rows([("a,b", analysis.records)])
    assert row["system"] == "a,b" and row["text"] == "say"
    (line,) = lines([("a,b", analysis.records)])
    assert [mention["text"] for mention in line["mentions"]] == words.split()


@pytest.mark.parametrize("system", RESPONSES)
def test_lists_of_the_demo(
    system: str,
) -> None:
    analysis = cs.analyze(KEY, RESPONSES[system])
    listed = [(system, analysis.records)]
    total = sum(analysis.errors.values())
    assert len(rows(listed)) == len(lines(listed)) == len(analysis.records) == total
    assert len({line["id"] for line in lines(listed)}) == total


def by_id(analysis: Analysis) -> dict[str, dict[str, Any]]:
    return {error.id: error.to_dict() for error in analysis.records}


def test_order_of_documents_does_not_change_ids(tmp_path: Path) -> None:
    names = ["(x)", "(y)", "(z)"]
    key = [town(TOWN_KEY, name) for name in names]
    response = [
        town(text, name) for text, name in zip((TOWN_A, TOWN_B, TOWN_A), names, strict=True)
    ]
    (straight,) = analyses(tmp_path, "".join(key), "".join(response))
    found = by_id(straight)
    assert len(found) == 3 + 4 + 3
    (turned,) = analyses(tmp_path, "".join(key[::-1]), "".join(response))
    assert by_id(turned) == found
    mixed = response[1] + response[0] + response[2]
    (shuffled,) = analyses(tmp_path, "".join(key), mixed)
    assert by_id(shuffled) == found


def test_text_shows_error_place_and_sentence(tmp_path: Path) -> None:
    (b,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_B))
    assert list(as_list_text([("b", b.records)], [b.matching])) == [
        "Span Error, (d); part 000, 13",
        "  “dog” (13) should be “a dog” (12–13): missing “a” on the left",
        "  The mayor saw a [dog] .",
        "  The mayor saw [a dog] .",
        "",
        "Extra Mention, (d); part 000, 11",
        "  “saw” (11) in R3 is not a mention of the key",
        "  The mayor [saw] a dog .",
        "",
        "Extra Entity, (d); part 000, 1",
        "  “met” (1), “liked” (6): the key has no mention of R2",
        "  Anna [met] the mayor .",
        "  She [liked] him .",
        "",
        "Missing Mention, (d); part 000, 17",
        "  “Anna” (17) of K1 was not found",
        "  It liked [Anna] .",
        "",
    ]


@pytest.mark.filterwarnings("ignore:.*W116")
def test_three_of_many_mentions_are_shown(tmp_path: Path) -> None:
    (analysis,) = analyses(tmp_path, *phrases("Rome/NNP  GPE  1  -\n" * 5))
    text = list(as_list_text([("a", analysis.records)], [analysis.matching]))
    assert text.count("  [Rome]") == 3


def test_text_of_several_systems_names_them(tmp_path: Path) -> None:
    a, b = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    listed = [("a", a.records), ("b", b.records)]
    text = list(as_list_text(listed, [a.matching, b.matching]))
    assert "a: Missing Entity, (d); part 000, 12–13" in text
    assert "b: Span Error, (d); part 000, 13" in text


def test_size_is_the_number_of_mentions(tmp_path: Path) -> None:
    """Of Rome, Rome and it the response has the pronoun; two mentions are missing."""
    sides = "Rome/NNP  GPE  1  -\nRome/NNP  GPE  1  -\nit/PRP  -  1  1\nshe/PRP  -  -  1"
    (analysis,) = analyses(tmp_path, *phrases(sides))
    found = lines([("a", analysis.records)])
    assert {line["type"]: line["size"] for line in found} == {
        "extra_mention": 1,
        "divided_entity": 1,
        "missing_entity": 2,
    }


@pytest.mark.filterwarnings("ignore:.*W116")
def test_long_sentences_are_cut(tmp_path: Path) -> None:
    words = [f"word{number:02}" for number in range(40)]
    tree = f"(S {' '.join(f'{word}/NN' for word in words)})"
    marked = [f"[1 {word}]" if word in ("word00", "word20", "word39") else word for word in words]
    names = " ".join(["[X word00]", *words[1:]])
    texts = [document(tree, " ".join(entities), names) for entities in (marked, words)]
    (analysis,) = analyses(tmp_path, *texts)
    text = list(as_list_text([("a", analysis.records)], [analysis.matching]))
    first, middle, last = text[2:5]
    assert first.startswith("  [word00] word01 word02") and first.endswith("…")
    assert middle.startswith("  …") and " word19 [word20] word21 " in middle and middle[-1] == "…"
    assert last.startswith("  …") and last.endswith(" word37 word38 [word39]")
    assert all(70 <= len(line) <= 80 for line in (first, middle, last))
