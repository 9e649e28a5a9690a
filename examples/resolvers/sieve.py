"""A resolver of several sieves, the most precise first.

Each sieve sees the entities that the sieves before it have built (the idea of Raghunathan et al.
2010): speakers, equal strings, names and acronyms, heads of definite phrases, last the pronouns. A
mention is the longest noun phrase of its head, so that it includes an apposition, which lends it a
second head and often a name.

Known weaknesses: no pronoun before its name; no verbs, no `each other`; nobody is found to speak
inside quotation marks; a noun of unknown gender agrees with everything, so `he` may be a lamp;
`the banker` is never found to be Rosa Quint; of two people with one surname the nearer is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import TYPE_CHECKING

from noun_phrases import (
    DETERMINERS,
    FIRST_PERSON,
    REFLEXIVES,
    THIRD_PERSON,
    Agreement,
    Node,
    NounPhrase,
    Span,
    layer,
    maximal_phrases,
    noun_phrases,
    participants,
)

if TYPE_CHECKING:
    from corefscope import Document

NOT_ANTECEDENTS = {"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"}
DEFINITE = DETERMINERS - {"a", "an"} | {"my", "your", "his", "her", "its", "our", "their"}
WINDOW = 3
"""How many sentences back a pronoun may look."""


class Draft:
    """The mentions of a document and the entities built of them so far."""

    def __init__(self, document: Document) -> None:
        phrases = noun_phrases(document)
        at_node = {phrase.node: phrase for phrase in phrases}
        self.words = layer(document, "words")
        self.tags = layer(document, "tags")
        self.appositions = {
            phrase: [at_node[node] for node in appositions(phrase.node) if node in at_node]
            for phrase in maximal_phrases(phrases)
        }
        absorbed = {part for parts in self.appositions.values() for part in parts}
        candidates = [phrase for phrase in self.appositions if phrase not in absorbed]
        self.mentions = [phrase for phrase in candidates if not self.is_pleonastic(phrase)]
        self.entity = {mention: [mention] for mention in self.mentions}

    def join(self, one: NounPhrase, other: NounPhrase) -> None:
        """Make one entity of the entities of two mentions."""
        if self.entity[one] is not self.entity[other]:
            joined = self.entity[one] + self.entity[other]
            self.entity |= dict.fromkeys(joined, joined)

    def parts(self, mention: NounPhrase) -> list[NounPhrase]:
        """List a mention and its appositions."""
        return [mention, *self.appositions[mention]]

    def names(self, mention: NounPhrase) -> list[NounPhrase]:
        """Names among the parts of all mentions of an entity."""
        parts = [part for member in self.entity[mention] for part in self.parts(member)]
        return [part for part in parts if part.is_name and part.name]

    def agreement(self, mention: NounPhrase) -> Agreement:
        """Find what the whole entity of a mention agrees with."""
        return reduce(and_, (member.agreement for member in self.entity[mention]))

    def before(self, mention: NounPhrase) -> list[NounPhrase]:
        """Mentions that end before this one begins, the nearest first."""
        earlier = [other for other in self.mentions if other.span[1] < mention.span[0]]
        return sorted(earlier, key=lambda other: other.head, reverse=True)

    def is_pleonastic(self, phrase: NounPhrase) -> bool:
        """Recognise `it` before `is` or `was` and an adjective, and before `when`."""
        follow = self.words[phrase.head + 1 : phrase.head + 2]
        tags = self.tags[phrase.head + 2 : phrase.head + 3]
        is_adjective = follow in (["is"], ["was"]) and tags == ["JJ"]
        return phrase.head_word == "it" and (is_adjective or follow == ["when"])

    def entities(self) -> list[list[Span]]:
        """Entities of two mentions and more, in the order of their first mentions."""
        distinct = {id(members): members for members in self.entity.values()}
        spans = [sorted(mention.span for mention in members) for members in distinct.values()]
        return sorted(entity for entity in spans if len(entity) > 1)


Sieve = Callable[[Draft], None]


def resolve(document: Document) -> list[list[Span]]:
    """Entities of a document by sieves."""
    draft = Draft(document)
    for sieve in SIEVES:
        sieve(draft)
    return draft.entities()


def appositions(node: Node) -> Iterator[Node]:
    """Find the second phrase of `NP , NP`, with its conjuncts, and the phrase in brackets."""
    labels = [child.label for child in node.children]
    if labels[:3] == ["NP", ",", "NP"] and "CC" not in labels:
        second = node.children[2]
        yield second
        if any(child.label == "CC" for child in second.children):
            yield from (child for child in second.children if child.label == "NP")
    if labels == ["NP", "PRN"]:
        yield from (child for child in node.children[1].children if child.label == "NP")


def match_speakers(draft: Draft) -> None:
    """Join `I` and `you` by speaker, with the speaker's name, and the `I` of a narrator."""
    for speaker, pronouns in participants(spoken(draft)).items():
        for one, other in pairwise(pronouns):
            draft.join(one, other)
        for mention in draft.mentions:
            names = [set(part.name) for part in draft.parts(mention) if part.is_name]
            if any(name and name <= set(speaker.split("_")) for name in names):
                draft.join(pronouns[0], mention)


