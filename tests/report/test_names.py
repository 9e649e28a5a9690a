"""The Names tab: figures are those of the JSON, and the lists are who the figures count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from corefscope import nec
from corefscope.demo import KEY, RESPONSES
from corefscope.named_entities import ALL, Nec
from report.report_pages import Opened, document_name, percent

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


# ---- corpora made for it ----
