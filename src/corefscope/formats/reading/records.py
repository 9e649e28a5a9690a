"""The records of a JSON file, however they are packed.

Programs write one object per line, one array, one object over many lines, or objects one after the
other without a line break.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from corefscope.findings import Code
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.limits import too_deep
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.strict_json import (
    DECODER,
    fault,
    line_of,
    no_constants,
    unique_keys,
    value_of,
)

JSON_BLANKS = " \t\n\r"
BLANKS = re.compile(r"[ \t\n\r]*")
COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
SEVERAL = re.compile(r"\s*\[\s*(\{|(\[\s*\]\s*,\s*)*\[\s*(\[\s*\]\s*,\s*)*\[\s*\{)")
"""The beginning of an array of objects, or of documents with sentences with words."""
JSON_OBJECTS = "JSON objects: one per line, in an array, or one after the other"


class Record(NamedTuple):
    """A value of a JSON file, and where it is."""

    value: Any
    line: int
    start: int
    stop: int
    """Where it begins and ends in the file, in bytes."""


def records(file: File) -> Iterator[Record]:
    """Yield the records of a file; report text that is not JSON.

    An array of objects yields its objects, and an array of documents that are lists of sentences
    yields the documents; any other array is one record.
    """
    source, builder = file.source, file.builder
    blocks = source.blocks(file.progress)
    begun = _until_text(blocks)
    if not begun:
        return
    lines = (line for line in _lines(chain(begun, blocks)) if line.text.strip())
    # The lines of an array do not matter, and to find them takes long.
    first = next(lines) if begun[-1][1].lstrip().startswith(b"{") else None
    value = None if first is None else _object_on(first, source)
    if first is None or value is None:
        data = source.read()
        builder.check_bytes(data, source.name, 0)
        yield from records_of(data.decode(errors="surrogateescape"), source, builder)
        return
    builder.check_bytes(first.text, source.name, first.number - 1)
    yield first.record(value)
    yield from _on_lines(lines, source, builder)


def _on_lines(lines: Iterable[_Line], source: Source, builder: Builder) -> Iterator[Record]:
    for line in lines:
        try:
            value = _loads(line.text)
        except (ValueError, RecursionError) as error:
            yield from _of_odd_line(line, error, source, builder)
        else:
            yield Record(value, line.number, line.start, line.start + len(line.text))


def _until_text(blocks: Iterator[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return the first blocks of a file, up to one that is not blank; none if all are."""
    begun = []
    for offset, block in blocks:
        begun.append((offset, block))
        if not block.isspace():
            return begun
    return []


def _object_on(line: _Line, source: Source) -> dict[str, Any] | None:
    """Return the object on the first line; None if it goes on, or something else begins there."""
    known = source.first_object
    text = line.text.decode(errors="surrogateescape").strip(JSON_BLANKS)
    if known is not None and known.size == len(text):
        source.first_object = None
        return known.value
    with suppress(ValueError, RecursionError):
        found = _loads(line.text)
        return found if isinstance(found, dict) else None
    return None


class _Line(NamedTuple):
    number: int
    start: int
    text: bytes

    def record(self, value: Any) -> Record:
        stop = self.start + len(self.text)
        return Record(value=value, line=self.number, start=self.start, stop=stop)

    def values(self) -> _Values:
        """Return what reads several values from the line."""
        return _Values(self.text.decode(errors="surrogateescape"), self.number, self.start)


def _lines(blocks: Iterable[tuple[int, bytes]], number: int = 0) -> Iterator[_Line]:
    for offset, block in blocks:
        for text in block.splitlines(keepends=True):
            number += 1
            yield _Line(number, offset, text)
            offset += len(text)


def _loads(text: bytes) -> Any:
    if text.startswith(b"{"):
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            pass
        else:
            return value_of(decoded)
    # The encoding has to be looked at: there may be a mark of the byte order.
    return json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constants)


