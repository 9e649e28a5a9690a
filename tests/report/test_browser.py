"""The report in a real browser: it is drawn, it counts right, it links, and nothing gets out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from corefscope.demo import KEY, RESPONSES
from report.error_table import Table, row_count
from report.report_pages import TABS, Opened, opened, write_lines, write_report

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
def hostile(browser: Browser, hostile_report: Path) -> Iterator[Opened]:
    with opened(browser, hostile_report) as page:
        yield page


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report on words that would like to be markup, and mentions that are hard to draw."""
    directory = tmp_path_factory.mktemp("hostile")
    name = "<img src=x onerror=window.hostile=1>&amp;"
    words = {"doc_key": name, "sentences": [HOSTILE, HOSTILE], "speakers": [HOSTILE, HOSTILE]}
    size = len(HOSTILE)
    references = [[[i, i], [i + size, i + size]] for i in range(size)]
    shapes = {"doc_key": "shapes", "sentences": [[f"w{i}" for i in range(12)]]}
    nested = [[[i, 9 - i], [10, 10 + i % 2]] for i in range(5)]
    crossing = [[[0, 2], [5, 5]], [[1, 3], [6, 6]]]
    twice = [[[4, 4], [0, 0]], [[4, 4], [7, 7]]]
    everything = [*nested, *crossing, *twice]
    key = write_lines(
        directory / "key.jsonl",
        [words | {"clusters": references}, shapes | {"clusters": everything}],
    )
    wrong = [references[0] + references[1], [[2, 2], [3, 3]], references[4]]
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


def test_tabs_make_no_network_requests(demo: Opened) -> None:
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


def test_content_security_policy(browser: Browser, demo_report: Path) -> None:
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
        page.page.wait_for_function("() => window.violations.length > 0")
        assert page.evaluate("window.hostile") is None


def test_one_system_alone_has_all_tabs(browser: Browser, tmp_path: Path) -> None:
    report = write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])
    with opened(browser, report) as page:
        for tab in TABS:
            page.open(f"tab={tab}")
        assert page.complaints == []


# ---- links and keys ----

STATES = [
    "tab=systems&system=2&versus=0&f.mention_type=pronoun",
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


def test_keyboard_shortcuts(demo: Opened) -> None:
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


def test_errors_of_the_other_system_are_its_own(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&f.system=0&f.system=1")
    own = table.errors["system"].count(1)
    box = demo.page.locator("label.errors-value", has_text="B's own errors")
    expect(box.locator(".errors-value-count")).to_have_text(str(own))
    box.click()
    assert row_count(demo) == own
    demo.open("tab=errors&f.system=0&f.system=1&f.change=right")
    assert row_count(demo) == len(table.chosen({"change": ["right"], "system": ["0"]}))


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


# ---- the file ----


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    given = (KEY, *RESPONSES.values())
    first = write_report(output, *given).read_bytes()
    assert write_report(output, *given).read_bytes() == first
