"""A real browser, and reports to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from corefscope.demo import KEY, RESPONSES
from report.error_table import Table
from report.report_pages import ARGUMENTS, Opened, chunk_of, find_browser, opened, write_report
from shared_files import made_once, shared_folder


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return one browser for all tests of the report; `opened` keeps their pages apart."""
    path = find_browser()
    if path is None:
        reason = "there is no chromium; install it, or name one by CHROMIUM=..."
        pytest.fail(reason)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def demo_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of the example corpus with its three systems."""
    folder = shared_folder(tmp_path_factory, "demo")
    return made_once(
        folder / "report.html", lambda output: write_report(output, KEY, *RESPONSES.values())
    )


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


@pytest.fixture(scope="session")
def summary(demo_report: Path) -> Any:
    return chunk_of(demo_report, "summary")


@pytest.fixture(scope="session")
def errors(demo_report: Path) -> Any:
    return chunk_of(demo_report, "errors")


@pytest.fixture(scope="session")
def table(summary: Any, errors: Any) -> Table:
    return Table(summary, errors)
