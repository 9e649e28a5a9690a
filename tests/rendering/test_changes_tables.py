"""What changed between two systems: tables, lines for a reader, JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import ErrorType
from corefscope.error_analysis.changes import Changes, changes
from corefscope.formatting import Value
from corefscope.rendering.errors.changes import (
    change_lines,
    changes_by_document,
    changes_by_type,
)
from corefscope.rendering.table import LAYOUTS, Table, as_csv, as_text
from corefscope.serialization.common import as_json
from corefscope.serialization.errors import changes_record
from error_examples import NAME, TOWN_A, TOWN_B, TOWN_KEY, analyses, town
from tables import shown_rows

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


@pytest.fixture(scope="module")
def demo() -> Changes:
    return changes(*(cs.analyze(KEY, RESPONSES[name]) for name in ("recency", "sieve")))


def of_town(folder: Path, before: str = TOWN_A, after: str = TOWN_B) -> Changes:
    return changes(*analyses(folder, town(TOWN_KEY), town(before), town(after)))


def rows(table: Table) -> dict[Value, list[int]]:
    return {row[0]: [cell for cell in row[1:] if isinstance(cell, int)] for row in table.values}


def check_sums(table: Table) -> None:
    """Every row adds up as the note says, and all rows make the last."""
    *parts, total = rows(table).values()
    for before, fixed, changed, same, to, broken, after, net in (*parts, total):
        assert before == fixed + changed + same
        assert after == same + to + broken
        assert net == after - before
    assert [sum(column) for column in zip(*parts, strict=True)] == total


def test_the_table_by_type(tmp_path: Path) -> None:
    text = """\
error               before  fixed  changed from  same  changed to  broken  after  net
-------------------------------------------------------------------------------------
Span Error               0      0             0     0           1       0      1   +1
Conflated Entities       1      1             0     0           0       0      0   -1
Extra Mention            0      0             0     0           0       1      1   +1
Extra Entity             0      0             0     0           0       1      1   +1
Divided Entity           1      1             0     0           0       0      0   -1
Missing Mention          0      0             0     0           0       1      1   +1
Missing Entity           1      0             1     0           0       0      0   -1
-------------------------------------------------------------------------------------
total                    3      2             1     0           1       3      4   +1

