"""A document as its file gives it: positions still count what the file counts.

Readers of formats make drafts. :mod:`corefscope.formats.units` turns the positions of a draft into
tokens, and is the only place that does arithmetic with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code

Place: TypeAlias = Sequence[int]
"""A stretch of text: two numbers in the convention of the file. A file that counts the tokens of a
sentence has the number of the sentence before them."""


@dataclass(slots=True, kw_only=True)
class DraftMention:
    """A mention as its file gives it."""

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


@dataclass(slots=True, kw_only=True)
class DraftEntity:
    """An entity as its file gives it.

    Its mentions are objects, or columns with one value per mention. To make an object for each
    mention takes most of the time of reading, so formats with a simple shape give columns.
    """

    label: str
    mentions: list[DraftMention] = field(default_factory=list)
    type: str | None = None
    places: Sequence[Place] = ()
    """The place of each mention, if the entity has no ``mentions``. The other columns may be
    empty."""
    strings: Sequence[str | None] = ()
    heads: Sequence[int | None] = ()
    levels: Sequence[str | None] = ()
    types: Sequence[str | None] = ()
    lines: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.places) or len(self.mentions)

    def rows(self) -> list[DraftMention]:
        """Return an object for each mention."""
        if not self.places:
            return self.mentions
        nothing = [None] * len(self.places)
        columns = (self.strings, self.heads, self.levels, self.types, self.lines)
        rows = zip(self.places, *(column or nothing for column in columns), strict=True)
        return [
            DraftMention(
                places=(place,), string=string, head=head, level=level, type=type, line=line or 0
            )
            for place, string, head, level, type, line in rows
        ]


@dataclass(slots=True, kw_only=True)
class Draft:
    """A document as its file gives it."""

    name: str | None
    """Its name; None if the file has none."""
    entities: list[DraftEntity]
    convention: Convention = DEFAULT
    """How the places of mentions are counted."""
    text: str | None = None
    """The text with everything between the tokens."""
    words: Sequence[str] | None = None
    """The tokens; None if the file has only text."""
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
    zeros: Sequence[int] = ()
    """The tokens that stand for words which are not spoken, such as dropped pronouns."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    """Other text layers, one value per token."""
    complete: Callable[[Draft], None] | None = None
    """Adds text, characters and columns that are needed only when the text is looked at."""
    line: int | None = None
    findings: list[tuple[Code, str]] = field(default_factory=list)
    """What is wrong or doubtful."""


class Places(NamedTuple):
    """The places of all mentions of a draft, one after the other."""

    places: list[Place]
    entities: list[int]
    """The number of mentions of each entity."""
    parts: list[int] | None
    """The number of places of each mention; None if each has one."""

    @classmethod
    def of(cls, entities: Sequence[DraftEntity]) -> Places:
        """Collect the places of entities."""
        places: list[Place] = []
        for entity in entities:
            places += entity.places
            for mention in entity.mentions:
                places += mention.places
        sizes = list(map(len, entities))
        if len(places) == sum(sizes):
            return cls(places, sizes, None)
        rows = (mention for entity in entities for mention in entity.rows())
        return cls(places, sizes, [len(mention.places) for mention in rows])


LEVELS = {"PROP": "NAM", "NOM": "NOM", "PRON": "PRO"}
"""The levels of mentions in LitBank and BookNLP."""


def places_of(tokens: Iterable[int]) -> tuple[Place, ...]:
    """Return the stretches of consecutive tokens, with inclusive ends."""
    places: list[tuple[int, int]] = []
    for token in sorted(set(tokens)):
        if places and places[-1][1] + 1 == token:
            places[-1] = places[-1][0], token
        else:
            places.append((token, token))
    return tuple(places)
