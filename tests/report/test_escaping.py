"""Names and words that hold control characters: they are shown, in a page and in a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corefscope.escaping import visible
from corefscope.results.table import LAYOUTS, Table, TableColumn
from report.report_pages import write_lines

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What must reach no reader; lines end in an output."""
HOSTILE = "a\x1b[31mb\u202ec\x85d\u2066e\x7ff"
SHOWN = r"a\x1b[31mb\u202ec\x85d\u2066e\x7ff"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HOSTILE, SHOWN),
        ("two\nlines\r\x00", r"two\nlines\r\x00"),
        ("caf\udce9", r"caf\udce9"),
        ("\u2028\u2029\u202a", r"\u2028\u2029\u202a"),
        ("plain – “café” 東京 مدينة 👩‍👧 \\n", "plain – “café” 東京 مدينة 👩‍👧 \\n"),
    ],
)
def test_what_is_obeyed_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown == visible(visible(text))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_part_of_a_table_is_shown(layout: str) -> None:
    columns = [TableColumn("name"), TableColumn(HOSTILE)]
    table = Table(
        columns=columns, rows=[[HOSTILE, 1]], notes=[HOSTILE], heading=[HOSTILE], title=HOSTILE
    )
    text = LAYOUTS[layout](table)
    assert not OBEYED.search(text)
    assert text.count("x1b") >= 3


def words(names: list[str]) -> dict[str, Any]:
    return {"doc_key": names[0], "sentences": [names], "speakers": [[names[0]] * len(names)]}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a key and a response whose names, words, speakers and labels are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    found = [HOSTILE, "saw", "two\nlines", "\u2029x", "it\x07"]
    key = words(found) | {"clusters": [[[0, 0], [2, 2]], [[3, 3], [4, 4]]]}
    response = words(found) | {"clusters": [[[0, 0], [4, 4]], [[2, 2], [3, 3]]]}
    paths = [folder / f"{HOSTILE}.jsonl", folder / f"response\n{HOSTILE}.jsonl"]
    # Not every file system takes bytes that are not UTF-8.
    odd = folder / os.fsdecode(b"caf\xe9.jsonl")
    try:
        odd.write_text("")
        paths.append(odd)
    except OSError:
        paths.append(folder / "third.jsonl")
    for path, document in zip(paths, (key, response, response), strict=True):
        write_lines(path, [document])
    return paths


COMMANDS: dict[str, list[str]] = {
    "score": [],
    "score by document": ["--per-document"],
    "score as markdown": ["--format", "markdown"],
    "score as latex": ["--format", "latex"],
    "errors": [],
    "errors one by one": ["--list"],
    "errors in groups": ["--groups"],
    "compare": [],
    "stats": [],
    "validate": [],
    "profiles": [],
    "explain muc": [],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_obeys_a_name_or_a_word(command: str, files: list[Path], tmp_path: Path) -> None:
    name = command.split()[0]
    given = [*files] if name in ("score", "compare", "errors") else files[:2]
    metric = ["muc"] if name == "explain" else []
    arguments: list[str | Path] = [name, *metric, *given, *COMMANDS[command]]
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *map(os.fsencode, arguments)],
        capture_output=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8:surrogateescape"},
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    for output in (done.stdout, done.stderr):
        text = output.decode("utf-8", "surrogateescape")
        assert not OBEYED.search(text), OBEYED.search(text)
    assert b"x1b" in done.stdout + done.stderr


def test_json_keeps_what_was_there(files: list[Path], tmp_path: Path) -> None:
    output = tmp_path / "scores.json"
    subprocess.run(
        [
            *(sys.executable, "-m", "corefscope", "score", files[0], files[1]),
            *("--format", "json", "--per-document", "-o", output),
        ],
        check=True,
        capture_output=True,
    )
    (system,) = json.loads(output.read_text(encoding="utf-8"))["systems"]
    assert system["per_document"][0]["document"] == HOSTILE
    assert system["response"] == str(files[1])
