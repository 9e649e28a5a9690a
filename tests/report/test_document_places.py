"""Places in a document: jumps to errors, links to where one was, j and k, and long texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser

from report.made_elements import count_made, made
from report.report_pages import Opened, opened, write_report

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


def test_jump_in_a_long_text_draws_only_nearby(novel: Opened) -> None:
    novel.open("tab=document")
    count_made(novel)
    for _ in range(6):
        novel.page.keyboard.press("j")
        novel.settle()
    # Far less than the text has, which is more than a hundred thousand words.
    assert sum(made(novel, name) for name in ("div", "span", "button")) < 20_000
    assert_in_the_middle(novel)


def test_a_place_in_a_long_text_is_restored(novel: Opened) -> None:
    novel.open("tab=document")
    scroll(novel, 40_000)
    at = int(shown(novel)["at"])
    assert at == first_seen(novel) > 1000
    novel.open(novel.address)
    novel.settle()
    assert first_seen(novel) == at
    assert shown(novel)["at"] == str(at)


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


CHANGES = {
    "another error": "j",
    "a flag": "f",
    "another view of the text": "v",
    "another system to compare with": "c",
}


def test_all_of_a_text_is_printed(novel: Opened) -> None:
    novel.open("tab=document")
    assert novel.page.locator(".doc-row:empty").count() > 1000
    novel.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert novel.page.locator(".doc-row:empty").count() == 0
