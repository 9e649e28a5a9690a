"""No output is an input, in whatever form it is given; folders keep the files of others."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import corefscope as cs
from commands import cells_as_conll
from corefscope.cli import COMMANDS, main
from corefscope.cli.parameters import Input, Output
from corefscope.demo import DIRECTORY

KEY = cells_as_conll({"d1": "1122-", "d2": "1111-"})
RESPONSE = cells_as_conll({"d1": "1122-", "d2": "1122-"})


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("gold", "runs", "gold/deep"):
        Path(folder).mkdir()
    for name in ("key.conll", "gold/all.conll"):
        Path(name).write_text(KEY)
    for name in ("a.conll", "b.conll", "runs/ours-1.conll", "runs/ours-2.conll"):
        Path(name).write_text(RESPONSE)
    Path("names.tsv").write_text("d1\t0\t0\tPER\n")
    Path("units.tsv").write_text("d1\tx\nd2\ty\n")
    os.link("a.conll", "hard.txt")
    os.link("gold/all.conll", "hard-gold.txt")
    Path("soft.txt").symlink_to("a.conll")
    Path("linked").symlink_to("gold")
    Path("runs/outside.conll").symlink_to("../outside")
    Path("linked-runs").symlink_to("runs")
    Path("brat").mkdir()
    Path("brat/x.txt").write_text("Ida slept")
    Path("brat/x.ann").write_text("T1\tPER 0 3\tIda\n*\tEquiv T1\n")
    os.link("brat/x.txt", "hard-text.conll")
    Path("book").mkdir()
    Path("book/x.entities").write_text(
        "COREF\tstart_token\tend_token\tprop\tcat\n0\t0\t0\tPROP\tPER\n"
    )
    Path("table.tsv").write_text("mention_id\tcluster_id\nm1\ta\nm2\ta\n")
    Path("table.txt").write_text("old scores\n")


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


@pytest.mark.parametrize(
    "line",
    [
        "score key.conll a.conll -o key.conll",
        "score key.conll a.conll -o ./gold/../a.conll",
        "score key.conll x=a.conll -o a.conll",
        "score key.conll a.conll -o hard.txt",
        "score key.conll a.conll -o soft.txt",
        "score gold a.conll -o gold/all.conll",
        "score gold a.conll -o hard-gold.txt",
        "score gold a.conll -o linked/all.conll",
        "score linked a.conll -o gold/new.json",
        "score gold a.conll -o gold/deep/new.json",
        "score key.conll x=gold -o gold/new.jsonl.gz",
        "stats a.conll b.conll -o b.conll",
        "validate gold a.conll -o a.conll",
        "explain muc key.conll a.conll -o a.conll",
        "profiles key.conll a.conll -o a.conll",
        "errors key.conll a.conll -o a.conll",
        "errors key.conll a.conll --corrected .",
        "errors gold a.conll --corrected gold",
        "errors gold a.conll --corrected gold/new",
        "nec key.conll a.conll --names names.tsv -o names.tsv",
        "compare key.conll a.conll b.conll -o b.conll",
        "compare key.conll a=a.conll b=runs/ours-*.conll -o runs/ours-2.conll",
        "compare key.conll a=a.conll b=runs/ours-*.conll -o runs/ours-table.conll",
        "compare key.conll a=a.conll b=linked-runs/ours-*.conll -o runs/ours-table.conll",
        "compare key.conll a=a.conll b=linked-runs/ours-*.conll -o linked-runs/ours-table.conll",
        "compare key.conll a=a.conll b=runs/ours-*.conll -o linked-runs/ours-table.conll",
        "compare key.conll a=a.conll b=linked-run*/ours-*.conll -o runs/ours-table.conll",
        "compare key.conll a=a.conll b=runs/o*.conll -o runs/outside.conll",
        "compare key.conll a=a.conll b=link?d -o gold/new.conll",
        "score runs a.conll -o runs/outside.conll",
        "compare key.conll a.conll b.conll --unit units.tsv -o units.tsv",
        "gate key.conll a.conll --baseline names.tsv -o names.tsv",
        "gate key.conll a.conll --baseline x=names.tsv -o names.tsv",
        "report key.conll a.conll -o a.conll",
        "report key.conll a.conll --names names.tsv -o names.tsv",
        "report key.conll a.conll --split -o .",
        "report gold a.conll --split -o gold",
        "convert a.conll a.conll",
        "convert gold gold/new.conll",
        "convert gold gold --to brat",
        "convert gold gold/new --to brat",
        "convert a.conll hard.txt --to conll",
        "convert brat/x.ann brat/x.txt --to json --lossy",
        "convert brat/x.ann linked/../brat/x.txt --to json --lossy",
        "convert brat/x.ann hard-text.conll --lossy",
        "score brat/x.ann brat/x.ann -o brat/x.txt",
        "score brat/x.ann brat/x.ann -o brat/x.txt.gz",
        "score book/x.entities book/x.entities -o book/x.tokens",
        "score book book -o book/x.tokens",
        "score key.conll a=brat/*.ann -o brat/x.txt",
        f"demo -o {DIRECTORY}",
    ],
)
def test_an_output_that_is_an_input_is_refused(line: str) -> None:
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    shown = run(line)
    assert shown.exit_code == 2 and shown.stderr.startswith("error[E602] "), shown.output
    assert "Usage" not in shown.stderr and "expected" in shown.stderr and shown.stdout == ""
    assert {p: p.read_bytes() for p in Path().rglob("*") if p.is_file()} == before


@pytest.mark.parametrize("split", ["", " --split"])
def test_default_output_is_not_an_input(split: str) -> None:
    place = Path("report" if split else "report.html")
    if split:
        place.mkdir()
        place /= "key.conll"
    place.write_text(KEY)
    shown = run(f"report {place} a.conll{split}")
    assert shown.exit_code == 2 and "[E602]" in shown.stderr
    assert place.read_text() == KEY


@pytest.mark.parametrize(
    "line",
    [
        "score gold gold -o gold/table.md",
        "score key.conll a.conll -o b.conll",
        "report gold gold -o gold/report.html",
        "report gold gold --split -o gold/report",
        "score key.conll a.conll -o /dev/null",
        "score table.tsv table.tsv -o table.txt",
        "score brat/x.ann brat/x.ann -o brat/y.txt",
        "score brat/x.ann brat/x.ann -o x.txt",
        "compare key.conll a=a.conll b=linked-runs/ours-*.conll -o runs/table.conll",
        "compare key.conll a=a.conll b=linked-runs/ours-*.conll -o ours-table.conll",
        "compare key.conll a=a.conll b=runs/*-?.conll -o runs/.ours-3.conll",
    ],
)
def test_what_is_not_read_can_be_written(line: str) -> None:
    assert run(line).exit_code == 0


def test_every_path_is_declared() -> None:
    plain = {"metric", "result", "name"}
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command
        kinds = {p.name: p.type for p in command.params if p.name not in plain}
        paths = {
            p.name
            for p in command.params
            if isinstance(p, click.Argument) or isinstance(p.type, click.Path)
        } - plain
        assert all(isinstance(kinds[path], (Input, Output)) for path in paths), name
        assert "output" in paths or name == "convert"


@pytest.mark.parametrize("output", ["none/../a.conll", "linked/none/../../a.conll", "odd.txt"])
def test_path_through_missing_folder(output: str) -> None:
    """The system finds nothing there, so no comparison of files shows that it is an input."""
    Path("odd.txt").symlink_to("none/../a.conll")
    shown = run(f"score key.conll a.conll -o {output}")
    assert shown.exit_code == 5 and "[E601]" in shown.stderr
    assert Path("a.conll").read_text() == RESPONSE


@pytest.mark.parametrize("line", ["score key.conll a.conll -o", "nec key.conll a.conll -o"])
def test_an_empty_name_of_an_output_is_refused(line: str) -> None:
    shown = CliRunner().invoke(main, [*line.split(), ""])
    assert shown.exit_code == 2 and "is empty" in shown.stderr


def test_corpus_is_not_written_onto_itself() -> None:
    corpus = cs.read("a.conll")
    with pytest.raises(cs.OutputIsInput, match="E602"):
        cs.write(corpus, "soft.txt", "conll")
    assert Path("a.conll").read_text() == RESPONSE
    assert corpus["d1"].words


def test_python_refuses_it_too() -> None:
    with pytest.raises(cs.OutputIsInput, match="E602"):
        cs.make_report("key.conll", {"a": "a.conll"}, "a.conll")
    assert Path("a.conll").read_text() == RESPONSE


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("report key.conll a.conll --split -o out", "index.html"),
        ("demo -o out", "key.conll"),
        ("demo -o out", "report.html"),
        ("errors key.conll a.conll --corrected out", "a/key.conll"),
        ("errors key.conll a.conll --corrected out", "a/alone/span_error.jsonl"),
    ],
)
def test_file_of_another_user_is_refused_early(line: str, name: str) -> None:
    Path("out", name).parent.mkdir(parents=True)
    Path("out", name).write_text("mine")
    # The key is not there, which reading it would say.
    shown = run(line.replace("key.conll", "none.conll"))
    assert shown.exit_code == 5 and shown.stderr.startswith("error[E601] "), shown.output
    assert f"out/{name}" in shown.stderr and "Usage" not in shown.stderr
    assert [str(p) for p in Path("out").rglob("*") if p.is_file()] == [f"out/{name}"]
    assert Path("out", name).read_text() == "mine"


def test_files_of_others_stay_beside_ours() -> None:
    report = "report key.conll {}.conll --split -o out"
    assert run(report.format("a")).exit_code == 0
    Path("out/documents/3.js").write_text("mine")
    first = {path.name for path in Path("out/documents").glob("*-*.js")}
    assert run(report.format("key")).exit_code == 0
    second = {path.name for path in Path("out/documents").glob("*-*.js")}
    assert len(first) == len(second) == 2
    assert len(first & second) == 1, "one document is the same in both"
    assert Path("out/documents/3.js").read_text() == "mine"


def test_corrected_responses_are_replaced() -> None:
    line = "errors key.conll x={}.conll --corrected out"
    assert run(line.format("a")).exit_code == run(line.format("key")).exit_code == 0
    assert cs.score("key.conll", "out/x/none.conll").conll == 1


@pytest.mark.parametrize(
    "line",
    [
        "score key.conll a.conll -o table.txt",
        "score key.conll a.conll --format json -o table.txt",
        "convert key.conll table.txt --to conll",
    ],
)
def test_it_is_said_that_a_file_was_replaced(line: str) -> None:
    assert "replaced table.txt\n" in run(line).stderr
    Path("table.txt").unlink()
    assert "replaced" not in run(line).stderr
