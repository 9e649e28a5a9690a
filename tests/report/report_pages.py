"""Reports as a user makes them, and a page in a browser that keeps what it has done so far."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Browser, Dialog, Page, expect

from corefscope.cli import main

TABS = ("overview", "systems", "errors", "document", "entities", "names", "statistics", "data")
PATIENCE = 120_000
"""Milliseconds after which something will not come any more, also on a slow and busy computer."""
THROTTLE = float(os.environ.get("COREFSCOPE_TEST_THROTTLE", "1"))
"""How many times slower the browser's scripts run than they could: races show at 6."""
expect.set_options(timeout=PATIENCE)

SETTLED = """(most) => new Promise((done, fail) => {
  let frames = 0;
  const look = () => {
    frames += 1;
    if (frames >= 2 && !("pending" in document.documentElement.dataset)) done();
    else if (frames > most) fail(new Error("the page is still drawing"));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
"""Wait until nothing is pending, and at least two frames: a page hears in the next one that it
was scrolled or has another size."""
MOST_FRAMES = 60 * PATIENCE // 1000
MOVE = """([move, given]) => new Promise((done) => {
  const before = location.hash;
  addEventListener("popstate", () => done(), { once: true });
  if (move === "back") history.back();
  else location.hash = given;
  if (move === "go" && location.hash === before) done();
})"""
"""Go to another address of the page; done when the page has heard of it."""


NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Browsers, the fastest first: the shell is Chromium without windows, menus and address bar."""

UNUSED = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "OptimizationHints", "PaintHolding", "ThirdPartyStoragePartitioning",
)  # fmt: skip
"""Parts of Chromium that no test needs.

The first two load pages for the address bar of every window, which takes as long as loading a
report. The others are those that Playwright turns off and that matter here: the browser heeds
only the last list it is given.
"""
# A page of our own needs no sandbox, which root and containers cannot have.
ARGUMENTS = ("--no-sandbox", f"--disable-features={','.join(UNUSED)}")


def find_browser() -> str | None:
    """Return where a browser is: the one that CHROMIUM names, or one of Debian or Google."""
    names = (os.environ.get("CHROMIUM", ""), *NAMES)
    return next((found for name in names if name and (found := shutil.which(name))), None)


