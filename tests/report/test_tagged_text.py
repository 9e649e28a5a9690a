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
OVERFLOWS = """() => [...document.querySelectorAll(".overview-ledger .scrolls")]
  .filter((each) => each.scrollWidth > each.clientWidth).length"""
COLOURS = """() => [...document.querySelectorAll(".doc-row:first-child .doc-cell")]
  .map((cell) => getComputedStyle(cell).color)"""


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


def test_the_document_says_what_did_not_come_back(tagged: Opened) -> None:
    tagged.open("tab=document&document=2")
    options = tagged.page.locator("#doc-select option").all_inner_texts()
    endings = ["· whole", "· cut (cut off)", "· refused (failed)"]
    assert all(map(str.endswith, options, endings))
    heads = tagged.page.locator(".doc-head")
    expect(heads.nth(1)).to_contain_text("failed: the text did not come back")
    ours, theirs = tagged.page.evaluate(COLOURS)
    assert ours != theirs
    tagged.move("tab=document&document=1")
    expect(heads.nth(1)).to_contain_text("cut off: 5 words at the end did not come back")
    assert len(set(tagged.page.evaluate(COLOURS))) == 1
    tagged.move("tab=document&document=0")
    expect(heads.nth(1)).to_have_text("A answers5 mentions, 2 entities")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_table_of_the_card_is_cut(tagged: Opened, width: int) -> None:
    tagged.page.set_viewport_size({"width": width, "height": 900})
    tagged.open("")
    assert tagged.page.evaluate(OVERFLOWS) == 0
