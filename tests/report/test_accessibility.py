"""The report for those who read it by keyboard, by ear, in the dark, on paper or on a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from corefscope.report.script import STATIC
from report.report_pages import TABS, Opened, opened

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
ALIKE = {"exclude": [[".systems-lines li:nth-child(n + 6)"]]}
"""Hundreds of lines like the first ones, which would take most of the time."""
CONTRAST = {"type": "rule", "values": ["color-contrast"]}
"""The one rule of these that colours matter to: the dark page has the same elements."""
PALETTES = {"light": 0, "dark": 1, "chosen dark": 2}
"""The places of the palettes in the style."""


def violations(demo: Opened, rules: Any = RULES) -> list[str]:
    """Return what axe finds, as lines that say where.

    It is evaluated by the debugger, which the content policy of the page does not concern.
    """
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found: Any = Axe().run(demo.page, context=ALIKE, options=options).response
    # Rules must have been applied: an empty answer would look like a page without faults.
    assert found["passes"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def nameless(demo: Opened) -> list[Any]:
    """Return the controls without a name, as the browser tells readers of the screen."""
    session = demo.page.context.new_cdp_session(demo.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    roles = {"button", "link", "textbox", "searchbox", "checkbox", "combobox", "slider", "radio"}
    controls = [
        node for node in nodes if not node["ignored"] and node["role"].get("value") in roles
    ]
    assert len(controls) > 10
    return [node for node in controls if not node.get("name", {}).get("value", "").strip()]


def turn_to(demo: Opened, tab: str) -> None:
    """Open another tab of the page that is loaded."""
    demo.move(f"tab={tab}")
    demo.wait(tab)


# ---- axe ----


@pytest.mark.parametrize("tab", TABS)
def test_axe_and_control_names(demo: Opened, tab: str) -> None:
    demo.open(f"tab={tab}")
    assert violations(demo) == []
    assert nameless(demo) == []
    demo.page.emulate_media(color_scheme="dark")
    assert violations(demo, CONTRAST) == []
    demo.page.emulate_media(color_scheme="light")
    assert demo.evaluate("window.violations") == []


# ---- colours ----


def palettes() -> list[dict[str, str]]:
    """Return the variables of the style that are colours: light, dark, and dark by choice."""
    style = (STATIC / "shared" / "style.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", style)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})\b", block)) for block in blocks]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_formula() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("name", PALETTES)
def test_colours_stand_out_from_the_paper(name: str) -> None:
    assert len(palettes()) == len(PALETTES)
    palette = palettes()[PALETTES[name]]
    for text in ("ink", "soft", "accent", "good", "bad", "missing", "extra", "focus"):
        for ground in ("paper", "shade"):
            assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground)
    for number in range(1, 9):
        # Not 3, which is enough for shapes: numbers are written on bars in the colour of the paper.
        assert contrast(palette[f"h{number}"], palette["paper"]) >= 4.5, number


def test_both_dark_palettes_are_the_same() -> None:
    _, dark, chosen = palettes()
    assert dark == chosen


# ---- keys ----


def test_keyboard_walk_from_errors_to_document(demo: Opened) -> None:
    demo.complaints.clear()
    demo.open("")
    press = demo.page.keyboard.press
    press("g")
    press("e")
    demo.wait("errors")
    press("j")
    assert demo.evaluate("document.activeElement.id") == "errors-table"
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        press(key)
    table = demo.page.locator("#errors-table")
    expect(table).to_have_attribute("aria-activedescendant", "errors-row-1")
    expect(demo.page.locator("#errors-row-1")).to_have_attribute("aria-selected", "true")
    href = demo.page.locator("#errors-row-1 a").get_attribute("href")
    press("Enter")
    demo.wait("document")
    assert f"#{demo.address}" == href
    # The table that had the focus is gone; the focus is in what came instead.
    assert demo.evaluate("document.activeElement.closest('#view') !== null")
    before = demo.address
    press("j")
    demo.page.wait_for_function("(before) => location.hash.slice(1) !== before", arg=before)
    press("k")
    demo.page.wait_for_function("(before) => location.hash.slice(1) === before", arg=before)
    press("Escape")
    demo.page.wait_for_function("() => !location.hash.includes('error=')")
    assert demo.complaints == []


# ---- motion, paper, small windows ----


@pytest.fixture(scope="module")
def narrow(browser: Browser, demo_report: Path) -> Iterator[Opened]:
    with opened(browser, demo_report) as page:
        page.page.set_viewport_size({"width": 400, "height": 800})
        page.open("")
        yield page


SCROLLED = {"type": "rule", "values": ["scrollable-region-focusable"]}


@pytest.mark.parametrize("tab", TABS)
def test_narrow_window(narrow: Opened, tab: str) -> None:
    turn_to(narrow, tab)
    for element in ("document.documentElement", "document.getElementById('view')"):
        assert narrow.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), element
    assert violations(narrow, SCROLLED) == []
