"""``corefscope score --by``: the four senses as tables, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from error_examples import TOWN_A, TOWN_KEY, phrases, town, write

TABLE_1 = """
John/NNP Doe/NNP     PERSON  1  1  -
he/PRP               -       1  1  1
he/PRP               -       1  1  1
he/PRP               -       1  -  1
Richard/NNP Roe/NNP  PERSON  2  2  -
he/PRP               -       2  2  2
he/PRP               -       2  -  2
"""
"""Table 1 of Agarwal et al.: the key, and the solutions with names and without."""
KINDS = ("mention-type", "entity-type")
SIGNATURE = (
    "corefscope:0.1|profile:conll-2012|match:exact|singletons:keep|duplicates:first|"
    "average:micro|docs:1"
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path(), town(TOWN_KEY), town(TOWN_A), town(TOWN_KEY))


score = Command("score")
run, printed = score.run, score.printed


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def by_of(*arguments: str) -> dict[str, Any]:
    """The one system's scores by type, as JSON."""
    (system,) = json.loads(printed(*arguments, "--format", "json"))["systems"]
    by = system["by"]
    assert isinstance(by, dict)
    return by


def test_four_tables_by_mention_type() -> None:
    """What stands here is counted in tests/named_entities/test_by_type.py."""
    arguments = ["key.conll", "a.conll", "--by", "mention-type", "--metrics", "muc,b3"]
    lines = printed(*arguments).splitlines()
    titles = ["Filtered by", "B³ credit by", "Anaphors by", "Links by"]
    assert [line for line in lines if line.endswith("by mention type")] == [
        f"{title} mention type" for title in titles
    ]
    cells = [line.split() for line in lines if line.startswith("a ")]
    assert cells[:3] == [
        ["a", "name", "100.00", "100.00", "2", "2"],
        ["a", "nominal", "100.00", "80.00", "3", "2"],
        ["a", "pronoun", "0.00", "57.14", "3", "2"],
    ]
    assert cells[3:6] == [
        ["a", "name", "100.00", "2", "75.00", "2", "85.71"],
        ["a", "nominal", "44.44", "3", "100.00", "2", "61.54"],
        ["a", "pronoun", "44.44", "3", "50.00", "2", "47.06"],
    ]
    assert cells[6:9] == [
        ["a", "name", "0.00", "1", "0.00", "1", "0.00"],
        ["a", "nominal", "100.00", "1", "100.00", "1", "100.00"],
        ["a", "pronoun", "33.33", "3", "50.00", "2", "40.00"],
    ]
    assert [row[1:3] for row in cells[9:]] == [
        ["name", "pronoun"],
        ["nominal", "nominal"],
        ["nominal", "pronoun"],
        ["pronoun", "name"],
        ["pronoun", "nominal"],
        ["pronoun", "pronoun"],
    ]
    assert cells[12][3:] == ["100.00", "1", "100.00", "1"]


def test_four_tables_by_entity_type_in_full() -> None:
    assert (
        printed("key.conll", "a.conll", "--by", "entity-type", "--metrics", "b3")
        == f"""\
Filtered by entity type

system  type        B³  in key  in response
-------------------------------------------
a       PERSON   72.00       3            4
a       no name  42.11       5            2

Filtered: F1 after removing entities of other types from both sides.

B³ credit by entity type

system  type     recall  in key  precision  in response     F1
--------------------------------------------------------------
a       PERSON   100.00       3      62.50            4  76.92
a       no name   33.33       5     100.00            2  50.00

B³ credit: entities stay whole; it is summed over mentions of the type only.

Anaphors by entity type

system  type     recall  in key  precision  in response     F1
--------------------------------------------------------------
a       PERSON    50.00       2      33.33            3  40.00
a       no name   33.33       3     100.00            1  50.00

Anaphors: one is correct if its closest antecedent in the response is in its key
entity.

Links by entity type

system  anaphor  antecedent  recall  in key  precision  in response
-------------------------------------------------------------------
a       PERSON   PERSON      100.00       2      33.33            3
a       no name  no name       0.00       3     100.00            1

Links: of mentions to the previous mention of their entity, in whole entities.
A link is correct if both mentions are in one entity of the other side.
{SIGNATURE}
"""
    )


