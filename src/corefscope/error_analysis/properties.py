"""The errors of a document with all the properties that the paper's tables need."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypedDict, cast

from msgspec import Struct

from corefscope.corpus.mentions import Span
from corefscope.error_analysis.context import around
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.mention_text import MentionText
from corefscope.error_analysis.records import (
    AGREEING,
    Agreement,
    Composition,
    ConflatedEntities,
    DividedEntity,
    EdgeWords,
    EntityRecord,
    ErrorRecord,
    ExtraEntity,
    ExtraMention,
    MentionRecord,
    MissingEntity,
    MissingMention,
    Nesting,
    PartRecord,
    Portion,
    SpanRecord,
)
from corefscope.error_analysis.spans import Alteration
from corefscope.error_analysis.transformation import Charges, Piece, Transformation, homes
from corefscope.language import NO_FEATURES, MentionType
from corefscope.language.tables import Gender, GrammaticalNumber, Person
from corefscope.matching.pairs import DocumentPair, NumberedEntity
from corefscope.matching.texts import Traits

NO_VALUES: Mapping[str, Counter[str]] = {name: Counter() for name in AGREEING}
"""The values of mentions about which nothing is known."""
MOST_LABELS = 100
"""The maximum number of labels in a difference; without it, long mentions could fill the memory."""
RANK = {type: rank for rank, type in enumerate(MentionType)}
"""The mention types by number. The first mention with the lowest one is the title of its entity."""
CONTEXT_WIDTH = 100
"""The width of the first mention of an error and the words around it, in columns."""


def value_of(traits: Traits, name: str) -> str | None:
    """Return one property of a mention by name."""
    value = traits.entity_type if name == "entity_type" else getattr(traits.features, name)
    assert value is None or isinstance(value, str)
    return value


class MentionTally:
    """Mentions counted by what they may have in common, so that pairs need not be compared."""

    def __init__(self, pair: DocumentPair, mentions: Sequence[int]) -> None:
        self.pair = pair
        self.mentions = mentions
        self.traits = [pair.traits(mention) for mention in mentions]
        self.has_text = all(traits.text is not None for traits in self.traits)

    @cached_property
    def first_noun(self) -> int | None:
        """The earliest mention that is not a pronoun."""
        nouns = (m for m, t in zip(self.mentions, self.traits, strict=True) if not t.is_pronoun)
        return next(nouns, None)

    @cached_property
    def types(self) -> Counter[MentionType]:
        """Mentions by type."""
        return Counter(traits.type for traits in self.traits)

    @cached_property
    def texts(self) -> Counter[Hashable]:
        """Mentions by their words."""
        return Counter(traits.wording for traits in self.traits)

    @cached_property
    def heads(self) -> Counter[Hashable]:
        """Mentions by their head word."""
        return Counter(traits.head for traits in self.traits)

    @cached_property
    def noun_texts(self) -> Counter[Hashable]:
        """Mentions that are not pronouns by their words."""
        return Counter(traits.wording for traits in self.traits if not traits.is_pronoun)

    @cached_property
    def noun_heads(self) -> Counter[Hashable]:
        """Mentions that are not pronouns by their head word."""
        return Counter(traits.head for traits in self.traits if not traits.is_pronoun)

    @cached_property
    def values(self) -> Mapping[str, Counter[str]]:
        """Mentions by the value of each property, if it is known."""
        if not any(t.entity_type or t.features is not NO_FEATURES for t in self.traits):
            return NO_VALUES
        values: dict[str, Counter[str]] = {name: Counter() for name in AGREEING}
        for traits in self.traits:
            if traits.entity_type or traits.features is not NO_FEATURES:
                for name, counter in values.items():
                    if value := value_of(traits, name):
                        counter[value] += 1
        return values

    def nesting_of(self, mention: int) -> Nesting:
        """Return whether a mention lies inside another, or has another inside it."""
        has_spans = self.pair.table.has_spans
        return self._nesting.of(self.pair.span(mention)) if has_spans else "none"

    @cached_property
    def _nesting(self) -> _Nesting:
        return _Nesting([self.pair.span(mention) for mention in self.mentions])


class _Nesting:
    """Finds in logarithmic time whether a mention is nested with any of many sorted mentions."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.starts = [start for start, _ in spans]
        ends = [end for _, end in spans]
        self.furthest = list(accumulate(ends, max))
        """The last end of all mentions up to this one."""
        self.nearest = list(accumulate(reversed(ends), min))[::-1]
        """The first end of all mentions from this one on."""

    def of(self, span: Span) -> Nesting:
        """Return how a mention is nested with the others: strictly, at both ends."""
        start, end = span
        before = bisect_left(self.starts, start)
        after = bisect_right(self.starts, start)
        inside = before > 0 and self.furthest[before - 1] > end
        outside = after < len(self.starts) and self.nearest[after] < end
        if inside and outside:
            return "both"
        return "inside" if inside else "outside" if outside else "none"


