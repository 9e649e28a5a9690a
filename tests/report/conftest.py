"""A real browser, and reports to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from corefscope.demo import KEY, RESPONSES
from report.error_table import Table
from report.report_pages import Opened, chunk_of, find_browser, opened, write_report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        reason = "there is no chromium; install it, or name one by CHROMIUM=..."
        pytest.fail(reason)
    with sync_playwright() as playwright:
        # A page of our own needs no sandbox, which root and containers cannot have.
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def demo_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of the example corpus with its three systems."""
    output = tmp_path_factory.mktemp("demo") / "report.html"
    return write_report(output, KEY, *RESPONSES.values())


@pytest.fixture(scope="module")
def demo(browser: Browser, demo_report: Path) -> Iterator[Opened]:
    """Return the report of the example corpus, open for all tests of a module."""
    with opened(browser, demo_report) as page:
        yield page


@pytest.fixture
def fresh(browser: Browser, demo_report: Path) -> Iterator[Opened]:
    """Return the same report where nobody has clicked."""
    with opened(browser, demo_report) as page:
        yield page


@pytest.fixture(scope="module")
def summary(demo_report: Path) -> Any:
    return chunk_of(demo_report, "summary")


@pytest.fixture(scope="module")
def errors(demo_report: Path) -> Any:
    return chunk_of(demo_report, "errors")


@pytest.fixture(scope="module")
def table(summary: Any, errors: Any) -> Table:
    return Table(summary, errors)
