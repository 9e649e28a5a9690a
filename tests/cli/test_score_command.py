"""``corefscope score``: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Command, on_a_terminal

KEY = """#begin document (one); part 000
one 0 0 Anna NNP (1)
one 0 1 saw VBD -
one 0 2 her PRP (1)
one 0 3 dog NN (2)
one 0 4 . . -

one 0 0 It PRP (2)
one 0 1 barked VBD -
#end document
#begin document (two); part 000
two 0 0 He PRP (1)
two 0 1 left VBD -
two 0 2 him PRP (1)
#end document
"""
RESPONSE = KEY.replace("her PRP (1)", "her PRP (2)")
OTHER = KEY.replace("It PRP (2)", "It PRP -")
SIGNATURE = (
    "corefscope:0.1|profile:conll-2012|match:exact|singletons:keep|duplicates:first|"
    "average:micro|docs:2"
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"key": KEY, "a": RESPONSE, "b": OTHER}.items():
        Path(f"{name}.conll").write_text(text)
    return tmp_path


run = Command("score").run


@pytest.mark.usefixtures("files")
def test_one_response_has_recall_and_precision() -> None:
    assert (
        run("key.conll", "a.conll").output
        == f"""\
key       key.conll
response  a.conll
documents 2

metric    recall          precision              F1
---------------------------------------------------
Mentions  100.00     6/6     100.00     6/6  100.00
MUC        66.67     2/3      66.67     2/3   66.67
B³         83.33     5/6      77.78  4.67/6   80.46
CEAFm      83.33     5/6      83.33     5/6   83.33
CEAFe      82.22  2.47/3      82.22  2.47/3   82.22
BLANC      58.33              58.33           57.14
LEA        66.67     4/6      50.00     3/6   57.14
---------------------------------------------------
CoNLL                                         76.45

{SIGNATURE}
"""
    )


@pytest.mark.usefixtures("files")
def test_several_responses() -> None:
    assert (
        run("key.conll", "ours=a.conll", "b.conll").output
        == f"""\
key       key.conll
documents 2

system  Mentions    MUC     B³  CEAFm  CEAFe  BLANC    LEA  CoNLL
-----------------------------------------------------------------
ours      100.00  66.67  80.46  83.33  82.22  57.14  57.14  76.45
b          90.91  80.00  85.71  90.91  88.89  73.33  72.73  84.87

