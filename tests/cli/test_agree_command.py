"""corefscope agree: what it prints, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from commands import Command
from corefscope.demo import KEY, RESPONSES

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "annotators"
ANNA, BEN, CARLA = (str(EXAMPLES / f"{name}.jsonl") for name in ("anna", "ben", "carla"))
agree = Command("agree")


def test_the_tables() -> None:
    printed = agree.printed(ANNA, BEN)
    for title in (
        "F1 of each pair, in per cent",
        "Krippendorff's α",
        "Mentions by how many annotators marked them",
        "Where they disagree",
        "Most disputed documents",
        "Most disputed entities",
    ):
        assert title in printed
    assert "anna – ben" in printed and "All disagreements" not in printed
    listed = agree.printed(ANNA, BEN, "--list")
    assert "All disagreements" in listed and "marked by one only" in listed


def test_most() -> None:
    few, none = agree.printed(ANNA, BEN, "--most", "1"), agree.printed(ANNA, BEN, "--most", "0")
    assert few.count("\n") < agree.printed(ANNA, BEN).count("\n")
    assert "Most disputed" not in none


def test_names_and_order() -> None:
    one = json.loads(agree.printed(f"x={ANNA}", f"y={BEN}", "--format", "json"))
    other = json.loads(agree.printed(f"y={BEN}", f"x={ANNA}", "--format", "json"))
    assert one["annotators"] == ["x", "y"] and other["annotators"] == ["y", "x"]
    assert one["files"] == {"x": ANNA, "y": BEN}
    for field in ("mean", "alpha", "mentions", "documents", "entities"):
        assert one[field] == other[field]


def test_csv_has_every_figure() -> None:
    printed = agree.printed(ANNA, BEN, "--format", "csv", "--metrics", "conll")
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [(row["a"], row["b"], row["figure"]) for row in rows] == [
        *(("anna", "ben", id) for id in ("muc", "b3", "ceafe", "conll")),
        *(("", "", id) for id in ("muc", "b3", "ceafe", "conll")),
        *(("", "", id) for id in ("alpha_passonneau", "alpha_masi")),
    ]
    listed = agree.printed(ANNA, BEN, "--format", "csv", "--list")
    assert next(csv.reader(io.StringIO(listed)))[0] == "pair"


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_other_formats(format: str) -> None:
    printed = agree.printed(ANNA, BEN, "--format", format)
    assert "Krippendorff" in printed


def test_the_table_of_a_paper() -> None:
    printed = agree.printed(
        ANNA, BEN, "--layout", "paper", "--format", "latex", "--caption", "--metrics", "conll"
    )
    assert r"\caption{Agreement of 2 annotators: F1 in per cent of each pair" in printed
    assert "anna -- ben & " in printed and printed.count(r"\begin{tabular}") == 1
    status, message = agree.refused(ANNA, BEN, "--layout", "paper", "--list")
    assert status == 2 and "cannot be combined with --list" in message
    status, message = agree.refused(ANNA, BEN, "--layout", "paper", "--format", "json")
    assert status == 2


def test_one_document() -> None:
    found = json.loads(agree.printed(ANNA, BEN, CARLA, "--document", "ferr", "--format", "json"))
    assert [each["document"] for each in found["documents"]] == ["ferry"]
    # An annotator who lacks the document is left out.
    found = json.loads(agree.printed(CARLA, BEN, ANNA, "--document", "strike", "--format", "json"))
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [("ben", "anna")]
    status, message = agree.refused(ANNA, BEN, "--document", "nope")
    assert status == 2 and "no document named 'nope'" in message


def test_documents_of_some_annotators_are_reported() -> None:
    result = agree.run(ANNA, BEN, CARLA)
    assert result.exit_code == 0
    assert "1 of 3 documents lacks some of the 3 annotators" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([ANNA], 2, "is one file with one annotator; expected several, or NAME=PATH"),
        ([f"a={ANNA}", f"a={BEN}"], 2, "the name 'a' is given to two annotators"),
        ([ANNA, ANNA], 2, "give each a name"),
        ([ANNA, str(KEY)], 3, "has no document that another annotator has"),
        ([ANNA, BEN, "--match", "partial"], 2, "because annotators are equals"),
        ([ANNA, BEN, "--profile", "e2e"], 2, "because annotators are equals"),
        ([ANNA, BEN, "--match", "head"], 3, "the mentions of anna have no heads"),
        (["-", "-"], 2, "standard input can be read only once"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_is_refused(arguments: list[str], status: int, message: str) -> None:
    found, said = agree.refused(*arguments)
    assert found == status
    assert message in " ".join(said.split())


def test_a_file_of_scores_is_no_annotator(tmp_path: Path) -> None:
    scores = tmp_path / "scores.json"
    Command("score").printed(
        str(KEY), str(RESPONSES["sieve"]), "--format", "json", "-o", str(scores)
    )
    status, message = agree.refused(str(KEY), str(scores))
    assert status == 3 and "E502" in message


def test_copies_are_reported() -> None:
    result = agree.run(f"a={ANNA}", f"b={ANNA}")
    assert result.exit_code == 0 and "W508" in result.stderr


def test_standard_input() -> None:
    text = Path(ANNA).read_text("utf-8")
    assert "standard input – ben" in agree.printed("-", BEN, input=text)
