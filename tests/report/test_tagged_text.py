"""What a report shows of tagged text: which documents failed or were cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from report.report_pages import Opened, opened, write_report

WORDS = "Ida met Eve at the old harbour . She waved , and Eve waved back to her ."
TAGGED = "[Ida](#0) met [Eve](#1) at the old harbour."
ANSWERS = {
    "whole": f"{TAGGED} [She](#0) waved, and [Eve](#1) waved back to [her](#0).",
    "cut": f"{TAGGED} [She](#0) waved, and [Eve] [](#1)",
    "refused": "",
}


@pytest.fixture(scope="module")
def tagged(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("tagged")
    clusters = [[[0, 0], [8, 8], [16, 16]], [[2, 2], [12, 12]]]
    records = [
        {"doc_key": name, "sentences": [WORDS.split()], "clusters": clusters} for name in ANSWERS
    ]
    key = folder / "key.jsonl"
    key.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (folder / "answers").mkdir()
    for name, text in ANSWERS.items():
        (folder / "answers" / f"{name}.txt").write_text(text, encoding="utf-8")
    with opened(browser, write_report(folder / "report.html", key, folder / "answers")) as page:
        yield page


def test_the_card_names_documents_that_are_lost(tagged: Opened) -> None:
    tagged.open("")
    card = tagged.page.locator(".overview-ledger")
    expect(card).to_contain_text("with tags of the style markdown")
    expect(card).to_contain_text("1 document has no tags.")
    expect(card).to_contain_text("dropped tags: no entity name")
    expect(card).to_contain_text("dropped mentions: empty")
    assert card.locator("a").all_inner_texts() == ["cut", "refused"]
    card.locator("a", has_text="refused").click()
    tagged.wait("document")
    assert "document=2" in tagged.address
