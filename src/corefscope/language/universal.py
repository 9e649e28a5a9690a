"""Texts with universal tags in any language: no table of a language is applied."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace

from corefscope.corpus.mentions import Span
from corefscope.language.checking import looks_foreign
from corefscope.language.dependencies import (
    NO_FEATURES,
    UniversalLayers,
    parsed_features,
    referent_features,
)
from corefscope.language.english import ENGLISH
from corefscope.language.tables import Features, MentionType
from corefscope.language.tag_sets import TagSet, tag_set
from corefscope.language.text import HeadLayer, Text, says_something

NOUNS = frozenset({"NOUN", "PROPN"})
ARTICLE = "Art"
"""The PronType of articles, the only determiners that never stand for something."""


class UniversalText(Text):
    """A text whose heads, mention types and features come from Universal Dependencies.

    *Heads*: that of the file; else the first word whose head in the basic tree lies outside the
    mention; without a tree the last noun of the first sequence of nouns.
    *Types*: by the head. An empty node is a zero, ``PROPN`` a name, ``PRON`` a pronoun, and so is
    ``DET`` with a ``PronType`` other than ``Art``; everything else is a nominal.
    *Gender, number and person*: by the FEATS of the head.
    """

    is_universal: ClassVar[bool] = True

    @cached_property
    def _layer_of_heads(self) -> HeadLayer:
        return "tags" if self.layers.tree is None else "dependencies"

    @property
    def has_names(self) -> bool:
        """Whether any named entity is marked, or the file gives types of entities."""
        return bool(self.layers.entity_types) or super().has_names

    def mention_type(self, start: int, end: int) -> MentionType:
        """Return the type of a mention, which follows from its head."""
        head = self.head(start, end)
        if head in self.layers.empty:
            return MentionType.ZERO
        tag = self._tag(head)
        if tag == "PROPN":
            return MentionType.NAME
        return MentionType.PRONOUN if self._is_pronominal(head, tag) else MentionType.NOMINAL

    def is_referring_pronoun(self, token: int) -> bool:
        """Return whether a word is a personal or possessive pronoun."""
        if not self._is_pronominal(token, self._tag(token)):
            return False
        return parsed_features(self._feats(token)).get("PronType", "Prs") == "Prs"

    def name_type(self, start: int, end: int) -> str | None:
        """Return the type of the named entity of exactly this span, or the mention's own type."""
        return super().name_type(start, end) or self.layers.entity_types.get((start, end))

    def name_words(self, start: int, end: int) -> Span:
        """Return the names in a row that the head of a mention is one of."""
        first = last = self.head(start, end)
        while first > start and self._tag(first - 1) == "PROPN":
            first -= 1
        while last < end and self._tag(last + 1) == "PROPN":
            last += 1
        return first, last

    def features(self, start: int, end: int) -> Features:
        """Return gender, number and person of a mention, by its head.

        Coordinated words are plural together, and the gender of the first says nothing about all.
        """
        if self.layers.features is None:
            return NO_FEATURES
        head = self.head(start, end)
        found = referent_features(self._tag(head), self._feats(head))
        if self.layers.first_conjunct.get(head, end + 1) <= end:
            return replace(found, gender=None, number="plural")
        return found

    def _is_pronominal(self, token: int, tag: str) -> bool:
        """Return whether a word with a tag stands for something: a pronoun, or a determiner."""
        if tag != "DET":
            return tag == "PRON"
        return parsed_features(self._feats(token)).get("PronType", ARTICLE) != ARTICLE

    def _head_by_layers(self, start: int, end: int) -> int:
        if start == end:
            return start
        tree = self.layers.tree
        return self._last_of_first_nouns(start, end) if tree is None else tree.root(start, end)

    def _last_of_first_nouns(self, start: int, end: int) -> int:
        """Return the last noun of the first sequence of nouns; else the first pronoun; else start.

        Words after a noun modify it in most languages, and a noun directly before it does as well.
        """
        firsts, lasts, pronouns = self._nominal_words
        place = bisect_left(lasts, start)
        if place < len(firsts) and firsts[place] <= end:
            return min(lasts[place], end)
        place = bisect_left(pronouns, start)
        return pronouns[place] if place < len(pronouns) and pronouns[place] <= end else start

    @cached_property
    def _nominal_words(self) -> tuple[list[int], list[int], list[int]]:
        """The first and the last token of each sequence of nouns, and the pronouns."""
        is_noun = [tag in NOUNS for tag in self.universal_tags or ()]
        firsts = [t for t, noun in enumerate(is_noun) if noun and not (t and is_noun[t - 1])]
        lasts = [t for t, noun in enumerate(is_noun) if noun and not any(is_noun[t + 1 : t + 2])]
        pronouns = [t for t, tag in enumerate(self.universal_tags or ()) if tag == "PRON"]
        return firsts, lasts, pronouns

    def _tag(self, token: int) -> str:
        return "" if self.universal_tags is None else self.universal_tags[token]

    def _feats(self, token: int) -> str:
        return "" if self.layers.features is None else self.layers.features[token]


def has_universal_tags(tags: Sequence[str] | None) -> bool:
    """Return whether the tags of a text are those of Universal Dependencies."""
    return tags is not None and tag_set(tags, ENGLISH) is TagSet.UNIVERSAL


def is_universal(
    words: Sequence[str],
    tags: Sequence[str] | None,
    layers: UniversalLayers,
    others: Iterable[str] = (),
) -> bool:
    """Return whether a text is read by Universal Dependencies unless the caller chooses otherwise.

    It needs universal tags, and either another layer of Universal Dependencies that English tables
    would ignore, or words that do not look English. ``others`` are words of other documents, by
    which a text of few words is judged as well.
    """
    if not has_universal_tags(tags):
        return False
    has_layers = (
        bool(layers.mention_heads)
        or bool(layers.empty)
        or (layers.features is not None and says_something(layers.features))
    )
    if has_layers:
        return True
    is_foreign = looks_foreign(words, ENGLISH)
    return bool(looks_foreign(others, ENGLISH) if is_foreign is None else is_foreign)
