"""Write corpora as BookNLP does: ``X.tokens`` and ``X.entities`` for each document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from corefscope.corpus import Corpus, Document
from corefscope.formats.file_names import file_names
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, is_cell, said_values, whole_span_of
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span

ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")
TOKENS = (
    *("paragraph_ID", "sentence_ID", "token_ID_within_sentence", "token_ID_within_document"),
    *("word", "lemma", "byte_onset", "byte_offset", "POS_tag", "fine_POS_tag"),
    *("dependency_relation", "syntactic_head_ID", "event"),
)
LEVELS = {"NAM": "PROP", "NOM": "NOM", "PRO": "PRON"}
NO_EVENT = "O"


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the files of a corpus."""
    for document, name in zip(corpus, file_names(corpus.document_names), strict=True):
        text = plain_text(document)
        yield f"{name}.entities", _table(document, ENTITIES, _entities(document, text))
        yield f"{name}.tokens", _table(document, TOKENS, _tokens(document, text))


def _table(document: Document, header: Sequence[str], rows: Iterator[Sequence[object]]) -> bytes:
    lines = ["\t".join(header)]
    for row in rows:
        fields = [str(field) for field in row]
        for field in fields:
            if re.search(r"[\t\n\r]", field):
                raise cannot(document, f"{field!r} cannot stand in a table")
        lines.append("\t".join(fields))
    return ("\n".join(lines) + "\n").encode()


def _entities(document: Document, text: PlainText) -> Iterator[Sequence[object]]:
    labels = [entity.label for entity in document.entities]
    if not all(label.isascii() and label.isdigit() for label in labels):
        labels = [str(number) for number in range(len(labels))]
    attributes = document.attributes or {}
    rows = []
    for label, entity in zip(labels, document.entities, strict=True):
        for mention in entity:
            seen_span(document, text, mention)
            span = whole_span_of(document, mention)
            known = attributes.get(span)
            level, type = (known.level or "", known.type or "") if known else ("", "")
            type = type if is_cell(type) else ""
            string = re.sub(r"[\t\n\r]", " ", text.string(span))
            rows.append((label, *span, LEVELS.get(level, level), type, string))
    yield from rows


def _tokens(document: Document, text: PlainText) -> Iterator[Sequence[object]]:
    lemmas, tags, fine, heads, relations = (
        said_values(document, layer) for layer in ("lemmas", "tags", "xpos", "heads", "deprels")
    )
    if fine is None:
        tags, fine = None, tags
    words = document.words or []
    paragraph, end = 0, 0
    for number, sentence in enumerate(document.sentences):
        for token in sentence:
            begin, stop = text.characters[token]
            paragraph += token > 0 and "\n\n" in text.text[end:begin]
            end = stop
            yield (
                *(paragraph, number, token - sentence.start, token, words[token]),
                *(lemmas[token] if lemmas else "", begin, stop),
                *(tags[token] if tags else "", fine[token] if fine else ""),
                relations[token] if relations else "",
                *(heads[token] if heads else "", NO_EVENT),
            )