{SIGNATURE}
"""
    )


@pytest.mark.usefixtures("files")
def test_json_keeps_the_contract() -> None:
    result = json.loads(run("key.conll", "a.conll", "--format", "json", "--per-document").output)
    assert list(result) == [
        *("corefscope", "schema", "key", "key_digest", "systems", "findings"),
    ]
    assert result["schema"] == "score/1"
    (system,) = result["systems"]
    assert system["name"] == "a" and system["response"] == "a.conll"
    assert system["signature"] == SIGNATURE and system["profile"] == "conll-2012"
    assert system["documents"] == {"scored": 2, "missing": [], "extra": []}
    assert list(system["metrics"]) == ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"]
    muc = system["metrics"]["muc"]
    assert muc["recall_counts"] == [2, 3] and muc["recall"] == 2 / 3
    blanc = system["metrics"]["blanc"]
    assert blanc["coreference"]["recall_counts"] == [2, 3]
    assert blanc["non_coreference"]["recall_counts"] == [2, 4]
    assert [each["document"] for each in system["per_document"]] == [
        "(one); part 000",
        "(two); part 000",
    ]
    assert system["per_document"][1]["conll"] == 1.0


@pytest.mark.usefixtures("files")
def test_csv_rows_and_fractions() -> None:
    rows = list(csv.DictReader(io.StringIO(run("key.conll", "a.conll", "--format", "csv").output)))
    assert [row["metric"] for row in rows][-2:] == ["lea", "conll"]
    muc = rows[1]
    assert float(muc["recall"]) == 2 / 3 and muc["recall_denominator"] == "3"


@pytest.mark.usefixtures("files")
def test_markdown_and_latex_agree() -> None:
    markdown = run("key.conll", "a.conll", "b.conll", "--format", "markdown").output
    assert "| a | 100.00 | 66.67 | 80.46 | 83.33 | 82.22 | 57.14 | 57.14 | 76.45 |" in markdown
    latex = run("key.conll", "a_b=a.conll", "b.conll", "--format", "latex").output
    assert r"a\_b & 100.00 & 66.67 & 80.46" in latex
    assert r"B\textsuperscript{3}" in latex and r"\bottomrule" in latex


@pytest.mark.usefixtures("files")
def test_metric_aliases_and_groups() -> None:
    assert "B³" in run("key.conll", "a.conll", "--metrics", "bcub").output
    conll = run("key.conll", "a.conll", "--metrics", "conll").output
    assert "CoNLL" in conll and "CEAFm" not in conll


@pytest.mark.usefixtures("files")
def test_a_score_of_nothing_is_marked() -> None:
    Path("single.conll").write_text("#begin document (d)\nx (1)\ny (2)\n#end document\n")
    shown = run("single.conll", "single.conll").output
    assert "0.00*" in shown and "the score is defined as 0" in shown


@pytest.mark.usefixtures("files")
def test_unknown_metric_or_option() -> None:
    unknown = run("key.conll", "a.conll", "--metrics", "mucc")
    assert unknown.exit_code == 2 and "did you mean muc?" in unknown.stderr
    option = run("key.conll", "a.conll", "--singleton", "drop")
    assert option.exit_code == 2 and "--singletons" in option.stderr
    assert unknown.stdout == option.stdout == ""


@pytest.mark.usefixtures("files")
def test_findings_on_stderr_and_in_json() -> None:
    Path("half.conll").write_text(KEY.split("#begin document (two)")[0])
    shown = run("key.conll", "half.conll", "--format", "json")
    assert shown.exit_code == 0 and "W201" in shown.stderr
    result = json.loads(shown.stdout)
    assert [finding["code"] for finding in result["findings"]] == ["W201"]
    assert result["systems"][0]["documents"]["missing"] == ["(two); part 000"]
    refused = run("key.conll", "half.conll", "--missing", "error")
    assert refused.exit_code == 4 and refused.stdout == "" and "E205" in refused.stderr


@pytest.mark.usefixtures("files")
def test_one_document_can_be_scored_alone() -> None:
    alone = run("key.conll", "a.conll", "--document", "(two); part 000")
    assert "documents 1" in alone.output and "66.67" not in alone.output
    unknown = run("key.conll", "a.conll", "--document", "(three); part 000")
    assert unknown.exit_code == 2 and "did you mean" in unknown.stderr


@pytest.mark.usefixtures("files")
def test_the_result_can_go_to_a_file() -> None:
    shown = run("key.conll", "a.conll", "-o", "scores.txt")
    assert shown.stdout == "" and "MUC" in Path("scores.txt").read_text()
    nowhere = run("key.conll", "a.conll", "-o", "no/such/folder.txt")
    assert nowhere.exit_code == 5 and "[E601]" in nowhere.stderr


@pytest.mark.usefixtures("files")
def test_standard_input_is_read_once() -> None:
    assert "66.67" in run("key.conll", "-", input=RESPONSE).output
    assert "66.67" in run("-", "a.conll", input=KEY).output
    twice = run("-", "-", input=KEY)
    assert twice.exit_code == 2 and "only once" in twice.stderr


@pytest.mark.usefixtures("files")
def test_same_file_names_are_shown_with_paths() -> None:
    for folder in ("x", "y"):
        Path(folder).mkdir()
        Path(folder, "out.conll").write_text(RESPONSE)
    shown = run("key.conll", "x/out.conll", "y/out.conll").output
    assert "x/out.conll" in shown and "y/out.conll" in shown


@pytest.mark.usefixtures("files")
def test_dropping_singletons_changes_signature() -> None:
    shown = run("key.conll", "a.conll", "--singletons", "drop").output
    assert "singletons:drop" in shown
    assert (
        "profile:no-singletons" in run("key.conll", "a.conll", "--profile", "no-singletons").output
    )
    unknown = run("key.conll", "a.conll", "--profile", "conll-2013")
    assert unknown.exit_code == 2 and "did you mean conll-2012?" in unknown.stderr


@pytest.mark.usefixtures("files")
def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m corefscope score key.conll a.conll --format json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "{\n" and done.stderr == ""


@pytest.mark.usefixtures("files")
def test_numbers_fit_into_80_columns() -> None:
    shown = on_a_terminal("score", "key.conll", "a.conll", "b.conll", "--per-document")
    assert "73.33" in shown and "…" not in shown
    assert "\x1b[1m" in shown, "headings are bold"
