"""The errors of a document with all their properties (the specification of the paper's tables)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import (
    PROPERTIES,
    Agreement,
    Comparison,
    Composition,
    ConflatedEntities,
    Difference,
    DividedEntity,
    EntityError,
    ErrorRecord,
    ExtraEntity,
    ExtraMention,
    MentionError,
    MentionText,
    MissingEntity,
    MissingMention,
    Nesting,
    PartError,
    SpanError,
)
from corefscope.error_analysis.spans import Alteration
from corefscope.error_analysis.transformation import Charges, Piece, Transformation
from corefscope.language import NO_FEATURES, MentionType
from corefscope.matching.pairs import DocumentPair, Span, Traits

NO_VALUES: Mapping[str, Counter[str]] = {name: Counter() for name in PROPERTIES}
"""What is known of mentions of which nothing is known."""
MOST_LABELS = 100
"""Labels of a difference that are listed: those of many long mentions would fill the memory."""
NOTHING_TO_COMPARE = Comparison((), ())


def value_of(traits: Traits, name: str) -> str | None:
    """Return one property of a mention by name."""
    value = traits.entity_type if name == "entity_type" else getattr(traits.features, name)
    assert value is None or isinstance(value, str)
    return value


class Tally:
    """Mentions counted by what they may have in common; none is compared with each other."""

    def __init__(self, pair: DocumentPair, mentions: Sequence[Span]) -> None:
        self.mentions = mentions
        self.traits = [pair.traits(mention) for mention in mentions]
        self.has_text = all(traits.text is not None for traits in self.traits)

    @cached_property
    def first_noun(self) -> Span | None:
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
        """Mentions by the value of each property, where it is known."""
        if not any(t.entity_type or t.features is not NO_FEATURES for t in self.traits):
            return NO_VALUES
        values: dict[str, Counter[str]] = {name: Counter() for name in PROPERTIES}
        for traits in self.traits:
            if traits.entity_type or traits.features is not NO_FEATURES:
                for name, counter in values.items():
                    if value := value_of(traits, name):
                        counter[value] += 1
        return values

    @cached_property
    def nesting(self) -> _Nesting:
        """Which mentions lie inside which."""
        return _Nesting(self.mentions)


class _Nesting:
    """Answers in logarithmic time whether sorted mentions contain one, or one contains them."""

    def __init__(self, mentions: Sequence[Span]) -> None:
        self.starts = [start for start, _ in mentions]
        ends = [end for _, end in mentions]
        self.furthest = list(accumulate(ends, max))
        """The last token of any mention up to this one."""
        self.nearest = list(accumulate(reversed(ends), min))[::-1]
        """The first end of any mention from this one on."""

    def of(self, mention: Span) -> Nesting:
        """Tell how a mention lies to the others: strictly, on both sides."""
        start, end = mention
        before = bisect_left(self.starts, start)
        after = bisect_right(self.starts, start)
        inside = before > 0 and self.furthest[before - 1] > end
        outside = after < len(self.starts) and self.nearest[after] < end
        if inside and outside:
            return "both"
        return "inside" if inside else "outside" if outside else "none"


@dataclass(frozen=True, slots=True)
class _Side:
    """The response, with the errors that its entities can have; or the key."""

    entity_error: type[EntityError]
    mention_error: type[MentionError]
    part_error: type[PartError]


RESPONSE = _Side(ExtraEntity, ExtraMention, ConflatedEntities)
KEY = _Side(MissingEntity, MissingMention, DividedEntity)


class Describer:
    """Turns the transformation of a document into records."""

    def __init__(self, transformation: Transformation) -> None:
        self.transformation = transformation
        self.pair = transformation.pair
        self.key_groups, self.response_groups = transformation.groups()

    def errors(self) -> list[ErrorRecord]:
        """Return all errors in the order of the types, then of the text."""
        errors: list[ErrorRecord] = [*self._span_errors()]
        work, pair = self.transformation, self.pair
        sides = (
            (RESPONSE, work.response, self.response_groups, _titles(pair, "response")),
            (KEY, work.key, self.key_groups, _titles(pair, "key")),
        )
        for side, all_charges, groups, titles in sides:
            for charges, group, title in zip(all_charges, groups, titles, strict=True):
                if len(charges.pieces) > 1:
                    errors += _ChargedEntity(pair, side, charges, group, title).errors()
        rank = {type: i for i, type in enumerate(ErrorType)}
        return sorted(errors, key=lambda e: (rank[e.type], e.mentions[0].start, e.mentions[0].end))

    def _span_errors(self) -> Iterator[SpanError]:
        home = {m: i for i, entity in enumerate(self.pair.response) for m in entity}
        for alteration in self.transformation.alterations.pairs:
            yield self._span_error(alteration, home[alteration[1]])

    def _span_error(self, alteration: Alteration, entity: int) -> SpanError:
        text = self.pair.text
        assert text is not None
        (start, end), (key_start, key_end) = alteration

        def difference(first: int, last: int) -> Difference | None:
            if first > last:
                return None
            labels = text.labels_over(first, last, MOST_LABELS)
            words = text.phrase(first, last).lower()
            return Difference(words, None if labels is None else tuple(labels))

        return SpanError(
            self.pair.name,
            self.response_groups[entity],
            self.pair.response_names[entity],
            self.pair.response_labels[entity],
            shown(self.pair, alteration),
            text.is_constituent(start, end),
            extra_left=difference(start, key_start - 1),
            missing_left=difference(key_start, start - 1),
            extra_right=difference(key_end + 1, end),
            missing_right=difference(end + 1, key_end),
        )


def _titles(pair: DocumentPair, side: str) -> Iterator[tuple[str, str]]:
    """Return the name and the label of each entity of a side."""
    return zip(getattr(pair, f"{side}_names"), getattr(pair, f"{side}_labels"), strict=True)


def shown(pair: DocumentPair, mentions: Sequence[Span]) -> tuple[MentionText, ...]:
    """Return mentions with their words, for a reader."""

    def words(mention: Span) -> str | None:
        return pair.text.phrase(*mention) if pair.text and pair.is_in_text(mention) else None

    ids = pair.ids
    return tuple(
        MentionText(*mention, words(mention), None if ids is None else str(ids[mention[0]]))
        for mention in mentions
    )


class _ChargedEntity:
    """An entity of one side that has errors."""

    def __init__(
        self, pair: DocumentPair, side: _Side, charges: Charges, group: int, title: tuple[str, str]
    ) -> None:
        self.pair, self.side, self.charges = pair, side, charges
        self.place = pair.name, group, *title
        self.tally = Tally(pair, sorted(m for piece in charges.pieces for m in piece.mentions))
        matched = [m for piece in charges.pieces if piece.other is not None for m in piece.mentions]
        self.matched = len(matched)
        in_response = Tally(pair, sorted(matched)) if side is KEY else self.tally
        self.first_in_response = in_response.first_noun

    def errors(self) -> Iterator[ErrorRecord]:
        if self.charges.is_entity_error:
            yield self._entity_error()
        yield from map(self._mention_error, self.charges.single)
        yield from map(self._part_error, self.charges.parts)

    def _entity_error(self) -> EntityError:
        unmatched = self.charges.unmatched
        tally = self.tally if self.side is KEY else Tally(self.pair, unmatched)
        pronouns = [traits.text for traits in tally.traits if traits.is_pronoun]
        nouns = [not (t.is_pronoun or t.has_pronoun_head) for t in tally.traits]
        before = tally.traits[: nouns.index(True)] if True in nouns else []
        return self.side.entity_error(
            *self.place,
            shown(self.pair, unmatched),
            Composition.of(tally.types),
            self.matched,
            pronouns[0] if len(pronouns) == 1 and len(tally.traits) == 2 else None,
            sum(traits.is_pronoun for traits in before),
            tuple(sorted({t.entity_type for t in tally.traits if t.entity_type})),
            len(tally.texts) == 1 if tally.has_text else None,
            len(tally.heads) == 1 if tally.has_text else None,
        )

    def _mention_error(self, mention: Span) -> MentionError:
        tally, traits = self.tally, self.pair.traits(mention)
        return self.side.mention_error(
            *self.place,
            shown(self.pair, [mention]),
            traits.type,
            traits.text,
            tally.texts[traits.wording] > 1 if tally.has_text else None,
            tally.heads[traits.head] > 1 if tally.has_text else None,
            tally.nesting.of(mention),
            mention == tally.mentions[0],
            mention == tally.mentions[-1],
            tally.first_noun is not None and mention < tally.first_noun,
            *(_agreement(value_of(traits, name), tally.values[name]) for name in PROPERTIES),
        )

    def _part_error(self, piece: Piece) -> PartError:
        assert piece.other is not None
        tally, part, is_key = self.tally, Tally(self.pair, piece.mentions), self.side is KEY
        pair = self.pair
        other = (pair.response if is_key else pair.key)[piece.other]
        is_whole = len(other) == len(piece.mentions)
        return self.side.part_error(
            *self.place,
            shown(pair, piece.mentions),
            (pair.response_names if is_key else pair.key_names)[piece.other],
            part.traits[0].text if len(piece.mentions) == 1 else None,
            self._cataphoric(piece),
            Composition.of(part.types),
            Composition.of(tally.types - part.types),
            self.matched == len(piece.mentions),
            _in_common(part.noun_texts, tally.noun_texts) if tally.has_text else None,
            _in_common(part.noun_heads, tally.noun_heads) if tally.has_text else None,
            "nothing" if is_whole and not is_key else "merge",
            "nothing" if is_whole and is_key else "split",
            *(_compared(part.values[name], tally.values[name]) for name in PROPERTIES),
        )

    def _cataphoric(self, piece: Piece) -> int:
        """Count pronouns of a part before the first noun that the response has of the entity."""
        first = self.first_in_response
        if first is None or first in piece.mentions:
            return 0
        return sum(mention < first and self.pair.is_pronoun(mention) for mention in piece.mentions)


def _agreement(value: str | None, known: Counter[str]) -> Agreement:
    """Compare a mention's value with those of the rest; ``known`` counts the mention, too."""
    if value is None or not known.total() - 1:
        return "unknown"
    return "matches" if known[value] > 1 else "differs"


def _in_common(part: Counter[Hashable], whole: Counter[Hashable]) -> bool:
    """Tell whether something of a part is in the rest of the whole, too."""
    return any(whole[value] > count for value, count in part.items())


def _compared(part: Counter[str], whole: Counter[str]) -> Comparison:
    if not whole:
        return NOTHING_TO_COMPARE
    return Comparison(tuple(sorted(part)), tuple(sorted(whole - part)))
