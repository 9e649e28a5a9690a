"""PreCo: lists of words as `sentences`, and `mention_clusters`.

A mention is `[sentence, first, end]`: the index of the sentence from 0, and tokens of the
sentence from 0; the end is exclusive. `id` is the name of the document.

- `[" "]` marks a paragraph break. It counts as a sentence but contains no token. Other programs
  keep it, so that numbers of tokens differ between copies of PreCo.
- A response is read from `predicted_clusters` if documents have them, with a warning (`W110`).
  `preco:FIELD` reads the mentions from another field.
- A mention cannot reach over two sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import name_of, sentences_of


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields = document.fields
    sentences = [
        [] if len(sentence) == 1 and not sentence[0].strip() else sentence
        for sentence in sentences_of(fields, "sentences")
    ]
    yield Draft(
        name=name_of(fields, "id"),
        mentions=document.entities(numbers=3),
        convention=document.options.convention(),
        words=list(chain.from_iterable(sentences)),
        sentences=list(map(len, sentences)),
        findings=document.findings,
    )


read = document_reader(_drafts)
