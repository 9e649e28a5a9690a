"""Named entity coreference as tables, lists and JSON: every number can be counted in the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import corefscope as cs
from corefscope.error_analysis.tables.context import Context
from corefscope.evaluation import Evaluation
from corefscope.inputs import System
from corefscope.named_entities import NecOptions, NecSettings
from corefscope.named_entities.record import nec_result
from corefscope.named_entities.tables import (
    detail,
    drop,
    overview,
    stories,
    table_3,
    table_4,
)
from corefscope.options import make_options
from corefscope.results.record import as_json
from corefscope.results.table import (
    as_text,
)
from error_examples import NAME, TOWN_KEY, phrases, town, write
from named_entities.examples import PEOPLE
from tables import shown_rows


def systems(
    folder: Path, key: str, *responses: str, options: NecOptions | None = None
) -> Evaluation:
    """Systems ``a``, ``b`` and so on."""
    gold, *paths = write(folder, key, *responses)
    files = [Path(path) for path in paths]
    return Evaluation(
        key=cs.read(gold),
        key_path="key.conll",
        systems=[System(file.stem, file.name, cs.read(file)) for file in files],
        options=make_options(),
        nec_settings=NecSettings(options=options or NecOptions()),
    )


def only_first(evaluation: Evaluation) -> Evaluation:
    return replace(evaluation, systems=evaluation.systems[:1])


@pytest.fixture
def people(tmp_path: Path) -> Evaluation:
    return systems(tmp_path, *phrases(PEOPLE))


def test_the_overview(people: Evaluation) -> None:
    """Ann has 2 of 3 and 4: 4/7; Bob 2 of 2 and 4: 2/3; Acme nothing; Paris all."""
    table = overview(people)
    assert table.names == [
        *("system", "type", "chains", "not found", "F1 0", "NEC F1", "recall", "prec.", "CoNLL"),
    ]
    assert shown_rows(table)[:4] == [
        ["a", "PER", "2", "0.00", "0.00", "61.90", "83.33", "50.00", "63.67"],
        ["", "ORG", "1", "100.00", "100.00", "0.00", "0.00", "100.00", "0.00"],
        ["", "GPE", "1", "0.00", "0.00", "100.00", "100.00", "100.00", "100.00"],
        ["", "ALL", "4", "25.00", "25.00", "55.95", "66.67", "66.67", "61.70"],
    ]
    per, org, gpe, all_ = ([row[i] for i in range(3, 9)] for row in table.values[:4])
    muc, b_cubed, ceafe = 2 / 3, 33 / 50, 7 / 12
    assert per == pytest.approx([0, 0, 13 / 21, 5 / 6, 1 / 2, (muc + b_cubed + ceafe) / 3])
    assert org == [1, 1, 0, 0, 1, 0]
    assert gpe == [0, 0, 1, 1, 1, 1]
    muc, b_cubed, ceafe = 3 / 5, 170 / 269, 13 / 21
    conll = (muc + b_cubed + ceafe) / 3
    assert all_ == pytest.approx([1 / 4, 1 / 4, 47 / 84, 2 / 3, 2 / 3, conll])
    assert [row[2] for row in table.rows[4:]] == [2, 1, 1, 4]
    assert all(row[5] == 1 for row in table.rows[4:])


def test_table_3(people: Evaluation) -> None:
    table = table_3(people)
    assert table.names == [
        "system",
        *("PER not found", "PER NEC F1", "PER Coref F1"),
        *("ORG not found", "ORG NEC F1", "ORG Coref F1"),
        *("GPE not found", "GPE NEC F1", "GPE Coref F1"),
    ]
    assert shown_rows(table) == [
        ["a", "0.00", "61.90", "63.67", "100.00", *["0.00"] * 3, "100.00", "100.00"],
        ["b", *["0.00", "100.00", "100.00"] * 3],
    ]


def test_table_4(people: Evaluation) -> None:
    """Of Ann's names 1 of 2 and 2, of Bob's 1 of 1 and 2; of each pronoun 1 of 1 and 2."""
    table = table_4(people)
    assert table.names[1:4] == ["PER name", "PER pronoun", "PER nominal"]
    a, b = table.values
    assert list(a[1:3]) == pytest.approx([(1 / 2 + 2 / 3) / 2, 2 / 3])
    assert list(a[3:]) == [None, 0, 0, 0, 1, None, 1]
    assert list(b[1:]) == [1, 1, None, 1, 1, 1, 1, None, 1]
    assert shown_rows(table)[0] == [
        *("a", "58.33", "66.67", "", "0.00", "0.00", "0.00", "100.00", "", "100.00"),
    ]


def test_the_drop(people: Evaluation) -> None:
    """All chains: MUC 8/11, B³ 14/19, CEAFe 89/120; Acme's chain counts though it has no name."""
    table = drop(people)
    a = table.values[0]
    standard = (8 / 11 + 14 / 19 + 89 / 120) / 3
    assert [float(value or 0) for value in a[1:]] == pytest.approx(
        [standard, (3 / 5 + 170 / 269 + 13 / 21) / 3, 47 / 84, 47 / 84 - standard, 1 / 4]
    )
    assert shown_rows(table) == [
        ["a", "73.53", "61.70", "55.95", "-17.57", "25.00"],
        ["b", "100.00", "100.00", "100.00", "+0.00", "0.00"],
    ]


