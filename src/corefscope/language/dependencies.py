"""Layers of Universal Dependencies, and what can be asked of them in any language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from msgspec import Struct, field

from corefscope.corpus.mentions import Span
from corefscope.language.tables import Features, Gender, GrammaticalNumber, Person

_GENDERS: Mapping[str, Gender] = {"Masc": "male", "Fem": "female", "Neut": "neuter"}
_NUMBERS: Mapping[str, GrammaticalNumber] = {
    "Sing": "single",
    **dict.fromkeys(("Plur", "Dual", "Tri", "Pauc", "Grpa", "Grpl"), "plural"),
}
_PERSONS: Mapping[str, Person] = {"1": "first", "2": "second", "3": "third"}
NO_FEATURES = Features()


class UniversalLayers(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """What a file says about its words and mentions in the terms of Universal Dependencies.

    All tokens are counted in the document. Every layer may be absent.
    """

    features: Sequence[str] | None = None
    """The column FEATS, such as ``Gender=Fem|Number=Sing``."""
    heads: Sequence[str] | None = None
    """The head token of each token in the basic tree, −1 for a root."""
    relations: Sequence[str] | None = None
    """The relation of each token to its head, such as ``nsubj:pass``."""
    empty: frozenset[int] = frozenset()
    """The tokens that are empty nodes."""
    mention_heads: Mapping[Span, int] = field(default_factory=dict)
    """The head token of each mention whose head the file gives."""
    entity_types: Mapping[Span, str] = field(default_factory=dict)
    """The type of the entity of each mention whose type the file gives."""

    @cached_property
    def tree(self) -> DependencyTree | None:
        """The basic tree; None if there is none."""
        if self.heads is None:
            return None
        # No word depends on itself, so that an empty node never heads a span that has words.
        heads = [
            token if token in self.empty else int(head) for token, head in enumerate(self.heads)
        ]
        return DependencyTree(heads)

    @cached_property
    def first_conjunct(self) -> Mapping[int, int]:
        """For each token that others are coordinated with, the first of them."""
        found: dict[int, int] = {}
        if self.tree is not None and self.relations is not None:
            for token, relation in enumerate(self.relations):
                if universal_relation(relation) == "conj" and token > self.tree.heads[token]:
                    found.setdefault(self.tree.heads[token], token)
        return found


NO_LAYERS = UniversalLayers()


class DependencyTree:
    """Finds the head of a span in the heads of words."""

    BLOCK = 64
    """Tokens that are skipped at once where none can be the head of a long span."""

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = heads

    @cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        """The smallest and the largest head in each block of tokens."""
        blocks = range(0, len(self.heads), self.BLOCK)
        parts = (self.heads[block : block + self.BLOCK] for block in blocks)
        return [(min(part), max(part)) for part in parts]

    def root(self, start: int, end: int) -> int:
        """Return the first token of a span whose head lies outside the span.

        If all heads lie inside, because the heads form a cycle, return the first token.
        """
        token = start
        while token <= end:
            if token % self.BLOCK == 0 and token + self.BLOCK <= end:
                smallest, largest = self._bounds[token // self.BLOCK]
                if start <= smallest and largest <= end:
                    token += self.BLOCK
                    continue
            if not start <= self.heads[token] <= end:
                return token
            token += 1
        return start

    def root_of_parts(self, parts: Sequence[Span]) -> int:
        """Return the first token of a mention with gaps whose head is none of its tokens.

        If all heads are, because the heads form a cycle, return the first token.
        """
        tokens = [token for start, end in parts for token in range(start, end + 1)]
        own = set(tokens)
        return next((token for token in tokens if self.heads[token] not in own), tokens[0])


def universal_relation(relation: str) -> str:
    """Return a relation without its subtype: ``nsubj`` of ``nsubj:pass``."""
    return relation.partition(":")[0]


@lru_cache(maxsize=10_000)
def parsed_features(column: str) -> Mapping[str, str]:
    """Return the values of a cell of FEATS by name."""
    pairs = (pair.partition("=") for pair in column.split("|"))
    return {name: value for name, equals, value in pairs if equals}


@lru_cache(maxsize=10_000)
def referent_features(tag: str, column: str) -> Features:
    """Return what the FEATS of a word say about gender, number and person of what it refers to.

    A possessive agrees with the thing that is possessed, and refers to the possessor, whose gender
    and number are in the layer ``[psor]``. A possessive without that layer says something about its
    referent only if it is a pronoun (``PRON``): determiners agree with their noun.
    A value that is not clear, such as ``Gender=Fem,Masc``, is unknown.
    """
    values = parsed_features(column)
    is_possessive = values.get("Poss") == "Yes"

    def value(name: str) -> str:
        if not is_possessive:
            return values.get(name, "")
        of_noun = values.get(name, "") if tag == "PRON" else ""
        return values.get(f"{name}[psor]", of_noun)

    person = values.get("Person[psor]", values.get("Person", ""))
    return Features(
        _GENDERS.get(value("Gender")), _NUMBERS.get(value("Number")), _PERSONS.get(person)
    )
