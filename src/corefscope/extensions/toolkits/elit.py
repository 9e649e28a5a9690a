"""ELIT: `sens` with the tokens of sentences, and `coref`.

A mention is `[sid, first, end]`: the id `sid` of the sentence, and tokens of the sentence from
0; the end is exclusive. Documents have no name, unless `doc_id` or `id` gives one.

- A response is read from `predicted_clusters` if documents have them, with a warning (`W110`).
  `elit:FIELD` reads the mentions from another field.
- A mention cannot reach over two sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import list_of, name_of, words_of


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields = document.fields
    given = list_of(fields, "sens", "a list of sentences with their tokens")
    sentences = [words_of(sentence, "tok") for sentence in given]
    mentions = document.entities(numbers=3)
    _use_indexes(mentions, [sentence.get("sid") for sentence in given])
    yield Draft(
        name=name_of(fields, "doc_id", "doc_key", "id"),
        mentions=mentions,
        convention=document.options.convention(),
        words=list(chain.from_iterable(sentences)),
        sentences=list(map(len, sentences)),
        findings=document.findings,
    )


def _use_indexes(mentions: Mentions, ids: list[Any]) -> None:
    """Put the index of a sentence in the place of its id."""
    if ids == list(range(len(ids))):
        return
    if not all(type(id) is int for id in ids) or len(set(ids)) < len(ids):
        raise Unfit("'sid' is missing, or occurs twice", expected="a number for each sentence")
    index = {id: number for number, id in enumerate(ids)}
    # An id that no sentence has becomes an index that no sentence has.
    mentions.places = [(index.get(id, -1), first, end) for id, first, end in mentions.places]


read = document_reader(_drafts)
