"""A real browser, and reports to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from corefscope.demo import KEY, RESPONSES
from report.report_pages import find_browser, write_report


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
