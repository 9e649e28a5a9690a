"""What a corpus says, as plain values by which two corpora can be compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from corefscope import Corpus, Document, InvalidInput

Entities = list[tuple[str, list[Any]]]
"""Label and mentions of each entity, in the order in which the reader found them."""


def entities(document: Document) -> Entities:
    return [(entity.label, [mention.id for mention in entity]) for entity in document.entities]


def contents(corpus: Corpus) -> dict[str, tuple[int, Entities]]:
    """The number of tokens and the entities of each document by its name."""
    return {document.name: (len(document), entities(document)) for document in corpus}


def partition(document: Document) -> set[frozenset[Any]]:
    """The entities without labels and without any order."""
    return {frozenset(mention.id for mention in entity) for entity in document.entities}


def text(document: Document) -> tuple[Any, ...]:
    """Sentences and all layers of the text."""
    layers = (document.words, document.tags, document.parse, document.lemmas)
    return document.sentences, *layers, document.speakers, document.names


def everything(corpus: Corpus) -> tuple[Any, ...]:
    """All that a reader finds, places in the file included."""
    assert corpus.mention_lines is not None and corpus.word_digests is not None
    lines, digests = corpus.mention_lines.tolist(), list(corpus.word_digests)
    findings = [(finding.code, finding.line) for finding in corpus.findings]
    return contents(corpus), lines, digests, findings, [text(document) for document in corpus]


def codes(corpus: Corpus) -> list[str]:
    return [finding.code.id for finding in corpus.findings]


def refusal(action: Callable[[], object]) -> list[tuple[str, int | None]]:
    """Code and line of everything an action is refused for; nothing if it is not."""
    try:
        action()
    except InvalidInput as error:
        return [(finding.code.id, finding.line) for finding in error.findings]
    return []


def written(path: Path, data: str | bytes) -> str:
    """Write a file and return its path as a user would give it."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)
