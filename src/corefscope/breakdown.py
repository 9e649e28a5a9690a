"""Scores by type of mention or entity, in four senses that are often mixed up.

*filter*: both sides keep only what is of the type, and are scored; this breaks entities apart.
*credit*: entities stay whole, and B³ adds up the credit of the mentions of the type alone.
*anaphor*: of the mentions of the type that have an antecedent, how many have a right one.
*links*: the same, in a table of the types of anaphor and antecedent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from corefscope.error_analysis.sources import Sources
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.language import LanguageCheck, MentionType
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Numbering, count_overlap
from corefscope.matching.pairs import DocumentPair, Entity, document_pairs
from corefscope.matching.texts import Span
from corefscope.metrics import Metric, OverlapMetric, Score, without_text
from corefscope.metrics.counts import plain_score
from corefscope.named_entities.heads import Name
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.text import LEVELS, Layers, NamedText, have_levels

Kind = Literal["mention-type", "entity-type"]
NO_TYPE = "no name"
"""The type of an entity that no name heads."""


@dataclass(slots=True, kw_only=True)
class Links:
    """Links of an anaphor to its closest antecedent, of one pair of types."""

    key: int = 0
    found: int = 0
    """Of the key's, those whose two mentions the response has in one entity."""
    response: int = 0
    right: int = 0
    """Of the response's, those whose two mentions the key has in one entity."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ByType:
    """Scores by type in four senses."""

    kind: Kind
    filter: Mapping[str, Mapping[str, Score]]
    credit: Mapping[str, Score]
    anaphor: Mapping[str, Score]
    links: Mapping[tuple[str, str], Links]
    """By the types of anaphor and antecedent."""
    findings: Sequence[Finding] = ()
    """Layers of the text that were missing."""


@dataclass(slots=True, eq=False)
class _Document:
    """One document with the type of each mention, on each side."""

    pair: DocumentPair
    key_type: Callable[[int, Span], str]
    """The type of a mention in an entity of the key."""
    response_type: Callable[[int, Span], str]


def score_by_type(
    matching: Matching, singletons: SingletonRule, kind: Kind, metrics: Iterable[Metric]
) -> ByType:
    """Score what is compared by type of mention, or of entity."""
    sources, language = Sources(), LanguageCheck()
    documents = []
    for pair in document_pairs(matching, singletons):
        documents.append(_typed(pair, kind, matching))
        if pair.text and not (kind == "mention-type" and _has_levels(pair, matching)):
            language.add(pair.text)
        sources.add(pair, matching.key.file_of(pair.number), matching.response.path)
    counted = without_text(metrics)
    types = (
        [t for t in MentionType if t is not MentionType.ZERO]
        if kind == "mention-type"
        else _entity_types(documents)
    )
    work = _Counts()
    for document in documents:
        work.add(document)
    return ByType(
        kind=kind,
        filter={str(type): _filtered(documents, str(type), counted) for type in types},
        credit={str(type): plain_score(work.credit(str(type))) for type in types},
        anaphor={str(type): plain_score(work.anaphors(str(type))) for type in types},
        links=dict(sorted(work.links.items())),
        findings=[
            *(f for f in sources.findings(matching.key.path) if f.code in TELLING[kind]),
            *language.findings(matching.key.path, levels=kind == "mention-type"),
        ],
    )


TELLING: Mapping[Kind, frozenset[Code]] = {
    "mention-type": frozenset({Code.NO_PARSE, Code.NO_TAGS, Code.BAD_TREE, Code.BORROWED}),
    "entity-type": frozenset({Code.NO_PARSE, Code.NO_NAMES, Code.BAD_TREE, Code.BORROWED}),
}
"""What is worth saying of the layers that types are told by."""


def _typed(pair: DocumentPair, kind: Kind, matching: Matching) -> _Document:
    if pair.text is None:
        message = f"document {pair.name!r} has no words; expected them to tell types by"
        path = matching.key.file_of(pair.number)
        raise InvalidInput([Finding(Code.NO_HEAD_LAYER, message, file=path)])
    attributes = matching.key[pair.name].attributes or {}
    if kind == "mention-type":

        def mention_type(_: int, mention: Span) -> str:
            said = attributes.get(mention)
            known = LEVELS.get(said.level) if said and said.level else None
            return known or pair.traits(mention).type

        return _Document(pair, mention_type, mention_type)
    names = sorted(Name(*span, tag) for span, tag in pair.text.names.items())
    strategy = "constituency" if pair.text.has_trees else "heuristic"
    text = NamedText(Layers(text=pair.text, names=names), strategy, NecOptions())

    def tag(mention: Span) -> str | None:
        said = attributes.get(mention)
        if not names and said and said.type:
            return said.type
        heading = text.heading(mention)
        return heading[0].tag if heading else None

    key, response = ([_entity_type(tag, e) for e in side] for side in (pair.key, pair.response))
    return _Document(pair, lambda e, _: key[e], lambda e, _: response[e])


def _has_levels(pair: DocumentPair, matching: Matching) -> bool:
    """Return whether the key says the type of every mention, so that no table is needed."""
    attributes = matching.key[pair.name].attributes
    mentions = (mention for entity in (*pair.key, *pair.response) for mention in entity)
    return attributes is not None and have_levels(attributes, mentions)


def _entity_type(tag: Callable[[Span], str | None], entity: Entity) -> str:
    """Return the tag of most names that head a mention; of equals, that of the first."""
    tags = Counter(found for mention in entity if (found := tag(mention)))
    return tags.most_common(1)[0][0] if tags else NO_TYPE


def _entity_types(documents: Sequence[_Document]) -> list[str]:
    found: Counter[str] = Counter()
    for document in documents:
        pair = document.pair
        for entities, type_of in (
            (pair.key, document.key_type),
            (pair.response, document.response_type),
        ):
            found.update(type_of(e, m) for e, entity in enumerate(entities) for m in entity)
    return sorted(found, key=lambda type: (type == NO_TYPE, -found[type], type))


def _filtered(
    documents: Sequence[_Document], type: str, metrics: Iterable[OverlapMetric]
) -> dict[str, Score]:
    """Keep the mentions of a type on both sides, and score."""
    numbering = Numbering()
    key = numbering.side([_of_type(d.pair.key, d.key_type, type) for d in documents])
    response = numbering.side([_of_type(d.pair.response, d.response_type, type) for d in documents])
    overlap = count_overlap(len(documents), key, response)
    return {metric.id: metric.score_overlap(overlap) for metric in metrics}


def _of_type(
    entities: Sequence[Entity], type_of: Callable[[int, Span], str], type: str
) -> list[Entity]:
    kept = ([m for m in entity if type_of(e, m) == type] for e, entity in enumerate(entities))
    return [entity for entity in kept if entity]


@dataclass(slots=True)
class _Counts:
    """What adds up over documents, by type: of recall and of precision."""

    credits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 4))
    anaphor_counts: dict[str, list[float]] = field(
        default_factory=lambda: defaultdict(lambda: [0.0] * 4)
    )
    links: dict[tuple[str, str], Links] = field(default_factory=lambda: defaultdict(Links))

    def credit(self, type: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array(self.credits[type])

    def anaphors(self, type: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array(self.anaphor_counts[type])

    def add(self, document: _Document) -> None:
        pair = document.pair
        key_home, response_home = _homes(pair.key), _homes(pair.response)
        for side, entities, type_of, home in (
            (0, pair.key, document.key_type, response_home),
            (1, pair.response, document.response_type, key_home),
        ):
            for number, entity in enumerate(entities):
                types = {mention: type_of(number, mention) for mention in entity}
                self._add_credit(side, types, home)
                self._add_links(side, types, home)
        self._add_right_anaphors(document, key_home, response_home)

    def _add_credit(self, side: int, entity: Mapping[Span, str], home: Mapping[Span, int]) -> None:
        """B³: a mention's credit is the share of its entity that the other side has with it."""
        together = Counter(home[m] for m in entity if m in home)
        for mention, type in entity.items():
            counts = self.credits[type]
            counts[2 * side + 1] += 1
            if mention in home:
                counts[2 * side] += together[home[mention]] / len(entity)

    def _add_links(self, side: int, entity: Mapping[Span, str], home: Mapping[Span, int]) -> None:
        for antecedent, anaphor in pairwise(entity):
            links = self.links[entity[anaphor], entity[antecedent]]
            other = home.get(anaphor)
            is_kept = other is not None and other == home.get(antecedent)
            if side == 0:
                links.key += 1
                links.found += is_kept
            else:
                links.response += 1
                links.right += is_kept
            self.anaphor_counts[entity[anaphor]][2 * side + 1] += 1

    def _add_right_anaphors(
        self, document: _Document, key_home: Mapping[Span, int], response_home: Mapping[Span, int]
    ) -> None:
        """An anaphor is right if its closest antecedent in the response is one in the key."""
        pair = document.pair
        firsts = {entity[0] for entity in pair.key}
        for number, entity in enumerate(pair.response):
            for antecedent, anaphor in pairwise(entity):
                home = key_home.get(anaphor)
                if home is None or anaphor in firsts or key_home.get(antecedent) != home:
                    continue
                self.anaphor_counts[document.key_type(home, anaphor)][0] += 1
                self.anaphor_counts[document.response_type(number, anaphor)][2] += 1


def _homes(entities: Sequence[Entity]) -> dict[Span, int]:
    return {mention: number for number, entity in enumerate(entities) for mention in entity}
