"""Collect what readers find, document by document, and make a corpus of it."""

from __future__ import annotations

import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeAlias, runtime_checkable

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from corefscope.corpus import Corpus
from corefscope.corpus.arrays import Integers
from corefscope.corpus.clusters import IN_FILES, Overview
from corefscope.corpus.columns import Axis, Before, Selection, concatenated, selected
from corefscope.corpus.corpus import COLUMNS
from corefscope.corpus.layers import SomeDocuments, TextColumns, TextLayers
from corefscope.corpus.mentions import MentionId, Parts, without_spans
from corefscope.corpus.offsets import Convention
from corefscope.exceptions import InvalidInput
from corefscope.findings import MOST_ALIKE, AnyCode, Code, Finding, unlisted
from corefscope.formats.reading.block import Block, FilePlace
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.source import Progress, Source

MOST_ERRORS = 1000
"""Reading stops after this many errors."""
KEPT = 2 << 20
"""How many bytes of a file are kept as texts."""
TOGETHER = 1 << 16
"""How many bytes of small documents are read together."""
ENOUGH_TO_LINK = 5
"""Some of so many mentions are usually linked; fewer may well be different entities."""


ReadFile: TypeAlias = "Callable[[Source, Builder, Progress | None], object]"
"""A function that reads the documents of a file into a builder."""


def word_digest(words: Sequence[str]) -> bytes:
    """Return a digest of words, to compare two texts without keeping them."""
    ended = "\n".join(words) + "\n" if words else ""
    return digest(ended.encode(errors="surrogatepass"))


def digest(joined: bytes) -> bytes:
    """Return a digest of words that have a line break after each."""
    return blake2b(joined, digest_size=8).digest()


class Tally(Protocol):
    """Counts something in all files of a format, so that it is reported once."""

    def findings(self) -> Iterable[Finding]:
        """Return what to report."""
        ...


@runtime_checkable
class ReaderOfMany(Protocol):
    """Reads the texts of several documents together."""

    def texts(self, block: bytes, edges: Sequence[tuple[int, int]]) -> Sequence[TextColumns]:
        """Return the texts of documents in a block, each with where it begins and ends."""
        ...


