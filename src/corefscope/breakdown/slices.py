"""Slices of a corpus: functions that give every mention of a document a label.

A slice divides the mentions: each has exactly one label, by the annotation of its own side. The
module :mod:`corefscope.breakdown.measure` scores the slices of key and response.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from corefscope.choices import SliceKind
from corefscope.corpus.mentions import Parts, Span, overlaps_with_gaps
from corefscope.error_analysis.sources import Layer
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.language import MentionType, Text, known_types, universal_relation
from corefscope.matching.matching import Matching
from corefscope.matching.pairs import DocumentPair, NumberedEntity
from corefscope.named_entities.heads import Name
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.text import LEVELS, NamedText, NameLayers, have_levels

Labels: TypeAlias = list[list[str]]
"""The label of each mention of each entity."""
Labeller: TypeAlias = Callable[[Sequence[NumberedEntity]], Labels]
"""Gives the mentions of all entities of one side of a document their labels."""

NO_TYPE = "no name"
"""The type of an entity in which no mention is headed by a name."""
NO_LABEL = "none"
"""The label of a mention about which the layer says nothing."""
ZERO, OVERT = "zero", "overt"
RANGES = {200: "51-200", 1_000: "201-1000", 5_000: "1001-5000", 20_000: "5001-20000"}
"""The labels of longer distances up to a number of tokens."""
SIZES = {1: "1", 2: "2", 5: "3-5", 10: "6-10"}
"""The labels of sizes up to a number."""
LARGER = "11+"
FIRST = "first"
DISTANCES = {10: "0-10", 50: "11-50", **RANGES}
"""The labels of distances up to a number of tokens."""
SPREADS = {50: "0-50", **RANGES}
"""The labels of spreads, from the first to the last mention of an entity."""
FARTHER = "20001+"
NESTINGS = ("none", "inside", "outside", "both")


class Slice(Struct, frozen=True, kw_only=True):
    """One way to give mentions labels."""

    labeller: Callable[[DocumentPair, Matching], Labeller]
    removed: str
    """What is removed from both sides to score one label, in words."""
    order: Sequence[str] | None = None
    """All labels in the order in which they are shown; by frequency if there is no such order."""
    always: Sequence[str] = ()
    """Labels that are shown even if no mention has them."""
    layers: Sequence[Layer] = ()
    """The layers that matter if they are missing; none if labels do not depend on the words."""


def _mention_type(pair: DocumentPair, matching: Matching) -> Labeller:
    text = _words(pair, matching)
    # Universal Dependencies distinguish more types than levels do.
    said_types = None if text.is_universal else matching.key[pair.name].attributes
    attributes = said_types or {}

    def label(mention: int) -> str:
        said = attributes.get(pair.span(mention))
        known = LEVELS.get(said.level) if said and said.level else None
        return known or pair.traits(mention).type

    return _by_mention(label)


def _entity_type(pair: DocumentPair, matching: Matching) -> Labeller:
    words = _words(pair, matching)
    attributes = matching.key[pair.name].attributes or {}
    names = sorted(Name(*span, tag) for span, tag in words.names.items())
    strategy = "constituency" if words.has_trees else "heuristic"
    text = NamedText(NameLayers(text=words, names=names), pair.table, strategy, NecOptions())

    def tag(mention: int) -> str | None:
        said = attributes.get(pair.span(mention))
        if not names and said and said.type:
            return said.type
        heading = text.heading(mention)
        return heading[0].tag if heading else None

    def label(entity: NumberedEntity) -> str:
        """Return the most frequent tag of names that head a mention; the first of several."""
        tags = Counter(found for mention in entity if (found := tag(mention)))
        return tags.most_common(1)[0][0] if tags else NO_TYPE

    return _by_entity(label)


def _entity_size(pair: DocumentPair, matching: Matching) -> Labeller:
    return _by_entity(lambda entity: _up_to(len(entity), SIZES, LARGER))


def _distance(pair: DocumentPair, matching: Matching) -> Labeller:
    """Label mentions by the tokens since the previous mention of their entity, as in errors."""
    _positions(pair, matching, "distance")

    def labels(entity: NumberedEntity) -> list[str]:
        spans = map(pair.span, entity)
        tokens = (max(start - end, 0) for (_, end), (start, _) in pairwise(spans))
        return [FIRST, *(_up_to(distance, DISTANCES, FARTHER) for distance in tokens)]

    return lambda entities: list(map(labels, entities))


def _spread(pair: DocumentPair, matching: Matching) -> Labeller:
    """Label entities by the tokens from the beginning of their first mention to the last one's."""
    _positions(pair, matching, "spread")

    def label(entity: NumberedEntity) -> str:
        begins = [pair.span(mention)[0] for mention in entity]
        return _up_to(max(begins) - min(begins), SPREADS, FARTHER)

    return _by_entity(label)


