"""Every command that applies English tables says so if the tags are of another tag set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bad_input import GERMAN
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES

COMMANDS = [
    ["errors"],
    ["nec"],
    ["score", "--by", "mention-type"],
    ["score", "--by", "entity-type"],
    ["score", "--metrics", "antecedents"],
]
UNIVERSAL = {b"ART": b"DET", b"NN": b"NOUN", b"VVFIN": b"VERB", b"PPER": b"PRON"}
RECORD = {
    "doc_key": "x",
    "sentences": [["die", "Katze", "lag"], ["sie"]],
    "pos": [["ART", "NN", "VVFIN"], ["PPER"]],
    "clusters": [[[0, 1], [3, 3]]],
    "entity_types": ["ORG"],
    "mention_levels": [["NAM", "PRO"]],
}


def run(*command: str) -> tuple[str, str]:
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_the_report_shows_the_finding(tmp_path: Path) -> None:
    file = tmp_path / "key.conll"
    file.write_bytes(GERMAN)
    _, shown = run("report", str(file), str(file), "-o", str(tmp_path / "report.html"))
    assert shown.count("[W408]") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_several_systems_give_one_finding(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "key.conll"
    file.write_bytes(GERMAN)
    _, shown = run(*command, str(file), f"a={file}", f"b={file}")
    assert shown.count("[W408]") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_universal_tags_raise_no_alarm(command: list[str], tmp_path: Path) -> None:
    data = GERMAN
    for other, universal in UNIVERSAL.items():
        data = data.replace(b" %s " % other, b" %s " % universal)
    (tmp_path / "key.conll").write_bytes(data)
    _, shown = run(*command, str(tmp_path / "key.conll"), str(tmp_path / "key.conll"))
    assert "W408" not in shown


def test_universal_tags_tell_types_in_scores(tmp_path: Path) -> None:
    data = GERMAN
    for other, universal in UNIVERSAL.items():
        data = data.replace(b" %s " % other, b" %s " % universal)
    file = tmp_path / "key.conll"
    chosen = ["score", str(file), str(file), "--by", "mention-type", "--format", "json"]
    credit = []
    for each in (GERMAN, data):
        file.write_bytes(each)
        by = json.loads(run(*chosen)[0])["systems"][0]["by"]
        credit.append(by["credit"]["pronoun"]["recall_counts"])
    assert credit == [[0, 0], [1, 1]]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_demo_raises_no_alarm(command: list[str]) -> None:
    _, shown = run(*command, str(KEY), str(RESPONSES["sieve"]))
    assert "W408" not in shown


@pytest.mark.parametrize(
    ("command", "is_silent"),
    [(["nec"], True), (["score", "--by", "mention-type"], True), (["errors"], False)],
)
def test_mention_levels_make_tags_unnecessary(
    command: list[str], is_silent: bool, tmp_path: Path
) -> None:
    file, partly = tmp_path / "key.jsonl", tmp_path / "partly.jsonl"
    file.write_text(json.dumps(RECORD) + "\n")
    partly.write_text(json.dumps(RECORD | {"mention_levels": [["NAM", None]]}) + "\n")
    assert ("W408" not in run(*command, str(file), str(file))[1]) == is_silent
    assert "W408" in run(*command, str(partly), str(partly))[1]
