"""Read large files, or folders of many, in several processes, with the same result as in one.

Files that are read one after the other, such as a key and its responses, are read at the same time
(:func:`at_once`) unless parts of each keep more processes busy.

A part is a stretch of a file that begins where a document begins. What its reader says is written
down (:class:`Recording`), sent back, and said again to the builder, part by part and in order. What
a reader can only know of a whole file is a state of its own, which the format joins. Where parts
could make a difference, such as errors, of which reading stops at a number, or bytes that are not
UTF-8, which are reported once, nothing is taken from the parts, and the file is read as a whole.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO, Generic, NamedTuple, TypeVar

import numpy as np

from corefscope.corpus import Corpus
from corefscope.corpus.clusters import Overview
from corefscope.corpus.offsets import Convention
from corefscope.engines import FINER, CannotSend, Processes, current, worth
from corefscope.exceptions import CorefscopeError, InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.reading.block import Block, FilePlace, TextReader, together
from corefscope.formats.reading.builder import Builder, Tally
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.source import (
    BLOCK,
    STANDARD_INPUT,
    Progress,
    Source,
    reporting,
)
from corefscope.records import dataclass

S = TypeVar("S")

ENOUGH = 16 << 20
"""How many bytes of a file are worth a process of their own."""
ENOUGH_AT_ONCE = (3 if sys.platform == "linux" else 32) << 20
"""How many bytes a file has at least that is read beside another. Nothing has to be joined, but
where processes are not copied, starting one takes as long as reading many megabytes."""
LINE_BREAK = ord("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of a file."""

    file: str
    start: int = 0
    stop: int | None = None
    """Where it ends; None for the end of the file."""
    lines_before: int = 0
    lines: int | None = None
    """How many lines it has; None if that is not known, as of the last part."""

    def __str__(self) -> str:
        return f"{self.file}, from line {self.lines_before + 1:,} on"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recorded(Generic[S]):
    """What the reader of a part said, in order."""

    said: Sequence[Finding | Block]
    alike: Counter[tuple[Code, str | None]]
    """How many findings there are of each code and file, also those that are only counted."""
    conventions: set[tuple[Convention, Convention]]
    tallies: Mapping[str, Tally]
    numbered: set[str]
    shapes: Overview
    state: S
    """What the format has to know of all parts together."""


@dataclass(slots=True, eq=False, kw_only=True)
class Recording(Builder):
    """Writes down what a reader says."""

    said: list[Finding | Block] = field(default_factory=list)
    keeps_readers: bool = True
    """Whether it is written down what reads the texts of documents."""

    def add(self, finding: Finding) -> None:
        """Write a finding down."""
        before = len(self.findings)
        Builder.add(self, finding)
        self.said += self.findings[before:]

    def add_block(self, block: Block) -> None:
        """Write documents down; readers may ask which there are."""
        self.names += block.names
        self.files += [place[0].name for place in block.places]
        if not self.keeps_readers:
            block = replace(block, places=[(*place[:3], None) for place in block.places])
        self.said.append(block)

    @property
    def has_errors(self) -> bool:
        """Whether there are errors, so that it may matter what comes before and after them."""
        return any(each.is_error for each in self.findings)

    def recorded(self, state: S) -> Recorded[S]:
        """Return what was said."""
        return Recorded(
            said=list(_joined(self.said)),
            alike=self._alike,
            conventions=self.conventions,
            tallies=self.tallies,
            numbered=self.numbered,
            shapes=self.shapes,
            state=state,
        )


def _joined(said: Sequence[Finding | Block]) -> Iterator[Finding | Block]:
    """Yield what was said, with documents that follow each other in one block, which is faster."""
    plain: list[Block] = []
    for each in said:
        if isinstance(each, Block) and each.is_plain:
            plain.append(each)
            continue
        if plain:
            yield together(plain)
            plain = []
        yield each
    if plain:
        yield together(plain)