def test_table_1_of_the_paper() -> None:
    """Names .708 and pronouns .433 of B³; anaphors .6, 1 and .75 for both solutions."""
    write(Path(), *phrases(TABLE_1))
    one, two = (by_of("key.conll", f"{name}.conll", "--by", "mention-type") for name in ("a", "b"))
    assert one["credit"]["name"]["recall"] == pytest.approx(17 / 24)
    assert one["credit"]["pronoun"]["recall"] == pytest.approx(13 / 30)
    for by in (one, two):
        pronouns = by["anaphor"]["pronoun"]
        assert (pronouns["recall"], pronouns["precision"]) == (0.6, 1)
        assert pronouns["f1"] == pytest.approx(0.75)
        assert pronouns["recall_counts"] == [3, 5] and pronouns["precision_counts"] == [3, 3]


def test_json_has_the_four_senses() -> None:
    record = json.loads(
        printed("key.conll", "ours=a.conll", "b.conll", "--by", "mention-type", "--format", "json")
    )
    assert {"corefscope", "key", "systems"} <= set(record)
    ours, b = record["systems"]
    assert (ours["name"], b["name"]) == ("ours", "b")
    by = ours["by"]
    assert set(by) == {"kind", "filter", "credit", "anaphor", "links"}
    assert by["kind"] == "mention-type"
    assert set(by["filter"]) == set(by["credit"]) == set(by["anaphor"])
    pronouns = by["filter"]["pronoun"]
    assert list(pronouns["metrics"]) == [
        *("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"),
    ]
    three = [pronouns["metrics"][id]["f1"] for id in ("muc", "b3", "ceafe")]
    assert pronouns["conll"] == pytest.approx(sum(three) / 3)
    assert by["credit"]["name"]["precision_counts"] == [1.5, 2]
    assert {
        "anaphor": "pronoun",
        "antecedent": "nominal",
        "key": 2,
        "found": 0,
        "response": 0,
        "right": 0,
    } in by["links"]
    assert all(score["f1"] == 1 for score in b["by"]["credit"].values())


def test_conll_average_needs_three_metrics() -> None:
    with_all = printed("key.conll", "a.conll", "--by", "mention-type", "--metrics", "conll")
    assert "CoNLL" in with_all.splitlines()[2]
    without = printed("key.conll", "a.conll", "--by", "mention-type", "--metrics", "muc,b3")
    assert "CoNLL" not in without
    by = by_of("key.conll", "a.conll", "--by", "mention-type", "--metrics", "muc")
    assert by["filter"]["name"]["conll"] is None


def test_one_document_alone() -> None:
    write(Path(), town(TOWN_KEY, "x") + town(TOWN_KEY, "y"), town(TOWN_A, "x") + town("", "y"))
    both = by_of("key.conll", "a.conll", "--by", "mention-type")
    assert both["credit"]["name"]["recall_counts"] == [2, 4]
    alone = by_of("key.conll", "a.conll", "--by", "mention-type", "--document", "x")
    assert alone["credit"]["name"]["recall_counts"] == [2, 2]


def test_singletons_can_be_dropped() -> None:
    write(Path(), *phrases("Ann/NNP  PERSON  1  1\nBob/NNP  PERSON  2  2\nhe/PRP   -  2  2"))
    kept, dropped = (
        by_of("key.conll", "a.conll", "--by", "mention-type", "--singletons", singletons)
        for singletons in ("keep", "drop")
    )
    assert kept["credit"]["name"]["recall_counts"] == [2, 2]
    assert dropped["credit"]["name"]["recall_counts"] == [1, 1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--by", "mention-type", "--per-document"],
        ["--by", "entity-type", "--format", "reference"],
        ["--by", "mention-type", "--layout", "paper"],
        ["--by", "type"],
        ["--by", "mention-type", "--document", "nowhere"],
        ["--by", "mention-type", "--metrics", "nonsense"],
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str]) -> None:
    result = run("key.conll", "a.conll", *arguments)
    assert (result.exit_code, result.stdout) == (2, "") and "Error: " in result.stderr


