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
from report.report_pages import TABS, Opened, chunk_of, opened, write_report

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


@pytest.fixture(scope="module")
def summary(demo_report: Path) -> Any:
    return chunk_of(demo_report, "summary")


@pytest.fixture(scope="module")
def errors(demo_report: Path) -> Any:
    return chunk_of(demo_report, "errors")


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
    for address in ("tab=nothing", "tab=systems&system=99&f.versus=77&f.shared=5+6", "f.none=1"):
        demo.open(address)
    assert demo.complaints == []


# ---- counts ----


def count_rows(errors: Any, address: str) -> int:
    """Count the errors that an address asks for, by the JSON."""
    columns = {"type": "type", "system": "system", "document": "document"}
    wanted: dict[str, set[str]] = {}
    for name, value in parse_qsl(address):
        if name.startswith("f.") and name[2:] in columns:
            wanted.setdefault(columns[name[2:]], set()).add(value)
    return sum(
        all(str(errors[column][row]) in values for column, values in wanted.items())
        for row in range(len(errors["id"]))
    )


def is_counted_here(address: str) -> bool:
    facets = {name for name, _ in parse_qsl(address) if name.startswith("f.") or name == "search"}
    return facets <= {"f.type", "f.system", "f.document"}


CLICK_ALL = """async (tab) => {
  const view = document.getElementById("view");
  const until = async (test) => {
    for (let i = 0; i < 500 && !test(); i++) await new Promise((done) => setTimeout(done, 10));
  };
  const found = [];
  for (let place = 0; ; place++) {
    const counted = view.querySelectorAll("[data-count]")[place];
    if (!counted) return found;
    const says = Number(counted.dataset.count);
    const before = location.hash;
    counted.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const address = location.hash.slice(1);
    if (location.hash === before) continue;
    if (address.includes("tab=errors")) {
      await until(() => view.dataset.ready === "errors");
      const rows = Number(view.querySelector("#errors-table").getAttribute("aria-rowcount")) - 1;
      found.push([address, says, rows]);
    }
    history.back();
    await until(() => location.hash === before && view.dataset.ready === tab);
  }
}"""
"""Click all that says a count; return where it led, what it said and how many rows there are."""


@pytest.mark.parametrize("tab", ["overview", "systems"])
def test_a_count_leads_to_so_many_rows(demo: Opened, errors: Any, tab: str) -> None:
    demo.complaints.clear()
    demo.open(f"tab={tab}")
    found = demo.evaluate(CLICK_ALL, tab)
    assert len(found) > 20
    for address, says, rows in found:
        assert rows == says, address
        assert not is_counted_here(address) or count_rows(errors, address) == says, address
    assert demo.complaints == []


def test_the_heat_map_is_that_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=systems")
    for place, system in enumerate(summary["errors"]["systems"]):
        for type, count in system["errors"].items():
            cell = demo.page.locator(f"#systems-heat-{type}-{place}")
            assert (cell.inner_text() if count else "0") == f"{count:,}"
        total = demo.page.locator(f"#systems-heat-all-{place}").inner_text()
        assert total == f"{sum(system['errors'].values()):,}"


def test_the_matrix_is_that_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=systems&system=1")
    compared = summary["comparison"]
    letter = {system["name"]: system["letter"].lower() for system in summary["systems"]}
    beaten = set()
    for each in compared["comparisons"]:
        pair = (each["system"], each["other"])
        if each["significant"]:
            winner, loser = pair if each["difference"] > 0 else pair[::-1]
            beaten.add((winner, loser, each["statistic"]))
    for place, system in enumerate(compared["systems"]):
        for statistic, score in system["scores"].items():
            cell = demo.page.locator(f'[data-statistic="{statistic}"][data-system="{place}"]')
            text = cell.inner_text()
            assert f"{100 * score['value']:.2f}" in text
            assert f"{100 * score['low']:.2f}–{100 * score['high']:.2f}" in text
            assert f"rank {system['ranks'][statistic]}" in text
            marks = {letter[b] for a, b, s in beaten if (a, s) == (system["name"], statistic)}
            assert set(text.split(f"{100 * score['value']:.2f}")[0].strip()) == marks
            by = 100 * (score["value"] - compared["systems"][1]["scores"][statistic]["value"])
            assert place == 1 or f"{by:+.2f}".replace("-", "−") in text


