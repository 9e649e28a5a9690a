"""CoNLL files of cross-document coreference.

Scorers of ECB+ and similar corpora read eight columns: topic, subtopic, document, sentence, number
of the token, word, `True` or `False`, and a coreference cell as in CoNLL-2012. All documents of a
topic, or of a corpus, stand between one `#begin document` line and one `#end document` line.

- What stands between these two lines is scored as one document, as the reference scorer and the
  published scores have it: links between documents count. A message says how many documents there
  are (`W163`).
- `--level document` takes the documents apart: the third column has their names. Entities with
  mentions in several documents have the same label in all of them, and the first column is kept as
  the topic. Each document is then scored on its own; `--level topic` and `--level corpus` score all
  documents of a topic, or all documents, as one. In Python, read both files with the format
  `cdcr:documents=column:3`, or pass `level=` to `score`. `column:1` makes one document of each
  topic, `column:2` of each subtopic.
- Entity numbers hold in the whole file if it has one `#begin document` line, otherwise in a topic;
  `cdcr:ids=corpus` says that they hold everywhere.
- A document name that occurs in two topics gets the topic before it: `7/news.xml`.
- All rows of a document must stand between the same two lines: if it occurs again after a later
  `#begin document` line, the file may have been written twice (`E106`).
- Only some sentences of a document may be in the file. Tokens are counted as they stand.
- The programs that write these files often leave out singletons of the key.
- A mention that is opened in one document must be closed there, if documents are taken apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TypeAlias

from msgspec import Struct, field

from corefscope.corpus.offsets import DEFAULT
from corefscope.exceptions import UnknownName
from corefscope.findings import Code
from corefscope.formats.conll.cell import NO_MENTION, CorefCell, parse_cell
from corefscope.formats.conll.reading import read as read_columns
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Placed, add_drafts
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.reading.whole_files import decoded

FIELDS = 8
TOPIC, SUBTOPIC, DOCUMENT = range(3)
WHOLE = "begin"
"""The choice of documents that takes all rows after a line that begins a document as one."""
COLUMNS = {"column:1": TOPIC, "column:2": SUBTOPIC, "column:3": DOCUMENT}
"""The columns that can have the names of documents."""
ROW = re.compile(rb"^([^#\s]\S*)[ \t]+\S+[ \t]+(\S+)", re.MULTILINE)
"""The topic and the document of a row."""
BEGIN = re.compile(rb"#[^\S\n]*begin document")


NOTHING = frozenset(map(bytes.decode, NO_MENTION))
"""The cells that have no mention."""
Key: TypeAlias = tuple[str, ...]
"""The topic and the name of a document, or only its name."""


def read(file: File) -> None:
    """Read the documents of a file into the corpus."""
    chosen = file.options.documents or ("column:3" if file.options.by_document else WHOLE)
    if chosen != WHOLE and chosen not in COLUMNS:
        raise UnknownName("choice of documents", chosen, [*COLUMNS, WHOLE])
    if file.options.columns is not None or chosen == WHOLE:
        read_columns(file)
        _report_documents(file.source, file.builder)
        return
    reader = _Reader(column=COLUMNS[chosen], report=file.report)
    add_drafts(file, reader.placed(file.source, file.progress))


def _report_documents(source: Source, builder: Builder) -> None:
    """Say how many documents are scored as one, if there are several."""
    named = {row for _, block in source.blocks() for row in set(ROW.findall(block))}
    sections = builder.files.count(source.name)
    if 0 < sections < len(named):
        lines = "line" if sections == 1 else "lines"
        message = (
            f"the third column names {len(named):,} documents, but the file has {sections:,} "
            f"'#begin document' {lines}; what follows one is scored as one document; to take it "
            "apart, choose the level 'document'"
        )
        builder.report(Code.ACROSS_DOCUMENTS, message, source.name)


class _Collected(Struct, kw_only=True):
    """What the file has about one document."""

    name: str
    topic: str
    line: int
    start: int
    stop: int = 0
    words: list[str] = field(default_factory=list)
    sentences: list[tuple[str, str]] = field(default_factory=list)
    """The document and the sentence of each word."""
    subtopics: list[str] = field(default_factory=list)
    """The subtopic of each word."""
    entities: dict[bytes, list[tuple[int, int, int]]] = field(default_factory=dict)
    """The first token, the last token and the line of each mention, by entity."""
    opened: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    """Tokens and lines at which mentions were opened, by entity."""

    def add_cell(
        self, cell: CorefCell | None, text: bytes, token: int, line: int, report: FindingReporter
    ) -> None:
        """Add what the cell of a token says."""
        if cell is None or not self._are_open(cell):
            report(
                Code.BAD_LINE,
                f"found {_text(text)!r}",
                line,
                expected="(ID), (ID and ID), separated by |",
            )
            return
        for id in cell.bare:
            message = f"the bare {_text(id)} inside a mention of that entity is ignored"
            report(Code.IRREGULAR, message, line)
        for id in cell.whole:
            self.entities.setdefault(id, []).append((token, token, line))
        for id in cell.opened:
            self.opened.setdefault(id, []).append((token, line))
        for id in cell.closed:
            if self.opened.get(id):
                first, first_line = self.opened[id].pop()
                self.entities.setdefault(id, []).append((first, token, first_line))
            else:
                message = f"entity {_text(id)} is closed but not open in {self.name!r}"
                report(Code.UNBALANCED, f"{message}", line, expected="an opening bracket before")

    def _are_open(self, cell: CorefCell) -> bool:
        """Return whether mentions of the entities are open whose ids have no bracket."""
        return all(self.opened.get(id) or id in cell.opened for id in cell.bare)

    def draft(self, report: FindingReporter) -> Draft:
        """Return the document; report mentions that are still open."""
        for id, places in self.opened.items():
            for _, line in places:
                message = f"entity {_text(id)} is still open at the end of {self.name!r}"
                report(Code.UNBALANCED, f"{message}", line, expected="a closing bracket")
        mentions = list(chain.from_iterable(self.entities.values()))
        return Draft(
            name=self.name,
            words=self.words,
            sentences=[len(list(words)) for _, words in groupby(self.sentences)],
            mentions=Mentions(
                labels=list(map(_text, self.entities)),
                sizes=list(map(len, self.entities.values())),
                places=[(first, last) for first, last, _ in mentions],
                lines=[line for *_, line in mentions],
            ),
            convention=DEFAULT,
            topic=self.topic,
            complete=self._complete,
            line=self.line,
        )

    def _complete(self, draft: Draft) -> None:
        draft.columns = {"subtopics": self.subtopics}


class _Reader(Struct, kw_only=True):
    """Collects the documents of a file."""

    column: int
    """The column with the name of the document."""
    report: FindingReporter
    lines: int = 0
    sections: int = 0
    """The number of lines that begin a document."""
    checked: tuple[Key, int] | None = None
    """The document and the section of the last row."""
    places: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """The last section of each document, and the line on which the document begins there."""
    documents: dict[Key, _Collected] = field(default_factory=dict)
    cells: dict[bytes, CorefCell | None] = field(default_factory=dict)
    """The cells that were read: most occur more than once."""

    def read(self, offset: int, block: bytes) -> bool:
        """Read whole lines; return whether they are text."""
        if decoded(block, self.report, self.lines) is None:
            return False
        given = block.splitlines(keepends=True)
        self._report_empty([line.rstrip(b"\r\n") for line in given])
        for data in given:
            self.lines += 1
            start, offset = offset, offset + len(data)
            line = _text(data.rstrip(b"\r\n"))
            if line[:1] == "#":
                self.sections += bool(BEGIN.match(data))
            elif self._is_row(fields := _fields(line)):
                self._add(fields, start, offset)
        return True

    def _report_empty(self, lines: Sequence[bytes]) -> None:
        """Report empty cells beside those that are marked as no mention."""
        empty = [number for number, line in enumerate(lines, 1) if line.endswith(b"\t")]
        if not empty or not any(line.endswith(b"\t-") for line in lines):
            return
        more = f" ({len(empty):,} such rows, this is the first)" if len(empty) > 1 else ""
        self.report(
            Code.DOUBTFUL_COLUMN,
            "the coreference cell is empty, while other tokens without a mention have '-'; it is "
            "read as no mention",
            self.lines + empty[0],
            expected=f"such a mark, or lost brackets{more}",
        )

    def _is_row(self, fields: Sequence[str]) -> bool:
        """Return whether a line has the expected columns; report it unless it is blank."""
        if not any(map(str.strip, fields)):
            return False
        if len(fields) != FIELDS:
            names = "topic, subtopic, document, sentence, token, word, flag and cell"
            found, expected = f"{len(fields)} columns", f"{FIELDS}: {names}"
            self.report(Code.BAD_LINE, found, self.lines, expected=expected)
        return len(fields) == FIELDS

    def _add(self, fields: Sequence[str], start: int, stop: int) -> None:
        """Add a row, which begins and ends there in the file."""
        topic, subtopic, name, sentence, _, word, _, cell = fields
        key: Key = (topic, name)
        if (key, self.sections) != self.checked:
            self.checked = key, self.sections
            self._check_section(key)
        if self.column in (TOPIC, SUBTOPIC):
            key = (topic if self.column == TOPIC else subtopic,)
        if key not in self.documents:
            self.documents[key] = _Collected(
                name=key[-1], topic=topic, line=self.lines, start=start
            )
        document = self.documents[key]
        document.stop = stop
        if cell not in NOTHING:
            text = cell.encode(errors="surrogateescape")
            if text not in self.cells:
                self.cells[text] = parse_cell(text)
            token = len(document.words)
            document.add_cell(self.cells[text], text, token, self.lines, self.report)
        document.words.append(word)
        document.sentences.append((name, sentence))
        document.subtopics.append(subtopic)

    def _check_section(self, key: Key) -> None:
        """Report a document that has rows in two sections; a file may have been written twice."""
        section, line = self.sections, self.lines
        before, first = self.places.get(key, (section, line))
        if before != section:
            self.report(
                Code.SAME_DOCUMENT,
                f"document {'/'.join(key)!r} occurred before, at line {first}, after another "
                "'#begin document' line",
                line,
                expected="all of its rows after one such line",
            )
        if before != section or key not in self.places:
            self.places[key] = section, line

    def placed(self, source: Source, progress: Progress | None) -> Iterator[Placed]:
        """Read a file and yield its documents; a name that occurs in two topics gets its topic."""
        for offset, block in source.blocks(progress):
            if not self.read(offset, block):
                return
        namespace = "" if self.sections == 1 else None
        names = Counter(document.name for document in self.documents.values())
        for key, document in self.documents.items():
            if names[document.name] > 1:
                document.name = f"{document.topic}/{document.name}"
            again = partial(_again, key=key, column=self.column, file=self.report.file)
            draft = document.draft(self.report)
            draft.namespace = namespace
            yield Placed(draft, document.start, document.stop, again)


def _again(block: bytes, key: Key, column: int, file: str) -> Draft:
    """Collect one document from its part of the file, in which others may stand between."""
    report = FindingReporter(Builder(), file)
    collector = _Reader(column=column, report=report)
    collector.read(0, block)
    return collector.documents[key].draft(report)


def _fields(line: str) -> list[str]:
    """Return the fields of a line, which are separated by tabs, or else by blanks."""
    if "\t" in line:
        return line.split("\t")
    return list(map(_text, line.encode(errors="surrogateescape").split()))


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
