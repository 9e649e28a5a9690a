"""Mentions with gaps, and zeros, in the document view: each is drawn on its own words only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from cli.test_corefud_commands import KEY, RESPONSE
from report.report_pages import Opened, chunk_of, opened, write_report

ANOTHER = RESPONSE.replace("0.1\t_\tél", "0.1\t_\tella")
"""A second system, which has the same zero that the key lacks."""


def made(folder: Path, *options: str) -> Path:
    """Make the report of one key and two systems."""
    texts = {"key": KEY, "ours": RESPONSE, "theirs": ANOTHER}
    for name, text in texts.items():
        (folder / f"{name}.conllu").write_text(text, encoding="utf-8")
    files = [folder / f"{name}.conllu" for name in texts]
    return write_report(folder / "report.html", *files, *options)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("gaps"))


@pytest.fixture(scope="module")
def page(browser: Browser, report: Path) -> Iterator[Opened]:
    with opened(browser, report) as shown:
        yield shown
        assert shown.complaints == []


def word(page: Opened, side: str, token: int) -> Locator:
    """Return a word of the key (L) or of the response (R)."""
    place = {"L": 2, "R": 3}[side]
    return page.page.locator(f'.doc-cell:nth-child({place}) [data-t="{token}"]')


def latex(page: Opened) -> str:
    """Copy the selected mention as LaTeX, and return its sentence."""
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.click("#doc-latex")
    expect(page.page.locator("#status")).to_have_text("LaTeX copied.")
    return str(page.evaluate("navigator.clipboard.readText()")).splitlines()[1]


def row_of(report: Path, type: str) -> int:
    """Return the row of the first error of a type."""
    found: int = chunk_of(report, "errors")["type"].index(type)
    return found


def mentions_of(entity: Any) -> list[tuple[list[int], int | None]]:
    """Return first and last token of the mentions of an entity, and their marks."""
    marks = entity["marks"] or [None] * len(entity["mentions"])
    return [(mention[:2], mark) for mention, mark in zip(entity["mentions"], marks, strict=True)]


def test_data_has_the_parts_of_mentions(report: Path) -> None:
    document = chunk_of(report, "document-0")
    zero, gap = document["marked"].index([]), document["marked"].index([[3, 3], [5, 5]])
    assert len(document["marked"]) == 2
    assert document["absent"] == [[zero, True]], "it opens its sentence"
    assert document["zeros"] == [[7, "él"], [10, "él"]]
    assert [document["words"][token] for token in (7, 10)] == ["∅", "∅"]
    ana, dog = document["key"]
    assert ana["marks"] is None and dog["title"] == "perro … negro"
    assert mentions_of(dog)[0] == ([3, 5], gap)
    for system in document["systems"]:
        assert mentions_of(system["entities"][0])[1] == ([6, 6], zero)
        assert mentions_of(system["entities"][1])[0] == ([3, 5], gap)


def test_errors_have_the_marks_of_the_document(report: Path) -> None:
    errors, document = chunk_of(report, "errors"), chunk_of(report, "document-0")
    extra, missing = row_of(report, "extra_mention"), row_of(report, "missing_mention")
    assert document["marked"][errors["mark"][extra]] == []
    assert errors["mark"][missing] is None
    assert errors["left"][extra] == ""
    assert errors["right"][extra] == "Después ∅ lo llamó ∅ vino"
    assert errors["text"][extra] == errors["text"][missing] == "∅"
    assert errors["description"][extra] == "“∅” (before 6) in R1 is not a mention of the key"


def test_lemmas_of_zeros_are_masked(tmp_path: Path) -> None:
    document = chunk_of(made(tmp_path, "--redact"), "document-0")
    assert document["zeros"] == [[7, "xx"], [10, "xx"]]
    assert document["words"][7] == "∅"
    assert document["key"][1]["title"] == "xxxxx … xxxxx"


@pytest.mark.parametrize("side", ["L", "R"])
def test_a_gap_belongs_to_nobody(page: Opened, side: str) -> None:
    page.open("tab=document")
    tag = {"L": "K2", "R": "R2"}[side]
    for token in (3, 5):
        bar = word(page, side, token).locator(".doc-bar")
        assert bar.count() == 1
        assert {"doc-begins", "doc-ends"} <= set((bar.get_attribute("class") or "").split())
    gap = word(page, side, 4)
    assert gap.inner_text() == "ayer" and gap.locator("*").count() == 0
    assert gap.get_attribute("data-m") is None
    # The mention has one tag; a sign says that it goes on.
    assert word(page, side, 3).text_content() == "perro…"
    tags = page.page.locator(f'.doc-tag[aria-label^="{tag} “perro … negro”"]')
    assert tags.all_inner_texts() == [tag]


@pytest.mark.parametrize("view", ["side", "diff", "overlay"])
def test_a_zero_of_the_response_that_opens_a_sentence_stands_before_its_word(
    page: Opened, view: str
) -> None:
    page.open(f"tab=document&view={view}")
    zero = page.page.locator(".doc-absent")
    assert zero.count() == 1
    assert zero.text_content() == "∅R1×"
    assert zero.locator(".doc-bar.doc-is-extra").count() == 1
    label = zero.locator(".doc-tag").get_attribute("aria-label")
    assert label == "R1 “∅”, not in the text and not in the key, before “Después”: not in the key"
    after = page.page.locator('.doc-cell:last-child [data-t="6"]')
    assert "×" not in (after.text_content() or "") and after.locator(".doc-is-extra").count() == 0
    beside = zero.bounding_box(), after.bounding_box()
    assert beside[0] and beside[1] and beside[0]["x"] + beside[0]["width"] <= beside[1]["x"]
    assert beside[0]["y"] == beside[1]["y"], "on the same line"


def test_the_zero_of_an_error_is_selected_and_not_the_word_beside_it(
    page: Opened, report: Path
) -> None:
    page.open("tab=document")
    row = row_of(report, "extra_mention")
    page.page.locator(f"#doc-error-{row}").click()
    page.settle()
    chosen = page.page.locator(".doc-selected")
    assert chosen.count() == 1
    assert chosen.get_attribute("data-absent") == "6"
    # It is also selected where the page begins with it, and not any more with another error.
    page.open(f"tab=document&error={row}")
    assert page.page.locator(".doc-selected").get_attribute("data-absent") == "6"
    page.page.locator(f"#doc-error-{row_of(report, 'missing_mention')}").click()
    page.settle()
    assert page.page.locator(".doc-absent.doc-selected").count() == 0


def test_inspector_and_latex_name_parts(page: Opened) -> None:
    page.open("tab=document&entity=R2")
    pieces = page.page.locator(".doc-piece bdi").all_inner_texts()
    assert "perro … negro" in pieces and "∅" in pieces
    assert latex(page) == r"Ana vio al \textbf{[perro]} ayer \textbf{[negro]}$_{R2}$"


def test_latex_of_a_zero_keeps_the_word_beside_it(page: Opened, report: Path) -> None:
    page.open(f"tab=document&error={row_of(report, 'extra_mention')}")
    shown = r"\textbf{[$\emptyset$]}$_{R1}$ Después $\emptyset$ lo llamó $\emptyset$ vino"
    assert latex(page) == shown