def test_without_words_there_are_no_types() -> None:
    Path("key.json").write_text('{"d": [[[0, 0], [1, 1]]]}')
    for kind in KINDS:
        result = run("key.json", "key.json", "--by", kind)
        assert (result.exit_code, result.stdout) == (3, "")
        assert "'d' has no words" in result.stderr and "[E402]" in result.stderr


def test_entity_types_without_names() -> None:
    """All entities would be of no name, and who reads it would take that for a result."""
    write(Path(), *(town(text, layers="tags parse") for text in (TOWN_KEY, TOWN_A)))
    result = run("key.conll", "a.conll", "--by", "entity-type")
    assert "named entit" in result.stderr


def test_types_from_words_are_reported() -> None:
    """As errors reports it, whose types these are: W401."""
    write(Path(), *(town(text, layers="names") for text in (TOWN_KEY, TOWN_A)))
    result = run("key.conll", "a.conll", "--by", "mention-type")
    assert result.exit_code == 0 and "[W401]" in result.stderr


@pytest.mark.parametrize("kind", ["entity-size", "distance", "nesting", "zero", "genre"])
def test_slices_that_need_no_layer(kind: str) -> None:
    """Each says how many mentions it has, and together they have all."""
    by = by_of("key.conll", "a.conll", "--by", kind)
    assert sum(kept["key"] for kept in by["filter"].values()) == 8
    assert sum(kept["response"] for kept in by["filter"].values()) == 6
    heading = printed("key.conll", "a.conll", "--by", kind, "--metrics", "b3").splitlines()[2]
    assert heading.split()[1:-5] == kind.split("-") and heading.endswith("in key  in response")


@pytest.mark.parametrize(("kind", "what"), [("upos", "UPOS"), ("relation", "DEPREL")])
def test_slices_that_need_a_layer(kind: str, what: str) -> None:
    result = run("key.conll", "a.conll", "--by", kind)
    assert (result.exit_code, result.stdout) == (3, "")
    assert what in result.stderr and "[E402]" in result.stderr


def test_slices_that_need_positions() -> None:
    Path("key.json").write_text('{"d": [["a", "b"]]}')
    for kind, status in (("distance", 3), ("nesting", 3), ("entity-size", 0), ("genre", 0)):
        result = run("key.json", "key.json", "--by", kind)
        assert result.exit_code == status, kind
        assert ("[E402]" in result.stderr) == (status == 3)


def test_nothing_to_count_is_not_zero() -> None:
    """No name has an antecedent, and the response lacks the only pronoun."""
    write(Path(), *phrases("John/NNP  PERSON  1  1\nhe/PRP  -  1  -\nMary/NNP  PERSON  2  2"))
    arguments = ("key.conll", "a.conll", "--by", "mention-type", "--metrics", "muc,b3")
    by = by_of(*arguments)
    assert by["anaphor"]["name"] == {
        **dict.fromkeys(("recall", "precision", "f1")),
        **{name: [0, 0] for name in ("recall_counts", "precision_counts")},
    }
    pronoun = by["anaphor"]["pronoun"]
    assert (pronoun["recall"], pronoun["precision"], pronoun["f1"]) == (0, None, 0)
    cells = [line.split() for line in printed(*arguments).splitlines() if line.startswith("a ")]
    assert cells[0] == ["a", "name", "0.00*", "100.00", "2", "2"]
    assert cells[6:9] == [
        ["a", "name", "–", "0", "–", "0", "–"],
        ["a", "nominal", "–", "0", "–", "0", "–"],
        ["a", "pronoun", "0.00", "1", "–", "0", "0.00"],
    ]
    assert cells[9] == ["a", "pronoun", "name", "0.00", "1", "–", "0"]
    assert "* nothing in key or response counts here (0/0)" in printed(*arguments)
    rows = rows_of(printed(*arguments, "--format", "csv"))
    (anaphors,) = [row for row in rows if (row["sense"], row["type"]) == ("anaphor", "name")]
    assert (anaphors["recall"], anaphors["precision"], anaphors["f1"]) == ("", "", "")
