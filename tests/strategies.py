"""Hypothesis strategies for partitions, documents, corpora, CoNLL text, and damaged files.

Nothing is drawn and then thrown away: what does not fit is left out while a value is built, so
thousands of examples take seconds. Every draw shrinks towards fewer and smaller things: no
mentions, one entity, no tokens, the plainest layout, one edit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from fuzzing.mutations import EDITS, INSERTIONS

ValueT = TypeVar("ValueT")

Side = list[list[str]]
"""The entities of one side of a document, each a list of mentions."""
Document = tuple[Side, Side]
"""The key and the response of one document."""
Span = tuple[int, int]
"""The first and the last token of a mention, counted from 0 in its document."""

UNIVERSE = "abcdefghijklmnopqrst"

ALONE, ABSENT = -1, -2
"""Places of a mention beside the numbers of entities."""


def entities(max_mentions: int = 8, singletons: bool = True) -> st.SearchStrategy[Side]:
    """Partitions of some of the first `max_mentions` mentions of the universe, or of none.

    Each mention is drawn a place: one of a few entities, an entity of its own, or none at all.
    """
    drawn = _lists_of([ABSENT, *_shared(max_mentions), ALONE], max_mentions)
    sides = drawn.map(lambda places: _grouped(zip(places, UNIVERSE, strict=False)))
    return sides if singletons else sides.map(_linked)


def documents(max_mentions: int = 8, singletons: bool = True) -> st.SearchStrategy[Document]:
    """A key with a response that shares all, most, some or none of its mentions.

    Each mention is drawn a place on both sides at once; what the two places may be makes the
    kind of document. Among the kinds: identical sides, the same mentions in other entities, an
    empty side, and sides with nothing but singletons.
    """
    kinds = [_lists_of(places, max_mentions) for places in _kinds_of_places(max_mentions)]
    pairs = st.one_of(kinds).map(_document)
    return pairs if singletons else pairs.map(lambda pair: (_linked(pair[0]), _linked(pair[1])))


def corpora(max_documents: int = 4) -> st.SearchStrategy[dict[str, Document]]:
    """One to `max_documents` documents by name."""
    return st.lists(documents(), min_size=1, max_size=max_documents).map(_named)


@dataclass(frozen=True, slots=True)
class SpanDocument:
    """Entities of spans that brackets can express, in a document of so many tokens."""

    tokens: int
    entities: tuple[tuple[Span, ...], ...]


@cache
def span_documents(
    tokens: int | None = None, shared_starts: bool = False
) -> st.SearchStrategy[SpanDocument]:
    """Documents whose mentions nest and cross freely, as far as brackets can express them.

    With `shared_starts`, a one-token mention and a longer one of its entity may begin together,
    as in `(1)|(1`.
    """
    if tokens is None:
        return st.integers(0, 12).flatmap(lambda length: span_documents(length, shared_starts))
    if tokens == 0:
        return st.just(SpanDocument(0, ()))
    spans = [(last - width, last) for width in range(tokens) for last in range(width, tokens)]
    placed = st.sampled_from([(entity, span) for span in spans for entity in range(4)])
    clash = _ambiguous if shared_starts else _touching
    return st.lists(placed, max_size=12).map(
        lambda drawn: SpanDocument(tokens, _expressible_entities(drawn, clash))
    )


def span_corpora(
    max_documents: int = 3,
) -> st.SearchStrategy[dict[str, tuple[SpanDocument, SpanDocument]]]:
    """Keys with responses over the same tokens, by document name."""
    pairs = st.integers(0, 12).flatmap(_span_pairs)
    return st.lists(pairs, min_size=1, max_size=max_documents).map(_named)


@cache
def _span_pairs(tokens: int) -> st.SearchStrategy[tuple[SpanDocument, SpanDocument]]:
    """Key and response; half of the responses are the key but for a mention or none."""
    side = span_documents(tokens)
    near = st.tuples(side, st.integers(0, 3)).map(lambda drawn: _with_nearly_the_same(*drawn))
    return st.one_of(st.tuples(side, side), near)


def _with_nearly_the_same(key: SpanDocument, lost: int) -> tuple[SpanDocument, SpanDocument]:
    """The key and a response that lacks the first mention of one of its entities."""
    entities = [spans[number == lost :] for number, spans in enumerate(key.entities)]
    return key, SpanDocument(key.tokens, tuple(spans for spans in entities if spans))


@dataclass(frozen=True, slots=True)
class Layout:
    """How CoNLL text looks where readers must not care."""

    tabs: bool = True
    """Tabs between the columns, else blanks."""
    empty: str = "-"
    """What stands in the coreference column of a token without brackets: `-` or `_`."""
    line_end: str = "\n"
    final_newline: bool = True
    columns: int = 5
    """2, 5 or 12 (CoNLL-2012), the coreference column included."""
    closings_first: bool = False
    """The closing brackets of a cell before the others, else behind them."""
    sentence: int = 0
    """A blank line after every so many tokens and after the last; 0 for none."""


PLAIN = Layout()


def layouts() -> st.SearchStrategy[Layout]:
    """All combinations of the options."""
    return st.builds(
        Layout,
        tabs=st.sampled_from([True, False]),
        empty=st.sampled_from("-_"),
        line_end=st.sampled_from(["\n", "\r\n"]),
        final_newline=st.sampled_from([True, False]),
        columns=st.sampled_from([5, 2, 12]),
        closings_first=st.sampled_from([False, True]),
        sentence=st.integers(0, 4),
    )


def conll_text(documents: Mapping[str, SpanDocument], layout: Layout = PLAIN) -> str:
    """Render the documents in CoNLL columns; the ID of an entity is its place in the document."""
    lines: list[str] = []
    for name, document in documents.items():
        lines.append(f"#begin document {name}")
        lines.extend(_token_lines(document, layout))
        lines.append("#end document")
    text = layout.line_end.join(lines)
    return text + layout.line_end if layout.final_newline else text


def mutations(data: bytes) -> st.SearchStrategy[bytes]:
    """The bytes after one to four random edits; some edits may leave them as they were."""
    edit = st.builds(
        _Edit,
        st.sampled_from(EDITS),
        st.integers(0, len(data)),
        st.integers(0, len(data)),
        st.sampled_from(INSERTIONS),
    )
    return st.lists(edit, min_size=1, max_size=4).map(lambda edits: _apply(edits, data))


def _shared(max_mentions: int) -> range:
    """Numbers of the entities that mentions are drawn to share."""
    return range(1 + max_mentions // 4)


def _lists_of(places: Sequence[ValueT], size: int) -> st.SearchStrategy[list[ValueT]]:
    """Lists of at most `size` places, half of them full: by themselves lists would be short."""
    place = st.sampled_from(places)
    return st.one_of(st.lists(place, max_size=size), st.lists(place, min_size=size, max_size=size))


def _kinds_of_places(max_mentions: int) -> list[list[tuple[int, int]]]:
    """The places in key and response that a mention can have, by kind of document."""
    shared = _shared(max_mentions)
    anywhere = _squared([ABSENT, *shared, ALONE])
    nowhere = [(ABSENT, ABSENT)]
    same = [(key, response) for key, response in anywhere if key == response]
    both = [places for places in anywhere if ABSENT not in places]
    response_lacks = [(key, response) for key, response in anywhere if response == ABSENT]
    key_lacks = [(key, response) for key, response in anywhere if key == ABSENT]
    mostly_same = same * (len(anywhere) // 2) + anywhere
    few_entities = nowhere + _squared(shared[:2])
    alone = _squared([ABSENT, ALONE])
    split = [(key, ALONE) for key in (ABSENT, *shared)]
    partly_right = [mostly_same, anywhere, nowhere + both, few_entities]
    extremes = [same, response_lacks, key_lacks, response_lacks + key_lacks, alone, nowhere + split]
    return partly_right * 2 + extremes


def _squared(places: Sequence[int]) -> list[tuple[int, int]]:
    return [(key, response) for key in places for response in places]


def _document(places: Sequence[tuple[int, int]]) -> Document:
    """Key and response, which is in reverse so that nothing rests on a common order."""
    placed = [place for place in places if place != (ABSENT, ABSENT)]
    named = list(zip(placed, UNIVERSE, strict=False))
    key = _grouped((place, mention) for (place, _), mention in named)
    return key, _grouped((place, mention) for (_, place), mention in reversed(named))


def _grouped(placed: Iterable[tuple[int, str]]) -> Side:
    """Mentions by their places, in the order of the entities' first mentions."""
    groups: dict[Hashable, list[str]] = {}
    for place, mention in placed:
        if place != ABSENT:
            groups.setdefault(mention if place == ALONE else place, []).append(mention)
    return list(groups.values())


