"""The report in a real browser: it is drawn, it counts right, it links, and nothing gets out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from corefscope.demo import KEY, RESPONSES
from report.report_pages import TABS, Opened, opened, write_report

HOSTILE = [
    "<script>window.hostile=1</script>",
    "<img src=x onerror=window.hostile=1>",
    "&amp;",
    "&lt;b&gt;",
    "</script>",
    "👩‍👩‍👧",
    "é̂",
    "مَدِينَة",
    "東京",
    "__proto__",
    "\"'`${7*7}",
]


@pytest.fixture(scope="module")
def demo(browser: Browser, demo_report: Path) -> Iterator[Opened]:
    with opened(browser, demo_report) as page:
        yield page


@pytest.fixture(scope="module")
def fresh(browser: Browser, demo_report: Path) -> Iterator[Opened]:
    """Return the same report where nobody has clicked."""
    with opened(browser, demo_report) as page:
        yield page


@pytest.fixture(scope="module")
def hostile(browser: Browser, hostile_report: Path) -> Iterator[Opened]:
    with opened(browser, hostile_report) as page:
        yield page


def write_lines(path: Path, documents: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report on words that would like to be markup, and mentions that are hard to draw."""
    directory = tmp_path_factory.mktemp("hostile")
    name = "<img src=x onerror=window.hostile=1>&amp;"
    words = {"doc_key": name, "sentences": [HOSTILE, HOSTILE], "speakers": [HOSTILE, HOSTILE]}
    size = len(HOSTILE)
    twins = [[[i, i], [i + size, i + size]] for i in range(size)]
    shapes = {"doc_key": "shapes", "sentences": [[f"w{i}" for i in range(12)]]}
    nested = [[[i, 9 - i], [10, 10 + i % 2]] for i in range(5)]
    crossing = [[[0, 2], [5, 5]], [[1, 3], [6, 6]]]
    twice = [[[4, 4], [0, 0]], [[4, 4], [7, 7]]]
    everything = [*nested, *crossing, *twice]
    key = write_lines(
        directory / "key.jsonl",
        [words | {"clusters": twins}, shapes | {"clusters": everything}],
    )
    wrong = [twins[0] + twins[1], [[2, 2], [3, 3]], twins[4]]
    response = write_lines(
        directory / "response.jsonl",
        [words | {"clusters": wrong}, shapes | {"clusters": [*nested[1:], crossing[0]]}],
    )
    other = write_lines(
        directory / "other.jsonl",
        [words | {"clusters": []}, shapes | {"clusters": everything}],
    )
    title = "</title><script>window.hostile=1</script>"
    output = directory / "report.html"
    return write_report(output, key, f"<b>bold={response}", other, "--title", title)


# ---- every view ----


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_is_drawn_light_and_dark(demo: Opened, tab: str) -> None:
    demo.complaints.clear()
    papers = set()
    for scheme in SCHEMES:
        demo.page.emulate_media(color_scheme=scheme)
        demo.open(f"tab={tab}")
        assert demo.page.locator("#view").get_attribute("data-ready") == tab
        assert demo.page.locator(".tab[aria-current]").inner_text().lower() == tab
        assert len(demo.text) > 20
        papers.add(demo.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert demo.evaluate("window.violations") == []
    demo.page.emulate_media(color_scheme="light")
    assert len(papers) == 2
    assert demo.complaints == []


def test_the_button_turns_light_into_dark(demo: Opened) -> None:
    demo.open("")
    before = demo.evaluate("getComputedStyle(document.body).backgroundColor")
    demo.page.click("#theme")
    assert demo.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_going_through_all_tabs_asks_nothing_of_a_network(demo: Opened) -> None:
    demo.requests.clear()
    demo.open("")
    for tab in TABS:
        demo.page.click(f"#tab-{tab}")
        demo.wait(tab)
        demo.page.keyboard.press("2")
        demo.wait(tab)
    assert {request.split("#")[0] for request in demo.requests} == {demo.url}
    assert demo.complaints == []
    assert demo.evaluate("window.violations") == []


def test_the_policy_allows_only_what_the_page_brings(browser: Browser, demo_report: Path) -> None:
    with opened(browser, demo_report) as page:
        page.open("")
        meta = page.page.locator('meta[http-equiv="Content-Security-Policy"]')
        policy = meta.get_attribute("content") or ""
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy
        assert not re.search(r"https?:|\*", policy)
        page.evaluate(
            "() => { const script = document.createElement('script');"
            " script.textContent = 'window.hostile = 1'; document.body.append(script); }"
        )
        page.page.wait_for_function("window.violations.length > 0")
        assert page.evaluate("window.hostile") is None


def test_an_unknown_tab_system_and_document_are_no_end(demo: Opened) -> None:
    demo.complaints.clear()
    for address in ("tab=nothing", "tab=systems&system=99&versus=77&f.makers=Z", "f.none=1"):
        demo.open(address)
    assert demo.complaints == []


def test_one_system_alone_has_all_tabs(browser: Browser, tmp_path: Path) -> None:
    report = write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])
    with opened(browser, report) as page:
        for tab in TABS:
            page.open(f"tab={tab}")
        assert page.complaints == []


