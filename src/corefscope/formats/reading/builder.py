"""Collect what readers find, document by document, and make a corpus of it."""

from __future__ import annotations

import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from corefscope.choices import Layer
from corefscope.corpus import Corpus
from corefscope.corpus.anaphora import Anaphora, Markables
from corefscope.corpus.arrays import Integers
from corefscope.corpus.clusters import IN_FILES, Overview
from corefscope.corpus.corpus import COLUMNS
from corefscope.corpus.layers import SomeDocuments, TextColumns, TextLayers
from corefscope.corpus.mentions import MentionId, Parts, joined, without_spans
from corefscope.corpus.offsets import Convention
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.reading.word_sets import WordColumns
from corefscope.records import dataclass

MOST_ERRORS = 1000
"""Reading stops after this many errors."""
ENOUGH_TO_LINK = 5
"""Some of so many mentions are usually linked; fewer may well be different entities."""

TextReader = Callable[[bytes], TextColumns]
FilePlace: TypeAlias = "tuple[Source, int, int, TextReader]"
"""A file, where a document begins and ends in it, and what reads its text."""


@runtime_checkable
class SelectiveReader(Protocol):
    """Reads the text of a document from lines that say more than a corpus keeps."""

    @property
    def format(self) -> str:
        """The name of the format of the lines."""
        ...

    def __call__(self, block: bytes) -> TextColumns:
        """Return the text of a document."""
        ...

    def unread(self, block: bytes) -> Iterable[str]:
        """Return the names of what the lines say and a corpus does not keep."""
        ...


ReadFile: TypeAlias = "Callable[[Source, Builder, Progress | None], None]"
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

    def findings(self) -> Iterable[tuple[Code, str]]:
        """Return what to report."""
        ...


