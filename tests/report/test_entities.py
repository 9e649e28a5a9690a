"""The Entities tab: every number is that of the JSON, leads where it says, and stays in a link."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import floor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, expect

from corefscope import nec
from corefscope.demo import KEY, RESPONSES
from report.error_table import rows_of
from report.made_elements import count_made, made
from report.report_pages import Opened, chunk_of, opened, write_lines, write_report

DOCUMENTS = (0, 4, 9)
MANY = 130
"""Entities of a document that are too many to be drawn at once."""


@pytest.fixture(scope="module")
def many(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Return a document of many entities without names, of which a response has every second."""
    folder = tmp_path_factory.mktemp("many")
    words = [f"w{number}" for number in range(2 * MANY)]
    clusters = [[[2 * i, 2 * i], [2 * i + 1, 2 * i + 1]] for i in range(MANY)]
    paths = [folder / "key.jsonl", folder / "response.jsonl"]
    for path, kept in zip(paths, (clusters, clusters[::2]), strict=True):
        record = {"doc_key": "many", "sentences": [words], "clusters": kept}
        path.write_text(json.dumps(record) + "\n")
    with opened(browser, write_report(folder / "many.html", *paths)) as page:
        yield page


def spans(entity: dict[str, Any]) -> set[tuple[int, int]]:
    return {(first, last) for first, last, *_ in entity["mentions"]}


def share(value: float) -> str:
    """Round as browsers do, a half up; but only all is 100 %, and only nothing is 0 %."""
    rounded = floor(100 * value + 0.5)
    return f"{rounded if value in (0, 1) else min(99, max(1, rounded))} %"