class _Side(Struct, frozen=True):
    """One side (key or response) and the errors that its entities can have."""

    entity_error: type[EntityRecord]
    mention_error: type[MentionRecord]
    part_error: type[PartRecord]


RESPONSE = _Side(ExtraEntity, ExtraMention, ConflatedEntities)
KEY = _Side(MissingEntity, MissingMention, DividedEntity)


class _Owner(Struct, frozen=True, kw_only=True):
    """The entity that has an error."""

    name: str
    label: str
    title: str
    group: int


class _Common(TypedDict):
    """The fields that all records have."""

    document: str
    sentence: int | None
    left: str
    right: str
    mention_type: MentionType
    entity_type: str | None
    distance: int | None
    entity: str
    label: str
    title: str
    group: int
    mentions: tuple[MentionText, ...]


class ShownDocument(NamedTuple):
    """What readers are shown of a document."""

    errors: list[ErrorRecord]
    """Its errors, sorted by type and then by their place in the text."""
    key_groups: Sequence[int]
    """The confusion group of each key entity."""
    response_groups: Sequence[int]
    """The confusion group of each response entity."""
    key_titles: Sequence[str]
    """A title for each key entity: its first name, or else its first noun, or else a pronoun."""
    response_titles: Sequence[str]


def describe(
    original: DocumentPair, transformation: Transformation, *, with_errors: bool = True
) -> ShownDocument:
    """Turn the transformation of a document into records.

    Parameters
    ----------
    original
        The document before span errors are corrected: its entities are shown to readers.
    transformation
        The operations that turn its response into its key.
    with_errors
        Whether its errors are described; otherwise there are none, and only entities are shown.
    """
    describer = _Describer(original, transformation)
    return ShownDocument(
        errors=describer.errors() if with_errors else [],
        key_groups=describer.key_groups,
        response_groups=describer.response_groups,
        key_titles=describer.key_titles,
        response_titles=describer.response_titles,
    )


