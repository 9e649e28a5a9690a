"""Options are typed: declared in one place, filled in one place, and never named by the library."""

from __future__ import annotations

import ast
import json
import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from msgspec import Struct

import corefscope
from commands import Command, cells_as_conll
from corefscope.cli import COMMANDS, main
from corefscope.cli.messages import OPTIONS
from corefscope.cli.typed import filled, parameters_of, values_of, words_of
from corefscope.findings import Remedy

SOURCE = Path(corefscope.__file__).parent
CELLS = {"d1": "1122-", "d2": "1111-"}
LINES = [
    "score key.conll a=b.conll --include *.x --include *.y --columns coref=2 --caption",
    "errors key.conll b.conll --tables 1,3 --list --type span_error --where text=it --most 0",
    "nec key.conll b.conll --map LOC=GPE --preset paper --format csv -o out.csv",
    "compare key.conll a.conll b.conll --all-pairs --samples 10 --confidence 0.9 --unit parts",
    "gate key.conll b.conll --baseline best.json --max-drop 0.3 --max-drop lea=1",
    "profiles key.conll b.conll --tokens ignore",
    "report key.conll a.conll b.conll --title 'Two words' --redact --split",
    "explain muc key.conll b.conll --document x --terms 3",
    "validate a.conll b.conll --format json",
    "stats a.conll --input-format conll",
    "convert a.conll b.json --from conll --to json",
    "demo -o there",
]


def options_class(name: str) -> type[Struct]:
    """The class of a command's options, by its usual name."""
    found = getattr(import_module(f"corefscope.cli.{name}"), f"{name.capitalize()}Options")
    assert isinstance(found, type) and issubclass(found, Struct)
    return found


def parsed(line: str) -> dict[str, object]:
    """What click makes of a command line."""
    name, *words = shlex.split(line)
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command.make_context(name, words).params


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_the_parameters(name: str) -> None:
    declared = [parameter.name for parameter in parameters_of(options_class(name))]
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert declared == [parameter.name for parameter in command.params]
    assert len(set(declared)) == len(declared)


@pytest.mark.parametrize("line", LINES, ids=[line.split()[0] for line in LINES])
def test_options_hold_what_was_given(line: str) -> None:
    given = parsed(line)
    options = filled(options_class(line.split()[0]), given)
    assert {parameter.name: value for parameter, value in values_of(options)} == given
    with pytest.raises(AttributeError):
        setattr(options, options.__struct_fields__[0], None)


@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("errors")])
def test_options_can_be_written_as_words_again(line: str) -> None:
    name = line.split()[0]
    given = parsed(line)
    words = words_of(filled(options_class(name), given))
    assert parsed(shlex.join([name, *words])) == given
    assert "--format table" not in shlex.join(words), "defaults need no words"


def strings_of(path: Path) -> list[str]:
    """The strings of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    comments = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in comments
    ]


def test_the_library_names_no_options() -> None:
    named = [
        f"{path.relative_to(SOURCE)}: {text}"
        for path in SOURCE.rglob("*.py")
        if SOURCE / "cli" not in path.parents
        for text in strings_of(path)
        if re.search(r"(?<![\w-])--[a-z]", text)
    ]
    assert named == []


def test_every_remedy_names_options_that_exist() -> None:
    context = click.Context(main)
    known: dict[str, set[str]] = {}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        known[name] = {option for parameter in command.params for option in parameter.opts}
    assert set(OPTIONS) == set(Remedy)
    for options_of_remedy in OPTIONS.values():
        for words in map(str.split, options_of_remedy):
            options = [word for word in words if word.startswith("--")]
            assert any(set(options) <= each for each in known.values())
            assert words[0].startswith("--") or set(options) <= known[words[0]]


def test_every_remedy_helps_against_something() -> None:
    library = [path for path in SOURCE.rglob("*.py") if SOURCE / "cli" not in path.parents]
    text = "".join(path.read_text(encoding="utf-8") for path in library)
    for remedy in Remedy:
        assert f"Remedy.{remedy.name}" in text


@pytest.mark.parametrize(
    "line",
    [
        "errors key.conll scores.json",
        "nec key.conll scores.json",
        "report key.conll scores.json -o page.html",
        "score key.conll scores.json --by mention-type",
        "score key.conll scores.json --format reference",
    ],
)
def test_scores_are_not_enough(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(cells_as_conll(CELLS))
    score = "score key.conll key.conll --format json --per-document -o scores.json"
    assert CliRunner().invoke(main, score.split()).exit_code == 0
    name, *words = line.split()
    status, message = Command(name).refused(*words)
    assert status == 3 and "expected the response itself" in message


def test_signature_by_type_counts_own_missing_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = [["Ann", "saw", "her"]]
    record = {"doc_key": "d", "sentences": text, "clusters": [[[0, 0], [2, 2]]]}
    Path("key.jsonl").write_text(json.dumps(record) + "\n")
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "good.jsonl").write_text(Path("key.jsonl").read_text())
        Path(folder, "bad.jsonl").write_text("{")
    arguments = ["key.jsonl", "a", "b", "--skip-broken", "--by", "mention-type"]
    shown = Command("score").run(*arguments)
    assert shown.exit_code == 4
    assert "skipped:1" in shown.stdout and "skipped:2" not in shown.stdout
