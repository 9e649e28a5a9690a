"""Mentions with gaps, and zeros, in the document view: each is drawn on its own words only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, expect

from cli.test_corefud_commands import KEY, RESPONSE
from report.report_pages import Opened, chunk_of, opened, write_report
from report.test_accessibility import CONTRAST, nameless, violations

ANOTHER = RESPONSE.replace("0.1\t_\tél", "0.1\t_\tella")
"""A second system, which has the same zero that the key lacks."""
LIT = """(side) => [...document.querySelectorAll(`.doc-cell:nth-child(${side}) .doc-bar.doc-lit`)]
  .map((bar) => bar.parentElement.firstChild.textContent)"""
"""The words under the highlighted bars of a side, which is 2 for the left and 3 for the right."""


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


def test_data_without_gaps_has_no_marks(demo_report: Path) -> None:
    document = chunk_of(demo_report, "document-0")
    assert document["marked"] == document["zeros"] == document["absent"] == []
    systems = [entity for system in document["systems"] for entity in system["entities"]]
    assert all(entity["marks"] is None for entity in (*document["key"], *systems))
    assert set(chunk_of(demo_report, "errors")["mark"]) == {None}


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


def test_all_parts_are_highlighted(page: Opened) -> None:
    page.open("tab=document")
    word(page, "L", 3).hover()
    assert page.evaluate(LIT, 2) == ["perro", "negro", "lo", "∅"]
    assert page.evaluate(LIT, 3) == ["perro", "negro", "lo"]
    assert (
        "“perro … negro”, nominal, head “perro”" in page.page.locator(".doc-readout").inner_text()
    )


def test_a_zero_says_that_it_is_not_in_the_text(page: Opened) -> None:
    page.open("tab=document")
    zero = word(page, "L", 7)
    assert (zero.text_content() or "").startswith("∅él")
    assert "not in the text" in (zero.get_attribute("title") or "")
    label = zero.locator(".doc-tag").get_attribute("aria-label")
    assert label == "K1 “∅”, not in the text, lemma “él”: missing from the response"
    # The title tells more when the pointer comes, and still says it.
    zero.hover()
    lines = (zero.get_attribute("title") or "").splitlines()
    assert lines[0] == "a zero: not in the text" and "missing from the response" in lines
    # The response has no mention there.
    assert "not in the text" in (word(page, "R", 7).get_attribute("title") or "")


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


def test_the_key_shows_where_the_response_has_a_zero(page: Opened) -> None:
    page.open("tab=document")
    caret = page.page.locator(".doc-cell:nth-child(2) .doc-caret")
    assert caret.all_inner_texts() == ["×"]
    assert word(page, "L", 6).text_content() == "Después"
    places = caret.bounding_box(), word(page, "L", 6).bounding_box()
    assert places[0] and places[1] and places[0]["x"] < places[1]["x"]


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


def test_tags_of_zeros_are_reached_by_keys(page: Opened) -> None:
    page.open("tab=document")
    page.page.locator(".doc-absent .doc-tag").focus()
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowRight")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("R1 “∅”")
    page.page.keyboard.press("Enter")
    assert "entity=R1" in page.address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Opened, report: Path, scheme: Literal["light", "dark"]) -> None:
    page.page.emulate_media(color_scheme=scheme)
    page.open(f"tab=document&error={row_of(report, 'extra_mention')}")
    assert violations(page) == []
    assert nameless(page) == []
    page.open(f"tab=document&error={row_of(report, 'divided_entity')}&entity=K2")
    assert violations(page, CONTRAST) == []
    page.page.emulate_media(color_scheme="light")


def test_two_systems_have_the_same_zero(page: Opened) -> None:
    page.open("tab=document&o.document.left=1")
    zeros = page.page.locator(".doc-absent")
    assert zeros.count() == 2
    assert zeros.locator(".doc-is-right").count() >= 2
    assert page.page.locator(".doc-text .doc-caret").count() == 0


def test_inspector_and_latex_name_parts(page: Opened) -> None:
    page.open("tab=document&entity=R2")
    pieces = page.page.locator(".doc-piece bdi").all_inner_texts()
    assert "perro … negro" in pieces and "∅" in pieces
    assert latex(page) == r"Ana vio al \textbf{[perro]} ayer \textbf{[negro]}$_{R2}$"


def test_latex_of_a_zero_keeps_the_word_beside_it(page: Opened, report: Path) -> None:
    page.open(f"tab=document&error={row_of(report, 'extra_mention')}")
    shown = r"\textbf{[$\emptyset$]}$_{R1}$ Después $\emptyset$ lo llamó $\emptyset$ vino"
    assert latex(page) == shown


def test_the_table_of_errors_shows_zeros_in_context(page: Opened) -> None:
    page.open("tab=errors&f.type=extra_mention")
    row = page.page.locator("#errors-row-0").inner_text()
    assert "Después" in row and "∅" in row
    # The mention is in its context, so its description does not begin with it.
    assert "… in R1 is not" in row and "before" not in row


def test_entities_count_marked_mentions(page: Opened) -> None:
    page.open("tab=entities")
    assert "perro … negro" in page.text
    row = page.page.locator('tr[data-entity="R1"]')
    assert "1 × K1" in row.inner_text() and "1 × K2" in row.inner_text()


def test_legend_explains_gaps_and_zeros(page: Opened, demo: Opened) -> None:
    page.open("tab=document")
    assert "a mention with a gap" in page.text and "it is not in the text" in page.text
    demo.open("tab=document")
    assert "a mention with a gap" not in demo.text and "it is not in the text" not in demo.text


CAT = """# newdoc id = x
# global.Entity = eid-etype-head-other
1	the	the	DET	_	_	2	det	_	Entity=(e1-x-2
2	cat	cat	NOUN	_	_	0	root	_	Entity=e1)
3	saw	see	VERB	_	_	2	dep	_	_
{}4	it	it	PRON	_	_	3	obj	_	Entity=(e1-x-1)

