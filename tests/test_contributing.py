"""The recipes of CONTRIBUTING.md work as they are printed, in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from textwrap import dedent, indent

import pytest

import corefscope
import more_references

SOURCE = Path(corefscope.__file__).parent
TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = [
    dedent(block)
    for block in re.findall(r"^ *```python\n(.*?)^ *```$", TEXT, re.MULTILINE | re.DOTALL)
]


def printed(words: str) -> str:
    """The only block of code with these words."""
    (block,) = [each for each in BLOCKS if words in each]
    return block


class Copy:
    """A copy of the package, in which recipes are followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "corefscope"
        shutil.copytree(SOURCE, self.package, ignore=shutil.ignore_patterns("__pycache__", "demo"))

    def add(self, module: str, text: str) -> None:
        (self.package / module).write_text(text, encoding="utf-8")

    def change(self, module: str, before: str, after: str) -> None:
        """Replace words that are there once."""
        path = self.package / module
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, after), encoding="utf-8")

    def add_format(self, entry: str) -> None:
        jsonl = '    Format(\n        name="jsonl",\n'
        self.change("formats/registry.py", jsonl, f"{indent(entry.rstrip(), '    ')},\n{jsonl}")

    def run(self, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "corefscope", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    def write(self, name: str, records: Sequence[object]) -> None:
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (self.folder / name).write_text(lines, encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def clusters(random: Random) -> list[list[str]]:
    """A random partition of some of eight mentions."""
    drawn: dict[int, list[str]] = {}
    for mention in random.sample("abcdefgh", 6):
        drawn.setdefault(random.randrange(4), []).append(mention)
    return list(drawn.values())


def test_a_metric(copy: Copy) -> None:
    copy.add("metrics/whole.py", printed('id="whole"'))
    first = "METRICS: Mapping[str, Metric] = {\n"
    imported = f"from corefscope.metrics.whole import WHOLE  # noqa: E402\n\n{first}"
    copy.change("metrics/__init__.py", first, imported)
    copy.change("metrics/__init__.py", "VI, PURITY),", "VI, PURITY, WHOLE),")
    random = Random(1)
    sides = [{f"d{n}": clusters(random) for n in range(40)} for _ in range(2)]
    for name, side in zip(("key.json", "response.json"), sides, strict=True):
        copy.write(name, [side])
    status, shown, _ = copy.run(
        "score",
        "key.json",
        "response.json",
        *("--metrics", "whole"),
        "--format",
        "json",
        "--per-document",
    )
    assert status == 0
    known = dict(vars(more_references))
    exec(printed("def whole("), known)
    reference = known["whole"]
    (system,) = json.loads(shown)["systems"]
    for record in system["per_document"]:
        key, response = (side[record["document"]] for side in sides)
        score = record["metrics"]["whole"]
        found = [*score["recall_counts"], *score["precision_counts"]]
        assert found == list(map(float, reference(key, response)))


def test_a_format(copy: Copy) -> None:
    copy.add("formats/story.py", printed("def _drafts("))
    copy.add_format(printed('name="story"'))
    (example,) = re.findall(r"^```json\n(\{.*\})\n```$", TEXT, re.MULTILINE)
    copy.write("tale.jsonl", [json.loads(example)])
    copy.write(
        "key.jsonl",
        [{"doc_key": "tale", "sentences": [["Ann", "slept", "."]], "clusters": [[[0, 0]]]}],
    )
    status, shown, _ = copy.run(
        "score", "key.jsonl", "tale.jsonl", "--metrics", "b3", "--format", "json"
    )
    assert status == 0
    assert json.loads(shown)["systems"][0]["metrics"]["b3"]["recall_counts"] == [1, 1]
    copy.write("bad.jsonl", [{**json.loads(example), "people": [[[0, 9]]]}])
    status, _, said = copy.run("score", "key.jsonl", "bad.jsonl")
    assert status == 3
    assert said.startswith(
        "error: bad.jsonl:1: document 'tale': mention [0, 9] of entity 0; expected 0 <= first < end"
    )
    copy.write("odd.jsonl", [{**json.loads(example), "title": ["tale"]}])
    status, _, said = copy.run("validate", "odd.jsonl")
    assert status == 0 and "internal error" not in said
