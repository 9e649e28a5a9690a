"""Zeros in the report: a fourth type of mention, where a corpus has any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import corefscope as cs
from report.report_pages import Opened, chunk_of, opened
from universal_examples import KEYS, corpus

RESPONSE = [[(0, 0), (5, 5), (8, 8), (11, 11)], [(11, 12), (14, 14)]]
"""The second zero is with the brother, whose pronoun is missing."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zeros") / "report.html"
    key = corpus({"spanish": replace(KEYS["spanish"], types=["PERSON", "object", "PERSON"])})
    with pytest.warns(cs.CorefscopeWarning):
        cs.make_report(key, {"ours": key.with_clusters({"spanish": RESPONSE})}, path)
    return path


@pytest.fixture(scope="module")
def page(browser: Browser, report: Path) -> Iterator[Opened]:
    with opened(browser, report) as shown:
        yield shown


def heads(page: Opened, table: str) -> list[str]:
    """Return the headings of the columns of a table."""
    found = page.evaluate(
        "(table) => [...document.querySelectorAll(`${table} thead tr:last-child th`)]"
        ".map((cell) => cell.textContent)",
        table,
    )
    return [str(each) for each in found]


def test_data_has_zeros(report: Path) -> None:
    assert "zero" in chunk_of(report, "errors")["mention_type"]
    (system,) = chunk_of(report, "summary")["nec"]["systems"]
    assert system["types"]["PER"]["by_mention_type"]["zero"]["chains"] == 1


def test_names_tab_has_zeros(page: Opened) -> None:
    page.open("tab=names")
    shown = heads(page, "table[aria-label='NEC F1 by mention type']")
    assert shown[:5] == ["System", "Name", "Pronoun", "Nominal", "Zero"]
