"""How many mentions there could be, and how many are coreferent: the right half of Table 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from corefscope.comparison import make_options, side_by_side
from corefscope.corpus import Corpus
from corefscope.pairs import DocumentPair, Span, document_pairs
from corefscope.profiles import Singletons


@dataclass(slots=True)
class Candidates:
    """Noun phrases and pronouns of the key's parses, by type and, for pronouns, by word."""

    count: Counter[Hashable] = field(default_factory=Counter)
    """By mention type, and by ``("pronoun", word)``."""
    coreferent: Counter[Hashable] = field(default_factory=Counter)
    """How many of them are mentions of the key."""

    def add(self, pair: DocumentPair) -> None:
        """Count a document."""
        if pair.text is None or pair.text.heads_from != "parse":
            return
        mentions = {mention for entity in pair.key for mention in entity}
        for span in pair.text.candidates():
            names = _names(pair, span)
            self.count.update(names)
            if span in mentions:
                self.coreferent.update(names)


def count_candidates(key: Corpus, singletons: Singletons) -> Candidates:
    """Count what could be mentions in a key, whatever the responses."""
    candidates = Candidates()
    for pair in document_pairs(side_by_side(key, key, make_options(singletons=singletons))):
        candidates.add(pair)
    return candidates


def _names(pair: DocumentPair, span: Span) -> list[Hashable]:
    traits = pair.traits(span)
    return [traits.type, ("pronoun", traits.text)] if traits.is_pronoun else [traits.type]
