"""Mentions that are hard to draw: nested, crossing, twice the same; and how a reader walks them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES
from report.report_pages import chunk_of, opened, write_report

WORDS = [f"word{n}" for n in range(30)]
NESTED = [[0, 9], [0, 7], [0, 5], [0, 3], [0, 1]]
CROSSING = [[12, 15], [14, 17]]


def corpus(clusters: list[list[list[int]]]) -> str:
    sentences = [WORDS[:20], WORDS[20:]]
    return json.dumps({"doc_key": "d", "sentences": sentences, "clusters": clusters}) + "\n"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven entities that overlap, each with a later mention; the response lacks one, adds one."""
    folder = tmp_path_factory.mktemp("rendering")
    spans = [*NESTED, *CROSSING]
    key = [[span, [20 + place, 20 + place]] for place, span in enumerate(spans)]
    response = [*key[:-1], [[28, 28], [29, 29]], [[28, 28], [11, 11]]]
    for name, clusters in (("key", key), ("response", response)):
        (folder / f"{name}.jsonl").write_text(corpus(clusters), encoding="utf-8")
    return write_report(folder / "r.html", folder / "key.jsonl", folder / "response.jsonl")


OVERLAPS = """() => {
  const bars = [...document.querySelectorAll("#view .doc-row .doc-bar")].map((bar) => {
    const { left, right, top, bottom } = bar.getBoundingClientRect();
    return { m: bar.dataset.m, left, right, top, bottom };
  });
  const clash = (a, b) => a.m !== b.m && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const clashes = bars.flatMap((a, i) =>
    bars.slice(i + 1).filter((b) => clash(a, b)).map((b) => [a.m, b.m]));
  return { mentions: new Set(bars.map((bar) => bar.m)).size, clashes };
}"""


def test_nested_and_crossing_mentions_have_lanes(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        page.open("tab=document")
        found = page.evaluate(OVERLAPS)
        # Seven entities of two on the left; six of two, three spans of two more on the right.
        assert found["mentions"] == 14 + 12 + 3
        assert found["clashes"] == []
        assert page.complaints == []


def test_span_in_two_entities(browser: Browser, report: Path) -> None:
    (document,) = [chunk_of(report, "document-0")]
    spans = [tuple(m[:2]) for e in document["systems"][0]["entities"] for m in e["mentions"]]
    assert spans.count((28, 28)) == 1
    with opened(browser, report) as page:
        page.open("tab=document")
        word = page.page.locator('.doc-cell:nth-child(3) [data-t="28"]')
        assert word.locator(".doc-bar").count() == 1
        assert word.locator(".doc-tag").count() == 1
        page.open("tab=data")
        assert "W108" in page.page.locator("#view").inner_text()


SELECTED = "() => new URLSearchParams(location.hash.slice(1)).get('error')"


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString"])
def test_an_address_may_name_any_facet(browser: Browser, report: Path, name: str) -> None:
    with opened(browser, report) as page:
        page.open(f"tab=errors&f.{name}=x")
        assert page.complaints == []


def test_address_out_of_range_shows_the_first(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        page.open("tab=nothing&system=77&document=99")
        assert page.page.locator("#tab-overview").get_attribute("aria-current") == "page"
        assert page.page.locator("#system-0").get_attribute("aria-pressed") == "true"


def test_a_name_that_is_too_long_is_refused() -> None:
    given = ["report", str(KEY), str(RESPONSES["sieve"]), "-o", "x" * 5000]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 5 and "Traceback" not in result.output
