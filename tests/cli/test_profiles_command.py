"""``corefscope profiles``: the protocols by name, and one pair of files under all of them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import brute_force
import more_references
from commands import Command, cells_as_conll, cells_as_entities

PLAIN = ["conll-2012", "no-singletons", "coval", "e2e", "macro"]
NAMES = [*PLAIN, "bookcoref-window", "corefud-exact"]
"""The profiles that apply to any files."""
OF_CRAC = ["crac-2022", "crac-2023", "crac-2024", "crac-2025", "crac-2026"]
OF_TASKS = ["corefud", *OF_CRAC, "ua-1", "ua-2"]
"""Those of shared tasks, which need heads or markables."""
METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"]
SHOWN = ["Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA"]
KEY = {"(one); part 000": "11122345--", "(two); part 000": "1123", "(three); part 000": "11--22"}
RESPONSE = {
    "(one); part 000": "1122234-66",
    "(two); part 000": "1223",
    "(three); part 000": "112345",
}
"""The entity of each token, which is a mention; singletons on both sides."""

LITBANK = Path(__file__).resolve().parents[3] / "shared" / "data" / "litbank"


CORPUS = [(cells_as_entities(KEY[name]), cells_as_entities(RESPONSE[name])) for name in KEY]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(cells_as_conll(KEY))
    Path("response.conll").write_text(cells_as_conll(RESPONSE))


pytestmark = pytest.mark.usefixtures("files")
PAIR = ("key.conll", "response.conll")


def run(*arguments: str, command: str = "profiles") -> Result:
    return Command(command).run(*arguments)


def under_all(*arguments: str) -> dict[str, dict[str, Any]]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return {profile["name"]: profile for profile in json.loads(result.stdout)["profiles"]}


def cells(line: str) -> list[str]:
    """The cells of a line; those of text are two blanks apart, numbers perhaps one."""
    return re.split(
        r"\s{2,}|\s(?=[-+\d]|(?:B³|CEAF.|BLANC|LEA|CoNLL)(?:\s|$)|change)", line.strip()
    )


# The list


def test_the_list_says_what_each_protocol_does() -> None:
    lines = run().stdout.splitlines()
    listed = {cells(line)[0]: cells(line)[1:] for line in lines[4:19]}
    exact = ["exact", "linear"]
    assert listed == {
        "conll-2012": [*exact, "keep", "first", "micro", "key"],
        "no-singletons": [*exact, "drop", "first", "micro", "key"],
        "coval": [*exact, "keep", "first", "micro", "key"],
        "e2e": [*exact, "drop (not CEAFe)", "first", "micro", "key"],
        "macro": [*exact, "keep", "first", "macro", "key"],
        "bookcoref-window": [*exact, "keep", "first", "micro", "key"],
        "corefud-exact": ["exact", "dependent", "drop", "all", "micro", "both"],
        "corefud": ["head", "dependent", "drop", "all", "micro", "both"],
        "crac-2022": ["partial", "linear", "drop", "all", "micro", "both"],
        "crac-2023": ["head", "linear", "drop", "all", "micro", "both"],
        "crac-2024": ["head", "dependent", "drop", "all", "micro", "both"],
        "crac-2025": ["head", "dependent", "drop", "all", "micro", "both"],
        "crac-2026": ["head", "dependent", "drop", "all", "micro", "both"],
        "ua-1": [*exact, "keep", "all", "micro", "both"],
        "ua-2": ["exact", "drop", "drop", "all", "micro", "both"],
    }
    for name in NAMES + OF_TASKS:
        assert run(name).stdout.startswith(f"{name}: ")
    assert "CEAFe: drop-response" in run("e2e").stdout


# Under all of them


def test_every_profile_scores_as_score_does() -> None:
    found = under_all(*PAIR)
    assert list(found) == NAMES
    for name, profile in found.items():
        scored = run(*PAIR, "--profile", name, "--format", "json", command="score")
        (system,) = json.loads(scored.stdout)["systems"]
        assert profile["conll"] == system["conll"]
        assert profile["signature"] == system["signature"]
        assert profile["metrics"] == system["metrics"]
        assert profile["steps"][-1]["conll"] == profile["conll"]
        assert profile["steps"][0]["conll"] == found["conll-2012"]["conll"]


def test_every_profile_scores_as_its_reference() -> None:
    found = under_all(*PAIR)
    values = {name: round(profile["conll"], 6) for name, profile in found.items()}
    assert len(set(values.values())) == 4, "the corpus tells protocols apart"
    for name in ("conll-2012", "coval"):
        assert abs(found[name]["conll"] - brute_force.conll(CORPUS)) < 1e-12
    for name, reference in more_references.PROFILES.items():
        for id, score in reference(CORPUS).items():
            if id == "conll":
                assert abs(found[name]["conll"] - score.f1) < 1e-12
            else:
                assert abs(found[name]["metrics"][id]["f1"] - score.f1) < 1e-12


def test_table_of_scores_and_differences() -> None:
    lines = run(*PAIR).stdout.splitlines()
    assert lines[:4] == [
        "key       key.conll",
        "response  response.conll",
        "documents 3",
        "",
    ]
    assert cells(lines[4]) == ["profile", *SHOWN, "CoNLL", "change"]
    table = {cells(line)[0]: cells(line)[1:] for line in lines[6:13]}
    found = under_all(*PAIR)
    default = table["conll-2012"][-1]
    for name, row in table.items():
        expected = [found[name]["metrics"][id]["f1"] for id in METRICS] + [found[name]["conll"]]
        assert row[:8] == [f"{100 * value:.2f}" for value in expected]
        if name != "conll-2012":
            assert Fraction(row[8]) == Fraction(row[7]) - Fraction(default)


STEP = re.compile(r"  (?P<rule>\S.*): CoNLL (?P<change>[+-]\d+\.\d\d)")
MOVED = re.compile(
    r"    (?P<name>\S+) (?P<old>\d+\.\d\d) → (?P<new>\d+\.\d\d) \((?P<change>[+-]\d+\.\d\d)\)"
)
WHOLE = re.compile(r"(?P<name>\S+): CoNLL (?P<old>\S+) → (?P<new>\S+) \((?P<change>\S+)\)")


SHARES = re.compile(r"  contribution of each metric: MUC (\S+), B³ (\S+), CEAFe (\S+)")
NAMED = [*SHOWN, "CoNLL"]


def check_steps(output: str) -> dict[str, int]:
    """Every step adds up to the last digit, for CoNLL and each metric; return steps by profile."""
    table, _, said = output.partition("\ncorefscope:0.1|")
    rows = [cells(line) for line in table.splitlines()[6:]]
    scores = {row[0]: dict(zip(NAMED, row[1:], strict=False)) for row in rows if len(row) > 8}
    steps = {}
    for block in said.split("\n\n")[1:]:
        head, *lines = block.strip("\n").splitlines()
        name, _, others = head.partition(": ")
        if name == "Same scores":
            assert not lines
            assert all(scores[other] == scores["conll-2012"] for other in others.split(", "))
            continue
        check_shares(head, lines.pop(0), scores["conll-2012"], scores[name])
        steps[name] = check_walk(lines, scores["conll-2012"], scores[name])
    return steps


def check_shares(head: str, line: str, start: dict[str, str], end: dict[str, str]) -> None:
    """The shares of the three metrics add up to the difference, and are thirds of theirs."""
    whole, shares = WHOLE.fullmatch(head), SHARES.fullmatch(line)
    assert whole and shares
    assert (whole["old"], whole["new"]) == (start["CoNLL"], end["CoNLL"])
    assert Fraction(whole["old"]) + Fraction(whole["change"]) == Fraction(whole["new"])
    assert sum(map(Fraction, shares.groups())) == Fraction(whole["change"])
    for name, share in zip(("MUC", "B³", "CEAFe"), shares.groups(), strict=True):
        third = (Fraction(end[name]) - Fraction(start[name])) / 3
        assert abs(Fraction(share) - third) <= Fraction("0.02")


def check_walk(lines: list[str], start: dict[str, str], end: dict[str, str]) -> int:
    """Every step begins where the one before it ended; return how many there are."""
    here, conll_ = dict(start), Fraction(start["CoNLL"])
    told: list[list[str]] = []
    for line in lines:
        if step := STEP.fullmatch(line):
            told.append([])
            conll_ += Fraction(step["change"])
        elif moved := MOVED.fullmatch(line):
            assert moved["old"] == here[moved["name"]] != moved["new"]
            assert Fraction(moved["change"]) == Fraction(moved["new"]) - Fraction(moved["old"])
            here[moved["name"]] = moved["new"]
            told[-1].append(moved["name"])
        else:
            raise AssertionError(line)
    assert all(told), "each step changes a metric"
    assert conll_ == Fraction(end["CoNLL"])
    assert {**here, "CoNLL": end["CoNLL"]} == end
    return len(told)


def test_the_printed_steps_add_up_exactly() -> None:
    assert check_steps(run(*PAIR).stdout) == {
        "no-singletons": 2,
        "e2e": 2,
        "macro": 1,
        "corefud-exact": 2,
    }


def test_steps_in_comments_equal_code() -> None:
    _, _, said = run(*PAIR).stdout.partition("average:micro|docs:3\n\n")
    latex = run(*PAIR, "--format", "latex").stdout
    comments = [line[2:] for line in latex.splitlines() if line.startswith("%")]
    assert "\n".join(comments).endswith(f"\n\n{said.rstrip()}")
    markdown = run(*PAIR, "--format", "markdown").stdout
    assert markdown.endswith(f"```\n{said}```\n")


def test_perfect_response_with_singletons_under_e2e() -> None:
    found = under_all("key.conll", "key.conll")
    assert [name for name in NAMES if found[name]["conll"] < 1] == ["e2e"]
    assert found["e2e"]["metrics"]["ceafe"]["precision"] == 1
    assert found["e2e"]["metrics"]["ceafe"]["recall_counts"] == [5, 10], "5 of 10 are singletons"


def test_documents_that_differ_are_reported() -> None:
    one, two, _ = RESPONSE
    Path("response.conll").write_text(cells_as_conll({one: RESPONSE[one], two: "112345"}))
    refused = run(*PAIR)
    assert refused.exit_code == 3 and refused.stdout == "" and "Traceback" not in refused.stderr
    going_on = run(*PAIR, "--tokens", "ignore", "--format", "json")
    assert going_on.exit_code == 0 and "W201" in going_on.stderr
    assert "W201" in {finding["code"] for finding in json.loads(going_on.stdout)["findings"]}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("key.conll",), 2, "RESPONSE is missing"),
        (("-", "-"), 2, "only once"),
        (("key.conll", "nothing.conll"), 3, "E108"),
        ((*PAIR, "--format", "reference"), 2, "--format"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], status: int, message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == status and message in result.stderr
    assert result.stdout == "" and "Traceback" not in result.stderr


# Real data


@pytest.mark.skipif(not LITBANK.exists(), reason="no LitBank beside this checkout")
def test_litbank_scores_of_other_tools() -> None:
    """The table of the data's README."""
    result = run(str(LITBANK / "key.json"), str(LITBANK / "response.json"))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    header = cells(lines[4])
    table = {cells(line)[0]: dict(zip(header, cells(line), strict=False)) for line in lines[6:12]}
    columns = ("MUC", "B³", "CEAFe", "CoNLL")
    assert {name: [row[column] for column in columns] for name, row in table.items()} == {
        "conll-2012": ["89.94", "82.71", "79.16", "83.94"],
        "no-singletons": ["89.94", "80.38", "68.96", "79.76"],
        "coval": ["89.94", "82.71", "79.16", "83.94"],
        "e2e": ["89.94", "80.38", "42.42", "70.92"],
        "macro": ["89.57", "82.74", "78.35", "83.55"],
        "corefud-exact": ["89.94", "80.38", "68.96", "79.76"],
    }
    assert table["e2e"]["change"] == "-13.02"
    assert set(check_steps(result.stdout)) == set(NAMES) - {
        "conll-2012",
        "coval",
        "bookcoref-window",
    }
