"""The document: its numbers, its marks, one system before and another after, and the inspector."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from report.error_table import rows_of
from report.report_pages import Opened, chunk_of, percent

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


# ---- drawings ----


# ---- columns, keys, options ----


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


# ---- flags and notes ----
