"""A file that is read: the one argument of every reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct, field

from corefscope.findings import AnyCode, Finding
from corefscope.formats.reading.builder import Builder, Tally
from corefscope.formats.reading.options import Reading, ReadingOptions
from corefscope.formats.reading.source import Progress, Source

T = TypeVar("T", bound=Tally)


class File(Struct, frozen=True, eq=False, kw_only=True):
    """A source, the corpus that is made of it, and what the user said about how to read it."""

    source: Source
    builder: Builder = field(default_factory=Builder)
    """Collects documents and findings."""
    progress: Progress | None = None
    """Called with the number of bytes that have just been read."""

    @property
    def name(self) -> str:
        """The name that messages use."""
        return self.source.name

    @property
    def reading(self) -> Reading:
        """The format, and what the user said about it."""
        return self.builder.reading

    @property
    def options(self) -> ReadingOptions:
        """How to read the file."""
        return self.builder.reading.options

    def again(self) -> File:
        """Return the file as it is read for the second time, when nothing is reported."""
        return File(source=self.source, builder=Builder(reading=self.reading))

    def tally(self, kind: Callable[[Reading], T]) -> T:
        """Return what is counted over all files of the format; it is made once."""
        made = kind(self.reading)
        found = self.builder.tallies.setdefault(self.reading.format, made)
        assert isinstance(found, type(made))
        return found

    @property
    def report(self) -> FindingReporter:
        """Reports what is wrong with the file."""
        return FindingReporter(self.builder, self.name)


class FindingReporter(Struct, frozen=True):
    """Reports what is wrong with a file."""

    builder: Builder
    file: str

    def __call__(
        self, code: AnyCode, found: str, line: int | None = None, *, expected: str | None = None
    ) -> None:
        """Add a finding."""
        self.add(Finding(code, found, expected=expected), line)

    def add(self, finding: Finding, line: int | None = None) -> None:
        """Add a finding that was made before."""
        self.builder.add(finding.at(self.file, line))

    def about(self, source: Source) -> FindingReporter:
        """Return the reports about another file."""
        return FindingReporter(self.builder, source.name)
