"""Two documents that every sample in docs/samples holds, as far as its format can express them.

They have what readers get wrong: nested mentions with the same start and with the same end, a
singleton, a paragraph break, an emoji (two UTF-16 units, four bytes) and letters with accents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

SAMPLES = "docs/samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleMention:
    first: int
    last: int
    level: str
    head: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleEntity:
    label: str
    type: str
    mentions: Sequence[SampleMention]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDocument:
    name: str
    text: str
    sentences: Sequence[Sequence[str]]
    speakers: Sequence[str]
    """The speaker of each sentence."""
    entities: Sequence[SampleEntity]
    characters: Sequence[tuple[int, int]] = field(default=())

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    def partition(self, *, singletons: bool = True) -> set[frozenset[tuple[int, int]]]:
        return {
            frozenset((mention.first, mention.last) for mention in entity.mentions)
            for entity in self.entities
            if singletons or len(entity.mentions) > 1
        }

    def string(self, mention: SampleMention) -> str:
        """The mention as it stands in the text."""
        return self.text[self.characters[mention.first][0] : self.characters[mention.last][1]]


def _document(
    name: str,
    text: str,
    sentences: Sequence[str],
    speakers: Sequence[str],
    entities: Mapping[tuple[str, str], Sequence[tuple[int, int, str, int]]],
) -> SampleDocument:
    words = [sentence.split() for sentence in sentences]
    characters, end = [], 0
    for word in (word for sentence in words for word in sentence):
        begin = text.index(word, end)
        assert not text[end:begin].strip()
        end = begin + len(word)
        characters.append((begin, end))
    assert not re.search(r"\S", text[end:])
    return SampleDocument(
        name=name,
        text=text,
        sentences=words,
        speakers=speakers,
        characters=characters,
        entities=[
            SampleEntity(
                label=label,
                type=type,
                mentions=[
                    SampleMention(first=first, last=last, level=level, head=head)
                    for first, last, level, head in mentions
                ],
            )
            for (label, type), mentions in entities.items()
        ],
    )


LIGHTHOUSE = _document(
    "lighthouse",
    "Nora Lind's sister Ida keeps the lighthouse on Gull Rock. She told Nora that it needs new "
    "paint.\n\nThe lighthouse is old.",
    [
        "Nora Lind 's sister Ida keeps the lighthouse on Gull Rock .",
        "She told Nora that it needs new paint .",
        "The lighthouse is old .",
    ],
    ["-", "-", "-"],
    {
        ("nora", "PER"): [(0, 2, "NAM", 1), (14, 14, "NAM", 14)],
        ("ida", "PER"): [(0, 4, "NAM", 4), (12, 12, "PRO", 12)],
        ("lighthouse", "FAC"): [(6, 10, "NOM", 7), (16, 16, "PRO", 16), (21, 22, "NOM", 22)],
        ("rock", "LOC"): [(9, 10, "NAM", 10)],
    },
)
BAKERY = _document(
    "bakery",
    "🥐 René sold Märta the last brioche, but he kept its recipe. “It is mine”, she heard.",
    [
        "🥐 René sold Märta the last brioche , but he kept its recipe .",
        "“ It is mine ” , she heard .",
    ],
    ["-", "René"],
    {
        ("rene", "PER"): [(1, 1, "NAM", 1), (9, 9, "PRO", 9), (17, 17, "PRO", 17)],
        ("marta", "PER"): [(3, 3, "NAM", 3), (20, 20, "PRO", 20)],
        ("brioche", "OBJ"): [(4, 6, "NOM", 6), (11, 11, "PRO", 11)],
        ("recipe", "OBJ"): [(11, 12, "NOM", 12), (15, 15, "PRO", 15)],
    },
)
DOCUMENTS = {document.name: document for document in (LIGHTHOUSE, BAKERY)}
