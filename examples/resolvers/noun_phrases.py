"""Noun phrases with heads, names and agreement: what the example resolvers know of English.

Everything is read from the layers of a CoNLL-2012 document, never from its coreference column.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefscope import Document

Span = tuple[int, int]
"""First and last token of a mention in its document, both inclusive."""

CLAUSES = {"S", "SINV", "SQ", "SBARQ", "FRAG", "TOP"}
DETERMINERS = {"a", "an", "the", "this", "that", "these", "those"}
REFLEXIVES = {"myself", "yourself", "himself", "herself", "itself", "ourselves", "themselves"}
FIRST_PERSON = {"i", "me", "my", "mine", "myself"}
SECOND_PERSON = {"you", "your", "yours", "yourself"}

FIRST_PERSON_PLURAL = {"we", "us", "our", "ours", "ourselves"}
HE = {"he", "him", "his", "himself"}
SHE = {"she", "her", "hers", "herself"}
IT = {"it", "its", "itself"}
THEY = {"they", "them", "their", "theirs", "themselves"}
THIRD_PERSON = HE | SHE | IT | THEY
PARTICIPANTS = FIRST_PERSON | FIRST_PERSON_PLURAL | SECOND_PERSON

TITLES = {"mr.", "ms.", "mrs."}
MALE = HE | {"mr.", "man", "boy", "father", "brother", "son", "husband", "uncle", "grandfather"}
FEMALE = SHE | {"ms.", "mrs.", "woman", "girl", "mother", "sister", "daughter", "wife", "aunt"}
PERSONS = PARTICIPANTS | {"captain", "doctor", "friend", "judge", "lawyer", "mayor", "neighbour"}
THINGS = IT | {"this", "that"}
PLURAL = THEY | FIRST_PERSON_PLURAL | {"these", "those", "both"}
ANY_GENDER = frozenset({"male", "female", "thing"})


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A constituent; a token is a node without children, labelled with its tag."""

    label: str
    first: int
    last: int
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """The numbers and genders that a phrase may have."""

    numbers: frozenset[str]
    genders: frozenset[str]

    def __and__(self, other: Agreement) -> Agreement:
        return Agreement(self.numbers & other.numbers, self.genders & other.genders)

    def __bool__(self) -> bool:
        return bool(self.numbers and self.genders)


@dataclass(frozen=True, eq=False, slots=True)
class NounPhrase:
    """A noun phrase or a possessive pronoun, with what a resolver asks of it."""

    node: Node
    words: tuple[str, ...]
    head: int
    tag: str
    """Part of speech of the head."""
    name_type: str
    """Type of the named entity that the head is in, or the empty string."""
    name: tuple[str, ...]
    """Words of that named entity, or nothing."""
    sentence: int
    clause: Span
    """The smallest clause around the phrase."""
    speaker: str

    @property
    def span(self) -> Span:
        """First and last token."""
        return self.node.first, self.node.last

    @property
    def head_word(self) -> str:
        """The head in lower case."""
        return self.words[self.head - self.node.first].lower()

    @property
    def is_pronoun(self) -> bool:
        """One token that is a personal or possessive pronoun."""
        return len(self.words) == 1 and self.tag in ("PRP", "PRP$")

    @property
    def is_participant(self) -> bool:
        """A pronoun of the first or second person."""
        return self.is_pronoun and self.head_word in PARTICIPANTS

    @property
    def is_name(self) -> bool:
        """Headed by a proper noun."""
        return self.tag in ("NNP", "NNPS")

    @property
    def is_coordination(self) -> bool:
        """Two or more phrases joined by a conjunction, which is then the head."""
        return self.tag == "CC"

    @property
    def bare(self) -> tuple[str, ...]:
        """The words in lower case, without the determiner in front and the possessive behind."""
        words = [word.lower() for word in self.words]
        if len(words) > 1 and words[0] in DETERMINERS:
            del words[0]
        if len(words) > 1 and words[-1] == "'s":
            del words[-1]
        return tuple(words)

    @property
    def agreement(self) -> Agreement:
        """Numbers and genders by tag, name type and the word lists of this module."""
        plural = self.tag in ("CC", "CD", "NNS", "NNPS") or self.head_word in PLURAL
        return Agreement(frozenset({"plural" if plural else "singular"}), self._genders())

    def _genders(self) -> frozenset[str]:
        marks = {self.head_word} | ({self.words[0].lower()} & TITLES)
        if marks & MALE:
            return frozenset({"male"})
        if marks & FEMALE:
            return frozenset({"female"})
        if self.name_type == "PERSON" or marks & PERSONS:
            return frozenset({"male", "female"})
        if self.name_type or marks & THINGS:
            return frozenset({"thing"})
        return ANY_GENDER


