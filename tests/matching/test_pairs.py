"""One document of key and response: what is known about its mentions."""

from __future__ import annotations

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.language import MentionType
from corefscope.matching.matching import MatchingOptions, match_corpora
from corefscope.matching.pairs import DocumentPair, document_pairs


def first_pair(key: cs.Corpus, response: cs.Corpus) -> DocumentPair:
    return next(document_pairs(match_corpora(key, response, MatchingOptions()), "keep"))


@pytest.fixture
def pair() -> DocumentPair:
    return first_pair(cs.read(KEY), cs.read(RESPONSES["sieve"]))


def test_computed_traits_outlive_the_text(pair: DocumentPair) -> None:
    mention = pair.key[0][0]
    known = pair.traits(mention)
    dropped = pair.without_text()
    assert dropped.text is None and dropped.traits(mention) is known


def test_traits_not_computed_before_text_is_dropped(
    pair: DocumentPair,
) -> None:
    """They would all be nominal."""
    seen, other = pair.key[0][:2]
    pair.traits(seen)
    dropped = pair.without_text()
    for ask in (dropped.traits, dropped.is_pronoun, dropped.is_in_text):
        with pytest.raises(LookupError, match="no longer in memory"):
            ask(other)
    with pytest.raises(LookupError):
        dropped.first_np([other])
    assert pair.traits(other).text is not None, "the pair itself still has its text"


def test_the_type_of_mentions_without_words_is_unknown() -> None:
    corpus = cs.Corpus.from_rows(("x",), [([2], [(0, 1), (3, 3)])])
    pair = first_pair(corpus, corpus)
    for document in (pair, pair.without_text()):
        for mention in document.key[0]:
            traits = document.traits(mention)
            assert (traits.type, traits.text, traits.head) == (MentionType.UNKNOWN, None, None)
            assert not document.is_in_text(mention)
