"""How many elements a page makes: what is not shown need not be made."""

from __future__ import annotations

from report.report_pages import Opened

COUNT = """() => {
  const make = document.createElement;
  window.made = {};
  document.createElement = function (name) {
    window.made[name] = (window.made[name] ?? 0) + 1;
    return make.call(document, name);
  };
}"""


def count_made(page: Opened) -> None:
    """Count the elements that are made from now on, until the page is loaded again."""
    page.evaluate(COUNT)


def made(page: Opened, name: str) -> int:
    """Return how many elements of a name were made."""
    return int(page.evaluate("(name) => window.made[name] ?? 0", name))