def _linked(side: Side) -> Side:
    return [entity for entity in side if len(entity) > 1]


def _named(values: Sequence[ValueT]) -> dict[str, ValueT]:
    return {f"(test/{number}); part 000": value for number, value in enumerate(values)}


def _expressible_entities(
    placed: list[tuple[int, Span]], clash: Callable[[Span, Span], bool]
) -> tuple[tuple[Span, ...], ...]:
    """Entities of the spans, leaving out a repeated span and one its entity cannot hold."""
    groups: dict[int, list[Span]] = {}
    seen: set[Span] = set()
    for entity, span in placed:
        mentions = groups.setdefault(entity, [])
        if span not in seen and not any(clash(span, mention) for mention in mentions):
            seen.add(span)
            mentions.append(span)
    return tuple(tuple(mentions) for mentions in groups.values() if mentions)


def _ambiguous(one: Span, other: Span) -> bool:
    """Whether the brackets of one entity would be read as two other spans.

    A closing bracket takes the most recent opening one, so spans of one entity may not cross.
    Touching is crossing: on the token where one of them ends and the other begins, the opening is
    read first. A mention of one token has brackets of its own and is never ambiguous.
    """
    left, right = sorted((one, other))
    return left[0] < right[0] <= left[1] < right[1]


def _touching(one: Span, other: Span) -> bool:
    """Whether they are ambiguous or one ends where the other, of two tokens or more, begins."""
    left, right = sorted((one, other))
    return _ambiguous(one, other) or left[1] == right[0] < right[1]


