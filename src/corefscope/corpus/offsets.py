"""Offset conventions of files and programs, and the conversion to those of a corpus.

A corpus counts the tokens of each document from 0, and a mention is its first and last token. A
file may count something else: see :data:`Unit`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from corefscope.exceptions import UnknownName
from corefscope.findings import Code, Finding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Base: TypeAlias = Literal[0, 1]
Ends: TypeAlias = Literal["inclusive", "exclusive", "length"]
"""What the second number of a span is: the last position, the one after it, or a length."""
Unit: TypeAlias = Literal["token", "sentence", "piece", "character", "utf16", "byte"]
"""What positions count: tokens of the document, tokens of a sentence, word pieces, Unicode code
points, UTF-16 units (as Java does), or bytes of UTF-8."""

W = TypeVar("W")
Positions = TypeVar("Positions", int, "NDArray[np.int64]")
"""A position, or an array of positions."""

OF_TEXT: tuple[Unit, ...] = ("character", "utf16", "byte")
"""The units that count the text, and not its tokens."""
UNITS: dict[Unit, str] = {
    "token": "tokens of the document",
    "sentence": "tokens of a sentence",
    "piece": "word pieces",
    "character": "characters (Unicode code points)",
    "utf16": "UTF-16 units",
    "byte": "bytes of UTF-8",
}
"""What positions count, in words."""


class Convention(Struct, frozen=True):
    """An offset convention: the first number, the meaning of a span's end, and what is counted."""

    base: Base = 0
    ends: Ends = "inclusive"
    unit: Unit = "token"

    def __post_init__(self) -> None:
        if self.base not in get_args(Base) or isinstance(self.base, bool):
            raise UnknownName("choice of base", str(self.base), map(str, get_args(Base)))
        if self.ends not in get_args(Ends):
            raise UnknownName("choice of ends", str(self.ends), get_args(Ends))
        if self.unit not in get_args(Unit):
            raise UnknownName("unit of offsets", str(self.unit), get_args(Unit))

    @property
    def shift(self) -> tuple[int, int]:
        """What is added to starts and ends to convert them."""
        return -self.base, -self.base - (self.ends == "exclusive")

    def convert(self, start: Positions, end: Positions) -> tuple[Positions, Positions]:
        """Return the first and the last position of spans, counted from 0."""
        if self.ends == "length":
            return start - self.base, start - self.base + end - 1
        return start - self.base, end - self.base - (self.ends == "exclusive")

    def of(self, first: int, last: int) -> tuple[int, int]:
        """Return how a span from a first to a last position, counted from 0, is written."""
        if self.ends == "length":
            return first + self.base, last - first + 1
        return first + self.base, last + self.base + (self.ends == "exclusive")

    def expected(self, tokens: int | None = None) -> str:
        """Describe the valid spans of a text; ``tokens`` is its length, if known."""
        if self.ends == "length":
            return f"{self.base} <= first, and 1 <= length"
        less, last = ("<=", "last") if self.ends == "inclusive" else ("<", "end")
        _, to_end = self.shift
        number = "is 1 token" if tokens == 1 else f"are {tokens} tokens"
        limit = "" if tokens is None else f" <= {tokens - 1 - to_end} (there {number})"
        return f"{self.base} <= first {less} {last}{limit}"

    def suggestion(self, start: int, end: int, tokens: int | None) -> Suggestion | None:
        """Return the other convention that an invalid span suggests, if any."""
        if self.ends != "length" and end < start:
            is_length = end > 0 and (tokens is None or start - self.base + end <= tokens)
            reason = "the second number is a length, and not a last position before the first"
            return Suggestion(reason, replace(self, ends="length")) if is_length else None
        if start == 0 < self.base:
            return Suggestion("positions are counted from 0", replace(self, base=0))
        if self.ends == "exclusive" and start == end:
            return Suggestion("the ends of spans are inclusive", replace(self, ends="inclusive"))
        if (self.base, self.ends) != (0, "inclusive") or tokens is None or end != tokens:
            return None
        if start < end:
            return Suggestion("the ends of spans are exclusive", replace(self, ends="exclusive"))
        return Suggestion("tokens are counted from 1", replace(self, base=1))

    def options(self, usual: Convention | None = None) -> list[tuple[str, str | int]]:
        """Return the parts that differ from the usual ones, which are those of a corpus."""
        usual = usual or DEFAULT
        parts: list[tuple[str, str | int, str | int]] = [
            ("unit", self.unit, usual.unit),
            ("base", self.base, usual.base),
            ("ends", self.ends, usual.ends),
        ]
        return [(name, value) for name, value, other in parts if value != other]

    def as_arguments(self) -> str:
        """Return Python arguments that convert offsets of this convention."""
        start, end = (f" - {-by}" if by else "" for by in self.shift)
        return f"entity, start{start}, end{end}"

    def changes_from(self, other: Convention) -> list[Literal["base", "ends"]]:
        """Return which parts differ from those of another convention."""
        base: list[Literal["base", "ends"]] = ["base"] if self.base != other.base else []
        return base + (["ends"] if self.ends != other.ends else [])


class Verdict(NamedTuple):
    """A way of counting positions that fits what was observed far better than that of reading.

    All evidence is judged so: strings in a file, edges of words, mentions of the key, names.
    """

    looks: str
    """What is other than it is read, such as "ends look exclusive"."""
    observed: str
    """What was observed, in words, such as "strings match"."""
    total: int
    as_read: int
    """How many of them fit as positions are read."""
    otherwise: int
    """How many fit if they are counted in the other way."""
    expected: str
    advice: str
    """What to do about it."""
    so: str = "so"
    """How they are counted in the other way, in words."""

    def finding(self, code: Code, file: str | None = None) -> Finding:
        """Say what speaks against the convention, and what to do about it."""
        return Finding(
            code,
            f"{self.looks}: {self.otherwise:,} of {self.total:,} {self.observed} {self.so}, "
            f"{self.as_read:,} as they are read",
            expected=f"{self.expected}: {self.advice}",
            file=file,
        )


