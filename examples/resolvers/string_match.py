"""A resolver that only compares strings.

Noun phrases with the same words, determiners and case aside, are one entity, and so are names that
end in the same word. It is good at names and repeated descriptions.

Known weaknesses: no pronouns at all; two people with one surname become one; `a lamp` and another
`the lamp` become one; a name and a description of the same person stay apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from noun_phrases import NounPhrase, Span, base_phrases, entities_of, noun_phrases

if TYPE_CHECKING:
    from corefscope import Document


def resolve(document: Document) -> list[list[Span]]:
    """Entities of a document by string match."""
    alike: dict[tuple[str, ...], list[NounPhrase]] = defaultdict(list)
    for phrase in base_phrases(noun_phrases(document)):
        for form in forms(phrase):
            alike[form].append(phrase)
    return entities_of(pair for phrases in alike.values() for pair in pairwise(phrases))


def forms(phrase: NounPhrase) -> Iterator[tuple[str, ...]]:
    """List the strings by which a phrase can match another."""
    if phrase.is_pronoun or phrase.is_coordination:
        return
    yield phrase.bare
    if phrase.is_name and phrase.name:
        yield "name", phrase.name[-1].lower()