def _token_lines(document: SpanDocument, layout: Layout) -> list[str]:
    cells = _cells(document, layout.closings_first)
    length = layout.sentence or max(document.tokens, 1)
    separator = "\t" if layout.tabs else " "
    lines = []
    for token in range(document.tokens):
        number, last = token % length, token == document.tokens - 1
        ends = last or number == length - 1
        fields = _fields(token, number, ends, layout.columns)
        lines.append(separator.join([*fields, cells[token] or layout.empty]))
        if ends and layout.sentence:
            lines.append("")
    return lines


def _fields(token: int, number: int, ends: bool, columns: int) -> list[str]:
    """All columns of a token but the last; `number` counts the tokens of its sentence."""
    word = f"w{token}"
    if columns == 2:
        return [word]
    fields = ["test", "0", str(number), word]
    if columns == 5:
        return fields
    parse = ("*" if number else "(TOP(NP*") + ("))" if ends else "")
    return [*fields, "NN", parse, "-", "-", "-", "-", "*"]


def _cells(document: SpanDocument, closings_first: bool) -> list[str]:
    """The brackets on every token, without any where no mention begins or ends."""
    brackets: list[list[tuple[int, str]]] = [[] for _ in range(document.tokens)]
    for entity, spans in enumerate(document.entities):
        for first, last in spans:
            if first == last:
                brackets[first].append((1, f"({entity})"))
            else:
                brackets[first].append((0, f"({entity}"))
                brackets[last].append((2, f"{entity})"))
    ordered = [sorted(cell, reverse=closings_first) for cell in brackets]
    return ["|".join(bracket for _, bracket in cell) for cell in ordered]


class _Edit(NamedTuple):
    """An edit with what it may need: two places, taken modulo the size, and some bytes."""

    change: Callable[[bytes, int, int, bytes], bytes]
    where: int
    other: int
    inserted: bytes


def _apply(edits: list[_Edit], data: bytes) -> bytes:
    for change, where, other, inserted in edits:
        data = change(data, where % (len(data) + 1), other % (len(data) + 1), inserted)
    return data
