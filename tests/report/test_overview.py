"""Overview: its numbers are those of the JSON, its counts lead to so many rows, its charts save."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect

from corefscope.demo import KEY, RESPONSES
from report.error_table import Table, distance, size
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


def f1(record: Any, metric: str) -> float:
    return float(record["conll"] if metric == "conll" else record[metric]["f1"])


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


def test_a_response_without_mentions_is_doubted_on_the_first_screen(
    browser: Browser, tmp_path: Path
) -> None:
    key, response = (tmp_path / name for name in ("key.json", "empty.json"))
    key.write_text('{"d": [[[0, 0], [2, 2]]]}')
    response.write_text('{"d": []}')
    with opened(browser, write_report(tmp_path / "r.html", key, response)) as page:
        page.open("")
        assert page.page.locator('#overview-doubts [data-code="W116"]').count() == 1


def test_lead_opens_its_errors(demo: Opened) -> None:
    demo.open("system=2&f.mention_type=pronoun&search=the")
    demo.page.click("#overview-worst")
    demo.wait("errors")
    types = [("f.type", "conflated_entities"), ("f.type", "divided_entity")]
    assert sorted(parse_qsl(demo.address)) == [*types, ("system", "2"), ("tab", "errors")]


WHOLE = "All errors; filters are ignored here."
UNDER = "With the filters above"


def test_cards_say_whether_filters_hold_for_them(demo: Opened) -> None:
    demo.open("f.mention_type=pronoun")
    for title in ("overview-scores", "overview-costs"):
        assert WHOLE in demo.page.locator(f'[aria-labelledby="{title}"]').inner_text()
    for panel in PANELS:
        shown = demo.page.locator(f"#overview-{panel}").inner_text()
        is_counted = panel in ("types", "sizes")
        assert (WHOLE in shown, UNDER in shown) == (not is_counted, is_counted)
    # Which systems the table shows is nothing to this view.
    for address in ("", "f.system=0&f.system=1"):
        demo.open(address)
        assert WHOLE not in demo.text and UNDER not in demo.text
        expect(demo.page.locator(".filters")).to_be_hidden()


def test_a_table_has_a_caption_of_its_own(demo: Opened) -> None:
    notes = {}
    for address in ("", TABLES):
        demo.open(address)
        notes[address] = [
            demo.page.locator(f"#overview-{panel} .panel-note").first.inner_text()
            for panel in PANELS
        ]
    assert all(chart != table for chart, table in zip(notes[""], notes[TABLES], strict=True))
    types, corrections, documents, sizes = notes[TABLES]
    for note in (types, corrections, sizes):
        assert "Click a number to see its errors." in note
    assert documents.startswith("Lowest scores first.")


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


def test_compared_system_changes_counts(demo: Opened, table: Table) -> None:
    demo.open("f.change=right&o.overview.tables=types")

    def shown() -> int:
        return sum(int(row[-1]) for row in panel_rows(demo, "overview-types"))

    counts = [
        len(table.chosen({"change": ["right"], "system": ["0"]}, versus=versus))
        for versus in (1, 2)
    ]
    assert shown() == counts[0] != counts[1]
    demo.page.locator("#system-2").click(modifiers=["Shift"])
    assert shown() == counts[1]
    links = demo.page.locator("#overview-types a[href]")
    assert links.count() and all(
        dict(parse_qsl(link.get_attribute("href") or ""))["versus"] == "2" for link in links.all()
    )


def test_actions_begin_at_the_score(demo: Opened, summary: Any) -> None:
    analysed = summary["errors"]["systems"][1]
    demo.open("system=1&o.overview.tables=corrections")
    for metric in ("", "muc", "ceafe"):
        demo.page.select_option("#overview-metric", metric)
        first, *rows = panel_rows(demo, "overview-corrections")
        metric = metric or "conll"
        start = f1(analysed["before"], metric)
        assert first[-1] == percent(start)
        spans = f1(analysed["impact"]["span_error"]["alone"], metric)
        for row, action in zip(rows, analysed["actions"], strict=True):
            gain = f1(action["gain"], metric)
            base = start + spans * (action["action"] != "span_error")
            assert row[1:] == [str(action["errors"]), points(gain), percent(base + gain)]


def test_steps_are_in_the_errors_view(demo: Opened, summary: Any) -> None:
    analysed = summary["errors"]["systems"][1]
    demo.open("tab=errors&system=1&o.errors.tables=steps")
    demo.page.click("#errors-steps-summary")
    first, *rows = panel_rows(demo, "errors-steps")
    at = f1(analysed["before"], "conll")
    assert first[-1] == percent(at)
    for row, (type, gain) in zip(rows, analysed["impact"].items(), strict=True):
        at += f1(gain["step"], "conll")
        assert row[1] == str(analysed["errors"][type])
        assert row[2:4] == [points(f1(gain[way], "conll")) for way in ("alone", "step")]
        assert row[4] == percent(at)
    assert rows[-1][4] == "100.00"


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


@pytest.fixture(scope="module")
def many(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Return forty documents, two of them without any mention, and a response without errors."""
    folder = tmp_path_factory.mktemp("many")
    cluster = [[[0, 0], [2, 2]]]
    documents = {f"d{number}": cluster if number > 1 else [] for number in range(40)}
    key = write_clusters(folder / "key.jsonl", documents)
    response = write_clusters(folder / "response.jsonl", documents)
    with opened(browser, write_report(folder / "report.html", key, response)) as page:
        yield page


