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
from corefscope.formats.reading.cluster_fields import GOLD, Chooser
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Unfit, clusters_reader
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.shapes import (
    Findings,
    add_strings,
    entities_of,
    name_of,
    object_of,
    sentences_of,
    without_nulls,
    words_of,
)


def _drafts(record: Any, options: ReadingOptions, chooser: Chooser) -> Iterator[Draft]:
    findings: Findings = []
    field = chooser.choice.field
    fields = chooser.with_entities(object_of(record), findings)
    fields = without_nulls(fields, field, findings)
    draft = _text(fields)
    draft.name = name_of(fields)
    draft.usual = draft.convention
    draft.convention = options.convention(draft.usual)
    draft.findings = findings
    draft.mentions = entities_of(fields, field)
    if field == GOLD:
        add_strings(draft.mentions, fields, ["clusters_strings"], findings)
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


read = clusters_reader(_drafts)
