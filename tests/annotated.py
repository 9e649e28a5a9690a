"""Hypothesis strategies for documents with words, tags, parses, names, a key and a response.

The words are chosen for what the error analysis does with them: what is trimmed and what only
looks like it, pronouns by tag and by word, names and nouns. Mentions nest, cross and touch. A
response is the key with mentions lost, moved, shifted and added, or has nothing to do with it.
What is drawn does not depend on what was drawn before (spans are numbers until the sentences are
there), so thousands of examples take seconds, and every draw shrinks towards fewer things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

import corefscope as cs
from strategies import Span

Entities = tuple[tuple[Span, ...], ...]
Placed = tuple[int, Span]
"""A mention and the number of its entity."""
Change = tuple[int, int, int] | None
"""What is added to the entity, the start and the end of a mention; None if it is lost."""
ValueT = TypeVar("ValueT")

NAME = "(test/0); part 000"
"""The name of the document."""

TAGGED = [
    ("dog", "NN"),
    ("she", "PRP"),
    ("Acme", "NNP"),
    ("the", "DT"),
    ("'s", "POS"),
    (",", ","),
    ("it", "PRP"),
    ("dogs", "NNS"),
    ("The", "DT"),
    ("``", "``"),
    ("7", "CD"),
    ("42", "CD"),
    ("é", "FW"),
    ("a", "DT"),
    ("His", "PRP$"),
    ("that", "WDT"),
    ("one", "NN"),
    ("big", "JJ"),
    ("saw", "VBD"),
    ("of", "IN"),
    ("$", "$"),
]
"""Words with a tag that suits them."""
WORDS = TAGGED * len(TAGGED) + [(word, tag) for word, _ in TAGGED for _, tag in TAGGED]
"""Half of the words have a tag that suits them, half have any."""

LABELS = ["NP", "NML", "VP", "PP", "S", "SBAR", "ADJP", "ADVP", "QP", "WHNP", "NX", "UCP", "NP-SBJ"]
NAME_TYPES = ["PERSON", "GPE", "ORG"]

ENTITIES = 3
"""Number of entities that the mentions of a side are in, at most."""
CODES = range(4096)
"""Numbers that stand for an entity and a span of whatever document they are drawn for."""
CHANGES: list[Change] = [
    (0, 0, 0),
    *[(0, 1, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, -1, 1), (0, 2, 0), (0, 0, 2)],
    *[(entity, 0, 0) for entity in (*range(ENTITIES), 0, 0, 0)],
    *[None] * 2,
]
"""What a response does to a mention of the key: nothing, a shift, a move, or losing it."""


class Sentence(NamedTuple):
    """The columns of a sentence."""

    tagged: list[tuple[str, str]]
    parse: list[str]
    names: list[str]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A document with its columns, one value a token, and two sides without repeated mentions."""

    words: list[str]
    tags: list[str]
    parse: list[str]
    """Parse bits, such as `(TOP(S(NP*)`."""
    names: list[str]
    """Bits of named entities: `(GPE)`, `(ORG*`, `*`, `*)`."""
    sentences: list[range]
    key: Entities
    response: Entities


