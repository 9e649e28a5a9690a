"""``corefscope score --set``: the scores on several sets, and their unweighted mean."""

from __future__ import annotations

import csv
import io
import json
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from commands import Command, cells_as_conll
from corefud_text import corefud

run = Command("score").run
LARGE = {f"d{number}": "111223" for number in range(5)}
SMALL = {"d": "1122"}
LONELY = {"d": "123"}
"""Only singletons: there are no links, so MUC has nothing to count."""
FILES: dict[str, dict[str, str]] = {
    "large/gold": LARGE,
    "large/base": dict.fromkeys(LARGE, "112223"),
    "large/ours": {**LARGE, "d0": "1122-3"},
    "small/gold": SMALL,
    "small/base": {"d": "11-2"},
    "small/ours": {"d": "1212"},
    "lonely/gold": LONELY,
    "lonely/base": {"d": "12-"},
    "lonely/ours": LONELY,
}
NAMES = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, documents in FILES.items():
        path = Path(f"{name}.conll")
        path.parent.mkdir(exist_ok=True)
        path.write_text(cells_as_conll(documents))


def sets(*names: str, systems: tuple[str, ...] = ("base", "ours")) -> list[str]:
    """The options for these sets."""
    return [
        word
        for name in names
        for word in (
            "--set",
            ":".join([f"{name}={name}/gold.conll", *(f"{name}/{each}.conll" for each in systems)]),
        )
    ]


def result(*arguments: str) -> Any:
    shown = run(*arguments, "--format", "json")
    assert shown.exit_code == 0, shown.stderr
    return json.loads(shown.stdout)


def rows(shown: str) -> list[list[str]]:
    """The cells of the rows of a Markdown table, without its heading."""
    lines = [line for line in shown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--singletons", "drop"],
        ["--metrics", "muc,lea,rand"],
        ["--profile", "macro"],
    ],
)
def test_the_mean_is_that_of_single_calls(options: list[str]) -> None:
    found = result(*sets("large", "small", "lonely"), *options)
    for place, system in enumerate(("base", "ours")):
        singles = [
            result(f"{name}/gold.conll", f"{name}/{system}.conll", *options)["systems"][0]
            for name in ("large", "small", "lonely")
        ]
        # The scores on a set are those of a call of its own.
        assert [each["systems"][place] for each in found["sets"]] == singles
        means = found["average"]["systems"][place]
        assert means["name"] == system
        for id in singles[0]["metrics"]:
            for figure in ("recall", "precision", "f1"):
                values = [single["metrics"][id][figure] for single in singles]
                mean = means["scores"][id][figure]
                assert mean is None if None in values else isclose(mean, sum(values) / 3)
        if singles[0]["conll"] is not None:
            mean = means["scores"]["conll"]["f1"]
            assert isclose(mean, sum(single["conll"] for single in singles) / 3)


@pytest.mark.parametrize("match", ["head", "partial", "exact"])
def test_profiles_of_corefud_apply_to_all_sets(match: str) -> None:
    texts = {
        "es": corefud("1:(a--1-) 2 2.1:(a--1-):2:nsubj 3:(b--1-) 4:(b--1-)"),
        "es-ours": corefud("1:(a--1-) 2 2.1:(a--1-):2:nsubj 3:(a--1-) 4:(b--1-)"),
        "de": corefud("1:(a--1- 2:a) 3:(b--1-) 4:(b--1-) 5:(a--1-) 6:(c--1-)"),
        "de-ours": corefud("1:(a--1-) 2 3:(b--1-) 4:(b--1-) 5:(a--1-) 6:(b--1-)"),
    }
    for name, text in texts.items():
        Path(f"{name}.conllu").write_text(text)
    options = ["--profile", "corefud", "--match", match, "--metrics", "mentions,conll,zero"]
    given = [
        word
        for name in ("es", "de")
        for word in ("--set", f"{name}={name}.conllu:ours={name}-ours.conllu")
    ]
    (means,) = result(*given, *options)["average"]["systems"]
    es, de = (
        result(f"{name}.conllu", f"{name}-ours.conllu", *options)["systems"][0]
        for name in ("es", "de")
    )
    assert 0 < es["conll"] != de["conll"] > 0
    assert isclose(means["scores"]["conll"]["f1"], (es["conll"] + de["conll"]) / 2)
    assert f"|match:{match}|" in means["signature"]
    # The key has 4 mentions besides its singleton, the response has 5, and one of these is short.
    assert isclose(de["metrics"]["mentions"]["f1"], (6 if match == "exact" else 8) / 9)
    # The texts of one set have no zeros, so nothing is counted there.
    assert means["scores"]["zero"]["undefined"] == ["de"]
    assert means["scores"]["zero"]["f1"] == es["metrics"]["zero"]["f1"] / 2 > 0


