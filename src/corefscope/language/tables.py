"""The tables that describe a language. The code itself does not depend on any language."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct, field


class NominalRules(Struct, frozen=True, kw_only=True):
    """Head rules that use only the labels of children."""

    nominal: frozenset[str]
    """Labels of the nodes to which the nominal steps apply."""
    joined: frozenset[str]
    """Labels of children that a conjunction can join."""
    conjunction: str
    steps: Sequence[tuple[str, frozenset[str]]]
    """The nominal steps: which child (first or last), and its possible labels."""
    others: Mapping[str, tuple[str, Sequence[str]]]
    """For other nodes: which child, and the labels in the order in which they are tried; without
    labels, any child."""

    def conjunction_between(self, labels: Sequence[str]) -> int | None:
        """Return the position of a conjunction between two nominal children, or None."""
        nominal = [i for i, label in enumerate(labels) if label in self.joined]
        if len(nominal) < 2:
            return None
        between = range(nominal[0] + 1, nominal[-1])
        return next((i for i in between if labels[i] == self.conjunction), None)

    def head_child(self, label: str, labels: Sequence[str]) -> int:
        """Return which child is the head."""
        if label in self.nominal:
            for side, wanted in self.steps:
                found = [i for i, child in enumerate(labels) if child in wanted]
                if found:
                    return found[0] if side == "first" else found[-1]
            return len(labels) - 1
        side, order = self.others.get(label, ("last", ()))
        for wanted_label in order:
            if wanted_label in labels:
                return list(labels).index(wanted_label)
        return 0 if side == "first" else len(labels) - 1


Gender: TypeAlias = Literal["female", "male", "neuter"]
GrammaticalNumber: TypeAlias = Literal["single", "plural"]
Person: TypeAlias = Literal["first", "second", "third"]


class MentionType(StrEnum):
    """What kind of phrase a mention is."""

    NAME = "name"
    NOMINAL = "nominal"
    PRONOUN = "pronoun"
    ZERO = "zero"
    """An empty node: an unexpressed pronoun. Only some corpora mark these."""
    UNKNOWN = "unknown"
    """A mention without words."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a pronoun, expressed or not."""
        return self in (MentionType.PRONOUN, MentionType.ZERO)


def known_types(*, zeros: bool) -> list[MentionType]:
    """Return the types that words tell; zeros only where there are any."""
    usual = [MentionType.NAME, MentionType.NOMINAL, MentionType.PRONOUN]
    return [*usual, MentionType.ZERO] if zeros else usual


class Features(Struct, frozen=True):
    """What the form of a word says about its referent; None is unknown."""

    gender: Gender | None = None
    number: GrammaticalNumber | None = None
    person: Person | None = None


class HeadSide(StrEnum):
    """Which of several matching children is chosen."""

    LEFTMOST = "leftmost"
    RIGHTMOST = "rightmost"


class HeadRule(Struct, frozen=True):
    """How the head child of a phrase is chosen: by the best step that some child matches.

    `ranks` has the step of each label, the best being 0; `sides` has, for each step, which of the
    matching children is chosen. The last side is for children that match no step.
    """

    ranks: Mapping[str, int]
    sides: tuple[HeadSide, ...]

    @classmethod
    def of_steps(cls, steps: Iterable[tuple[HeadSide, str]], otherwise: HeadSide) -> HeadRule:
        """Make a rule from steps; all labels of a step have the same rank."""
        sides: list[HeadSide] = []
        ranks: dict[str, int] = {}
        for rank, (side, labels) in enumerate(steps):
            sides.append(side)
            for label in labels.split():
                ranks.setdefault(label, rank)
        return cls(ranks, (*sides, otherwise))

    @classmethod
    def of_priorities(cls, side: HeadSide, labels: str) -> HeadRule:
        """Make a rule from labels that are tried one after the other, always from one side."""
        return cls.of_steps([(side, label) for label in labels.split()], side)


class HeadRules(Struct, frozen=True):
    """The head rules of a treebank."""

    by_label: Mapping[str, HeadRule]
    otherwise: HeadRule
    """The rule for all labels that are not listed."""
    known: dict[Hashable, int] = field(default_factory=dict)
    """The head child of phrases that occurred before, by their labels: most occur again."""


class Cues(Struct, frozen=True):
    """How tokens of a kind are recognised: by their tags, or without tags by their words."""

    tags: frozenset[str]
    words: frozenset[str]

    def match(self, word: str, tag: str | None) -> bool:
        """Return whether a token is of this kind."""
        return word.lower() in self.words if tag is None else tag in self.tags


class ScanRules(Struct, frozen=True, kw_only=True):
    """The tables for finding heads without a parse."""

    punctuation: frozenset[str]
    """Tokens that are never a head."""
    breaks: frozenset[str]
    """Punctuation after which there is no head."""
    boundary: Cues
    """Tokens after which there is no head."""
    conjunction: Cues
    """Boundaries that join two phrases."""
    possessive: Cues
    """Tokens that end a possessor."""
    participle: Cues
    """Boundaries that can also precede the noun."""
    modifier: Cues
    """Tokens after which a participle can precede the noun."""


class Language(Struct, frozen=True, kw_only=True):
    """All tables of a language. They use the tags of one treebank."""

    name: str
    tags: frozenset[str]
    """All tags of the treebank, including those of punctuation."""
    universal_tags: Mapping[str, str]
    """The treebank tag for each universal tag (UPOS) of Universal Dependencies."""
    universal_words: Mapping[tuple[str, str], str]
    """The treebank tag for a universal tag and a lowercase word, if it depends on the word."""
    common_words: frozenset[str]
    """Lowercase words that are frequent in this language and rare in others."""
    pronouns: Mapping[str, Features]
    """The pronouns in lowercase."""
    pronoun_tags: frozenset[str]
    name_tags: frozenset[str]
    noun_phrase: str
    """The category of noun phrases in trees."""
    candidate_tags: frozenset[str]
    """Tags of words that can be a mention without being a noun phrase."""
    head_rules: HeadRules
    scan_rules: ScanRules
    nominal_rules: NominalRules
    """The head rules that decide whether a name heads a mention (Agarwal et al. 2019)."""
    personal_tags: frozenset[str]
    """Tags of personal and possessive pronouns."""
    personal_pronouns: frozenset[str]
    """The personal and possessive pronouns in lowercase."""
    closed_class: frozenset[str]
    """Lowercase words that do not become names when capitalised."""