before = fixed + changed from + same; after = same + changed to + broken.
changed from, changed to: different errors of the two systems on the same mentions.
corefscope:0.1|profile:no-singletons|match:exact|singletons:drop|duplicates:first|average:micro|\
docs:1|errors:standard|heads:parse
"""
    assert as_text(changes_by_type(of_town(tmp_path))) == text


def test_demo_by_type_equals_analyses(demo: Changes) -> None:
    table = changes_by_type(demo)
    check_sums(table)
    found = rows(table)
    for type in ErrorType:
        before, *_, after, _ = found[type.label]
        assert (before, after) == (demo.before.errors[type], demo.after.errors[type])


@pytest.mark.parametrize(("most", "shown"), [(0, 0), (3, 3), (10, 10), (99, 10), (None, 10)])
def test_the_demo_by_document(demo: Changes, most: int | None, shown: int) -> None:
    table = changes_by_document(demo, most)
    check_sums(table)
    names = [row[0] for row in table.rows]
    assert names[:shown] == [document.name for document in demo.by_document[:shown]]
    others = 10 - shown
    assert names[shown:] == [*([f"{others} others, {others} changed"] if others else []), "total"]


def test_unchanged_documents_are_counted_together(tmp_path: Path) -> None:
    names = ("(one)", "(two)")
    key, before = ("".join(town(entities, n) for n in names) for entities in (TOWN_KEY, TOWN_A))
    after = town(TOWN_A, "(one)") + town(TOWN_KEY, "(two)")
    table = changes_by_document(changes(*analyses(tmp_path, key, before, after)))
    assert rows(table) == {
        "(two)": [3, 3, 0, 0, 0, 0, 0, -3],
        "1 other, none changed": [3, 0, 0, 3, 0, 0, 3, 0],
        "total": [6, 3, 0, 3, 0, 0, 3, -3],
    }


def test_net_count_has_a_sign_in_text_only(demo: Changes) -> None:
    table = changes_by_type(demo)
    assert shown_rows(table)[-1][-1] == f"{demo.counts.net:+}"
    for layout in LAYOUTS.values():
        assert "Divided Entity" in layout(table)
    *_, total = as_csv(table.names, table.values).splitlines()
    assert int(total.rpartition(",")[2]) == demo.counts.net


@quiet
def test_other_layers_are_told(tmp_path: Path) -> None:
    """The key has no trees: those of a response are used, if it has some."""
    texts = town(TOWN_KEY, layers="tags names"), town(TOWN_A, layers="tags names"), town(TOWN_B)
    notes = changes_by_type(changes(*analyses(tmp_path, *texts))).notes
    assert notes[-2].startswith("The systems were analysed with different layers")
    assert len(changes_by_document(of_town(tmp_path)).notes) == 3


def test_lines_for_a_reader(tmp_path: Path) -> None:
    lines = list(change_lines(of_town(tmp_path), ("a", "b")))
    assert lines[:3] == [
        f"fixed: Conflated Entities, {NAME}, 7",
        "  “him” (7) belongs to K2, not with the rest of R1",
        "  She liked [him] .",
    ]
    kinds = [line.partition(":")[0] for line in lines if line[:1].strip()]
    assert kinds == ["fixed"] * 2 + ["broken"] * 3 + ["changed"]
    assert lines[-7:] == [
        f"changed: {NAME}, 12–13",
        "  a: Missing Entity, “a dog” (12–13), “It” (15): the response has no mention of",
        "    K3",
        "  b: Span Error, “dog” (13) should be “a dog” (12–13): missing “a” on the left",
        "  The mayor saw [a dog] .",
        "  [It] liked Anna .",
        "",
    ]


def test_there_are_no_lines_if_nothing_changed(tmp_path: Path) -> None:
    assert list(change_lines(of_town(tmp_path, TOWN_A, TOWN_A))) == []


@quiet
def test_mentions_without_a_place_have_lines() -> None:
    key = {"d": [["a", "b"], ["x", "y", "z"]]}
    responses = {"d": [["a", "b"], ["x", "y"]]}, {"d": [["a", "b", "z"], ["x", "y"]]}
    lines = list(change_lines(changes(*(cs.analyze(key, response) for response in responses))))
    assert lines == [
        "changed: d",
        "  before: Missing Mention, “z” of K2 was not found",
        "  after: Conflated Entities, “z” belongs to K2, not with the rest of R1",
        "  after: Divided Entity, “z” of K2 is in R1, apart from the rest",
        "",
    ]


def test_json(tmp_path: Path) -> None:
    found = of_town(tmp_path)
    value = json.loads(as_json(changes_record(found, ("a", "b"))))
    assert value["before"] == {
        "name": "a",
        "signature": found.before.signature,
        "errors": found.before.errors,
    }
    assert value["after"]["name"] == "b"
    assert value["total"] == {
        "before": 3,
        "fixed": 2,
        "differently_before": 1,
        "unchanged": 0,
        "differently_after": 1,
        "broken": 3,
        "after": 4,
        "net": 1,
    }
    assert list(value["by_type"]) == list(ErrorType)
    assert value["by_type"]["divided_entity"]["fixed"] == 1
    assert value["by_document"] == [{"document": NAME, **value["total"]}]
    plain = json.loads(as_json([error.to_dict() for error in found.fixed]))
    assert value["fixed"] == plain
    assert [error["type"] for error in value["broken"]] == [
        "extra_mention",
        "extra_entity",
        "missing_mention",
    ]
    (exchange,) = value["differently"]
    assert exchange["document"] == NAME
    assert [error["id"] for error in exchange["before"]] == [f"{NAME}/missing_entity/12-13"]
    assert [error["id"] for error in exchange["after"]] == [f"{NAME}/span_error/13-13"]
