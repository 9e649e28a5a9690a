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


def test_a_score_loads_few_modules(tmp_path: Path) -> None:
    """Each module adds to the time of every command."""
    from corefscope.demo import KEY, RESPONSES

    arguments = ("score", str(KEY), str(RESPONSES["sieve"]), "-o", str(tmp_path / "scores.txt"))
    ours = [name for name in loaded_by(run_main(*arguments)) if name.startswith("corefscope")]
    assert len(ours) <= 97