def write_report(output: Path, *arguments: str | Path) -> Path:
    """Write a report by the command, as a user does."""
    given = ["report", *map(str, arguments), "-o", str(output)]
    done = CliRunner().invoke(main, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return output


def chunk_of(report: Path, id: str) -> Any:
    """Return the JSON that a page holds."""
    text = report.read_text(encoding="utf-8")
    found = re.search(rf'id="chunk-{id}">([^<]*)<', text)
    assert found
    return unpacked(found[1])


def unpacked(chunk: str) -> Any:
    """Return the JSON that is packed."""
    return json.loads(gzip.decompress(b64decode(chunk)).decode("utf-8", "surrogatepass"))


class Opened:
    """A report in a browser: what it complained of and asked for is kept."""

    def __init__(self, page: Page, report: Path) -> None:
        self.page = page
        self.url = report.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.loads = 0
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(f"thrown: {error}"))
        page.on("console", lambda line: self._hear(line.type, line.text))
        page.on("request", lambda request: self.requests.append(request.url.split("?")[0]))
        page.on("dialog", self._dismiss)
        page.add_init_script(
            "window.violations = [];"
            "addEventListener('securitypolicyviolation', (event) =>"
            " window.violations.push(`${event.violatedDirective} ${event.sourceFile}`));"
        )

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{kind}: {text}")

    def _dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, address: str) -> None:
        """Load the page afresh at an address such as ``tab=errors``."""
        # With another query it is another page to the browser, which would only scroll otherwise.
        query = f"?{self.loads}" if self.loads else ""
        self.loads += 1
        self.page.goto(f"{self.url}{query}#{address}")
        self.wait()

    def go(self, tab: str, address: str) -> None:
        """Go to an address from another tab, without loading the page again."""
        self.open("tab=statistics")
        self.move(address)
        self.wait(tab)

    def move(self, address: str) -> None:
        """Go to an address as a link does, without loading the page again."""
        self.page.evaluate(MOVE, ["go", address])
        self.settle()

    def back(self) -> None:
        """Go back as the button of the browser does."""
        self.page.evaluate(MOVE, ["back", None])
        self.settle()

    def scroll(self, selector: str, to: float) -> None:
        """Scroll an element, and wait for what the page does then."""
        self.page.locator(selector).evaluate("(each, to) => { each.scrollTop = to; }", to)
        self.settle()

    def settle(self) -> None:
        """Wait until the page has drawn and noted all that it has begun."""
        self.page.evaluate(SETTLED, MOST_FRAMES)

    def wait(self, tab: str | None = None) -> None:
        """Wait for a tab to be drawn, or for any."""
        self.page.wait_for_selector(f'#view[data-ready="{tab}"]' if tab else "#view[data-ready]")
        self.settle()

    @property
    def address(self) -> str:
        """The address when the page is done."""
        return str(self.evaluate("location.hash.slice(1)"))

    @property
    def text(self) -> str:
        """The text of the view when the page is done."""
        self.settle()
        return self.page.locator("#view").inner_text()

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Run a script when the page is done."""
        self.settle()
        return self.page.evaluate(script, given)


CLICK_ALL = """async ([tab, first, step]) => {
  const view = document.getElementById("view");
  const isPending = () => "pending" in document.documentElement.dataset;
  const until = async (test) => {
    while (!test()) await new Promise((done) => setTimeout(done, 10));
  };
  const found = [];
  for (let place = first; ; place += step) {
    const counted = view.querySelectorAll("[data-count]")[place];
    if (!counted) return found;
    const says = Number(counted.dataset.count);
    const before = location.hash;
    counted.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const address = location.hash.slice(1);
    if (location.hash === before) continue;
    if (address.includes("tab=errors")) {
      await until(() => view.dataset.ready === "errors" && !isPending());
      const rows = Number(view.querySelector("#errors-table").getAttribute("aria-rowcount")) - 1;
      found.push([address, says, rows]);
    }
    history.back();
    await until(() => location.hash === before && view.dataset.ready === tab && !isPending());
  }
}"""
"""Click everything that shows a count, from the first one in steps; return where each click led,
the count, and the number of rows."""


def panel_rows(page: Opened, panel: str) -> list[list[str]]:
    """Return the cells of the table of a panel, such as ``overview-types``."""
    page.settle()
    rows = page.page.locator(f"#{panel} tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def percent(value: float | None) -> str:
    """Write a fraction as the page does."""
    return "–" if value is None else f"{100 * value:.2f}"


def points(value: float) -> str:
    """Write a difference as the page does."""
    return f"{100 * value:+.2f}".replace("-", "−").replace("−0.00", "+0.00")


def document_name(name: str) -> str:
    """Write the name of a document as the page does."""
    return re.sub(r"^\((.*)\); part 0+$", r"\1", name)


def write_lines(path: Path, documents: Iterable[Mapping[str, Any]]) -> Path:
    """Write documents as JSON lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return path


def write_clusters(path: Path, clusters: Mapping[str, Any]) -> Path:
    """Write documents of the same four words, with the clusters that are given by their names."""
    words = {"sentences": [["Anna", "saw", "her", "cat"]]}
    return write_lines(
        path, ({"doc_key": name, "clusters": each} | words for name, each in clusters.items())
    )


@contextmanager
def opened(browser: Browser, report: Path) -> Iterator[Opened]:
    """Open a report in a browser that knows nothing of the others, and has no network."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    try:
        page = context.new_page()
        if THROTTLE > 1:
            session = context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        yield Opened(page, report)
    finally:
        context.close()
