"""Starting is cheap: nothing heavy is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "scipy", "rich", "jinja2", "sqlite3"}


def loaded_by(code: str) -> set[str]:
    """Run code in a fresh interpreter and return the packages and modules it has loaded."""
    report = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def run_main(*arguments: str) -> str:
    return (
        "from corefscope.cli import main\n"
        f"try: main({list(arguments)!r})\n"
        "except SystemExit as end: assert end.code in (0, None), end.code"
    )


def test_import_loads_nothing_heavy() -> None:
    assert not loaded_by("import corefscope") & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["score", "--help"],
        ["errors", "--help"],
        ["nec", "--help"],
        ["explain", "--help"],
        ["validate", "--help"],
        ["stats", "--help"],
        ["convert", "--help"],
        ["schema", "--help"],
        ["demo", "--help"],
    ],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded_by(run_main(*arguments)) & HEAVY


def test_scoring_loads_numpy_only(tmp_path: Path) -> None:
    from corefscope.demo import KEY, RESPONSES

    response = str(RESPONSES["sieve"])
    loaded = loaded_by(run_main("score", str(KEY), response, "-o", str(tmp_path / "scores.txt")))
    assert "numpy" in loaded
    assert not loaded & {"scipy", "rich", "jinja2", "sqlite3"}
    words = {"corefscope.language", "corefscope.matching.word_sets", "corefscope.statistics"}
    assert not loaded & words, "spans are enough for these files"


def test_a_score_loads_few_modules_and_makes_few_dataclasses(tmp_path: Path) -> None:
    """Each module and each dataclass of the standard library adds to the time of every command."""
    from corefscope.demo import KEY, RESPONSES

    count = (
        "import dataclasses\nmade = []\nprocess = dataclasses._process_class\n"
        "dataclasses._process_class = lambda *given: made.append(given) or process(*given)\n"
    )
    arguments = ("score", str(KEY), str(RESPONSES["sieve"]), "-o", str(tmp_path / "scores.txt"))
    report = "\nours = [m for m in __import__('sys').modules if m.startswith('corefscope')]"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{count}{run_main(*arguments)}{report}\nprint(len(ours), len(made))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    modules, dataclasses = map(int, done.stdout.split()[-2:])
    assert modules <= 97
    assert dataclasses <= 5
