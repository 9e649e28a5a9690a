"""Output of fastcoref (F-coref and LingMess), and the files that it is trained with.

`model.predict(texts, output_file=…)` writes one object per line with `text`, `clusters` and
`clusters_strings`. How positions are counted depends on the fields of the object:

- `text` is a string: characters (Unicode code points) from 0, ends exclusive.
- `text` is a list of words (`is_split_into_words=True`): tokens from 0, ends exclusive.
- `tokens` or `sentences` (training files, and output of the training code): tokens of the
  document from 0, ends inclusive. They count also if there is a `text`.

Documents have no name, unless `doc_key` gives one; they are paired with those of the other side
by their text.

- A mention that the model could not place is null in `clusters`, and missing in
  `clusters_strings`. It is left out and reported.
- There are no sentences and no singletons in predictions.
- A text without tokens is divided into words and signs, and where a mention begins or ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from corefscope.corpus.offsets import CHARACTERS, DEFAULT, TOKENS
from corefscope.formats.reading.cluster_fields import GOLD
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import (
    name_of,
    sentences_of,
    words_of,
)


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    document.without_nulls()
    fields = document.fields
    draft = _text(fields)
    draft.name = name_of(fields)
    draft.usual = draft.convention
    draft.convention = document.options.convention(draft.usual)
    draft.findings = document.findings
    draft.mentions = document.entities()
    if document.field == GOLD:
        document.add_strings(draft.mentions, "clusters_strings")
    yield draft


def _text(record: dict[str, Any]) -> Draft:
    """Return a draft with the text and its convention."""
    text = record.get("text")
    plain = text if isinstance(text, str) else None
    if record.get("tokens") is not None:
        words = words_of(record, "tokens")
        return Draft(name=None, convention=DEFAULT, words=words, text=plain)
    if record.get("sentences") is not None:
        sentences = sentences_of(record, "sentences")
        lengths, words = list(map(len, sentences)), list(chain.from_iterable(sentences))
        return Draft(name=None, words=words, sentences=lengths, text=plain)
    if plain is not None:
        return Draft(name=None, convention=CHARACTERS, text=plain)
    if text is None:
        raise Unfit("there is no 'text'", expected="a string or a list of words")
    return Draft(name=None, convention=TOKENS, words=words_of(record, "text"))


# ---- Writing ----


read = document_reader(_drafts)
