"""``corefscope compare``: systems side by side, how sure it is, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import brute_force
import statistics_reference
from commands import Command, cells_as_conll, cells_as_entities
from corefscope.cli import main

STATISTICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
TEXTS = range(10)
"""Each has two parts, which are documents."""
KEY = {f"(t/{text}); part {part:03}": "111223" for text in TEXTS for part in range(2)}
"""Six tokens a document, a mention each: the entity of each token."""
BASE = {name: "112223" if name.endswith("0") else "11-223" for name in KEY}
"""In every document worse than the key: a mention is in another entity, or missing."""
OURS = {name: BASE[name] if "t/9" in name else KEY[name] for name in KEY}
"""As the key, but the last text is as in BASE."""
APART = dict.fromkeys(KEY, "123456")
"""Every mention by itself: no link at all."""
SYSTEMS = {"base": BASE, "ours": OURS, "apart": APART}


def corpus(
    response: Mapping[str, str], key: Mapping[str, str] = KEY
) -> list[tuple[list[list[int]], list[list[int]]]]:
    return [(cells_as_entities(key[name]), cells_as_entities(response[name])) for name in key]


def f1(statistic: str, response: Mapping[str, str], key: Mapping[str, str] = KEY) -> Fraction:
    """What the score is, by brute force."""
    pairs = corpus(response, key)
    if statistic == "conll":
        return brute_force.conll(pairs)
    return brute_force.METRICS[statistic](pairs).f1


def percent(value: Fraction) -> str:
    return f"{100 * float(value):.2f}"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, documents in {"key": KEY, **SYSTEMS}.items():
        Path(f"{name}.conll").write_text(cells_as_conll(documents))
    return tmp_path


pytestmark = pytest.mark.usefixtures("files")


run = Command("compare").run


def compared(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def rows(output: str, begin: str = "---") -> list[list[str]]:
    """The cells of the rows of the first table below a rule, up to a blank line."""
    _, _, below = output.partition(f"\n{begin}")
    lines = below.split("\n\n")[0].splitlines()[1:]
    return [re.split(r"\s{2,}", line.strip()) for line in lines if not line.startswith("--")]


def refused(result: Result, message: str, status: int = 2) -> None:
    assert result.exit_code == status, result.output
    assert message in result.stderr and "Traceback" not in result.stderr
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""


TWO = ("key.conll", "base.conll", "ours.conll")
THREE = (*TWO, "apart.conll")
PARTS = ("--unit", "parts")


# Two systems


def test_two_systems() -> None:
    shown = rows(run(*TWO, *PARTS).stdout)
    names = ["Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"]
    assert [row[0] for row in shown] == names
    for row, id in zip(shown, STATISTICS, strict=True):
        base, ours = f1(id, BASE), f1(id, OURS)
        assert [row[1], row[3]] == [percent(base), percent(ours)]
        assert row[5] == f"+{percent(ours - base)}"


def test_the_numbers_are_those_of_score() -> None:
    found = compared(*TWO, "--samples", "10")
    scored = CliRunner().invoke(main, ["score", *TWO, "--format", "json"])
    for system, scores in zip(found["systems"], json.loads(scored.stdout)["systems"], strict=True):
        f1s = {id: score["f1"] for id, score in scores["metrics"].items()}
        values = {id: estimate["value"] for id, estimate in system["scores"].items()}
        assert values == {**f1s, "conll": scores["conll"]}


def test_p_values_of_ten_texts_are_exact() -> None:
    """A text where both are the same can be swapped or not: 2 · 2 of 1,024 swaps are as far."""
    found = compared(*TWO, *PARTS)
    assert found["test"] == "randomization" and found["exact"] and found["units"] == 10
    assert [c["statistic"] for c in found["comparisons"]] == STATISTICS
    assert {c["p"] for c in found["comparisons"]} == {4 / 1024}
    assert {c["p_corrected"] for c in found["comparisons"]} == {8 * 4 / 1024}
    assert {(c["system"], c["other"]) for c in found["comparisons"]} == {("ours", "base")}
    output = run(*TWO, *PARTS).stdout
    assert [row[-1] for row in rows(output)] == ["0.0312*"] * 8
    assert "paired randomization (exact: all 1,024 swaps)" in output
    assert "Holm's correction over 8 tests" in output


def test_p_value_equals_exhaustive_swaps() -> None:
    """Of systems that are better here and worse there."""
    mixed = {name: APART[name] if text < 2 else KEY[name] for text, name in _texts()}
    Path("mixed.conll").write_text(cells_as_conll(mixed))
    units = []
    for response in (BASE, mixed):
        counted = [brute_force.muc(*pair) for pair in corpus(response)]
        units.append([(_sum(counted[2 * text : 2 * text + 2]),) for text in TEXTS])
    expected = statistics_reference.exact_randomization(units[1], units[0])
    found = compared("key.conll", "base.conll", "mixed.conll", *PARTS, "--metrics", "muc")
    (comparison,) = found["comparisons"]
    assert 4 / 1024 < expected < 1
    assert comparison["p"] == float(expected) == comparison["p_corrected"]


def _texts() -> Iterable[tuple[int, str]]:
    return ((int(name[3]), name) for name in KEY)


def _sum(ratios: list[brute_force.Ratios]) -> brute_force.Ratios:
    return brute_force.Ratios(*(sum(column, Fraction(0)) for column in zip(*ratios, strict=True)))


def test_intervals_and_sentence() -> None:
    found = compared(*TWO, *PARTS)
    for system in found["systems"]:
        for estimate in system["scores"].values():
            assert 0 <= estimate["low"] <= estimate["value"] <= estimate["high"] <= 1
            assert estimate["deviation"] is None
    (last,) = (c for c in found["comparisons"] if c["statistic"] == "conll")
    assert 0 < last["low"] < last["difference"] < last["high"]
    (sentence,) = found["sentences"]
    base, ours = f1("conll", BASE), f1("conll", OURS)
    assert sentence.startswith(
        f"On 10 texts, the CoNLL score of ours is {percent(ours)} and that of base is "
        f"{percent(base)}: "
        f"a difference of +{percent(ours - base)} points (95 % interval "
        f"{100 * last['low']:+.2f} to {100 * last['high']:+.2f}), significant (p = 0.0312; "
    )
    assert run(*TWO, *PARTS).stdout.endswith(f"\n\n{sentence}\n")


def test_lower_confidence_narrows_intervals() -> None:
    wide, narrow = (
        compared(*TWO, *PARTS, "--confidence", confidence) for confidence in ("0.95", "0.8")
    )
    for one, other in zip(wide["comparisons"], narrow["comparisons"], strict=True):
        assert one["low"] <= other["low"] < other["high"] <= one["high"]
        assert (one["low"], one["high"]) != (other["low"], other["high"])
        assert one["p"] == other["p"]
    assert "80 %" in run(*TWO, *PARTS, "--confidence", "0.8").stdout


def test_documents_that_moved_are_named() -> None:
    output = run(*TWO, "--most", "3", "--samples", "10").stdout
    _, _, table = output.partition("Documents whose CoNLL score changed most\n")
    moved = rows(table)
    before = [f1("conll", {"x": cells}, {"x": "111223"}) for cells in ("112223", "11-223")]
    lower = before.index(min(before))
    assert [row[0] for row in moved] == [f"(t/{text}); part 00{lower}" for text in range(3)]
    for row in moved:
        assert row[1:] == [percent(min(before)), "100.00", f"+{percent(1 - min(before))}"]
    assert "changed most" not in run(*TWO, "--most", "0", "--samples", "10").stdout


# Several systems


def test_a_baseline_can_be_named() -> None:
    found = compared(*THREE, *PARTS, "--baseline", "ours")
    assert found["baseline"] == "ours"
    assert [(c["system"], c["other"]) for c in found["comparisons"][::8]] == [
        ("base", "ours"),
        ("apart", "ours"),
    ]
    (conll_,) = (
        c for c in found["comparisons"] if c["system"] == "apart" and c["statistic"] == "conll"
    )
    assert isclose(conll_["difference"], float(f1("conll", APART) - f1("conll", OURS)))
    output = run(*THREE, *PARTS, "--baseline", "ours").stdout
    table = {row[0]: row[1:] for row in rows(output)}
    assert table["ours"] == [percent(f1(id, OURS)) for id in STATISTICS]
    assert table["base"] == [f"{percent(f1(id, BASE))}*" for id in STATISTICS]
    expected = [percent(f1(id, APART)) for id in STATISTICS]
    assert [cell.rstrip("*") for cell in table["apart"]] == expected
    assert table["apart"][0] == expected[0], "mentions differ in one text alone, which is chance"


def test_holm_correction() -> None:
    every = compared(*THREE, *PARTS)["comparisons"]
    p = [Fraction(c["p"]) for c in every]
    assert [c["p_corrected"] for c in every] == [float(q) for q in statistics_reference.holm(p)]
    of_metric = compared(*THREE, *PARTS, "--family", "metric")["comparisons"]
    for place in range(8):
        own = [Fraction(c["p"]) for c in of_metric[place::8]]
        corrected = [c["p_corrected"] for c in of_metric[place::8]]
        assert corrected == [float(q) for q in statistics_reference.holm(own)]
    alone = compared(*THREE, *PARTS, "--family", "none")["comparisons"]
    assert all(c["p_corrected"] == c["p"] for c in alone)
    assert "over 2 tests of each metric" in run(*THREE, *PARTS, "--family", "metric").stdout
    assert "Holm" not in run(*THREE, *PARTS, "--family", "none").stdout


def test_all_pairs_are_lettered_and_ranked() -> None:
    arguments = (*THREE, *PARTS, "--all-pairs", "--family", "metric")
    found = compared(*arguments)
    assert found["baseline"] is None
    assert [(c["system"], c["other"]) for c in found["comparisons"][::8]] == [
        ("ours", "base"),
        ("apart", "base"),
        ("apart", "ours"),
    ]
    marks = {}
    for id in STATISTICS:
        significant = [
            frozenset([c["system"], c["other"]])
            for c in found["comparisons"]
            if c["statistic"] == id and c["significant"]
        ]
        scores = {name: f1(id, response) for name, response in SYSTEMS.items()}
        marks[id] = statistics_reference.superscripts(scores, significant)
        ranks = statistics_reference.ranks(scores, significant)
        assert {s["name"]: s["ranks"][id] for s in found["systems"]} == ranks
    assert marks["conll"] == {"base": "c", "ours": "ac", "apart": ""}
    assert marks["mentions"] == {"base": "", "ours": "a", "apart": "a"}
    output = run(*arguments).stdout
    table = rows(output)
    assert [row[0] for row in table] == ["(a) base", "(b) ours", "(c) apart"]
    assert [row[-1] for row in table] == ["2", "1", "3"]
    for row, (name, response) in zip(table, SYSTEMS.items(), strict=True):
        expected = [f"{percent(f1(id, response))} {marks[id][name]}".strip() for id in STATISTICS]
        assert row[1:-1] == expected
    pairs = rows(output.partition("CoNLL by pair of systems\n")[2])
    assert [(row[0], row[3]) for row in pairs] == [
        ("ours", "base"),
        ("apart", "base"),
        ("apart", "ours"),
    ]


def test_detail_lists_all_pairs() -> None:
    output = run(*THREE, *PARTS, "--detail").stdout
    titles = re.findall("^(.*) by pair of systems$", output, re.MULTILINE)
    assert titles == ["Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"]


# Units


def test_units_by_part_file_pattern_and_list() -> None:
    Path("units.txt").write_text("".join(f"{name}\ttext {name[3]}\n" for name in KEY))
    Path("gold").mkdir()
    for text in TEXTS:
        of_text = {name: cells for name, cells in KEY.items() if int(name[3]) == text}
        Path("gold", f"{text}.conll").write_text(cells_as_conll(of_text))
    parts = compared(*TWO, *PARTS)
    others = [
        compared(*TWO, "--unit", r"t/(\d)"),
        compared(*TWO, "--unit", "units.txt"),
        compared("gold", *TWO[1:], "--unit", "files"),
    ]
    assert parts["unit"] == "parts" and "|unit:parts|units:10|" in parts["signature"]
    for other in others:
        assert other["units"] == 10
        assert other["systems"] == parts["systems"]
        assert other["comparisons"] == parts["comparisons"]
    assert [o["signature"].split("|unit:")[1].split("|")[0] for o in others] == [
        "groups",
        "groups",
        "files",
    ]
    assert "On 10 files, the CoNLL score of ours" in others[2]["sentences"][0]
    assert "On 10 groups of documents, the CoNLL score of ours" in others[0]["sentences"][0]


def test_units_by_document() -> None:
    documents = run(*TWO)
    assert "units     20 documents" in documents.stdout
    assert "W503" in documents.stderr and "20 documents are parts of 10 texts" in documents.stderr
    assert "W503" not in run(*TWO, *PARTS).stderr


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        (r"u/(\d)", "does not match"),
        ("(", "regular expression"),
        ("units.txt", "has no unit"),
    ],
)
def test_a_document_without_unit_is_refused(unit: str, message: str) -> None:
    Path("units.txt").write_text("(t/0); part 000\tone\n")
    result = run(*TWO, "--unit", unit)
    refused(result, message, 3)
    assert "E501" in result.stderr


def test_too_few_units_for_p_values() -> None:
    for name in ("key", *SYSTEMS):
        few = {**SYSTEMS, "key": KEY}[name]
        Path(f"{name}.conll").write_text(cells_as_conll({n: few[n] for n in list(few)[:9]}))
    result = run(*TWO)
    assert "W501" in result.stderr and "expected 10 or more" in result.stderr
    assert "no p-values: too few units for a test (9 documents)" in result.stdout
    assert "significance cannot be tested with so few units." in result.stdout
    assert "p = " not in result.stdout and "*" not in result.stdout
    found = compared(*TWO)
    assert {(c["p"], c["p_corrected"]) for c in found["comparisons"]} == {(None, None)}
    assert not any(c["significant"] for c in found["comparisons"])
    assert all(c["low"] < c["difference"] < c["high"] for c in found["comparisons"][1:])


# Samples, seeds, tests


def test_seed() -> None:
    arguments = (*TWO, "--samples", "200", "--format", "json")
    first, again, other = (run(*arguments, "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again != other
    one, two = json.loads(first), json.loads(other)
    assert one["seed"] == 1 and two["seed"] == 2 and one["samples"] == 200
    assert [s["scores"]["conll"]["value"] for s in one["systems"]] == [
        s["scores"]["conll"]["value"] for s in two["systems"]
    ]
    assert one["comparisons"][-1]["low"] != two["comparisons"][-1]["low"]


def test_smallest_p_value() -> None:
    found = compared(*TWO, "--samples", "99")
    assert not found["exact"]
    assert min(c["p"] for c in found["comparisons"]) == 1 / 100
    assert "|test:randomization|samples:99|seed:12345" in found["signature"]


def test_the_bootstrap_can_be_chosen() -> None:
    found = compared(*TWO, *PARTS, "--test", "bootstrap", "--samples", "999")
    assert found["test"] == "bootstrap" and not found["exact"]
    assert all(1 / 1000 <= c["p"] < 0.05 for c in found["comparisons"])
    output = run(*TWO, *PARTS, "--test", "bootstrap", "--samples", "999").stdout
    assert "paired bootstrap (999 samples, seed 12345)" in output


# Runs


def test_runs_by_pattern_or_name() -> None:
    Path("runs").mkdir()
    for number, response in enumerate((BASE, OURS)):
        Path("runs", f"x-{number}.conll").write_text(cells_as_conll(response))
    by_pattern = run("key.conll", "apart.conll", "x=runs/x-*.conll", *PARTS)
    by_name = run("key.conll", "apart.conll", "x=runs/x-0.conll", "x=runs/x-1.conll", *PARTS)
    assert by_pattern.exit_code == 0 and by_pattern.stdout == by_name.stdout
    assert "W504" in by_pattern.stderr
    first, second = f1("conll", BASE), f1("conll", OURS)
    mean, deviation = (first + second) / 2, float(abs(first - second)) / sqrt(2)
    note = f"mean ± deviation over runs: x {percent(mean)} ± {100 * deviation:.2f}\n"
    assert note in by_pattern.stdout
    assert "system    x = runs/x-0.conll … (2 runs)" in by_pattern.stdout
    found = compared("key.conll", "apart.conll", "x=runs/x-*.conll", *PARTS)
    assert found["test"] == "satterthwaite"
    apart, x = found["systems"]
    assert x["responses"] == ["runs/x-0.conll", "runs/x-1.conll"]
    assert isclose(x["scores"]["conll"]["value"], float(mean))
    assert isclose(x["scores"]["conll"]["deviation"], deviation)
    assert apart["scores"]["conll"]["deviation"] is None


def test_one_run_against_several() -> None:
    arguments = ("key.conll", "apart.conll", "x=base.conll", "x=ours.conll", *PARTS)
    result = run(*arguments)
    assert result.exit_code == 0
    assert "apart has one run, compared with x (2 runs): there is no p-value" in result.stderr
    assert "– not tested because of the numbers of runs: x against apart" in result.stdout
    assert "significance cannot be tested with these numbers of runs." in result.stdout
    found = compared(*arguments)
    assert (
        {c["p"] for c in found["comparisons"]} == {c["low"] for c in found["comparisons"]} == {None}
    )
    assert "W507" in {finding["code"] for finding in found["findings"]}


def test_tests_of_one_run_with_several_runs() -> None:
    arguments = ("key.conll", "x=base.conll", "x=ours.conll", "apart.conll")
    for test in ("randomization", "bootstrap"):
        result = run(*arguments, "--test", test)
        refused(result, f"error: a system with several runs cannot be tested by {test}")
        assert result.stderr.endswith(": remove --test\n") and "Usage" not in result.stderr


def test_file_name_that_looks_like_pattern() -> None:
    Path("run[1].conll").write_text(cells_as_conll(OURS))
    found = compared("key.conll", "base.conll", "ours=run[1].conll", "--samples", "10")
    assert found["systems"][1]["responses"] == ["run[1].conll"]


# Sets


@pytest.fixture
def sets() -> list[str]:
    """Three: on the first ours wins, on the second nothing differs, the third is too small."""
    one = {f"d{text}": "111223" for text in TEXTS}
    few = {f"d{text}": "112" for text in range(3)}
    layout: dict[str, list[dict[str, str]]] = {
        "one": [one, dict.fromkeys(one, "112223") | {"d0": "11-223"}, one],
        "two": [one, dict.fromkeys(one, "11-223"), dict.fromkeys(one, "11-223")],
        "few": [few, dict.fromkeys(few, "122"), few],
    }
    for name, responses in layout.items():
        Path(name).mkdir()
        for place, documents in zip(("gold", f"{name}-a", f"{name}-b"), responses, strict=True):
            Path(name, f"{place}.conll").write_text(cells_as_conll(documents))
    return [
        word
        for name in layout
        for word in (
            "--set",
            f"{name}={name}/gold.conll:{name}/{name}-a.conll:{name}/{name}-b.conll",
        )
    ]


def test_sets_average_wins_and_losses(sets: list[str]) -> None:
    found = compared(*sets)
    assert [each["name"] for each in found["sets"]] == ["one", "two", "few"]
    for id in STATISTICS:
        for place in range(2):
            values = [each["systems"][place]["scores"][id]["value"] for each in found["sets"]]
            average = found["average"]["systems"][place]["scores"][id]["value"]
            assert isclose(average, sum(values) / 3, rel_tol=1e-12)
    by_hand = f1("conll", dict.fromkeys("x", "11-223"), dict.fromkeys("x", "111223"))
    a, b = found["sets"][1]["systems"]
    assert isclose(a["scores"]["conll"]["value"], float(by_hand))
    assert b["scores"] == a["scores"]
    record = next(each for each in found["records"] if each["statistic"] == "conll")
    assert [record[k] for k in ("system", "other")] == ["B", "A"], "files are named otherwise"
    assert [record[k] for k in ("wins", "ties", "losses", "untested")] == [1, 1, 0, 1]
    assert found["average"]["units"] == 23
    assert "|docs:23|sets:3|units:23|" in found["average"]["signature"]


def test_sets_with_unnamed_systems(sets: list[str]) -> None:
    """Systems named by their position keep their files."""
    found = compared(*sets, "--samples", "10")
    assert [[s["name"], *s["responses"]] for s in found["sets"][0]["systems"]] == [
        ["A", "one/one-a.conll"],
        ["B", "one/one-b.conll"],
    ]


def test_sets_as_tables(sets: list[str]) -> None:
    output = run(*sets, "--baseline", "B").stdout
    by_set = rows(output)
    assert [row[:2] for row in by_set] == [
        ["one", "10"],
        ["two", "10"],
        ["few", "3"],
        ["average", "23"],
    ]
    assert [row[3] for row in by_set][::2] == ["100.00", "100.00"]
    assert by_set[0][2].endswith("*") and not by_set[1][2].endswith("*")
    average = rows(output.partition("CoNLL, mean over sets\n")[2])
    assert [row[0] for row in average] == ["A"]
    assert average[0][-1] == "0/1/1 (1 untested)"


def test_systems_of_the_same_names_keep_them() -> None:
    arguments = ["--set", "x=key.conll:base.conll:ours.conll"]
    arguments += ["--set", "y=key.conll:base=ours.conll:ours=apart.conll"]
    found = compared(*arguments, "--samples", "50")
    assert [system["name"] for system in found["average"]["systems"]] == ["base", "ours"]
    base = found["average"]["systems"][0]["scores"]["muc"]["value"]
    assert isclose(base, float(f1("muc", BASE) + f1("muc", OURS)) / 2)


def test_names_in_another_order_are_refused() -> None:
    arguments = ["--set", "x=key.conll:base.conll:ours.conll"]
    arguments += ["--set", "y=key.conll:ours.conll:base.conll"]
    result = run(*arguments, "--samples", "50")
    refused(result, "E503", 3)


def test_sets_as_csv(sets: list[str]) -> None:
    table = list(csv.DictReader(io.StringIO(run(*sets, "--format", "csv").stdout)))
    assert list(dict.fromkeys(row["set"] for row in table)) == ["one", "two", "few", "average"]
    assert len(table) == 4 * 3 * 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "x=key.conll:base.conll"], "NAME=KEY:A:B"),
        (["--set", "key.conll"], "NAME=KEY:A:B"),
        (["--set", "x=key.conll::base.conll"], "NAME=KEY:A:B"),
        (
            ["key.conll", "--set", "x=key.conll:base.conll:ours.conll"],
            "--set cannot be combined with KEY",
        ),
        (["--set", "x=key.conll:base.conll:ours.conll"] * 2, "two sets are named 'x'"),
        (["--set", "average=key.conll:base.conll:ours.conll"], "the name 'average'"),
        (["--set", "x=-:base.conll:ours=-"], "standard input can be read only once"),
        (
            ["--set", "x=key.conll:base.conll:ours.conll", "--changes"],
            "--changes cannot be combined with --set",
        ),
        (["--set", "x=key.conll:base.conll:ours.conll", "--baseline", "z"], "no system named 'z'"),
    ],
)
def test_sets_that_are_wrong(arguments: list[str], message: str) -> None:
    refused(run(*arguments, "--samples", "10"), message)


# Changes


def errors(response: str) -> int:
    result = CliRunner().invoke(main, ["errors", "key.conll", response, "--format", "json"])
    (system,) = json.loads(result.stdout)["systems"]
    return sum(system["errors"].values())


def test_changes_are_counted() -> None:
    """Ours fixes all but what is wrong in the last text."""
    found = compared(*TWO, "--changes", "--samples", "10")["changes"]
    total = found["total"]
    before = errors("base.conll")
    assert total["before"] == before == 10 * total["unchanged"]
    assert total["after"] == errors("ours.conll") == total["unchanged"] == before // 10
    assert total["fixed"] == before - before // 10 and total["broken"] == 0
    assert (found["before"]["name"], found["after"]["name"]) == ("base", "ours")
    turned = compared(*TWO, "--changes", "--samples", "10", "--baseline", "ours")["changes"]
    assert turned["total"]["broken"] == total["fixed"] and turned["total"]["fixed"] == 0


def test_changes_are_listed() -> None:
    brief = run(*TWO, "--changes", "--samples", "10").stdout
    full = run(*TWO, "--changes", "--list", "--samples", "10").stdout
    assert full.startswith(brief) and len(full) > len(brief)
    assert "Errors fixed and broken, by type" in brief
    assert "Errors fixed and broken, by document" in brief
    latex = run(*TWO, "--changes", "--list", "--samples", "10", "--format", "latex").stdout
    outside = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", latex, flags=re.DOTALL)
    assert all(line.startswith("%") for line in outside.splitlines() if line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*THREE, "--changes"), "--changes needs exactly two systems"),
        ((*TWO, "ours=apart.conll"), "two responses are named 'ours'"),
        (
            (*TWO[:2], "x=base.conll", "x=ours.conll", "--changes"),
            "--changes needs exactly two systems",
        ),
        ((*TWO, "--list"), "--list requires --changes"),
        (("key.conll", "base.conll"), "two or more responses"),
        (("key.conll",), "two or more responses"),
        ((), "two or more responses"),
        ((*TWO, "--baseline", "bas"), "did you mean base?"),
        (("key.conll", "base.conll", "x=no-*.conll"), "no file matches 'no-*.conll'"),
        (("key.conll", "base.conll", "base.conll"), "two responses are named 'base'"),
        (("key.conll", "x=base.conll", "x=ours.conll"), "found one system; expected two or more"),
        ((*TWO, "--samples", "0"), "--samples"),
        ((*TWO, "--confidence", "1"), "confidence is 1.0; expected"),
        ((*TWO, "--confidence", "nan"), "confidence is nan; expected"),
        (
            (*TWO, "--all-pairs", "--baseline", "base"),
            "--all-pairs cannot be combined with --baseline",
        ),
        ((*TWO, "--changes", "--format", "csv"), "--changes cannot be printed as csv"),
        ((*TWO, "--metrics", "mucc"), "did you mean muc?"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, "--most", "1")
    refused(result, message)


def test_standard_input_is_read_once() -> None:
    found = run("key.conll", "-", "ours.conll", "--samples", "10", input=cells_as_conll(BASE))
    assert "standard input" in found.stdout and percent(f1("conll", BASE)) in found.stdout
    refused(run("-", "-", "ours.conll", input=cells_as_conll(KEY)), "only once")
    again = run("key.conll", "-", "ours.conll", "--changes", input=cells_as_conll(BASE))
    refused(again, "only once")


# Formats


def test_json_is_unrounded() -> None:
    found = compared(*TWO, "--samples", "10")
    for system, response in zip(found["systems"], (BASE, OURS), strict=True):
        for id, estimate in system["scores"].items():
            assert abs(estimate["value"] - float(f1(id, response))) < 1e-15
    assert found["key"] == "key.conll" and found["findings"][0]["code"] == "W502"
    assert found["signature"].startswith("corefscope:0.1|profile:conll-2012|")


def test_csv_rows() -> None:
    table = list(csv.reader(io.StringIO(run(*TWO, *PARTS, "--format", "csv").stdout)))
    assert ",".join(table[0]) == (
        "set,system,statistic,value,low,high,deviation,other,difference,difference_low,"
        "difference_high,p,p_corrected"
    )
    assert len(table) == 1 + 2 * 8 + 8 and {len(row) for row in table} == {13}
    muc = next(row for row in table if row[1:3] == ["base", "muc"])
    assert isclose(float(muc[3]), float(f1("muc", BASE)), rel_tol=1e-15) and muc[6:] == [""] * 7
    difference = table[-1]
    assert difference[:3] == ["", "ours", "conll"] and difference[3:7] == [""] * 4
    assert difference[7] == "base" and float(difference[11]) == 4 / 1024


def test_markdown_has_the_same_rows() -> None:
    lines = run(*TWO, *PARTS, "--format", "markdown").stdout.splitlines()
    header, rule = (line.strip("| ").split(" | ") for line in lines[:2])
    assert header == ["metric", "base", "95 %", "ours", "95 %", "difference", "95 %", "p"]
    assert len(rule) == 8
    muc = next(line for line in lines if line.startswith("| MUC |")).strip("| ").split(" | ")
    assert [muc[1], muc[3]] == [percent(f1("muc", BASE)), percent(f1("muc", OURS))]
    pairs = run(*THREE, *PARTS, "--all-pairs", "--family", "metric", "--format", "markdown").stdout
    assert f"{percent(f1('conll', OURS))}<sup>ac</sup>" in pairs


@pytest.mark.parametrize("extra", [(), ("--all-pairs",), ("c=apart.conll", "--all-pairs")])
def test_latex_is_balanced_and_names_are_escaped(extra: tuple[str, ...]) -> None:
    arguments = ("key.conll", "a_b&c=base.conll", "50%=ours.conll", *extra, *PARTS)
    latex = run(*arguments, "--family", "metric", "--format", "latex").stdout
    tables = [line for line in latex.splitlines() if not line.startswith("%")]
    text = "\n".join(tables).replace(r"\{", "").replace(r"\}", "")
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 0
    assert r"a\_b\&c" in text and r"50\%" in text
    assert not re.search(r"(?<!\\)[_#%$]", text.replace("$-$", ""))
    for block in re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.DOTALL):
        widths = {len(re.findall(r"(?<!\\)&", row)) for row in block.split("\\\\\n") if "&" in row}
        assert len(widths) == 1
    if len(extra) == 2:
        assert rf"{percent(f1('conll', OURS))}\textsuperscript{{ac}}" in text


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex"])
def test_the_result_can_go_to_a_file(format: str) -> None:
    arguments = (*TWO, *PARTS, "--samples", "50", "--format", format)
    to_file = run(*arguments, "-o", "result.txt")
    assert to_file.exit_code == 0 and to_file.stdout == ""
    assert Path("result.txt").read_bytes() == run(*arguments).stdout_bytes != b""


# Result files


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex"])
@pytest.mark.parametrize("profile", ["conll-2012", "e2e", "macro"])
def test_results_compare_as_the_responses_do(
    format: str, profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte: the files have the same names in another folder."""
    options = ("--profile", profile, "--metrics", "all,more")
    Path("results").mkdir()
    Path("results", "key.conll").write_text(cells_as_conll(KEY))
    for name in SYSTEMS:
        scored = CliRunner().invoke(
            main,
            ["score", "key.conll", f"{name}.conll", *options, "--per-document", "--format", "json"],
        )
        Path("results", f"{name}.conll").write_text(scored.stdout)
    arguments = (*THREE, *PARTS, *options, "--samples", "100", "--detail", "--format", format)
    expected = run(*arguments)
    monkeypatch.chdir(tmp_path / "results")
    found = run(*arguments)
    assert found.exit_code == 0 and found.stdout_bytes == expected.stdout_bytes != b""


