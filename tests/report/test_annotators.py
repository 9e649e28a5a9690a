"""A report of annotators: none is the key, and any of them can be the reference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import corefscope as cs
from report.report_pages import Opened, chunk_of, opened, percent, write_report

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "annotators"
NAMES = ("anna", "ben", "carla")
FILES = [EXAMPLES / f"{name}.jsonl" for name in NAMES]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(tmp_path_factory.mktemp("annotators") / "r.html", "--annotators", *FILES)


@pytest.fixture(scope="module")
def page(browser: Browser, report: Path) -> Iterator[Opened]:
    with opened(browser, report) as found:
        yield found
        assert found.complaints == []


@pytest.fixture(scope="module")
def agreement() -> cs.Agreement:
    """The documents that all annotators have."""
    corpora = {path.stem: cs.read(path).restricted(["ferry", "letter"]) for path in FILES}
    return cs.agree(corpora)


def choose(page: Opened, name: str) -> None:
    """Choose a reference; the page loads again."""
    with page.page.expect_navigation():
        page.page.locator("#reference").select_option(label=name)
    page.wait()


def chips(page: Opened) -> list[str]:
    return [text.split()[-1] for text in page.page.locator(".chips .chip").all_inner_texts()]


def test_each_annotator_is_the_key_once(report: Path) -> None:
    for number, end in enumerate(("", "-1", "-2")):
        summary = chunk_of(report, f"summary{end}")
        assert summary["reference"] == number
        assert summary["scores"]["key"] == str(FILES[number])
        others = [name for name in NAMES if name != NAMES[number]]
        assert [system["name"] for system in summary["systems"]] == others
        assert [each["name"] for each in summary["documents"]] == ["ferry", "letter"]
        for place in range(2):
            text = chunk_of(report, f"document-{2 * number + place}")
            assert text["name"] == ["ferry", "letter"][place]


def test_figures_are_those_of_agree(page: Opened, agreement: cs.Agreement) -> None:
    page.open("")
    lead = page.page.locator("#overview-agreement .overview-lead").inner_text()
    assert percent(agreement.mean["conll"]) in lead
    assert f"{agreement.alpha.masi:.3f}" in lead
    rows = page.page.locator("#overview-pairs tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    assert [row[0] for row in cells] == ["anna – ben", "anna – carla", "ben – carla", "mean"]
    assert [row[-1] for row in cells[:-1]] == [percent(pair.conll) for pair in agreement]
    kinds = page.page.locator("#overview-kinds tbody tr").first.locator("td").all_inner_texts()
    counts = agreement.disagreements["anna", "ben"]
    assert kinds[0] == str(counts.boundaries)
    assert kinds[2] == str(counts.only_in_a + counts.only_in_b)


def test_any_annotator_is_the_reference(page: Opened) -> None:
    page.open("tab=document")
    assert chips(page) == ["ben", "carla"]
    for name, others in (("carla", ["anna", "ben"]), ("ben", ["anna", "carla"])):
        choose(page, name)
        expect(page.page.locator("#reference option:checked")).to_have_text(name)
        assert chips(page) == others
        heads = page.page.locator(".doc-head b").all_inner_texts()
        assert heads == [name, f"A {others[0]}"]
    # Back is the reference before, with its own data.
    with page.page.expect_navigation():
        page.page.evaluate("setTimeout(() => history.back(), 0)")
    page.wait()
    expect(page.page.locator("#reference option:checked")).to_have_text("carla")
    assert chips(page) == ["anna", "ben"]


def test_words_are_masked(tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.html", "--annotators", *FILES, "--redact")
    agreement: Any = chunk_of(path, "summary-1")["agreement"]
    assert agreement["annotators"] == list(NAMES)
    assert {each["title"] for each in agreement["entities"]} >= {"Xxx", "xxxxxx"}
    assert {each["annotator"] for each in agreement["entities"]} == set(NAMES)