# ---- links and keys ----

STATES = [
    "tab=systems&system=2&versus=0&f.mention=pronoun",
    "tab=errors&f.type=missing_mention&f.system=1",
    "tab=errors&search=the",
    "tab=document&document=3&system=2&view=diff",
    "tab=entities&system=1",
    "tab=data",
]


@pytest.mark.parametrize("address", STATES)
def test_a_link_shows_the_same_in_a_fresh_page(demo: Opened, fresh: Opened, address: str) -> None:
    demo.go(dict(parse_qsl(address))["tab"], address)
    fresh.open(demo.address)
    assert fresh.address == demo.address
    assert fresh.text == demo.text
    assert fresh.page.locator("header").inner_text() == demo.page.locator("header").inner_text()
    pressed = "[...document.querySelectorAll('[aria-pressed=true]')].map((each) => each.id)"
    assert fresh.evaluate(pressed) == demo.evaluate(pressed)


def test_keys_open_tabs_help_search_and_choose_systems(demo: Opened) -> None:
    demo.complaints.clear()
    demo.open("")
    keyboard = demo.page.keyboard
    for key, tab in zip("osednati", TABS, strict=True):
        keyboard.press("g")
        keyboard.press(key)
        demo.wait(tab)
    keyboard.press("?")
    expect(demo.page.locator("dialog[open]")).to_be_visible()
    keyboard.press("Escape")
    expect(demo.page.locator("dialog[open]")).to_have_count(0)
    keyboard.press("3")
    expect(demo.page.locator("#system-2")).to_have_attribute("aria-pressed", "true")
    keyboard.press("/")
    assert demo.evaluate("document.activeElement.id") == "search"
    assert demo.complaints == []


@pytest.mark.parametrize("tab", ["systems", "data"])
def test_every_control_has_a_name_and_every_id_is_one(demo: Opened, tab: str) -> None:
    demo.open(f"tab={tab}")
    nameless = demo.evaluate(
        "[...document.querySelectorAll('button, input, select, a')].filter((each) =>"
        " !(each.getAttribute('aria-label') || each.textContent.trim()"
        " || each.closest('label')?.textContent.trim())).length"
    )
    assert nameless == 0
    ids = demo.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert [id for id, count in Counter(ids).items() if count > 1] == []


# ---- words that would like to be more ----


@pytest.mark.parametrize("tab", TABS)
def test_hostile_words_are_text_in_every_tab(hostile: Opened, tab: str) -> None:
    hostile.complaints.clear()
    hostile.requests.clear()
    for document in (0, 1):
        hostile.open(f"tab={tab}&document={document}")
        assert hostile.evaluate("window.hostile") is None
        assert hostile.page.locator("#app script, #app img").count() == 0
        assert hostile.evaluate("window.violations") == []
    assert hostile.complaints == []
    assert {request.split("#")[0] for request in hostile.requests} == {hostile.url}


def test_hostile_words_are_shown_as_they_are(hostile: Opened) -> None:
    hostile.open("tab=document")
    text = hostile.evaluate("document.querySelector('#view').textContent")
    assert [word for word in HOSTILE if word not in text] == []
    hostile.open("tab=data")
    assert "<img src=x onerror=window.hostile=1>&amp;" in hostile.text
    assert hostile.page.title() == "</title><script>window.hostile=1</script>"
    assert "<b>bold" in hostile.page.locator("#system-0").inner_text()


# ---- the file ----


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    given = (KEY, *RESPONSES.values())
    first = write_report(output, *given).read_bytes()
    assert write_report(output, *given).read_bytes() == first
