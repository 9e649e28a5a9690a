"""``corefscope formats`` lists the formats, and describes each of them."""

from __future__ import annotations

import re

import pytest

from commands import Command
from corefscope.formats.registry import FORMATS

LIST = Command("formats")


def test_all_formats_are_listed() -> None:
    lines = LIST.printed().splitlines()
    assert [line.split()[0] for line in lines] == sorted(FORMATS)
    assert "brat           brat annotations (also written)" in lines


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_described(name: str) -> None:
    shown = LIST.printed(name)
    assert shown.startswith(f"{name}: {FORMATS[name].title}\n\n")
    assert f"  *{FORMATS[name].endings[0]}" in shown
    # A convention is described in three rows.
    assert ("the first number is" in shown) == (FORMATS[name].convention is not None)


@pytest.mark.parametrize("name", FORMATS)
def test_a_description_is_plain_text(name: str) -> None:
    """There are no signs of Markdown; an asterisk may be one of the format itself."""
    shown = LIST.printed(name)
    assert not re.search(r"`|\]\([^)]*\.md|\*\w+\*|^\|", shown, re.MULTILINE)


def test_emphasis_becomes_quotes() -> None:
    shown = LIST.printed("brat")
    assert "'coref', 'anaphor' or 'cataphor'" in shown and "*⇥Equiv" in shown


def test_a_name_that_is_almost_right_is_corrected() -> None:
    status, message = LIST.refused("bratt")
    assert status == 2 and "no format named 'bratt'; did you mean brat?" in message
