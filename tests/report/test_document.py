"""The document: its numbers, its marks, one system before and another after, and the inspector."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, expect

from report.error_table import rows_of
from report.report_pages import Opened, chunk_of, opened, percent, write_lines, write_report

LETTERS = "ABC"


@pytest.fixture(scope="module")
def text(demo_report: Path) -> Any:
    return chunk_of(demo_report, "document-0")


def shown(page: Opened) -> dict[str, str]:
    return dict(parse_qsl(page.address))


# ---- what is counted ----


def test_every_number_is_that_of_the_json(
    demo: Opened, demo_report: Path, summary: Any, errors: Any
) -> None:
    demo.open("tab=document")
    for number, document in enumerate(summary["documents"]):
        text = chunk_of(demo_report, f"document-{number}")
        for system in range(3):
            demo.move(f"tab=document&document={number}&system={system}")
            facts = demo.page.locator(".doc-facts dd").all_inner_texts()
            given = [document["entities"], document["mentions"], document["tokens"]]
            assert facts == [percent(document["conll"][system]), *map(str, given)]
            rows = rows_of(errors, number, system)
            assert demo.page.locator("#doc-count").inner_text() == str(len(rows))
            heads = demo.page.locator(".doc-head .soft").all_inner_texts()
            sides = (text["key"], text["systems"][system]["entities"])
            assert heads == [
                f"{sum(len(entity['mentions']) for entity in side)} mentions, {len(side)} entities"
                for side in sides
            ]


def test_lines_are_errors_in_text_order(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&document=2&system=2")
    lines = demo.page.locator(".doc-line").all()
    rows = rows_of(errors, 2, 2)
    assert [line.get_attribute("data-row") for line in lines] == [str(row) for row in rows]
    for line, row in zip(lines, rows, strict=True):
        place = line.locator(".doc-line-place").inner_text()
        assert place == str(errors["sentence"][row])
        assert errors["text"][row] in line.inner_text()


def test_filters_leave_some_and_all_come_back(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&f.type=missing_mention&f.document=4")
    rows = rows_of(errors, 0, 0)
    left = [row for row in rows if errors["type"][row] == "missing_mention"]
    head = demo.page.locator(".doc-errors-head")
    expect(head).to_contain_text(f"{len(left)}of {len(rows)}show all", use_inner_text=False)
    assert demo.page.locator(".doc-line").count() == len(left)
    demo.page.click("#doc-count")
    demo.wait("errors")
    table = demo.page.locator("#errors-table")
    assert table.get_attribute("aria-rowcount") == str(len(left) + 1)
    demo.back()
    demo.wait("document")
    demo.page.click("#doc-show-all")
    expect(demo.page.locator("#doc-count")).to_have_text(str(len(rows)))
    expect(demo.page.locator("#doc-show-all")).to_have_count(0)
    assert shown(demo) == {"tab": "document"}


def test_no_errors_are_told_of(demo: Opened) -> None:
    demo.open("tab=document&search=nothing+has+this")
    expect(demo.page.locator(".doc-list")).to_have_text(
        "No error in this document matches the filters."
    )


def test_ticks_are_at_the_errors_on_the_screen(demo: Opened, errors: Any) -> None:
    demo.open("tab=document&document=1")
    demo.page.wait_for_selector(".doc-line-seen")
    numbers = demo.page.locator(".doc-row:has(.doc-number)").all()
    bottom = demo.evaluate("document.getElementById('doc-scroll').getBoundingClientRect().bottom")
    seen = {
        row.locator(".doc-number").inner_text()
        for row in numbers
        if (box := row.bounding_box()) and box["y"] < bottom - 1
    }
    ticked = demo.page.locator(".doc-line-seen").all()
    rows = [int(line.get_attribute("data-row") or -1) for line in ticked]
    expected = [row for row in rows_of(errors, 1, 0) if str(errors["sentence"][row]) in seen]
    assert rows == expected
    assert 0 < len(rows) < demo.page.locator(".doc-line").count()


# ---- marks ----


def test_head_words(demo: Opened, text: Any) -> None:
    demo.open("tab=document")
    found = demo.evaluate(
        "() => [...document.querySelectorAll('.doc-cell:nth-child(2) .doc-headword')]"
        ".map((each) => Number(each.dataset.t))"
    )
    words = text["words"]
    heads = {
        # Of "the mayor 's" the mayor is shown.
        head - (words[head] == "'s" and head > first)
        for entity in text["key"]
        for first, _, _, head in entity["mentions"]
    }
    assert "'s" not in {words[head] for head in heads}
    assert set(found) == heads
    style = "getComputedStyle(document.querySelector('.doc-headword')).webkitTextStrokeWidth"
    assert float(demo.evaluate(style).removesuffix("px")) > 0


def test_a_mention_tells_all_that_is_known_of_it(demo: Opened, text: Any) -> None:
    demo.open("tab=document")
    entity = next(
        each
        for each in text["key"]
        if any(first < last for first, last, *_ in each["mentions"]) and each["cost"][0]
    )
    first, last, _, head = next(each for each in entity["mentions"] if each[0] < each[1])
    word = demo.page.locator(f'.doc-cell:nth-child(2) [data-t="{last}"]')
    tag = word.locator("button.doc-tag", has_text=entity["name"])
    tag.hover()
    tells = demo.page.locator(".doc-readout").inner_text()
    assert f"head “{text['words'][head]}”" in tells
    assert f"{entity['name']} {entity['title']}, {len(entity['mentions'])} mentions" in tells
    assert f"costs {percent(entity['cost'][0])} points of CoNLL recall" in tells
    title = tag.get_attribute("title") or ""
    assert title.split("\n") == tells.split(" · ")
    assert text["words"][first] in tells


def statuses(left: list[Any], right: list[Any]) -> Counter[str]:
    """Count the mentions that one side alone has, by the JSON."""
    spans = [
        {tuple(mention[:2]) for entity in side for mention in entity["mentions"]}
        for side in (left, right)
    ]
    return Counter(
        {
            "L only": len(spans[0] - spans[1]),
            "R only": len(spans[1] - spans[0]),
            "both": len(spans[0] & spans[1]),
        }
    )


STATUSES = """() => [...document.querySelectorAll(".doc-tag")].map((tag) => [
  tag.classList.contains("doc-of-L") ? "L" : "R",
  [...tag.classList].find((name) => name.startsWith("doc-is-")).slice(7),
  tag.dataset.chain, [...tag.classList].find((name) => name.startsWith("doc-hue-")),
  tag.textContent, tag.getAttribute("aria-label"),
])"""


@pytest.mark.parametrize("left", ["", "0", "1"])
def test_mentions_and_differences_on_each_side(demo: Opened, text: Any, left: str) -> None:
    demo.open(f"tab=document&system=2&o.document.left={left}")
    ours = text["systems"][int(left)]["entities"] if left else text["key"]
    expected = statuses(ours, text["systems"][2]["entities"])
    found: Counter[str] = Counter()
    for side, status, *_ in demo.evaluate(STATUSES):
        isolated = status in ("missing", "extra", "boundary")
        found[f"{side} only" if isolated else "both" if side == "L" else "again"] += 1
    assert {name: found[name] for name in expected} == dict(expected)
    assert found["again"] == found["both"]


def test_key_entity_has_one_hue(demo: Opened, text: Any) -> None:
    demo.open("tab=document&system=2")
    key = {chain: hue for _, _, chain, hue, *_ in demo.evaluate(STATUSES) if chain[0] == "K"}
    demo.open("tab=document&system=2&o.document.left=1")
    tags = demo.evaluate(STATUSES)
    for side, _, chain, hue, name, _ in tags:
        assert chain[0] != "K" or key[chain] == hue
        # Entities of the system at the left say whose they are.
        assert (f"·{LETTERS[1]}" in name.split("→")[0]) == (side == "L")
    aligned = [each for each in text["systems"][1]["entities"] if each["key"] is not None]
    chains = {chain for side, _, chain, *_ in tags if side == "L"}
    assert {f"K{each['key']}" for each in aligned} <= chains


def test_missing_and_extra_against_key_only(demo: Opened) -> None:
    demo.open("tab=document")
    said = " ".join(each[-1] for each in demo.evaluate(STATUSES))
    assert "missing from the response" in said and "not in the key" in said
    demo.open("tab=document&system=2&o.document.left=0")
    said = " ".join(each[-1] for each in demo.evaluate(STATUSES))
    legend = demo.page.locator(".doc-legend").inner_text()
    for words in (said, legend):
        assert "missing" not in words and "extra" not in words and "key." not in words
        assert "only in A" in words and "only in C" in words
    assert demo.complaints == []


VERDICTS = """() => [...document.querySelectorAll(".doc-tag")].map((tag) => [
  tag.classList.contains("doc-of-L") ? "L" : "R",
  tag.querySelector(".doc-verdict")?.textContent ?? "",
  tag.getAttribute("aria-label").split("; ").at(-1),
])"""


def test_mentions_of_two_systems_and_the_key(demo: Opened, text: Any) -> None:
    def right(system: int) -> Counter[str]:
        found: Counter[str] = Counter()
        for entity in text["systems"][system]["entities"]:
            aligned = [] if entity["key"] is None else text["key"][entity["key"]]["mentions"]
            spans = [each[:2] for each in aligned]
            found.update("✓" if each[:2] in spans else "✗" for each in entity["mentions"])
        return found

    demo.open("tab=document&system=2&o.document.left=0")
    verdicts = demo.evaluate(VERDICTS)
    for side, system in (("L", 0), ("R", 2)):
        assert Counter(sign for at, sign, _ in verdicts if at == side) == right(system)
        assert min(right(system)[sign] for sign in "✓✗") > 0
    words = {"✓": "correct according to the key", "✗": "wrong according to the key"}
    assert all(said == words[sign] for _, sign, said in verdicts)
    legend = demo.page.locator(".doc-legend").inner_text()
    assert all(said in legend for said in words.values())
    demo.open("tab=document&system=2")
    assert {sign for _, sign, _ in demo.evaluate(VERDICTS)} == {""}


def test_left_side_is_never_the_active_system(demo: Opened, summary: Any, errors: Any) -> None:
    demo.open("tab=document")
    options = demo.page.locator("#doc-left option").all_inner_texts()
    names = [f"{each['letter']} {each['name']}" for each in summary["systems"]]
    assert options == ["Key", *names[1:]]
    demo.page.select_option("#doc-left", "2")
    assert shown(demo)["o.document.left"] == "2"
    assert demo.page.locator(".doc-head b").all_inner_texts() == [names[2], names[0]]
    # The errors are still those against the key.
    assert demo.page.locator("#doc-count").inner_text() == str(len(rows_of(errors, 0, 0)))
    demo.page.locator("#doc-scroll").focus()
    demo.page.keyboard.press("3")
    expect(demo.page.locator(".doc-head b").first).to_have_text("Key")


def test_click_on_the_left_pins_the_entity(demo: Opened) -> None:
    demo.open("tab=document&system=2&o.document.left=0")
    demo.page.locator('.doc-of-L[data-chain^="K"]').first.click()
    assert shown(demo)["entity"].startswith("K")
    demo.page.wait_for_selector(".doc-lit.doc-of-R")
    assert demo.page.locator(".doc-inspector h2").first.inner_text()


def test_a_pinned_entity_stays_lit_while_the_pointer_moves(demo: Opened) -> None:
    demo.open("tab=document&system=2&entity=K1")
    lit = (
        "() => [...new Set([...document.querySelectorAll('.doc-lit')].map((e) => e.dataset.chain))]"
    )
    (pinned,) = demo.evaluate(f"({lit})()")
    other = demo.page.locator(f'.doc-tag:not([data-chain="{pinned}"])').first
    chain = other.get_attribute("data-chain")
    other.hover()
    demo.page.wait_for_selector(f'.doc-lit[data-chain="{chain}"]')
    assert sorted(demo.evaluate(f"({lit})()")) == sorted([pinned, chain])
    demo.page.mouse.move(2, 2)
    demo.page.wait_for_selector(f'[data-chain="{chain}"]:not(.doc-lit)')
    assert demo.evaluate(f"({lit})()") == [pinned]


def test_marks_are_printed_with_their_colours(demo: Opened) -> None:
    demo.open("tab=document&system=2")
    demo.page.emulate_media(media="print")
    try:
        looks = demo.evaluate(
            "[...document.querySelectorAll('.doc-text .doc-bar, .doc-text .doc-tag')]"
            ".map((each) => getComputedStyle(each).printColorAdjust)"
        )
    finally:
        demo.page.emulate_media(media="screen")
    assert looks and set(looks) == {"exact"}


def test_left_entity_without_key_entity(browser: Browser, tmp_path: Path) -> None:
    """The first response has an entity that neither the key nor the second has."""
    document = {"doc_key": "d", "sentences": [[f"w{number}" for number in range(8)]]}
    entities = [[[0, 0], [2, 2]], [[4, 4], [6, 6]]]
    paths = [
        write_lines(tmp_path / f"{name}.jsonl", [document | {"clusters": kept}])
        for name, kept in (("key", entities[:1]), ("a", entities), ("b", entities[:1]))
    ]
    with opened(browser, write_report(tmp_path / "r.html", *paths)) as page:
        page.open("tab=document&system=1&o.document.left=0")
        page.page.locator('.doc-of-L[data-chain^="L"]').first.click()
        assert shown(page)["entity"] == "R2·A"
        expect(page.page.locator(".doc-inspector")).to_contain_text(
            "An entity of A a. It is aligned with no key entity."
        )
        page.page.click("#doc-look-there")
        assert "system" not in shown(page) and shown(page)["entity"] == "R2"
        assert page.complaints == []


# ---- the inspector ----


def test_error_with_its_systems_and_entity(demo: Opened, text: Any, errors: Any) -> None:
    for row in rows_of(errors, 0, 0)[::7]:
        demo.open(f"tab=document&error={row}")
        card = demo.page.locator("#doc-selected").inner_text()
        assert errors["description"][row] in card
        same = [errors["system"][r] for r, id in enumerate(errors["id"]) if id == errors["id"][row]]
        makers = [LETTERS[number] for number in sorted(set(same))]
        others = [letter for letter in LETTERS if letter not in makers]
        expected = ["Made by", *makers, *(["not by", *others] if others else [])]
        found = demo.page.locator("#doc-selected .doc-makers > *").all_inner_texts()
        assert found == expected
        entity = next(
            each
            for each in (*text["key"], *text["systems"][0]["entities"])
            if each["name"] == errors["entity"][row]
        )
        inspector = demo.page.locator(".doc-inspector").inner_text()
        assert entity["title"] in inspector
        is_key = entity["name"].startswith("K")
        cost = entity["cost"][0] if is_key else entity["cost"]
        if cost >= 0.00005:
            part = "recall" if is_key else "precision"
            assert f"costs {percent(cost)} points of CoNLL {part}" in inspector


def test_same_error_in_another_system(demo: Opened, errors: Any) -> None:
    by_id: dict[str, dict[int, int]] = {}
    for row, id in enumerate(errors["id"]):
        by_id.setdefault(id, {})[errors["system"][row]] = row
    made = next(
        each for each in by_id.values() if set(each) == {0, 1} and errors["start"][each[0]] > 60
    )
    demo.open(f"tab=document&document={errors['document'][made[0]]}&error={made[0]}")
    place = "document.querySelector('.doc-selected')?.getBoundingClientRect().top"
    before = demo.evaluate(place)
    demo.page.keyboard.press("2")
    demo.page.wait_for_function(f"() => location.hash.includes('error={made[1]}')")
    demo.settle()
    assert abs(demo.evaluate(place) - before) < 3
    demo.page.keyboard.press("3")
    lost = demo.page.locator(".doc-lost")
    expect(lost).to_contain_text("C sieve does not make this error")
    assert "error" not in shown(demo)
    start = errors["start"][made[0]]
    word = f"document.querySelector('[data-t=\"{start}\"]').getBoundingClientRect().top"
    assert abs(demo.evaluate(word) - before) < 3
    lost.locator(".doc-maker", has_text="A").click()
    demo.page.wait_for_function(f"() => location.hash.includes('error={made[0]}')")
    expect(lost).to_have_count(0)


def test_headings_come_in_order(demo: Opened) -> None:
    for address in ("tab=document", "tab=document&error=5", "tab=document&entity=K1"):
        demo.open(address)
        headings = demo.page.locator("h1, h2, h3, h4, h5")
        levels = [int(str(each.evaluate("(e) => e.tagName"))[1]) for each in headings.all()]
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_links_and_examples_are_copied(browser: Browser, tmp_path: Path) -> None:
    words = [r"a_b", "50", "%", "of", r"\it", "{x}", "~", "^", "#1", "&", "$5", "."]
    document = {"doc_key": "d", "sentences": [words, words]}
    key = tmp_path / "key.jsonl"
    key.write_text(json.dumps(document | {"clusters": [[[0, 2], [12, 14]]]}) + "\n")
    response = tmp_path / "response.jsonl"
    response.write_text(json.dumps(document | {"clusters": []}) + "\n")
    with opened(browser, write_report(tmp_path / "r.html", key, response)) as page:
        page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.open("tab=document&error=0")
        page.page.click("#doc-copy")
        expect(page.page.locator("#status")).to_have_text("Link copied.")
        paste = "navigator.clipboard.readText()"
        assert page.evaluate(paste) == f"{page.url}#{page.address}"
        page.page.click("#doc-latex")
        expect(page.page.locator("#status")).to_have_text("LaTeX copied.")
        comment, example, rest = page.evaluate(paste).split("\n")
        assert comment == "% d, sentence 1, response, Missing Entity" and rest == ""
        assert example == (
            r"\textbf{[a\_b 50\%]}$_{K1}$ of \textbackslash{}it \{x\} \textasciitilde{}"
            r" \textasciicircum{} \#1 \& \$5."
        )
        assert page.complaints == []


# ---- drawings ----


def test_group_drawing_and_buttons(demo: Opened) -> None:
    """What is inside an image cannot be reached by keys, so nothing there may lead anywhere."""
    demo.open("tab=document&entity=K5")
    nodes = demo.page.locator("svg.doc-alluvial[role=img] .doc-node")
    named = {name.split(" · ")[0] for name in nodes.locator("text").all_text_contents()}
    assert len(named) > 1
    before = demo.address
    for node in nodes.all():
        node.locator("rect").click()
    assert demo.address == before
    buttons = demo.page.locator(".doc-inspector button.doc-chip-button .doc-chip")
    assert named <= {"K5", *buttons.all_inner_texts()}


def test_timeline_ticks_by_keyboard(demo: Opened, demo_report: Path) -> None:
    demo.open("tab=document&document=1&o.document.timeline=on")
    line = demo.page.locator(".doc-timeline-line").first
    assert line.get_attribute("role") == "group"
    ticks = line.locator("[role=button]")
    assert ticks.count() > 3
    assert demo.page.locator(".doc-timeline [role=img]").count() == 0
    demo.page.locator(".doc-timeline-name").first.focus()
    demo.page.keyboard.press("Tab")
    expect(ticks.nth(0)).to_be_focused()
    for _ in range(ticks.count()):
        demo.page.keyboard.press("ArrowRight")
    last = ticks.nth(ticks.count() - 1)
    expect(last).to_be_focused()
    demo.page.keyboard.press("ArrowLeft")
    demo.page.keyboard.press("ArrowRight")
    share = last.get_attribute("x") or last.get_attribute("cx") or ""
    tokens = len(chunk_of(demo_report, "document-1")["words"])
    token = demo.page.locator(f'[data-t="{int(float(share.removesuffix("%")) / 100 * tokens)}"]')
    demo.scroll("#doc-scroll", 0)
    expect(token.first).not_to_be_in_viewport()
    demo.page.keyboard.press("Enter")
    expect(token.first).to_be_in_viewport()
    # The next stop is the next entity, and the way back leads to the same tick.
    demo.page.keyboard.press("Tab")
    expect(demo.page.locator(".doc-timeline-name").nth(1)).to_be_focused()
    demo.page.keyboard.press("Shift+Tab")
    expect(last).to_be_focused()


# ---- columns, keys, options ----


def test_columns_resized_by_keyboard(demo: Opened) -> None:
    demo.open("tab=document")
    separator = demo.page.locator("#doc-separator-nav")
    width = "Math.round(document.getElementById('doc-nav').getBoundingClientRect().width)"
    before = demo.evaluate(width)
    separator.focus()
    demo.page.keyboard.press("ArrowRight")
    assert demo.evaluate(width) == before + 16
    assert separator.get_attribute("aria-valuenow") == str(before + 16)
    assert shown(demo)["o.document.nav"] == str(before + 16)
    demo.page.keyboard.press("Enter")
    expect(demo.page.locator("#doc-nav")).to_be_hidden()
    assert shown(demo)["o.document.nav"] == "0"
    demo.open(demo.address)
    expect(demo.page.locator("#doc-nav")).to_be_hidden()
    expect(demo.page.locator(".doc-tools-name")).to_be_visible()
    separator.focus()
    demo.page.keyboard.press("Enter")
    expect(demo.page.locator("#doc-nav")).to_be_visible()
    assert demo.evaluate("document.activeElement.id") == "doc-separator-nav"


def test_columns_dragged_and_restored_by_link(demo: Opened) -> None:
    demo.open("tab=document")
    separator = demo.page.locator("#doc-separator-inspector")
    box = separator.bounding_box()
    assert box
    mouse = demo.page.mouse
    mouse.move(box["x"], box["y"] + 300)
    mouse.down()
    mouse.move(box["x"] - 60, box["y"] + 310, steps=4)
    mouse.up()
    chosen = int(shown(demo)["o.document.inspector"])
    assert chosen == pytest.approx(336 + 60, abs=2)
    demo.open(demo.address)
    width = "document.getElementById('doc-inspector').getBoundingClientRect().width"
    assert demo.evaluate(width) == pytest.approx(chosen, abs=1)
    separator.dblclick()
    expect(demo.page.locator("#doc-inspector")).to_be_hidden()
    separator.dblclick()
    assert demo.evaluate(width) == pytest.approx(chosen, abs=1)


def test_three_columns_in_a_small_window(demo: Opened) -> None:
    demo.page.set_viewport_size({"width": 1024, "height": 768})
    demo.open("tab=document&error=5")
    boxes = [demo.page.locator(f"#{id}").bounding_box() for id in ("doc-nav", "doc-inspector")]
    assert all(box and box["width"] >= 180 and box["height"] > 500 for box in boxes)
    cell = demo.page.locator(".doc-cell").first.bounding_box()
    assert cell and cell["width"] > 230
    demo.page.set_viewport_size({"width": 1440, "height": 900})


def test_view_by_keys_buttons_and_links(demo: Opened) -> None:
    demo.open("tab=document")
    demo.page.keyboard.press("x")
    assert shown(demo)["view"] == "diff"
    demo.page.keyboard.press("x")
    assert "view" not in shown(demo)
    demo.page.keyboard.press("v")
    assert shown(demo)["view"] == "overlay"
    demo.page.click("#doc-timeline-toggle")
    assert shown(demo)["o.document.timeline"] == "on"
    expect(demo.page.locator(".doc-timeline-row")).to_have_count(8)
    assert demo.evaluate("document.activeElement.id") == "doc-timeline-toggle"
    demo.open(demo.address)
    expect(demo.page.locator(".doc-timeline-row")).to_have_count(8)
    demo.page.click("#doc-timeline-toggle")
    expect(demo.page.locator(".doc-timeline")).to_be_hidden()
    demo.back()
    expect(demo.page.locator(".doc-timeline")).to_be_visible()


def test_one_system_has_nothing_else_at_its_left(browser: Browser, tmp_path: Path) -> None:
    document = {"doc_key": "d", "sentences": [["a", "b", "a"]]}
    key = tmp_path / "key.jsonl"
    key.write_text(json.dumps(document | {"clusters": [[[0, 0], [2, 2]]]}) + "\n")
    with opened(browser, write_report(tmp_path / "r.html", key, key)) as page:
        page.open("tab=document&o.document.left=1")
        expect(page.page.locator("#doc-left")).to_have_count(0)
        expect(page.page.locator(".doc-list")).to_have_text("This document has no errors.")
        page.page.locator(".doc-tag").first.click()
        expect(page.page.locator(".doc-makers")).to_have_count(0)
        assert page.complaints == []


# ---- flags and notes ----


def test_error_flagged_and_noted(fresh: Opened, errors: Any) -> None:
    row = rows_of(errors, 0, 0)[0]
    fresh.open("tab=document")
    status = fresh.page.locator("#status")
    press = fresh.page.keyboard.press
    press("f")
    expect(status).to_have_text("Select an error to flag it.")
    fresh.page.click(f"#doc-error-{row}")
    star = fresh.page.locator(f"#doc-error-{row}").get_by_role("img", name="flagged")
    expect(star).to_have_count(0)
    press("f")
    expect(status).to_have_text("Flagged.")
    expect(star).to_have_count(1)
    expect(fresh.page.locator("#doc-flag")).to_have_attribute("aria-pressed", "true")
    press("n")
    fresh.page.keyboard.type("jkfn is ours")
    # The click that ends the writing is a click.
    fresh.page.click("#doc-flag")
    expect(status).to_have_text("Flag removed.")
    expect(fresh.page.locator(".doc-remark-note")).to_have_text("jkfn is ours")
    expect(star).to_have_count(0)
    press("n")
    fresh.page.keyboard.type("x")
    press("Escape")
    expect(fresh.page.locator(".doc-remark-note")).to_have_text("jkfn is ours")
    assert fresh.evaluate("document.activeElement.id") == "doc-scroll"
    assert shown(fresh)["error"] == str(row)
    assert fresh.complaints == []


def test_flag_from_document_is_in_the_table(fresh: Opened, errors: Any) -> None:
    rows = rows_of(errors, 0, 0)[:2]
    fresh.open("tab=errors&o.errors.flagged=only")
    for row in rows:
        fresh.move(f"tab=document&error={row}")
        expect(fresh.page.locator(f"#doc-error-{row}")).to_have_attribute("aria-current", "true")
        fresh.page.keyboard.press("f")
    fresh.move("tab=errors&o.errors.flagged=only")
    expect(fresh.page.locator("#errors-table")).to_have_attribute("aria-rowcount", "3")


def test_what_was_not_found_is_said_by_entity(demo: Opened, text: Any) -> None:
    demo.open("tab=document&entity=K6")
    said = demo.page.locator(".doc-not-found").inner_text().strip()
    block = demo.page.locator(".doc-block", has_text="Not found")
    total = int(block.locator(".doc-block-head > .soft").inner_text())
    parts = [part.split(" of ") for part in said.split(", ")]
    assert sum(int(count) for count, _ in parts) == total
    found = {tuple(m[:2]) for e in text["systems"][0]["entities"] for m in e["mentions"]}
    spans = {e["name"]: {tuple(m[:2]) for m in e["mentions"]} for e in text["key"]}
    for count, name in parts:
        # Those with other boundaries are no longer among them.
        assert 0 < int(count) <= len(spans[name] - found)


def test_a_speaker_is_named_where_another_begins(browser: Browser, tmp_path: Path) -> None:
    speakers = ["Ann", "Ann", "Bob", "Bob", "-", "Bob", "Ann"]
    document = {
        "doc_key": "d",
        "sentences": [["I", "see", "me"] for _ in speakers],
        "speakers": [[each] * 3 for each in speakers],
        "clusters": [[[0, 0], [2, 2]]],
    }
    key = write_lines(tmp_path / "key.jsonl", [document])
    with opened(browser, write_report(tmp_path / "r.html", key, key)) as page:
        page.open("tab=document")
        named = page.evaluate(
            "() => [...document.querySelectorAll('.doc-row')]"
            ".map((row) => row.querySelector('.doc-speaker')?.textContent ?? '')"
        )
        assert named == ["Ann", "", "Bob", "", "", "Bob", "Ann"]


def test_line_without_words(browser: Browser, tmp_path: Path) -> None:
    paths = [tmp_path / "key.json", tmp_path / "response.json"]
    for path, found in zip(paths, ([3, 4], [2, 2]), strict=True):
        path.write_text(json.dumps({"d": [[[0, 0], found], [[6, 6], [8, 8]]]}))
    with opened(browser, write_report(tmp_path / "r.html", *paths)) as page:
        page.open("tab=document")
        lines = page.page.locator(".doc-line-text").all_inner_texts()
        assert lines == ["R1, token 2", "K1, tokens 3–4"]
        page.open("tab=errors")
        cells = page.page.locator(".errors-item .errors-text").all_inner_texts()
        assert sorted(each.strip() for each in cells) == ["token 2", "tokens 3–4"]
        assert page.complaints == []
