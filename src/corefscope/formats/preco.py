"""PreCo: lists of words as `sentences`, and `mention_clusters`.

A mention is `[sentence, first, end]`: the index of the sentence from 0, and tokens of the
sentence from 0; the end is exclusive. `id` is the name of the document.

- A sentence that is one blank, `[" "]`, stands between paragraphs. It counts in the index of the
  sentence, but its blank is no token. Other programs keep it, so that numbers of tokens differ
  between copies of PreCo.
- `preco:FIELD` reads the mentions from another field, such as predicted clusters.
- A mention cannot reach over two sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import record_reader
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.shapes import entities_of, name_of, object_of, sentences_of


def _drafts(record: Any, options: ReadingOptions) -> Iterator[Draft]:
    fields = object_of(record)
    sentences = [
        [] if len(sentence) == 1 and not sentence[0].strip() else sentence
        for sentence in sentences_of(fields, "sentences")
    ]
    yield Draft(
        name=name_of(fields, "id", "doc_key", "doc_id"),
        mentions=entities_of(fields, options.clusters or "mention_clusters", numbers=3),
        convention=options.convention(),
        words=list(chain.from_iterable(sentences)),
        sentences=list(map(len, sentences)),
    )


read = record_reader(_drafts)