def _nesting(pair: DocumentPair, matching: Matching) -> Labeller:
    _positions(pair, matching, "nesting")

    def labels(entities: Sequence[NumberedEntity]) -> Labels:
        parts = [[pair.where(mention).parts for mention in entity] for entity in entities]
        inside, outside = nested({each for entity in parts for each in entity})
        return [
            [NESTINGS[(each in inside) + 2 * (each in outside)] for each in entity]
            for entity in parts
        ]

    return labels


def nested(mentions: set[Parts]) -> tuple[set[Parts], set[Parts]]:
    """Return the mentions that lie inside another, and those that have another inside them."""
    inside, outside = nested_spans({parts[0] for parts in mentions if len(parts) == 1})
    pairs = [pair for pair in overlaps_with_gaps(mentions) if pair.is_nested]
    return (
        {*((span,) for span in inside), *(pair.smaller for pair in pairs)},
        {*((span,) for span in outside), *(pair.larger for pair in pairs)},
    )


def nested_spans(mentions: set[Span]) -> tuple[set[Span], set[Span]]:
    """Return the spans that lie inside another, and those that have another inside them."""
    # A mention comes after all that it can lie inside of.
    ordered = sorted(mentions, key=lambda mention: (mention[0], -mention[1]))
    inside, outside = set(), set()
    farthest = -1
    for mention in ordered:
        if farthest >= mention[1]:
            inside.add(mention)
        farthest = max(farthest, mention[1])
    nearest: int | None = None
    for mention in reversed(ordered):
        if nearest is not None and nearest <= mention[1]:
            outside.add(mention)
        nearest = mention[1] if nearest is None else min(nearest, mention[1])
    return inside, outside


def _zero(pair: DocumentPair, matching: Matching) -> Labeller:
    def label(mention: int) -> str:
        return ZERO if pair.traits(mention).type is MentionType.ZERO else OVERT

    return _by_mention(label)


def _genre(pair: DocumentPair, matching: Matching) -> Labeller:
    names = matching.key.document_names
    place = matching.once(_genre_place, "keep")
    parts = _parts(names[pair.number])
    label = parts[min(place, len(parts) - 1)]
    return _by_entity(lambda _: label)


def _genre_place(matching: Matching, _: object) -> int:
    """Return which part of a document's name is its genre: the first in which names differ."""
    names = [_parts(name) for name in matching.key.document_names]
    shortest = min(map(len, names), default=1)
    differ = (p for p in range(shortest) if len({parts[p] for parts in names}) > 1)
    return next(differ, 0)


def _parts(name: str) -> list[str]:
    """Return the parts of a name such as ``(nw/wsj/00/wsj_0001); part 000``."""
    return re.split(r"[/_]", name.removeprefix("(").partition(")")[0])


def _upos(pair: DocumentPair, matching: Matching) -> Labeller:
    tags = _words(pair, matching).universal_tags
    return _by_head(pair, matching, tags, "upos", "universal part-of-speech tags (UPOS)")


def _relation(pair: DocumentPair, matching: Matching) -> Labeller:
    found = _words(pair, matching).layers.relations
    relations = None if found is None else list(map(universal_relation, found))
    return _by_head(pair, matching, relations, "relation", "dependency relations (DEPREL)")


