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
from playwright.sync_api import Browser

import corefscope as cs
from corefscope.escaping import visible
from corefscope.findings import Code, Finding
from corefscope.rendering.table import LAYOUTS, Table, TableColumn
from corefscope.serialization.common import finding_record
from report.report_pages import TABS, opened, write_lines

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


def test_a_finding_shows_what_it_quotes() -> None:
    finding = Finding(
        Code.WORDS_DIFFER, f"found {HOSTILE}\nerror: forged", file=f"{HOSTILE}.conll", line=3
    )
    assert (
        str(finding) == rf"{SHOWN}.conll:3: found {SHOWN}\nerror: forged [{Code.WORDS_DIFFER.id}]"
    )
    # JSON is for programs: it keeps what was there.
    assert finding_record(finding)["file"] == f"{HOSTILE}.conll"


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


READ = """() => [...document.querySelectorAll("*")].flatMap((each) => [
  ...[...each.childNodes].filter((node) => node.nodeType === 3 && !each.closest("script, style"))
    .map((node) => node.data),
  ...["title", "aria-label"].map((name) => each.getAttribute(name) ?? ""),
]).concat([document.title])"""
"""All that a reader of the page can come across."""


def test_no_tab_obeys_a_name_or_a_word(browser: Browser, files: list[Path], tmp_path: Path) -> None:
    command: list[str | Path] = ["report", *files, "-o", tmp_path / "report.html"]
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *map(os.fsencode, command)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert not OBEYED.search(done.stderr.decode("utf-8", "surrogateescape"))
    with opened(browser, tmp_path / "report.html") as page:
        for tab in TABS:
            page.open(f"tab={tab}&error=0")
            if tab == "errors":
                page.page.locator("#errors-row-0 .errors-type").hover()
            if tab == "document":
                page.page.locator(".doc-row .doc-tag").first.hover()
            page.settle()
            wrong = [text for text in page.evaluate(READ) if OBEYED.search(text)]
            assert wrong == [], tab
            if tab != "names":
                assert r"\x1b[31m" in page.text, tab
        assert page.complaints == []


def test_python_warning_escapes_quotes(files: list[Path]) -> None:
    with pytest.warns(cs.CorefscopeWarning) as caught:
        cs.make_report(files[0], {"one": files[1]})
    assert not [each for each in caught if OBEYED.search(str(each.message))]


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
