"""``corefscope errors``: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import corefscope as cs
from commands import Command, on_a_terminal
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import ErrorType
from corefscope.rendering.errors import TABLES
from error_examples import NAME, TOWN_A, TOWN_B, TOWN_KEY, town, write

OTHER = "(other/1); part 000"
ZERO = {str(type): 0 for type in ErrorType}
ERRORS_A = ZERO | {"conflated_entities": 1, "divided_entity": 1, "missing_entity": 1}
ERRORS_B = ZERO | {"span_error": 1, "extra_mention": 1, "extra_entity": 1, "missing_mention": 1}
SIGNATURE = (
    "corefscope:0.1|profile:no-singletons|match:exact|singletons:drop|duplicates:first|"
    "average:micro|docs:1|errors:standard|heads:parse"
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(Path(), town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    return tmp_path


errors = Command("errors")
run, printed, system_of = errors.run, errors.printed, errors.system_of


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_one_response() -> None:
    """Of MUC: one of four links of the response is wrong, two of five of the key are lost."""
    assert (
        printed("key.conll", "a.conll", "--cost", "muc")
        == f"""\
key       key.conll
response  a.conll
documents 1, singletons dropped
heads     from parse trees

error               count  operation   count
--------------------------------------------
Span Error            0    Alter span      0
Conflated Entities    1 █  Split           2
Extra Mention         0    Remove          0
Extra Entity          0    Introduce       2
Divided Entity        1 █  Merge           4
Missing Mention       0
Missing Entity        1 █
--------------------------------------------
total                 3                    8

{SIGNATURE}

The 3 costliest entities (MUC; 1 point = 0.01):
  1. “Anna” (R1 of (d); part 000)
     25.00 points of precision: 4 mentions, 4 in 2 key entities
  2. “the mayor” (K2 of (d); part 000)
     20.00 points of recall: 3 mentions, 3 in 2 response entities
  3. “a dog” (K3 of (d); part 000)
     20.00 points of recall: 2 mentions, no mention is in the response, singletons left out