class FileLayers(TextLayers, Struct, eq=False):
    """Reads the text of a document from its file when it is needed; keeps the last ones.

    Analyses go through the same few documents one after the other.
    """

    places: list[FilePlace] = field(default_factory=list)
    _kept: dict[int, TextColumns] = field(default_factory=dict)
    _bytes: int = 0
    """How many bytes of files the texts are that are kept."""

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document."""
        if document not in self._kept:
            read, size = self._read(document)
            if self._bytes + size > KEPT:
                self._kept, self._bytes = {}, 0
            self._kept.update(read)
            self._bytes += size
        return self._kept[document]

    def prepare(self) -> None:
        """Unpack gzip files, which each process would otherwise do for itself."""
        for source in {id(place[0]): place[0] for place in self.places}.values():
            source.unpack()

    def _read(self, document: int) -> tuple[dict[int, TextColumns], int]:
        """Read a document, and small ones after it if texts are asked for in order.

        Returns the texts, and how many bytes they have in their file.
        """
        source, start, stop, reader = self.places[document]
        assert reader is not None
        if start == stop:
            # Where nothing is to be read, the source may be a folder. What is not in a file is in
            # memory already, and need not be kept here.
            return {document: reader(b"")}, KEPT
        edges = [(0, stop - start)]
        in_order = document == 0 or document - 1 in self._kept
        for number in range(document + 1, len(self.places) if in_order else 0):
            other, begin, end, its_reader = self.places[number]
            is_next = other is source and its_reader is reader and begin >= stop
            if not is_next or end - start > TOGETHER:
                break
            edges.append((begin - start, end - start))
            stop = end
        block = source.read(start, stop)
        texts = (
            reader.texts(block, edges)
            if isinstance(reader, ReaderOfMany)
            else [reader(block[begin:end]) for begin, end in edges]
        )
        return dict(enumerate(texts, document)), stop - start


def place_of(corpus: Corpus, document: int) -> FilePlace | None:
    """Return where a document was read from; None if it was not read from a file."""
    layers = corpus.layers
    while isinstance(layers, SomeDocuments):
        document = layers.documents[document]
        layers = layers.layers
    return layers.places[document] if isinstance(layers, FileLayers) else None


class Builder(Struct, eq=False, kw_only=True):
    """The documents, entities, mentions and findings read so far."""

    findings: list[Finding] = field(default_factory=list)
    reading: Reading = field(default_factory=Reading)
    """The format that is being read, and what the user said about it."""
    conventions: set[tuple[Convention, Convention]] = field(default_factory=set)
    """How the positions of drafts are counted, and how they would be if the user did not say so."""
    names: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    digests: list[bytes | None] = field(default_factory=list)
    entity_document: array[int] = field(default_factory=lambda: array("i"))
    entity_labels: list[str] = field(default_factory=list)
    mentions: array[int] = field(default_factory=lambda: array("i"))
    """Entity, first token, last token and line of each mention, one after the other."""
    other_ids: dict[int, MentionId] = field(default_factory=dict)
    """The ids of mentions that are not spans, by number of the mention."""
    layers: FileLayers = field(default_factory=FileLayers)
    tallies: dict[str, Tally] = field(default_factory=dict)
    """What is counted over all files, by format."""
    numbered: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """Documents whose names are only numbers, with fields of their records that may be names."""
    skipped: list[str] = field(default_factory=list)
    """Files that were skipped because they cannot be read."""
    shapes: Overview = field(default_factory=Overview)
    """The shapes of the clusters in plain JSON."""
    listings: dict[Path, list[str]] = field(default_factory=dict)
    """The names in each folder that was listed, in order."""
    _columns: dict[str, list[tuple[Before, Any]]] = field(default_factory=lambda: defaultdict(list))
    """The parts of columns that only some formats have, by name."""
    _begun: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    _unnamed: list[int] = field(default_factory=list)
    """The documents that have no name in their file."""
    _errors: int = 0
    _alike: Counter[tuple[AnyCode, str | None]] = field(default_factory=Counter)
    """How many findings there are of each code and file."""
    _not_utf8: set[str] = field(default_factory=set)

    def report(
        self,
        code: Code,
        found: str,
        file: str,
        line: int | None = None,
        *,
        expected: str | None = None,
    ) -> None:
        """Add a finding; stop reading after too many errors."""
        self.add(Finding(code, found, expected=expected, file=file, line=line))

    def add(self, finding: Finding) -> None:
        """Add a finding; stop reading after too many errors, and only count many warnings."""
        kind = finding.code, finding.file
        self._alike[kind] += 1
        if finding.is_error or self._alike[kind] <= MOST_ALIKE:
            self.findings.append(finding)
        self._errors += finding.is_error
        if self._errors >= MOST_ERRORS:
            more = f"{MOST_ERRORS:,} errors; the rest of the file was not read"
            self.findings.append(replace(finding, found=more, expected=None))
            self.give_up()

    def report_empty(self, count: int, file: str, line: int | None = None) -> None:
        """Report how many entities of a document have no mention, if there are some."""
        if count:
            found = "1 entity has" if count == 1 else f"{count:,} entities have"
            left_out = "it is" if count == 1 else "they are"
            self.report(
                Code.LEFT_OUT,
                f"{found} no mention",
                file,
                line,
                expected=f"one or more: {left_out} left out",
            )

    def check_bytes(self, block: bytes, file: str, lines_before: int) -> None:
        """Report bytes that are not UTF-8, once per file; stop reading at a NUL byte."""
        nul = block.find(0)
        if nul >= 0:
            line = lines_before + block.count(b"\n", 0, nul) + 1
            self.report(
                Code.BINARY,
                "found a NUL byte: this is a binary file or UTF-16",
                file,
                line,
                expected="UTF-8 text",
            )
            self.give_up()
        if block.isascii() or file in self._not_utf8:
            return
        try:
            block.decode()
        except UnicodeDecodeError as error:
            self._not_utf8.add(file)
            line = lines_before + block.count(b"\n", 0, error.start) + 1
            byte = f"byte 0x{block[error.start]:02x} is not UTF-8"
            self.report(Code.NOT_UTF8, f"{byte}; bytes are kept as they are", file, line)

    def give_up(self) -> NoReturn:
        """Stop reading."""
        raise InvalidInput([*self.findings, *unlisted(self._alike)])

    def skips(self, source: Source, reader: ReadFile) -> bool:
        """Return whether a file cannot be read; report it as skipped if so."""
        trial = Builder(listings=self.listings)
        try:
            reader(source, trial, None)
            trial.tallies.clear()  # They are about all files.
            trial.corpus(source.name)
        except InvalidInput as error:
            errors = [finding for finding in error.findings if finding.is_error]
            count = f"{len(errors):,} errors, the first of them" if len(errors) > 1 else "error"
            line = f" on line {errors[0].line}" if errors[0].line else ""
            message = f"the file is skipped: {count}{line}: {errors[0].message} "
            self.report(Code.SKIPPED, f"{message}[{errors[0].code.id}]", source.name)
            self.skipped.append(source.name)
            return True
        return False

    def names_in(self, folder: Path) -> list[str]:
        """Return the names in a folder in order, or none if it does not exist.

        A folder is listed once, even if it has the files of many documents.
        """
        if folder not in self.listings:
            entries = os.scandir(folder) if folder.is_dir() else ()
            self.listings[folder] = sorted(entry.name for entry in entries)
        return self.listings[folder]

    def add_block(self, block: Block) -> None:
        """Add documents."""
        document, entity, mention = len(self.names), len(self.entity_labels), self.mention_count
        for name, line, place in zip(block.names, block.lines, block.places, strict=True):
            self._add_name(name, place[0].name, line)
        if not block.is_named:
            self._unnamed += range(document, len(self.names))
        self.tokens.extend(block.tokens)
        self.digests.extend(block.digests)
        self.layers.places.extend(block.places)
        for number, size in enumerate(block.entities or [len(block.labels)], document):
            self.entity_document.extend([number] * size)
        self.entity_labels.extend(block.labels)
        rows = block.mentions.astype(np.int32)
        rows[:, 0] += entity
        self.mentions.frombytes(rows.tobytes())
        self.other_ids.update((mention + row, id) for row, id in block.ids.items())
        for column, values in block.columns.items():
            self._columns[column].append((Before(document, entity, mention), values))

    def _add_name(self, name: str, file: str, line: int | None) -> None:
        if name in self._begun:
            before, at = self._begun[name]
            first = before if at is None else f"{before}:{at}"
            self.report(
                Code.SAME_DOCUMENT,
                f"document {name!r} occurred before, at {first}",
                file,
                line,
                expected="unique names",
            )
        self._begun[name] = file, line
        self.names.append(name)
        self.files.append(file)

    @property
    def mention_count(self) -> int:
        """How many mentions were added."""
        return len(self.mentions) // 4

    def corpus(self, path: str) -> Corpus:
        """Return the corpus; raise :class:`InvalidInput` if there were errors."""
        if self.skipped and not self.names:
            self.report(
                Code.NO_DOCUMENT,
                "no file could be read",
                path,
                expected="at least one that can be scored",
            )
        for tally in self.tallies.values():
            for finding in tally.findings():
                self.add(finding.at(path))
        if any(finding.is_error for finding in self.findings):
            self.give_up()
        if self.names and not self.mentions:
            self.findings.append(self._without_mentions(path))
        doubtful = self.shapes.doubtful("the file", IN_FILES, path)
        if doubtful is not None and self.shapes.documents == len(self.names):
            self.findings.append(doubtful)
        rows = np.array(self.mentions).reshape(-1, 4)
        order = np.argsort(rows[:, 0], kind="stable")
        rows = rows[order]
        spans = rows[:, 1:3]
        columns = self._ordered_columns(order)
        corpus = Corpus(
            document_names=tuple(self.names),
            document_tokens=np.array(self.tokens, dtype=np.int64),
            entity_document=np.array(self.entity_document),
            entity_labels=self.entity_labels,
            mention_entity=np.ascontiguousarray(rows[:, 0]),
            mention_spans=without_spans(len(rows)) if self.other_ids else spans,
            mention_ids=self._ids(order, spans, columns.get("mention_parts", {}))
            if self.other_ids
            else (),
            **columns,
            mention_lines=rows[:, 3],
            mention_order=order.astype(np.int32),
            document_files=self.files,
            word_digests=self.digests,
            layers=self.layers,
            path=path,
            findings=(*self.findings, *unlisted(self._alike)),
            skipped_files=tuple(self.skipped),
            is_unnamed=len(self.names) == len(self._unnamed) == 1,
            numbered=self._numbered(),
        )
        found = corpus.across_documents() or self._without_links(path)
        return replace(corpus, findings=(*corpus.findings, *found))

    def _numbered(self) -> dict[str, Mapping[str, str]]:
        """Return the documents that have only a number, or none where none ever has a name."""
        count = Counter(self.files[document] for document in self._unnamed)
        found: dict[str, Mapping[str, str]] = {
            self.names[i]: {}
            for i in self._unnamed
            if count[self.files[i]] > 1 or self.reading.is_nameless
        }
        return found | self.numbered

    def _ordered_columns(self, order: Integers) -> dict[str, Any]:
        """Return the columns that only some formats have, with mentions in an order."""
        sizes: dict[Axis, int] = {
            "document": len(self.names),
            "entity": len(self.entity_labels),
            "mention": self.mention_count,
        }
        selection = Selection(mention=order, sizes=sizes)
        return {
            name: selected(concatenated(COLUMNS[name], blocks, sizes), COLUMNS[name], selection)
            for name, blocks in self._columns.items()
        }

    def _without_links(self, path: str) -> list[Finding]:
        """Report a corpus whose links seem to be missing, in formats that have them."""
        documents, mentions = len(self.names), self.mention_count
        is_enough = mentions > documents and mentions >= ENOUGH_TO_LINK
        is_linked = len(set(self.mentions[::4])) < mentions
        if not self.reading.is_linked or not is_enough or is_linked:
            return []
        texts = f"{documents:,} documents" if documents > 1 else "the only document"
        return [
            Finding(
                Code.UNLINKED,
                f"none of the {mentions:,} mentions in {texts} is linked to another one",
                expected=(
                    "links: check that relations or chains were written, as the format describes "
                    "them"
                ),
                file=path,
            )
        ]

    def _without_mentions(self, path: str) -> Finding:
        count = len(self.names)
        documents = f"{count:,} documents have" if count > 1 else "the only document has"
        return Finding(
            Code.NO_MENTIONS,
            f"{documents} no mention at all",
            expected=(
                "at least one: check that this is the right file, and that the entities are in "
                "the column or field that is read"
            ),
            file=self.files[0] if len(set(self.files)) == 1 else path,
        )

    def _ids(
        self, order: Integers, spans: NDArray[np.int32], parts: Mapping[int, Parts]
    ) -> list[MentionId]:
        """Return the id of each mention, in an order: most of them are no spans."""
        known = [self.other_ids.get(row) for row in order.tolist()]
        if None not in known:
            return known
        pairs = map(tuple, spans.tolist())
        others = [parts.get(row, pair) for row, pair in enumerate(pairs)]
        return [other if id is None else id for id, other in zip(known, others, strict=True)]
