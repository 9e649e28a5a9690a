"""JSON of Stanford CoreNLP (`-outputFormat json`).

`sentences` has the tokens, and `corefs` the chains. A mention has `sentNum`, `startIndex`,
`endIndex` and `headIndex`: sentences and tokens of the sentence from 1; the end is exclusive. Types
become levels: PROPER is NAM, NOMINAL and LIST are NOM, PRONOMINAL is PRO. Speakers, tags and lemmas
are read from the tokens.

- The JSON has all chains, also singletons. XML and text leave singletons out by default, so that
  scores of one run differ between its files.
- Words are taken from `originalText`, because `word` may be `-LRB-`.
- `characterOffsetBegin` counts UTF-16 units, as Java does. They are turned into code points.
- The text is known only if tokens have `before` and `after`.
- A head that is not the number of a token in its sentence is left out and reported (`W113`).
- Documents have no name, unless there is a `docId`.
- Numbers of Stanza's client (protobuf) count from 0; they are read with `corenlp:base=0`.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import list_of, name_of, object_of
from corefscope.formats.reading.source import ENDING
from corefscope.formats.reading.units import SentenceTokens, code_point_pairs

LEVELS = {"PROPER": "NAM", "NOMINAL": "NOM", "PRONOMINAL": "PRO", "LIST": "NOM"}
LAYERS = {"speaker": "speakers", "pos": "tags", "lemma": "lemmas"}
NUMBERS = ("sentNum", "startIndex", "endIndex")


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields, convention = document.fields, document.options.convention()
    sentences = [
        [object_of(token) for token in list_of(sentence, "tokens", "a list of tokens")]
        for sentence in list_of(fields, "sentences", "a list of sentences with tokens")
    ]
    tokens = list(chain.from_iterable(sentences))
    words = [_word(token) for token in tokens]
    lengths = list(map(len, sentences))
    text, characters = _text(tokens, words)
    name = name_of(fields, "docId")
    entities = _entities(fields)
    heads = [mention.get("headIndex") for of in fields["corefs"].values() for mention in of]
    findings = add_heads(entities, heads, head_finder(convention, lengths))
    yield Draft(
        name=None if name is None else ENDING.sub("", name) or name,
        mentions=Mentions.of(entities),
        convention=convention,
        words=words,
        sentences=lengths,
        sentences_from_base=True,
        text=text,
        characters=characters or _characters(tokens, words),
        columns={
            layer: [token[field] for token in tokens]
            for field, layer in LAYERS.items()
            if tokens and all(isinstance(token.get(field), str) for token in tokens)
        },
        findings=findings,
    )


def _word(token: Mapping[str, Any]) -> str:
    word = token.get("originalText") or token.get("word")
    if not isinstance(word, str):
        raise Unfit(f"a token is {reprlib.repr(token)}", expected="'originalText' or 'word'")
    return word


def _entities(record: dict[str, Any]) -> dict[str, list[DraftMention]]:
    chains = object_of(record.get("corefs"))
    return {
        label: [_mention(object_of(m), label) for m in list_of(chains, label, "a list of mentions")]
        for label in chains
    }


def head_finder(convention: Convention, lengths: Sequence[int]) -> SentenceTokens:
    """Return what finds heads, which are counted like the first tokens of mentions."""
    usual = Convention(convention.base, "inclusive", "sentence")
    return SentenceTokens(usual, lengths, sentences_from_base=True)


def add_heads(
    entities: Mapping[str, Sequence[DraftMention]], given: Sequence[Any], heads: SentenceTokens
) -> list[Finding]:
    """Add the heads that are tokens of their sentences, and return what to say about the others.

    ``given`` has a head for each mention; None if the file has none for it.
    """
    mentions = list(chain.from_iterable(entities.values()))
    pairs = [
        (mention, (mention.places[0][0], head, head))
        for mention, head in zip(mentions, given, strict=True)
        if type(head) is int
    ]
    first, _, is_wrong = heads([place for _, place in pairs])
    astray = [head for head in given if head is not None and type(head) is not int]
    for (mention, place), head, is_astray in zip(
        pairs, first.tolist(), is_wrong.tolist(), strict=True
    ):
        mention.head = None if is_astray else head
        # If there is no such sentence, the mention is wrong, not only its head.
        if is_astray and heads.length_at(place) is not None:
            astray.append(place[-1])
    if not astray:
        return []
    shown = reprlib.repr(astray[0])
    if len(astray) == 1:
        found = f"the head {shown} of a mention is not a token of its sentence"
        left_out = "it is"
    else:
        number = f"{len(astray):,} heads of mentions"
        found = f"{number} are not tokens of their sentences, such as {shown}"
        left_out = "they are"
    return [Finding(Code.BAD_LAYER, found, expected=f"the number of a token: {left_out} left out")]


def _mention(given: dict[str, Any], label: str) -> DraftMention:
    numbers = [given.get(field) for field in NUMBERS]
    if not all(type(number) is int for number in numbers):
        shown = reprlib.repr(given)
        raise Unfit(
            f"mention {shown} of entity {label}", expected=f"the numbers {', '.join(NUMBERS)}"
        )
    sentence, start, end = (number for number in numbers if isinstance(number, int))
    string, type_ = (given.get(field) for field in ("text", "type"))
    return DraftMention(
        places=((sentence, start, end),),
        string=string if isinstance(string, str) else None,
        level=LEVELS.get(type_) if isinstance(type_, str) else None,
    )


def _text(
    tokens: Sequence[dict[str, Any]], words: Sequence[str]
) -> tuple[str | None, list[tuple[int, int]] | None]:
    """Return the text and the places of the tokens, if the file has what stands between them."""
    if not tokens or not all(
        isinstance(token.get(field), str) for token in tokens for field in ("before", "after")
    ):
        return None, None
    text, places = tokens[0]["before"], []
    for token, word in zip(tokens, words, strict=True):
        begin = len(text)
        text += word
        places.append((begin, len(text)))
        text += token["after"]
    return text, places


def _characters(
    tokens: Sequence[dict[str, Any]], words: Sequence[str]
) -> list[tuple[int, int]] | None:
    """Return the places of the tokens in code points, if the file has them."""
    for unit in ("codepoint", "character"):
        begins, ends = (
            [token.get(f"{unit}Offset{edge}") for token in tokens] for edge in ("Begin", "End")
        )
        pairs = [
            (begin, end)
            for begin, end in zip(begins, ends, strict=True)
            if type(begin) is int and type(end) is int
        ]
        if tokens and len(pairs) == len(tokens):
            return pairs if unit == "codepoint" else code_point_pairs(words, pairs)
    return None


read = document_reader(_drafts, chooses=False)
