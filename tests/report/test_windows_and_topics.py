"""Windows and topics in the report: they are the rows of the table of documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from report.report_pages import chunk_of, opened, write_report

STORMS = Path(__file__).resolve().parents[2] / "docs" / "examples"


def test_windows_are_listed(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, KEY, RESPONSES["sieve"], "--window", "50")
    summary = chunk_of(path, "summary")
    scores = cs.score(KEY, RESPONSES["sieve"], window=50)
    plain = cs.score(KEY, RESPONSES["sieve"])
    assert [unit["name"] for unit in summary["units"]] == list(scores.document_names)
    assert [unit["conll"] for unit in summary["units"]] == [[d.conll] for d in scores.per_document]
    names = [document["name"] for document in summary["documents"]]
    assert [names[unit["document"]] for unit in summary["units"]] == list(scores.texts)
    assert [d["conll"] for d in summary["documents"]] == [[d.conll] for d in plain.per_document]
    with opened(browser, path) as page:
        page.open("")
        panel = page.page.locator("#overview-documents")
        expect(panel.locator("h2")).to_have_text("Windows")
        expect(page.page.locator(".overview-coverage")).to_contain_text(
            "10 documents scored, in 50 windows"
        )
        panel.locator("#overview-toggle-documents").click()
        expect(panel.locator("tbody tr")).to_have_count(50)
        worst = min(scores.per_document, key=lambda each: each.conll or 0)
        first = panel.locator("tbody tr").first
        expect(first).to_contain_text(worst.document.partition("@")[2])
        first.locator("a").click()
        expect(page.page.locator("#tab-document")).to_have_attribute("aria-current", "page")


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_topics_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    sides = [STORMS / "storms.conll", STORMS / "storms_system.conll"]
    write_report(path, *sides, "--level", "topic")
    summary = chunk_of(path, "summary")
    assert [(unit["name"], unit["document"]) for unit in summary["units"]] == [
        ("1", None),
        ("2", None),
    ]
    assert len(summary["documents"]) == 4
    assert "W163" not in {finding["code"] for finding in summary["findings"]}
