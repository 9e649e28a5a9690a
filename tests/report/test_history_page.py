"""The page of a history: its chart, table and menus show what the history holds."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import corefscope as cs
from commands import Command
from corefscope.demo import KEY, RESPONSES
from corefscope.watching.history import HistoryFile
from report.report_pages import Opened, chunk_of, opened, panel_rows
from report.test_accessibility import CONTRAST, violations

NAMES = ("recency", "string-match", "sieve", "recency")


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a history of four checkpoints in two series."""
    folder = tmp_path_factory.mktemp("runs")
    for number, name in enumerate(NAMES):
        path = folder / f"step-{number + 8:02}.conll"
        path.write_bytes(RESPONSES[name].read_bytes())
        os.utime(path, (number, number))
    path = folder / "history.sqlite"
    for options in (["--metrics", "muc,vi"], []):
        arguments = [str(KEY), str(folder), "--once", "--history", str(path)]
        assert Command("watch").run(*arguments, *options).exit_code == 0
    return path


@pytest.fixture(scope="module")
def page(history: Path, browser: Browser) -> Iterator[Opened]:
    output = history.with_name("history.html")
    done = Command("report").run("--history", str(history), "--title", "Runs", "-o", str(output))
    assert done.exit_code == 0 and done.stderr.startswith(f"wrote {output} (")
    with opened(browser, output) as page:
        page.open("")
        yield page


def test_the_data_are_those_of_the_history(history: Path, page: Opened) -> None:
    data = chunk_of(history.with_name("history.html"), "history")
    assert data["title"] == "Runs" and data["schema"] == "history/1"
    latest, first = data["series"]
    assert first["settings"] == "--metrics muc,vi" and first["units"] == ["points", "nats"]
    scores = [cs.score(KEY, RESPONSES[name]) for name in NAMES]
    assert [each["f1"][0] for each in latest["points"]] == [each.conll for each in scores]
    ids = ["conll", *scores[0].metrics]
    assert latest["metrics"] == ids and latest["signature"] == scores[0].signature
    for point, score in zip(latest["points"], scores, strict=True):
        assert point["f1"][1:] == [score[id].f1 for id in ids[1:]]
    assert [each["is_best"] for each in latest["points"]] == [True, False, True, False]


def test_sentence_table_and_chart(page: Opened) -> None:
    page.open("")
    assert page.complaints == []
    conll = [f"{100 * cs.score(KEY, RESPONSES[name])['conll']:.2f}" for name in NAMES]
    assert f"The best of 4 checkpoints by CoNLL is step-10.conll with {conll[2]}." in page.text
    assert f"1 came after it; the last one, step-11.conll, has {conll[3]} (−" in page.text
    rows = panel_rows(page, "history-scores")
    assert [row[0] for row in rows] == [f"step-{n:02}.conll" for n in (11, 10, 9, 8)]
    assert [row[2] for row in rows] == conll[::-1]
    assert [row[-2] for row in rows] == ["", "new best", "", "new best"]
    texts = page.page.locator(".chart-drawing text").all_text_contents()
    assert {"08", "11", f"CoNLL {conll[3]}"} <= set(texts), "names without what all have in common"
    large = page.page.locator('.chart-drawing circle[r="5"]')
    expect(large).to_have_count(2)
    label = page.page.locator(".chart-drawing").get_attribute("aria-label")
    assert label is not None and f"step-10.conll {conll[2]}" in label


def test_a_series_and_a_metric_are_chosen_by_the_address(page: Opened) -> None:
    page.open("")
    page.page.select_option("#history-series", "1")
    page.settle()
    assert "by MUC" in page.text and "Options\n--metrics muc,vi" in page.text
    page.page.select_option("#history-metric", "vi")
    page.settle()
    vi = cs.score(KEY, RESPONSES["recency"], metrics="vi")["vi"].f1
    drawn = page.page.locator(".chart-drawing text").all_text_contents()
    assert f"VI {vi:.4f}" in drawn and not any(text.startswith("MUC") for text in drawn)
    assert page.address == "o.history.series=1&o.history.metric=vi"
    page.back()
    assert "o.history.metric" not in page.address
    page.open("o.history.series=99&o.history.metric=nope")
    assert "by CoNLL" in page.text, "what does not exist is the first"
    assert page.complaints == []


def test_it_is_saved_as_csv_and_svg(page: Opened) -> None:
    page.open("")
    with page.page.expect_download() as saved:
        page.page.click("#history-scores-csv")
    with Path(saved.value.path()).open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:4] == ["Checkpoint", "scored (UTC)", "CoNLL", "Mentions"] and len(rows) == 4
    conll = cs.score(KEY, RESPONSES["sieve"])["conll"]
    assert float(rows[1][2]) == pytest.approx(100 * conll, abs=1e-4)
    with page.page.expect_download() as saved:
        page.page.click("#history-scores-svg")
    assert Path(saved.value.path()).read_text().startswith("<svg")


def test_it_fits_a_telephone_and_is_accessible(page: Opened) -> None:
    page.open("")
    assert violations(page) == []
    page.page.emulate_media(color_scheme="dark")
    assert violations(page, CONTRAST) == []
    page.page.emulate_media(color_scheme="light")
    page.page.set_viewport_size({"width": 360, "height": 700})
    for place in ("body", "#view"):
        wide = f"(e = document.querySelector('{place}')) => e.scrollWidth - e.clientWidth"
        assert page.evaluate(f"({wide})()") == 0
    page.page.set_viewport_size({"width": 1440, "height": 900})


def test_one_checkpoint(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "<b>&.conll").write_bytes(RESPONSES["sieve"].read_bytes())
    arguments = [str(KEY), str(tmp_path), "--once", "--format", "json"]
    (line,) = Command("watch").run(*arguments).stdout.splitlines()
    assert json.loads(line)["name"] == "<b>&.conll"
    output = tmp_path / "history.html"
    history = str(tmp_path / ".corefscope-history.sqlite")
    assert Command("report").run("--history", history, "-o", str(output)).exit_code == 0
    with opened(browser, output) as page:
        page.open("")
        assert "The best of 1 checkpoint by CoNLL is <b>&.conll" in page.text
        assert page.complaints == [] and page.page.locator("#history-series").count() == 0
        assert re.fullmatch(r"History of .+", page.page.title())


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("--history none.sqlite", 3, "the history does not exist"),
        ("--history text", 3, "not an intact SQLite file"),
        ("--history empty.sqlite", 3, "the history has no checkpoint"),
        ("key.conll --history text", 2, "--history cannot be combined with KEY"),
        ("--history text --redact", 2, "--history cannot be combined with KEY"),
        ("--history text -o text", 2, "the output is an input"),
        ("", 2, "expected KEY and one or more responses, --annotators or --history"),
        ("--annotators", 2, "expected KEY and one or more responses"),
    ],
)
def test_what_cannot_be_shown(
    line: str, status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("no history" * 100)
    with HistoryFile("empty.sqlite") as file:
        file._connect()
    found, shown = Command("report").refused(*line.split())
    assert found == status and message in shown and not Path("history.html").exists()
