"""The points that measure the report: how it is made, and how it behaves in a browser.

As a script: open a report in a browser, and print what that takes as JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from points import MEGABYTE, Row, Settings, all_files, files
from processes import HERE, Run, best_of, corefscope, script

DOCUMENTS, SYSTEMS = 100, 3
LARGEST, LONGEST = 15, 20
"""Megabytes and seconds that a report of so many documents may take."""
FIRST_VIEW, FILTERED = 3_000, 200
"""Milliseconds until a book is seen, and until a filter has its effect."""
SMOOTH = 50
"""Frames a second while one scrolls."""
SCROLLED = {"document": "#doc-scroll", "errors": "#errors-table"}
"""What scrolls in a view."""
MANY_SYSTEMS = 8
"""Responses to `news-systems` that have more than 50,000 errors together."""
END = "#end document\n"
CLICKS = 6
"""Filters that are set or unset; the slowest counts."""
CLICK = """
async (place) => {
  const boxes = document.querySelectorAll("fieldset input[type=checkbox]");
  const before = location.hash;
  const began = performance.now();
  boxes[place % boxes.length].click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const taken = performance.now() - began;
  if (location.hash === before) throw new Error("nothing was filtered");
  return taken;
}
"""
"""Set a filter, and wait until the browser has painted what comes of it."""
SCROLL = """
async (name) => {
  const place = document.querySelector(name);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let frames = 0;
  const began = await frame();
  for (let now = began; now - began < 2000; now = await frame()) {
    place.scrollTop += 120;
    frames += 1;
  }
  return frames / 2;
}
"""
"""Scroll by some lines in every frame for two seconds; return the frames a second."""


def many_documents(settings: Settings) -> Iterator[Row]:
    """Measure (n): 100 documents and three systems, in one file and split."""
    paths = _first_documents(all_files("news-systems")[: SYSTEMS + 1])
    named = f"{DOCUMENTS} documents × {SYSTEMS} systems"
    for split in ((), ("--split",)):
        taken, size, rival, _ = _made(settings, paths, *split)
        what = " ".join([named, *split])
        yield _timed("n", what, taken, rival, LONGEST)
        megabytes = size / MEGABYTE
        met = megabytes <= LARGEST
        yield Row("n", what, megabytes, "MB", target=f"≤ {LARGEST} MB", met=met)


def one_book(settings: Settings) -> Iterator[Row]:
    """Measure (o): a document of 200,000 tokens, and how soon it is seen."""
    taken, size, rival, seen = _made(settings, files("book"), address="tab=document")
    yield _timed("o", f"book, 200,000 tokens, {size / MEGABYTE:.1f} MB", taken, rival)
    yield _in_browser("o", "book: first view of the document", seen.get("first"), FIRST_VIEW)
    yield _scrolled("o", "book", seen.get("frames"))


def many_errors(settings: Settings) -> Iterator[Row]:
    """Measure (p): the table of more than 50,000 errors, and how soon a filter has its effect."""
    paths = all_files("news-systems")[: MANY_SYSTEMS + 1]
    all_systems = "".join(f"&f.system={number}" for number in range(MANY_SYSTEMS))
    taken, size, rival, seen = _made(settings, paths, address=f"tab=errors{all_systems}")
    named = f"348 documents × {MANY_SYSTEMS} systems, {size / MEGABYTE:.1f} MB"
    yield _timed("p", named, taken, rival)
    yield _in_browser("p", "first view of all errors", seen.get("first"))
    rows = f"{int(seen.get('errors', 0)):,} errors"
    yield _in_browser("p", f"a filter changed, {rows}", seen.get("filter"), FILTERED)
    yield _scrolled("p", "table of errors", seen.get("frames"))


def _made(
    settings: Settings, paths: tuple[str, ...], *options: str, address: str = ""
) -> tuple[Run, int, Run, dict[str, float]]:
    """Make a report; return what it took, its bytes, what scoring took, and what a browser says."""
    with TemporaryDirectory() as directory:
        output = Path(directory) / "report"
        taken, rival = best_of(
            settings.few,
            corefscope("report", *paths, *options, "-o", str(output)),
            corefscope("score", *paths),
        )
        written = output.rglob("*") if output.is_dir() else [output]
        size = sum(path.stat().st_size for path in written if path.is_file())
        seen: dict[str, float] = {}
        if address and browser():
            page = output.rename(output.with_suffix(".html"))
            (opened,) = best_of(1, script("report_points.py", str(page), address))
            seen = json.loads(opened.output)
        return taken, size, rival, seen


def _timed(point: str, what: str, taken: Run, rival: Run, limit: float | None = None) -> Row:
    target, met = (f"≤ {limit} s", taken.wall <= limit) if limit else ("", None)
    ratio = taken.wall / rival.wall
    return Row(point, what, taken.wall, "s", taken.cpu, rival.wall, ratio, target, met)


def _in_browser(point: str, what: str, value: float | None, limit: float | None = None) -> Row:
    """Return a row; without a browser or its driver nothing is measured."""
    if value is None:
        return Row(point, f"{what}: no browser", None, "ms")
    target, met = (f"≤ {limit} ms", value <= limit) if limit else ("", None)
    return Row(point, what, value, "ms", target=target, met=met)


def _scrolled(point: str, what: str, frames: float | None) -> Row:
    target, met = f"≥ {SMOOTH} a second", None if frames is None else frames >= SMOOTH
    return Row(point, f"{what}: frames while scrolling", frames, "a second", target=target, met=met)


def _first_documents(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Cut files after some documents."""
    place = HERE / "data" / f"report-{DOCUMENTS}"
    place.mkdir(exist_ok=True)
    for path in map(Path, paths):
        documents = path.read_text(encoding="utf-8").split(END)[:DOCUMENTS]
        (place / path.name).write_text(END.join([*documents, ""]), encoding="utf-8")
    return tuple(str(place / Path(path).name) for path in paths)


def browser() -> str | None:
    """Return where a browser is, if its driver is there, too."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        return None
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))


def measure(page: Path, address: str) -> dict[str, float]:
    """Open a report at an address; then change filters, where there are any."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # A page of our own needs no sandbox, which root and containers cannot have.
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        shown = chromium.new_page(viewport={"width": 1440, "height": 900})
        began = perf_counter()
        shown.goto(f"{page.as_uri()}#{address}")
        shown.wait_for_selector("#view[data-ready]", timeout=120_000)
        taken = {"first": 1000 * (perf_counter() - began)}
        tab = address.partition("&")[0].removeprefix("tab=")
        taken["frames"] = shown.evaluate(SCROLL, SCROLLED[tab])
        if tab == "errors":
            times = [shown.evaluate(CLICK, place) for place in range(CLICKS)]
            taken["filter"] = max(times)
            taken["errors"] = shown.evaluate(COUNT)
        chromium.close()
    return taken


COUNT = """
async () => {
  const packed = document.getElementById("chunk-errors").textContent;
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()).id.length;
}
"""
"""Count the errors that the page holds."""

REPORT_POINTS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "n": many_documents,
    "o": one_book,
    "p": many_errors,
}

if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), sys.argv[2])))