def test_small_sets_weigh_as_much_as_large_ones() -> None:
    found = result(*sets("large", "small"), "--metrics", "muc")
    assert [each["documents"] for each in found["sets"]] == [5, 1]
    assert found["average"]["documents"] == 6
    # Worked out by hand: 26/29 on the five large texts, and 0 on the small one.
    ours = found["average"]["systems"][1]["scores"]["muc"]
    assert isclose(ours["f1"], 13 / 29)
    assert isclose(ours["recall"], 13 / 15 / 2) and isclose(ours["precision"], 13 / 14 / 2)
    assert "|docs:6|sets:2" in found["average"]["systems"][0]["signature"]


def test_one_system_has_all_metrics() -> None:
    shown = run(*sets("large", "small", systems=("ours",)), "--format", "markdown").stdout
    found = result(*sets("large", "small", systems=("ours",)))["average"]["systems"][0]["scores"]
    table = rows(shown)
    assert [row[:2] for row in table] == [["large", "5"], ["small", "1"], ["average", "6"]]
    assert [cell.rstrip("\\*") for cell in table[-1][2:]] == [
        f"{100 * found[id]['f1']:.2f}" for id in NAMES
    ]


def test_several_systems_have_the_conll_score() -> None:
    shown = run(*sets("large", "small"), "--format", "markdown").stdout
    assert "| set | documents | base | ours |" in shown
    means = result(*sets("large", "small"))["average"]["systems"]
    assert rows(shown)[-1] == [
        "average",
        "6",
        *(f"{100 * each['scores']['conll']['f1']:.2f}" for each in means),
    ]


def test_without_the_conll_score_each_metric_has_a_table() -> None:
    shown = run(*sets("large", "small"), "--metrics", "b3,lea").stdout
    assert shown.count("B³ by set") == shown.count("LEA by set") == 1
    assert shown.count("set large: key large/gold.conll; base = large/base.conll") == 1


def test_nothing_to_count_is_marked_everywhere() -> None:
    arguments = sets("large", "lonely", systems=("ours",))
    shown = run(*arguments).stdout
    words = (line.split() for line in shown.splitlines())
    large, lonely, average = (
        row for row in words if len(row) == 2 + len(NAMES) and row[1].isdigit()
    )
    columns = {id: place for place, id in enumerate(("", "", *NAMES))}
    for id in ("muc", "conll"):
        assert lonely[columns[id]].endswith("*") and average[columns[id]].endswith("*")
        assert not large[columns[id]].endswith("*")
    assert not average[columns["b3"]].endswith("*")
    assert "the score is defined as 0" in shown
    assert "average of MUC, CoNLL: includes such a 0 from lonely\n" in shown
    scores = result(*arguments)["average"]["systems"][0]["scores"]
    assert {id: score["undefined"] for id, score in scores.items() if score["undefined"]} == {
        "muc": ["lonely"],
        "conll": ["lonely"],
    }
    printed = run(*arguments, "--format", "csv").stdout
    table = [row for row in csv.DictReader(io.StringIO(printed)) if row["undefined"] != "0"]
    assert [[row["set"], row["metric"], row["undefined"]] for row in table] == [
        ["lonely", "muc", "1"],
        ["lonely", "conll", "1"],
        ["average", "muc", "1"],
        ["average", "conll", "1"],
    ]


def test_nothing_is_marked_where_everything_counts() -> None:
    shown = run(*sets("large", "small")).stdout
    assert "*" not in shown and "such a 0" not in shown


