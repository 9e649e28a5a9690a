"""CoNLL-U as Stanza writes it, with coreference in MISC: `coref_chains=start-repr-id0,unit-id2`.

Each word has the chains that it is in, with its place in the mention: `unit` is a mention of one
word, the others are `start`, `middle` and `end`. `repr` marks the mention that represents the
chain. `start_char` and `end_char` are characters of the text.

- This is not CorefUD, which has `Entity=` in MISC. Stanza itself does not read it back.
- Two mentions of one chain that cross cannot be told from nested ones. An end belongs to the latest
  start that is open, and the document is reported.
- Lines such as `1-2` are no words, and lines such as `8.1` are words that are not spoken.
- Without a comment `# newdoc id = …`, the document is named after the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from corefscope.extensions.toolkits.stanza import (
    Flag,
    Word,
    chains_of_token,
    draft_of,
)
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Placed, add_drafts
from corefscope.formats.reading.file import File
from corefscope.formats.reading.source import Progress, Source

ID = re.compile(r"(\d{1,9})(?:([-.])(\d{1,9}))?")
NUMBER = re.compile(r"[0-9]{1,9}")
PLACE = re.compile(r"(?:^|\|)((?:start|end)_char)=([0-9]{1,12})(?=\||$)")
CHAINS = re.compile(r"(?:^|\|)coref_chains=([^|]+)")
NEAR_CHAINS = re.compile(r"(?:^|\|)(coref(?!_chains=)[^|=]*=?)")
CHAIN = re.compile(r"(unit|start|middle|end)-(repr-)?id(\d+)")
NEW = re.compile(rb"#\s*newdoc\b")
NAME = re.compile(r"#\s*newdoc id\s*=\s*(.*\S)")
COLUMNS = 10


class Block(NamedTuple):
    """The lines of a document."""

    data: bytes
    start: int
    line: int


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    add_drafts(file, _placed(file))


def _placed(file: File) -> Iterator[Placed]:
    for block in _blocks(file.source, file.progress):
        file.builder.check_bytes(block.data, file.name, block.line - 1)
        reading = _Reading(block.line)
        draft = reading.draft(block.data)
        for finding in reading.wrong:
            file.report.add(finding, finding.line)
        if draft is not None:
            draft.line = block.line
            again = partial(_again, line=block.line)
            yield Placed(draft, block.start, block.start + len(block.data), again)


def _again(data: bytes, line: int) -> Draft:
    draft = _Reading(line).draft(data)
    assert draft is not None
    return draft


def _blocks(source: Source, progress: Progress | None) -> Iterator[Block]:
    """Yield the documents of a file, each from its comment ``# newdoc`` on."""
    parts: list[bytes] = []
    start, line = 0, 1
    for offset, data in source.blocks(progress):
        start = start if parts else offset
        begin = 0
        for found in NEW.finditer(data):
            if found.start() and data[found.start() - 1 : found.start()] != b"\n":
                continue
            whole = b"".join([*parts, data[begin : found.start()]])
            begin, parts = found.start(), [whole]
            if whole.strip():
                yield Block(whole, start, line)
                start, line, parts = offset + begin, line + whole.count(b"\n"), []
        parts.append(data[begin:])
    yield Block(b"".join(parts), start, line)


class _Reading:
    """Reads the lines of a document."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.wrong: list[Finding] = []
        self.flags: dict[str, Flag] = {}

    def draft(self, data: bytes) -> Draft | None:
        """Return the document; None if there are only comments."""
        lines = data.decode(errors="surrogateescape").replace("\r\n", "\n").split("\n")
        is_misspelt = data.count(b"coref") != data.count(b"coref_chains=")
        sentences: list[list[Word]] = [[]]
        has_rows = False
        for place, line in enumerate(lines):
            if not line or line.isspace():
                sentences.append([])
                continue
            if line[0] == "#":
                continue
            has_rows, row = True, line.split("\t")
            if self._is_word(row, place):
                if is_misspelt:
                    self._report_misspelt(row, place)
                sentences[-1].append(self._word(line, row, place))
        return draft_of(list(filter(None, sentences)), _name(lines)) if has_rows else None

    def _word(self, line: str, row: list[str], place: int) -> Word:
        flags = self._flags(row, place) if "coref_chains=" in line else []
        is_zero = "." in row[0]
        return Word(id=row[0], text=row[1], flags=flags, is_zero=is_zero, entry=_Entry(row=row))

    def _report_misspelt(self, row: Sequence[str], place: int) -> None:
        """Report a name in the last column that is nearly that of chains."""
        found = NEAR_CHAINS.search(row[-1])
        if found:
            name = f"found {found[1]!r} in the last column"
            self._report(Code.IGNORED, name, place, expected="'coref_chains='")

    def _is_word(self, row: Sequence[str], place: int) -> bool:
        """Return whether a line is a word, which may be unspoken; report what is no row."""
        id = ID.fullmatch(row[0])
        if len(row) != COLUMNS or id is None:
            found = f"found {len(row)} columns and the ID {row[0]!r}"
            expected = "ten columns, and an ID of CoNLL-U"
            self._report(Code.BAD_LINE, found, place, expected=expected)
            return False
        if not row[-1]:
            expected = "'_', or what it had: is it lost?"
            self._report(Code.DOUBTFUL_COLUMN, "the last column is empty", place, expected=expected)
        is_word = id[2] != "-"
        if not is_word and CHAINS.search(row[-1]):
            found, expected = chains_of_token(row[1])
            self._report(Code.BAD_LINE, found, place, expected=expected)
        return is_word

    def _report(self, code: Code, found: str, place: int, *, expected: str) -> None:
        """Note what was found on a line of the document."""
        self.wrong.append(Finding(code, found, expected=expected, line=self.line + place))

    def _flags(self, row: Sequence[str], place: int) -> list[Flag]:
        """Return the flags of a word."""
        found = CHAINS.search(row[-1])
        if found is None:
            self._report(
                Code.IGNORED,
                "coref_chains is in another column",
                place,
                expected="it in the last: are cells shifted?",
            )
        chains = found[1].split(",") if found else []
        for chain in chains:
            if chain not in self.flags:
                self._read_flag(chain, place)
        return [self.flags[chain] for chain in chains if chain in self.flags]

    def _read_flag(self, chain: str, place: int) -> None:
        match = CHAIN.fullmatch(chain)
        if match is None:
            expected = "something such as start-repr-id0"
            self._report(Code.BAD_LINE, f"coref_chains has {chain!r}", place, expected=expected)
            return
        self.flags[chain] = Flag(
            chain=match[3],
            is_start=match[1] in ("unit", "start"),
            is_end=match[1] in ("unit", "end"),
        )


def _name(lines: Sequence[str]) -> str | None:
    """Return the name that the last comment gives to the document."""
    found = [match[1] for line in lines if line[:1] == "#" and (match := NAME.match(line))]
    return found[-1] if found else None


class _Entry(Mapping[str, Any]):
    """The fields of a row with the names that JSON has; they are taken apart when needed."""

    def __init__(self, row: list[str]) -> None:
        self.row = row

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields by their names."""
        row = self.row
        names = {"lemma": 2, "xpos": 4, "deprel": 7}
        found: dict[str, Any] = {n: row[c] for n, c in names.items() if row[c] != "_"}
        places = dict(PLACE.findall(row[9]))
        found |= {name: int(place) for name, place in places.items()}
        if NUMBER.fullmatch(row[6]):
            found["head"] = int(row[6])
        return {**found, "misc": row[9]}

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)
