"""The Names tab: figures are those of the JSON, and the lists are who the figures count."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, expect

from corefscope import nec
from corefscope.demo import KEY, RESPONSES
from corefscope.named_entities import ALL, Nec
from report.made_elements import count_made, made
from report.report_pages import Opened, document_name, opened, percent, write_report

SYSTEMS = list(RESPONSES)
LISTS = ("lost", "split", "combined")
KINDS = ("name", "pronoun", "nominal")


@pytest.fixture(scope="module")
def measured() -> dict[str, Nec]:
    return {name: nec(KEY, path) for name, path in RESPONSES.items()}


def cells(page: Opened, label: str) -> list[list[str]]:
    """Return the text of the body of a table, row by row, without stars."""
    found = page.evaluate(
        "(label) => [...document.querySelectorAll(`table[aria-label='${label}'] tbody tr`)]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent.replace('*', '')))",
        label,
    )
    assert found
    return [list(row) for row in found]


# ---- figures ----


def test_tables_3_and_4_are_those_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=names")
    table_3: list[list[str]] = []
    table_4: list[list[str]] = []
    for letter, system in zip("ABC", summary["nec"]["systems"], strict=True):
        scores = [system["types"][type] for type in ("PER", "ORG", "GPE", "ALL")]
        by = [percent(s[what]) for s in scores for what in ("not_found", "f1", "conll")]
        kinds = [percent(s["by_mention_type"][kind]["f1"]) for s in scores for kind in KINDS]
        table_3.append([f"{letter} {system['name']}", *by])
        table_4.append([f"{letter} {system['name']}", *kinds])
    assert cells(demo, "NEC by entity type") == table_3
    assert cells(demo, "NEC F1 by mention type") == table_4


def test_all_figures_are_those_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=names&system=2")
    shown = iter(cells(demo, "All figures"))
    for system in summary["nec"]["systems"]:
        for type, score in system["types"].items():
            names = ("not_found", "zero_f1", "f1", "recall", "precision", "conll")
            spreads = [score[name] for name in ("over_split", "over_combined")]
            row = [
                type,
                str(score["chains"]),
                *(percent(score[name]) for name in names),
                *(f"{spread['chains']} ({percent(spread['rate'])} %)" for spread in spreads),
            ]
            assert next(shown)[-len(row) :] == row
    assert next(shown, None) is None


def test_the_best_of_a_column_has_a_star(demo: Opened, summary: Any) -> None:
    demo.open("tab=names")
    rows = demo.page.locator("table[aria-label='NEC by entity type'] tbody tr")
    for place, system in enumerate(summary["nec"]["systems"]):
        cell = rows.nth(place).locator("td").first
        values = [each["types"]["PER"]["not_found"] for each in summary["nec"]["systems"]]
        is_best = system["types"]["PER"]["not_found"] == min(values)
        assert cell.locator("[aria-label=best]").count() == is_best


def test_card_marks_the_active_system(demo: Opened, summary: Any) -> None:
    demo.open("tab=names&system=1")
    cards = demo.page.locator(".names-story")
    for place, system in enumerate(summary["nec"]["systems"]):
        score = system["types"]["ALL"]
        text = cards.nth(place).inner_text()
        assert f"{round(score['not_found'] * score['chains'])} of {score['chains']}" in text
        assert f"NEC F1 {percent(score['f1'])}" in text
        assert f"({percent(system['conll'])})" in text
        assert ("active" in text) == (place == 1)
    demo.page.click("#names-story-2")
    expect(cards.nth(2)).to_have_attribute("aria-current", "true")
    expect(demo.page.locator("#system-2")).to_have_attribute("aria-pressed", "true")
    expect(demo.page.locator("#names-story-2")).to_be_focused()


# ---- lists ----


def lost(measured: Nec, type: str) -> set[tuple[str, str]]:
    return rows_of(measured, type, lambda row: not row.is_found)


def split(measured: Nec, type: str) -> set[tuple[str, str]]:
    return rows_of(measured, type, lambda row: len(row.split) > 1)


def rows_of(measured: Nec, type: str, wanted: Callable[[Any], bool]) -> set[tuple[str, str]]:
    """Return document and entity of the key chains of a type that are as wanted."""
    return {
        (document.name, f"K{document.key.places[row.chain.number]}")
        for document in measured.documents
        for row in document.rows
        if type in (ALL, row.chain.type) and wanted(row)
    }


def combined(measured: Nec, type: str) -> set[tuple[str, str]]:
    """Return response chains with a name of the type and names of several key chains."""
    found = set()
    for document in measured.documents:
        for number, place in enumerate(document.response.places):
            held = {row.chain.number for row in document.rows if number in row.split}
            if len(held) > 1 and {type} <= {ALL, *document.response_types[number]}:
                found.add((document.name, f"R{place}"))
    return found


EXPECTED = {"lost": lost, "split": split, "combined": combined}


def listed(page: Opened, id: str) -> list[tuple[str, str]]:
    """Return document, as the page shows it, and entity of the rows of a list."""
    found = page.evaluate(
        "(id) => [...document.querySelectorAll(`[aria-labelledby='names-${id}'] tbody tr`)]"
        ".map((row) => [...row.cells].map((cell) => cell.innerText))",
        id,
    )
    place = 1 if id == "combined" else 2
    return [(row[place], row[0].split()[0]) for row in found]


def heading(page: Opened, id: str) -> int:
    return int(page.page.locator(f"#names-{id}").inner_text().split(": ")[1])


@pytest.mark.parametrize("type", ["ALL", "PER", "ORG", "GPE"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_lists_are_who_nec_counts(
    demo: Opened, summary: Any, measured: dict[str, Nec], system: str, type: str
) -> None:
    number = SYSTEMS.index(system)
    demo.open(f"tab=names&system={number}")
    demo.page.click(f"#names-type-{type}")
    figures = summary["nec"]["systems"][number]["types"][type]
    counts = {
        "lost": round(figures["not_found"] * figures["chains"]),
        "split": figures["over_split"]["chains"],
        "combined": figures["over_combined"]["chains"],
    }
    button = demo.page.locator(f"#names-type-{type}")
    # A button counts what is listed.
    assert button.inner_text().split()[-1] == str(sum(counts.values()))
    assert f"{figures['chains']} key entit" in (button.get_attribute("title") or "")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    for id, expected in EXPECTED.items():
        wanted = {
            (document_name(name), entity) for name, entity in expected(measured[system], type)
        }
        rows = listed(demo, id)
        assert set(rows) == wanted
        assert len(rows) == heading(demo, id) == counts[id]
    assert demo.complaints == []


def test_rows_say_names_sizes_and_pieces(demo: Opened, measured: dict[str, Nec]) -> None:
    demo.open("tab=names&system=2")
    for document in measured["sieve"].documents:
        for row in document.rows:
            if len(row.split) > 1:
                key = f"K{document.key.places[row.chain.number]}"
                line = (
                    demo.page.locator("[aria-labelledby='names-split'] tbody tr")
                    .filter(has_text=document_name(document.name))
                    .filter(has=demo.page.get_by_role("link", name=key, exact=True))
                )
                said = line.inner_text()
                assert all(" ".join(variant) in said for variant in row.chain.variants)
                assert all(f"R{document.response.places[n]}" in said for n in row.split)
                assert f"best: {row.overlap} of {row.size} mentions" in said


def test_errors_of_a_row_are_so_many(demo: Opened) -> None:
    demo.open("tab=names&system=1")
    links = demo.page.locator(".names-list [data-count]")
    assert links.count() > 5
    for place in range(links.count()):
        count = int(links.nth(place).get_attribute("data-count") or 0)
        types = links.nth(place).inner_text().split(", ")
        assert sum(int(each.split(" × ")[0]) for each in types) == count
        links.nth(place).click()
        demo.wait("errors")
        rows = demo.page.locator("#errors-table").get_attribute("aria-rowcount")
        assert int(rows or 0) - 1 == count
        demo.back()
        demo.wait("names")


def test_an_entity_opens_its_document_pinned(demo: Opened, summary: Any) -> None:
    demo.open("tab=names&system=1")
    for id in LISTS[:2]:
        name, entity = listed(demo, id)[-1]
        rows = demo.page.locator(f"[aria-labelledby='names-{id}'] tbody tr")
        rows.last.locator("a").first.click()
        demo.wait("document")
        address = parse_qs(demo.address)
        document = summary["documents"][int(address.get("document", ["0"])[0])]["name"]
        assert (document_name(document), address["entity"][0]) == (name, entity)
        assert address["system"] == ["1"]
        demo.back()
        demo.wait("names")


def test_name_and_document_of_a_row_are_links(demo: Opened, summary: Any) -> None:
    demo.open("tab=names&system=1")
    name, entity = listed(demo, "lost")[0]
    number = [document_name(each["name"]) for each in summary["documents"]].index(name)
    row = demo.page.locator("[aria-labelledby='names-lost'] tbody tr").first
    for link, pinned in ((row.locator("a:has(bdi)"), [entity]), (row.get_by_text(name), None)):
        address = parse_qs((link.get_attribute("href") or "").removeprefix("#"))
        assert address.get("entity") == pinned
        assert address.get("document", ["0"]) == [str(number)]
        assert (address["tab"], address["system"]) == (["document"], ["1"])


def test_a_figure_leads_to_its_list(demo: Opened) -> None:
    demo.open("tab=names")
    links = demo.page.locator("table[aria-label='All figures'] [data-list]")
    assert links.count() > 8
    for place in range(links.count()):
        demo.scroll("#view", 0)
        link = links.nth(place)
        id, count = link.get_attribute("data-list"), link.get_attribute("data-count")
        link.focus()
        demo.page.keyboard.press("Enter")
        assert str(heading(demo, id or "")) == count
        expect(demo.page.locator(f"#names-{id}")).to_be_focused()
        expect(demo.page.locator(f"#names-{id}")).to_be_in_viewport()


def test_a_link_restores_system_and_type(demo: Opened, browser: Browser, demo_report: Path) -> None:
    demo.open("tab=names")
    demo.page.click("#system-2")
    demo.page.click("#names-type-PER")
    assert parse_qs(demo.address)["o.names.type"] == ["PER"]
    with opened(browser, demo_report) as fresh:
        fresh.open(demo.address)
        assert fresh.text == demo.text
    demo.page.click("#names-type-ALL")
    assert "names.type" not in demo.address


# ---- corpora made for it ----


def write_corpus(folder: Path, words: list[str], names: list[Any], *sides: list[Any]) -> Path:
    """Write a report of a key and a response with the same text and named entities."""
    paths = [folder / "key.jsonl", folder / "response.jsonl"]
    for path, clusters in zip(paths, sides, strict=True):
        record = {"doc_key": "d", "sentences": [words], "ner": [names], "clusters": clusters}
        path.write_text(json.dumps(record) + "\n")
    return write_report(folder / "names.html", *paths)


def test_many_rows_are_drawn_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    people = 120
    words = [word for number in range(people) for word in (f"Name{number}", "slept", ".", "He")]
    names = [[4 * i, 4 * i, "PERSON"] for i in range(people)]
    key = [[[4 * i, 4 * i], [4 * i + 3, 4 * i + 3]] for i in range(people)]
    response = [[[4 * i + 3, 4 * i + 3], [4 * i + 7, 4 * i + 7]] for i in range(0, 6, 2)]
    with opened(browser, write_corpus(tmp_path, words, names, key, response)) as page:
        page.open("tab=names")
        assert heading(page, "lost") == people
        assert len(listed(page, "lost")) == 100
        count_made(page)
        page.page.click("#names-type-PER")
        # Nothing is made of those that are not shown.
        assert made(page, "bdi") == 100
        page.page.click("#names-lost-all")
        assert len(listed(page, "lost")) == people
        page.open(page.address)
        assert len(listed(page, "lost")) == people
        assert page.complaints == []


def test_one_entity_is_one_entity(browser: Browser, tmp_path: Path) -> None:
    words = ["Ann", "slept", ".", "She", "woke"]
    entity = [[[0, 0], [3, 3]]]
    with opened(browser, write_corpus(tmp_path, words, [[0, 0, "PERSON"]], entity, [])) as page:
        page.open("tab=names")
        assert "Does not find 1 of 1 named entity." in page.text
        assert "persons, 1 entity" in page.text
        assert "1 entities" not in page.text


def test_combining_entity_is_listed_per_type(browser: Browser, tmp_path: Path) -> None:
    """A chain with two people and a firm that is in no key chain counts for firms, too."""
    words = ["Ann", "met", "Bob", "and", "Ann", "met", "Bob", "at", "Acme", "near", "Acme"]
    names = [[i, i, "ORG" if words[i] == "Acme" else "PERSON"] for i in (0, 2, 4, 6, 8, 10)]
    key = [[[0, 0], [4, 4]], [[2, 2], [6, 6]], [[8, 8]]]
    response = [[[0, 0], [2, 2], [10, 10]], [[8, 8]]]
    with opened(browser, write_corpus(tmp_path, words, names, key, response)) as page:
        page.open("tab=names")
        assert listed(page, "combined") == [("d", "R1")]
        page.page.click("#names-type-ORG")
        assert listed(page, "combined") == [("d", "R1")]
        assert heading(page, "combined") == 1


def test_without_names_it_says_so(browser: Browser, tmp_path: Path) -> None:
    report = write_corpus(tmp_path, ["a", "b"], [], [[[0, 0], [1, 1]]], [[[0, 0], [1, 1]]])
    with opened(browser, report) as page:
        page.open("tab=names")
        assert "This corpus has no named entities" in page.text
        assert page.complaints == []
