"""Read files that hold one document or a few, with the files that belong to them.

A format gives a function that makes drafts from the bytes of a file. It is called again when the
text of a document is needed, and then reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Placed, add_drafts
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.source import BOM, Source

ParseFile: TypeAlias = Callable[[File, bytes], Iterable[Draft]]
"""Makes drafts of a file and its bytes, and reports what is wrong."""


def whole_reader(parse: ParseFile) -> Callable[[File], None]:
    """Make a function that reads the documents of a file."""
    return partial(read_whole, parse=parse)


def read_whole(file: File, parse: ParseFile) -> None:
    """Read the documents of a file."""
    add_drafts(file, _placed(file, parse))


def _placed(file: File, parse: ParseFile) -> Iterator[Placed]:
    data = file.source.whole(file.progress)
    stop = len(data) + len(BOM)
    second = file.again()
    for number, draft in enumerate(parse(file, data)):
        again = partial(_parsed_again, parse=parse, number=number, file=second)
        yield Placed(draft, 0, stop, again)


def _parsed_again(block: bytes, parse: ParseFile, number: int, file: File) -> Draft:
    return list(parse(file, block.removeprefix(BOM)))[number]


BARE_RETURNS = Finding(
    Code.BARE_RETURNS,
    "lines end in a carriage return alone, as on old Macintosh computers",
    expected="a newline at the end of each line",
)


def has_bare_returns(data: bytes) -> bool:
    """Return whether carriage returns, and no newlines, divide the lines of a file."""
    return b"\r" in data.rstrip(b"\r\n") and b"\n" not in data.rstrip(b"\r\n")


def decoded(
    data: bytes, report: FindingReporter, lines: int = 0, *, is_text: bool = False
) -> str | None:
    """Return text after some lines of a file; None if it is binary, or all is in one line.

    Bytes that are not UTF-8 are kept. Lines mean nothing if it ``is_text`` of a document.
    """
    if not is_text and has_bare_returns(data):
        report.add(BARE_RETURNS, lines + 1)
        return None
    nul = data.find(0)
    if nul >= 0:
        report(
            Code.BINARY,
            "found a NUL byte: this is a binary file or UTF-16",
            lines + data.count(b"\n", 0, nul) + 1,
            expected="UTF-8 text",
        )
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; bytes are kept as they are"
        report(Code.NOT_UTF8, message, lines + data.count(b"\n", 0, error.start) + 1)
        return data.decode(errors="surrogateescape")


def companion(source: Source, ending: str, report: FindingReporter, purpose: str) -> Source | None:
    """Return the file that belongs to another one; report that it is missing."""
    beside = source.beside(ending)
    if beside is None:
        report(
            Code.UNREADABLE,
            f"there is no file with the same name and the extension {ending} beside this one",
            expected=f"it, because {purpose}",
        )
    return beside


def text_of(source: Source, report: FindingReporter) -> str | None:
    """Return the text of a companion."""
    return decoded(source.whole(), report.about(source), is_text=True)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers.

    Only newlines end a line: other separators may stand inside the words.
    """
    numbers, lines = filled_lines(text)
    return zip(numbers, lines, strict=True)


def filled_lines(text: str) -> tuple[Sequence[int], list[str]]:
    """Return what :func:`lines_of` yields as two columns: the numbers, and the lines."""
    lines = text.replace("\r\n", "\n").removesuffix("\r").split("\n")
    if not lines[-1]:
        lines.pop()
    if all(map(str.strip, lines)):
        return range(1, len(lines) + 1), lines
    numbers = [number for number, line in enumerate(lines, start=1) if line.strip()]
    return numbers, [lines[number - 1] for number in numbers]


def number_of(text: str) -> int | None:
    """Return a whole number from 0 of at most nine digits; None if the text is none."""
    # int() also accepts blanks, signs, underscores and digits of other scripts.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def numbers_of(texts: Sequence[str]) -> list[int] | None:
    """Return the whole numbers of a column; None if one of the texts is none."""
    joined = "".join(texts)
    if not texts:
        return []
    if not (joined.isascii() and joined.isdigit()) or "" in texts or max(map(len, texts)) >= 10:
        return None
    return list(map(int, texts))
