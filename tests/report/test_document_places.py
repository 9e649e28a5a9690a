"""Places in a document: jumps to errors, links to where one was, j and k, and long texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from report.made_elements import count_made, made
from report.report_pages import Opened, chunk_of, opened, write_report

TOKENS, SENTENCE = 60_000, 20


def corpus(path: Path, sentences: list[list[str]], clusters: list[Any]) -> Path:
    document = {"doc_key": "long", "sentences": sentences, "clusters": clusters}
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def long_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report on a novel, in which every third entity was not found."""
    folder = tmp_path_factory.mktemp("long")
    words = [f"word{n % 89}" for n in range(TOKENS)]
    sentences = [words[at : at + SENTENCE] for at in range(0, TOKENS, SENTENCE)]
    half = TOKENS // 2
    entities = [[[at, at + 1], [at + half, at + half]] for at in range(0, half, 10)]
    found = [entity for place, entity in enumerate(entities) if place % 3]
    key = corpus(folder / "key.jsonl", sentences, entities)
    response = corpus(folder / "response.jsonl", sentences, found)
    return write_report(folder / "long.html", key, response)


@pytest.fixture(scope="module")
def novel(browser: Browser, long_report: Path) -> Iterator[Opened]:
    with opened(browser, long_report) as page:
        yield page


def shown(page: Opened) -> dict[str, str]:
    return dict(parse_qsl(page.address))


def scroll(page: Opened, to: float) -> None:
    page.scroll("#doc-scroll", to)


FIRST_SEEN = """() => {
  const heads = document.querySelector(".doc-heads").getBoundingClientRect().bottom;
  const words = [...document.querySelectorAll(".doc-cell:nth-child(2) [data-t]")];
  const first = words.find((word) => word.getBoundingClientRect().bottom > heads + 4);
  return Number(first.dataset.t);
}"""


def first_seen(page: Opened) -> int:
    return int(page.evaluate(FIRST_SEEN))


# ---- jumps ----

SELECTED = """() => {
  const pane = document.getElementById("doc-scroll").getBoundingClientRect();
  const top = document.querySelector(".doc-heads").getBoundingClientRect().bottom;
  return [...document.querySelectorAll(".doc-row .doc-selected")]
    .map((word) => word.getBoundingClientRect())
    .map((box) => ((box.top + box.bottom) / 2 - top) / (pane.bottom - top));
}"""


