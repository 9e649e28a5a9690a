"""One record an error: what it is about, and the properties that the paper's tables count."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args, get_type_hints

from corefscope.error_analysis.kinds import ErrorType
from corefscope.language import MentionType
from corefscope.matching.pairs import Span

Agreement: TypeAlias = Literal["matches", "differs", "unknown"]
"""Whether a mention has a value that the rest of its entity has, too."""
Nesting: TypeAlias = Literal["none", "inside", "outside", "both"]
"""Whether a mention lies strictly inside another of its entity, or has one inside."""
Action: TypeAlias = Literal["nothing", "delete", "merge", "introduce", "split"]
"""What else happens to the part of an entity that an error is about."""
PROPERTIES = ("entity_type", "number", "person", "gender")
"""What the mentions of one entity are expected to agree in."""


@dataclass(frozen=True, slots=True)
class MentionText:
    """A mention with its words."""

    start: int
    end: int
    text: str | None
    id: str | None = None
    """What identifies it, where it is not a span of tokens."""

    def __str__(self) -> str:
        return self.text or self.id or f"({self.place})"

    @property
    def place(self) -> str:
        """Its tokens, or nothing if it has no place."""
        if self.id is not None:
            return ""
        return f"{self.start}" if self.start == self.end else f"{self.start}–{self.end}"

    def to_dict(self) -> dict[str, Any]:
        """Return the mention for JSON: its place, or what identifies it."""
        if self.id is not None:
            return {"id": self.id}
        text = {} if self.text is None else {"text": self.text}
        return {"start": self.start, "end": self.end, **text}


@dataclass(frozen=True, slots=True)
class Composition:
    """How many mentions of each type."""

    names: int
    nominals: int
    pronouns: int

    @classmethod
    def of(cls, types: dict[MentionType, int]) -> Composition:
        """Count mentions by type."""
        return cls(*(types.get(type, 0) for type in MentionType))


@dataclass(frozen=True, slots=True)
class Difference:
    """Words that only one of two spans has, at one end."""

    text: str
    labels: tuple[str, ...] | None
    """The constituents that these words are; None without a parse."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The values that a part and the rest of an entity have for one property."""

    part: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether they are the same; nothing equals nothing."""
        return self.part == self.rest


@dataclass(frozen=True, slots=True)
class ErrorRecord:
    """What all errors have."""

    type: ClassVar[ErrorType]
    document: str
    group: int
    """The confusion group of the document that it belongs to."""
    entity: str
    """The entity that has the error: K1, K2, … of the key, R1, R2, … of the response."""
    label: str
    """The label of that entity in its file."""
    mentions: tuple[MentionText, ...]
    """The mentions that the error is about."""

    @property
    def id(self) -> str:
        """A name that stays the same as long as the annotation does."""
        first = self.mentions[0]
        place = first.id or f"{first.start}-{first.end}"
        return f"{self.document}/{self.type}/{place}"

    @property
    def size(self) -> int:
        """The number of mentions that the error is about."""
        return len(self.mentions)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The mentions as spans."""
        return tuple((mention.start, mention.end) for mention in self.mentions)

    def to_dict(self) -> dict[str, Any]:
        """Return the record for JSON."""
        return {
            "id": self.id,
            "type": str(self.type),
            **{k: v for k, v in _plain(asdict(self)).items() if k != "mentions"},
            "size": self.size,
            "mentions": [mention.to_dict() for mention in self.mentions],
        }

    def properties(self) -> Iterator[tuple[str, Any]]:
        """Go through the properties that errors can be selected by; parts of parts by a dot."""
        for name, value in self.to_dict().items():
            if isinstance(value, dict):
                yield from ((f"{name}.{part}", v) for part, v in value.items())
            elif name != "mentions":
                yield name, value


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: str(v) if isinstance(v, MentionType) else v for k, v in fields.items()}


@dataclass(frozen=True, slots=True)
class SpanError(ErrorRecord):
    """A response mention whose boundary is wrong; ``mentions`` has it, then the key's."""

    type = ErrorType.SPAN_ERROR
    in_parse: bool | None
    """Whether the response mention is a constituent; None without a parse."""
    extra_left: Difference | None
    missing_left: Difference | None
    extra_right: Difference | None
    missing_right: Difference | None


