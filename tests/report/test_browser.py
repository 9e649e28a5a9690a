"""The report in a real browser: it is drawn, it counts right, it links, and nothing gets out."""

from __future__ import annotations

import re
from collections import Counter
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


def test_the_button_turns_light_into_dark(demo: Opened) -> None:
    demo.open("")
    before = demo.evaluate("getComputedStyle(document.body).backgroundColor")
    demo.page.click("#theme")
    assert demo.evaluate("getComputedStyle(document.body).backgroundColor") != before


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


def test_unknown_system_to_compare_with(demo: Opened) -> None:
    demo.open("tab=systems&system=2&versus=77")
    expect(demo.page.locator("#systems-versus")).to_have_value("0")


def test_unknown_and_repeated_systems_in_filter(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&f.system=1&f.system=9&f.system=1&f.system=0&f.system=no")
    assert demo.page.locator(".filter").all_inner_texts() == [
        f"System: {each['letter']} {each['name']} ✕"
        for each in (table.summary["systems"][1], table.summary["systems"][0])
    ]
    assert row_count(demo) == len(table.chosen({"system": ["0", "1"]}))
    demo.page.click("#filter-0")
    expect(demo.page.locator(".filters")).to_be_hidden()
    assert demo.address == "tab=errors"
    demo.open("tab=errors&f.system=9&f.system=1&f.system=1")
    expect(demo.page.locator("#system-1")).to_have_attribute("aria-pressed", "true")
    expect(demo.page.locator(".filters")).to_be_hidden()


READY = """() => new Promise((done) => {
  const view = document.getElementById("view");
  const other = document.getElementById("data-document-5");
  document.getElementById("tab-document").click();
  other.click();
  new MutationObserver(() => done(view.childElementCount)).observe(view, { attributes: true });
})"""
"""Open a document that was read, and at once another; return what is drawn once it is ready."""


def test_a_view_is_ready_once_it_is_drawn_itself(fresh: Opened) -> None:
    fresh.open("tab=document")
    fresh.page.click("#tab-data")
    fresh.wait("data")
    assert fresh.evaluate(READY) == 1
    assert dict(parse_qsl(fresh.address)) == {"tab": "document", "document": "5"}


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


def test_the_keys_are_told_with_close_at_hand(demo: Opened) -> None:
    demo.open("")
    demo.page.keyboard.press("?")
    expect(demo.page.locator("#help-close")).to_be_focused()
    told = demo.page.locator("dialog").inner_text()
    for key, tab in zip("osednati", TABS, strict=True):
        assert f"{key} {tab.title()}" in told
    demo.page.keyboard.press("Enter")
    expect(demo.page.locator("dialog[open]")).to_have_count(0)


def test_key_cycles_compared_systems(demo: Opened) -> None:
    demo.open("tab=systems&system=1")
    picker = demo.page.locator("#systems-versus")
    for other in ("2", "0", "2"):
        demo.page.keyboard.press("c")
        expect(picker).to_have_value(other)
        expect(demo.page.locator(f"#system-{other}")).to_have_class("chip chip-versus")


def test_enter_goes_from_search_to_first_row(demo: Opened, table: Table) -> None:
    demo.open("tab=overview")
    for search in ("the", "a"):
        demo.page.keyboard.press("/")
        demo.page.fill("#search", search)
        assert f"search={search}" not in demo.address
        demo.page.keyboard.press("Enter")
        demo.wait("errors")
        expect(demo.page.locator("#errors-table")).to_be_focused()
        expect(demo.page.locator("#errors-row-0")).to_have_attribute("aria-selected", "true")
        assert row_count(demo) == len(table.chosen({"system": ["0"]}, search))


def test_escape_takes_the_search_away(demo: Opened) -> None:
    for address in ("tab=systems&search=the", "tab=systems"):
        demo.open(address)
        demo.page.keyboard.press("/")
        demo.page.keyboard.type("s")
        demo.page.keyboard.press("Escape")
        expect(demo.page.locator("#view")).to_be_focused()
        expect(demo.page.locator("#search")).to_have_value("")
        assert demo.address == "tab=systems"


def test_systems_and_flags_chips_in_table_only(demo: Opened) -> None:
    chosen = "f.system=0&f.system=1&f.mention_type=name&o.errors.flagged=only"
    chips = demo.page.locator(".filter")
    demo.open(f"tab=systems&{chosen}")
    assert chips.all_inner_texts() == ["Type of the first mention: name ✕"]
    demo.open(f"tab=errors&{chosen}")
    assert [text.split(":")[0] for text in chips.all_inner_texts()] == [
        "System",
        "System",
        "Type of the first mention",
        "Flagged ✕",
    ]
    demo.page.click("#filter-3")
    expect(chips).to_have_count(3)
    assert "flagged" not in demo.address
    demo.open("tab=errors&o.errors.flagged=only")
    demo.page.click("#filters-clear")
    expect(demo.page.locator(".filters")).to_be_hidden()
    assert demo.address == "tab=errors"


def test_errors_of_the_other_system_are_its_own(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&f.system=0&f.system=1")
    own = table.errors["system"].count(1)
    box = demo.page.locator("label.errors-value", has_text="B's own errors")
    expect(box.locator(".errors-value-count")).to_have_text(str(own))
    box.click()
    assert row_count(demo) == own
    demo.open("tab=errors&f.system=0&f.system=1&f.change=right")
    assert row_count(demo) == len(table.chosen({"change": ["right"], "system": ["0"]}))


def test_paper_names_what_is_looked_at(demo: Opened) -> None:
    demo.open("tab=document&system=2&document=3")
    demo.page.emulate_media(media="print")
    head = demo.page.locator(".print-head")
    expect(head).to_contain_text(re.compile(r"Active system: C sieve · Document: demo/"))
    demo.page.emulate_media(media="screen")
    demo.page.click("#tab-overview")
    expect(head).not_to_contain_text("Document:")


def test_masked_words_are_told(demo: Opened, browser: Browser, tmp_path: Path) -> None:
    demo.open("")
    assert demo.page.locator(".masked").count() == 0
    report = write_report(tmp_path / "masked.html", KEY, RESPONSES["sieve"], "--redact")
    with opened(browser, report) as page:
        page.open("")
        expect(page.page.locator(".masked")).to_have_text("Words are masked")


def test_no_history_step_for_current_view(fresh: Opened) -> None:
    fresh.open("")
    before = fresh.evaluate("history.length")
    for _ in range(3):
        fresh.page.click("#tab-overview")
    assert fresh.evaluate("history.length") == before
    fresh.page.click("#tab-data")
    assert fresh.evaluate("history.length") == before + 1


FOCUSED = "document.activeElement.textContent"


def test_focus_after_a_filter_is_removed(demo: Opened) -> None:
    demo.open("f.mention_type=name&f.mention_type=pronoun&f.type=span_error&search=the")
    chips = demo.page.locator(".filter").all_inner_texts()
    keyboard = demo.page.keyboard
    demo.page.locator("#filter-1").focus()
    for left in (2, 3):
        keyboard.press("Enter")
        assert demo.evaluate(FOCUSED) == chips[left]
    keyboard.press("Enter")
    assert demo.evaluate(FOCUSED) == chips[0]
    keyboard.press("Enter")
    assert demo.evaluate("document.activeElement.id") == "view"
    demo.open("f.mention_type=name&f.mention_type=pronoun")
    demo.page.locator("#filters-clear").focus()
    keyboard.press("Enter")
    assert demo.evaluate("document.activeElement.id") == "view"
    assert demo.address == ""


def test_announcement_stays_its_time(fresh: Opened) -> None:
    fresh.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fresh.page.clock.install()
    fresh.open("")
    said = fresh.page.locator("#status")
    for pause in (4000, 3000, 3000):
        fresh.page.keyboard.press(".")
        expect(said).to_have_text("Link copied.")
        fresh.page.clock.run_for(pause)
    expect(said).to_have_text("Link copied.")
    fresh.page.clock.run_for(3000)
    expect(said).to_have_text("")


@pytest.mark.parametrize("tab", ["systems", "data"])
def test_control_names_and_unique_ids(demo: Opened, tab: str) -> None:
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
