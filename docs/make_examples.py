"""Run the console examples of the pages again, and write what they print; a test says if stale."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner

from corefscope.cli import main
from corefscope.demo import RESPONSES

DOCS = Path(__file__).parent
PAGES = [
    DOCS.parent / "README.md",
    *(DOCS / f"{name}.md" for name in ("explain", "errors", "errors-reference", "named-entities")),
    *(DOCS / f"{name}.md" for name in ("compare", "profiles", "metrics", "crac", "novel")),
    *(DOCS / f"{name}.md" for name in ("cross-document", "agreement")),
    DOCS / "entity-resolution.md",
    *(DOCS / "migration" / f"{name}.md" for name in ("perl-scorer", "coval", "berkeley-analyser")),
]
"""The pages whose console examples are real."""
TIME = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d(?=  )", re.MULTILINE)
"""When a checkpoint was scored, which pages show as one fixed time."""
EXAMPLE = re.compile(r"^\$ (corefscope [^\n]*)\n((?:(?!^\$ |^```).*\n)+)", re.MULTILINE)
FILES = {
    "key.json": '{"example": [["a", "b", "c"], ["d", "e", "f", "g"]]}\n',
    "response.json": '{"example": [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]}\n',
    "itself.json": '{"example": [["a", "b"], ["c", "d"], ["e", "f"], ["g"]]}\n',
    "gold.jsonl": '{"doc_key": "table1", "sentences": '
    '[["John", "Doe", "says", "he", "thinks", "he", "knows", "he", "won", "."], '
    '["Richard", "Roe", "says", "he", "knows", "he", "lost", "."]], '
    '"ner": [[[0, 1, "PERSON"]], [[10, 11, "PERSON"]]], '
    '"clusters": [[[0, 1], [3, 3], [5, 5], [7, 7]], [[10, 11], [13, 13], [15, 15]]]}\n',
    "solution1.json": '{"table1": [[[0, 1], [3, 3], [5, 5]], [[10, 11], [13, 13]]]}\n',
    "solution2.json": '{"table1": [[[3, 3], [5, 5], [7, 7]], [[13, 13], [15, 15]]]}\n',
    **{path.name: path.read_text("utf-8") for path in sorted((DOCS / "examples").rglob("*.*"))},
    "answers.txt": "Nora|[e1] llega Si quiere ##|[e1] ver ##|[e1] el|[e2 faro|e2] Ese|[e2] mira "
    "##|[e1] .\n",
}
"""The examples of Pradhan et al. (2014) and of Table 1 of Agarwal et al. (2019), a key with a
singleton, an answer to CRAC, and three annotators, which pages may use beside the demo corpus."""


def refreshed(page: Path, folder: Path) -> str:
    """Return a page with the output of its examples, run in a folder of demo files."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name, text in FILES.items():
            Path(name).write_text(text, encoding="utf-8")
        CliRunner().invoke(main, ["demo"])
        _write_checkpoints(Path("checkpoints"))
        return EXAMPLE.sub(_run, page.read_text("utf-8"))
    finally:
        os.chdir(before)


def _write_checkpoints(folder: Path) -> None:
    """Write the responses of the demo as checkpoints of a training run."""
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(("string-match", "recency", "sieve", "recency"), 1):
        path = folder / f"epoch-{number}.conll"
        path.write_bytes(RESPONSES[name].read_bytes())
        os.utime(path, (number, number))


def _run(example: re.Match[str]) -> str:
    command, printed = example.groups()
    if not printed.strip():
        return example[0]
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    fails = "FAILS" in printed  # A gate that is shown to fail.
    assert result.exit_code == fails, result.output
    shown = TIME.sub("2026-01-31 12:00", result.output.strip("\n"))
    return f"$ {command}\n{shown}\n"


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(refreshed(page, Path(folder)), encoding="utf-8")
