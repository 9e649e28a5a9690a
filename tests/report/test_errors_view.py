"""Errors: every count is that of the columns; what is chosen, sorted and grouped is in the link."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from corefscope.demo import KEY
from report.error_table import FACETS, SORTED, Table, address, heading, row_count, shown_rows
from report.report_pages import Opened, opened, write_report

ROW = 32
"""Pixels that a row of the table takes."""
TYPES_IN_WORDS = {
    "span_error": "span",
    "conflated_entities": "conflated",
    "divided_entity": "divided",
    "extra_mention": "extra",
    "extra_entity": "extra entity",
    "missing_mention": "missing",
    "missing_entity": "missing entity",
}


# ---- choosing ----


CHOICES: list[tuple[dict[str, list[str]], dict[str, Any]]] = [
    ({}, {}),
    ({}, {"system": 2}),
    ({"type": ["missing_mention", "divided_entity"]}, {"system": 1}),
    ({"mention_type": ["pronoun"], "system": ["0", "2"]}, {}),
    ({"change": ["right"]}, {"system": 2, "versus": 0}),
    ({"change": ["differently"], "type": ["span_error"]}, {"versus": 2}),
    ({"makers": ["A B C"], "system": ["0", "1", "2"]}, {}),
    ({"size": ["2", "3–5"], "distance": ["first of its entity", "11–50"]}, {}),
    ({"text": ["he", "it"], "document": ["0", "3", "4"]}, {}),
    ({"entity_type": ["PERSON"]}, {"system": 1, "search": "THE"}),
    ({}, {"search": "harbour"}),
    ({"type": ["extra_mention"], "entity_type": ["nothing"]}, {}),
]


@pytest.mark.parametrize(("filters", "others"), CHOICES)
def test_facet_counts_under_other_choices(
    demo: Opened, table: Table, filters: dict[str, list[str]], others: dict[str, Any]
) -> None:
    system, search = others.get("system", 0), others.get("search", "")
    versus = others.get("versus", 1 if system == 0 else 0)
    demo.complaints.clear()
    demo.open(address(filters, **others))
    wanted = {"system": [str(system)], **filters}
    chosen = table.chosen(wanted, search, system, versus)
    assert row_count(demo) == len(chosen)
    seen = set()
    for facet, value, checked, count in demo.evaluate(FACETS):
        rest = {name: values for name, values in wanted.items() if name != facet}
        among = table.chosen(rest, search, system, versus)
        values = table.values(facet, system, versus)
        assert count == sum(values[row] == value for row in among), (facet, value)
        assert checked == (value in wanted.get(facet, [])), (facet, value)
        seen.add(facet)
    for facet in ("type", "mention_type", "entity_type", "size", "makers", "change"):
        rest = {name: values for name, values in wanted.items() if name != facet}
        values = table.values(facet, system, versus)
        expected = {values[row] for row in table.chosen(rest, search, system, versus)}
        listed = {
            value for name, value, _, count in demo.evaluate(FACETS) if name == facet and count
        }
        assert listed == expected, facet
    assert "system" in seen
    assert demo.complaints == []


def test_heading_shows_count_and_system(demo: Opened, table: Table) -> None:
    counts = Counter(table.errors["system"])
    demo.open("tab=errors")
    assert heading(demo) == f"{counts[0]} errors of A string-match"
    demo.open("tab=errors&system=2&f.type=span_error")
    few = len(table.chosen({"system": ["2"], "type": ["span_error"]}))
    assert heading(demo) == f"{few} of {counts[2]} errors of C sieve"
    demo.page.click("#errors-all-systems")
    all_few = len(table.chosen({"type": ["span_error"]}))
    assert heading(demo) == f"{all_few} of {len(table.rows)} errors of 3 systems"
    demo.page.click("#errors-clear")
    assert heading(demo) == f"{counts[2]} errors of C sieve"


def test_values_keep_their_order(demo: Opened, table: Table) -> None:
    """Values stand by the counts of all errors of the system; a choice only takes some away."""
    names = ("type", "mention_type", "text", "document", "entity")
    orders = []
    for choice in (
        {},
        {"mention_type": ["pronoun"]},
        {"type": ["missing_mention"], "text": ["the"]},
    ):
        demo.open(address(choice))
        for more in demo.page.locator("[id$=-more]").all():
            more.click()
        found = demo.evaluate(FACETS)
        orders.append({name: [v for n, v, *_ in found if n == name] for name in names})
    for name in names:
        values = table.values(name)
        counts = Counter(values[row] for row in table.chosen({"system": ["0"]}))
        for order in orders:
            listed = [value for value in order[name] if value in counts]
            assert listed == sorted(listed, key=lambda value: -counts[value]) or not listed
            common = [value for value in orders[0][name] if value in order[name]]
            assert [value for value in order[name] if value in common] == common
    # A tick in a long list moves nothing.
    demo.open("tab=errors")
    boxes = demo.page.locator('input[name="text"]')
    before = [each.get_attribute("value") for each in boxes.all()]
    boxes.nth(4).check()
    assert [each.get_attribute("value") for each in boxes.all()] == before


# ---- the search, and nothing found ----


@pytest.mark.parametrize("search", ["harbour", "WAS NOT FOUND", "demo/court", "old matthias"])
def test_search_covers_context_title_and_document(demo: Opened, table: Table, search: str) -> None:
    demo.open("tab=errors")
    demo.page.fill("#search", search)
    demo.page.press("#search", "Enter")
    chosen = table.chosen({"system": ["0"]}, search)
    assert chosen
    assert row_count(demo) == len(chosen)


def test_nothing_found_offers_a_way_out(demo: Opened, table: Table) -> None:
    elsewhere = table.chosen({"makers": ["C"]})
    demo.open(address({"makers": ["C"]}))
    assert row_count(demo) == 0
    empty = demo.page.locator(".errors-empty")
    assert "No error of A string-match matches" in empty.inner_text()
    empty.locator("a").click()
    assert row_count(demo) == len(elsewhere) > 0
    expect(empty).to_be_hidden()
    demo.open("tab=errors&search=no+such+words")
    assert demo.page.locator(".errors-empty a").count() == 0
    demo.page.click("#errors-none-clear")
    assert demo.address == "tab=errors"


def test_a_response_that_is_right_has_no_errors(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, write_report(tmp_path / "right.html", KEY, KEY)) as page:
        page.open("tab=errors")
        assert "No errors of A" in page.text
        for id in ("system", "change", "makers"):
            assert page.page.locator(f'input[name="{id}"]').count() == 0
        assert page.page.locator('#errors-group option[value="makers"]').count() == 0
        page.page.click("#errors-csv")
        assert page.complaints == []


# ---- sorting and grouping ----


@pytest.mark.parametrize("column", SORTED)
def test_rows_are_sorted_up_and_down(demo: Opened, table: Table, column: str) -> None:
    key = SORTED[column]
    rows = sorted(table.chosen({"system": ["0"]}))
    up = sorted(rows, key=lambda row: key(table.errors, row))
    down = sorted(rows, key=lambda row: key(table.errors, row), reverse=True)
    # Equal rows stay in the order of the table both ways; "reverse" keeps them, too.
    for direction, expected in (("asc", up), ("desc", down)):
        demo.open(f"tab=errors&o.errors.sort={column}.{direction}")
        shown = shown_rows(demo)
        assert len(shown) > 20
        assert shown == expected[: len(shown)]


def test_count_heading_sorts_largest_first(demo: Opened) -> None:
    demo.page.set_viewport_size({"width": 1920, "height": 900})
    demo.open("tab=errors")
    for order in ("size.desc", "size.asc"):
        demo.page.click("#errors-sort-size")
        assert f"o.errors.sort={order}" in demo.address
    demo.page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize(
    "grouping", ["type", "text", "entity", "document", "entity_type", "mention_type", "makers"]
)
def test_groups_lead_to_their_rows(demo: Opened, table: Table, grouping: str) -> None:
    demo.complaints.clear()
    demo.open("tab=errors&system=1")
    demo.page.select_option("#errors-group", grouping)
    values = table.values(grouping)
    chosen = table.chosen({"system": ["1"]})
    counts = Counter(values[row] for row in chosen)
    assert row_count(demo) == len(counts)
    assert heading(demo) == f"{len(chosen)} errors of B recency in {len(counts)} groups"
    shown = [
        int(text.replace(",", ""))
        for text in demo.page.locator(".errors-item .errors-group-1").all_inner_texts()
    ]
    assert shown == sorted(counts.values(), reverse=True)[: len(shown)]
    parted = "mention_type" if grouping == "type" else "type"
    parts = demo.page.locator("#errors-row-0 .errors-part").all_inner_texts()
    top = max(counts.values())
    firsts = [value for value, count in counts.items() if count == top]
    by_part = Counter(table.values(parted)[row] for row in chosen if values[row] == min(firsts))
    words = TYPES_IN_WORDS if parted == "type" else {}
    said = {re.sub(r"^\W*", "", part) for part in parts}
    assert said == {f"{count} {words.get(part, part)}" for part, count in by_part.items()}
    assert demo.complaints == []


def test_group_spelling_and_enter(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&o.errors.group=text")
    names = demo.page.locator(".errors-item .errors-group-0").all_inner_texts()
    assert "I" in names
    assert "i" not in names
    demo.page.keyboard.press("j")
    for _ in range(names.index("I")):
        demo.page.keyboard.press("ArrowDown")
    demo.page.keyboard.press("Enter")
    assert demo.address == "tab=errors&f.text=i"
    assert row_count(demo) == len(table.chosen({"system": ["0"], "text": ["i"]}))


# ---- rows ----


def test_a_row_has_its_place_context_and_makers(demo: Opened, table: Table) -> None:
    demo.open("tab=errors")
    errors, summary = table.errors, table.summary
    for row in (0, 3, 12):
        line = demo.page.locator(f"#errors-row-{row}")
        name = summary["documents"][errors["document"][row]]["name"]
        short = re.sub(r"^\((.*)\); part 000$", r"\1", name)
        place = line.locator(".errors-document").text_content()
        assert place == f"{short} : {errors['sentence'][row]}"
        assert line.locator(".errors-left").text_content() == errors["left"][row]
        assert line.locator("b").text_content() == errors["text"][row]
        right = line.locator(".errors-right").text_content()
        assert right == f"{errors['text'][row]} {errors['right'][row]}"
        letters = line.locator(".errors-letters").get_attribute("aria-label") or ""
        assert re.findall(r"\b[ABC]\b", letters) == table.makers[row].split(" ")
        line.hover()
        tip = line.locator(".errors-description").get_attribute("title") or ""
        assert errors["description"][row] in tip
        assert errors["title"][row] in tip


def test_row_click_and_back(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&system=1")
    demo.scroll("#errors-table", 4000)
    # The row that is seen there: those that were drawn before may be gone.
    place = f"errors-row-{4000 // ROW + 8}"
    line = demo.page.locator(f"#{place}")
    expect(line).to_be_in_viewport()
    row = int(dict(parse_qsl((line.locator("a").get_attribute("href") or "")[1:]))["error"])
    top = demo.evaluate("document.getElementById('errors-table').scrollTop")
    line.locator(".errors-type").click()
    demo.wait("document")
    shown = dict(parse_qsl(demo.address))
    assert (int(shown["error"]), int(shown["system"])) == (row, 1)
    assert int(shown.get("document", 0)) == table.errors["document"][row]
    demo.back()
    demo.wait("errors")
    assert demo.evaluate("document.getElementById('errors-table').scrollTop") == top
    expect(demo.page.locator(f"#{place}")).to_have_attribute("aria-selected", "true")


# ---- many rows ----


def test_a_long_list_scrolls_to_its_end(browser: Browser, tmp_path: Path) -> None:
    sentence = [f"w{i}" for i in range(40)]
    clusters = [[[i, i], [i + 1, i + 1]] for i in range(0, 39, 2)]
    documents = [{"doc_key": f"d{i}", "sentences": [sentence]} for i in range(300)]
    paths = []
    for name, kept in (("key", clusters), ("a", []), ("b", clusters[:3])):
        lines = (json.dumps(each | {"clusters": kept}) for each in documents)
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("\n".join(lines), encoding="utf-8")
    with opened(browser, write_report(tmp_path / "long.html", *paths)) as page:
        page.open("tab=errors&o.errors.sort=document.desc")
        errors = 300 * len(clusters)
        assert row_count(page) == errors
        assert page.page.locator(".errors-item").count() < 100
        page.page.keyboard.press("j")
        page.page.keyboard.press("End")
        expect(page.page.locator(f"#errors-row-{errors - 1}")).to_be_in_viewport()
        page.page.keyboard.press("PageUp")
        expect(page.page.locator("[aria-selected]")).to_be_in_viewport()
        places = page.evaluate(
            "[...document.querySelectorAll('.errors-item')]"
            ".map((each) => Number(each.dataset.place))"
        )
        assert places == list(range(places[0], places[-1] + 1))
        assert page.complaints == []