def test_csv_has_all_figures() -> None:
    table = list(
        csv.DictReader(io.StringIO(run(*sets("large", "small"), "--format", "csv").stdout))
    )
    assert len(table) == 3 * 2 * len(NAMES)
    assert ",".join(table[0]) == "set,system,documents,metric,recall,precision,f1,undefined"
    found = result(*sets("large", "small"))
    for system in found["average"]["systems"]:
        for id, score in system["scores"].items():
            (row,) = (
                row
                for row in table
                if [row["set"], row["system"], row["metric"]] == ["average", system["name"], id]
            )
            assert float(row["f1"]) == score["f1"]
            assert row["recall"] == ("" if score["recall"] is None else str(score["recall"]))


def test_systems_have_the_names_that_are_given() -> None:
    arguments = ["--set", "x=large/gold.conll:a=large/base.conll:b=large/ours.conll"]
    arguments += ["--set", "y=small/gold.conll:a=small/ours.conll:b=small/base.conll"]
    assert [each["name"] for each in result(*arguments)["average"]["systems"]] == ["a", "b"]


def test_systems_with_other_file_names_are_named_by_position() -> None:
    arguments = ["--set", "x=large/gold.conll:large/base.conll"]
    arguments += ["--set", "y=small/gold.conll:small/ours.conll"]
    found = result(*arguments)
    assert [each["systems"][0]["name"] for each in found["sets"]] == ["A", "A"]
    assert [each["systems"][0]["response"] for each in found["sets"]] == [
        "large/base.conll",
        "small/ours.conll",
    ]


def test_a_file_of_scores_stands_for_its_response() -> None:
    single = run("large/gold.conll", "large/ours.conll", "--per-document", "--format", "json")
    Path("ours.json").write_text(single.stdout)
    stored = result("--set", "large=large/gold.conll:ours.json")
    assert (
        stored["average"]["systems"][0]["scores"]
        == (result(*sets("large", systems=("ours",)))["average"]["systems"][0]["scores"])
    )


def test_the_result_does_not_stand_for_a_response() -> None:
    Path("sets.json").write_text(run(*sets("large"), "--format", "json").stdout)
    refused = run("large/gold.conll", "sets.json")
    assert refused.exit_code == 3 and "E502" in refused.stderr


def test_missing_documents_are_noted() -> None:
    Path("large/ours.conll").write_text(cells_as_conll({"d0": "111223"}))
    shown = run(*sets("large", "small"))
    assert "large: ours: missing documents, counted as empty: 4\n" in shown.stdout
    assert "[W" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["large/gold.conll", *sets("large")], "--set cannot be combined with KEY and RESPONSE"),
        ([*sets("large"), "--document", "d0"], "--set cannot be combined with --document"),
        ([*sets("large"), "--by", "zero"], "--set cannot be combined with --document, --by"),
        ([*sets("large"), "--per-document"], "--set cannot be combined with"),
        ([*sets("large"), "--layout", "paper"], "--set cannot be combined with"),
        ([*sets("large"), "--format", "reference"], "combined with --format reference"),
        ([*sets("large"), "--format", "corefud"], "combined with --format corefud"),
        ([*sets("large"), *sets("large")], "two sets are named 'large'"),
        (["--set", "average=large/gold.conll:large/ours.conll"], "'average'"),
        (["--set", "x=large/gold.conll"], "--set takes NAME=KEY:RESPONSE[:RESPONSE...]"),
        (["--set", "large/gold.conll:large/ours.conll"], "--set takes NAME=KEY:RESPONSE"),
        (["--set", "x=-:-"], "standard input can be read only once"),
        (["--set", "x=-:large/ours.conll", "--set", "y=-:large/ours.conll"], "only once"),
        (
            ["--set", "x=large/gold.conll:a=large/ours.conll:a=large/base.conll"],
            "a has 2 responses",
        ),
        ([], "expected KEY and one or more responses, or --set"),
        (["large/gold.conll"], "expected KEY and one or more responses, or --set"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 2 and refused.stdout == ""
    assert message in " ".join(refused.stderr.split())


@pytest.mark.parametrize(
    "second",
    [
        "y=small/gold.conll:small/ours.conll",
        "y=small/gold.conll:small/ours.conll:small/base.conll",
        "y=small/gold.conll:base=small/base.conll:theirs=small/ours.conll",
    ],
)
def test_sets_with_other_systems_are_refused(second: str) -> None:
    refused = run(*sets("large"), "--set", second)
    assert refused.exit_code == 3 and "E503" in refused.stderr and refused.stdout == ""
