"""What has to be known of a language. A language is a value of these; the code knows none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from corefscope.language.nominal import NominalRules

Gender: TypeAlias = Literal["female", "male", "neuter"]
Number: TypeAlias = Literal["single", "plural"]
Person: TypeAlias = Literal["first", "second", "third"]


class MentionType(StrEnum):
    """What kind of phrase a mention is."""

    NAME = "name"
    NOMINAL = "nominal"
    PRONOUN = "pronoun"
    ZERO = "zero"
    """An empty node: a pronoun that is not said. Only some corpora mark these."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it does not say by itself who is meant: a pronoun, said or not."""
        return self in (MentionType.PRONOUN, MentionType.ZERO)


@dataclass(frozen=True, slots=True)
class Features:
    """What the form of a word tells of whom it refers to; None is unknown."""

    gender: Gender | None = None
    number: Number | None = None
    person: Person | None = None


class Side(StrEnum):
    """Which of several children is taken."""

    LEFTMOST = "leftmost"
    RIGHTMOST = "rightmost"


@dataclass(frozen=True, slots=True)
class HeadRule:
    """How the head child of a phrase is chosen: the best step that some child matches.

    `ranks` tells for a label the step that it belongs to, the best first; `sides`, for each step,
    which of its children is taken. One side more stands for the children that match no step.
    """

    ranks: Mapping[str, int]
    sides: tuple[Side, ...]

    @classmethod
    def of_steps(cls, steps: Iterable[tuple[Side, str]], otherwise: Side) -> HeadRule:
        """Make a rule of steps: in each, all of its labels count alike."""
        sides: list[Side] = []
        ranks: dict[str, int] = {}
        for rank, (side, labels) in enumerate(steps):
            sides.append(side)
            for label in labels.split():
                ranks.setdefault(label, rank)
        return cls(ranks, (*sides, otherwise))

    @classmethod
    def of_priorities(cls, side: Side, labels: str) -> HeadRule:
        """Make a rule of labels that are tried one after the other, always from one side."""
        return cls.of_steps([(side, label) for label in labels.split()], side)


@dataclass(frozen=True, slots=True)
class HeadRules:
    """The head rules of a treebank."""

    by_label: Mapping[str, HeadRule]
    otherwise: HeadRule
    """The rule of all labels that are not listed."""


@dataclass(frozen=True, slots=True)
class Cues:
    """How tokens of a kind are told: by their tags, or, in a text without tags, by their words."""

    tags: frozenset[str]
    words: frozenset[str]

    def tell(self, word: str, tag: str | None) -> bool:
        """Tell whether a token is of the kind."""
        return word.lower() in self.words if tag is None else tag in self.tags


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRules:
    """What the search for a head without a parse has to know."""

    punctuation: frozenset[str]
    """Tokens that are never a head."""
    breaks: frozenset[str]
    """Punctuation after which the head cannot come any more."""
    boundary: Cues
    """Tokens after which the head cannot come any more."""
    conjunction: Cues
    """Boundaries that join two phrases."""
    possessive: Cues
    """Tokens that end a possessor."""
    participle: Cues
    """Boundaries that may also stand before the noun."""
    modifier: Cues
    """Tokens between which and the noun a participle may stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """All tables of a language. They are written in the tags of one treebank."""

    name: str
    tags: frozenset[str]
    """All tags of the treebank, also those of punctuation."""
    universal_tags: Mapping[str, str]
    """The tag that stands for each universal tag (UPOS) of Universal Dependencies."""
    universal_words: Mapping[tuple[str, str], str]
    """The same for a universal tag and a lowercase word, where the word tells more."""
    common_words: frozenset[str]
    """Lowercase words that are frequent in this language and rare in others."""
    pronouns: Mapping[str, Features]
    """The pronouns in lowercase."""
    pronoun_tags: frozenset[str]
    name_tags: frozenset[str]
    noun_phrase: str
    """The category of noun phrases in trees."""
    candidate_tags: frozenset[str]
    """Words that could be a mention without being a noun phrase."""
    head_rules: HeadRules
    scan_rules: ScanRules
    nominal_rules: NominalRules
    """The head rules by which a name heads a mention or does not (Agarwal et al. 2019)."""
    personal_tags: frozenset[str]
    """Tags of personal and possessive pronouns."""
    wide_tags: frozenset[str]
    """Tags of all pronouns that may stand for an entity."""
    personal_pronouns: frozenset[str]
    """The personal and possessive pronouns in lowercase."""
    closed_class: frozenset[str]
    """Lowercase words that a capital does not make a name."""
