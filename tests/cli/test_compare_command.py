"""``corefscope compare``: systems side by side, how sure it is, and what it refuses."""

from __future__ import annotations

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


def test_long_names_are_cut_off_above_columns() -> None:
    names = "maverick-mes-ontonotes", "longdoc-coreference"
    files = [f"{name}={path}" for name, path in zip(names, TWO[1:], strict=True)]
    output = run(TWO[0], *files, *PARTS).stdout
    assert len(output.splitlines()) <= 15 and max(map(len, output.splitlines())) <= 80
    assert "maverick-mes-…" in output and all(name in " ".join(output.split()) for name in names)


def test_two_systems_in_fourteen_lines_of_eighty_columns() -> None:
    output = run(*TWO, *PARTS).stdout
    assert len(output.splitlines()) <= 14 and max(map(len, output.splitlines())) <= 80
    shown = rows(output)
    names = ["CoNLL (planned)", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA"]
    assert [row[0] for row in shown] == names
    for row, id in zip(shown, ["conll", *STATISTICS[:-1]], strict=True):
        base, ours = f1(id, BASE), f1(id, OURS)
        assert row[1:4] == [percent(base), percent(ours), f"+{percent(ours - base)}"]
        assert row[-1] == "0.0039"
    text = " ".join(output.split("\n\n")[1].split())
    change = percent(f1("conll", OURS) - f1("conll", BASE))
    assert text.startswith(
        f"On 10 texts (conll-2012), ours is {change} CoNLL points above base, the baseline (95 % "
    )
    assert ": significant, p = 0.0039, exact paired randomization. A difference of " in text
    assert "*" not in output


def test_p_values_of_ten_texts_are_exact() -> None:
    """A text where both are the same can be swapped or not: 2 · 2 of 1,024 swaps are as far."""
    found = compared(*TWO, *PARTS)
    assert found["schema"] == "compare/2" and found["exact"] and found["units"] == 10
    assert (found["baseline"], found["planned"]) == ("base", "conll")
    assert [c["statistic"] for c in found["comparisons"]] == STATISTICS
    assert {(c["p"], c["test"]) for c in found["comparisons"]} == {(4 / 1024, "randomization")}
    assert {(c["system"], c["other"]) for c in found["comparisons"]} == {("ours", "base")}
    *exploratory, planned = found["comparisons"]
    assert (planned["p_corrected"], planned["verdict"]) == (4 / 1024, "significant")
    assert planned["least"] == 4 / 1024
    assert {(c["p_corrected"], c["verdict"]) for c in exploratory} == {(None, None)}


def test_many_systems_and_their_verdicts() -> None:
    """The corrected p stands beside the raw one, which is that of two systems."""
    output = run(*THREE, *PARTS).stdout
    title = "CoNLL against base, the planned comparison"
    assert rows(output)[0][0] == "base" and title in output and "97.5 % interval" in output
    table = rows(output.partition(title)[2])
    assert [[row[0], *row[-3:]] for row in table] == [
        ["ours", "0.0039", "0.0039", "significant"],
        ["apart", "0.0020", "0.0039", "significant"],
    ]
    assert "p = 0.0039 (0.0039 corrected for 2 comparisons)" in " ".join(output.split())
    detail = run(*THREE, *PARTS, "--detail").stdout
    assert detail.count(", exploratory\n") == 7


def test_the_baseline_can_be_named() -> None:
    found = compared(*THREE, "--baseline", "apart", "--samples", "10")
    assert found["baseline"] == "apart"
    assert {(c["system"], c["other"]) for c in found["comparisons"]} == {
        ("base", "apart"),
        ("ours", "apart"),
    }


@pytest.mark.parametrize(
    "options", [(), ("--detail", "--intervals"), ("--all-pairs", "--intervals")]
)
def test_nothing_is_wider_than_eighty_columns(options: tuple[str, ...]) -> None:
    """Tables fold, and each part begins with the names of systems."""
    long = [f"a-system-with-a-rather-long-name-{number}.conll" for number in range(3)]
    for name, response in zip(long, THREE[1:], strict=True):
        Path(name).write_bytes(Path(response).read_bytes())
    output = run(THREE[0], *long, *PARTS, *options).stdout
    assert max(map(len, output.splitlines())) <= 80
    assert sum(line.startswith("system ") for line in output.splitlines()) > 2


def test_all_pairs_have_no_verdicts() -> None:
    found = compared(*THREE, *PARTS, "--all-pairs")
    assert found["baseline"] is None and len(found["comparisons"]) == 3 * 8
    assert {(c["verdict"], c["p_corrected"]) for c in found["comparisons"]} == {(None, None)}
    output = run(*THREE, *PARTS, "--all-pairs").stdout
    assert "CoNLL by pair of systems, exploratory" in output and "significant" not in output


def test_too_few_units_for_a_verdict() -> None:
    found = compared(*TWO, "--unit", r"t/[0-3]|part", "--samples", "10")
    assert found["units"] == 5
    assert found["comparisons"][-1]["verdict"] == "cannot be tested"
    assert "W502" in [finding["code"] for finding in found["findings"]]
    output = run(*TWO, "--unit", r"t/[0-3]|part", "--samples", "10").stdout
    assert "cannot be tested with 5 groups of documents" in " ".join(output.split())
    assert "significant" not in output


def test_stored_scores_need_the_planned_metric() -> None:
    """Without --metrics it is CoNLL, whatever a file of scores has."""
    with Path("stored.json").open("w") as file:
        options = ["--metrics", "lea", "--per-document", "--format", "json"]
        file.write(CliRunner().invoke(main, ["score", "key.conll", "ours.conll", *options]).stdout)
    refused(run("key.conll", "base.conll", "ours=stored.json"), "metrics", 3)
    found = compared("key.conll", "base.conll", "ours=stored.json", "--metrics", "lea")
    assert found["planned"] == "lea"


def test_the_numbers_are_those_of_score() -> None:
    found = compared(*TWO, "--samples", "10")
    scored = CliRunner().invoke(main, ["score", *TWO, "--format", "json"])
    for system, scores in zip(found["systems"], json.loads(scored.stdout)["systems"], strict=True):
        f1s = {id: score["f1"] for id, score in scores["metrics"].items()}
        values = {id: estimate["value"] for id, estimate in system["scores"].items()}
        assert values == {**f1s, "conll": scores["conll"]}


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


def test_lower_confidence_narrows_intervals() -> None:
    wide, narrow = (
        compared(*TWO, *PARTS, "--confidence", confidence) for confidence in ("0.95", "0.8")
    )
    for one, other in zip(wide["comparisons"], narrow["comparisons"], strict=True):
        assert one["low"] <= other["low"] < other["high"] <= one["high"]
        assert (one["low"], one["high"]) != (other["low"], other["high"])
        assert one["p"] == other["p"]
    assert "80 %" in run(*TWO, *PARTS, "--confidence", "0.8").stdout


# Several systems


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
    assert "On 10 files (conll-2012), ours is " in others[2]["sentences"][0]
    assert "On 10 groups of documents (conll-2012), ours is " in others[0]["sentences"][0]


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
    assert found["comparisons"][0]["test"] == "bootstrap" and not found["exact"]
    assert all(1 / 1000 <= c["p"] < 0.05 for c in found["comparisons"])
    output = run(*TWO, *PARTS, "--test", "bootstrap", "--samples", "999").stdout
    assert "paired bootstrap" in " ".join(output.split())


# Runs


def test_runs_by_pattern_or_name() -> None:
    Path("runs").mkdir()
    for number, response in enumerate((BASE, OURS)):
        Path("runs", f"x-{number}.conll").write_text(cells_as_conll(response))
    by_pattern = run("key.conll", "apart.conll", "x=runs/x-*.conll", *PARTS)
    by_name = run("key.conll", "apart.conll", "x=runs/x-0.conll", "x=runs/x-1.conll", *PARTS)
    assert by_pattern.exit_code == 0 and by_pattern.stdout == by_name.stdout
    assert "W502" in by_pattern.stderr
    first, second = f1("conll", BASE), f1("conll", OURS)
    mean, deviation = (first + second) / 2, float(abs(first - second)) / sqrt(2)
    note = f"mean ± deviation over runs: x {percent(mean)} ± {100 * deviation:.2f}\n"
    assert note in by_pattern.stdout
    found = compared("key.conll", "apart.conll", "x=runs/x-*.conll", *PARTS)
    assert "W502" in {finding["code"] for finding in found["findings"]}
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
    assert "cannot be tested with these numbers of runs." in " ".join(result.stdout.split())
    found = compared(*arguments)
    assert (
        {c["p"] for c in found["comparisons"]} == {c["low"] for c in found["comparisons"]} == {None}
    )
    assert "W502" in {finding["code"] for finding in found["findings"]}


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


# Changes


def errors(response: str) -> int:
    result = CliRunner().invoke(main, ["errors", "key.conll", response, "--format", "json"])
    (system,) = json.loads(result.stdout)["systems"]
    return sum(system["errors"].values())


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
        (("key.conll", "base.conll"), "found one system; expected two or more"),
        (("key.conll",), "Missing argument 'RESPONSE...'"),
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
        ((*TWO, "--changes", "--format", "csv"), "--changes cannot be combined with --format csv"),
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
    refused(run("key.conll", "whole.json", "ours.conll", "--profile", "e2e"), "E502", 3)
    refused(run("key.conll", "whole.json", "ours.conll", "--metrics", "vi"), "E502", 3)
    refused(run("ours.conll", "whole.json", "apart.conll"), "another key", 3)
    refused(run("key.conll", "short.json", "ours.conll"), "--per-document", 3)
    Path("broken.json").write_text(Path("whole.json").read_text()[:-200])
    refused(run("key.conll", "broken.json", "ours.conll"), "not JSON", 3)
    message = "--changes needs the responses themselves"
    refused(run("key.conll", "whole.json", "ours.conll", "--changes"), message)
