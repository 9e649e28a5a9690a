"""Write corpora as fastcoref does.

A document whose text is known is a string, and mentions count its characters. Otherwise the text is
a list of words, and mentions count these. Ends are exclusive in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corefscope.corpus import Corpus, Document
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text, whole_span_of, words_of
from corefscope.formats.writing.plain_text import plain_text, seen_span


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    lines = [json_text(document, _record(document)) for document in corpus]
    yield "corpus.jsonl", "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def _record(document: Document) -> dict[str, Any]:
    spans = [[whole_span_of(document, m) for m in entity] for entity in document.entities]
    if document.text is None:
        words = words_of(document)
        return {
            "text": words,
            "clusters": [[[first, last + 1] for first, last in each] for each in spans],
            "clusters_strings": [[words[first : last + 1] for first, last in s] for s in spans],
        }
    text = plain_text(document)
    for entity in document.entities:
        for mention in entity:
            seen_span(document, text, mention)
    return {
        "text": text.text,
        "clusters": [[list(text.place(span)) for span in each] for each in spans],
        "clusters_strings": [[text.string(span) for span in each] for each in spans],
    }