def test_shared_fixed_and_broken_errors_are_those_of_the_json(demo: Opened, errors: Any) -> None:
    makers: dict[str, set[int]] = {}
    for id, system in zip(errors["id"], errors["system"], strict=True):
        makers.setdefault(id, set()).add(system)
    sets = Counter(" ".join(map(str, sorted(each))) for each in makers.values())
    demo.open("tab=systems&system=2&f.versus=1")
    for name, count in sets.items():
        bar = demo.page.locator(f"#systems-set-{name.replace(' ', '-')}")
        assert bar.get_attribute("data-set-count") == str(count)
    changes = {
        "fixed": sum(1 in each and 2 not in each for each in makers.values()),
        "broken": sum(2 in each and 1 not in each for each in makers.values()),
        "same": sum({1, 2} <= each for each in makers.values()),
    }
    for name, count in changes.items():
        part = demo.page.locator(f'[data-change="{name}"]')
        assert part.get_attribute("data-rows") == str(count)
        assert f": {count:,}" in part.locator("h4").inner_text()
        assert part.locator("li").count() == min(count, 200)
    demo.page.click("#systems-set-0-1-2")
    expect(demo.page.locator('[data-lines="set"] li')).to_have_count(sets["0 1 2"])


def test_an_error_and_a_document_of_the_systems_open(demo: Opened, errors: Any) -> None:
    demo.open("tab=systems&system=2")
    demo.page.locator('[data-change="broken"] li button').first.click()
    demo.wait("document")
    shown = dict(parse_qsl(demo.address))
    row = int(shown["error"])
    assert errors["system"][row] == int(shown.get("system", 0)) == 2
    assert errors["document"][row] == int(shown.get("document", 0))
    demo.open("tab=systems")
    demo.page.click("#systems-document-4")
    demo.wait("document")
    assert dict(parse_qsl(demo.address))["document"] == "4"


def test_one_system_is_told_that_it_is_alone(browser: Browser, tmp_path: Path) -> None:
    report = write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])
    with opened(browser, report) as page:
        for tab in TABS:
            page.open(f"tab={tab}")
        page.open("tab=systems")
        assert "One system, so there is nothing to compare it with" in page.text
        assert page.complaints == []


def test_data_names_files_signature_command_and_documents(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    for file in summary["files"]:
        assert file["path"] in demo.text
        assert file["sha256"] in demo.text
    assert demo.page.locator("#data-signature").inner_text() == summary["signature"]
    assert demo.page.locator("#data-command").inner_text() == summary["command"]
    for finding in summary["findings"]:
        assert demo.page.locator(f'[data-code="{finding["code"]}"]').count() == 1
    assert demo.page.locator(".data-documents tbody tr").count() == len(summary["documents"])
    demo.page.click("#data-sort-conll-0")
    first = demo.page.locator(".data-documents tbody tr").first.inner_text()
    best = max(summary["documents"], key=lambda each: each["conll"][0])
    assert best["name"] in first
    demo.page.click("#data-copy-command")
    expect(demo.page.locator("#data-copy-command")).to_have_text(re.compile("Copied|Selected"))


# ---- links and keys ----

STATES = [
    "tab=systems&system=2&f.versus=0&f.shared=0+1",
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


def test_a_link_is_made_by_clicking_and_undone_by_going_back(demo: Opened) -> None:
    demo.open("tab=systems")
    demo.page.click("#system-2")
    demo.page.select_option("#systems-versus", "1")
    demo.page.click("#systems-set-0")
    assert dict(parse_qsl(demo.address)) == {
        "tab": "systems",
        "system": "2",
        "f.versus": "1",
        "f.shared": "0",
    }
    demo.page.go_back()
    assert "f.shared" not in dict(parse_qsl(demo.address))
    expect(demo.page.locator('[data-lines="set"]')).to_have_count(0)


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


def test_the_focus_stays_on_what_was_pressed(demo: Opened) -> None:
    demo.open("tab=systems")
    demo.page.locator("#systems-set-0-1").focus()
    demo.page.keyboard.press("Enter")
    expect(demo.page.locator('[data-lines="set"]')).to_be_visible()
    assert demo.evaluate("document.activeElement.id") == "systems-set-0-1"


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


def test_a_sentence_of_ten_thousand_tokens_is_drawn(browser: Browser, tmp_path: Path) -> None:
    words = [f"w{i % 97}" for i in range(10_000)]
    clusters = [[[i, i + 1], [i + 5_000, i + 5_001]] for i in range(0, 4_000, 40)]
    document = {"doc_key": "long", "sentences": [words]}
    key = write_lines(tmp_path / "key.jsonl", [document | {"clusters": clusters}])
    other = write_lines(tmp_path / "other.jsonl", [document | {"clusters": clusters[::2]}])
    third = write_lines(tmp_path / "third.jsonl", [document | {"clusters": clusters[::3]}])
    with opened(browser, write_report(tmp_path / "long.html", key, other, third)) as page:
        page.open("tab=document")
        assert page.complaints == []


# ---- the file ----


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    given = (KEY, *RESPONSES.values())
    first = write_report(output, *given).read_bytes()
    assert write_report(output, *given).read_bytes() == first
