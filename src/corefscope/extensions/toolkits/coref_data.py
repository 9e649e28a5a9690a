"""coref-data, the collection of corpora on Hugging Face, written as JSON.

An object has `id`, `text`, `sentences` with their `tokens`, and `coref_chains`. A mention
is `[sentence, first, last]`: the index of the sentence from 0 (not its `id`), and tokens of the
sentence from 0; the end is inclusive. `speaker` belongs to a sentence; `start_char` and
`end_char` of tokens are characters of `text`.

- The collection is published as parquet files. Write them as JSON first: `datasets` has
  `dataset.to_json("corpus.jsonl")`.
- A token with a fractional id, such as 8.1, stands for a word that is not spoken. It is read as an
  empty node.
- The collection has only one part of a mention with gaps, and no mention over two sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import entities_of, list_of, name_of, object_of

LAYERS = {"xpos": "tags", "lemma": "lemmas"}


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields = document.fields
    given = list_of(fields, "sentences", "a list of sentences with their tokens")
    sentences = [
        [object_of(token) for token in list_of(sentence, "tokens", "a list of tokens")]
        for sentence in given
    ]
    tokens = list(chain.from_iterable(sentences))
    words = [_word(token) for token in tokens]
    text = fields.get("text")
    plain = text if isinstance(text, str) and text else None
    yield Draft(
        name=name_of(fields, "id"),
        mentions=entities_of(fields, "coref_chains", numbers=3),
        convention=document.options.convention(),
        words=words,
        sentences=list(map(len, sentences)),
        text=plain,
        characters=None if plain is None else _characters(tokens, words, plain),
        columns=_columns(given, sentences),
        zeros=[number for number, token in enumerate(tokens) if _is_zero(token.get("id"))],
    )


def _word(token: dict[str, Any]) -> str:
    word = token.get("text")
    if not isinstance(word, str):
        raise Unfit(f"a token has the text {word!r}", expected="a word")
    return word


def _is_zero(id: Any) -> bool:
    """Tell whether the id of a token is fractional."""
    if isinstance(id, str):
        return "." in id
    return isinstance(id, float) and not id.is_integer()


def _characters(
    tokens: Sequence[dict[str, Any]], words: Sequence[str], text: str
) -> list[tuple[int, int]] | None:
    """Return where tokens are in the text; None if the file does not say so, or is wrong."""
    found = []
    last = 0
    for token, word in zip(tokens, words, strict=True):
        begin, end = token.get("start_char"), token.get("end_char")
        if type(begin) is not int or type(end) is not int or text[begin:end] != word:
            return None
        # A sentence that is there twice has the same place twice.
        if begin < last:
            return None
        found.append((begin, end))
        last = end
    return found


def _columns(
    given: Sequence[dict[str, Any]], sentences: Sequence[Sequence[dict[str, Any]]]
) -> dict[str, list[str]]:
    columns = {}
    speakers = [sentence.get("speaker") for sentence in given]
    if any(isinstance(speaker, str) for speaker in speakers):
        columns["speakers"] = [
            speaker if isinstance(speaker, str) else "-"
            for speaker, tokens in zip(speakers, sentences, strict=True)
            for _ in tokens
        ]
    tokens = list(chain.from_iterable(sentences))
    for field, layer in LAYERS.items():
        if tokens and all(isinstance(token.get(field), str) for token in tokens):
            columns[layer] = [token[field] for token in tokens]
    return columns


read = document_reader(_drafts, chooses=False)