def noun_phrases(document: Document) -> list[NounPhrase]:
    """Every noun phrase and possessive pronoun, by first token, the longer first."""
    words, tags = layer(document, "words"), layer(document, "tags")
    speakers, names = layer(document, "speakers"), named_entities(layer(document, "names"))
    phrases: dict[Span, NounPhrase] = {}
    for sentence, tree in enumerate(trees(document)):
        for node, clause in nominal_nodes(tree, (tree.first, tree.last)):
            head = head_of(node)
            first, last, name_type = names.get(head, (0, -1, ""))
            if last - first > node.last - node.first:
                continue  # a part of a name, such as the town in the name of its university
            phrases[node.first, node.last] = NounPhrase(
                node=node,
                words=tuple(words[node.first : node.last + 1]),
                head=head,
                tag=tags[head],
                name_type=name_type,
                name=tuple(words[first : last + 1]),
                sentence=sentence,
                clause=clause,
                speaker=speakers[head],
            )
    return sorted(phrases.values(), key=lambda phrase: (phrase.span[0], -phrase.span[1]))


def layer(document: Document, name: str) -> list[str]:
    """One column of the document; a resolver can do nothing without it."""
    column: list[str] | None = getattr(document, name)
    if column is None:
        raise ValueError(f"{document.name}: the resolvers need the layer {name!r}")
    return column


def trees(document: Document) -> Iterator[Node]:
    """Build the parse tree of each sentence."""
    bits, tags = layer(document, "parse"), layer(document, "tags")
    for sentence in document.sentences:
        open_nodes: list[tuple[str, int, list[Node]]] = [("", sentence.start, [])]
        for token in sentence:
            before, _, after = bits[token].partition("*")
            open_nodes += [(label, token, []) for label in before.split("(") if label]
            open_nodes[-1][2].append(Node(tags[token], token, token))
            for _ in range(after.count(")")):
                label, first, children = open_nodes.pop()
                open_nodes[-1][2].append(Node(label, first, token, tuple(children)))
        yield open_nodes[0][2][0]


def nominal_nodes(node: Node, clause: Span) -> Iterator[tuple[Node, Span]]:
    """Nodes that may be mentions, each with the smallest clause around it."""
    if node.label in CLAUSES:
        clause = (node.first, node.last)
    if node.label in ("NP", "PRP$"):
        yield node, clause
    for child in node.children:
        yield from nominal_nodes(child, clause)


def head_of(node: Node) -> int:
    """Head token: a conjunction of phrases, else the last noun, else the head of the first NP."""
    if not node.children:
        return node.first
    phrases = [child for child in node.children if child.label == "NP"]
    conjunctions = [child for child in node.children if child.label == "CC"]
    if conjunctions and len(phrases) > 1:
        return conjunctions[0].first
    nouns = [child for child in node.children if child.label in ("NN", "NNS", "NNP", "NNPS")]
    if nouns:
        return nouns[-1].first
    return head_of(phrases[0] if phrases else node.children[-1])


def named_entities(bits: list[str]) -> dict[int, tuple[int, int, str]]:
    """For each token in a named entity: its first and last token and its type."""
    entities: dict[int, tuple[int, int, str]] = {}
    first, name_type = 0, ""
    for token, bit in enumerate(bits):
        if opening := re.match(r"\(([^*)]+)", bit):
            first, name_type = token, opening[1]
        if name_type and bit.endswith(")"):
            entities |= dict.fromkeys(range(first, token + 1), (first, token, name_type))
            name_type = ""
    return entities


def base_phrases(phrases: Iterable[NounPhrase]) -> list[NounPhrase]:
    """Of the phrases with one head the shortest: no apposition, clause or preposition after it."""
    return list({phrase.head: phrase for phrase in phrases}.values())


def maximal_phrases(phrases: Iterable[NounPhrase]) -> list[NounPhrase]:
    """Of the phrases with one head the longest."""
    longest: dict[int, NounPhrase] = {}
    for phrase in phrases:
        longest.setdefault(phrase.head, phrase)
    return list(longest.values())


def participants(phrases: Iterable[NounPhrase]) -> dict[str, list[NounPhrase]]:
    """First and second person pronouns by the person whom they mean.

    `I` is who speaks, and `you` is who spoke before, or speaks next at the very beginning.
    """
    turns = [phrase for phrase in phrases if phrase.is_pronoun]
    meant: dict[str, list[NounPhrase]] = defaultdict(list)
    for phrase in turns:
        if phrase.head_word in FIRST_PERSON:
            meant[phrase.speaker].append(phrase)
        elif phrase.head_word in SECOND_PERSON:
            meant[addressee(phrase, turns)].append(phrase)
    return meant


def addressee(phrase: NounPhrase, turns: list[NounPhrase]) -> str:
    """Name the other speaker who is nearest before the phrase, else nearest after it."""
    others = [turn for turn in turns if turn.speaker != phrase.speaker]
    before = [turn.speaker for turn in others if turn.head < phrase.head]
    after = [turn.speaker for turn in others if turn.head > phrase.head]
    return [*after[:1], *before[-1:]][-1] if others else f"addressee of {phrase.speaker}"


def entities_of(links: Iterable[tuple[NounPhrase, NounPhrase]]) -> list[list[Span]]:
    """Join linked phrases into entities, in the order of their first mentions."""
    entity: dict[Span, set[Span]] = {}
    for one, other in links:
        joined = entity.get(one.span, {one.span}) | entity.get(other.span, {other.span})
        entity |= dict.fromkeys(joined, joined)
    distinct = {id(spans): spans for spans in entity.values()}
    return sorted(sorted(spans) for spans in distinct.values() if len(spans) > 1)