def test_undrawable_documents_are_named(many: Opened) -> None:
    many.open("")
    assert many.page.locator("#overview-documents .chart-mark").count() == 38
    left_out = many.page.locator("#overview-left-out")
    assert left_out.locator("a").all_inner_texts() == ["d0", "d1"]
    left_out.locator("a").last.click()
    many.wait("document")
    assert dict(parse_qsl(many.address))["document"] == "1"
    many.open("o.overview.tables=documents")
    assert len(panel_rows(many, "overview-documents")) == 40


def test_arrows_go_through_many_dots(many: Opened) -> None:
    many.open("")
    marks = many.page.locator("#overview-documents .chart-mark")
    assert many.page.locator('#overview-documents .chart-mark[tabindex="0"]').count() == 1
    marks.first.focus()
    many.page.keyboard.press("ArrowRight")
    second = marks.nth(1)
    expect(second).to_be_focused()
    expect(second).to_have_attribute("tabindex", "0")
    many.page.keyboard.press("Enter")
    many.wait("document")


def test_a_system_without_errors_loses_nothing(many: Opened) -> None:
    many.open("")
    assert "has no errors" in many.page.locator(".overview-lead").inner_text()
    assert many.text.count("No errors to count.") == 2
    assert "are rough" not in many.text
    assert many.complaints == []


# ---- the address, the keyboard ----


def test_choice_is_in_the_address(browser: Browser, demo: Opened, demo_report: Path) -> None:
    demo.open("system=1")
    demo.page.click("#overview-toggle-types")
    demo.page.click("#overview-toggle-documents")
    demo.page.select_option("#overview-metric", "lea")
    demo.page.select_option("#overview-last", "distance")
    assert dict(parse_qsl(demo.address)) == {
        "system": "1",
        "o.overview.tables": "documents,types",
        "o.overview.metric": "lea",
        "o.overview.last": "distance",
    }
    with opened(browser, demo_report) as fresh:
        fresh.open(demo.address)
        assert fresh.text == demo.text
    demo.back()
    expect(demo.page.locator("#overview-sizes-title")).to_have_text("Errors by size")
    demo.page.click("#overview-toggle-types")
    demo.page.click("#overview-toggle-documents")
    assert "tables" not in demo.address


def test_the_focus_stays_on_what_was_pressed(demo: Opened) -> None:
    demo.open("")
    for panel in PANELS:
        toggle = demo.page.locator(f"#overview-toggle-{panel}")
        toggle.focus()
        demo.page.keyboard.press("Enter")
        expect(toggle).to_have_attribute("aria-pressed", "true")
        expect(toggle).to_be_focused()
        expect(demo.page.locator(f"#overview-{panel} table")).to_be_visible()


# ---- files and paper ----


def save(page: Opened, button: str, path: Path) -> str:
    with page.page.expect_download() as download:
        page.page.click(button)
    download.value.save_as(path)
    return download.value.suggested_filename


