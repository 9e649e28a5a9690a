"""A document as its file gives it: positions still count what the file counts.

Readers of formats make drafts. :mod:`corefscope.formats.reading.units` turns the positions of a
draft into tokens, and is the only place that does arithmetic with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise, repeat
from typing import TypeAlias, TypeVar

from msgspec import Struct, field

from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Finding
from corefscope.formats.reading.block import GivenNode
from corefscope.formats.reading.options import Reading

Value = TypeVar("Value")
Place: TypeAlias = Sequence[int]
"""A stretch of text: two numbers in the convention of the file. A file that counts the tokens of a
sentence has the number of the sentence before them."""


class DraftMention(Struct, kw_only=True):
    """A mention as its file gives it, where a format has no columns of them."""

    places: tuple[Place, ...]
    """The stretches of text that it consists of; one, unless it has gaps."""
    string: str | None = None
    """Its words, if the file repeats them: they prove how positions are counted."""
    head: int | None = None
    """Its head, a token of the document from 0."""
    level: str | None = None
    """NAM, NOM or PRO."""
    type: str | None = None
    """Its type, if the mentions of an entity may have different ones."""
    line: int = 0


class Mentions(Struct, kw_only=True):
    """The entities of a document in columns, with all mentions one after the other.

    To make an object for each mention takes most of the time of reading, so formats with a simple
    shape give columns. Those that are not described in the file are empty.
    """

    labels: Sequence[str]
    """The name of each entity."""
    sizes: Sequence[int]
    """The number of mentions of each entity."""
    places: Sequence[Place]
    """The places of all mentions; one each, unless ``parts`` says otherwise."""
    parts: Sequence[int] = ()
    """The number of places of each mention, if one of them has gaps."""
    entity_types: Sequence[str | None] = ()
    strings: Sequence[str | None] = ()
    heads: Sequence[int | None] = ()
    levels: Sequence[str | None] = ()
    types: Sequence[str | None] = ()
    lines: Sequence[int] = ()

    @classmethod
    def of(cls, entities: Mapping[str, Sequence[DraftMention]]) -> Mentions:
        """Return the mentions of each entity in columns."""
        rows = list(chain.from_iterable(entities.values()))
        places = list(chain.from_iterable([mention.places for mention in rows]))
        has_gaps = len(places) != len(rows)
        return cls(
            labels=list(entities),
            sizes=list(map(len, entities.values())),
            places=places,
            parts=[len(mention.places) for mention in rows] if has_gaps else (),
            strings=known([mention.string for mention in rows]),
            heads=known([mention.head for mention in rows]),
            levels=known([mention.level for mention in rows]),
            types=known([mention.type for mention in rows]),
            lines=[mention.line for mention in rows],
        )

    @property
    def count(self) -> int:
        """The number of mentions."""
        return len(self.parts or self.places)

    def all_places(self) -> Iterable[Sequence[Place]]:
        """Return the places of each mention."""
        return self.grouped(self.places)

    def grouped(self, values: Sequence[Value]) -> Iterable[Sequence[Value]]:
        """Return the values of the places of each mention, given one value per place."""
        if not self.parts:
            return zip(values, strict=True)
        return [values[begin:end] for begin, end in pairwise([0, *accumulate(self.parts)])]

    def of_mentions(self, column: Sequence[Value]) -> Iterator[Value]:
        """Yield a value of each entity once for each of its mentions."""
        return chain.from_iterable(map(repeat, column, self.sizes))


def known(column: Sequence[Value | None]) -> Sequence[Value | None]:
    """Return a column, or nothing if it has no values."""
    return () if column.count(None) == len(column) else column


class Draft(Struct, kw_only=True):
    """A document as its file gives it."""

    name: str | None
    """Its name; None if the file has none."""
    name_fields: Mapping[str, str] = field(default_factory=dict)
    """What else in the file may name it, if it has no name."""
    mentions: Mentions = field(default_factory=lambda: Mentions(labels=(), sizes=(), places=()))
    convention: Convention = DEFAULT
    """How the places of mentions are counted."""
    usual: Convention | None = None
    """How they are counted if the user does not say so, where this depends on the file."""
    text: str | None = None
    """The text with everything between the tokens."""
    is_marked: bool = False
    """Whether mentions are marked in the text, so that their positions cannot be miscounted."""
    words: Sequence[str] | None = None
    """The tokens; None if the file has only text."""
    length: int | None = None
    """The number of tokens, if it is known without the words."""
    sentences: Sequence[int] | None = None
    """The number of tokens of each sentence; a sentence may have none."""
    sentences_from_base: bool = False
    """Whether the number of a sentence counts from the base of the convention, as tokens do, and
    not always from 0."""
    characters: Sequence[tuple[int, int]] | None = None
    """Where each token begins and ends in the text, in code points; the end is exclusive. Without
    it the words are looked for in the text."""
    pieces: Sequence[int] | None = None
    """The token of each word piece, if the file counts pieces."""
    parents: Sequence[int] | None = None
    """The syntactic head of each token, a token of the document from 0; roots are their own. The
    heads of mentions are found with it."""
    topic: str | None = None
    """The topic that the document belongs to, if entities may have mentions in several documents of
    a topic."""
    namespace: str | None = None
    """What documents have in common whose entities of one label are the same, if not the topic."""
    zeros: Sequence[int] = ()
    """The tokens that stand for words which are not spoken, such as dropped pronouns."""
    nodes: Sequence[GivenNode] = ()
    """The same as empty nodes, if the file numbers them."""
    of_corpus: Mapping[str, object] = field(default_factory=dict)
    """Columns of the corpus that only some formats have, by name."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    """Other text layers, one value per token."""
    complete: Callable[[Draft], None] | None = None
    """Adds text, characters and columns that are needed only when the text is looked at."""
    line: int | None = None
    reading: Reading = field(default_factory=Reading)
    """How it is read, to say what to change."""
    findings: list[Finding] = field(default_factory=list)
    """What is wrong or doubtful."""

    @property
    def hidden(self) -> set[int]:
        """The tokens that are not spoken."""
        return {token for token, *_ in self.nodes} or set(self.zeros)


LEVELS = {"PROP": "NAM", "NOM": "NOM", "PRON": "PRO"}
"""The levels of mentions in LitBank and BookNLP."""


def places_of(tokens: Iterable[int]) -> tuple[Place, ...]:
    """Return the stretches of consecutive tokens, with inclusive ends."""
    given = list(tokens)
    first, last, size = (given[0], given[-1], len(given)) if given else (0, 0, 0)
    # One or two tokens have nothing between the first and the last.
    if last - first == size - 1 and (size < 3 or given == list(range(first, last + 1))):
        return ((first, last),)
    places: list[tuple[int, int]] = []
    for token in sorted(set(given)):
        if places and places[-1][1] + 1 == token:
            places[-1] = places[-1][0], token
        else:
            places.append((token, token))
    return tuple(places)