@dataclass(slots=True, eq=False)
class FileLayers(TextLayers):
    """Reads the text of a document from its file when it is needed; keeps the last one."""

    places: list[FilePlace] = field(default_factory=list)
    _last: tuple[int, TextColumns] | None = None

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document."""
        if self._last is None or self._last[0] != document:
            source, start, stop, reader = self.places[document]
            self._last = document, reader(source.read(start, stop))
        return self._last[1]


def place_of(corpus: Corpus, document: int) -> FilePlace | None:
    """Return where a document was read from; None if it was not read from a file."""
    layers = corpus.layers
    while isinstance(layers, SomeDocuments):
        document = layers.documents[document]
        layers = layers.layers
    return layers.places[document] if isinstance(layers, FileLayers) else None


@dataclass(slots=True, eq=False, kw_only=True)
class Builder:
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
    sets: WordColumns = field(default_factory=WordColumns)
    """Gaps, heads, empty nodes and links, in formats that have them."""
    layers: FileLayers = field(default_factory=FileLayers)
    said: dict[str, dict[int, object]] = field(default_factory=lambda: defaultdict(dict))
    """What only some formats say of a document, by column of the corpus and document."""
    _joining: str | None = None
    tallies: dict[str, Tally] = field(default_factory=dict)
    """What is counted over all files, by format."""
    numbered: set[str] = field(default_factory=set)
    """Documents of which their file says that their names are only numbers in another file."""
    skipped: list[str] = field(default_factory=list)
    """Files that were skipped because they cannot be read."""
    shapes: Overview = field(default_factory=Overview)
    """The shapes of the clusters in plain JSON."""
    listings: dict[Path, list[str]] = field(default_factory=dict)
    """The names in each folder that was listed, in order."""
    _anaphora: dict[int, Mapping[Layer, Markables]] = field(default_factory=dict)
    _layer: Layer = "identity"
    _begun: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    _unnamed: list[int] = field(default_factory=list)
    """The documents that have no name in their file."""
    _errors: int = 0
    _not_utf8: set[str] = field(default_factory=set)

    def report(self, code: Code, message: str, file: str, line: int | None = None) -> None:
        """Add a finding; stop reading after too many errors."""
        self.add(Finding(code, message, file=file, line=line))

    def add(self, finding: Finding) -> None:
        """Add a finding; stop reading after too many errors."""
        self.findings.append(finding)
        self._errors += finding.is_error
        if self._errors >= MOST_ERRORS:
            more = f"{MOST_ERRORS:,} errors; the rest of the file was not read"
            self.findings.append(replace(finding, message=more))
            self.give_up()

    def report_empty(self, count: int, file: str, line: int | None = None) -> None:
        """Report how many entities of a document have no mention, if there are some."""
        if count:
            found = "1 entity has" if count == 1 else f"{count:,} entities have"
            left_out = "it is" if count == 1 else "they are"
            message = f"{found} no mention; expected one or more: {left_out} left out"
            self.report(Code.EMPTY_ENTITY, message, file, line)

    def check_bytes(self, block: bytes, file: str, lines_before: int) -> None:
        """Report bytes that are not UTF-8, once per file; stop reading at a NUL byte."""
        nul = block.find(0)
        if nul >= 0:
            line = lines_before + block.count(b"\n", 0, nul) + 1
            message = "found a NUL byte: this is a binary file or UTF-16; expected UTF-8 text"
            self.report(Code.BINARY, message, file, line)
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
        raise InvalidInput(self.findings)

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

    def begin(self, name: str, file: str, line: int | None, *, is_named: bool = True) -> None:
        """Begin a document; ``is_named`` says whether the name is in the file."""
        if name in self._begun:
            before, at = self._begun[name]
            first = before if at is None else f"{before}:{at}"
            message = f"document {name!r} occurred before, at {first}; expected unique names"
            self.report(Code.SAME_DOCUMENT, message, file, line)
        self._begun[name] = file, line
        self.names.append(name)
        self.files.append(file)
        if not is_named:
            self._unnamed.append(len(self.names) - 1)

    def add_documents(
        self,
        names: Sequence[str],
        file: str,
        *,
        lines: Sequence[int],
        tokens: Sequence[int],
        digests: Sequence[bytes],
        places: Sequence[FilePlace],
    ) -> None:
        """Begin and end documents that are all named, each on a line of a file."""
        for name, line in zip(names, lines, strict=True):
            self.begin(name, file, line)
        self.tokens.extend(tokens)
        self.digests.extend(digests)
        self.layers.places.extend(places)

    def entity(self, label: str) -> int:
        """Begin an entity of the current document and return its number."""
        self.entity_document.append(len(self.names) - 1)
        self.entity_labels.append(label)
        return len(self.entity_labels) - 1

    def add_entities(self, labels: Sequence[str]) -> None:
        """Begin entities of the current document."""
        self.entity_document.extend([len(self.names) - 1] * len(labels))
        self.entity_labels.extend(labels)

    def add_mentions(self, rows: Integers) -> None:
        """Add spans: rows with the entity, the first token, the last token and the line."""
        self.mentions.frombytes(rows.astype(np.int32, copy=False).tobytes())

    def mention(self, entity: int, start: int, end: int, line: int) -> None:
        """Add a span to an entity."""
        self.mentions.extend((entity, start, end, line))

    def parted_mention(self, entity: int, parts: Parts, line: int) -> None:
        """Add a mention with gaps to an entity; parts that touch are one."""
        self.add_parts(len(self.mentions) // 4, parts)
        self.mention(entity, parts[0][0], parts[-1][1], line)

    def add_parts(self, row: int, parts: Parts) -> None:
        """Say that a mention has gaps, unless its parts touch."""
        spans = joined(parts)
        if len(spans) > 1:
            self.sets.parts[row] = spans

    def anaphora(self, layers: Mapping[Layer, Markables], entities: Layer) -> None:
        """Add what the current document says about anaphora, and which layer its entities are."""
        self._anaphora[len(self.names) - 1] = layers
        self._layer = entities

    def other_mention(self, entity: int, id: MentionId) -> None:
        """Add a mention that is not a span."""
        self.other_ids[len(self.mentions) // 4] = id
        self.mention(entity, 0, 0, 0)

    def add_other_mentions(self, entities: Integers, ids: Sequence[MentionId]) -> None:
        """Add mentions that are not spans, each with the number of its entity."""
        row = len(self.mentions) // 4
        self.other_ids.update(zip(range(row, row + len(ids)), ids, strict=True))
        rows = np.zeros((len(ids), 4), np.int64)
        rows[:, 0] = entities
        self.add_mentions(rows)

    def say(self, column: str, value: object) -> None:
        """Say something of the current document, in a column that few formats have."""
        self.said[column][len(self.names) - 1] = value

    def end(self, tokens: int, digest: bytes | None, place: FilePlace) -> None:
        """End the current document."""
        self.tokens.append(tokens)
        self.digests.append(digest)
        self.layers.places.append(place)

    def corpus(self, path: str) -> Corpus:
        """Return the corpus; raise :class:`InvalidInput` if there were errors."""
        if self.skipped and not self.names:
            message = "no file could be read; expected at least one that can be scored"
            self.report(Code.NO_DOCUMENT, message, path)
        for tally in self.tallies.values():
            for code, message in tally.findings():
                self.report(code, message, path)
        if any(finding.is_error for finding in self.findings):
            self.give_up()
        if self.names and not self.mentions:
            self.findings.append(self._without_mentions(path))
        across = self._across_documents(path)
        self.findings += across or self._without_links(path)
        doubtful = self.shapes.doubtful("the file", IN_FILES, path)
        if doubtful is not None and self.shapes.documents == len(self.names):
            self.findings.append(doubtful)
        rows = np.array(self.mentions).reshape(-1, 4)
        order = np.argsort(rows[:, 0], kind="stable")
        rows = rows[order]
        spans = rows[:, 1:3]
        return Corpus(
            document_names=tuple(self.names),
            document_tokens=np.array(self.tokens, dtype=np.int64),
            entity_document=np.array(self.entity_document),
            entity_labels=self.entity_labels,
            mention_entity=np.ascontiguousarray(rows[:, 0]),
            mention_spans=without_spans(len(rows)) if self.other_ids else spans,
            anaphora=self._all_anaphora(),
            mention_ids=self._ids(order.tolist(), spans) if self.other_ids else (),
            **self.sets.columns(order, len(self.names), len(self.entity_labels)),
            mention_lines=rows[:, 3],
            mention_order=order.astype(np.int32),
            document_files=self.files,
            word_digests=self.digests,
            layers=self.layers,
            **{column: self._of_documents(column) for column in self.said},
            path=path,
            findings=tuple(self.findings),
            skipped_files=tuple(self.skipped),
            is_unnamed=len(self.names) == len(self._unnamed) == 1,
            numbered=self._numbered(),
        )

    def _all_anaphora(self) -> Anaphora | None:
        if not self._anaphora:
            return None
        documents = [self._anaphora.get(document, {}) for document in range(len(self.names))]
        layers = {layer: [one.get(layer) for one in documents] for layer in get_args(Layer)}
        return Anaphora(layers, self._layer)

    def _numbered(self) -> frozenset[str]:
        """Return the documents that have only a number in a file with others."""
        count = Counter(self.files[document] for document in self._unnamed)
        found = frozenset(self.names[i] for i in self._unnamed if count[self.files[i]] > 1)
        return found | self.numbered

    def _of_documents(self, column: str) -> Any:
        """Return a column in which something is said of some documents."""
        said, empty = self.said[column], COLUMNS[column].empty
        return [said.get(document, empty) for document in range(len(self.names))]

    def add_topic(self, topic: str, namespace: str | None, joining: str | None) -> None:
        """Add the topic of the last document, as a draft gives it."""
        self.say("document_topics", topic)
        self.say("document_namespaces", topic if namespace is None else namespace)
        self._joining = joining or self._joining

    def _across_documents(self, path: str) -> list[Finding]:
        """Report entities with mentions in several documents of a topic."""
        namespaces = self.said.get("document_namespaces")
        if not namespaces:
            return []
        found = Counter(
            (namespaces[document], label)
            for document, label in zip(self.entity_document, self.entity_labels, strict=True)
            if document in namespaces
        )
        several = sum(count > 1 for count in found.values())
        if not several:
            return []
        entities = "1 entity has" if several == 1 else f"{several:,} entities have"
        message = (
            f"{entities} mentions in more than one document; each document is scored on its own, "
            "so links between documents do not count"
        )
        if self._joining is not None:
            message += f"; to count them, read key and response with the format {self._joining!r}"
        return [Finding(Code.ACROSS_DOCUMENTS, message, file=path)]

    def _without_links(self, path: str) -> list[Finding]:
        """Report a corpus whose links seem to be missing, in formats that have them."""
        documents, mentions = len(self.names), len(self.mentions) // 4
        is_enough = mentions > documents and mentions >= ENOUGH_TO_LINK
        is_linked = len(set(self.mentions[::4])) < mentions
        if not self.reading.is_linked or not is_enough or is_linked:
            return []
        texts = f"{documents:,} documents" if documents > 1 else "the only document"
        message = (
            f"none of the {mentions:,} mentions in {texts} is linked to another one; expected "
            "links: check that relations or chains were written, as the format describes them"
        )
        return [Finding(Code.ALL_UNLINKED, message, file=path)]

    def _without_mentions(self, path: str) -> Finding:
        count = len(self.names)
        documents = f"{count:,} documents have" if count > 1 else "the only document has"
        message = (
            f"{documents} no mention at all; expected at least one: check that this is the right "
            "file, and that the entities are in the column or field that is read"
        )
        file = self.files[0] if len(set(self.files)) == 1 else path
        return Finding(Code.NO_MENTIONS, message, file=file)

    def _ids(self, order: list[int], spans: NDArray[np.int32]) -> list[MentionId]:
        known: dict[int, MentionId] = {**self.sets.parts, **self.other_ids}
        if len(known) == len(order):
            return [known[row] for row in order]
        pairs = map(tuple, spans.tolist())
        return [known.get(row, pair) for row, pair in zip(order, pairs, strict=True)]