def test_panels_save_their_numbers(demo: Opened, summary: Any, tmp_path: Path) -> None:
    demo.open("system=2")
    path = tmp_path / "saved.csv"
    assert save(demo, "#overview-documents-csv", path) == "C-sieve-documents.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["Document", "mentions", "B³ recall", "B³ precision", "CoNLL"]
    known = {document_name(each["name"]): each for each in summary["documents"]}
    assert len(rows) == len(known)
    for name, *numbers in rows:
        each = known[name]
        scores = [100 * value for value in (*each["b3"][2], each["conll"][2])]
        assert [float(number) for number in numbers] == pytest.approx(
            [each["mentions"], *scores], abs=1e-4
        )


@pytest.mark.parametrize("panel", PANELS)
def test_panels_save_self_contained_drawings(demo: Opened, tmp_path: Path, panel: str) -> None:
    demo.open("system=1")
    path = tmp_path / "saved.svg"
    assert save(demo, f"#overview-{panel}-svg", path).endswith(".svg")
    drawing = ElementTree.parse(path).getroot()
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    parts = list(drawing.iter())
    assert len(parts) > 15
    assert not [part for part in parts if part.get("class") or part.get("style")]
    texts = [part for part in parts if part.tag.endswith("}text")]
    assert texts and all(text.get("font-family") and text.get("fill") for text in texts)
    assert demo.evaluate("window.violations") == []


def test_colours_of_mention_types_are_neutral(demo: Opened) -> None:
    demo.open("system=1")
    fills = "(all) => [...new Set(all.map((each) => getComputedStyle(each).fill))]"
    panels = demo.page.locator("#overview-types rect[class^=chart-h]").evaluate_all(fills)
    gains = demo.page.locator("#overview-corrections rect.chart-good").evaluate_all(fills)
    assert len(panels) == len(MENTIONS) and gains and not set(panels) & set(gains)


def test_paper_has_no_controls_and_whole_cards(demo: Opened) -> None:
    demo.open("")
    demo.page.emulate_media(media="print")
    for control in (".panel-controls", ".panel-select"):
        assert demo.page.locator(control).count() > 0
        assert demo.page.locator(f"{control}:visible").count() == 0
    breaks = (
        "[...document.querySelectorAll('.card')].map((each) => getComputedStyle(each).breakInside)"
    )
    assert set(demo.evaluate(breaks)) == {"avoid"}
    assert "lick" not in demo.text
    scrolls = demo.page.locator(".scrolls").first
    assert scrolls.evaluate("(each) => getComputedStyle(each).backgroundImage") == "none"
    demo.page.emulate_media(media="screen")
    assert "Click a segment to see its errors." in demo.text


def test_one_document_has_no_interval(browser: Browser, tmp_path: Path) -> None:
    key = write_clusters(tmp_path / "key.jsonl", {"a": [[[0, 0], [2, 2]]]})
    response = write_clusters(tmp_path / "response.jsonl", {"a": [[[0, 0], [3, 3]]]})
    with opened(browser, write_report(tmp_path / "one.html", key, response)) as page:
        page.open("")
        assert page.page.locator("td.overview-whisker").all_inner_texts() == ["none"] * 8
        assert page.page.locator("#overview-documents .chart-mark").count() == 1
        assert page.complaints == []


def test_one_thing_is_told_as_one(browser: Browser, tmp_path: Path) -> None:
    key = write_clusters(tmp_path / "key.jsonl", {"a": [[[0, 0], [2, 2]]]})
    response = write_clusters(tmp_path / "response.jsonl", {"a": []})
    with opened(browser, write_report(tmp_path / "one.html", key, response)) as page:
        page.open("")
        assert "1 document scored" in page.text
        assert "1 of 1 error (" in page.text
        labels = page.page.locator("#overview-types .chart-mark").evaluate_all(
            "(all) => all.map((each) => each.getAttribute('aria-label'))"
        )
        assert labels == ["Missing Entity, name: 1 error", "Missing Entity: all 1 error"]


def test_a_narrow_window_still_draws_intervals(demo: Opened) -> None:
    demo.page.set_viewport_size({"width": 1024, "height": 768})
    demo.open("")
    for whisker in demo.page.locator(".overview-whisker svg").all():
        box = whisker.bounding_box()
        assert box and box["width"] > 60
    table = demo.page.locator(".overview-scores .scrolls")
    assert table.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    demo.page.set_viewport_size({"width": 1440, "height": 900})


def test_report_of_one_system(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, write_report(tmp_path / "one.html", KEY, RESPONSES["sieve"])) as page:
        page.open("")
        assert "A sieve" in page.page.locator(".overview-lead").inner_text()
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