See the first: corefscope errors key.conll a.conll --document '(d); part 000' --where group=0
"""
    )


def test_first_entity_can_be_explained() -> None:
    shown = printed("key.conll", "a.conll", "--cost", "muc")
    see = shlex.split(shown.splitlines()[-1].removeprefix("See the first: "))
    assert see[:2] == ["corefscope", "errors"]
    assert see[2:] == ["key.conll", "a.conll", "--document", NAME, "--where", "group=0"]
    group = printed(*see[2:])
    assert "R1  4 mentions" in group and "1 Conflated Entities" in group
    assert "not chosen" not in group
    perfect = printed("key.conll", "key.conll")
    assert "See the first" not in perfect


def test_entities_are_named_as_in_explain() -> None:
    """By their place in the file, whatever their label, and whichever singletons are dropped."""
    renamed = {
        "key": TOWN_KEY.replace("Anna] met", "Anna] [9 met]").replace("[2 ", "[70 "),
        "a": TOWN_A.replace("Anna] met", "Anna] [9 met]").replace("[2 ", "[1000 "),
    }
    for name, text in renamed.items():
        Path(f"{name}.conll").write_text(town(text))
    arguments = ["explain", "b3", "key.conll", "a.conll"]
    explained = CliRunner().invoke(main, arguments).stdout.splitlines()
    assert "K3 = {the mayor (2–3), him (7), The mayor (9–10)}" in explained
    assert "R3 = {the mayor (2–3), The mayor (9–10)}" in explained
    for singletons in ("drop", "keep"):
        system = system_of("key.conll", "a.conll", "--list", "--singletons", singletons)
        (divided,) = [error for error in system["list"] if error["type"] == "divided_entity"]
        assert (divided["entity"], divided["label"], divided["other"]) == ("K3", "70", "R1")
        (mayor,) = [cost for cost in system["dearest"] if cost["entity"] == "K3"]
        assert (mayor["label"], mayor["title"]) == ("70", "the mayor")


def test_header_mentions_singletons() -> None:
    shown = printed("key.conll", "a.conll", "--singletons", "keep", "--most", "0")
    assert "documents 1, singletons kept\n" in shown


def test_several_responses_make_table_1() -> None:
    shown = printed("key.conll", "ours=a.conll", "b.conll", "--most", "0")
    lines = shown.splitlines()
    assert lines[:3] == [
        "key       key.conll",
        "documents 1, singletons dropped",
        "heads     from parse trees",
    ]
    a, b = (" ".join(line.split()) for line in lines[6:8])
    assert a == "ours 85.71 66.67 65.62 0 1 █ 0 0 1 █ 0 1 █"
    assert b == "b 66.67 54.55 53.19 1 █ 0 1 █ 1 █ 0 1 █ 0"
    assert shown.count(SIGNATURE) == 1 and "costliest" not in shown
    assert "analysed with different layers" not in shown


def test_systems_analysed_with_different_layers() -> None:
    """The key has tags and names but no trees; a brings trees, b has none either."""
    write(Path(), town(TOWN_KEY, layers="tags names"), town(TOWN_A), town(TOWN_B, layers="tags"))
    result = run("key.conll", "a.conll", "ours=b.conll", "--most", "0")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[2:4] == [
        "heads     from parse trees; taken from the response: parse (a)",
        "heads     from tags (ours)",
    ]
    assert lines[-3:] == [
        "The systems were analysed with different layers: their counts are not comparable.",
        f"a: {SIGNATURE.replace('heads:parse', 'heads:response-parse')}",
        f"ours: {SIGNATURE.replace('heads:parse', 'heads:tags')}",
    ]
    assert [line[-5:-1] for line in result.stderr.splitlines()] == ["W401", "W401"]
    system = system_of("key.conll", "a.conll")
    assert system["sources"]["from_response"] == {"parse": 1}


def test_number_of_costliest_entities() -> None:
    shown = printed("key.conll", "a.conll", "--cost", "muc", "--most", "2")
    assert "“the mayor”" in shown and "“a dog”" not in shown
    assert "cost" not in printed("key.conll", "a.conll", "--most", "0")
    (only,) = system_of("key.conll", "a.conll", "--cost", "muc", "--most", "1")["dearest"]
    assert (only["title"], only["share"]) == ("Anna", 0.25)


def test_entity_that_costs_nothing_in_one_metric() -> None:
    """Every mention is found, but him is in the wrong entity."""
    swapped = TOWN_KEY.replace("[2 him]", "[1 him]")
    Path("c.conll").write_text(town(swapped))
    shown = printed("key.conll", "c.conll", "--cost", "mentions")
    assert "the response equals the key" not in shown


def test_of_a_perfect_response_it_says_so() -> None:
    assert "the response equals the key" in printed("key.conll", "key.conll")


@pytest.mark.parametrize("number", TABLES)
@pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv", "json"])
def test_every_table_is_printed_in_every_format(number: int, format: str) -> None:
    shown = printed("key.conll", "a.conll", "b.conll", "--tables", str(number), "--format", format)
    if format == "json":
        (table,) = json.loads(shown)["tables"]
        assert table["table"] == number and table["title"].startswith(f"Table {number}:")
        assert table["title"].endswith(" (mean of 2 systems)") == (number > 1)
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    elif format == "csv":
        heading, *rows = csv.reader(io.StringIO(shown))
        assert rows and all(len(row) == len(heading) for row in rows)
    else:
        assert shown.count(f"Table {number}:") == 1
        assert shown.count("(mean of 2 systems)") == (number > 1)


@pytest.mark.parametrize("number", TABLES)
def test_columns_of_csv_have_each_their_own_name(number: int) -> None:
    """A program that reads columns by name would lose the first of two."""
    shown = printed("key.conll", "a.conll", "--tables", str(number), "--format", "csv")
    heading = next(csv.reader(io.StringIO(shown)))
    assert len(set(heading)) == len(heading)


def test_csv_of_several_tables() -> None:
    shown = printed("key.conll", "a.conll", "--tables", "all", "--format", "csv")
    cells = [(row["table"], row["row"], row["column"]) for row in rows_of(shown)]
    assert len(set(cells)) == len(cells)


def test_tables_are_chosen_by_number() -> None:
    def titles(chosen: str) -> list[str]:
        shown = printed("key.conll", "a.conll", "--tables", chosen)
        return [line.split(":")[0] for line in shown.splitlines() if line.startswith("Table ")]

    assert titles("5") == ["Table 5"]
    assert titles("7, 1-3") == ["Table 7", "Table 1", "Table 2", "Table 3"]
    assert titles("2,1-2") == ["Table 2", "Table 1"]
    assert titles("all") == [f"Table {number}" for number in range(1, 12)]


def test_csv_of_one_table_is_wide() -> None:
    wide = rows_of(printed("key.conll", "a.conll", "b.conll", "--tables", "3", "--format", "csv"))
    assert wide[0] == {
        "mention": "Proper name",
        "extra": "0.0",
        "missing": "0.5",
        "count": "2",
        "coreferent": "1.0",
    }
    long = rows_of(printed("key.conll", "a.conll", "b.conll", "--tables", "3,9", "--format", "csv"))
    assert [row["value"] for row in long[:5]] == ["Proper name", "0.0", "0.5", "2", "1.0"]
    assert long[1] == {"table": "3", "row": "1", "column": "extra", "value": "0.0"}
    assert len(long) == 5 * len(wide) + 6 * 3


def test_json_has_numbers_that_are_not_rounded() -> None:
    result = json.loads(printed("key.conll", "a.conll", "--tables", "1,3,10", "--format", "json"))
    one, three, ten = result["tables"]
    row = dict(zip(one["columns"], one["rows"][0], strict=True))
    assert row["Mentions"] == pytest.approx(6 / 7, abs=1e-15) and row["Confl"] == 1
    assert three["rows"][-1] == ["total", 0, 0, 8, 1.0]
    missing = ten["rows"][-1]
    assert missing[0] == "Missing Entity" and missing[3] == pytest.approx(1 - 6 / 7, abs=1e-15)


def test_latex_escapes_and_bars() -> None:
    Path("x_1&2%.conll").write_text(town(TOWN_A))
    shown = printed("key.conll", "x_1&2%.conll", "--tables", "1,3,11", "--format", "latex")
    assert r"x\_1\&2\% & 85.71 & 66.67 & 65.62 & 0 & 1~\rule{1.00em}" in shown
    assert r"system & Mentions & MUC & B\textsuperscript{3} & Span" in shown
    assert r"mention & extra & missing & count & coreferent \\" in shown
    assert r"property & response & key \\" in shown
    assert shown.count(r"\begin{tabular}") == shown.count(r"\end{tabular}") == 3


def test_markdown_has_a_title_and_notes() -> None:
    shown = printed("key.conll", "a|b=a.conll", "--tables", "1", "--format", "markdown")
    lines = shown.splitlines()
    assert lines[0] == "**Table 1: F1 and errors by type**"
    assert lines[2].startswith("| system | Mentions | MUC | B³ | Span |")
    assert lines[4].startswith(r"| a\|b | 85.71 | 66.67 | 65.62 | 0 ")
    assert lines[-1].startswith("A full bar")


@pytest.mark.parametrize(
    ("layers", "notes"),
    [
        ("tags parse names", []),
        ("tags names", ["W401"]),
        ("parse names", ["W401"]),
        ("names", ["W401", "W401"]),
        ("tags parse", ["W401"]),
    ],
)
def test_layers_that_are_missing_are_reported(layers: str, notes: list[str]) -> None:
    write(Path(), *(town(text, layers=layers) for text in (TOWN_KEY, TOWN_A)))
    result = run("key.conll", "a.conll", "--tables", "2,3,11")
    assert result.exit_code == 0
    assert [line[-5:-1] for line in result.stderr.splitlines()] == notes
    assert ("Counting candidates needs parse trees" in result.stdout) == ("parse" not in layers)
    assert ("Types need named entities" in result.stdout) == ("names" not in layers)


def test_json_keeps_the_contract() -> None:
    result = json.loads(printed("key.conll", "first=a.conll", "b.conll", "--format", "json"))
    assert set(result) == {"corefscope", "schema", "key", "systems", "findings"}
    assert result["key"] == "key.conll" and result["findings"] == []
    a, b = result["systems"]
    assert (a["name"], a["response"], b["name"]) == ("first", "a.conll", "b")
    assert a["signature"] == SIGNATURE and a["mode"] == "standard"
    assert a["documents"] == {"analysed": 1, "missing": [], "extra": []}
    assert a["sources"] == {
        "heads": {"parse": 1},
        "types": {"tags": 1},
        "languages": {"english": 1},
        "names": 1,
        "from_response": {},
    }
    assert a["errors"] == ERRORS_A and b["errors"] == ERRORS_B
    assert a["operations"] == {
        "alter_span": 0,
        "split": 2,
        "remove": 0,
        "introduce": 2,
        "merge": 4,
    }
    assert set(a) == {
        "name", "response", "signature", "mode", "sources", "documents", "operations", "errors",
        "dearest",
    }  # fmt: skip


def test_csv_of_counts_has_one_value_per_row() -> None:
    rows = rows_of(printed("key.conll", "a.conll", "b.conll", "--format", "csv"))
    assert len(rows) == 2 * (5 + 7)
    of_b = [row for row in rows if row["system"] == "b" and row["kind"] == "error"]
    errors = {row["name"]: int(row["count"]) for row in of_b}
    assert errors == ERRORS_B
    measured = rows_of(printed("key.conll", "a.conll", "--format", "csv", "--impact"))
    (gain,) = [
        r for r in measured
        if (r["kind"], r["name"], r["metric"]) == ("gain_alone", "missing_entity", "mentions")
    ]  # fmt: skip
    assert float(gain["f1"]) == pytest.approx(1 - 6 / 7, abs=1e-15)


@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "table"])
def test_lists_have_every_error_in_every_format(format: str) -> None:
    shown = printed("key.conll", "a.conll", "b.conll", "--list", "--format", format)
    if format == "json":
        lists = [system["list"] for system in json.loads(shown)["systems"]]
        assert [len(errors) for errors in lists] == [3, 4]
    elif format == "jsonl":
        assert [json.loads(line)["system"] for line in shown.splitlines()] == ["a"] * 3 + ["b"] * 4
    elif format == "csv":
        assert [row["system"] for row in rows_of(shown)] == ["a"] * 3 + ["b"] * 4
    else:
        assert shown.count(NAME) == 7 and "a: Missing Entity, (d); part 000, 12–13\n" in shown


def test_ids_are_the_same_in_all_formats() -> None:
    lines = printed("key.conll", "a.conll", "--format", "jsonl").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    rows = rows_of(printed("key.conll", "a.conll", "--list", "--format", "csv"))
    assert ids == [row["id"] for row in rows]
    assert ids == [error["id"] for error in system_of("key.conll", "a.conll", "--list")["list"]]


def listed_types(*arguments: str) -> list[str]:
    lines = printed("key.conll", "a.conll", "b.conll", *arguments, "--format", "jsonl")
    return [json.loads(line)["type"] for line in lines.splitlines()]


def test_several_types() -> None:
    both = ["missing_entity", "extra_entity"]
    assert listed_types("--type", "extra_entity", "--type", "missing_entity") == both
    assert listed_types("--type", "extra_entity,missing_entity") == both
    assert listed_types("--type", "extra_entity") == ["extra_entity"]


def test_csv_of_chosen_errors() -> None:
    """Only the columns that their types have."""
    chosen = ("--type", "missing_entity,conflated_entities", "--format", "csv")
    shown = printed("key.conll", "a.conll", "b.conll", *chosen)
    assert shown == printed("key.conll", "a.conll", "b.conll", "--list", *chosen)
    conflated, missing = rows_of(shown)
    assert list(conflated)[:4] == ["system", "id", "type", "document"]
    assert {"matched", "other", "part.names", "mention_type"} < conflated.keys()
    assert not {"in_parse", "missing_left.text", "nesting"} & conflated.keys()
    assert (missing["text"], missing["mentions.text"]) == ("a dog", "a dog | It")
    assert (conflated["text"], conflated["mentions.text"]) == ("him", "him")
    assert (conflated["entity"], conflated["other"], conflated["matched"]) == ("R1", "K2", "")
    assert rows_of(printed("key.conll", "a.conll", "--where", "text=him", "--format", "csv"))


def test_conditions_apply_to_lists_and_groups() -> None:
    assert listed_types("--where", "size>=2", "--where", "text~dog") == [
        "missing_entity",
        "span_error",
    ]
    shown = printed("key.conll", "b.conll", "--where", "text=saw", "--groups")
    assert "1 Extra Mention" in shown and "Span Error" not in shown
    assert printed("key.conll", "b.conll", "--where", "text=saw") == shown, "groups by themselves"


def test_empty_selection_is_reported() -> None:
    for what in ("--groups", "--list"):
        shown = printed("key.conll", "a.conll", what, "--type", "extra_entity")
        assert shown == "no such errors\n", what
    for format in ("jsonl", "csv"):
        chosen = ("--list", "--type", "extra_entity", "--format", format)
        assert len(printed("key.conll", "a.conll", *chosen).splitlines()) == (format == "csv")


def test_groups_are_plain_where_nobody_watches() -> None:
    shown = printed("key.conll", "a.conll", "b.conll", "--groups")
    assert "\x1b" not in shown
    legend = "R: a response entity; K: the key entity of a mention; ✗: not in the key\n"
    assert shown.startswith(f"System a\n\n{legend}{'─' * 80}\n")
    assert f"System b\n\n{legend}" in shown
    assert shown.splitlines()[-1] == ""
    for tag in ("  K1 ", "  K3 ", "  ✗ ", "R1  4 mentions"):
        assert tag in shown
    one = printed("key.conll", "b.conll", "--groups")
    assert "System" not in one and shown.endswith(one)


def test_gains_are_shown_on_request() -> None:
    shown = printed("key.conll", "a.conll", "--impact", "--metrics", "mentions,muc")
    alone, steps = shown.split("Gain in F1 ")[1:]
    gains = [line.split() for line in alone.splitlines() if line.startswith("Missing Entity")]
    assert gains == [["Missing", "Entity", "+14.29", "+13.33"]], "1 - 6/7; 4/5 of MUC, not 2/3"
    assert "After the last step the response equals the key. Gains add up" in steps
    assert "Each gain is that of correcting one type alone; gains do not add up." in alone
    for part in (alone, steps):
        (last,) = [line.split() for line in part.splitlines() if line.startswith("uncorrected F1")]
        assert last == ["uncorrected", "F1", "85.71", "66.67"]
    assert "CoNLL" not in alone and "CoNLL" in printed("key.conll", "a.conll", "--impact")


def test_gains_without_recall_in_json() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    text = printed("key.conll", "a.conll", "--impact", "--metrics", "vi", "--format", "json")
    (system,) = json.loads(text, parse_constant=refuse)["systems"]
    assert system["before"]["vi"]["recall"] is None and system["before"]["vi"]["f1"] > 0
    assert system["impact"]["divided_entity"]["alone"]["vi"]["precision"] is None


def test_table_10_uses_its_own_metrics() -> None:
    shown = printed("key.conll", "a.conll", "--tables", "10", "--metrics", "muc")
    assert "Mentions P" in shown


def gains_of_files(folder: Path, metric: str) -> dict[str, dict[str, float]]:
    """What each type gains alone and as a step, by the scores of the corrected files."""

    def f1(name: str) -> float:
        return cs.score(folder / "key.conll", folder / f"{name}.conll").metrics[metric].f1

    steps = [f1("none"), *(f1(f"cumulative/{i}-{type}") for i, type in enumerate(ZERO, 1))]
    assert steps[-1] == 1.0
    alone = [f1(f"alone/{type}") for type in ZERO]
    before = [steps[0], *[alone[0]] * 6]
    return {
        type: {"alone": alone[i] - before[i], "step": steps[i + 1] - steps[i]}
        for i, type in enumerate(ZERO)
    }


@pytest.mark.parametrize("metric", ["mentions", "muc", "b3", "ceafe", "lea"])
@pytest.mark.parametrize("key", [TOWN_KEY, TOWN_KEY.replace(" saw ", " [9 saw] ")])
def test_corrected_responses_score_as_impact(metric: str, key: str) -> None:
    """The other key has a singleton, which is dropped; system b has it in an entity."""
    Path("key.conll").write_text(town(key))
    options = ("--corrected", "out", "--impact", "--format", "json")
    result = run("key.conll", "a.conll", "x/y=b.conll", *options)
    assert result.exit_code == 0
    for folder, system in zip(("a", "x_y"), json.loads(result.stdout)["systems"], strict=True):
        for type, gains in gains_of_files(Path("out", folder), metric).items():
            for how, gain in gains.items():
                assert gain == pytest.approx(system["impact"][type][how][metric]["f1"]), type


def test_corrected_responses_of_several_systems() -> None:
    result = run("key.conll", "a.conll", "x/y z=b.conll", "--corrected", "out", "--most", "0")
    assert result.stderr.splitlines() == [
        line
        for name in ("a", "x_y_z")
        for line in (
            f"wrote 15 corrected responses to {Path('out', name)}",
            "score them against the key in this folder, which is the key as analysed",
        )
    ]
    assert result.stdout == printed("key.conll", "a.conll", "x/y z=b.conll", "--most", "0")
    assert {path.name for path in Path("out").iterdir()} == {"a", "x_y_z"}
    for folder in Path("out").iterdir():
        assert len([file for file in folder.rglob("*.conll") if cs.read(file)]) == 15 + 1
        assert (folder / "key.conll").is_file()


def test_corrected_folders_of_similar_names() -> None:
    result = run("key.conll", "x/y=a.conll", "x_y=b.conll", "--corrected", "out")
    assert result.exit_code == 2 or len(list(Path("out").rglob("none.conll"))) == 2


def test_corrected_responses_stay_in_their_folder() -> None:
    run("key.conll", "..=a.conll", "--corrected", "out/deep")
    assert {path.name for path in Path("out").glob("*")} <= {"deep"}


def test_unwritable_folder_is_refused_early() -> None:
    Path("taken").write_text("a file")
    refused = run("key.conll", "a.conll", "--corrected", "taken")
    assert refused.exit_code == 5 and refused.stdout == "" and "[E601]" in refused.stderr
    Path("out").mkdir()
    Path("out", "a").write_text("a file")
    refused = run("key.conll", "a.conll", "--corrected", "out")
    assert refused.exit_code == 5 and refused.stdout == "" and "[E601]" in refused.stderr


@pytest.fixture
def two_documents() -> None:
    names = (NAME, OTHER)
    write(
        Path(),
        "".join(town(TOWN_KEY, name) for name in names),
        town(TOWN_A, NAME) + town(TOWN_B, OTHER),
        town(TOWN_B, OTHER),
    )


@pytest.mark.usefixtures("two_documents")
def test_one_document_can_be_analysed_alone() -> None:
    first = system_of("key.conll", "a.conll", "--document", NAME)
    second = system_of("key.conll", "a.conll", "--document", OTHER)
    both = system_of("key.conll", "a.conll")
    assert first["errors"] == ERRORS_A and second["errors"] == ERRORS_B
    assert both["errors"] == {type: ERRORS_A[type] + ERRORS_B[type] for type in ZERO}
    assert first["documents"]["analysed"] == 1
    unknown = run("key.conll", "a.conll", "--document", "(other/2); part 000")
    assert unknown.exit_code == 2 and unknown.stdout == ""
    assert f"did you mean {OTHER}?" in unknown.stderr


@pytest.mark.parametrize("system", RESPONSES)
def test_documents_of_the_demo_add_up(system: str) -> None:
    key, response = str(KEY), str(RESPONSES[system])
    documents = [document.name for document in cs.read(KEY)][:4]
    whole = cs.analyze(KEY, RESPONSES[system])
    for name in documents:
        alone = system_of(key, response, "--document", name, "--list")
        records = [error.to_dict() for error in whole.records if error.document == name]
        assert [error["id"] for error in alone["list"]] == [record["id"] for record in records]
        assert sum(alone["errors"].values()) == len(records)


@pytest.mark.usefixtures("two_documents")
def test_missing_documents_are_empty_or_refused() -> None:
    counted = run("key.conll", "b.conll", "--format", "json")
    assert counted.exit_code == 0 and "W201" in counted.stderr
    result = json.loads(counted.stdout)
    (system,) = result["systems"]
    assert system["documents"] == {"analysed": 2, "missing": [NAME], "extra": []}
    assert system["errors"] == ERRORS_B | {"missing_entity": 3}
    assert [finding["code"] for finding in result["findings"]] == ["W201"]
    refused = run("key.conll", "b.conll", "--missing", "error")
    assert refused.exit_code == 4 and refused.stdout == "" and "E205" in refused.stderr


def test_longer_response_is_refused() -> None:
    longer = town(TOWN_A).replace("\n#end", "d\t0\t0\tHe\tPRP\t*\t-\t-\t-\t-\t*\t(1)\n\n#end")
    Path("long.conll").write_text(longer)
    refused = run("key.conll", "long.conll")
    assert refused.exit_code == 3 and refused.stdout == "" and "E202" in refused.stderr
    result = run("key.conll", "long.conll", "--tokens", "ignore", "--format", "json", "--list")
    assert result.exit_code == 0 and "W204" in result.stderr
    (system,) = json.loads(result.stdout)["systems"]
    assert system["errors"] == ERRORS_A | {"extra_mention": 1}
    (extra,) = [error for error in system["list"] if error["type"] == "extra_mention"]
    assert extra["mentions"][0]["start"] == 19
    for what in ("--groups", "--list", "--tables=all", "--impact", "--corrected=out"):
        assert run("key.conll", "long.conll", "--tokens", "ignore", what).exit_code == 0, what


def test_singletons_are_dropped_unless_kept() -> None:
    """Alone, a dog is a part of its entity that is found, apart from the rest: from nothing."""
    Path("single.conll").write_text(town(TOWN_A.replace("saw a dog", "saw [3 a dog]")))
    dropped = system_of("key.conll", "single.conll")
    assert dropped["errors"] == ERRORS_A and "singletons:drop" in dropped["signature"]
    kept = system_of("key.conll", "single.conll", "--singletons", "keep")
    assert "singletons:keep" in kept["signature"]
    assert kept["errors"] == ZERO | {
        "conflated_entities": 1,
        "divided_entity": 1,
        "missing_mention": 1,
    }


def test_mode_in_result_and_signature() -> None:
    for mode in ("standard", "berkeley"):
        system = system_of("key.conll", "a.conll", "--mode", mode)
        assert system["mode"] == mode and f"|errors:{mode}|" in system["signature"]
        assert system["errors"] == ERRORS_A


def test_standard_input_is_read_once() -> None:
    shown = printed("key.conll", "-", "--most", "0", input=town(TOWN_A))
    assert "Conflated Entities    1" in shown
    assert "Conflated Entities    1" in printed("-", "a.conll", "--most", "0", input=town(TOWN_KEY))
    for pair in (("-", "-"), ("key.conll", "-", "x=-")):
        twice = run(*pair, input=town(TOWN_KEY))
        assert twice.exit_code == 2 and "only once" in twice.stderr


def test_standard_input_for_lists_and_groups() -> None:
    for what in ("--groups", "--list"):
        from_file = printed("key.conll", "a.conll", what)
        assert printed("key.conll", "-", what, input=town(TOWN_A)) == from_file
        assert printed("-", "a.conll", what, input=town(TOWN_KEY)) == from_file


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--tables", "3"),
        ("--tables", "all", "--format", "latex"),
        ("--groups",),
        ("--list",),
        ("--list", "--format", "csv"),
        ("--format", "jsonl"),
        ("--format", "json"),
        ("--format", "csv"),
    ],
)
def test_the_result_can_go_to_a_file(arguments: tuple[str, ...]) -> None:
    shown = printed("key.conll", "a.conll", *arguments)
    assert printed("key.conll", "a.conll", *arguments, "-o", "result.txt") == ""
    assert Path("result.txt").read_text(encoding="utf-8") == shown != ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tables", "12"), "1 to 11"),
        (("--tables", "0"), "1 to 11"),
        (("--tables", "3-1"), "1 to 11"),
        (("--tables", "one"), "'one'"),
        (("--tables", ""), "1 to 11"),
        (("--tables", "1", "--list"), "choose one of"),
        (("--tables", "1", "--groups"), "choose one of"),
        (("--list", "--groups"), "choose one of"),
        (("--tables", "1", "--format", "jsonl"), "choose one of"),
        (("--groups", "--format", "json"), "--groups"),
        (("--groups", "--format", "csv"), "--groups"),
        (("--list", "--format", "latex"), "--list"),
        (("--list", "--format", "markdown"), "--list"),
        (("--type", "extra_entity", "--format", "latex"), "--list"),
        (("--type", "extra_entity", "--format", "json"), "--list"),
        (("--list", "--impact"), "--impact can be combined with --list only in --format json"),
        (("--impact", "--where", "text=it"), "--impact measures all errors, and cannot"),
        (
            ("--impact", "--list", "--type", "span_error", "--format", "json"),
            "cannot be combined with --type",
        ),
        (("--groups", "--impact"), "--impact can be combined with --groups only in --format json"),
        (("--tables", "1", "--format", "csv", "--impact"), "with --tables in --format csv"),
        (("--where", "text="), "NAME"),
        (("--where", "text~"), "NAME"),
        (("--type", "missing-mention"), "did you mean missing_mention?"),
        (("--type", "xyz"), "known: span_error"),
        (("--where", "mention_typ=name"), "did you mean mention_type?"),
        (("--where", "zzzz=name"), "known: id, type, document,"),
        (("--where", "part.pronoun=1"), "part.pronouns"),
        (("--where", "mention_type=pronouns"), "known: name, nominal, pronoun"),
        (("--where", "same_text=yes"), "known: true, false, null"),
        (("--where", "size=two"), "known: any number"),
        (("--where", "nonsense"), "NAME=VALUE"),
        (("--metrics", "mucc", "--impact"), "did you mean muc?"),
        (("--cost", "mucc"), "did you mean muc?"),
        (("--cost", "conl"), "conll"),
        (("--mode", "paper"), "berkeley"),
        (("--singletons", "remove"), "keep"),
        (("--most", "-1"), "--most"),
        (("--format", "xml"), "jsonl"),
        (("--table", "1"), "--tables"),
    ],
)
def test_what_cannot_be_is_a_usage_error(arguments: tuple[str, ...], message: str) -> None:
    refused = run("key.conll", "a.conll", *arguments)
    assert refused.exit_code == 2
    assert message in refused.stderr and refused.stdout == ""


def test_usage_error_names_only_given_options() -> None:
    refused = run("key.conll", "a.conll", "--tables", "1", "--type", "extra_entity")
    assert refused.exit_code == 2 and "--type" in refused.stderr
    assert "choose one of --tables, --groups" not in refused.stderr


def test_unreadable_condition() -> None:
    refused = run("key.conll", "a.conll", "--where", "nonsense")
    assert not refused.stderr.rstrip().endswith("known:")


def test_one_entity_is_not_several() -> None:
    shown = printed("key.conll", "a.conll", "--cost", "muc", "--most", "1")
    assert "1 entities" not in shown


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m corefscope errors key.conll a.conll --groups | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("R: a response entity; ") and done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_terminal_colours_and_width() -> None:
    groups = on_a_terminal("errors", "key.conll", "a.conll", "--groups")
    assert "\x1b[" in groups and "[Anna]" in groups
    table = on_a_terminal("errors", "key.conll", "a.conll", "b.conll", "--tables", "1")
    assert "85.71" in table and "53.19" in table and "…" not in table


def test_escapes_in_words_are_shown_not_obeyed() -> None:
    """A word with the colour red in it."""
    for name in ("key", "a"):
        path = Path(f"{name}.conll")
        path.write_text(path.read_text().replace("dog", "\x1b[31mdog"))
    for what in ("--groups", "--list"):
        result = run("key.conll", "a.conll", what)
        assert "31mdog" in result.stdout and "\x1b" not in result.stdout
