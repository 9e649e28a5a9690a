"""``corefscope errors``: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command, on_a_terminal
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import ErrorType
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


def test_systems_analysed_with_different_layers() -> None:
    """The key has tags and names but no trees; a brings trees, b has none either."""
    write(Path(), town(TOWN_KEY, layers="tags names"), town(TOWN_A), town(TOWN_B, layers="tags"))
    result = run("key.conll", "a.conll", "ours=b.conll", "--most", "0")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[1:3] == [
        "heads from parse trees; taken from the response: parse (a)",
        "heads from tags (ours)",
    ]
    assert lines[-4:] == [
        "The systems were analysed with different layers: their counts are not",
        "comparable.",
        f"a: {SIGNATURE.replace('heads:parse', 'heads:response-parse')}",
        f"ours: {SIGNATURE.replace('heads:parse', 'heads:tags')}",
    ]
    assert [line[8:12] for line in result.stderr.splitlines()] == ["W401", "W401"]
    system = system_of("key.conll", "a.conll")
    assert system["sources"]["from_response"] == {"parse": 1}


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
    assert [line[8:12] for line in result.stderr.splitlines()] == notes
    assert ("Counting candidates needs parse trees" in result.stdout) == ("parse" not in layers)
    assert ("Types need named entities" in result.stdout) == ("names" not in layers)


def listed_types(*arguments: str) -> list[str]:
    lines = printed("key.conll", "a.conll", "b.conll", *arguments, "--format", "jsonl")
    return [json.loads(line)["type"] for line in lines.splitlines()]


def test_conditions_apply_to_lists_and_groups() -> None:
    assert listed_types("--where", "size>=2", "--where", "text~dog") == [
        "missing_entity",
        "span_error",
    ]
    shown = printed("key.conll", "b.conll", "--where", "text=saw", "--groups")
    assert "Extra Mention: 1" in shown and "Span Error" not in shown
    assert printed("key.conll", "b.conll", "--where", "text=saw") == shown, "groups by themselves"


def test_empty_selection_is_reported() -> None:
    for what in ("--groups", "--list"):
        shown = printed("key.conll", "a.conll", what, "--type", "extra_entity")
        assert shown == "no such errors\n", what
    for format in ("jsonl", "csv"):
        chosen = ("--list", "--type", "extra_entity", "--format", format)
        assert len(printed("key.conll", "a.conll", *chosen).splitlines()) == (format == "csv")


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
    assert "Conflated Entities  1" in shown
    assert "Conflated Entities  1" in printed("-", "a.conll", "--most", "0", input=town(TOWN_KEY))
    for pair in (("-", "-"), ("key.conll", "-", "x=-")):
        twice = run(*pair, input=town(TOWN_KEY))
        assert twice.exit_code == 2 and "only once" in twice.stderr


def test_standard_input_for_lists_and_groups() -> None:
    for what in ("--groups", "--list"):
        from_file = printed("key.conll", "a.conll", what)
        assert printed("key.conll", "-", what, input=town(TOWN_A)) == from_file
        assert printed("-", "a.conll", what, input=town(TOWN_KEY)) == from_file


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
        (("--impact", "--where", "text=it"), "--impact cannot be combined with --type"),
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