class _Describer:
    """Describes the errors of one document."""

    def __init__(self, original: DocumentPair, transformation: Transformation) -> None:
        self.transformation = transformation
        self.pair = pair = transformation.pair
        self.key_groups, self.response_groups = transformation.groups()
        self.key_titles = [entity_title(pair, entity) for entity in pair.key]
        self.response_titles = [entity_title(pair, entity) for entity in original.response]
        self._places: dict[int, tuple[int | None, str, str]] = {}
        self._texts: dict[int, MentionText] = {}

    @cached_property
    def _before(self) -> Mapping[int, int | None]:
        """The previous mention in the entity of each mention."""
        return _mentions_before(self.pair, self.transformation.alterations.pairs)

    def errors(self) -> list[ErrorRecord]:
        """Return all errors, sorted by type and then by their place in the text."""
        errors: list[ErrorRecord] = [*self._span_errors()]
        for side, all_charges in (
            (RESPONSE, self.transformation.response),
            (KEY, self.transformation.key),
        ):
            for charges, owner in zip(all_charges, self._owners(side), strict=True):
                if len(charges.pieces) > 1:
                    errors += _ChargedEntity(self, side, charges, owner).errors()
        rank = {type: i for i, type in enumerate(ErrorType)}
        return sorted(errors, key=lambda error: (rank[error.type], error.mentions[0].number))

    def common(self, owner: _Owner, mentions: Sequence[int]) -> _Common:
        """Return the fields that all records have; most describe the first of the mentions."""
        first = mentions[0]
        before = self._before.get(first)
        types = (self.pair.traits(mention).entity_type for mention in mentions)
        sentence, left, right = self._place(first)
        return {
            "document": self.pair.name,
            "sentence": sentence,
            "left": left,
            "right": right,
            "mention_type": self.pair.traits(first).type,
            "entity_type": next(filter(None, types), None),
            "distance": None if before is None else self._distance(before, first),
            "entity": owner.name,
            "label": owner.label,
            "title": owner.title,
            "group": owner.group,
            "mentions": tuple(map(self._shown, mentions)),
        }

    def _shown(self, mention: int) -> MentionText:
        """Return a mention with its words; cached, as errors share it."""
        found = self._texts.get(mention)
        if found is None:
            self._texts[mention] = found = shown(self.pair, mention)
        return found

    def _distance(self, before: int, mention: int) -> int | None:
        """Return how many tokens after the end of another mention a mention starts."""
        if not self.pair.table.has_spans:
            return None
        return max(self.pair.span(mention)[0] - self.pair.span(before)[1], 0)

    def _place(self, mention: int) -> tuple[int | None, str, str]:
        """Return the sentence of a mention and the words around it; cached, as errors share it."""
        if mention not in self._places:
            self._places[mention] = _place(self.pair, mention)
        return self._places[mention]

    def _owners(self, side: _Side) -> list[_Owner]:
        """Return the names, labels, titles and groups of the entities of a side."""
        pair, is_key = self.pair, side is KEY
        entities = zip(
            pair.key_names if is_key else pair.response_names,
            pair.key_labels if is_key else pair.response_labels,
            self.key_titles if is_key else self.response_titles,
            self.key_groups if is_key else self.response_groups,
            strict=True,
        )
        return [
            _Owner(name=name, label=label, title=title, group=group)
            for name, label, title, group in entities
        ]

    def _span_errors(self) -> Iterator[SpanRecord]:
        owners = self._owners(RESPONSE)
        home = homes(self.pair.response)
        for alteration in self.transformation.alterations.pairs:
            yield self._span_error(alteration, owners[home[alteration[1]]])

    def _span_error(self, alteration: Alteration, owner: _Owner) -> SpanRecord:
        text = self.pair.text
        assert text is not None
        (start, end), (key_start, key_end) = map(self.pair.span, alteration)

        def difference(first: int, last: int) -> EdgeWords | None:
            if first > last:
                return None
            labels = text.labels_over(first, last, MOST_LABELS)
            words = text.phrase(first, last).lower()
            return EdgeWords(words, None if labels is None else tuple(labels))

        return SpanRecord(
            **self.common(owner, alteration),
            in_parse=text.is_constituent(start, end),
            extra_left=difference(start, key_start - 1),
            missing_left=difference(key_start, start - 1),
            extra_right=difference(key_end + 1, end),
            missing_right=difference(end + 1, key_end),
        )


def entity_title(pair: DocumentPair, entity: NumberedEntity) -> str:
    """Return a title for an entity: its first name, or else its first noun, or else a pronoun."""
    typical = min(entity, key=lambda mention: RANK[pair.traits(mention).type])
    return pair.words(typical) or str(shown(pair, typical))


def shown(pair: DocumentPair, mention: int) -> MentionText:
    """Return a mention with its words."""
    return MentionText.of(pair.table, mention, pair.words(mention))


def _place(pair: DocumentPair, mention: int) -> tuple[int | None, str, str]:
    """Return the number of the sentence of a mention, and the words before and after it."""
    text = pair.text
    if text is None or not pair.table.has_spans or pair.span(mention)[0] >= len(text.words):
        return None, "", ""
    left, _, right = around(text.words, text.sentences, pair.where(mention), CONTEXT_WIDTH)
    return text.sentence_of(pair.span(mention)[0]) + 1, left, right


def _mentions_before(
    pair: DocumentPair, alterations: Sequence[Alteration]
) -> Mapping[int, int | None]:
    """Return the previous mention in the entity of each mention: in the key, if the key has it."""
    before: dict[int, int | None] = {}
    for entity in (*pair.response, *pair.key):
        for place, mention in enumerate(entity):
            before[mention] = entity[place - 1] if place else None
    return before | {found: before[meant] for found, meant in alterations}


