"""One record per error: its mentions, and the properties that the paper's tables count.

Each property is declared here once, with its meaning: as an annotated field, or as a ``@property``
with a docstring. See :mod:`corefscope.error_analysis.catalogue`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus.mentions import Span
from corefscope.error_analysis.catalogue import (
    Plain,
    Property,
    PropertyValue,
    plain_record,
    printed,
    properties_of,
)
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.mention_text import MentionText, named
from corefscope.formatting import Value, cut_right
from corefscope.language import MentionType
from corefscope.language.tables import Gender, GrammaticalNumber, Person
from corefscope.results.rows import Row

Agreement: TypeAlias = Literal["matches", "differs", "unknown"]
"""Whether another mention of the entity has the same value."""
Nesting: TypeAlias = Literal["none", "inside", "outside", "both"]
"""Whether a mention lies strictly inside another mention of its entity, or contains one."""
AGREEING = ("entity_type", "number", "person", "gender")
"""The properties in which the mentions of one entity are expected to agree."""


class Composition(Struct, frozen=True, kw_only=True):
    """Mentions counted by type."""

    names: Annotated[int, "how many are names"]
    nominals: Annotated[int, "how many are nominals"]
    pronouns: Annotated[int, "how many are pronouns"]
    zeros: Annotated[int, "how many are zeros (unexpressed pronouns)"]

    @classmethod
    def of(cls, types: Mapping[MentionType, int]) -> Composition:
        """Count mentions by type."""
        return cls(
            names=types.get(MentionType.NAME, 0),
            nominals=types.get(MentionType.NOMINAL, 0),
            pronouns=types.get(MentionType.PRONOUN, 0),
            zeros=types.get(MentionType.ZERO, 0),
        )


class Portion(Composition, frozen=True, kw_only=True):
    """A part of an entity, or the rest: its mentions by type, and their values."""

    entity_types: Annotated[tuple[str, ...], "the named-entity types, sorted"]
    numbers: Annotated[
        tuple[GrammaticalNumber, ...],
        "the numbers of the pronouns, with Universal Dependencies of all mentions, sorted",
    ]
    persons: Annotated[tuple[Person, ...], "the same for persons"]
    genders: Annotated[tuple[Gender, ...], "the same for genders"]


class EdgeWords(Struct, frozen=True):
    """Words at one end that only one of two spans has."""

    text: Annotated[str, "in lower case"]
    labels: Annotated[
        tuple[str, ...] | None, "the labels of their constituents; null without a parse"
    ]


class ErrorRecord(Struct, frozen=True, kw_only=True):
    """The properties that all errors have."""

    type: ClassVar[Annotated[ErrorType, "the type of the error"]]
    document: Annotated[str, "the name of the document"]
    sentence: Annotated[
        int | None, "the sentence number of the first mention, from 1; null without words"
    ]
    left: Annotated[
        str, "the words before the first mention in its sentence; cut if there are many"
    ]
    right: Annotated[
        str, "the words after the first mention in its sentence; cut if there are many"
    ]
    mention_type: Annotated[MentionType, "the type of the first mention"]
    entity_type: Annotated[
        str | None,
        "the named-entity type of the first of the error's mentions that has a type; null if none "
        "has one",
    ]
    distance: Annotated[
        int | None,
        "how many tokens after the end of its entity's previous mention the first mention starts "
        "(in the key entity, if the key has the mention); null for the first mention of an entity, "
        "and if mentions are ids",
    ]
    entity: Annotated[
        str,
        "the entity that has the error: a response entity (`R1`, `R2`, …) for the first four "
        "types, a key entity (`K1`, `K2`, …) for the last three, numbered as in their file",
    ]
    label: Annotated[str, "the label of that entity in its file"]
    title: Annotated[
        str,
        "a title for that entity: its first name, or else its first nominal, or else its first "
        "pronoun",
    ]
    group: Annotated[int, "the number of that entity's confusion group in the document"]
    mentions: Annotated[tuple[MentionText, ...], "the mentions that the error is about"]

    @property
    def id(self) -> str:
        """Document, type and first mention; stable as long as the annotation does not change."""
        first = self.mentions[0]
        place = first.text if first.where is None else first.where.identified()
        return f"{self.document}/{self.type}/{place}"

    @property
    def start(self) -> int | None:
        """The first token of the first mention; null if mentions are not spans of tokens."""
        return self.mentions[0].start

    @property
    def end(self) -> int | None:
        """The last token of the first mention; null if mentions are not spans of tokens."""
        return self.mentions[0].end

    @property
    def text(self) -> str | None:
        """The words of the first mention, as in `mentions.text`."""
        return self.mentions[0].text

    @property
    def size(self) -> int:
        """The number of mentions that the error is about."""
        return len(self.mentions)

    @property
    def description(self) -> str:
        """A sentence that says what is wrong."""
        return self._described()

    def spans(self) -> tuple[Span, ...]:
        """Return the spans of the mentions.

        Returns
        -------
        tuple
            First and last token of each mention; nothing if mentions are ids.
        """
        return tuple(mention.span for mention in self.mentions if mention.span)

    def to_dict(self) -> dict[str, Plain]:
        """Return the record as a JSON object.

        Returns
        -------
        dict
            The properties by name.
        """
        return plain_record(self)

    def _described(self) -> str:
        raise NotImplementedError


class SpanRecord(ErrorRecord, frozen=True, kw_only=True):
    """A mention with a wrong boundary; ``mentions`` has the response's, then the key's."""

    type = ErrorType.SPAN_ERROR
    in_parse: Annotated[
        bool | None, "whether the response mention is a constituent; null without a parse"
    ]
    extra_left: Annotated[
        EdgeWords | None, "words before the key mention that only the response mention has"
    ]
    missing_left: Annotated[
        EdgeWords | None, "words before the response mention that only the key mention has"
    ]
    extra_right: Annotated[
        EdgeWords | None, "words after the key mention that only the response mention has"
    ]
    missing_right: Annotated[
        EdgeWords | None, "words after the response mention that only the key mention has"
    ]

    def _described(self) -> str:
        found, meant = self.mentions
        changes = [
            f"{what} “{cut_right(difference.text)}” on the {side}"
            for what, side, difference in (
                ("extra", "left", self.extra_left),
                ("missing", "left", self.missing_left),
                ("extra", "right", self.extra_right),
                ("missing", "right", self.missing_right),
            )
            if difference
        ]
        return f"{named([found])} should be {named([meant])}: {', '.join(changes)}"


class EntityRecord(ErrorRecord, frozen=True, kw_only=True):
    """An entity that is extra or missing as a whole.

    For an extra entity, the properties describe its spurious mentions; for a missing one, the whole
    key entity. ``mentions`` has the spurious or missing mentions.
    """

    composition: Annotated[
        Composition,
        "the mentions of the entity (only the spurious ones if it is extra)",
    ]
    matched: Annotated[
        int,
        "how many mentions of the entity the other side has as well; by definition, all of them "
        "are pronouns",
    ]
    pronoun: Annotated[
        str | None,
        "the pronoun in lower case, if `composition` is one pronoun and one other mention; else "
        "null",
    ]
    entity_types: Annotated[
        tuple[str, ...], "the named-entity types of the mentions of `composition`, sorted"
    ]
    cataphoric: Annotated[
        int, "how many pronouns of `composition` come before its first mention that is not one"
    ]
    same_text: Annotated[
        bool | None, "whether all mentions of `composition` have the same words; null without words"
    ]
    same_head: Annotated[
        bool | None,
        "whether all mentions of `composition` have the same head word; null without words",
    ]

    def _described(self) -> str:
        other = "key" if self.type is ErrorType.EXTRA_ENTITY else "response"
        has = "only pronouns" if self.matched else "no mention"
        return f"{named(self.mentions)}: the {other} has {has} of {self.entity}"


class ExtraEntity(EntityRecord, frozen=True, kw_only=True):
    """An entity of the response that the key does not have."""

    type = ErrorType.EXTRA_ENTITY


class MissingEntity(EntityRecord, frozen=True, kw_only=True):
    """An entity of the key that the response does not have."""

    type = ErrorType.MISSING_ENTITY


class MentionRecord(ErrorRecord, frozen=True, kw_only=True):
    """A mention that one side lacks, and its relation to the rest of its entity."""

    cataphoric: Annotated[
        int, "1 if it comes before the first mention that is not a pronoun, else 0"
    ]
    same_text: Annotated[
        bool | None, "whether another mention of the entity has the same words; null without words"
    ]
    same_head: Annotated[
        bool | None,
        "whether another mention of the entity has the same head word; null without words",
    ]
    nesting: Annotated[
        Nesting,
        "`inside` if it lies in another mention of the entity (strictly, at both ends), `outside` "
        "if it contains another one, `both`, or `none`",
    ]
    is_first: Annotated[bool, "whether it is the first mention of the entity"]
    is_last: Annotated[bool, "whether it is the last mention of the entity"]
    entity_type_agreement: Annotated[
        Agreement,
        "whether another mention of the entity has the same named-entity type; `unknown` if it or "
        "all others have none",
    ]
    number_agreement: Annotated[Agreement, "the same for number"]
    person_agreement: Annotated[Agreement, "the same for person"]
    gender_agreement: Annotated[Agreement, "the same for gender"]


class ExtraMention(MentionRecord, frozen=True, kw_only=True):
    """A mention of the response that the key does not have."""

    type = ErrorType.EXTRA_MENTION

    def _described(self) -> str:
        return f"{named(self.mentions)} in {self.entity} is not a mention of the key"


class MissingMention(MentionRecord, frozen=True, kw_only=True):
    """A mention of the key that the response does not have."""

    type = ErrorType.MISSING_MENTION

    def _described(self) -> str:
        return f"{named(self.mentions)} of {self.entity} was not found"


class PartRecord(ErrorRecord, frozen=True, kw_only=True):
    """A part wrongly joined to, or divided from, the rest of an entity, in ``mentions``."""

    other: Annotated[
        str, "the entity of the other side that has the part: `K2` if conflated, `R2` if divided"
    ]
    part: Annotated[Portion, "the mentions of the part"]
    rest: Annotated[Portion, "the mentions of the rest of the entity"]
    rest_is_unmatched: Annotated[
        bool, "whether the other side has no mention of the rest: all are spurious, or missing"
    ]
    cataphoric: Annotated[
        int,
        "how many pronouns of the part come before the first mention of the rest that is in the "
        "response and not a pronoun",
    ]
    same_text: Annotated[
        bool | None,
        "whether a mention of the part and one of the rest, neither a pronoun, have the same "
        "words; null without words",
    ]
    same_head: Annotated[
        bool | None,
        "whether a mention of the part and one of the rest, neither a pronoun, have the same head "
        "word; null without words",
    ]
    later: Annotated[
        Literal["nothing", "merge"],
        "what happens to the part next: `nothing` if it is a whole key entity, else `merge`",
    ]
    earlier: Annotated[
        Literal["nothing", "split"],
        "what happened to the part before: `nothing` if it was a whole response entity, else "
        "`split`",
    ]


class ConflatedEntities(PartRecord, frozen=True, kw_only=True):
    """A part of a response entity that belongs to a different entity than the rest."""

    type = ErrorType.CONFLATED_ENTITIES

    def _described(self) -> str:
        rest = "the spurious mentions" if self.rest_is_unmatched else "the rest"
        belongs = "belongs" if self.size == 1 else "belong"
        return f"{named(self.mentions)} {belongs} to {self.other}, not with {rest} of {self.entity}"


class DividedEntity(PartRecord, frozen=True, kw_only=True):
    """A part of a key entity that the response does not have together with the rest."""

    type = ErrorType.DIVIDED_ENTITY

    def _described(self) -> str:
        rest = "the rest, which was not found" if self.rest_is_unmatched else "the rest"
        verb = "is" if self.size == 1 else "are"
        return f"{named(self.mentions)} of {self.entity} {verb} in {self.other}, apart from {rest}"


RECORDS: Sequence[type[ErrorRecord]] = (
    SpanRecord,
    ConflatedEntities,
    ExtraMention,
    ExtraEntity,
    DividedEntity,
    MissingMention,
    MissingEntity,
)
"""The classes of all errors, in the order of their types."""


@cache
def error_properties(records: Sequence[type[ErrorRecord]] = RECORDS) -> Mapping[str, Property]:
    """Return the properties of some error classes by name; of all classes by default."""
    found: dict[str, Property] = {}
    for name, each in (item for record in records for item in properties_of(record).items()):
        is_nullable = each.is_nullable or (name in found and found[name].is_nullable)
        found[name] = replace(each, is_nullable=is_nullable)
    return found


def shown_properties(errors: Sequence[ErrorRecord], types: Sequence[ErrorType] = ()) -> list[str]:
    """Return the properties of errors of these types and of those that occur."""
    chosen = {*types, *(error.type for error in errors)}
    known = error_properties(tuple(record for record in RECORDS if record.type in chosen))
    return [name for name, each in known.items() if not _is_idle(each, errors)]


def _is_idle(property: Property, errors: Sequence[ErrorRecord]) -> bool:
    """Return whether a property counts zeros where there are none, as in most corpora."""
    if property.name.rpartition(".")[2] != "zeros":
        return False
    own = (each for each in errors if property.name in properties_of(type(each)))
    return not any(any(property.values(error)) for error in own)


def error_row(error: ErrorRecord, names: Iterable[str]) -> Row:
    """Return the properties of an error as a row; several values are one text."""
    own = properties_of(type(error))
    return {name: _cell(own[name].values(error)) if name in own else None for name in names}


def _cell(values: Sequence[PropertyValue]) -> Value:
    (first, *others) = values
    if others:
        return SEPARATOR.join(map(printed, values))
    return printed(first) if isinstance(first, bool) else first


SEPARATOR = " | "
"""Separates several values in a cell; values may contain spaces."""