def assert_in_the_middle(page: Opened, panes: int = 2) -> None:
    page.settle()
    places = page.evaluate(SELECTED)
    assert len(places) >= panes
    firsts = places[:: len(places) // panes]
    assert all(1 / 3 <= place <= 2 / 3 for place in firsts), places


@pytest.mark.parametrize("view", ["side", "diff", "overlay"])
def test_an_error_is_in_the_middle_of_both_panes(demo: Opened, errors: Any, view: str) -> None:
    rows = [r for r in range(len(errors["id"])) if errors["system"][r] == 0]
    here = sorted((r for r in rows if errors["document"][r] == 3), key=errors["start"].__getitem__)
    demo.open(f"tab=document&document=3&view={view}")
    for row in (here[0], here[len(here) // 2], here[-1]):
        demo.page.locator("#doc-scroll").focus()
        # The list may be longer than its window.
        demo.scroll(".doc-list", 30 * here.index(row))
        demo.page.click(f"#doc-error-{row}")
        assert shown(demo)["error"] == str(row)
        assert_in_the_middle(demo, 1 if view == "overlay" else 2)
        # What a link shows in a fresh page is the same.
        demo.open(demo.address)
        assert_in_the_middle(demo, 1 if view == "overlay" else 2)


def test_space_around_disappears_out_of_sight(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&document=3")
    height = "document.getElementById('doc-scroll').scrollHeight"
    before = demo.evaluate(height)
    demo.page.keyboard.press("j")
    demo.settle()
    assert demo.evaluate(height) > before
    assert demo.evaluate("document.querySelector('.doc-text').previousSibling.offsetHeight") > 0
    # The space is no failed load: it says where it is.
    beginning = demo.page.get_by_text("beginning of the document")
    expect(beginning).to_be_in_viewport()
    scroll(demo, 600)
    assert demo.evaluate("document.querySelector('.doc-text').previousSibling.offsetHeight") == 0
    assert demo.evaluate(height) == pytest.approx(before, abs=2)


def test_jump_in_a_long_text_draws_only_nearby(novel: Opened) -> None:
    novel.open("tab=document")
    count_made(novel)
    for _ in range(6):
        novel.page.keyboard.press("j")
        novel.settle()
    # Far less than the text has, which is more than a hundred thousand words.
    assert sum(made(novel, name) for name in ("div", "span", "button")) < 20_000
    assert_in_the_middle(novel)


def test_long_text_is_drawn_only_where_visible(novel: Opened, long_report: Path) -> None:
    novel.complaints.clear()
    novel.open("tab=document")
    rows = len(chunk_of(long_report, "errors")["id"])
    assert novel.page.locator("#doc-count").inner_text() == f"{rows:,}"
    for place in (0, 30_000, 80_000):
        scroll(novel, place)
        assert novel.page.locator(".doc-row > .doc-cell").count() < 400
    novel.page.keyboard.press("Escape")
    novel.open(f"tab=document&error={rows - 1}")
    assert_in_the_middle(novel)
    assert novel.complaints == []


def test_a_place_in_a_long_text_is_restored(novel: Opened) -> None:
    novel.open("tab=document")
    scroll(novel, 40_000)
    at = int(shown(novel)["at"])
    assert at == first_seen(novel) > 1000
    novel.open(novel.address)
    novel.settle()
    assert first_seen(novel) == at
    assert shown(novel)["at"] == str(at)


def test_sentence_of_ten_thousand_tokens(browser: Browser, tmp_path: Path) -> None:
    words = [f"w{i % 97}" for i in range(10_000)]
    clusters = [[[i, i + 1], [i + 5_000, i + 5_001]] for i in range(0, 4_000, 40)]
    key = corpus(tmp_path / "key.jsonl", [words], clusters)
    other = corpus(tmp_path / "other.jsonl", [words], clusters[::2])
    third = corpus(tmp_path / "third.jsonl", [words], clusters[::3])
    with opened(browser, write_report(tmp_path / "long.html", key, other, third)) as page:
        page.open("tab=document")
        page.page.keyboard.press("k")
        assert_in_the_middle(page)
        assert page.complaints == []


# ---- where one was ----


def test_scrolling_is_restored_by_back(demo: Opened) -> None:
    demo.open("tab=document&document=1")
    demo.settle()
    assert "at" not in shown(demo)
    scroll(demo, 500)
    at = shown(demo)["at"]
    assert first_seen(demo) == int(at)
    demo.page.click("#tab-errors")
    demo.wait("errors")
    demo.page.click("#tab-document")
    demo.wait("document")
    demo.settle()
    assert (first_seen(demo), shown(demo)["at"]) == (int(at), at)
    demo.page.locator(".doc-row .doc-tag").first.evaluate("(tag) => tag.click()")
    scroll(demo, 0)
    assert "at" not in shown(demo)
    demo.back()
    assert first_seen(demo) == int(at)
    demo.page.reload()
    demo.wait("document")
    demo.settle()
    assert first_seen(demo) == int(at)


def test_error_from_table_is_always_visible(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&document=1")
    scroll(demo, 900)
    row = next(
        r
        for r in range(len(errors["id"]))
        if errors["document"][r] == 1 and errors["system"][r] == 0
    )
    demo.move(f"{demo.address}&error={row}")
    assert_in_the_middle(demo)
    # Also in a fresh page, with a place that is that of something else.
    demo.open(f"tab=document&document=1&at=150&error={row}")
    assert_in_the_middle(demo)


def test_back_from_an_error_to_the_beginning(demo: Opened) -> None:
    demo.open("tab=document&document=1")
    demo.page.keyboard.press("k")
    demo.page.wait_for_selector(".doc-selected")
    assert first_seen(demo) > 0
    demo.back()
    assert first_seen(demo) == 0


def test_escape_lets_go_of_both_and_stays(demo: Opened) -> None:
    demo.open("tab=document&document=1&error=60")
    demo.open(f"{demo.address}&entity=K2")
    before = first_seen(demo)
    demo.page.keyboard.press("Escape")
    demo.settle()
    assert not {"error", "entity"} & set(shown(demo))
    assert first_seen(demo) == before


@pytest.mark.parametrize("view", ["overlay", "read", "diff"])
def test_another_view_stays_at_the_place(novel: Opened, view: str) -> None:
    # Far from both ends, where there is text enough to scroll.
    novel.open("tab=document&error=500")
    novel.settle()
    place = "document.querySelector('.doc-row .doc-selected').getBoundingClientRect().top"
    before = novel.evaluate(place)
    novel.page.click(f"#doc-view-{view}")
    novel.settle()
    assert abs(novel.evaluate(place) - before) < 3


# ---- j and k ----


def test_j_and_k_stay_with_the_pinned_entity(demo: Opened, errors: Any) -> None:
    rows = [
        r
        for r in range(len(errors["id"]))
        if errors["document"][r] == 0 and errors["system"][r] == 0
    ]
    about = sorted(
        (r for r in rows if "K5" in (errors["entity"][r], errors["other"][r])),
        key=lambda row: (errors["start"][row], row),
    )
    assert 2 < len(about) < len(rows)
    demo.open("tab=document&entity=K5")
    scroll(demo, 0)
    for row in about:
        demo.page.keyboard.press("j")
        assert (shown(demo)["error"], shown(demo)["entity"]) == (str(row), "K5")
    demo.page.keyboard.press("j")
    assert shown(demo)["error"] == str(about[-1])
    demo.page.keyboard.press("k")
    assert shown(demo)["error"] == str(about[-2])
    other = next(row for row in rows if row not in about)
    demo.page.click(f"#doc-error-{other}")
    assert shown(demo)["error"] == str(other) and "entity" not in shown(demo)


def test_line_pressed_while_the_list_scrolls(demo: Opened) -> None:
    demo.open("tab=document")
    before = demo.page.locator(".doc-line").count()
    line = demo.page.locator(".doc-line").nth(12).element_handle()
    demo.scroll(".doc-list", 60)
    assert demo.page.locator(".doc-list").evaluate("(list) => list.scrollTop") > 0
    assert line.evaluate("(line) => line.isConnected")
    ids = demo.evaluate("[...document.querySelectorAll('.doc-line')].map((line) => line.id)")
    assert len(set(ids)) == len(ids) >= before


CHANGES = {
    "another error": "j",
    "a flag": "f",
    "another view of the text": "v",
    "another system to compare with": "c",
}


@pytest.mark.parametrize("change", CHANGES)
def test_line_pressed_during_another_change(demo: Opened, change: str) -> None:
    """The list was made anew at every change: what was pressed was gone when it was let go."""
    demo.open("tab=document&document=1")
    demo.page.keyboard.press("j")
    demo.settle()
    line = demo.page.locator(".doc-line").nth(4)
    row = line.get_attribute("data-row")
    line.hover()
    demo.page.mouse.down()
    demo.page.keyboard.press(CHANGES[change])
    demo.settle()
    demo.page.mouse.up()
    demo.settle()
    assert shown(demo)["error"] == row
    expect(demo.page.locator('.doc-line[aria-current="true"]')).to_have_attribute(
        "data-row", row or ""
    )


def test_a_flag_is_seen_in_the_list_at_once(demo: Opened) -> None:
    demo.open("tab=document&document=2")
    demo.page.keyboard.press("j")
    demo.settle()
    selected = demo.page.locator('.doc-line[aria-current="true"]')
    for count in (1, 0):
        demo.page.keyboard.press("f")
        expect(selected.locator(".doc-line-flag")).to_have_count(count)


COMPARED = """() => {
  const has = Set.prototype.has;
  window.compared = 0;
  Set.prototype.has = function (value) { window.compared++; return has.call(this, value); };
}"""


def test_j_does_not_search_all_errors_again(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&document=2")
    demo.evaluate(COMPARED)
    demo.page.keyboard.press("j")
    demo.page.wait_for_selector(".doc-selected")
    assert demo.evaluate("window.compared") < len(errors["id"])
    # Another choice is another list.
    lines = demo.page.locator(".doc-line").count()
    demo.move(f"{demo.address}&f.type=missing_mention")
    expect(demo.page.locator(".doc-line")).not_to_have_count(lines)


def test_j_without_errors_of_the_entity(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&entity=K0")
    expect(demo.page.locator(".doc-inspector")).to_contain_text("This document has no entity K0")
    demo.page.keyboard.press("j")
    assert "error" in shown(demo) and "entity" not in shown(demo)


def test_buttons_walk_as_j_and_k_do(demo: Opened) -> None:
    for address in (
        "tab=document",
        "tab=document&entity=K5",
        "tab=document&f.type=missing_mention",
    ):
        walks = []
        for step in ("key", "button"):
            demo.open(address)
            scroll(demo, 0)
            demo.page.keyboard.press("j")
            walk = []
            for _ in range(4):
                walk.append(shown(demo)["error"])
                if step == "key":
                    demo.page.keyboard.press("j")
                else:
                    demo.page.click("#doc-error-after")
            demo.page.click("#doc-error-before")
            walks.append([*walk, shown(demo)["error"]])
        assert walks[0] == walks[1] and walks[0][-1] == walks[0][-2]
        assert len(set(walks[0])) == 4
    demo.open("tab=document&entity=K5")
    title = demo.page.locator("#doc-error-after").get_attribute("title")
    assert title == "Next error of K5 (j)"


def test_the_last_and_the_first_error_say_so(demo: Opened, errors: Any) -> None:
    status = demo.page.locator("#status")
    for document in (0, max(errors["document"])):
        rows = [
            r
            for r in range(len(errors["id"]))
            if (errors["document"][r], errors["system"][r]) == (document, 0)
        ]
        rows.sort(key=lambda row: (errors["start"][row], row))
        demo.open(f"tab=document&document={document}&error={rows[-1]}")
        expect(demo.page.locator("#doc-error-after")).to_be_disabled()
        demo.page.keyboard.press("j")
        turn = "." if document else "; J opens the next document."
        expect(status).to_have_text(f"Last error of this document{turn}")
        demo.open(f"tab=document&document={document}&error={rows[0]}")
        demo.page.keyboard.press("k")
        turn = "; K opens the previous document." if document else "."
        expect(status).to_have_text(f"First error of this document{turn}")
    demo.open("tab=document&entity=K5")
    for _ in range(50):
        demo.page.keyboard.press("j")
    expect(status).to_have_text("Last error of K5; Esc unpins it.")


def test_a_link_to_an_entity_leads_to_its_name(browser: Browser, tmp_path: Path) -> None:
    """A pronoun and a nominal come long before the name."""
    sentences = [["She", "saw", "it", "."]] * 100
    sentences[10] = ["The", "mayor", "slept", "."]
    sentences[80] = ["Anna", "Brandt", "woke", "."]
    clusters = [[[0, 0], [40, 41], [320, 321]], [[4, 4], [240, 240]]]
    key = corpus(tmp_path / "key.jsonl", sentences, clusters)
    with opened(browser, write_report(tmp_path / "r.html", key, key)) as page:
        types = [
            each[2] for each in chunk_of(tmp_path / "r.html", "document-0")["key"][0]["mentions"]
        ]
        assert types == [2, 1, 0]
        for entity, token in (("K1", 320), ("K2", 4)):
            page.go("document", f"tab=document&entity={entity}")
            expect(page.page.locator(f'[data-t="{token}"]').first).to_be_in_viewport()


def test_j_begins_at_what_is_seen(novel: Opened, long_report: Path) -> None:
    start = chunk_of(long_report, "errors")["start"]
    novel.open("tab=document")
    scroll(novel, 50_000)
    at = first_seen(novel)
    novel.page.keyboard.press("j")
    opened_at = start[int(shown(novel)["error"])]
    assert opened_at == min(each for each in start if each >= at)


SCROLL_AND_CLICK = """async () => {
  document.getElementById("doc-scroll").scrollTop = 500;
  // Two frames: the page knows that it was scrolled, and has not noted the place yet.
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  [...document.querySelectorAll(".doc-row .doc-tag")].at(-1).click();
}"""


def test_click_right_after_scrolling_keeps_place(demo: Opened) -> None:
    demo.open("tab=document&document=1")
    demo.evaluate(SCROLL_AND_CLICK)
    demo.settle()
    assert shown(demo)["at"] == str(first_seen(demo))
    assert first_seen(demo) > 0


def test_all_of_a_text_is_printed(novel: Opened) -> None:
    novel.open("tab=document")
    assert novel.page.locator(".doc-row:empty").count() > 1000
    novel.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert novel.page.locator(".doc-row:empty").count() == 0
