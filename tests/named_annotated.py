"""Hypothesis strategies for documents with names, parses of both kinds, a key and a response.

Sentences, phrase structure and sides are those of `annotated`. The words are chosen for what
named entity coreference does with them: names that others share or that differ by case, what ends
a phrase and what only looks like it, pronouns of all kinds. Names are drawn among the mentions,
their ends and short spans, so most of them head something. Dependencies are trees with any
relations. A response is that of `annotated`, or the key, or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args, get_type_hints

from hypothesis import strategies as st

import annotated as plain
from annotated import Annotated, Entities
from nec_reference import TYPES, Name, NamedDocument, Options
from strategies import Span

TAGGED = [
    ("Chapman", "NNP"),
    ("he", "PRP"),
    ("Beth", "NNP"),
    ("Dwayne", "NNP"),
    ("Boston", "NNP"),
    ("US", "NNP"),
    ("us", "PRP"),
    ("China", "NNP"),
    ("'s", "POS"),
    ("and", "CC"),
    ("of", "IN"),
    (",", ","),
    ("the", "DT"),
    ("mayor", "NN"),
    ("she", "PRP"),
    ("it", "PRP"),
    ("its", "PRP$"),
    ("who", "WP"),
    ("that", "DT"),
    ("Chap", "NNP"),
    ("growing", "VBG"),
    ("saw", "VBD"),
    ("-LRB-", "-LRB-"),
]
"""Words with a tag that suits them."""
WORDS = TAGGED * 2 * len(TAGGED) + [(word, tag) for word, _ in TAGGED for _, tag in TAGGED]
"""Most of the words have a tag that suits them, the others any."""
NAME_TAGS = ["PERSON", "ORG", "GPE", "LOC", "DATE"]
RELATIONS = ["nsubj", "conj", "appos", "flat", "nmod:desc", "compound", "cc"]
CODES = range(4096)
"""Numbers that stand for a name or for the arc of a token, whatever there is to choose from."""
TABLES = [TYPES, {**TYPES, "LOC": "GPE"}, {**TYPES, "LOC": "LOC", "DATE": "LOC"}]
LONGEST = 8
"""Number of tokens of a sentence of `annotated`, at most."""

Response = Literal["noisy", "key", "none"]
RESPONSES: list[Response] = ["noisy", "noisy", "noisy", "noisy", "noisy", "key", "none"]


def named_documents(
    max_sentences: int = 3, max_mentions: int = 10
) -> st.SearchStrategy[NamedDocument]:
    """One to `max_sentences` sentences of one to eight tokens; singletons on both sides."""
    tokens = max_sentences * LONGEST
    return st.builds(
        _document,
        plain.annotated(max_sentences, max_mentions),
        st.lists(st.sampled_from(WORDS), min_size=tokens, max_size=tokens),
        st.lists(st.sampled_from(CODES), min_size=tokens, max_size=tokens),
        st.lists(st.sampled_from(CODES), min_size=tokens // 4, max_size=tokens // 2),
        st.sampled_from(RESPONSES),
    )


def named_corpora(max_documents: int = 3) -> st.SearchStrategy[list[NamedDocument]]:
    """One to `max_documents` small documents with different names."""
    documents = st.lists(named_documents(2, 8), min_size=1, max_size=max_documents)
    return documents.map(
        lambda drawn: [
            replace(each, name=f"(test/{at}); part 000") for at, each in enumerate(drawn)
        ]
    )


def options() -> st.SearchStrategy[Options]:
    """Either preset, any table of types, and any way to tell heads."""
    presets = st.sampled_from([Options(), Options(head_test="ancestor", coordination="literal")])
    heads = st.sampled_from(get_args(get_type_hints(Options)["heads"]))
    return st.builds(
        lambda preset, types, heads: preset._replace(types=types, heads=heads),
        presets,
        st.sampled_from(TABLES),
        heads,
    )


def conll_text(document: NamedDocument, entities: Entities = ()) -> str:
    """The document in the 12 columns of CoNLL-2012, which have no room for dependencies.

    Brackets cannot express crossing mentions of one entity: see `annotated.expressible`.
    """
    assert document.tags is not None and document.parse is not None
    columns = Annotated(
        words=list(document.words),
        tags=list(document.tags),
        parse=list(document.parse),
        names=_name_bits(document),
        sentences=list(document.sentences),
        key=document.key,
        response=document.response,
    )
    return plain.conll_text(columns, entities).replace(plain.NAME, document.name)


def json_line(document: NamedDocument, entities: Entities = ()) -> str:
    """The document as a line of JSON; a layer that it lacks is left out."""
    layers = {
        "pos": document.tags,
        "heads": document.dep_heads,
        "deprels": document.deprels,
    }
    record = {
        "doc_key": document.name,
        "sentences": _by_sentence(document, document.words),
        "clusters": entities,
        "ner": [
            [name for name in document.names if name[0] in sentence]
            for sentence in document.sentences
        ],
        **{
            field: _by_sentence(document, values)
            for field, values in layers.items()
            if values is not None
        },
    }
    return json.dumps(record) + "\n"


def _document(
    text: Annotated,
    words: list[tuple[str, str]],
    arcs: list[int],
    names: list[int],
    response: Response,
) -> NamedDocument:
    words = words[: len(text.words)]
    return NamedDocument(
        name=plain.NAME,
        words=tuple(word for word, _ in words),
        sentences=tuple(text.sentences),
        names=_names(text, names),
        tags=tuple(tag for _, tag in words),
        parse=tuple(text.parse),
        dep_heads=tuple(head for each in text.sentences for head in _heads(each, arcs)),
        deprels=tuple(relation for each in text.sentences for relation in _relations(each, arcs)),
        key=text.key,
        response={"noisy": text.response, "key": text.key, "none": ()}[response],
    )


def _names(text: Annotated, codes: list[int]) -> tuple[Name, ...]:
    """Names that do not overlap: mentions, ends of them, and spans of a token or two."""
    mentions = [span for side in (text.key, text.response) for chain in side for span in chain]
    ends = [(token, token) for span in mentions for token in span]
    pairs = [(token, token + 1) for sentence in text.sentences for token in sentence[:-1]]
    spans: list[Span] = [*mentions, *ends, *pairs, *((at, at) for at in range(len(text.words)))]
    kept: list[Name] = []
    for code in codes:
        first, last = spans[code // len(NAME_TAGS) % len(spans)]
        if all(last < start or end < first for start, end, _ in kept):
            kept.append((first, last, NAME_TAGS[code % len(NAME_TAGS)]))
    return tuple(sorted(kept))


def _order(sentence: range, codes: Sequence[int]) -> list[int]:
    """The tokens in some order, in which every head comes before its dependents."""
    return sorted(sentence, key=lambda token: (codes[token] % LONGEST, token))


def _heads(sentence: range, codes: Sequence[int]) -> list[int]:
    order = _order(sentence, codes)
    above = {
        token: order[codes[token] // LONGEST % place] if place else -1
        for place, token in enumerate(order)
    }
    return [above[token] for token in sentence]


def _relations(sentence: range, codes: Sequence[int]) -> list[str]:
    root = _order(sentence, codes)[0]
    drawn = [RELATIONS[codes[token] // LONGEST**2 % len(RELATIONS)] for token in sentence]
    return ["root" if token == root else each for token, each in zip(sentence, drawn, strict=True)]


def _name_bits(document: NamedDocument) -> list[str]:
    """Brackets around names: `(GPE)`, `(ORG*`, `*`, `*)`."""
    bits = ["*"] * len(document.words)
    for first, last, tag in document.names:
        bits[last] = "*)"
        bits[first] = f"({tag})" if first == last else f"({tag}*"
    return bits


def _by_sentence(
    document: NamedDocument, values: Sequence[str] | Sequence[int]
) -> list[Sequence[str] | Sequence[int]]:
    return [values[sentence.start : sentence.stop] for sentence in document.sentences]