"""
ZEROS = """3.1	_	she	PRON	_	_	_	_	3:nsubj	Entity=(e2-x-1)
3.2	_	he	PRON	_	_	_	_	3:iobj	Entity=(e1-x-1)
"""
"""The first of the two zeros is in the entity that begins last."""


def test_zeros_at_the_same_place_are_kept_apart(browser: Browser, tmp_path: Path) -> None:
    files = tmp_path / "key.conllu", tmp_path / "ours.conllu"
    for path, zeros in zip(files, ("", ZEROS), strict=True):
        path.write_text(CAT.format(zeros), encoding="utf-8")
    report = write_report(tmp_path / "report.html", *files)
    document = chunk_of(report, "document-0")
    first, second = document["systems"][0]["entities"]
    assert document["marked"] == [[], []]
    assert mentions_of(first)[1] == ([2, 2], 0) and mentions_of(second) == [([2, 2], 1)]
    assert document["absent"] == [[1, False], [0, False]], "in the order of the text"
    with opened(browser, report) as page:
        page.open(f"tab=document&error={row_of(report, 'extra_mention')}")
        assert page.page.locator(".doc-absent").all_text_contents() == ["∅R2×", "∅R1×"]
        assert page.page.locator(".doc-selected").all_text_contents() == ["∅R1×"]
        # One caret in the key stands for both.
        caret = page.page.locator(".doc-cell:nth-child(2) .doc-caret")
        assert caret.get_attribute("title") == "a mention of R2, R1: not in the key"
        label = page.page.locator(".doc-absent .doc-tag").first.get_attribute("aria-label")
        assert label == "R2 “∅”, not in the text and not in the key, after “saw”: not in the key"
        assert latex(page) == r"the cat saw \textbf{[$\emptyset$]}$_{R1}$ it"
        page.open("tab=document&view=overlay")
        assert page.page.locator(".doc-absent").all_text_contents() == ["∅R2×", "∅R1×"]
        assert page.complaints == []
