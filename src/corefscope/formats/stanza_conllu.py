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
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft
from corefscope.formats.drafting import Placed, add_drafts
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.stanza import Flag, Word, draft_of

ID = re.compile(r"(\d{1,9})(?:([-.])(\d{1,9}))?")
NUMBER = re.compile(r"[0-9]{1,9}")
PLACE = re.compile(r"(?:^|\|)((?:start|end)_char)=([0-9]{1,12})(?=\||$)")
CHAINS = re.compile(r"(?:^|\|)coref_chains=([^|]+)")
CHAIN = re.compile(r"(unit|start|middle|end)-(repr-)?id(\d+)")
NEW = re.compile(rb"#\s*newdoc\b")
NAME = re.compile(r"#\s*newdoc id\s*=\s*(.*\S)")
COLUMNS = 10


class Block(NamedTuple):
    """The lines of a document."""

    data: bytes
    start: int
    line: int


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    del options  # There are no positions in these files.
    add_drafts(source, builder, _placed(source, builder, progress))


def _placed(source: Source, builder: Builder, progress: Progress | None) -> Iterator[Placed]:
    for block in _blocks(source, progress):
        if not any(line.strip() and not line.startswith(b"#") for line in block.data.splitlines()):
            continue
        reading = _Reading(block.line)
        draft = reading.draft(block.data)
        for line, message in reading.wrong:
            builder.report(Code.BAD_ENTITY, message, source.name, line)
        draft.line = block.line
        again = partial(_again, line=block.line)
        yield Placed(draft, block.start, block.start + len(block.data), again)


def _again(data: bytes, line: int) -> Draft:
    return _Reading(line).draft(data)


def _blocks(source: Source, progress: Progress | None) -> Iterator[Block]:
    """Yield the documents of a file, each from its comment ``# newdoc`` on."""
    lines: list[bytes] = []
    start, first, number = 0, 1, 0
    for offset, data in source.blocks(progress):
        position = offset
        for line in data.splitlines(keepends=True):
            number += 1
            if NEW.match(line) and any(each.strip() for each in lines):
                yield Block(b"".join(lines), start, first)
                lines, start, first = [], position, number
            elif not lines:
                start, first = position, number
            lines.append(line)
            position += len(line)
    if lines:
        yield Block(b"".join(lines), start, first)


class _Reading:
    """Reads the lines of a document."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.wrong: list[tuple[int, str]] = []

    def draft(self, data: bytes) -> Draft:
        """Return the document."""
        name: str | None = None
        sentences: list[list[Word]] = [[]]
        parts = 0
        lines = data.decode(errors="surrogateescape").split("\n")
        for number, line in enumerate(lines, start=self.line):
            row = line.removesuffix("\r")
            if row.startswith("#"):
                found = NAME.match(row)
                name = found[1] if found else name
            elif not row.strip():
                parts = 0
                sentences.append([])
            else:
                parts = self._row(row.split("\t"), number, sentences[-1], parts)
        return draft_of([sentence for sentence in sentences if sentence], name)

    def _row(self, row: list[str], line: int, sentence: list[Word], parts: int) -> int:
        """Add the word of a row; return the last word of the token that is being read."""
        id = ID.fullmatch(row[0])
        if len(row) != COLUMNS or id is None:
            found = f"{len(row)} columns and the ID {row[0]!r}"
            self.wrong.append((line, f"found {found}; expected ten columns, and an ID of CoNLL-U"))
            return parts
        if id[2] == "-":
            return int(id[3])
        chains = CHAINS.search(row[9])
        sentence.append(
            Word(
                id=row[0],
                text=row[1],
                flags=list(self._flags(chains[1], line)) if chains else [],
                is_zero=id[2] == ".",
                is_part=int(id[1]) <= parts,
                entry=_Entry(row=row),
            )
        )
        return parts

    def _flags(self, text: str, line: int) -> Iterator[Flag]:
        for chain in text.split(","):
            found = CHAIN.fullmatch(chain)
            if found is None:
                message = f"coref_chains has {chain!r}; expected something such as start-repr-id0"
                self.wrong.append((line, message))
                continue
            yield Flag(
                chain=found[3],
                is_start=found[1] in ("unit", "start"),
                is_end=found[1] in ("unit", "end"),
            )


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