def spoken(draft: Draft) -> list[NounPhrase]:
    """Mentions in turns of known speakers, and first persons of a narrator."""
    quoted = set(quoted_tokens(draft.words))
    narrator = [m for m in draft.mentions if m.speaker == "-" and m.head_word in FIRST_PERSON]
    speakers = [m for m in draft.mentions if m.speaker != "-"]
    return speakers + [mention for mention in narrator if mention.head not in quoted]


def quoted_tokens(words: list[str]) -> Iterator[int]:
    """Tokens between opening and closing quotation marks."""
    inside = False
    for token, word in enumerate(words):
        inside = word == "``" or (inside and word != "''")
        if inside:
            yield token


def match_strings(draft: Draft) -> None:
    """Join definite phrases and names with the same words."""
    for mention in draft.mentions:
        if mention.is_name or is_definite(mention):
            for other in draft.before(mention):
                if other.bare == mention.bare and other.speaker == mention.speaker:
                    draft.join(mention, other)
                    break


def match_names(draft: Draft) -> None:
    """Join a name with a longer name of its type that it is part or acronym of."""
    for mention in draft.mentions:
        for other in draft.before(mention):
            if same_name(draft, mention, other):
                draft.join(mention, other)
                break


def same_name(draft: Draft, mention: NounPhrase, other: NounPhrase) -> bool:
    """Whether a name of one entity goes with a name of the other, and nothing forbids it."""
    if not draft.agreement(mention) & draft.agreement(other):
        return False
    pairs = [
        (without_article(one.name), without_article(two.name))
        for one in draft.names(mention)
        for two in draft.names(other)
        if one.name_type == two.name_type and one.name_type not in NOT_ANTECEDENTS
    ]
    conflict = any(len(one) == len(two) == 2 and one != two for one, two in pairs)
    return not conflict and any(is_variant(one, two) or is_variant(two, one) for one, two in pairs)


def without_article(name: tuple[str, ...]) -> tuple[str, ...]:
    """Shorten `The NCA` to `NCA`."""
    return name[1:] if name[0].lower() in DETERMINERS else name


def is_variant(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether `Brandt` or `Ilse` stands for `Ilse Brandt`, `NCA` for `Northern Coast Authority`."""
    initials = "".join(word[0] for word in long if word[0].isupper())
    acronym = len(long) > 1 and short == (initials,)
    return acronym or short in (long[: len(short)], long[-len(short) :])


def match_heads(draft: Draft) -> None:
    """Join a definite phrase with a phrase before it of the same head, if no adjective is new."""
    for mention in draft.mentions:
        if is_definite(mention) and not mention.is_name:
            for other in draft.before(mention):
                if same_head(draft, mention, other):
                    draft.join(mention, other)
                    break


def same_head(draft: Draft, mention: NounPhrase, other: NounPhrase) -> bool:
    """Whether heads match, or the head is in a name (`the academy`), and no adjective is new."""
    if mention.is_coordination or other.is_pronoun:
        return False
    tokens = range(mention.span[0], mention.head)
    adjectives = {draft.words[token].lower() for token in tokens if draft.tags[token][:2] == "JJ"}
    heads = {part.head_word for part in draft.parts(other)} | {word.lower() for word in other.name}
    return mention.head_word in heads and adjectives <= {word.lower() for word in other.words}


def is_definite(mention: NounPhrase) -> bool:
    """Whether a phrase begins with a definite determiner or a possessive pronoun."""
    return mention.words[0].lower() in DEFINITE and not mention.is_pronoun


def match_pronouns(draft: Draft) -> None:
    """Join each pronoun of the third person with the most prominent phrase near before it."""
    for mention in draft.mentions:
        if mention.is_pronoun and mention.head_word in THIRD_PERSON:
            antecedent = next(antecedents(draft, mention), None)
            if antecedent is not None:
                draft.join(mention, antecedent)


def antecedents(draft: Draft, pronoun: NounPhrase) -> Iterator[NounPhrase]:
    """Go through agreeing mentions, the nearest sentence first, each from left to right."""
    third = [m for m in draft.before(pronoun) if not m.is_participant]
    nearby = [m for m in third if pronoun.sentence - m.sentence <= WINDOW]
    for other in sorted(nearby, key=lambda m: (-m.sentence, m.span)):
        agrees = draft.agreement(pronoun) & draft.agreement(other)
        if agrees and other.name_type not in NOT_ANTECEDENTS and may_bind(other, pronoun):
            yield other


def may_bind(other: NounPhrase, pronoun: NounPhrase) -> bool:
    """Whether a reflexive stays in its clause and another pronoun, unless possessive, does not."""
    is_local = other.clause == pronoun.clause
    return pronoun.tag == "PRP$" or is_local == (pronoun.head_word in REFLEXIVES)


SIEVES: tuple[Sieve, ...] = (
    match_speakers,
    match_strings,
    match_names,
    match_heads,
    match_pronouns,
)