ReadPart = Callable[[Source, Builder, Part], S | None]
"""Reads a part of a file; returns None if the part cannot be read by itself."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FileParts(Generic[S]):
    """A file that can be read in parts."""

    source: Source
    builder: Builder
    """Is told what the readers of the parts say."""
    read_part: ReadPart[S]
    begins: bytes = b""
    """What the first line of a part begins with; any line can be the first if it is empty."""
    start: int = 0
    """Where the first part begins."""
    fits: Callable[[Sequence[S]], bool] = bool
    """Whether what the readers of the parts return is possible; if not, the file is read whole."""
    text_reader: TextReader | None = None
    """Reads the texts of documents, if it is the same for all and does not come with the parts."""

    def read(self, progress: Progress | None = None) -> list[S] | None:
        """Read the file in parts, if that pays off.

        Parameters
        ----------
        progress
            Called with the number of bytes of each part when it is read.

        Returns
        -------
        list or None
            What the readers of the parts returned; None if the file has to be read as a whole, and
            nothing was said to the builder.
        """
        parts = _divided(self.source, self.begins, self.start)
        if len(parts) < 2:
            return None
        has_reader = self.text_reader is not None
        work = partial(_recorded, self.source, self.builder.reading, self.read_part, has_reader)
        found: list[Recorded[S]] = []
        for part, recorded in zip(parts, current().map(work, parts), strict=True):
            if recorded is None:
                return None
            found.append(recorded)
            if progress and part.stop is not None:
                progress(part.stop - part.start)
        states = [each.state for each in found]
        if not self.fits(states):
            return None
        for each in found:
            say_again(each, self.source, self.builder, self.text_reader)
        return states


def _recorded(
    source: Source, reading: Reading, read_part: ReadPart[S], has_reader: bool, part: Part
) -> Recorded[S] | None:
    """Read a part in a process of its own; what reads texts is left out if others have it."""
    recording = Recording(reading=reading, keeps_readers=not has_reader)
    stamp = source._stamp
    try:
        state = read_part(source, recording, part)
    except InvalidInput:
        return None
    # Bytes that are not UTF-8 are reported once per file.
    is_once = any(each.code is Code.NOT_UTF8 for each in recording.findings)
    if state is None or is_once or recording.has_errors or source._stamp != stamp:
        return None
    return recording.recorded(state)


def say_again(
    recorded: Recorded[S],
    source: Source,
    builder: Builder,
    text_reader: TextReader | None = None,
) -> None:
    """Tell a builder what the reader of a part said.

    Parameters
    ----------
    recorded
        What it said.
    source
        The file, which is the same for all parts.
    builder
        Is told.
    text_reader
        Reads texts of documents that do not say what does.
    """
    listed: Counter[tuple[Code, str | None]] = Counter()
    for each in recorded.said:
        if isinstance(each, Finding):
            listed[each.code, each.file] += 1
            builder.add(each)
        else:
            places = [_same(source, text_reader, *place) for place in each.places]
            builder.add_block(replace(each, places=places))
    builder.count_alike(recorded.alike - listed)
    builder.conventions |= recorded.conventions
    builder.numbered |= recorded.numbered
    builder.shapes += recorded.shapes
    for name, tally in recorded.tallies.items():
        known = builder.tallies.setdefault(name, tally)
        if known is not tally:
            known.join(tally)


def _same(
    source: Source,
    usual: TextReader | None,
    other: Source,
    start: int,
    stop: int,
    reader: TextReader | None,
) -> FilePlace:
    """Return where a document is; the file is ours, unless it is one beside it."""
    reader = reader or usual
    assert reader is not None
    return source if other.name == source.name else other, start, stop, reader


def _divided(source: Source, begins: bytes, start: int) -> list[Part]:
    """Return the parts that a file is read in; one if it should not be divided."""
    if current().workers < 2 or (size := source.plain_size) is None:
        return []
    count = worth(size - start, size - start, ENOUGH)
    if count < 2:
        return []
    count = min(count * FINER, max(count, size // ENOUGH))
    with reporting(source.name), source.open() as stream:
        given = (start + (size - start) * number // count for number in range(1, count))
        edges = [start, *_edges(stream, given, begins), size]
        edges = sorted(set(edges))
        lines = list(_lines_before(stream, edges[:-1]))
    counts = [*(after - before for before, after in pairwise(lines)), None]
    return [
        Part(file=source.name, start=first, stop=last, lines_before=before, lines=count)
        for (first, last), before, count in zip(pairwise(edges), lines, counts, strict=True)
    ]


def _edges(stream: IO[bytes], places: Iterator[int], begins: bytes) -> Iterator[int]:
    """Yield where the first line at or after each place begins that a part can begin with."""
    wanted = b"\n" + begins
    found = 0
    for place in places:
        if place < found:
            continue
        stream.seek(place)
        before, rest = place, b""
        while block := stream.read(BLOCK):
            rest += block
            at = rest.find(wanted)
            if at >= 0:
                found = before + at + 1
                yield found
                break
            # What is wanted may lie across two blocks.
            keep = len(wanted) - 1
            before, rest = before + len(rest) - keep, rest[len(rest) - keep :]
        else:
            return


def _lines_before(stream: IO[bytes], places: Sequence[int]) -> Iterator[int]:
    """Yield how many lines end before each place."""
    stream.seek(0)
    at = lines = 0
    for place in places:
        while at < place:
            block = stream.read(min(BLOCK, place - at))
            lines += int(np.count_nonzero(np.frombuffer(block, np.uint8) == LINE_BREAK))
            at += len(block)
        yield lines


# ---- Several files at the same time ----


class FileToRead(NamedTuple):
    """A file, and what reads it."""

    path: str
    read: Callable[[], Corpus]

    def __str__(self) -> str:
        return self.path


def at_once(files: Sequence[FileToRead]) -> list[Callable[[], Corpus]]:
    """Return what reads each file; the first that is called reads all, if that pays off.

    A file with errors, or whose corpus cannot be sent, is read again in this process when its turn
    comes, so that errors are raised in the order in which the files are asked for.
    """
    if not pay_off_at_once([file.path for file in files]):
        return [file.read for file in files]
    results = current().map(_read_elsewhere, files)
    found: list[Corpus | None] = []

    def corpus(number: int) -> Corpus:
        while len(found) <= number:
            try:
                found.append(next(results, None))
            except CannotSend:
                found.append(None)
        # It is not kept longer than whoever asks for it needs it.
        given, found[number] = found[number], None
        return files[number].read() if given is None else given

    return [partial(corpus, number) for number in range(len(files))]


def _read_elsewhere(file: FileToRead) -> Corpus | None:
    """Read a file; return None if that has to be done by the process that asks."""
    try:
        return file.read()
    except CorefscopeError:
        return None


def pay_off_at_once(paths: Sequence[str]) -> bool:
    """Return whether reading files at the same time keeps as many processes busy as parts do."""
    engine = current()
    if not isinstance(engine, Processes) or min(engine.workers, len(paths)) < 2:
        return False
    # A file may have this name, but standard input is meant.
    if STANDARD_INPUT in paths:
        return False
    try:
        sizes = [Path(path).stat().st_size for path in paths if Path(path).is_file()]
    except (OSError, ValueError):
        return False
    if len(sizes) < len(paths) or not (engine.is_asked or sorted(sizes)[-2] >= ENOUGH_AT_ONCE):
        return False
    return min(engine.workers, len(paths)) >= max(worth(size, size, ENOUGH) for size in sizes)