def expected(
    text: dict[str, Any], system: int, side: str, entities: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return what the cells of each entity say, by the JSON of the document.

    ``entities`` has the entity of each error.
    """
    response = text["systems"][system]["entities"]
    aligned = {each["key"]: each for each in response}
    own, others = (text["key"], response) if side == "key" else (response, text["key"])
    about = Counter(entities)
    rows = {}
    for place, entity in enumerate(own):
        if side == "key":
            best = aligned.get(place)
        else:
            best = None if entity["key"] is None else text["key"][entity["key"]]
        mentions, theirs = spans(entity), spans(best) if best else set()
        common = len(mentions & theirs)
        cost = entity["cost"][system] if side == "key" else entity["cost"]
        fits = (common / len(mentions), common / len(theirs) if theirs else 0)
        completeness, purity = fits if side == "key" else fits[::-1]
        lost = len(mentions - set().union(*(spans(each) for each in others)))
        rows[entity["name"]] = {
            "entity": f"{entity['name']} {entity['title']}",
            "size": str(len(mentions)),
            "best": f"{best['name']} {best['title']}" if best else "none",
            "purity": share(purity) if best else "",
            "completeness": share(completeness) if best else "",
            "f1": share(2 * common / (len(mentions) + len(theirs))),
            "cost": f"{100 * cost:.2f}" if cost else "0",
            "errors": str(about[entity["name"]]),
            "missing" if side == "key" else "extra": str(lost),
        }
    return rows


TABLE = """(side) => {
  const table = document.getElementById(`entities-${side}`);
  const columns = [...table.querySelectorAll("th")].map((each) => each.dataset.column);
  return [...table.querySelectorAll("tbody tr")].map((row) => [row.dataset.entity,
    Object.fromEntries([...row.cells].map((cell, at) => [columns[at], cell.textContent]))]);
}"""


def table(page: Opened, side: str) -> dict[str, dict[str, str]]:
    return dict(page.evaluate(TABLE, side))


def order(page: Opened, side: str = "key") -> list[str]:
    return [name for name, _ in page.evaluate(TABLE, side)]


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("system", [0, 2])
def test_every_cell_is_that_of_the_json(
    demo: Opened, demo_report: Path, errors: Any, document: int, system: int
) -> None:
    text = chunk_of(demo_report, f"document-{document}")
    demo.open(f"tab=entities&document={document}&system={system}")
    entities = [errors["entity"][row] for row in rows_of(errors, document, system)]
    for side in ("key", "response"):
        shown = table(demo, side)
        wanted = expected(text, system, side, entities)
        assert list(shown) == list(wanted)
        for name, cells in wanted.items():
            for column, said in cells.items():
                found = shown[name][column]
                if said == "none":
                    assert found.startswith("none")
                else:
                    assert found == said, (name, column)
    assert demo.complaints == []


@pytest.mark.parametrize("system", [0, 1, 2])
def test_pieces_have_the_mentions(demo: Opened, demo_report: Path, system: int) -> None:
    text = chunk_of(demo_report, "document-0")
    demo.open(f"tab=entities&system={system}")
    shown = table(demo, "key")
    for entity in text["key"]:
        counts = {
            each["name"]: len(spans(entity) & spans(each))
            for each in text["systems"][system]["entities"]
        }
        said = shown[entity["name"]]["pieces"]
        for name, count in counts.items():
            assert (f"{count} × {name}" in said) == (count > 0)
        assert (said == "none") == (not any(counts.values()))


def test_entity_and_piece_open_the_document(demo: Opened) -> None:
    demo.open("tab=entities&system=2")
    row = demo.page.locator('#entities-key tr[data-entity="K5"]')
    piece = row.locator(".entities-part a").nth(1)
    name = piece.inner_text()
    piece.click()
    demo.wait("document")
    assert parse_qs(demo.address) == {"tab": ["document"], "system": ["2"], "entity": [name]}
    demo.back()
    demo.wait("entities")
    row.locator("a").first.click()
    demo.wait("document")
    assert parse_qs(demo.address)["entity"] == ["K5"]


def test_a_count_of_errors_leads_to_so_many(demo: Opened) -> None:
    demo.open("tab=entities&document=4&system=1")
    links = demo.page.locator("[data-count]")
    assert links.count() > 5
    for place in range(links.count()):
        count = links.nth(place).get_attribute("data-count")
        assert links.nth(place).inner_text() == count
        links.nth(place).click()
        demo.wait("errors")
        rows = demo.page.locator("#errors-table").get_attribute("aria-rowcount")
        assert int(rows or 0) - 1 == int(count or 0)
        demo.back()
        demo.wait("entities")


# ---- which are shown ----


def shown_counts(demo: Opened) -> dict[str, int]:
    demo.settle()
    buttons = demo.page.locator(".entities-choice button")
    found = {}
    for place in range(buttons.count()):
        button = buttons.nth(place)
        id = (button.get_attribute("id") or "").removeprefix("entities-choice-")
        found[id] = int(button.inner_text().split()[-1])
    return found


@pytest.mark.parametrize("system", list(RESPONSES))
def test_names_without_a_find_are_those_of_nec(
    demo: Opened, demo_report: Path, system: str
) -> None:
    measured = nec(KEY, RESPONSES[system])
    number = list(RESPONSES).index(system)
    demo.open("tab=entities")
    for place, document in enumerate(measured.documents):
        key = chunk_of(demo_report, f"document-{place}")["key"]
        demo.move(f"tab=entities&document={place}&system={number}&o.entities.show=name")
        lost = [f"K{document.key.places[r.chain.number]}" for r in document.rows if not r.is_found]
        assert shown_counts(demo)["name"] == len(lost)
        if lost:
            assert order(demo) == [each["name"] for each in key if each["name"] in lost]
        else:
            assert "No entity of this document matches." in demo.text
        demo.page.click("#entities-choice-all")
        types = {f"K{document.key.places[r.chain.number]}": r.chain.type for r in document.rows}
        shown = table(demo, "key")
        assert {name: cells["type"] for name, cells in shown.items() if cells["type"]} == types


def test_choices_count_what_they_show(demo: Opened) -> None:
    demo.open("tab=entities&document=9&system=1")
    counts = shown_counts(demo)
    assert set(counts) == {"all", "errors", "lost", "name"}
    cells = table(demo, "key").values()
    assert counts["errors"] == sum(each["f1"] != "100 %" for each in cells)
    assert counts["lost"] == sum(each["missing"] == each["size"] for each in cells)
    for id, count in counts.items():
        demo.page.click(f"#entities-choice-{id}")
        expect(demo.page.locator("#entities-key tbody tr")).to_have_count(count)
        expect(demo.page.locator(f"#entities-choice-{id}")).to_be_focused()


def test_percentages_near_0_and_100(browser: Browser, tmp_path: Path) -> None:
    """Of 300 mentions one is not found: 99.7 % are less than all."""
    words = [f"w{number}" for number in range(600)]
    hero = [[number, number] for number in range(300)]
    others = [[number, number] for number in range(300, 600)]
    document = {"doc_key": "d", "sentences": [words]}
    key = write_lines(tmp_path / "key.jsonl", [document | {"clusters": [hero, others]}])
    found = [hero[:-1], [hero[-1], *others[:1], [300, 301]]]
    response = write_lines(tmp_path / "response.jsonl", [document | {"clusters": found}])
    with opened(browser, write_report(tmp_path / "r.html", key, response)) as page:
        page.open("tab=entities")
        cells = table(page, "key")
        said = {name: [each[id] for id in ("completeness", "f1")] for name, each in cells.items()}
        assert said == {"K1": ["99 %", "99 %"], "K2": ["1 %", "1 %"]}
        assert cells["K1"]["purity"] == "100 %"
        assert shown_counts(page)["errors"] == 2
        button = page.page.locator("#entities-choice-errors")
        assert button.inner_text().startswith("Not perfect")


# ---- order, links, keys ----


def test_heading_sorts_both_ways_and_not_at_all(demo: Opened) -> None:
    demo.open("tab=entities&document=4")
    text_order = order(demo)
    heading = demo.page.locator("#entities-key-cost")
    heading.focus()
    demo.page.keyboard.press("Enter")
    costs = [float(cells["cost"]) for cells in table(demo, "key").values()]
    assert costs == sorted(costs, reverse=True)
    assert parse_qs(demo.address)["o.entities.key-sort"] == ["cost.desc"]
    expect(heading).to_be_focused()
    expect(demo.page.locator('#entities-key th[data-column="cost"]')).to_have_attribute(
        "aria-sort", "descending"
    )
    demo.page.keyboard.press("Enter")
    assert [float(cells["cost"]) for cells in table(demo, "key").values()] == sorted(costs)
    demo.page.keyboard.press("Enter")
    assert order(demo) == text_order
    assert "sort" not in demo.address


def test_a_link_restores_order_and_choice(
    demo: Opened, browser: Browser, demo_report: Path
) -> None:
    demo.open("tab=entities&document=4&system=2")
    demo.page.click("#entities-response-size")
    demo.page.click("#entities-key-f1")
    demo.page.click("#entities-choice-errors")
    with opened(browser, demo_report) as fresh:
        fresh.open(demo.address)
        assert fresh.text == demo.text
        assert order(fresh, "response") == order(demo, "response")


def test_clearing_filters_keeps_the_order(demo: Opened) -> None:
    demo.open("tab=entities&f.type=span_error&o.entities.key-sort=size.desc")
    demo.page.click(".clear")
    assert parse_qs(demo.address) == {"tab": ["entities"], "o.entities.key-sort": ["size.desc"]}


def test_the_picker_turns_documents(demo: Opened) -> None:
    demo.open("tab=entities")
    expect(demo.page.locator("#entities-before")).to_be_disabled()
    demo.page.click("#entities-after")
    expect(demo.page.locator("#entities-document")).to_have_value("1")
    demo.page.keyboard.press("J")
    expect(demo.page.locator("#entities-document")).to_have_value("2")
    demo.page.keyboard.press("K")
    expect(demo.page.locator("#entities-document")).to_have_value("1")
    demo.page.select_option("#entities-document", "9")
    expect(demo.page.locator("#entities-after")).to_be_disabled()
    assert parse_qs(demo.address)["document"] == ["9"]


def test_sorting_keeps_the_list_of_documents(demo: Opened, summary: Any) -> None:
    demo.open("tab=entities&document=4")
    assert demo.page.locator("#entities-document option").count() == len(summary["documents"])
    count_made(demo)
    demo.page.click("#entities-key-size")
    assert made(demo, "tr") > 0
    assert made(demo, "option") == 0
    demo.page.click("#entities-after")
    expect(demo.page.locator("#entities-document")).to_have_value("5")
    demo.back()
    expect(demo.page.locator("#entities-document")).to_have_value("4")


# ---- many entities, no names ----


def test_many_rows_are_drawn_when_asked_for(many: Opened) -> None:
    many.open("tab=entities")
    assert len(order(many)) == 100
    assert len(order(many, "response")) == MANY / 2
    many.page.click("#entities-key-all")
    expect(many.page.locator("#entities-key tbody tr")).to_have_count(MANY)
    many.open(many.address)
    assert len(order(many)) == MANY
    assert many.complaints == []


def test_without_names_none_are_asked_for(many: Opened) -> None:
    many.open("tab=entities&o.entities.show=name")
    assert set(shown_counts(many)) == {"all", "errors", "lost"}
    assert shown_counts(many) == {"all": MANY, "errors": MANY / 2, "lost": MANY / 2}
    expect(many.page.locator("#entities-choice-all")).to_have_attribute("aria-pressed", "true")
    assert many.page.locator('#entities-key th[data-column="type"]').count() == 0
