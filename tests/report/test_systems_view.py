"""Systems: every number is that of the other commands, and leads to as many rows."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from corefscope import analyze
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis
from corefscope.error_analysis.changes import changes
from report.report_pages import (
    CLICK_ALL,
    Opened,
)

COLUMNS = {
    "fixed": "fixed",
    "before": "differently_before",
    "same": "unchanged",
    "after": "differently_after",
    "broken": "broken",
}
"""The columns of what changed, by the names that they have in the page and in Python."""
LISTED = 200


@pytest.fixture(scope="module")
def analyses() -> list[Analysis]:
    return [analyze(KEY, response) for response in RESPONSES.values()]


def number(demo: Opened, id: str) -> int:
    """Return the number that an element shows."""
    demo.settle()
    return int(demo.page.locator(f"#{id}").inner_text().replace(",", ""))


# ---- scores ----


def test_the_matrix_is_that_of_the_json(demo: Opened, summary: Any) -> None:
    demo.open("tab=systems&system=1")
    compared = summary["comparison"]
    verdicts = {
        (each["system"], each["statistic"]): each["verdict"]
        for each in compared["comparisons"]
        if each["verdict"]
    }
    assert len(verdicts) == 2
    for place, system in enumerate(compared["systems"]):
        for statistic, score in system["scores"].items():
            cell = demo.page.locator(f'[data-statistic="{statistic}"][data-system="{place}"]')
            text = cell.inner_text()
            assert f"{100 * score['value']:.2f}" in text
            assert f"{100 * score['low']:.2f}–{100 * score['high']:.2f}" in text
            by = 100 * (score["value"] - compared["systems"][1]["scores"][statistic]["value"])
            assert place == 1 or f"{by:+.2f}".replace("-", "−") in text
            verdict = verdicts.get((system["name"], statistic))
            assert text.endswith(verdict) if verdict else "significant" not in text


# ---- errors by type ----


# ---- shared errors ----


# ---- what changed ----


@pytest.mark.parametrize(("active", "other"), [*permutations(range(3), 2)])
def test_changes_are_those_of_the_analyses(
    demo: Opened, analyses: list[Analysis], active: int, other: int
) -> None:
    changed = changes(analyses[other], analyses[active])
    demo.open(f"tab=systems&system={active}&versus={other}")
    for column, name in COLUMNS.items():
        for type, counts in changed.by_type.items():
            assert number(demo, f"systems-{column}-{type}") == getattr(counts, name)
        total = getattr(changed.counts, name)
        assert number(demo, f"systems-{column}-all") == total
        assert number(demo, f"systems-count-{column}") == total
    for column in ("fixed", "broken", "same"):
        lines = demo.page.locator(f'[data-change="{column}"] li')
        assert lines.count() == min(getattr(changed.counts, COLUMNS[column]), LISTED)
    exchanges = demo.page.locator('[data-change="differently"] li')
    assert exchanges.count() == min(len(changed.differently), LISTED)


CLICKED = [
    "tab=systems&system=2&versus=1",
    "tab=systems&f.change=differently&f.mention_type=pronoun&o.errors.group=type&o.errors.flagged=only",
    "tab=systems&system=1&versus=2&f.system=0&f.system=1&search=the",
    "tab=systems&f.type=missing_mention&f.type=divided_entity",
    "tab=systems&f.system=0&f.system=1&f.change=own&f.change=right",
]


@pytest.mark.parametrize("address", CLICKED)
def test_every_count_leads_to_so_many_rows(demo: Opened, address: str) -> None:
    """With filters every third count is clicked, from another first one for each address."""
    place = CLICKED.index(address)
    first, step = (place % 3, 3) if place else (0, 1)
    demo.complaints.clear()
    demo.open(address)
    counts = demo.page.locator("#view [data-count]").count()
    found = demo.evaluate(CLICK_ALL, ["systems", first, step])
    assert counts > 20 and len(found) == len(range(first, counts, step))
    assert [each for each in found if each[1] != each[2]] == []
    assert demo.complaints == []


LINES = [
    '[data-change="broken"] .systems-line',
    '[data-change="same"] .systems-line',
    '[data-change="differently"] .systems-side:first-of-type .systems-line',
    '[data-change="differently"] .systems-arrow + .systems-side .systems-line',
]


# ---- documents ----


# ---- one system ----
