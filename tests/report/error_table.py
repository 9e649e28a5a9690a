"""The errors of a report as its JSON has them, and the table of them that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from report.report_pages import Opened

Filters = Mapping[str, Sequence[str]]
CHANGES = {"=": "same", "~": "differently", "-": "right", "+": "right"}


def rows_of(errors: Any, document: int, system: int) -> list[int]:
    """Return the errors of a system in a document, in the order of the text."""
    rows = range(len(errors["id"]))
    found = [r for r in rows if (errors["document"][r], errors["system"][r]) == (document, system)]
    return sorted(found, key=lambda row: (errors["start"][row], row))


class Table:
    """The errors of the JSON, and which of them a choice leaves."""

    def __init__(self, summary: Any, errors: Any) -> None:
        self.summary = summary
        self.errors = errors
        self.rows = range(len(errors["id"]))
        letters = [system["letter"] for system in summary["systems"]]
        making: dict[str, set[str]] = {}
        for id, system in zip(errors["id"], errors["system"], strict=True):
            making.setdefault(id, set()).add(letters[system])
        self.makers = [" ".join(sorted(making[id])) for id in errors["id"]]

    def values(self, facet: str, system: int = 0, versus: int = 1) -> list[str]:
        """Return the value of a facet of every row, found anew."""
        errors = self.errors
        if facet == "change":
            return [self.change(row, versus) for row in self.rows]
        found: dict[str, Callable[[int], str]] = {
            "type": lambda row: str(errors["type"][row]),
            "mention_type": lambda row: str(errors["mention_type"][row]),
            "system": lambda row: str(errors["system"][row]),
            "makers": lambda row: self.makers[row],
            "document": lambda row: str(errors["document"][row]),
            "entity_type": lambda row: errors["entity_type"][row] or "null",
            "distance": lambda row: distance(errors["distance"][row]),
            "entity": self.entity,
            "size": lambda row: size(errors["size"][row]),
            "text": lambda row: (errors["text"][row] or "").lower(),
        }
        return [found[facet](row) for row in self.rows]

    def entity(self, row: int) -> str:
        name = self.errors["entity"][row]
        letter = self.summary["systems"][self.errors["system"][row]]["letter"]
        of = "" if name.startswith("K") else f"/{letter}"
        return f"{self.errors['document'][row]}/{name}{of}"

    def change(self, row: int, versus: int) -> str:
        own = self.errors["system"][row]
        if own == versus:
            return "own"
        for pair in self.summary["changes"]:
            if {pair["before"], pair["after"]} == {own, versus}:
                marks = pair["of_before"] if pair["before"] == own else pair["of_after"]
                return CHANGES[marks[row - self.errors["system"].index(own)]]
        return "same"

    def found(self, row: int, search: str) -> bool:
        names = ("left", "text", "right", "description", "title")
        words = [self.errors[name][row] or "" for name in names]
        document = self.summary["documents"][self.errors["document"][row]]["name"]
        return search.lower() in " ".join([*words, document]).lower()

    def chosen(
        self, filters: Filters, search: str = "", system: int = 0, versus: int = 1
    ) -> set[int]:
        """Return the rows that filters leave; one of systems has to be among them."""
        left = {row for row in self.rows if not search or self.found(row, search)}
        for facet, wanted in filters.items():
            values = self.values(facet, system, versus)
            left = {row for row in left if values[row] in wanted}
        return left


def size(mentions: int) -> str:
    return next(
        (name for most, name in ((1, "1"), (2, "2"), (5, "3–5"), (10, "6–10")) if mentions <= most),
        "more than 10",
    )


def distance(tokens: int | None) -> str:
    if tokens is None:
        return "first of its entity"
    limits = ((10, "up to 10 tokens"), (50, "11–50"), (200, "51–200"))
    return next((name for most, name in limits if tokens <= most), "more than 200")


def address(filters: Filters, **others: str | int) -> str:
    pairs = [(f"f.{facet}", value) for facet, values in filters.items() for value in values]
    return urlencode([("tab", "errors"), *others.items(), *pairs])


def row_count(page: Opened) -> int:
    page.settle()
    return int(page.page.locator("#errors-table").get_attribute("aria-rowcount") or 0) - 1


def heading(page: Opened) -> str:
    page.settle()
    return page.page.locator(".errors-count").inner_text()


def shown_rows(page: Opened) -> list[int]:
    """Return which errors are drawn, in their order."""
    hrefs = page.evaluate(
        "[...document.querySelectorAll('.errors-item a')].map((each) => each.hash.slice(1))"
    )
    return [int(dict(parse_qsl(href))["error"]) for href in hrefs]


FACETS = """() => [...document.querySelectorAll(".errors-value input[name]")].map((each) => [
  each.name, each.value, each.checked,
  Number(each.closest("label").lastElementChild.textContent.replaceAll(",", "")),
])"""
"""The values of facets: facet, value, whether it is ticked, count."""


def entity_key(name: str) -> tuple[str, int]:
    return (name[0], int(name[1:])) if name else ("~", 0)


SORTED: dict[str, Callable[[Any, int], Any]] = {
    "type": lambda e, row: e["type"][row],
    "document": lambda e, row: (e["document"][row], e["start"][row]),
    "text": lambda e, row: f"{e['text'][row]}\n{e['right'][row]}".lower(),
    "description": lambda e, row: e["description"][row].lower(),
    "mention_type": lambda e, row: e["mention_type"][row],
    "entity": lambda e, row: entity_key(e["entity"][row]),
    "size": lambda e, row: e["size"][row],
    "distance": lambda e, row: -1 if e["distance"][row] is None else e["distance"][row],
    "entity_type": lambda e, row: e["entity_type"][row] or "~",
    "other": lambda e, row: entity_key(e["other"][row]),
}
