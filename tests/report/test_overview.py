"""Overview: its numbers are those of the JSON, its counts lead to so many rows, its charts save."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from report.error_table import distance, size
from report.report_pages import (
    CLICK_ALL,
    Opened,
    document_name,
    opened,
    panel_rows,
    percent,
    points,
    write_clusters,
    write_report,
)

PANELS = ("types", "corrections", "documents", "sizes")
TABLES = f"o.overview.tables={','.join(sorted(PANELS))}"
MENTIONS = ("name", "nominal", "pronoun")
SIZES = ("1", "2", "3–5", "6–10", "more than 10")
DISTANCES = ("first of its entity", "up to 10 tokens", "11–50", "51–200", "more than 200")


# ---- what is said ----


ACTIONS = {
    "span_error": "span errors",
    "wrong_links": "wrong links",
    "extra_mention": "extra mentions",
    "extra_entity": "extra entities",
    "missing_mention": "missing mentions",
    "missing_entity": "missing entities",
}


@pytest.mark.parametrize("system", [0, 1, 2])
def test_the_lead_names_the_largest_gain_alone(demo: Opened, summary: Any, system: int) -> None:
    analysed = summary["errors"]["systems"][system]
    gains = {each["action"]: each["gain"]["conll"] for each in analysed["actions"]}
    first = max(gains, key=lambda action: gains[action])
    (record,) = [each for each in analysed["actions"] if each["action"] == first]
    demo.open(f"system={system}")
    lead = demo.page.locator(".overview-lead").inner_text()
    assert f": {ACTIONS[first]} (" in lead
    assert f"{record['errors']} of {sum(analysed['errors'].values())} errors" in lead
    lacking = 100 * (1 - analysed["before"]["conll"])
    assert f"{100 * gains[first]:.1f} of the {lacking:.1f} CoNLL points that are missing" in lead
    assert not [name for action, name in ACTIONS.items() if action != first and f": {name}" in lead]


def test_gain_of_actions(demo: Opened, summary: Any) -> None:
    demo.open("")
    shown = demo.page.locator("#overview-corrections text.chart-quiet").all_text_contents()
    assert [text for text in shown if not text.isdigit()] == ["gain"]
    expected = [points(a["gain"]["conll"]) for a in summary["errors"]["systems"][0]["actions"]]
    numbers = demo.page.locator("#overview-corrections text.chart-number").all_text_contents()
    assert numbers == expected == sorted(expected, key=float, reverse=True)


def test_doubts_are_on_the_first_screen(demo: Opened, summary: Any) -> None:
    demo.open("")
    doubts = [each for each in summary["findings"] if each["is_doubt"]]
    assert {each["code"] for each in doubts} == {"W502"}
    banner = demo.page.locator("#overview-doubts")
    assert all(each["message"] in banner.inner_text() for each in doubts)
    banner.locator("a").click()
    demo.wait("data")


def test_lead_opens_its_errors(demo: Opened) -> None:
    demo.open("system=2&f.mention_type=pronoun&search=the")
    demo.page.click("#overview-worst")
    demo.wait("errors")
    types = [("f.type", "conflated_entities"), ("f.type", "divided_entity")]
    assert sorted(parse_qsl(demo.address)) == [*types, ("system", "2"), ("tab", "errors")]


def test_the_scores_are_those_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("system=1")
    scored = summary["scores"]["systems"][1]
    estimates = summary["comparison"]["systems"][1]["scores"]
    for id, value in scored["metrics"].items():
        row = demo.page.locator(f'.overview-scores [data-metric="{id}"]').inner_text()
        for part in ("recall", "precision", "f1"):
            assert percent(value[part]) in row
        assert f"{100 * estimates[id]['low']:.1f}–{100 * estimates[id]['high']:.1f}" in row
    assert percent(scored["conll"]) in demo.page.locator('[data-metric="conll"]').inner_text()
    # So few documents: said once.
    assert demo.text.count("⚠") == demo.text.count("are rough") == 1


def test_the_costs_lead_to_their_entities(demo: Opened, summary: Any) -> None:
    demo.open("system=2")
    dearest = summary["errors"]["systems"][2]["dearest"]
    shares = demo.page.locator(".overview-share").all_inner_texts()
    assert shares == [f"{100 * cost['share']:.2f} {cost['loses']}" for cost in dearest]
    demo.page.click("#overview-cost-1")
    demo.wait("document")
    shown = dict(parse_qsl(demo.address))
    place = next(
        number
        for number, document in enumerate(summary["documents"])
        if document["name"] == dearest[1]["document"]
    )
    assert (int(shown.get("document", 0)), shown["entity"]) == (place, dearest[1]["entity"])


# ---- counts ----


@pytest.mark.parametrize("system", [0, 2])
def test_tables_have_the_counts_of_the_json(demo: Opened, errors: Any, system: int) -> None:
    demo.open(f"system={system}&{TABLES}")
    rows = [row for row, of in enumerate(errors["system"]) if of == system]
    by_type = Counter((errors["type"][row], errors["mention_type"][row]) for row in rows)
    types = {
        row[0].lower().replace(" ", "_"): row[1:] for row in panel_rows(demo, "overview-types")
    }
    assert len(types) == 7
    for type, counts in types.items():
        expected = [by_type[type, mention] for mention in MENTIONS]
        assert counts == [str(count) for count in (*expected, sum(expected))]
    sizes = Counter(size(errors["size"][row]) for row in rows)
    assert [row[:2] for row in panel_rows(demo, "overview-sizes")] == [
        [s, str(sizes[s])] for s in SIZES
    ]
    demo.page.select_option("#overview-last", "distance")
    distances = Counter(distance(errors["distance"][row]) for row in rows)
    expect(demo.page.locator("#overview-sizes-title")).to_have_text("Errors by distance")
    assert [r[:2] for r in panel_rows(demo, "overview-sizes")] == [
        [d, str(distances[d])] for d in DISTANCES
    ]


CLICKED = [
    "system=1",
    f"system=2&o.overview.last=distance&{TABLES}",
    "system=2&f.mention_type=pronoun&o.overview.last=distance",
    "system=1&f.system=0&f.system=1&f.system=2&search=the",
]


@pytest.mark.parametrize("address", CLICKED)
def test_a_count_leads_to_so_many_rows(demo: Opened, address: str) -> None:
    demo.complaints.clear()
    demo.open(address)
    found = demo.evaluate(CLICK_ALL, ["overview", 0, 1])
    assert len(found) > 10
    assert [(to, says, rows) for to, says, rows in found if says != rows] == []
    kinds = {name for to, _, _ in found for name, _ in parse_qsl(to) if name.startswith("f.")}
    assert {"f.type", "f.mention_type"} <= kinds and kinds & {"f.size", "f.distance"}
    assert demo.complaints == []


# ---- documents ----


def test_every_document_is_a_dot_that_opens_it(demo: Opened, summary: Any) -> None:
    demo.open("system=2")
    dots = demo.page.locator("#overview-documents .chart-mark")
    titles = {dot.get_attribute("aria-label") for dot in dots.all()}
    documents = summary["documents"]
    assert titles == {
        f"{document_name(each['name'])}: CoNLL {percent(each['conll'][2])}, "
        f"B³ precision {percent(each['b3'][2][1])}, recall {percent(each['b3'][2][0])}, "
        f"{each['mentions']} mentions"
        for each in documents
    }
    worst = sorted(documents, key=lambda each: each["conll"][2])[:3]
    named = demo.page.locator("#overview-documents .chart-name").all_text_contents()
    assert set(named) == {document_name(each["name"]) for each in worst}
    demo.page.locator(f'#overview-documents [aria-label^="{named[0]}:"]').click()
    demo.wait("document")
    place = int(dict(parse_qsl(demo.address)).get("document", 0))
    assert document_name(documents[place]["name"]) == named[0]


# ---- the address, the keyboard ----


# ---- files and paper ----


def save(page: Opened, button: str, path: Path) -> str:
    with page.page.expect_download() as download:
        page.page.click(button)
    download.value.save_as(path)
    return download.value.suggested_filename


def test_one_document_has_no_interval(browser: Browser, tmp_path: Path) -> None:
    key = write_clusters(tmp_path / "key.jsonl", {"a": [[[0, 0], [2, 2]]]})
    response = write_clusters(tmp_path / "response.jsonl", {"a": [[[0, 0], [3, 3]]]})
    with opened(browser, write_report(tmp_path / "one.html", key, response)) as page:
        page.open("")
        assert page.page.locator("td.overview-whisker").all_inner_texts() == ["none"] * 8
        assert page.page.locator("#overview-documents .chart-mark").count() == 1
        assert page.complaints == []


def test_types_are_unknown_without_words_and_gains_say_where_they_start(
    browser: Browser, tmp_path: Path
) -> None:
    key, response = tmp_path / "key.json", tmp_path / "response.json"
    key.write_text('{"d": [["a", "b", "c"], ["x"]], "e": [["a", "b"]]}')
    response.write_text('{"d": [["a", "b"], ["c", "x"]], "e": [["a", "b"]]}')
    files = write_report(tmp_path / "page.html", key, response)
    with opened(browser, files) as page:
        page.open("")
        labels = page.page.locator("#overview-types .chart-mark").evaluate_all(
            "(all) => all.map((each) => each.getAttribute('aria-label'))"
        )
        assert any(", unknown: " in label for label in labels)
        assert not any(", nominal: " in label for label in labels)
        assert "Errors are analysed with singletons:drop, so F1 starts at" in page.text
        assert page.complaints == []
    macro = write_report(tmp_path / "macro.html", key, response, "--profile", "macro")
    with opened(browser, macro) as page:
        page.open("")
        assert "Errors are analysed with singletons:drop, average:micro, so" in page.text
