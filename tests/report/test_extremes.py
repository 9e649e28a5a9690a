"""Corpora at the edge: one document, no mentions, all alike, a hundred systems; every tab works."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from corefscope.statistics.result import Settings
from report.report_pages import TABS, Opened, chunk_of, opened, write_lines, write_report
from shared_files import made_once, shared_folder

WORDS = ["Anna", "saw", "her", "cat", "and", "it", "saw", "Anna"]
NO_NUMBER = re.compile(r"\b(NaN|Infinity|undefined|null|object Object)\b|-∞|∞")
"""What a page says where a number or a word was not there."""


def document(name: str, clusters: Any, words: list[str] = WORDS) -> dict[str, Any]:
    return {"doc_key": name, "sentences": [words] if words else [], "clusters": clusters}


FULL = [[[0, 0], [2, 2], [7, 7]], [[3, 3], [5, 5]]]
PART = [[[0, 0], [2, 2]], [[3, 3], [7, 7]]]
NAMES = ("a", "b", "c", "d", "e")


def same(clusters: Any) -> list[dict[str, Any]]:
    return [document(name, clusters) for name in NAMES]


CASES: Mapping[str, list[list[dict[str, Any]]]] = {
    "five identical documents": [same(FULL), same(PART), same(FULL[:1])],
    "five identical documents that are right": [same(FULL), same(FULL)],
    "systems that are all the same": [same(FULL), same(PART), same(PART), same(PART)],
    "one document": [[document("a", FULL)], [document("a", PART)], [document("a", FULL)]],
    "one system against itself": [[document("a", PART)], [document("a", PART)]],
    "no mentions in the key": [same([]), same(PART)],
    "no mentions in the response": [same(FULL), same([]), same(PART)],
    "no mentions at all": [same([]), same([]), same([])],
    "one document without any mention": [[document("a", [])], [document("a", [])]],
    "a document without tokens": [
        [document("a", FULL), document("b", [], [])],
        [document("a", PART), document("b", [], [])],
    ],
    "nothing but a document without tokens": [[document("a", [], [])], [document("a", [], [])]],
    "documents of one token": [
        [document(name, [[[0, 0]]], ["Anna"]) for name in NAMES],
        [document(name, [[[0, 0]]] if name < "d" else [], ["Anna"]) for name in NAMES],
    ],
}
"""The documents of the key and of each response."""


def made(folder: Path, corpora: list[list[dict[str, Any]]]) -> Path:
    files = [write_lines(folder / f"file{i}.jsonl", each) for i, each in enumerate(corpora)]
    return write_report(folder / "report.html", *files)


def assert_sensible(page: Opened, tab: str) -> None:
    """Check that a tab of a page that is open says something, and only what makes sense."""
    page.move(f"tab={tab}")
    page.wait(tab)
    assert len(page.text.strip()) > 20, tab
    labels = page.evaluate(
        "[...document.querySelectorAll('#view *')].flatMap((each) =>"
        " ['aria-label', 'title', 'd', 'x', 'cx', 'x1', 'width', 'height', 'transform', 'style']"
        ".map((name) => each.getAttribute(name) ?? ''))"
    )
    assert not NO_NUMBER.search(page.text), (tab, NO_NUMBER.search(page.text))
    wrong = [label for label in labels if NO_NUMBER.search(label)]
    assert wrong == [], (tab, wrong)
    assert page.page.locator("#view [role=alert]").count() == 0
    assert page.complaints == [], tab


@pytest.mark.parametrize("case", CASES)
def test_every_tab_works(browser: Browser, tmp_path: Path, case: str) -> None:
    with opened(browser, made(tmp_path, CASES[case])) as page:
        page.open("")
        for tab in TABS:
            assert_sensible(page, tab)
        # All metrics, and each chart as a table.
        page.move("tab=statistics&o.statistics.metric=all")
        assert not NO_NUMBER.search(page.text)
        tables = "types,corrections,documents,sizes"
        page.move(f"tab=overview&o.overview.tables={tables}")
        assert not NO_NUMBER.search(page.text)
        assert page.complaints == []


def test_five_identical_documents(browser: Browser, tmp_path: Path) -> None:
    """Their resamples are one value: the histogram had more bins than there are floats."""
    with opened(browser, made(tmp_path, CASES["five identical documents"])) as page:
        page.open("tab=statistics")
        ridges = page.page.locator("#statistics-scores path.chart-ridge")
        expect(ridges).to_have_count(2)
        for ridge, dot in zip(
            ridges.all(), page.page.locator("#statistics-scores circle").all(), strict=True
        ):
            box = ridge.evaluate(
                "(path) => { const { x, width } = path.getBBox(); return [x, width]; }"
            )
            assert box[1] < 0.1
            assert box[0] == pytest.approx(float(dot.get_attribute("cx") or ""), abs=0.1)


# ---- a hundred systems ----


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of a hundred systems, each a little different."""
    folder = shared_folder(tmp_path_factory, "hundred")
    return made_once(folder / "report.html", write_hundred)


def write_hundred(output: Path) -> None:
    folder = output.parent
    key = [document(f"text {number}", FULL) for number in range(4)]
    files = [write_lines(folder / "key.jsonl", key)]
    for system in range(100):
        texts = [
            document(f"text {number}", FULL if system & (1 << number) else PART[: system % 3])
            for number in range(4)
        ]
        files.append(write_lines(folder / f"system-with-a-name-{system:03d}.jsonl", texts))
    with pytest.MonkeyPatch.context() as patch:
        # 4,950 pairs are enough to draw; that they are resampled often is tested elsewhere.
        patch.setattr("corefscope.statistics.Settings", partial(Settings, samples=100))
        write_report(output, *files)


def test_letters_name_a_hundred_systems(hundred: Path) -> None:
    letters = [each["letter"] for each in chunk_of(hundred, "summary")["systems"]]
    assert len(set(letters)) == 100