class _ChargedEntity:
    """An entity of one side that has errors."""

    def __init__(self, describer: _Describer, side: _Side, charges: Charges, owner: _Owner) -> None:
        self.describer, self.side, self.charges, self.owner = describer, side, charges, owner
        self.pair = describer.pair
        every = sorted(m for piece in charges.pieces for m in piece.mentions)
        self.tally = MentionTally(self.pair, every)
        matched = [m for piece in charges.pieces if piece.other is not None for m in piece.mentions]
        self.matched = len(matched)
        in_response = MentionTally(self.pair, sorted(matched)) if side is KEY else self.tally
        self.first_in_response = in_response.first_noun

    def errors(self) -> Iterator[ErrorRecord]:
        if self.charges.is_entity_error:
            yield self._entity_error()
        yield from map(self._mention_error, self.charges.single)
        yield from map(self._part_error, self.charges.parts)

    def _entity_error(self) -> EntityRecord:
        unmatched = self.charges.unmatched
        tally = self.tally if self.side is KEY else MentionTally(self.pair, unmatched)
        pronouns = [traits.text for traits in tally.traits if traits.is_pronoun]
        nouns = [not (t.is_pronoun or t.has_pronoun_head) for t in tally.traits]
        before = tally.traits[: nouns.index(True)] if True in nouns else []
        is_pair = len(pronouns) == 1 and len(tally.traits) == 2
        return self.side.entity_error(
            **self.describer.common(self.owner, unmatched),
            composition=Composition.of(tally.types),
            matched=self.matched,
            pronoun=pronouns[0] if is_pair else None,
            entity_types=tuple(sorted({t.entity_type for t in tally.traits if t.entity_type})),
            cataphoric=sum(traits.is_pronoun for traits in before),
            same_text=len(tally.texts) == 1 if tally.has_text else None,
            same_head=len(tally.heads) == 1 if tally.has_text else None,
        )

    def _mention_error(self, mention: int) -> MentionRecord:
        tally, traits = self.tally, self.pair.traits(mention)
        is_cataphoric = tally.first_noun is not None and mention < tally.first_noun

        def agreement(name: str) -> Agreement:
            return _agreement(value_of(traits, name), tally.values[name])

        return self.side.mention_error(
            **self.describer.common(self.owner, [mention]),
            cataphoric=int(is_cataphoric),
            same_text=tally.texts[traits.wording] > 1 if tally.has_text else None,
            same_head=tally.heads[traits.head] > 1 if tally.has_text else None,
            nesting=tally.nesting_of(mention),
            is_first=mention == tally.mentions[0],
            is_last=mention == tally.mentions[-1],
            entity_type_agreement=agreement("entity_type"),
            number_agreement=agreement("number"),
            person_agreement=agreement("person"),
            gender_agreement=agreement("gender"),
        )

    def _part_error(self, piece: Piece) -> PartRecord:
        assert piece.other is not None
        tally, part, is_key = self.tally, MentionTally(self.pair, piece.mentions), self.side is KEY
        pair = self.pair
        other = (pair.response if is_key else pair.key)[piece.other]
        is_whole = len(other) == len(piece.mentions)
        has_text = tally.has_text
        return self.side.part_error(
            **self.describer.common(self.owner, piece.mentions),
            other=(pair.response_names if is_key else pair.key_names)[piece.other],
            part=_portion(part.types, part.values),
            rest=_portion(
                tally.types - part.types,
                {name: values - part.values[name] for name, values in tally.values.items()},
            ),
            rest_is_unmatched=self.matched == len(piece.mentions),
            cataphoric=self._cataphoric(piece),
            same_text=_in_common(part.noun_texts, tally.noun_texts) if has_text else None,
            same_head=_in_common(part.noun_heads, tally.noun_heads) if has_text else None,
            later="nothing" if is_whole and not is_key else "merge",
            earlier="nothing" if is_whole and is_key else "split",
        )

    def _cataphoric(self, piece: Piece) -> int:
        """Count the pronouns of a part before the entity's first noun that the response has."""
        first = self.first_in_response
        if first is None or first in piece.mentions:
            return 0
        return sum(mention < first and self.pair.is_pronoun(mention) for mention in piece.mentions)


def _agreement(value: str | None, known: Counter[str]) -> Agreement:
    """Compare a mention's value with those of its whole entity, which ``known`` counts."""
    if value is None or not known.total() - 1:
        return "unknown"
    return "matches" if known[value] > 1 else "differs"


def _in_common(part: Counter[Hashable], whole: Counter[Hashable]) -> bool:
    """Return whether a part and the rest of the whole have a value in common."""
    return any(whole[value] > count for value, count in part.items())


def _portion(types: Mapping[MentionType, int], values: Mapping[str, Counter[str]]) -> Portion:
    """Return the types and values of some mentions of an entity."""
    counts = Composition.of(types)
    return Portion(
        names=counts.names,
        nominals=counts.nominals,
        pronouns=counts.pronouns,
        zeros=counts.zeros,
        entity_types=tuple(sorted(values["entity_type"])),
        numbers=cast("tuple[GrammaticalNumber, ...]", tuple(sorted(values["number"]))),
        persons=cast("tuple[Person, ...]", tuple(sorted(values["person"]))),
        genders=cast("tuple[Gender, ...]", tuple(sorted(values["gender"]))),
    )
