"""Errors: what a reader says of them is kept, and leaves the page as a file or on paper."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser, expect

from report.error_table import FACETS, SORTED, Table, heading, row_count, shown_rows
from report.report_pages import Opened, opened

# ---- files ----


def download(page: Opened, button: str) -> tuple[str, str]:
    with page.page.expect_download() as begun:
        page.page.click(button)
    return begun.value.suggested_filename, Path(begun.value.path()).read_text(encoding="utf-8")


def test_the_selection_is_exported_in_its_order(demo: Opened, table: Table) -> None:
    demo.open("tab=errors&system=1&f.type=span_error&o.errors.sort=text.asc")
    rows = sorted(
        table.chosen({"system": ["1"], "type": ["span_error"]}),
        key=lambda row: SORTED["text"](table.errors, row),
    )
    name, text = download(demo, "#errors-jsonl")
    assert name == "errors-recency.jsonl"
    records = [json.loads(line) for line in text.splitlines()]
    assert [record["id"] for record in records] == [table.errors["id"][row] for row in rows]
    for record, row in zip(records, rows, strict=True):
        assert set(record) == {*table.errors, "made_by", "flag", "note"}
        assert record["system"] == "recency"
        document = table.errors["document"][row]
        assert record["document"] == table.summary["documents"][document]["name"]
        for column in ("left", "text", "right", "sentence", "title", "description", "spans"):
            assert record[column] == table.errors[column][row]
        assert record["made_by"] == table.makers[row]
    name, text = download(demo, "#errors-csv")
    assert name == "errors-recency.csv"
    lines = list(csv.DictReader(text.splitlines()))
    assert [line["id"] for line in lines] == [record["id"] for record in records]
    assert [json.loads(line["spans"]) for line in lines] == [r["spans"] for r in records]
    demo.page.click("#errors-all-systems")
    name, text = download(demo, "#errors-csv")
    assert name == "errors-string-match-recency-sieve.csv"
    assert len(text.splitlines()) == 1 + row_count(demo)


# ---- flags and notes ----


def flag_some(page: Opened) -> None:
    """Flag the third and the fifth error of the first system; write on the third and the sixth."""
    page.open("tab=errors")
    press = page.page.keyboard.press
    for _ in range(3):
        press("j")
    press("f")
    press("n")
    page.page.keyboard.type("is that ours? jkfn")
    press("Enter")
    page.page.hover("#errors-row-4")
    page.page.click("#errors-row-4 .errors-star")
    page.page.hover("#errors-row-5")
    page.page.click("#errors-row-5 .errors-pen")
    page.page.fill("#errors-note", "  only a note ")
    press("Enter")


def test_flags_and_notes_are_kept(fresh: Opened, table: Table) -> None:
    flag_some(fresh)
    assert fresh.evaluate("document.activeElement.id") == "errors-table"
    for _ in range(2):
        star = fresh.page.locator(".errors-star[aria-pressed=true]")
        assert [shown_rows(fresh)[place] for place in (2, 4)] == [2, 4]
        expect(star).to_have_count(2)
        assert "is that ours? jkfn" in fresh.page.locator("#errors-row-2").inner_text()
        assert "only a note" in fresh.page.locator("#errors-row-5").inner_text()
        count = fresh.page.locator("label:has(#errors-flagged) .errors-value-count")
        assert count.inner_text() == "2"
        fresh.open("tab=errors")
    # Of another system it is another error.
    fresh.page.keyboard.press("2")
    expect(fresh.page.locator(".errors-star[aria-pressed=true]")).to_have_count(0)
    fresh.page.keyboard.press("1")
    fresh.page.check("#errors-flagged")
    assert "o.errors.flagged=only" in fresh.address
    assert (
        heading(fresh) == f"2 flagged of {table.errors['system'].count(0)} errors of A string-match"
    )
    assert shown_rows(fresh) == [2, 4]
    types = {value: n for name, value, _, n in fresh.evaluate(FACETS) if name == "type"}
    assert types == Counter(table.errors["type"][row] for row in (2, 4))
    # A row without its flag stays for the moment, so that a slip can be undone.
    fresh.page.keyboard.press("j")
    fresh.page.keyboard.press("f")
    assert row_count(fresh) == 2
    fresh.page.click("#errors-clear")
    assert fresh.page.locator(".errors-star[aria-pressed=true]").count() == 1
    assert fresh.complaints == []


def test_flags_and_notes_go_by_file(fresh: Opened, browser: Browser, demo_report: Path) -> None:
    flag_some(fresh)
    _, text = download(fresh, "#errors-jsonl")
    said = [json.loads(line) for line in text.splitlines()]
    assert [(each["flag"], each["note"]) for each in said[2:6]] == [
        (True, "is that ours? jkfn"),
        (False, ""),
        (True, ""),
        (False, "only a note"),
    ]
    other = {"system": "no such", "id": said[2]["id"], "flag": True, "note": ""}
    lines = f"not JSON\n{text}\n{json.dumps(other)}\n[]\nnull\n"
    with opened(browser, demo_report) as page:
        page.open("tab=errors")
        page.page.set_input_files(
            "#errors-import-file",
            {"name": "flags.jsonl", "mimeType": "", "buffer": lines.encode()},
        )
        status = page.page.locator(".errors-said")
        expect(status).to_contain_text("on 3 errors; 1 is not in this report")
        expect(page.page.locator(".errors-star[aria-pressed=true]")).to_have_count(2)
        assert "only a note" in page.page.locator("#errors-row-5").inner_text()
        page.open("tab=errors&o.errors.flagged=only")
        assert shown_rows(page) == [2, 4]
        assert page.complaints == []


def flagged(page: Opened) -> int:
    """Read how many errors are flagged."""
    page.settle()
    return int(page.page.locator("label:has(#errors-flagged) .errors-value-count").inner_text())


def test_full_storage_loses_nothing(fresh: Opened) -> None:
    fresh.open("tab=errors")
    stars = fresh.page.locator(".errors-star")
    for place in (0, 1):
        stars.nth(place).click()
    fresh.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new Error('it is full'); }; }"
    )
    for place in (2, 3, 0, 4):
        stars.nth(place).click()
    pressed = [stars.nth(place).get_attribute("aria-pressed") for place in range(6)]
    assert pressed == ["false", "true", "true", "true", "true", "false"]
    assert flagged(fresh) == 4
    fresh.open("tab=errors")
    assert flagged(fresh) == 2
    assert fresh.complaints == []
