"""A report of annotators: none is the key, and any of them can be the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

import corefscope as cs
from commands import Command
from corefscope.cli import main
from report.report_pages import TABS, Opened, chunk_of, opened, percent, write_report
from report.test_accessibility import nameless, violations

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "annotators"
NAMES = ("anna", "ben", "carla")
FILES = [EXAMPLES / f"{name}.jsonl" for name in NAMES]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(tmp_path_factory.mktemp("annotators") / "r.html", "--annotators", *FILES)


@pytest.fixture(scope="module")
def page(browser: Browser, report: Path) -> Iterator[Opened]:
    with opened(browser, report) as found:
        yield found
        assert found.complaints == []


@pytest.fixture(scope="module")
def agreement() -> cs.Agreement:
    """The documents that all annotators have."""
    corpora = {path.stem: cs.read(path).restricted(["ferry", "letter"]) for path in FILES}
    return cs.agree(corpora)


def choose(page: Opened, name: str) -> None:
    """Choose a reference; the page loads again."""
    with page.page.expect_navigation():
        page.page.locator("#reference").select_option(label=name)
    page.wait()


def chips(page: Opened) -> list[str]:
    return [text.split()[-1] for text in page.page.locator(".chips .chip").all_inner_texts()]


def test_each_annotator_is_the_key_once(report: Path) -> None:
    for number, end in enumerate(("", "-1", "-2")):
        summary = chunk_of(report, f"summary{end}")
        assert summary["reference"] == number
        assert summary["scores"]["key"] == str(FILES[number])
        others = [name for name in NAMES if name != NAMES[number]]
        assert [system["name"] for system in summary["systems"]] == others
        assert [each["name"] for each in summary["documents"]] == ["ferry", "letter"]
        for place in range(2):
            text = chunk_of(report, f"document-{2 * number + place}")
            assert text["name"] == ["ferry", "letter"][place]


def test_figures_are_those_of_agree(page: Opened, agreement: cs.Agreement) -> None:
    page.open("")
    lead = page.page.locator("#overview-agreement .overview-lead").inner_text()
    assert percent(agreement.mean["conll"]) in lead
    assert f"{agreement.alpha.masi:.3f}" in lead
    rows = page.page.locator("#overview-pairs tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    assert [row[0] for row in cells] == ["anna – ben", "anna – carla", "ben – carla", "mean"]
    assert [row[-1] for row in cells[:-1]] == [percent(pair.conll) for pair in agreement]
    kinds = page.page.locator("#overview-kinds tbody tr").first.locator("td").all_inner_texts()
    counts = agreement.disagreements["anna", "ben"]
    assert kinds[0] == str(counts.boundaries)
    assert kinds[2] == str(counts.only_in_a + counts.only_in_b)


def test_the_most_disputed_entities_come_first(page: Opened, agreement: cs.Agreement) -> None:
    page.open("")
    disputed = agreement.disputed_entities(None)
    rows = page.page.locator("#overview-disputed tbody tr")
    expect(rows).to_have_count(10)
    shown = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert shown == [
        [each.title, each.annotator, each.document, str(each.mentions), percent(each.b3)]
        for each in disputed[:10]
    ]
    page.page.locator("#overview-disputed-all").click()
    expect(rows).to_have_count(len(disputed))
    page.page.locator("#overview-disputed-all").click()
    expect(rows).to_have_count(10)


def test_any_annotator_is_the_reference(page: Opened) -> None:
    page.open("tab=document")
    assert chips(page) == ["ben", "carla"]
    for name, others in (("carla", ["anna", "ben"]), ("ben", ["anna", "carla"])):
        choose(page, name)
        expect(page.page.locator("#reference option:checked")).to_have_text(name)
        assert chips(page) == others
        heads = page.page.locator(".doc-head b").all_inner_texts()
        assert heads == [name, f"A {others[0]}"]
    # Back is the reference before, with its own data.
    with page.page.expect_navigation():
        page.page.evaluate("setTimeout(() => history.back(), 0)")
    page.wait()
    expect(page.page.locator("#reference option:checked")).to_have_text("carla")
    assert chips(page) == ["anna", "ben"]


def test_a_disputed_entity_opens_in_the_text_of_its_annotator(
    page: Opened, agreement: cs.Agreement
) -> None:
    disputed = agreement.disputed_entities(None)
    place, entity = next(
        (place, each)
        for place, each in enumerate(disputed)
        if each.annotator == "carla" and each.mentions > 1
    )
    page.open("")
    link = page.page.locator("#overview-disputed tbody a").nth(place)
    with page.page.expect_navigation(url=re.compile("o.reference=2")):
        link.click()
    page.wait("document")
    expect(page.page.locator("#reference option:checked")).to_have_text("carla")
    assert f"entity=K{entity.place}" in page.address
    assert entity.title in page.page.locator(".doc-inspector, aside").first.inner_text()


@pytest.mark.parametrize("reference", ["", "1", "9", "x"])
def test_every_tab_is_drawn(page: Opened, reference: str) -> None:
    page.open(f"o.reference={reference}")
    number = int(reference) if reference == "1" else 0
    expect(page.page.locator("#reference option:checked")).to_have_text(NAMES[number])
    for tab in TABS:
        page.move(f"tab={tab}&o.reference={reference}")
        page.wait(tab)
        assert page.text


def test_everyone_can_use_it(page: Opened) -> None:
    page.open("")
    assert violations(page) == []
    assert nameless(page) == []
    page.page.set_viewport_size({"width": 390, "height": 800})
    page.settle()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.page.set_viewport_size({"width": 1440, "height": 900})


def test_a_folder_has_the_documents_of_all_references(browser: Browser, tmp_path: Path) -> None:
    write_report(tmp_path / "folder", "--annotators", *FILES, "--split")
    assert len(list((tmp_path / "folder" / "documents").iterdir())) == 6
    with opened(browser, tmp_path / "folder" / "index.html") as page:
        page.open("tab=document&document=1&o.reference=2")
        page.wait("document")
        assert page.page.locator(".doc-head b").first.inner_text() == "carla"
        assert "museum" in page.text
        assert page.complaints == []


def test_words_are_masked(tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.html", "--annotators", *FILES, "--redact")
    agreement: Any = chunk_of(path, "summary-1")["agreement"]
    assert agreement["annotators"] == list(NAMES)
    assert {each["title"] for each in agreement["entities"]} >= {"Xxx", "xxxxxx"}
    assert {each["annotator"] for each in agreement["entities"]} == set(NAMES)


def test_what_is_refused_and_reported(tmp_path: Path) -> None:
    report = Command("report")
    place = ["-o", str(tmp_path / "r.html")]
    files = list(map(str, FILES))
    result = report.run("--annotators", *files, *place)
    assert "1 of 3 documents without some of the 3 annotators left out" in result.stderr
    for arguments, message in (
        ([files[0]], "expected KEY and one or more responses, or --annotators"),
        (["--annotators", files[0]], "is one file with one annotator"),
        (["--annotators", *files, "--missing", "error"], "cannot be combined with --missing"),
        (["--annotators", *files, "--skip-broken"], "cannot be combined with --response-format"),
        (["--annotators", *files, "--match", "partial"], "because annotators are equals"),
    ):
        status, said = report.refused(*arguments, *place)
        assert status == 2 and message in " ".join(said.split())
    # The first file is an input, also with a name.
    given = ["report", "--annotators", f"a={files[0]}", f"b={files[1]}", "-o", files[0]]
    assert CliRunner().invoke(main, given).exit_code == 2
