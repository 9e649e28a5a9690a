"""CoNLL files of cross-document coreference.

Scorers of ECB+ and similar corpora read eight columns: topic, subtopic, document, sentence, number
of the token, word, `True` or `False`, and a coreference cell as in CoNLL-2012. All documents of a
topic, or of a corpus, stand between one `#begin document` line and one `#end document` line.

- The documents are taken apart: the third column has their names. Entities with mentions in several
  documents have the same label in all of them, and the first column is kept as the topic. Each
  document is scored on its own; entities that span several documents are reported (`W163`).
- `cdcr:documents=column:1` makes one document of each topic, `column:2` of each subtopic, and
  `begin` of each `#begin document` line. Links between documents then count, as in published
  scores: read key and response in the same way.
- A document name that occurs in two topics gets the topic before it: `7/news.xml`.
- Only some sentences of a document may be in the file. Tokens are counted as they stand.
- The programs that write these files often leave out singletons of the key.
- A mention that is opened in one document must be closed there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from corefscope.corpus.offsets import DEFAULT
from corefscope.exceptions import UnknownName
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.conll.cell import NO_MENTION, parse_cell
from corefscope.formats.conll.reading import read as read_columns
from corefscope.formats.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.drafting import Placed, add_drafts
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, decoded

FIELDS = 8
TOPIC, SUBTOPIC, DOCUMENT, SENTENCE, WORD, CELL = 0, 1, 2, 3, 5, 7
DOCUMENTS = {"column:1": TOPIC, "column:2": SUBTOPIC, "column:3": DOCUMENT, "begin": None}
"""Where the name of a document is; None for the line that begins it."""
BEGIN = re.compile(rb"#\s*begin document\s*(.*)", re.DOTALL)

Row = list[bytes]


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the documents of a file into the builder."""
    if options.columns is not None:
        # Columns are named as in other CoNLL files, which these are, too.
        read_columns(source, builder, options, progress)
        return
    chosen = options.documents or "column:3"
    if chosen not in DOCUMENTS:
        raise UnknownName("choice of documents", chosen, DOCUMENTS)
    reader = _Reader(column=DOCUMENTS[chosen], report=Report(builder, source.name))
    add_drafts(source, builder, reader.placed(source, progress))


@dataclass(slots=True, kw_only=True)
class _Collected:
    """What the file has about one document."""

    name: str
    topic: str
    line: int
    start: int
    stop: int = 0
    words: list[str] = field(default_factory=list)
    sentences: list[tuple[bytes, ...]] = field(default_factory=list)
    """The document and the sentence of each word."""
    subtopics: list[str] = field(default_factory=list)
    entities: dict[bytes, DraftEntity] = field(default_factory=dict)
    opened: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    """Tokens and lines at which mentions were opened, by entity."""

    def add(self, row: Row, line: int, report: Report) -> None:
        """Add a token."""
        token = len(self.words)
        self.words.append(_text(row[WORD]))
        self.sentences.append((row[DOCUMENT], row[SENTENCE]))
        self.subtopics.append(_text(row[SUBTOPIC]))
        cell = row[CELL]
        if cell in NO_MENTION:
            return
        parsed = parse_cell(cell)
        if parsed is None or parsed.bare:
            message = f"found {_text(cell)!r}; expected (ID), (ID and ID), separated by |"
            report(Code.BAD_CELL, message, line)
            return
        for id in parsed.whole:
            self._mention(id, token, token, line)
        for id in parsed.opened:
            self.opened.setdefault(id, []).append((token, line))
        for id in parsed.closed:
            if self.opened.get(id):
                first, first_line = self.opened[id].pop()
                self._mention(id, first, token, first_line)
            else:
                message = f"entity {_text(id)} is closed but not open in {self.name!r}"
                report(Code.UNOPENED, f"{message}; expected an opening bracket before", line)

    def _mention(self, id: bytes, first: int, last: int, line: int) -> None:
        if id not in self.entities:
            self.entities[id] = DraftEntity(label=_text(id), mentions=[])
        mention = DraftMention(places=((first, last),), line=line)
        self.entities[id].mentions.append(mention)

    def draft(self, report: Report) -> Draft:
        """Return the document; report mentions that are still open."""
        for id, places in self.opened.items():
            for _, line in places:
                message = f"entity {_text(id)} is still open at the end of {self.name!r}"
                report(Code.UNCLOSED, f"{message}; expected a closing bracket", line)
        return Draft(
            name=self.name,
            words=self.words,
            sentences=[len(list(group)) for _, group in groupby(self.sentences)],
            entities=list(self.entities.values()),
            convention=DEFAULT,
            topic=self.topic,
            columns={"subtopics": self.subtopics},
            line=self.line,
        )


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Collects the documents of a file."""

    column: int | None
    """The column with the name of the document; None for the line that begins it."""
    report: Report
    begun: bytes = b""
    """The rest of the last line that begins a document."""
    lines: int = 0
    documents: dict[tuple[bytes, ...], _Collected] = field(default_factory=dict)

    def read(self, offset: int, block: bytes) -> bool:
        """Read whole lines; return whether they are text."""
        if decoded(block, self.report, self.lines) is None:
            return False
        for line in block.splitlines(keepends=True):
            self.lines += 1
            if line.startswith(b"#"):
                match = BEGIN.match(line)
                self.begun = match[1].strip() if match else self.begun
            elif line.strip():
                self._row(line.rstrip(b"\r\n"), offset, len(line))
            offset += len(line)
        return True

    def _row(self, line: bytes, start: int, size: int) -> None:
        row = line.split(b"\t") if b"\t" in line else line.split()
        if len(row) != FIELDS:
            message = (
                f"{len(row)} columns; expected {FIELDS}: topic, subtopic, document, sentence, "
            )
            self.report(Code.BAD_LINE, message + "token, word, flag and cell", self.lines)
            return
        topic = row[TOPIC]
        name = self.begun if self.column is None else row[self.column]
        key = (topic, name) if self.column == DOCUMENT else (name,)
        if key not in self.documents:
            self.documents[key] = _Collected(
                name=_text(name), topic=_text(topic), line=self.lines, start=start
            )
        document = self.documents[key]
        document.stop = start + size
        document.add(row, self.lines, self.report)

    def placed(self, source: Source, progress: Progress | None) -> Iterator[Placed]:
        """Read a file and yield its documents; a name that occurs in two topics gets its topic."""
        for offset, block in source.blocks(progress):
            if not self.read(offset, block):
                return
        names = Counter(document.name for document in self.documents.values())
        for key, document in self.documents.items():
            if names[document.name] > 1:
                document.name = f"{document.topic}/{document.name}"
            again = partial(_again, key=key, reader=(self.column, self.report.file, self.begun))
            yield Placed(document.draft(self.report), document.start, document.stop, again)


def _again(block: bytes, key: tuple[bytes, ...], reader: tuple[int | None, str, bytes]) -> Draft:
    """Collect one document from its part of the file, in which others may stand between."""
    column, file, begun = reader
    report = Report(None, file)
    collector = _Reader(column=column, report=report, begun=key[0] if column is None else begun)
    collector.read(0, block)
    return collector.documents[key].draft(report)


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