def _of_odd_line(
    line: _Line, error: ValueError | RecursionError, source: Source, builder: Builder
) -> Iterator[Record]:
    """Yield the records that stand on a line one after the other; report what is wrong with it."""
    if isinstance(error, RecursionError):
        builder.add(too_deep(source.name, line.number))
    elif isinstance(error, UnicodeDecodeError):
        builder.check_bytes(line.text, source.name, line.number - 1)
        yield from line.values().glued(source, builder)
    elif isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
        yield from line.values().glued(source, builder)
    else:
        # Its own text has a number of a line, too: that within this one.
        found = f"not JSON: {error}"
        if isinstance(error, json.JSONDecodeError):
            found = fault(error)
        builder.report(Code.DAMAGED, found, source.name, line.number, expected=JSON_OBJECTS)


def records_of(text: str, source: Source, builder: Builder) -> Iterator[Record]:
    """Yield the records of a text that was read from a file; report text that is not JSON."""
    values = _Values(text.removeprefix("\ufeff"), 1, 3 * text.startswith("\ufeff"))
    if SEVERAL.match(values.text):
        yield from values.elements(source, builder)
    else:
        yield from values.glued(source, builder)


class _Values:
    """Reads values from a text, and keeps count of lines and bytes."""

    def __init__(self, text: str, line: int, offset: int) -> None:
        self.text = text
        self.position = 0
        self.line = line
        self.offset = offset
        self.has_breaks = "\n" in text
        self.is_ascii = text.isascii()

    def glued(self, source: Source, builder: Builder) -> Iterator[Record]:
        """Yield values one after the other."""
        self._skip()
        while self.position < len(self.text):
            record = self._value(source, builder)
            if record is None:
                return
            yield record
            self._skip()

    def elements(self, source: Source, builder: Builder) -> Iterator[Record]:
        """Yield the elements of an array."""
        self._skip()
        self._pass(self.position + 1)
        self._skip()
        while not self.text.startswith("]", self.position):
            record = self._value(source, builder)
            if record is None:
                return
            yield record
            comma = COMMA.match(self.text, self.position)
            if comma:
                self._pass(comma.end())
                continue
            self._skip()
            if not self.text.startswith("]", self.position):
                found = "not JSON: the array does not go on with a comma, nor end"
                builder.report(Code.DAMAGED, found, source.name, self.line, expected=JSON_OBJECTS)
                return
        self._pass(self.position + 1)
        self._skip()
        if self.position < len(self.text):
            found = "not JSON: there is more text after the array"
            builder.report(Code.DAMAGED, found, source.name, self.line, expected=JSON_OBJECTS)

    def _value(self, source: Source, builder: Builder) -> Record | None:
        line, start = self.line, self.offset
        known, source.first_object = source.first_object, None
        try:
            if known is not None and known.start == self.position:
                value, end = known.value, known.start + known.size
            else:
                value, end = DECODER.raw_decode(self.text, self.position)
        except json.JSONDecodeError as error:
            at = self.line + line_of(error) - 1 - self.text.count("\n", 0, self.position)
            builder.report(Code.DAMAGED, fault(error), source.name, at, expected=JSON_OBJECTS)
            return None
        except ValueError as error:
            found = f"not JSON: {error}"
            builder.report(Code.DAMAGED, found, source.name, line, expected=JSON_OBJECTS)
            return None
        except RecursionError:
            builder.add(too_deep(source.name, line))
            return None
        text = self.text[self.position : end]
        self.offset += len(text) if self.is_ascii else len(text.encode(errors="surrogateescape"))
        if self.has_breaks:
            self.line += text.count("\n")
        self.position = end
        return Record(value, line, start, self.offset)

    def _skip(self) -> None:
        match = BLANKS.match(self.text, self.position)
        assert match is not None
        self._pass(match.end())

    def _pass(self, position: int) -> None:
        """Go on to a position, over blanks and signs of ASCII."""
        if self.has_breaks:
            self.line += self.text.count("\n", self.position, position)
        self.offset += position - self.position
        self.position = position