def fittest(ways: Iterable[W], fits: Callable[[W], int]) -> tuple[W, int]:
    """Return the way of counting that most observations fit, and how many; the first of several."""
    best = max(ways, key=fits)
    return best, fits(best)


class Suggestion(NamedTuple):
    """A convention that would explain an invalid span."""

    reason: str
    """What is true of the file if the convention is the right one."""
    convention: Convention


ARRAYS = "arrays"
"""The format of arrays of numbers in memory."""
TABLE = "tables"
"""The format of tables of mentions and entities, which are one document each."""
DEFAULT = Convention()
"""The convention of a corpus."""
CHARACTERS = Convention(0, "exclusive", "character")
TOKENS = Convention(0, "exclusive", "token")
"""Slices of a text and of a list of tokens, as in Python."""
SHIFTS: Sequence[Ends] = ("inclusive", "exclusive")
"""The meanings of ends that differ by a constant."""
CONVENTIONS = tuple(Convention(base, ends) for base in get_args(Base) for ends in SHIFTS)
"""The conventions that differ from the default by a constant."""


class Offsets(Struct, frozen=True, kw_only=True):
    """Where the offsets of a corpus come from, and how they were read."""

    format: str = ""
    """The name of the file format, with the field of the clusters; empty for objects in memory,
    ``ARRAYS`` for arrays of numbers."""
    convention: Convention | None = DEFAULT
    """The convention that was declared; None if the format has only the default."""
    usual: Convention = DEFAULT
    """The convention of the format if nothing is declared."""
    options: Collection[str] = ("base", "ends")
    """The options with which a user can say how positions are counted."""
    other: Convention | None = None
    """The convention that was applied, if it counts characters, or if second numbers are lengths: a
    constant number of tokens cannot change it into another one."""

    @property
    def applied(self) -> Convention:
        """The convention that was applied, declared or not."""
        return self.convention or DEFAULT

    @property
    def is_file(self) -> bool:
        """Whether they were read from a file."""
        return self.format not in ("", ARRAYS)

    def choices(self) -> Sequence[Convention]:
        """Return the conventions that are possible."""
        if self.convention is None:
            return [DEFAULT]
        return [
            replace(each, unit=self.convention.unit)
            for each in CONVENTIONS
            if set(each.changes_from(self.convention)).issubset(self.options)
        ]

    def advice(self, side: str, convention: Convention) -> str:
        """Return how to declare a convention for the key or the response."""
        if convention.unit == "character" and "unit" in self.options:
            return needs_text(side, self.format_with(convention))
        if convention.unit == "character":
            ends = "" if convention.ends == "exclusive" else f", ends={convention.ends!r}"
            return (
                f"make the {side} with Corpus.from_clusters(documents, unit='characters'{ends}, "
                "text=texts)"
            )
        if not self.format:
            options = "".join(f", {part}={value!r}" for part, value in convention.options())
            return f"make the {side} with Corpus.from_clusters(documents{options})"
        if self.format == ARRAYS:
            return f"make the {side} with Corpus.from_arrays({convention.as_arguments()}, …)"
        return f"read the {side} with the format {self.format_with(convention)!r}"

    def format_with(self, convention: Convention) -> str:
        """Return the name of the format with the options that declare a convention."""
        name, _, field = self.format.partition(":")
        written = [f"{part}={value}" for part, value in convention.options(self.usual)]
        details = ",".join([*([field] if field else []), *written])
        return f"{name}:{details}" if details else name

    def other_advice(self, side: str) -> str:
        """Return what to check if positions do not count tokens, but might be counted otherwise."""
        assert self.other is not None
        name, _, field = self.format.partition(":")
        details = f"{field}," if field else ""
        *others, last = (part for part in ("unit", "base", "ends") if part in self.options)
        options = f"one or more of {', '.join(others)} and {last}" if others else last
        ends = {
            "inclusive": "inclusive ends",
            "exclusive": "exclusive ends",
            "length": "lengths as second numbers",
        }[self.other.ends]
        return (
            f"positions of the {side} are read as {UNITS[self.other.unit]}, counted from "
            f"{self.other.base}, with {ends}; if they are counted in another way, read the {side} "
            f"with the format '{name}:{details}OPTION', where OPTION is {options}, such as "
            f"base={1 - self.other.base}"
        )


def needs_text(what: str, format: str) -> str:
    """Return how to read positions of a file that count characters of a text it may lack."""
    return (
        "write the text of each document into its record, as text, and read the "
        f"{what} with the format {format!r}"
    )


IN_MEMORY = Offsets()
"""Offsets of objects in memory, in the convention of a corpus."""


def explanations(
    shift: tuple[int, int], key: Offsets, response: Offsets
) -> Iterator[tuple[Convention, Convention]]:
    """Yield the conventions of key and response that explain a shift of the response.

    Those with the fewest changes come first.
    """

    def change(given: Offsets, chosen: Convention) -> tuple[int, int]:
        (start, end), (old_start, old_end) = chosen.shift, given.applied.shift
        return start - old_start, end - old_end

    def size(pair: tuple[Convention, Convention]) -> int:
        return sum(
            len(chosen.changes_from(given.applied))
            for given, chosen in zip((key, response), pair, strict=True)
        )

    for pair in sorted(product(key.choices(), response.choices()), key=size):
        (key_start, key_end), (start, end) = change(key, pair[0]), change(response, pair[1])
        if (start - key_start, end - key_end) == shift:
            yield pair
