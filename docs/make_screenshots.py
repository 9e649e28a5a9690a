"""Take the pictures of the report that the pages show, in a real browser."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner
from playwright.sync_api import Page, sync_playwright

from corefscope.cli import main as corefscope

IMAGES = Path(__file__).parent / "images"
ADDRESSES = {
    "overview": "tab=overview&system=2",
    "document": "tab=document&system=2&document=0&entity=K5",
}
"""What is shown, by the name of the picture: ``sieve`` is system 2."""
MOST_BYTES = 350_000


def main() -> None:
    """Make the report of the example corpus, and take a picture of each address."""
    known = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    names = (os.environ.get("CHROMIUM", ""), *known)
    browser = next((found for name in names if name and (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("there is no chromium; install it, or name one by CHROMIUM=...")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = _demo(Path(folder))
        # A page of our own needs no sandbox, which root and containers cannot have.
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page(viewport={"width": 1440, "height": 900}, device_scale_factor=1)
        for name, address in ADDRESSES.items():
            _take(page, f"{report.as_uri()}#{address}", IMAGES / f"report-{name}.png")
        opened.close()


def _demo(folder: Path) -> Path:
    """Return the report of ``corefscope demo``, made in a folder."""
    before = Path.cwd()
    os.chdir(folder)  # So that the pictures show the paths that a reader has.
    try:
        CliRunner().invoke(corefscope, ["demo"], catch_exceptions=False)
    finally:
        os.chdir(before)
    return folder / "corefscope-demo" / "report.html"


def _take(page: Page, address: str, picture: Path) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#view[data-ready]")
    page.wait_for_selector("html:not([data-pending])", state="attached")
    page.screenshot(path=picture, animations="disabled")
    size = picture.stat().st_size
    print(f"{picture} ({size / 1000:.0f} kB)")
    if size > MOST_BYTES:
        sys.exit(f"{picture} is larger than {MOST_BYTES / 1000:.0f} kB")


if __name__ == "__main__":
    main()