@dataclass(frozen=True, slots=True)
class EntityError(ErrorRecord):
    """An entity that is extra or missing as a whole.

    Properties are of its spurious mentions if it is extra, of the whole key entity if it is
    missing; ``mentions`` are those that are spurious, or missing.
    """

    composition: Composition
    matched: int
    """Mentions of the entity that the other side has, too; all are pronouns."""
    pronoun: str | None
    """The pronoun of an entity that is one pronoun and one other mention."""
    cataphoric: int
    """Pronouns before the first mention that is not one."""
    entity_types: tuple[str, ...]
    same_text: bool | None
    same_head: bool | None


@dataclass(frozen=True, slots=True)
class ExtraEntity(EntityError):
    """An entity of the response that the key does not have."""

    type = ErrorType.EXTRA_ENTITY


@dataclass(frozen=True, slots=True)
class MissingEntity(EntityError):
    """An entity of the key that the response does not have."""

    type = ErrorType.MISSING_ENTITY


@dataclass(frozen=True, slots=True)
class MentionError(ErrorRecord):
    """A mention that one side lacks, and how it goes with the rest of its entity."""

    mention_type: MentionType
    text: str | None
    """Its words in lower case."""
    text_match: bool | None
    """Whether another mention of the entity has the same words."""
    head_match: bool | None
    nesting: Nesting
    is_first: bool
    is_last: bool
    is_cataphoric: bool
    entity_type: Agreement
    number: Agreement
    person: Agreement
    gender: Agreement


@dataclass(frozen=True, slots=True)
class ExtraMention(MentionError):
    """A mention of the response that the key does not have."""

    type = ErrorType.EXTRA_MENTION


@dataclass(frozen=True, slots=True)
class MissingMention(MentionError):
    """A mention of the key that the response does not have."""

    type = ErrorType.MISSING_MENTION


@dataclass(frozen=True, slots=True)
class PartError(ErrorRecord):
    """A part that is wrongly with, or without, the rest of an entity; ``mentions`` is the part."""

    other: str
    """The other side's entity that the part is in."""
    text: str | None
    """The words of a part of one mention."""
    cataphoric: int
    """Pronouns of the part before the first other mention of the rest."""
    part: Composition
    rest: Composition
    rest_is_unmatched: bool
    """Whether the other side has no mention of the rest: it is spurious, or missing."""
    string_match: bool | None
    """Whether a mention of the part, not a pronoun, has the words of one of the rest."""
    head_match: bool | None
    later: Action
    """What happens to the part after this: nothing, if it is a whole key entity."""
    earlier: Action
    """What happened to the part before this: nothing, if it was a whole response entity."""
    entity_type: Comparison
    number: Comparison
    person: Comparison
    gender: Comparison


@dataclass(frozen=True, slots=True)
class ConflatedEntities(PartError):
    """A part of a response entity that belongs to another entity than the rest."""

    type = ErrorType.CONFLATED_ENTITIES


@dataclass(frozen=True, slots=True)
class DividedEntity(PartError):
    """A part of a key entity that the response has apart from the rest."""

    type = ErrorType.DIVIDED_ENTITY


RECORDS: Sequence[type[ErrorRecord]] = (
    SpanError,
    ConflatedEntities,
    ExtraMention,
    ExtraEntity,
    DividedEntity,
    MissingMention,
    MissingEntity,
)
"""The classes of all errors, in the order of their types."""


def property_names(records: Collection[type[ErrorRecord]] = ()) -> tuple[str, ...]:
    """Return the names of the properties of some types of errors, or of all.

    Parts of parts are named with a dot.
    """
    names = dict.fromkeys(("id", "type"))
    for record in RECORDS if not records else [r for r in RECORDS if r in records]:
        for name, hint in get_type_hints(record).items():
            parts = [part for part in (hint, *get_args(hint)) if is_dataclass(part)]
            inner = [f"{name}.{field.name}" for part in parts for field in fields(part)]
            names.update(dict.fromkeys(inner or [name]))
    return tuple(name for name in (*names, "size") if not name.startswith("mentions"))
