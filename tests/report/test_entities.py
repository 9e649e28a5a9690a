"""The Entities tab: every number is that of the JSON, leads where it says, and stays in a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import floor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser

from report.error_table import rows_of
from report.report_pages import Opened, chunk_of, opened, write_lines, write_report

DOCUMENTS = (0, 4, 9)


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


# ---- many entities, no names ----