def test_every_cell_of_the_detail(people: Evaluation) -> None:
    table = detail(only_first(people))
    cells = [dict(zip(table.names, row, strict=True)) for row in table.values]
    ann, bob, acme, paris = cells
    assert ann == {
        "system": "a",
        "document": NAME,
        "entity": "K1",
        "type": "PER",
        "mentions": 3,
        "names": "Ann | Ann Lee",
        "candidates": "R1 R2",
        "best": "R1",
        "size": 4,
        "common": 2,
        "f1": pytest.approx(4 / 7),
        "recall": pytest.approx(2 / 3),
        "precision": 1 / 2,
        "name": 1 / 2,
        "pronoun": pytest.approx(2 / 3),
        "nominal": None,
        "split": "R1 R2",
        "shared": "yes",
    }
    assert list(bob.values())[2:10] == ["K2", "PER", 2, "Bob Lee", "R1", "R1", 4, 2]
    assert [bob[name] for name in ("f1", "recall", "precision")] == pytest.approx([2 / 3, 1, 1 / 2])
    assert (bob["split"], bob["shared"]) == ("R1", "yes")
    assert list(acme.values())[2:] == [
        *("K3", "ORG", 3, "Acme", "", "", 0, 0, 0, 0, None, 0, 0, 0, "", "no"),
    ]
    assert list(paris.values())[2:] == [
        *("K4", "GPE", 2, "Paris", "R4", "R4", 2, 2, 1, 1, 1, 1, None, 1, "R4", "no"),
    ]


def test_detail_of_several_systems(people: Evaluation) -> None:
    table = detail(people)
    assert [row[0] for row in table.rows] == ["a"] * 4 + ["b"] * 4
    assert [row[10] for row in table.rows[4:]] == [1] * 4


def told(result: Evaluation, most: int = 10, name: str = "a") -> str:
    return "\n".join(stories(result[name], Context(result.key, result[name].corpus), most))


def test_missed_entity_is_shown_in_its_sentence(tmp_path: Path) -> None:
    """The first mention that the name heads: She comes later, and is none."""
    nobody = TOWN_KEY.replace("[1 Anna]", "Anna")
    result = systems(tmp_path, town(TOWN_KEY), town(nobody))
    assert told(result).splitlines() == [
        *("", "Not found: 1", "  “Anna”, PER, 3 mentions: K1, (d); part 000"),
        "    [Anna] met the mayor .",
        "    1 of its mentions is in R2, which does not have its name",
    ]


TYPE_KEYS = {
    *("chains", "f1", "not_found", "zero_f1", "recall", "precision", "micro"),
    *("by_mention_type", "over_split", "over_combined", "conll"),
}


def parsed(result: Evaluation, **options: Any) -> dict[str, Any]:
    """Read the JSON that is written, refusing what only Python takes for JSON."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    record = json.loads(
        as_json(nec_result(result.key_path, result, **options)), parse_constant=refuse
    )
    assert isinstance(record, dict)
    return record


def test_json_of_nothing_has_null_and_no_zero(tmp_path: Path) -> None:
    text = "Rome/NNP  GPE  -  -\nit/PRP    -    1  1"
    (system,) = parsed(systems(tmp_path, *phrases(text)))["systems"]
    assert system["macro_f1"] is None
    for score in system["types"].values():
        assert score["chains"] == 0
        names = TYPE_KEYS - {"chains", "micro", "by_mention_type", "over_split", "over_combined"}
        assert {score[name] for name in names} == {None}
        assert set(score["micro"].values()) == {None}


def test_tables_of_nothing_have_empty_cells(tmp_path: Path) -> None:
    text = "Rome/NNP  GPE  -  -\nit/PRP    -    1  1"
    result = systems(tmp_path, *phrases(text))
    assert shown_rows(table_3(result)) == [["a", *[""] * 9]]
    assert shown_rows(table_4(result)) == [["a", *[""] * 9]]
    assert shown_rows(drop(result))[0][2:] == [""] * 4
    assert [row[2:] for row in shown_rows(overview(result))] == [["0", *[""] * 6]] * 4
    assert detail(result).rows == []
    assert not any("Mean" in note for note in overview(result).notes)
    assert as_text(detail(result)).startswith("system  document  entity")


def test_systems_with_different_heads(tmp_path: Path) -> None:
    """The key has names but no trees, and only b brings some: their figures do not compare."""
    key, a, _ = phrases(PEOPLE, layers="tags names")
    result = systems(tmp_path, key, a, phrases(PEOPLE)[2])
    assert [system.named_entities.heads for system in result] == ["heuristic", "constituency"]
    heading = "\n".join(overview(result).heading)
    assert "heuristic" in heading and "constituency" in heading
