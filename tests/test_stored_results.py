"""Commands and calls give what is stored in tests/stored; ``make accept`` accepts a change."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corefscope.cli import COMMANDS, main
from same_results.inputs import formats, prepare
from same_results.recording import run
from same_results.stored import SENTENCES, cases, features, kept, sentences, stored, unlike

CASES, STORED = cases(), stored()
HERE = ("demo score table", "demo nec json", "damaged conll 0", "damaged brat 1 score")
"""Cases that a process of its own runs as well."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("stored")
    prepare(folder)
    before = inputs(folder)
    yield folder
    assert inputs(folder) == before, "a case has changed what all cases read"


def inputs(folder: Path) -> dict[Path, bytes]:
    files = (
        p for name in ("demo", "samples", "examples", "damaged") for p in (folder / name).rglob("*")
    )
    return {path: path.read_bytes() for path in files if path.is_file()}


@pytest.mark.parametrize("name", STORED)
@pytest.mark.filterwarnings("default")
def test_a_case_gives_what_is_stored(name: str, root: Path) -> None:
    assert name in CASES, "the case is gone: run make accept"
    found = kept(run(CASES[name], root))
    assert list(unlike(STORED[name], found)) == []


def test_sentences_are_those_that_are_stored(root: Path) -> None:
    text = SENTENCES.read_text("utf-8")
    names = [line[4:] for line in text.splitlines() if line.startswith("=== ")]
    assert len(names) >= 90
    assert sentences({name: run(CASES[name], root) for name in names}) == text


@pytest.mark.parametrize("name", HERE)
def test_a_process_of_its_own_does_the_same(name: str, root: Path) -> None:
    here = run(CASES[name], root)
    words = [sys.executable, "-m", "corefscope", *CASES[name].words]
    done = subprocess.run(words, cwd=root / "run", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (here["status"], here["stdout"])
    assert done.stderr == here["stderr"] and "Traceback" not in done.stderr


def test_every_option_value_and_format_is_stored() -> None:
    given = set().union(*(features(CASES[name].words) for name in STORED))
    for command in COMMANDS:
        parsed = main.get_command(click.Context(main), command)
        assert parsed is not None
        for option in (each for each in parsed.params if isinstance(each, click.Option)):
            names = [*option.opts, *option.secondary_opts]
            assert any(("option", command, name) in given for name in names), (command, names)
            for value in getattr(option.type, "choices", ()):
                assert ("value", option.opts[-1], str(value)) in given, (option.opts, value)
    words = {word.split(":")[0] for name in STORED for word in CASES[name].words}
    assert all(any(format in word for word in words) for format in formats())