def annotated(max_sentences: int = 4, max_mentions: int = 10) -> st.SearchStrategy[Annotated]:
    """One to `max_sentences` sentences of one to eight tokens; singletons on both sides."""
    sentence = st.integers(1, 8).flatmap(_sentence)
    return st.builds(
        _document,
        st.one_of(
            [st.lists(sentence, min_size=n, max_size=n) for n in range(1, max_sentences + 1)]
        ),
        _often_full(st.sampled_from(CODES), max_mentions, fewest=2),
        _often_full(st.sampled_from(CHANGES), max_mentions, fewest=2),
        _often_full(st.sampled_from(CODES), max_mentions // 2),
    )


def conll_text(document: Annotated, entities: Entities = ()) -> str:
    """The document in the 12 columns of CoNLL-2012.

    Brackets cannot express crossing mentions of one entity: see `expressible` and `corpora`.
    """
    cells = _cells(len(document.words), entities)
    lines = [f"#begin document {NAME}"]
    for sentence in document.sentences:
        for number, token in enumerate(sentence):
            word, tag, parse = document.words[token], document.tags[token], document.parse[token]
            fields = ["test/0", "0", str(number), word, tag, parse, "-", "-", "-", "-"]
            lines.append("\t".join([*fields, document.names[token], cells[token]]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def expressible(entities: Entities) -> bool:
    """Whether brackets can express the entities: none has mentions that cross or touch."""
    return not any(
        one[0] < other[0] <= one[1] < other[1]
        for spans in entities
        for one in spans
        for other in spans
    )


def corpora(document: Annotated, path: Path) -> tuple[cs.Corpus, cs.Corpus]:
    """Key and response over the same text, which is written to `path` and must stay there."""
    path.write_text(conll_text(document), encoding="utf-8")
    text = cs.read(path)
    return (
        text.with_clusters({NAME: document.key}),
        text.with_clusters({NAME: document.response}),
    )


def _often_full(
    value: st.SearchStrategy[ValueT], size: int, fewest: int = 1
) -> st.SearchStrategy[list[ValueT]]:
    """Lists of at most `size` values, many of them full: by themselves lists would be short.

    What is drawn first is drawn most and shrunk to, so few lists are shorter than `fewest`.
    """
    of_size = [st.lists(value, min_size=n, max_size=n) for n in range(size + 1)]
    sizes = [*range(fewest, size + 1), *range(fewest), *[size] * size]
    return st.sampled_from(sizes).flatmap(lambda n: of_size[n])


@cache
def _sentence(length: int) -> st.SearchStrategy[Sentence]:
    """Tagged words, a random tree with unary chains, and names that do not overlap."""
    spans = _spans(range(length))
    nodes = [(label, span) for span in spans for label in LABELS]
    names = [(label, span) for span in spans for label in NAME_TYPES]
    top = ("TOP", (0, length - 1))
    return st.builds(
        Sentence,
        st.lists(st.sampled_from(WORDS), min_size=length, max_size=length),
        _often_full(st.sampled_from(nodes), length).map(
            lambda drawn: _bits(length, [top, *_fitting(drawn, _cross)])
        ),
        st.lists(st.sampled_from(names), max_size=2).map(
            lambda drawn: list(map(_name_bit, _bits(length, _fitting(drawn, _overlap))))
        ),
    )


def _spans(sentence: range) -> list[Span]:
    """The spans of a sentence, the shortest first."""
    return [
        (first, first + width)
        for width in range(len(sentence))
        for first in sentence[: len(sentence) - width]
    ]


def _document(
    parts: list[Sentence], key: list[int], changes: list[Change], others: list[int]
) -> Annotated:
    """The key is decoded; so is the response, after the changed mentions of the key."""
    bounds = accumulate((len(part.tagged) for part in parts), initial=0)
    sentences = [range(first, end) for first, end in pairwise(bounds)]
    spans = [span for sentence in sentences for span in _spans(sentence)]
    placed = [_decoded(code, spans) for code in key]
    changed = (_changed(*pair, sentences) for pair in zip(placed, changes, strict=False))
    response = [mention for mention in changed if mention]
    return Annotated(
        words=[word for part in parts for word, _ in part.tagged],
        tags=[tag for part in parts for _, tag in part.tagged],
        parse=[bit for part in parts for bit in part.parse],
        names=[bit for part in parts for bit in part.names],
        sentences=sentences,
        key=_entities(placed),
        response=_entities([*response, *(_decoded(code, spans) for code in others)]),
    )


def _decoded(code: int, spans: list[Span]) -> Placed:
    return code % ENTITIES, spans[code // ENTITIES % len(spans)]


def _changed(mention: Placed, change: Change, sentences: list[range]) -> Placed | None:
    """The mention in another entity, or with ends moved as far as its sentence goes."""
    if change is None:
        return None
    entity, (first, last) = mention
    sentence = next(sentence for sentence in sentences if first in sentence)
    start = min(max(first + change[1], sentence[0]), sentence[-1])
    end = min(max(last + change[2], start), sentence[-1])
    return (entity + change[0]) % ENTITIES, (start, end)


def _name_bit(bit: str) -> str:
    """A name of one token is written without the star."""
    return bit.replace("*", "") if bit.startswith("(") and bit.endswith(")") else bit


def _bits(length: int, labelled: Sequence[tuple[str, Span]]) -> list[str]:
    """Brackets around the star of each token; of two on one span the first is the outer."""
    opened, closed = [""] * length, [""] * length
    for label, (first, last) in sorted(labelled, key=lambda each: each[1][0] - each[1][1]):
        opened[first] += f"({label}"
        closed[last] += ")"
    return [f"{before}*{after}" for before, after in zip(opened, closed, strict=True)]


def _fitting(
    labelled: Iterable[tuple[str, Span]], clash: Callable[[Span, Span], bool]
) -> list[tuple[str, Span]]:
    """Those that do not clash with one before them."""
    kept: list[tuple[str, Span]] = []
    for label, span in labelled:
        if not any(clash(span, other) for _, other in kept):
            kept.append((label, span))
    return kept


def _cross(one: Span, other: Span) -> bool:
    left, right = sorted((one, other))
    return left[0] < right[0] <= left[1] < right[1]


def _overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])


def _entities(placed: Iterable[Placed]) -> Entities:
    """The mentions by entity, each span once."""
    home: dict[Span, int] = {}
    for entity, span in placed:
        home.setdefault(span, entity)
    return tuple(
        tuple(span for span in home if home[span] == entity)
        for entity in dict.fromkeys(home.values())
    )


def _cells(tokens: int, entities: Entities) -> list[str]:
    brackets: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for entity, spans in enumerate(entities):
        for first, last in spans:
            if first == last:
                brackets[first].append((1, f"({entity})"))
            else:
                brackets[first].append((0, f"({entity}"))
                brackets[last].append((2, f"{entity})"))
    return ["|".join(bracket for _, bracket in sorted(cell)) or "-" for cell in brackets]
