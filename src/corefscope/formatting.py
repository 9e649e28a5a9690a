"""The formats in which values are printed for people.

Each table column and each metric has one of these formats. JSON and CSV contain the values
themselves, unrounded.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import ClassVar, TypeAlias
from unicodedata import combining, east_asian_width

from msgspec import Struct

from corefscope.escaping import visible

Value: TypeAlias = str | int | float | None
"""The value of a table cell; None is an empty cell."""


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number and its noun: ``1 document``, ``2,000 documents``."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


LONGEST = 40
"""The maximum width of a mention in a sentence, in columns."""
NARROW = re.compile(r"[\x00-\u02ff\u2010-\u2027]*")
"""Latin letters and their punctuation, which take one column each."""


def display_width(text: str) -> int:
    """Return the width of a text on a terminal: East Asian characters take two columns."""
    if NARROW.fullmatch(text):
        return len(text)
    return sum(_width_of(character) for character in text)


def _width_of(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut_right(text: str, width: int = LONGEST) -> str:
    """Shorten a text that is too wide at its end, and mark the cut with an ellipsis."""
    if display_width(text) <= width:
        return text
    if NARROW.fullmatch(text):
        return f"{text[: width - 1]}…" if width > 0 else ""
    room = accumulate(map(_width_of, text))
    return text[: sum(used < width for used in room)] + "…" if width > 0 else ""


def cut_left(text: str, width: int) -> str:
    """Shorten a text that is too wide at its beginning, and mark the cut with an ellipsis."""
    return cut_right(text[::-1], width)[::-1]


class TextFormat(Struct, frozen=True, kw_only=True):
    """Text, with control characters escaped."""

    is_number: bool = False
    """Whether it consists of numbers, such as a fraction, and is therefore right-aligned."""
    absent: str = ""
    """What is printed for a missing value."""
    most: int | None = None
    """The width to which a text is cut; None for any."""

    def shown(self, value: Value) -> str:
        """Return the value as printed."""
        text = self.absent if value is None else visible(str(value))
        return text if self.most is None else cut_right(text, self.most)


class NumberFormat(Struct, frozen=True, kw_only=True):
    """A number with a fixed number of digits after the point."""

    scale: int = 1
    digits: int = 0
    is_signed: bool = False
    """Whether positive numbers have a sign, as in differences."""
    is_grouped: bool = False
    """Whether thousands are separated by commas."""
    absent: str = ""
    """What is printed for a missing value."""

    is_number: ClassVar[bool] = True

    def shown(self, value: Value) -> str:
        """Return the value as printed."""
        if value is None or value != value:
            return self.absent
        if isinstance(value, str):
            raise TypeError(f"found the string {value!r} in a column of numbers; expected a number")
        sign, comma = "+" * self.is_signed, "," * self.is_grouped
        text = f"{self.scale * value:{sign}{comma}.{self.digits}f}"
        # Differences of floats are rarely exactly zero: print "+0.00" or "0.00", not "-0.00".
        return text if text.strip("+-0.") else text.replace("-", sign)


class PValue(Struct, frozen=True):
    """A p-value with four digits, or in scientific notation if it is smaller than that."""

    is_number: ClassVar[bool] = True

    def shown(self, value: Value) -> str:
        """Return the value as printed; a dash if there was no test."""
        if value is None:
            return ABSENT
        return f"{value:.4f}" if float(value) >= 0.00005 else f"{value:.1e}"


ABSENT = "–"
"""What tables show if there is no interval, no p-value, or nothing to count."""

TEXT = TextFormat()
FIGURES = TextFormat(is_number=True)
"""Text made of numbers, such as ``43/378``."""
INTERVAL = TextFormat(is_number=True, absent=ABSENT)
COUNT = NumberFormat()
LARGE_COUNT = NumberFormat(is_grouped=True)
NET_COUNT = NumberFormat(is_signed=True)
"""The difference of two counts."""
MEAN = NumberFormat(digits=1)
"""The mean of counts."""
DECIMAL = NumberFormat(digits=2)
"""A number that is not a fraction, such as a mean length."""
PERCENT = NumberFormat(scale=100, digits=2)
"""A fraction as a percentage."""
SHARE = NumberFormat(scale=100, digits=2, absent=ABSENT)
"""A percentage of some mentions; a dash if there are none."""
POINTS = NumberFormat(scale=100, digits=2, is_signed=True)
"""The difference of two fractions in percentage points."""
P_VALUE = PValue()


class FigureUnit(Struct, frozen=True, kw_only=True):
    """The unit of a score, and how scores and differences are printed in it."""

    name: str
    """The unit of a difference."""
    value: NumberFormat
    change: NumberFormat
    """The format of a difference of two scores."""
    limit: NumberFormat
    """The format of the limits of an interval, which need fewer digits."""

    def applied_to(
        self, format: TextFormat | NumberFormat | PValue
    ) -> TextFormat | NumberFormat | PValue:
        """Return the format that a score or a difference of scores has in this unit."""
        return self.value if format is PERCENT else self.change if format is POINTS else format


FRACTION = FigureUnit(
    name="points", value=PERCENT, change=POINTS, limit=NumberFormat(scale=100, digits=1)
)
"""The unit of nearly all scores: fractions, printed as percentages."""
NATS = FigureUnit(
    name="nats",
    value=NumberFormat(digits=4),
    change=NumberFormat(digits=4, is_signed=True),
    limit=NumberFormat(digits=3),
)
"""The unit of an entropy."""
