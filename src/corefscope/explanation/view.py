"""One document of a matching, with its entities named K1, K2, … and R1, R2, …"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from corefscope.corpus import Corpus, Document
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.mention_table import Where
from corefscope.matching.overlap import Overlap, Side

LONGEST_MENTION = 32
"""The maximum number of characters of a mention's text."""


class NamedEntity(Struct, frozen=True):
    """An entity of one side: its name, and its mentions by number."""

    name: str
    mentions: Sequence[int]

    def __len__(self) -> int:
        return len(self.mentions)


class DocumentView:
    """The entities of both sides of a document, and the entity of each mention."""

    def __init__(self, matching: Matching, singletons: SingletonRule) -> None:
        self.overlap: Overlap = matching.overlap(singletons)
        key_side, response_side = matching.sides(singletons)
        self.text: dict[int, str] = {}
        self.key = self._entities("K", matching.key, key_side)
        self.response = self._entities("R", matching.response, response_side)
        self.key_of = _homes(self.key)
        self.response_of = _homes(self.response)

    def _entities(self, letter: str, corpus: Corpus, side: Side) -> list[NamedEntity]:
        entities: dict[int, list[int]] = defaultdict(list)
        rows = zip(
            side.mention_entity.tolist(),
            side.mention.tolist(),
            side.mention_row.tolist(),
            strict=True,
        )
        for entity, mention, row in rows:
            entities[entity].append(mention)
            self.text.setdefault(mention, _text(corpus, row))
        # All commands name entities by their position in the file.
        places = side.entity_row + 1
        return [
            NamedEntity(f"{letter}{places[e]}", mentions)
            for e, mentions in sorted(entities.items())
        ]

    def parts(
        self, entity: NamedEntity, homes: dict[int, NamedEntity]
    ) -> list[tuple[NamedEntity | None, list[int]]]:
        """Cut an entity by those of the other side; unmatched mentions are separate parts."""
        pieces: dict[str, tuple[NamedEntity | None, list[int]]] = {}
        for mention in entity.mentions:
            home = homes.get(mention)
            part = home.name if home else f"-{mention}"
            pieces.setdefault(part, (home, []))[1].append(mention)
        return list(pieces.values())

    def braces(self, mentions: Sequence[int], most: int = 6) -> str:
        """Return a set of mentions as text."""
        shown = [self.text[mention] for mention in mentions[:most]]
        more = [f"… {len(mentions)} in all"] if len(mentions) > most else []
        return "{" + ", ".join([*shown, *more]) + "}"

    def entities(self) -> dict[str, str]:
        """Return the mentions of all entities as text, by entity name."""
        return {e.name: self.braces(e.mentions) for e in (*self.key, *self.response)}


def _homes(entities: Sequence[NamedEntity]) -> dict[int, NamedEntity]:
    return {mention: entity for entity in entities for mention in entity.mentions}


def _text(corpus: Corpus, row: int) -> str:
    """Return a mention's words with its place, or its id; and its document if there are several."""
    where = f" in {corpus.document_names[corpus.document_of(row)]}" if len(corpus) > 1 else ""
    return f"{_own_text(corpus, row)}{where}"


def _own_text(corpus: Corpus, row: int) -> str:
    if not corpus.has_spans:
        return str(corpus.mention_id(row))
    parts = corpus.parts_of(row)
    where = Where((parts[0][0], parts[-1][1]), parts)
    place = where.tokens()
    words = Document(corpus, corpus.document_of(row)).words
    if words is None:
        return f"({place})"
    text = where.words(words, LONGEST_MENTION)
    if len(text) > LONGEST_MENTION:
        text = text[: LONGEST_MENTION - 1] + "…"
    return f"{text} ({place})"
