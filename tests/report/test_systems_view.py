"""Systems: every number is that of the other commands, and leads to as many rows."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from corefscope import analyze
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis
from corefscope.error_analysis.changes import ChangeCounts, changes
from corefscope.serialization.errors import change_counts
from corefscope.serialization.report import pack
from report.report_pages import (
    CLICK_ALL,
    Opened,
    opened,
    write_clusters,
    write_lines,
    write_report,
)

COLUMNS = {
    "fixed": "fixed",
    "before": "differently_before",
    "same": "unchanged",
    "after": "differently_after",
    "broken": "broken",
}
"""The columns of what changed, by the names that they have in the page and in Python."""
LISTED = 200


@pytest.fixture(scope="module")
def analyses() -> list[Analysis]:
    return [analyze(KEY, response) for response in RESPONSES.values()]


def number(demo: Opened, id: str) -> int:
    """Return the number that an element shows."""
    demo.settle()
    return int(demo.page.locator(f"#{id}").inner_text().replace(",", ""))


def rows_of_errors(demo: Opened) -> int:
    table = demo.page.locator("#errors-table")
    return int(table.get_attribute("aria-rowcount") or 0) - 1


# ---- scores ----


def test_the_matrix_is_that_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=systems&system=1")
    compared = summary["comparison"]
    verdicts = {
        (each["system"], each["statistic"]): each["verdict"]
        for each in compared["comparisons"]
        if each["verdict"]
    }
    assert len(verdicts) == 2
    for place, system in enumerate(compared["systems"]):
        for statistic, score in system["scores"].items():
            cell = demo.page.locator(f'[data-statistic="{statistic}"][data-system="{place}"]')
            text = cell.inner_text()
            assert f"{100 * score['value']:.2f}" in text
            assert f"{100 * score['low']:.2f}–{100 * score['high']:.2f}" in text
            by = 100 * (score["value"] - compared["systems"][1]["scores"][statistic]["value"])
            assert place == 1 or f"{by:+.2f}".replace("-", "−") in text
            verdict = verdicts.get((system["name"], statistic))
            assert text.endswith(verdict) if verdict else "significant" not in text


def with_summary(report: Path, before: Any, after: Any, folder: Path) -> Path:
    """Return a page with another summary in it."""
    changed = folder / "changed.html"
    text = report.read_text(encoding="utf-8")
    changed.write_text(text.replace(pack(before), pack(after)), encoding="utf-8")
    return changed


def test_the_matrix_says_how_sure_it_is(
    demo: Opened, summary: Any, demo_report: Path, browser: Browser, tmp_path: Path
) -> None:
    note = ".systems-note >> nth=0"
    demo.open("tab=systems")
    shown = demo.page.locator(note).inner_text()
    assert "on 10 documents, with 95 % intervals." in shown
    assert "(paired randomization, exact, corrected for 2 comparisons)" in shown
    # Another confidence.
    others = {**summary["comparison"], "confidence": 0.995, "exact": False}
    changed = {**summary, "comparison": others}
    with opened(browser, with_summary(demo_report, summary, changed, tmp_path)) as page:
        page.open("tab=systems")
        shown = page.page.locator(note).inner_text()
        assert "with 99.5 % intervals" in shown
        assert "(paired approximate randomization, corrected for 2 comparisons)" in shown


def test_one_document_is_told_to_allow_no_test(browser: Browser, tmp_path: Path) -> None:
    key = write_clusters(tmp_path / "key.jsonl", {"a": [[[0, 0], [2, 2]]]})
    response = write_clusters(tmp_path / "response.jsonl", {"a": [[[0, 0], [3, 3]]]})
    with opened(browser, write_report(tmp_path / "one.html", key, response, key)) as page:
        page.open("tab=systems")
        shown = page.page.locator(".systems-note").first.inner_text()
        assert shown.startswith(
            "F1 in percent on 1 document. Differences cannot be tested with so few units."
        )
        assert "interval" not in shown and "significantly worse" not in shown


def test_system_chosen_by_key_keeps_focus(demo: Opened) -> None:
    demo.open("tab=systems")
    demo.page.locator("#systems-choose-2").focus()
    demo.page.keyboard.press("Enter")
    expect(demo.page.locator("#systems-choose-2")).to_have_attribute("aria-pressed", "true")
    assert demo.evaluate("document.activeElement.id") == "systems-choose-2"
    assert dict(parse_qsl(demo.address)) == {"tab": "systems", "system": "2"}


def test_matrix_fits_into_1024_pixels(demo: Opened) -> None:
    demo.page.set_viewport_size({"width": 1024, "height": 768})
    demo.open("tab=systems")
    for table in (".systems-matrix", ".systems-heat", ".systems-upset", ".systems-kinds"):
        fits = "(t) => { const r = document.querySelector(t).closest('.scrolls');"
        assert demo.evaluate(f"{fits} return r.scrollWidth <= r.clientWidth; }}", table), table
    demo.page.set_viewport_size({"width": 1440, "height": 900})


# ---- errors by type ----


def test_the_heat_map_is_that_of_the_analyses(demo: Opened, analyses: list[Analysis]) -> None:
    demo.open("tab=systems")
    for place, analysis in enumerate(analyses):
        for type, count in analysis.errors.items():
            assert number(demo, f"systems-heat-{type}-{place}") == count
        assert number(demo, f"systems-heat-all-{place}") == len(analysis.records)


def test_the_heat_map_counts_under_the_filters(demo: Opened, errors: Any) -> None:
    types = ("missing_mention", "divided_entity")
    demo.open(f"tab=systems&f.mention_type=pronoun&f.document=4&f.type={'&f.type='.join(types)}")
    counts = Counter(
        (type, system)
        for type, system, mention, document in zip(
            *(errors[column] for column in ("type", "system", "mention_type", "document")),
            strict=True,
        )
        if mention == "pronoun" and document == 4 and type in types
    )
    assert counts
    for type in set(errors["type"]):
        for place in range(3):
            assert number(demo, f"systems-heat-{type}-{place}") == counts[type, place]
    for place in range(3):
        total = sum(count for (_, system), count in counts.items() if system == place)
        assert number(demo, f"systems-heat-all-{place}") == total
    assert "Only errors that match the filters above are counted" in demo.text


# ---- shared errors ----


def test_sets_of_shared_errors_equal_analyses(demo: Opened, analyses: list[Analysis]) -> None:
    makers: dict[str, list[int]] = {}
    for place, analysis in enumerate(analyses):
        for error in analysis.records:
            makers.setdefault(error.id, []).append(place)
    sets = Counter("-".join(map(str, places)) for places in makers.values())
    demo.open("tab=systems&system=2")
    bars = demo.page.locator(".systems-set")
    assert bars.count() == len(sets)
    shown = {bar.get_attribute("id"): bar.get_attribute("data-count") for bar in bars.all()}
    assert shown == {f"systems-set-{name}": str(count) for name, count in sets.items()}
    assert [bar.inner_text().strip() for bar in bars.all()] == [
        str(count) for _, count in sorted(sets.items(), key=lambda each: -each[1])
    ]
    assert f"{len(makers)} different errors" in demo.text


def test_set_opens_errors_of_just_these_systems(demo: Opened) -> None:
    demo.open("tab=systems")
    bar = demo.page.locator("#systems-set-1-2")
    count = int(bar.get_attribute("data-count") or 0)
    bar.focus()
    demo.page.keyboard.press("Enter")
    demo.wait("errors")
    shown = dict(parse_qsl(demo.address))
    assert (shown["f.makers"], shown["system"]) == ("B C", "1")
    assert rows_of_errors(demo) == count > 0


# ---- what changed ----


@pytest.mark.parametrize(("active", "other"), [*permutations(range(3), 2)])
def test_changes_are_those_of_the_analyses(
    demo: Opened, analyses: list[Analysis], active: int, other: int
) -> None:
    changed = changes(analyses[other], analyses[active])
    demo.open(f"tab=systems&system={active}&versus={other}")
    for column, name in COLUMNS.items():
        for type, counts in changed.by_type.items():
            assert number(demo, f"systems-{column}-{type}") == getattr(counts, name)
        total = getattr(changed.counts, name)
        assert number(demo, f"systems-{column}-all") == total
        assert number(demo, f"systems-count-{column}") == total
    for column in ("fixed", "broken", "same"):
        lines = demo.page.locator(f'[data-change="{column}"] li')
        assert lines.count() == min(getattr(changed.counts, COLUMNS[column]), LISTED)
    exchanges = demo.page.locator('[data-change="differently"] li')
    assert exchanges.count() == min(len(changed.differently), LISTED)


def test_the_counts_are_those_of_compare_changes(demo: Opened, summary: Any) -> None:
    pair = next(each for each in summary["changes"] if (each["before"], each["after"]) == (0, 2))
    demo.open("tab=systems&system=2&versus=0")
    shown = {name: number(demo, f"systems-count-{column}") for column, name in COLUMNS.items()}
    assert shown == {name: pair["counts"][name] for name in COLUMNS.values()}
    assert change_counts(ChangeCounts(**shown)) == pair["counts"]


def test_lists_hold_the_errors_of_the_changes(
    demo: Opened, analyses: list[Analysis], errors: Any
) -> None:
    changed = changes(analyses[1], analyses[2])
    demo.open("tab=systems&system=2&versus=1")

    def rows(part: str) -> list[int]:
        ids = demo.evaluate(
            "(part) => [...document.querySelectorAll(part)].map((each) => each.id)", part
        )
        return [int(id.rpartition("-")[2]) for id in ids]

    for name, found in (("fixed", changed.fixed), ("broken", changed.broken)):
        listed = rows(f'[data-change="{name}"] .systems-line')
        assert [errors["id"][row] for row in listed] == [error.id for error in found][:LISTED]
        assert {errors["system"][row] for row in listed} == {1 if name == "fixed" else 2}
    for place, exchange in enumerate(changed.differently):
        sides = f'[data-change="differently"] li:nth-child({place + 1}) .systems-side'
        for side, wrong in ((1, exchange.before), (2, exchange.after)):
            # The place of the exchange comes first, and between the sides an arrow.
            listed = rows(f"{sides}:nth-child({2 * side}) .systems-line")
            assert [errors["id"][row] for row in listed] == [error.id for error in wrong][:6]


CLICKED = [
    "tab=systems&system=2&versus=1",
    "tab=systems&f.change=differently&f.mention_type=pronoun&o.errors.group=type&o.errors.flagged=only",
    "tab=systems&system=1&versus=2&f.system=0&f.system=1&search=the",
    "tab=systems&f.type=missing_mention&f.type=divided_entity",
    "tab=systems&f.system=0&f.system=1&f.change=own&f.change=right",
]


@pytest.mark.parametrize("address", CLICKED)
def test_every_count_leads_to_so_many_rows(demo: Opened, address: str) -> None:
    """With filters every third count is clicked, from another first one for each address."""
    place = CLICKED.index(address)
    first, step = (place % 3, 3) if place else (0, 1)
    demo.complaints.clear()
    demo.open(address)
    counts = demo.page.locator("#view [data-count]").count()
    found = demo.evaluate(CLICK_ALL, ["systems", first, step])
    assert counts > 20 and len(found) == len(range(first, counts, step))
    assert [each for each in found if each[1] != each[2]] == []
    assert demo.complaints == []


def test_filters_are_told_and_cleared(demo: Opened, analyses: list[Analysis]) -> None:
    changed = changes(analyses[1], analyses[2])
    missing = changed.by_type["missing_mention"]
    demo.open("tab=systems&system=2&versus=1&f.type=missing_mention")
    heading = demo.page.locator('[data-change="fixed"] h4')
    expect(heading).to_contain_text(f"{missing.fixed} of {changed.counts.fixed}")
    heading = demo.page.locator('[data-change="differently"] h4')
    counts = changed.counts
    expect(heading).to_contain_text(
        f"{missing.differently_before} of {counts.differently_before} in B → "
        f"{missing.differently_after} of {counts.differently_after} in C"
    )
    passing = [
        exchange
        for exchange in changed.differently
        if any(e.type == "missing_mention" for e in (*exchange.before, *exchange.after))
    ]
    shown = demo.page.locator('[data-change="differently"]').get_attribute("data-rows")
    assert shown == str(len(passing))
    expect(demo.page.locator(".systems-narrowed")).to_be_visible()
    demo.page.click("#systems-clear")
    expect(demo.page.locator(".systems-narrowed")).to_have_count(0)
    assert number(demo, "systems-count-fixed") == changed.counts.fixed
    assert demo.address == "tab=systems&system=2&versus=1"


LINES = [
    '[data-change="broken"] .systems-line',
    '[data-change="same"] .systems-line',
    '[data-change="differently"] .systems-side:first-of-type .systems-line',
    '[data-change="differently"] .systems-arrow + .systems-side .systems-line',
]


@pytest.mark.parametrize("line", LINES)
def test_line_opens_its_document(demo: Opened, errors: Any, line: str) -> None:
    demo.open("tab=systems&system=2&versus=1")
    clicked = demo.page.locator(line).first
    of = int((clicked.get_attribute("id") or "").rpartition("-")[2])
    clicked.click()
    demo.wait("document")
    shown = dict(parse_qsl(demo.address))
    row = int(shown["error"])
    assert errors["system"][row] == int(shown["system"]) == 2
    assert errors["document"][row] == errors["document"][of] == int(shown.get("document", 0))
    assert shown["o.document.left"] == shown["versus"] == "1"
    assert row == of or errors["system"][of] == 1


def test_fixed_error_opens_at_its_place(demo: Opened, errors: Any) -> None:
    demo.open("tab=systems&system=2&versus=1")
    lines = demo.page.locator('[data-change="fixed"] .systems-line')
    rows = [int((each.get_attribute("id") or "").rpartition("-")[2]) for each in lines.all()]
    for place in (0, next(n for n, row in enumerate(rows) if errors["start"][row] > 100)):
        row = rows[place]
        demo.open("tab=systems&system=2&versus=1")
        lines.nth(place).click()
        demo.wait("document")
        shown = dict(parse_qsl(demo.address))
        assert shown["system"] == "2" and "error" not in shown
        assert shown["o.document.left"] == shown["versus"] == "1"
        assert errors["document"][row] == int(shown.get("document", 0))
        names = (errors["entity"][row], errors["other"][row] or "")
        about = [name for name in names if name.startswith("K")]
        assert shown.get("entity") == (about[0] if about else None)
        word = demo.page.locator(f'#doc-scroll [data-t="{errors["start"][row]}"]').first
        expect(word).to_be_in_viewport()


def test_pair_is_chosen_linked_and_left(demo: Opened, fresh: Opened) -> None:
    demo.open("tab=systems")
    demo.page.click("#system-2")
    demo.page.locator("#systems-versus").focus()
    demo.page.select_option("#systems-versus", "1")
    assert demo.evaluate("document.activeElement.id") == "systems-versus"
    assert dict(parse_qsl(demo.address)) == {"tab": "systems", "system": "2", "versus": "1"}
    expect(demo.page.locator("#system-1")).to_have_class("chip chip-versus")
    fresh.open(demo.address)
    assert fresh.text == demo.text
    demo.back()
    expect(demo.page.locator("#systems-versus")).to_have_value("0")


# ---- documents ----


def test_documents_are_sorted_by_what_is_won(demo: Opened, summary: Any) -> None:
    demo.open("tab=systems&system=2&versus=1")
    by = {
        place: document["conll"][2] - document["conll"][1]
        for place, document in enumerate(summary["documents"])
    }
    order = sorted(by, key=lambda place: (-by[place], place))
    bars = demo.page.locator(".systems-document").all()
    assert [bar.get_attribute("id") for bar in bars] == [f"systems-document-{p}" for p in order]
    for bar, place in zip(bars, order, strict=True):
        assert f"{100 * by[place]:+.2f}" in bar.inner_text()
        name = summary["documents"][place]["name"]
        assert bar.locator(".systems-document-name").get_attribute("title") == name
        assert "part 000" not in bar.inner_text()
    bars[0].click()
    demo.wait("document")
    shown = dict(parse_qsl(demo.address))
    assert (int(shown.get("document", 0)), shown["o.document.left"]) == (order[0], "1")


def write_many(path: Path, documents: int, lost: int) -> Path:
    """Write so many small documents; the later in the corpus, the more of them is lost."""
    lines = []
    for place in range(documents):
        clusters = [[[i, i], [i + 4, i + 4]] for i in range(4)]
        found = clusters[: 4 - (lost * place) // documents]
        name = {"doc_key": f"text {place}", "sentences": [["w"] * 10]}
        lines.append(name | {"clusters": found})
    return write_lines(path, lines)


def test_the_middle_of_many_documents_is_folded(browser: Browser, tmp_path: Path) -> None:
    files = [write_many(tmp_path / f"{lost}.jsonl", 70, lost) for lost in (0, 3, 1)]
    with opened(browser, write_report(tmp_path / "many.html", *files)) as page:
        page.open("tab=systems")
        bars = page.page.locator(".systems-document")
        assert bars.count() == 20
        names = page.page.locator(".systems-document-name").all_inner_texts()
        assert [name.split()[1] for name in names] == [
            str(number) for number in (*range(10), *range(60, 70))
        ]
        fold = page.page.locator("#systems-all-bars")
        expect(fold).to_have_text("50 documents between these: show all")
        fold.click()
        expect(bars).to_have_count(70)
        address = page.address
        assert dict(parse_qsl(address))["o.systems.all"] == "on"
        page.open(address)
        assert bars.count() == 70
        fold.click()
        expect(bars).to_have_count(20)
        # More errors than are listed, and a link to all of them.
        count = page.page.locator("#systems-count-broken").get_attribute("data-count")
        lines = page.page.locator('[data-change="broken"] li')
        assert lines.count() == min(int(count or 0), LISTED)
        assert page.complaints == []


def test_long_lists_lead_to_the_table(browser: Browser, tmp_path: Path) -> None:
    files = [write_many(tmp_path / f"{lost}.jsonl", 400, lost) for lost in (0, 4, 0)]
    with opened(browser, write_report(tmp_path / "long.html", *files)) as page:
        page.open("tab=systems")
        rest = page.page.locator("#systems-rest-broken")
        count = int(rest.get_attribute("data-count") or 0)
        assert count > LISTED
        expect(rest).to_have_text(f"All {count:,} in the table")
        expect(page.page.locator('[data-change="broken"] li')).to_have_count(LISTED)
        rest.click()
        page.wait("errors")
        assert rows_of_errors(page) == count
        assert page.complaints == []


def test_no_bars_without_differences(browser: Browser, tmp_path: Path) -> None:
    key, response = (write_many(tmp_path / f"{lost}.jsonl", 3, lost) for lost in (0, 3))
    report = write_report(tmp_path / "same.html", key, f"a={response}", f"b={response}")
    with opened(browser, report) as page:
        page.open("tab=systems")
        assert "The scores of all documents are equal." in page.text
        assert page.page.locator(".systems-bars").count() == 0
        assert page.complaints == []


# ---- one system ----


def test_one_system_is_told_that_it_is_alone(browser: Browser, tmp_path: Path) -> None:
    report = write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])
    with opened(browser, report) as page:
        page.open("tab=systems")
        assert "There is only one system, so nothing can be compared" in page.text
        for type, count in analyze(KEY, RESPONSES["sieve"]).errors.items():
            assert number(page, f"systems-heat-{type}-0") == count
        assert page.page.locator(".systems-matrix tbody tr").count() == 1
        for part in (".systems-set", "#systems-versus", ".systems-changes"):
            assert page.page.locator(part).count() == 0
        page.page.click("#systems-heat-divided_entity-0")
        page.wait("errors")
        assert page.complaints == []
