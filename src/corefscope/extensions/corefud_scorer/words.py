"""Metrics that need the words of mentions: how far these overlap, and which of them are zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corefscope.exceptions import InvalidInput
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.mentions import without_words
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric

if TYPE_CHECKING:
    from corefscope.matching.word_sets import WordSets


class WordMetric(Metric, frozen=True, kw_only=True):
    """A metric that is counted from the words of mentions."""

    count_matching: Callable[[Matching, SingletonRule], Floats]
    """Counts one row per document of the key."""

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Count one row per document from the words of the mentions.

        Raises
        ------
        InvalidInput
            If mentions are ids, which have no words.
        """
        return self.count_matching(matching, singletons)


def word_sets_of(matching: Matching) -> WordSets:
    """Return the mentions of a matching as sets of words."""
    return matching.word_sets or matching.once(_word_sets, "keep")


def _word_sets(matching: Matching, _: SingletonRule) -> WordSets:
    # Loaded here because few scores compare sets of words.
    from corefscope.matching.word_sets import WordSets

    for corpus in (matching.key, matching.response):
        if not corpus.has_spans:
            raise InvalidInput([without_words(corpus)])
    return WordSets.of(matching.key, matching.response, matching.pairing, matching.rules)
