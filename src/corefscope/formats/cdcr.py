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
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, compress, groupby, repeat
from typing import TypeAlias

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
BEGIN = re.compile(r"#\s*begin document\s*(.*)", re.DOTALL | re.ASCII)

MOST_LINES = 2000
EMPTY = frozenset(map(bytes.decode, NO_MENTION))

Key: TypeAlias = tuple[str, ...]
"""The topic and the name of a document, or only its name."""


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
    sentences: list[tuple[Key, int]] = field(default_factory=list)
    """The document, the sentence and the subtopic of neighbouring words, and how many they are."""
    entities: dict[bytes, DraftEntity] = field(default_factory=dict)
    opened: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    """Tokens and lines at which mentions were opened, by entity."""

    def add(self, rows: _Rows, part: slice, report: Report) -> None:
        """Add neighbouring rows."""
        before = len(self.words) - part.start
        columns = [column[part] for column in rows.columns]
        self.words += columns[WORD]
        alike = zip(columns[DOCUMENT], columns[SENTENCE], columns[SUBTOPIC], strict=True)
        self.sentences += [(key, len(list(group))) for key, group in groupby(alike)]
        for row, cell in enumerate(columns[CELL], start=part.start):
            if cell not in EMPTY:
                self._add_cell(cell, before + row, rows.lines[row], report)

    def _add_cell(self, cell: str, token: int, line: int, report: Report) -> None:
        parsed = parse_cell(cell.encode(errors="surrogateescape"))
        if parsed is None or parsed.bare:
            message = f"found {cell!r}; expected (ID), (ID and ID), separated by |"
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
            sentences=[
                sum(count for _, count in group)
                for _, group in groupby(self.sentences, key=lambda alike: alike[0][:2])
            ],
            entities=list(self.entities.values()),
            convention=DEFAULT,
            topic=self.topic,
            complete=self._complete,
            line=self.line,
        )

    def _complete(self, draft: Draft) -> None:
        subtopics = [subtopic for (*_, subtopic), count in self.sentences for _ in range(count)]
        draft.columns = {"subtopics": subtopics}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of a file."""

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Collects the documents of a file."""

    column: int | None
    """The column with the name of the document; None for the line that begins it."""
    report: Report
    begun: str = ""
    """The rest of the last line that begins a document."""
    lines: int = 0
    sections: int = 0
    """The number of lines that begin a document."""
    documents: dict[Key, _Collected] = field(default_factory=dict)

    def read(self, offset: int, block: bytes) -> bool:
        """Read whole lines; return whether they are text."""
        text = decoded(block, self.report, self.lines)
        if text is None:
            return False
        self.sections += text.count("begin document")
        edges = list(accumulate(map(len, block.splitlines(keepends=True)), initial=offset))
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[: len(edges) - 1]
        # Few lines at a time are faster: what is kept of them fits into the CPU cache.
        for begin in range(0, len(lines), MOST_LINES):
            part = slice(begin, begin + MOST_LINES + 1)
            self._read(lines[begin : begin + MOST_LINES], edges[part])
        return True

    def _read(self, lines: Sequence[str], edges: Sequence[int]) -> None:
        """Read lines that begin and end at some places of the file."""
        places = [place for place, line in enumerate(lines) if line and line[0] != "#"]
        fields = [lines[place] for place in places]
        if set(map(str.count, fields, repeat("\t"))) - {FIELDS - 1}:
            fields = list(map(_tabbed, fields))
            is_row = [self._is_row(*each) for each in zip(places, fields, strict=True)]
            places, fields = list(compress(places, is_row)), list(compress(fields, is_row))
        cells = "\t".join(fields).split("\t") if fields else []
        rows = _Rows(
            [self.lines + place + 1 for place in places],
            [cells[column::FIELDS] for column in range(FIELDS)],
        )
        begin = 0
        for key, group in groupby(self._keys(lines, places, rows)):
            end = begin + len(list(group))
            place = edges[places[begin]], edges[places[end - 1] + 1]
            self._add(key, rows, slice(begin, end), place)
            begin = end
        self.lines += len(lines)

    def _is_row(self, place: int, line: str) -> bool:
        """Return whether a line has the expected columns; report it unless it is blank."""
        if not line.strip():
            return False
        found = line.count("\t") + 1
        if found == FIELDS:
            return True
        message = f"{found} columns; expected {FIELDS}: topic, subtopic, document, sentence, "
        number = self.lines + place + 1
        self.report(Code.BAD_LINE, message + "token, word, flag and cell", number)
        return False

    def _keys(self, lines: Sequence[str], places: Sequence[int], rows: _Rows) -> Iterable[Key]:
        """Return what identifies the document of each row."""
        if self.column == DOCUMENT:
            return zip(rows.columns[TOPIC], rows.columns[DOCUMENT], strict=True)
        if self.column is not None:
            return zip(rows.columns[self.column], strict=True)
        begins = [
            (place, match[1].strip())
            for place, line in enumerate(lines)
            if line[:1] == "#" and (match := BEGIN.match(line))
        ]
        names = [self.begun, *(name for _, name in begins)]
        self.begun = names[-1]
        return [(names[bisect_left(begins, (place,))],) for place in places]

    def _add(self, key: Key, rows: _Rows, part: slice, place: tuple[int, int]) -> None:
        if key not in self.documents:
            self.documents[key] = _Collected(
                name=key[-1],
                topic=rows.columns[TOPIC][part.start],
                line=rows.lines[part.start],
                start=place[0],
            )
        document = self.documents[key]
        document.stop = place[1]
        document.add(rows, part, self.report)

    def placed(self, source: Source, progress: Progress | None) -> Iterator[Placed]:
        """Read a file and yield its documents; a name that occurs in two topics gets its topic."""
        for offset, block in source.blocks(progress):
            if not self.read(offset, block):
                return
        namespace = "" if self.sections == 1 else None
        joins = self.column is not None and self.sections < len(self.documents)
        joining = f"cdcr:documents={'begin' if joins else 'column:1'}"
        names = Counter(document.name for document in self.documents.values())
        for key, document in self.documents.items():
            if names[document.name] > 1:
                document.name = f"{document.topic}/{document.name}"
            again = partial(_again, key=key, reader=(self.column, self.report.file, self.begun))
            draft = document.draft(self.report)
            draft.namespace, draft.joining = namespace, joining
            yield Placed(draft, document.start, document.stop, again)


def _again(block: bytes, key: Key, reader: tuple[int | None, str, str]) -> Draft:
    """Collect one document from its part of the file, in which others may stand between."""
    column, file, begun = reader
    report = Report(None, file)
    collector = _Reader(column=column, report=report, begun=key[0] if column is None else begun)
    collector.read(0, block)
    return collector.documents[key].draft(report)


def _tabbed(line: str) -> str:
    """Return a line with tabs between its fields, which may be separated by blanks."""
    if "\t" in line:
        return line
    fields = line.encode(errors="surrogateescape").split()
    return "\t".join(map(_text, fields))


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