def test_stored_results_of_several_systems() -> None:
    CliRunner().invoke(
        main, ["score", *THREE, "--per-document", "--format", "json", "-o", "all.json"]
    )
    found = compared("key.conll", "apart=all.json", "ours=all.json", "--samples", "10")
    for system, response in zip(found["systems"], (APART, OURS), strict=True):
        assert system["scores"]["b3"]["value"] == float(f1("b3", response))
    refused(run("key.conll", "apart=all.json", "our=all.json"), "did you mean ours?")


def test_stored_results_of_other_key_or_profile() -> None:
    arguments = ["score", "key.conll", "base.conll", "--format", "json", "-o"]
    CliRunner().invoke(main, [*arguments, "whole.json", "--per-document"])
    CliRunner().invoke(main, [*arguments, "short.json"])
    refused(run("key.conll", "whole.json", "ours.conll", "--profile", "e2e"), "E503", 3)
    refused(run("key.conll", "whole.json", "ours.conll", "--metrics", "vi"), "E503", 3)
    refused(run("ours.conll", "whole.json", "apart.conll"), "another key", 3)
    refused(run("key.conll", "short.json", "ours.conll"), "--per-document", 3)
    Path("broken.json").write_text(Path("whole.json").read_text()[:-200])
    refused(run("key.conll", "broken.json", "ours.conll"), "not JSON", 3)
    message = "--changes needs the responses themselves"
    refused(run("key.conll", "whole.json", "ours.conll", "--changes"), message)


def test_nats_are_shown_as_such_everywhere() -> None:
    """VI is no percentage, and less of it is better."""
    arguments = ("key.conll", "base.conll", "ours.conll", *PARTS, "--metrics", "vi")
    output = run(*arguments).stdout
    found = compared(*arguments)
    base, ours = (system["scores"]["vi"]["value"] for system in found["systems"])
    assert ours < base
    said = f"the VI score of ours is {ours:.4f} and that of base is {base:.4f}: a difference of "
    assert f"{said}{ours - base:+.4f} nats" in output
    assert rows(output)[0][1] == f"{base:.4f}" and rows(output)[0][3] == f"{ours:.4f}"
    moved = rows(output.partition("changed most\n")[2])
    assert all(re.fullmatch(r"-0\.\d{4}", row[-1]) for row in moved), moved
    of_sets = run("--set", "x=key.conll:base.conll:ours.conll", *PARTS, "--metrics", "vi").stdout
    assert rows(of_sets)[0][2:] == [f"{base:.4f}", f"{ours:.4f}**"]
    letters = run(*arguments, "apart.conll", "--all-pairs").stdout
    assert "(b) ours" in letters and f"{ours:.4f} a" in letters
