"""Data: what the report was made from and by, in full, and where to copy it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from corefscope import make_report
from corefscope.demo import KEY, RESPONSES
from corefscope.exceptions import CorefscopeWarning
from report.report_pages import Opened, opened, write_clusters, write_report


def card(demo: Opened, id: str) -> str:
    return demo.page.locator(f'[aria-labelledby="data-{id}-title"]').inner_text()


def test_files_are_named_with_their_digests(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    shown = card(demo, "files")
    for file in summary["files"]:
        assert file["path"] in shown
        assert file["sha256"] in shown
        assert f"{file['bytes']:,}" in shown
    assert re.search(r"all systems\s+10\s+none\s+none", shown)


def test_command_and_signatures_can_be_copied(demo: Opened, summary: Any) -> None:
    demo.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    demo.open("tab=data")
    signatures = {
        "command": summary["command"],
        "signature": summary["signature"],
        "comparison": summary["comparison"]["signature"],
        "errors": summary["errors"]["systems"][0]["signature"],
        "names": summary["nec"]["systems"][0]["signature"],
    }
    for id, text in signatures.items():
        assert demo.page.locator(f"#data-{id}").text_content() == text
        demo.page.locator(f"#data-copy-{id}").focus()
        demo.page.keyboard.press("Enter")
        expect(demo.page.locator("#status")).to_have_text("Copied.")
        assert demo.evaluate("navigator.clipboard.readText()") == text
        demo.evaluate("() => { document.getElementById('status').textContent = ''; }")
        assert demo.evaluate("document.activeElement.id") == f"data-copy-{id}"


def test_report_made_in_python_has_no_command(browser: Browser, tmp_path: Path) -> None:
    output = tmp_path / "made.html"
    with pytest.warns(CorefscopeWarning, match="are rough"):
        make_report(KEY, {"sieve": RESPONSES["sieve"]}, output)
    with opened(browser, output) as page:
        page.open("tab=data")
        assert page.page.locator("#data-copy-signature").count() == 1
        assert page.page.locator("#data-copy-command").count() == 0
        assert "Command" not in page.text and "same command" not in page.text


def test_what_cannot_be_copied_is_selected(fresh: Opened, summary: Any) -> None:
    fresh.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject();")
    fresh.open("tab=data")
    fresh.page.click("#data-copy-command")
    expect(fresh.page.locator("#status")).to_have_text("Selected: press Ctrl+C.")
    assert fresh.evaluate("getSelection().toString()") == summary["command"]


def test_findings_are_told_with_code_and_place(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    assert f"Findings: {len(summary['findings'])}" in demo.text
    assert summary["findings"]
    for finding in summary["findings"]:
        row = demo.page.locator(f'[data-code="{finding["code"]}"]')
        assert finding["message"] in row.inner_text()
        assert finding["file"] in row.inner_text()


def test_settings_and_sources_are_told_in_words(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    sources = card(demo, "sources")
    assert "from parse trees (10 documents)" in sources
    assert "from part-of-speech tags (10 documents)" in sources
    assert "in 10 documents" in sources
    configuration = demo.page.locator('[aria-labelledby="data-configuration-title"]')
    shown = {
        pair.locator("dt").text_content(): pair.locator("dd").text_content()
        for pair in configuration.locator(".data-settings dl > div").all()
    }
    assert shown["Mentions match"] == "exact"
    assert shown["Seed"] == str(summary["comparison"]["seed"])
    assert shown["Samples"] == f"{summary['comparison']['samples']:,}"
    demo.page.click("#data-names-options")
    options = summary["nec"]["systems"][0]["options"]
    assert configuration.locator("details dl > div").count() == len(options)


def test_documents_are_listed_with_sums(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    documents = summary["documents"]
    rows = demo.page.locator(".data-documents tbody tr").all()
    assert len(rows) == len(documents)
    for row, document in zip(rows, documents, strict=True):
        assert row.locator("a").get_attribute("title") == document["name"]
        assert document["name"] not in row.inner_text()
        shown = row.inner_text().split()
        counts = [f"{document[name]:,}" for name in ("tokens", "mentions", "entities")]
        assert shown[2:] == [*counts, *(f"{100 * value:.2f}" for value in document["conll"])]
    sums = demo.page.locator(".data-documents tfoot").inner_text().split()
    assert sums[1:4] == [
        f"{sum(each[name] for each in documents):,}" for name in ("tokens", "mentions", "entities")
    ]
    scores = [each["scores"]["conll"]["value"] for each in summary["comparison"]["systems"]]
    assert sums[4:] == [f"{100 * score:.2f}" for score in scores]


def test_documents_sorted_and_linked(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    names = demo.page.locator(".data-documents tbody a")
    places = range(len(summary["documents"]))

    def shown() -> list[int]:
        ids = names.evaluate_all("(all) => all.map((each) => each.id)")
        return [int(id.rpartition("-")[2]) for id in ids]

    def value(place: int) -> float:
        return float(summary["documents"][place]["conll"][1])

    demo.page.locator("#data-sort-conll-1").focus()
    demo.page.keyboard.press("Enter")
    # The worst are looked for first.
    assert shown() == sorted(places, key=value)
    assert demo.evaluate("document.activeElement.id") == "data-sort-conll-1"
    head = demo.page.locator("th", has=demo.page.locator("#data-sort-conll-1"))
    expect(head).to_have_attribute("aria-sort", "ascending")
    demo.page.keyboard.press("Enter")
    assert shown() == sorted(places, key=lambda place: -value(place))
    expect(head).to_have_attribute("aria-sort", "descending")
    assert dict(parse_qsl(demo.address)) == {"tab": "data", "o.data.sort": "conll-1.desc"}
    demo.open(demo.address)
    assert shown() == sorted(places, key=lambda place: -value(place))
    demo.page.click("#data-sort-conll-1")
    expect(head).to_have_attribute("aria-sort", "none")
    assert shown() == list(places) and demo.address == "tab=data"
    demo.page.click("#data-sort-tokens")
    assert shown() == sorted(places, key=lambda place: -summary["documents"][place]["tokens"])
    first = shown()[0]
    names.first.click()
    demo.wait("document")
    assert int(dict(parse_qsl(demo.address)).get("document", 0)) == first


def test_another_system_changes_only_links(demo: Opened) -> None:
    demo.open("tab=data")
    demo.page.click("#data-names-options")
    demo.page.keyboard.press("3")
    expect(demo.page.locator("#system-2")).to_have_attribute("aria-pressed", "true")
    expect(demo.page.locator("details[open] #data-names-options")).to_be_visible()
    link = demo.page.locator("#data-document-4").get_attribute("href") or ""
    assert dict(parse_qsl(link[1:])) == {"tab": "document", "document": "4", "system": "2"}


def test_missing_extra_and_empty_documents(browser: Browser, tmp_path: Path) -> None:
    pair = [[[0, 0], [2, 2]]]
    key = write_clusters(tmp_path / "key.jsonl", {"a": pair, "b": pair, "c": [], "d": pair})
    short = write_clusters(tmp_path / "short.jsonl", {"a": pair, "x": pair})
    whole = write_clusters(tmp_path / "whole.jsonl", {"a": pair, "b": pair, "c": pair, "d": pair})
    with opened(browser, write_report(tmp_path / "gaps.html", key, short, whole)) as page:
        page.open("tab=data")
        rows = page.page.locator('[aria-label="Table: coverage"] tbody tr').all()
        assert [row.locator("td").first.inner_text() for row in rows] == ["A short", "B whole"]
        expect(rows[0].locator("summary")).to_have_text("3")
        rows[0].locator("summary").click()
        assert rows[0].locator("details a").all_inner_texts() == ["b", "c", "d"]
        assert rows[0].locator("td").last.inner_text() == "x"
        assert "Documents without entities in the key: c" in card(page, "files")
        # There are no words of a parse, no tags and no names in these files.
        assert "from words (4 documents)" in card(page, "sources")
        assert "in no document" in card(page, "sources")
        assert page.complaints == []


def test_one_system_has_the_same_parts(browser: Browser, tmp_path: Path) -> None:
    report = write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])
    with opened(browser, report) as page:
        page.open("tab=data")
        assert page.page.locator("#data-comparison").inner_text()
        assert page.page.locator(".data-documents thead th").count() == 6
        assert "A sieve" in card(page, "sources")
        assert page.complaints == []
