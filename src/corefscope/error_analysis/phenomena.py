"""What the tables of the paper count besides errors: candidates, cataphora, disagreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from enum import Enum

from msgspec import Struct, field

from corefscope.corpus import Corpus
from corefscope.corpus.mentions import Span
from corefscope.error_analysis.properties import value_of
from corefscope.error_analysis.records import AGREEING
from corefscope.facts import Facts
from corefscope.matching.matching import MatchingOptions, SingletonRule, match_corpora
from corefscope.matching.pairs import DocumentPair, NumberedEntity, document_pairs
from corefscope.matching.texts import Traits


class Candidates(Struct):
    """Phrases of the key's parses that could be mentions, by type; pronouns by word (Table 3)."""

    count: Counter[Hashable] = field(default_factory=Counter)
    """By mention type, and by ``("pronoun", word)``."""
    coreferent: Counter[Hashable] = field(default_factory=Counter)
    """The number of them that are mentions of the key."""

    def add(self, pair: DocumentPair) -> None:
        """Count the candidates of a document."""
        if pair.text is None or pair.text.heads_from != "parse":
            return
        mentions = {pair.span(mention) for entity in pair.key for mention in entity}
        for span in pair.text.candidates():
            names = _names(pair, span)
            self.count.update(names)
            if span in mentions:
                self.coreferent.update(names)


def count_candidates(key: Corpus, singletons: SingletonRule) -> Candidates:
    """Count the phrases of a key that could be mentions."""
    candidates = Candidates()
    for pair in document_pairs(match_corpora(key, key, MatchingOptions()), singletons):
        candidates.add(pair)
    return candidates


def _names(pair: DocumentPair, span: Span) -> list[Hashable]:
    traits = pair.traits_at(span)
    return [traits.type, ("pronoun", traits.text)] if traits.is_pronoun else [traits.type]


class Cataphora(Enum):
    """How key and response treat a pronoun that comes before its entity's first noun (Table 9)."""

    SAME = ("cataphoric", "cataphoric, same referent")
    DIFFERENT = ("cataphoric", "cataphoric, different referent")
    NOT_SEEN = ("cataphoric", "not cataphoric")
    ABSENT = ("cataphoric", "not present")
    SEEN_WRONGLY = ("not cataphoric", "cataphoric")
    SPURIOUS = ("not present", "cataphoric")


def cataphora(pair: DocumentPair) -> Counter[Cataphora]:
    """Count the cataphoric pronouns of a document whose span errors are corrected."""
    key, response = _first_nouns(pair, pair.key), _first_nouns(pair, pair.response)
    pronouns = [mention for mention in {**key, **response} if pair.is_pronoun(mention)]
    return Counter(
        kind for mention in pronouns if (kind := _compare(mention, key, response)) is not None
    )


def _first_nouns(pair: DocumentPair, entities: list[NumberedEntity]) -> dict[int, int | None]:
    """Return the first noun of the entity of each mention."""
    firsts = [pair.first_np(entity) for entity in entities]
    return {m: first for entity, first in zip(entities, firsts, strict=True) for m in entity}


def _compare(
    pronoun: int, key: dict[int, int | None], response: dict[int, int | None]
) -> Cataphora | None:
    referent, found = key.get(pronoun), response.get(pronoun)
    in_key = referent is not None and pronoun < referent
    in_response = found is not None and pronoun < found
    if in_key and in_response:
        return Cataphora.SAME if referent == found else Cataphora.DIFFERENT
    if in_key:
        return Cataphora.NOT_SEEN if pronoun in response else Cataphora.ABSENT
    if in_response:
        return Cataphora.SEEN_WRONGLY if pronoun in key else Cataphora.SPURIOUS
    return None


class Disagreement(Facts):
    """The entities of one side, and how many have two or more values of a property (Table 11)."""

    entities: int = 0
    mixed: Counter[str] = field(default_factory=Counter)

    def count(self, pair: DocumentPair, entities: list[NumberedEntity]) -> None:
        """Count the entities of a document."""
        self.entities += len(entities)
        for entity in entities:
            kinds = {(t.entity_type, t.features): t for t in map(pair.traits, entity)}.values()
            if len(kinds) > 1:
                self.mixed.update(name for name in AGREEING if _differ(name, kinds))

    def share(self, name: str) -> float:
        """Return the share of entities whose mentions disagree in a property."""
        return self.mixed[name] / self.entities if self.entities else 0.0


def _differ(name: str, mentions: Iterable[Traits]) -> bool:
    """Return whether mentions have two known values of a property or more."""
    return len({value_of(traits, name) for traits in mentions} - {None}) > 1
