"""Write corpora in the native format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import to_builtins

from corefscope.corpus import UNKNOWN_LENGTH, Document
from corefscope.corpus.arrays import rows_between
from corefscope.formats.native.columns import NATIVE_COLUMNS, NativeRows, mention_record
from corefscope.formats.native.schema import NativeDocument, NativeEntity
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text
from corefscope.version import __version__


def write(documents: Iterable[Document]) -> Iterator[Written]:
    """Yield the file of documents."""
    lines = (json_text(document, _record(document)) + "\n" for document in documents)
    yield "corpus.native.jsonl", "".join(lines).encode(errors="surrogateescape")


def _record(document: Document) -> dict[str, object]:
    """Return a document with the fields of all columns."""
    corpus = document.corpus
    tokens = int(corpus.document_tokens[document.index])
    numbers = rows_between(corpus.entity_document, document.index, document.index + 1)
    entities = {
        number: NativeEntity(label=corpus.entity_labels[number], mentions=[]) for number in numbers
    }
    mentions = {row: mention_record(corpus, row) for row in corpus.mentions_of(document.index)}
    for row, mention in mentions.items():
        entities[int(corpus.mention_entity[row])].mentions.append(mention)
    record = NativeDocument(
        corefscope=__version__,
        schema="corpus/1",
        name=document.name,
        tokens=None if tokens == UNKNOWN_LENGTH else tokens,
        entities=list(entities.values()),
    )
    rows = NativeRows(record, entities, mentions, {})
    for column in NATIVE_COLUMNS:
        column.write(document, rows)
    written: dict[str, object] = to_builtins(record) | to_builtins(rows.own)
    return written
