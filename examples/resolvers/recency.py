"""A resolver that believes in the last thing said.

A name is the same as an equal name before it. A pronoun means the nearest noun phrase before it
that agrees in number and gender; `I` and `you` follow the speakers.

Known weaknesses: every `it` is taken to refer, also the one in `it is late`; nothing looks at
grammar, so subjects get no preference; a phrase ends before its apposition or relative clause;
descriptions are linked to nothing but pronouns; without a speaker column all of `I` is one person.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from noun_phrases import (
    THIRD_PERSON,
    NounPhrase,
    Span,
    base_phrases,
    entities_of,
    noun_phrases,
    participants,
)

if TYPE_CHECKING:
    from corefscope import Document

Link = tuple[NounPhrase, NounPhrase]


def resolve(document: Document) -> list[list[Span]]:
    """Entities of a document by recency."""
    phrases = base_phrases(noun_phrases(document))
    return entities_of([*name_links(phrases), *speaker_links(phrases), *pronoun_links(phrases)])


def name_links(phrases: list[NounPhrase]) -> Iterator[Link]:
    """Link each name with the nearest equal name before it."""
    latest: dict[tuple[str, ...], NounPhrase] = {}
    for phrase in phrases:
        if phrase.is_name:
            if phrase.bare in latest:
                yield phrase, latest[phrase.bare]
            latest[phrase.bare] = phrase


def speaker_links(phrases: list[NounPhrase]) -> Iterator[Link]:
    """Link the pronouns that mean one speaker."""
    for pronouns in participants(phrases).values():
        yield from pairwise(pronouns)


def pronoun_links(phrases: list[NounPhrase]) -> Iterator[Link]:
    """Link each third person pronoun with the nearest phrase before it that agrees."""
    for pronoun in phrases:
        if pronoun.is_pronoun and pronoun.head_word in THIRD_PERSON:
            before = [phrase for phrase in phrases if phrase.span[1] < pronoun.span[0]]
            third = [phrase for phrase in before if not phrase.is_participant]
            agreeing = [phrase for phrase in third if phrase.agreement & pronoun.agreement]
            if agreeing:
                yield pronoun, max(agreeing, key=lambda phrase: phrase.span[1])