def _by_head(
    pair: DocumentPair,
    matching: Matching,
    column: Sequence[str] | None,
    kind: SliceKind,
    layer: str,
) -> Labeller:
    if column is None:
        raise _impossible(pair, matching, kind, f"has no {layer}", "them")

    def label(mention: int) -> str:
        head = pair.traits(mention).head_token
        return NO_LABEL if head is None or column[head] in ("_", "") else column[head]

    return _by_mention(label)


def _by_mention(label: Callable[[int], str]) -> Labeller:
    return lambda entities: [[str(label(mention)) for mention in entity] for entity in entities]


def _by_entity(label: Callable[[NumberedEntity], str]) -> Labeller:
    return lambda entities: [[label(entity)] * len(entity) for entity in entities]


def _up_to(number: int, labels: Mapping[int, str], beyond: str) -> str:
    return next((label for most, label in labels.items() if number <= most), beyond)


def _words(pair: DocumentPair, matching: Matching) -> Text:
    """Return the words of a document; types come from them."""
    if pair.text is None:
        raise InvalidInput.of(
            Code.NO_LAYER,
            f"document {pair.name!r} has no words",
            expected="words, to find types",
            file=matching.key.file_of(pair.number),
        )
    return pair.text


def _positions(pair: DocumentPair, matching: Matching, kind: SliceKind) -> None:
    if not pair.table.has_spans:
        found = "has mentions that are not spans of tokens"
        raise _impossible(pair, matching, kind, found, "first and last token")


def _impossible(
    pair: DocumentPair, matching: Matching, kind: SliceKind, found: str, expected: str
) -> InvalidInput:
    finding = Finding(
        Code.NO_LAYER,
        f"document {pair.name!r} {found}",
        expected=f"{expected}, because scores by {kind} are asked for",
        file=matching.key.file_of(pair.number),
    )
    return InvalidInput([finding])


def needs_no_tables(pair: DocumentPair, matching: Matching) -> bool:
    """Return whether the key has the type of every mention, so that no table is needed."""
    attributes = matching.key[pair.name].attributes
    if pair.text is not None and pair.text.is_universal:
        return False
    spans = (pair.span(mention) for entity in (*pair.key, *pair.response) for mention in entity)
    return attributes is not None and have_levels(attributes, spans)


_TYPES = list(map(str, known_types(zeros=True)))
SLICES: Mapping[SliceKind, Slice] = {
    "mention-type": Slice(
        labeller=_mention_type,
        removed="mentions of other types from both sides; this breaks entities apart",
        order=_TYPES,
        always=[type for type in _TYPES if type != ZERO],
        layers=["trees", "tags"],
    ),
    "entity-type": Slice(
        labeller=_entity_type,
        removed="entities of other types from both sides",
        layers=["trees", "names"],
    ),
    "entity-size": Slice(
        labeller=_entity_size,
        removed="entities of other sizes from both sides; each side has its own sizes",
        order=[*SIZES.values(), LARGER],
    ),
    "distance": Slice(
        labeller=_distance,
        removed="mentions at other distances from the previous mention of their entity from both "
        "sides; this breaks entities apart",
        order=[FIRST, *DISTANCES.values(), FARTHER],
    ),
    "spread": Slice(
        labeller=_spread,
        removed="entities of other spreads from both sides; each side has its own spreads",
        order=[*SPREADS.values(), FARTHER],
    ),
    "nesting": Slice(
        labeller=_nesting,
        removed="mentions with other nesting from both sides; this breaks entities apart",
        order=NESTINGS,
    ),
    "zero": Slice(
        labeller=_zero,
        removed="overt mentions, or zeros, from both sides; this breaks entities apart",
        order=[OVERT, ZERO],
    ),
    "genre": Slice(labeller=_genre, removed="documents of other genres"),
    "upos": Slice(
        labeller=_upos,
        removed="mentions with other tags of the head from both sides; this breaks entities apart",
        layers=["trees"],
    ),
    "relation": Slice(
        labeller=_relation,
        removed="mentions with other relations of the head from both sides; "
        "this breaks entities apart",
        layers=["trees"],
    ),
}
"""All slices by name."""
