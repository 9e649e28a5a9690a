"""``corefscope gate``: passes, fails, and refuses what cannot be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from corefscope.cli import main


def conll(*documents: str) -> str:
    """Documents of tokens that are mentions: the entity of each."""
    lines: list[str] = []
    for number, cells in enumerate(documents):
        lines.append(f"#begin document (d{number}); part 000")
        lines += [f"w{i}\t{'-' if c == '-' else f'({c})'}" for i, c in enumerate(cells)]
        lines.append("#end document")
    return "\n".join([*lines, ""])


# MUC of half of the links, B³ and the others by hand where they are asserted.
FILES = {
    "key": ("1122", "1111"),
    "other-key": ("1122", "1112"),
    "good": ("1122", "1111"),
    "fair": ("1122", "1122"),
    "poor": ("1122", "1234"),
    "long-key": ("1122", "1111", "11"),
    "long": ("1122", "1111", "11"),
}
"""Links of the key: 1 + 1 + 3; found: all, 1 + 1 + 2, 1 + 1."""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, documents in FILES.items():
        Path(f"{name}.conll").write_text(conll(*documents))
    for name in ("good", "fair", "poor"):
        score("key.conll", f"{name}.conll", "-o", f"{name}.json")


def score(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["score", *arguments, "--format", "json"])
    assert result.exit_code == 0, result.output
    return result


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["gate", *arguments])


def refused(result: Result, message: str, status: int) -> None:
    assert result.exit_code == status, result.output
    assert message in result.stderr and result.stdout == ""
    assert "Traceback" not in result.stderr and isinstance(result.exception, SystemExit)


def test_the_same_response_passes() -> None:
    result = gate("key.conll", "fair.conll", "--baseline", "fair.json")
    assert result.exit_code == 0 and result.stderr == ""
    assert re.search(r"^CoNLL +(\d+\.\d\d) +\1 +\+0\.00 +0\.00 +ok$", result.stdout, re.MULTILINE)
    assert "corefscope:0.1|profile:conll-2012|" in result.stdout


def test_a_worse_response_fails() -> None:
    result = gate("key.conll", "poor.conll", "--baseline", "fair.json")
    assert result.exit_code == 1
    assert re.search(r"^CoNLL .* -\d+\.\d\d +0\.00 +FAILS$", result.stdout, re.MULTILINE)


def test_a_better_response_passes() -> None:
    result = gate("key.conll", "good.conll", "--baseline", "poor.json")
    assert result.exit_code == 0
    assert re.search(r"^CoNLL .* 100\.00 +\+\d+\.\d\d +0\.00 +ok$", result.stdout, re.MULTILINE)


def test_limits_by_metric() -> None:
    """MUC of fair: recall 4 of 5, precision 4 of 4, F1 8/9; of good: 1. A drop of 11.11 points."""
    fair = ("key.conll", "fair.conll", "--baseline", "good.json")
    for limit, status in (("11.2", 0), ("11.12", 0), ("11.11", 1), ("0", 1)):
        result = gate(*fair, "--max-drop", f"muc={limit}", "--max-drop", "conll=off")
        assert result.exit_code == status, (limit, result.output)
        assert re.search(r"^CoNLL .* not checked$", result.stdout, re.MULTILINE)
        # The CoNLL score drops, too, and is checked unless that is switched off.
        result = gate(*fair, "--max-drop", f"muc={limit}")
        assert result.exit_code == 1
        assert re.search(r"^CoNLL .* 0\.00 +FAILS$", result.stdout, re.MULTILINE)
    both = gate(*fair, "--max-drop", "muc=50", "--max-drop", "100", "--max-drop", "bcub=1")
    assert both.exit_code == 1
    rows = [line.split() for line in both.stdout.splitlines()[2:5]]
    assert [(row[0], row[-1]) for row in rows] == [("MUC", "ok"), ("CoNLL", "ok"), ("B³", "FAILS")]
    assert rows[0][1:5] == ["100.00", "88.89", "-11.11", "50.00"]


def test_a_drop_to_the_digit_is_allowed() -> None:
    """Of MUC recall 2 of 5 and precision 2 of 2: 4/7. From 8/9 that is 32/63."""
    drop = 100 * (8 / 9 - 4 / 7)
    poor = ("key.conll", "poor.conll", "--baseline", "fair.json")
    off = ("--max-drop", "conll=off")
    assert gate(*poor, *off, "--max-drop", f"muc={drop!r}").exit_code == 0
    assert gate(*poor, *off, "--max-drop", f"muc={drop - 1e-6!r}").exit_code == 1


def test_less_of_a_distance_is_better() -> None:
    options = ("--metrics", "all,vi")
    score("key.conll", "fair.conll", *options, "-o", "fair.json")
    worse = gate("key.conll", "poor.conll", "--baseline", "fair.json", *options)
    vi = ("--baseline", "fair.json", *options, "--max-drop", "vi=0")
    assert gate("key.conll", "poor.conll", *vi).exit_code == 1 == worse.exit_code
    better = gate("key.conll", "good.conll", *vi)
    assert better.exit_code == 0 and re.search(r"VI +\d\.\d{4} +0\.0000 +-", better.stdout)


def test_json_says_all() -> None:
    result = gate("key.conll", "fair.conll", "--baseline", "good.json", "--format", "json")
    record = json.loads(result.stdout)
    assert result.exit_code == 1 and record["passes"] is False
    (check,) = record["checks"]
    assert check["statistic"] == "conll" and check["baseline"] == 1.0
    now = json.loads(score("key.conll", "fair.conll").stdout)["systems"][0]["conll"]
    assert check["now"] == now and abs(check["drop"] - 100 * (1 - now)) < 1e-9
    assert check["max_drop"] == 0 and check["passes"] is False
    assert record["signature"].endswith("|docs:2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("key.conll", "fair.conll", "--profile", "no-singletons"),
            "with singletons:keep; expected singletons:drop",
        ),
        (
            ("key.conll", "fair.conll", "--singletons", "drop"),
            "with singletons:keep; expected singletons:drop",
        ),
        (("long-key.conll", "long.conll"), "docs:3"),
        (("other-key.conll", "fair.conll"), "another key"),
        (("key.conll", "fair.conll", "--metrics", "all,vi", "--max-drop", "vi=1"), "has no vi"),
    ],
)
def test_baseline_with_other_options(arguments: tuple[str, ...], message: str) -> None:
    result = gate(*arguments, "--baseline", "fair.json")
    refused(result, message, 3)
    assert "E502" in result.stderr and "fair.json" in result.stderr


def test_score_that_is_not_computed() -> None:
    score("key.conll", "fair.conll", "--metrics", "all,more", "-o", "more.json")
    fair = ("key.conll", "fair.conll", "--baseline", "more.json")
    refused(gate(*fair, "--metrics", "muc"), "'conll'", 2)
    refused(gate(*fair, "--max-drop", "pairwise=1"), "'pairwise'", 2)
    assert gate(*fair, "--metrics", "muc", "--max-drop", "muc=1").exit_code == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"corefscope": "0.1"}', "E502"),
        ('{"corefscope": "0.1", "schema": "score/1"}', "E502"),
        ('{"corefscope": "0.1", "schema": "score/1", "systems": 1}', "E502"),
        ('{"corefscope": "0.1", "schema": "score/1", "systems": [{"name": "fair"}]}', "E502"),
        ("[]", "E502"),
        ("", "not JSON"),
        ('{"corefscope": ' + 9999 * "[", "not JSON"),
    ],
)
def test_a_damaged_baseline_is_refused(text: str, code: str) -> None:
    Path("broken.json").write_text(text)
    refused(gate("key.conll", "fair.conll", "--baseline", "broken.json"), code, 3)


@pytest.mark.parametrize("value", [0.5, float("nan"), float("inf"), 10**400, "x", None])
def test_inconsistent_conll_score(value: object) -> None:
    record = json.loads(Path("fair.json").read_text())
    record["systems"][0]["metrics"]["muc"]["f1"] = value
    Path("broken.json").write_text(json.dumps(record))
    result = gate("key.conll", "fair.conll", "--baseline", "broken.json")
    refused(result, "E502", 3)


def test_a_missing_baseline_is_refused() -> None:
    refused(gate("key.conll", "fair.conll", "--baseline", "nothing.json"), "nothing.json", 3)
    refused(gate("key.conll", "fair.conll"), "--baseline", 2)


def test_system_chosen_by_name() -> None:
    score("key.conll", "good.conll", "fair.conll", "poor.conll", "-o", "all.json")
    own = gate("key.conll", "fair.conll", "--baseline", "all.json")
    assert own.exit_code == 0 and "+0.00" in own.stdout, "a response has its own name"
    assert gate("key.conll", "fair.conll", "--baseline", "poor=all.json").exit_code == 0
    assert gate("key.conll", "fair.conll", "--baseline", "good=all.json").exit_code == 1
    unknown = gate("key.conll", "fair.conll", "--baseline", "poo=all.json")
    refused(unknown, "did you mean poor?", 2)
    nameless = gate("key.conll", "long.conll", "--baseline", "all.json")
    refused(nameless, "'long'", 2)


@pytest.mark.parametrize("limit", ["-1", "x", "muc=", "muc=-1", "nan", "=1x"])
def test_a_limit_is_a_number_of_points(limit: str) -> None:
    result = gate("key.conll", "fair.conll", "--baseline", "fair.json", f"--max-drop={limit}")
    refused(result, "--max-drop takes POINTS or METRIC=POINTS", 2)


def test_a_limit_of_an_unknown_metric_is_refused() -> None:
    result = gate("key.conll", "fair.conll", "--baseline", "fair.json", "--max-drop", "mucc=1")
    refused(result, "did you mean muc?", 2)


# What is not a drop is never exit status 1.


def damaged(change: str, *places: str | int) -> str:
    """Write the results of fair with a part of them replaced by other JSON text."""
    record = json.loads(Path("fair.json").read_text())
    place = record["systems"][0]
    for step in places[:-1]:
        place = place[step]
    place[places[-1]] = "HERE"
    Path("broken.json").write_text(json.dumps(record).replace('"HERE"', change))
    return "broken.json"


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ("-5.0", ("metrics", "lea", "f1")),
        ("0.5", ("metrics", "lea", "recall")),
        ("null", ("metrics", "lea", "precision")),
        ('"1.0"', ("metrics", "lea", "f1")),
        ("true", ("metrics", "lea", "f1")),
        ("NaN", ("metrics", "lea", "f1")),
        ("Infinity", ("metrics", "lea", "f1")),
        ("1e999", ("metrics", "lea", "f1")),
        ("[-4, -4]", ("metrics", "mentions", "recall_counts")),
        ("[8.5, 8.5]", ("metrics", "mentions", "recall_counts")),
        ("[16, 8]", ("metrics", "mentions", "recall_counts")),
        ("[7, 8]", ("metrics", "mentions", "recall_counts")),
        ("[8]", ("metrics", "mentions", "recall_counts")),
        ("[1, 99]", ("metrics", "blanc", "coreference", "recall_counts")),
        ("[0, 1]", ("metrics", "blanc", "recall_counts")),
        ("0.1", ("metrics", "blanc", "non_coreference", "f1")),
        ("0.1", ("conll",)),
        ("null", ("conll",)),
        ('"x"', ("signature",)),
        ("7", ("signature",)),
        ("7", ("name",)),
        ('"macro"', ("profile",)),
        ("3", ("documents", "scored")),
        ('"d0"', ("documents", "missing")),
        ("{}", ("metrics", "lea")),
        ('{"f1": 1, "f1": 1}', ("metrics", "lea")),
    ],
)
def test_damaged_baseline(change: str, places: tuple[str, ...]) -> None:
    baseline = damaged(change, *places)
    for response in ("good.conll", "poor.conll"):
        refused(gate("key.conll", response, "--baseline", baseline), "[E502]", 3)
    result = CliRunner().invoke(main, ["score", "key.conll", "x=broken.json"])
    refused(result, "[E502]", 3)


def changed(change: Callable[[Any], None]) -> str:
    """Write the results of fair, with the counts of each document, and change them."""
    score("key.conll", "fair.conll", "--per-document", "-o", "fair.json")
    record = json.loads(Path("fair.json").read_text())
    change(record)
    Path("broken.json").write_text(json.dumps(record))
    return "broken.json"


def documents(name: str, *names: str) -> Callable[[Any], None]:
    def change(record: Any) -> None:
        record["systems"][0]["documents"][name] = names

    return change


def swap_names(record: Any) -> None:
    one, other = record["systems"][0]["per_document"]
    one["document"], other["document"] = other["document"], one["document"]


def rename(record: Any) -> None:
    record["systems"][0]["per_document"][1]["document"] = "other"


def without_counts(change: Callable[[Any], None]) -> Callable[[Any], None]:
    def both(record: Any) -> None:
        change(record)
        del record["systems"][0]["per_document"]

    return both


FIRST, SECOND = "(d0); part 000", "(d1); part 000"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        (
            lambda record: record.update(schema="score/9"),
            "schema: 'score/9' instead of 'score/1'",
            "E502",
        ),
        (
            lambda record: record.update(schema="errors/1"),
            "schema: 'errors/1' instead of 'score/1'",
            "E502",
        ),
        (lambda record: record.update(schema=None), "schema: None", "E502"),
        (lambda record: record.pop("schema"), "schema: missing instead of 'score/1'", "E502"),
        (lambda record: record.update(corefscope="9.9.9"), "corefscope: version '9.9.9'", "E502"),
        (documents("missing", "nobody"), "documents.missing: the document 'nobody'", "E502"),
        (documents("missing", FIRST, FIRST), "documents.missing: two are named", "E502"),
        (documents("missing", "a", "b", "c"), "documents.missing: 3 documents", "E502"),
        (documents("extra", FIRST), f"documents.extra: the document '{FIRST}'", "E502"),
        (documents("extra", "x", "x"), "documents.extra: two are named", "E502"),
        (swap_names, f"per_document[0].document is '{SECOND}'", "E502"),
        (rename, "per_document[1].document is 'other'", "E502"),
        (without_counts(documents("missing", "nobody")), "documents.missing has 'nobody'", "E502"),
        (without_counts(documents("extra", FIRST)), f"documents.extra has '{FIRST}'", "E502"),
    ],
)
def test_baseline_with_other_documents_or_version(
    change: Callable[[Any], None], field: str, code: str
) -> None:
    result = gate("key.conll", "fair.conll", "--baseline", changed(change))
    refused(result, field, 3)
    assert f"[{code}] " in result.stderr and "expected" in result.stderr


def test_missing_and_extra_documents_in_baseline() -> None:
    """They are no reason to refuse it."""
    Path("half.conll").write_text(conll("1122") + conll("11").replace("(d0)", "(more)"))
    for options in ((), ("--per-document",)):
        score("key.conll", "half.conll", *options, "-o", "half.json")
        record = json.loads(Path("half.json").read_text())["systems"][0]["documents"]
        assert record == {"scored": 2, "missing": [SECOND], "extra": ["(more); part 000"]}
        result = gate("key.conll", "good.conll", "--baseline", "half.json")
        assert result.exit_code == 0
        lacking = "half.json: the baseline was made from an incomplete response, which lacked 1 "
        assert f"{lacking}document such as {SECOND!r}" in result.stderr
    assert "incomplete" not in gate("key.conll", "good.conll", "--baseline", "good.json").stderr


@pytest.mark.parametrize(
    ("value", "shown"),
    [(True, "got `bool`"), (None, "got `null`"), ("x", "got `str`"), (10**400, "out of range")],
)
def test_score_that_is_not_a_number(value: object, shown: str) -> None:
    record = json.loads(Path("fair.json").read_text())
    record["systems"][0]["metrics"]["muc"]["f1"] = value
    Path("broken.json").write_text(json.dumps(record))
    result = gate("key.conll", "fair.conll", "--baseline", "broken.json")
    refused(result, shown, 3)


def test_duplicate_system_names_in_baseline() -> None:
    record = json.loads(Path("fair.json").read_text())
    record["systems"] *= 2
    Path("twice.json").write_text(json.dumps(record))
    refused(gate("key.conll", "fair.conll", "--baseline", "twice.json"), "[E502]", 3)


def test_limit_of_another_metric_keeps_conll() -> None:
    poor = ("key.conll", "poor.conll", "--baseline", "fair.json")
    assert gate(*poor, "--max-drop", "lea=100").exit_code == 1
    assert gate(*poor, "--max-drop", "lea=100", "--max-drop", "conll=100").exit_code == 0
    assert gate(*poor, "--max-drop", "lea=100", "--max-drop", "conll=off").exit_code == 0


def test_baseline_without_conll() -> None:
    score("key.conll", "fair.conll", "--metrics", "lea", "-o", "lea.json")
    lea = ("key.conll", "fair.conll", "--baseline", "lea.json", "--max-drop", "lea=1")
    refused(gate(*lea), "has no conll", 3)
    assert gate(*lea, "--max-drop", "conll=off").exit_code == 0


def test_incomplete_response_fails() -> None:
    Path("half.conll").write_text(conll("1122"))
    score("key.conll", "half.conll", "-o", "half.json")
    half = ("key.conll", "half.conll", "--baseline", "half.json", "--max-drop", "100")
    shown = gate(*half)
    assert shown.exit_code == 1
    assert (
        "FAILS: the response is incomplete, documents missing: 1 ('(d1); part 000')" in shown.stdout
    )
    shown = gate(*half, "--format", "json")
    record = json.loads(shown.stdout)
    assert shown.exit_code == 1 and record["passes"] is False
    assert record["missing"] == ["(d1); part 000"]
    assert all(check["passes"] for check in record["checks"])
    refused(gate(*half, "--missing", "error"), "[E205]", 4)


@pytest.mark.parametrize("profile", ["macro", "corefud-exact", "e2e"])
def test_baselines_of_every_kind_are_read_back(profile: str) -> None:
    options = ("--profile", profile, "--metrics", "all,more,legacy")
    score("key.conll", "poor.conll", *options, "-o", "base.json")
    assert gate("key.conll", "poor.conll", *options, "--baseline", "base.json").exit_code == 0
