"""Mentions of key and response as sets of words, where spans of token numbers do not tell enough.

That is where mentions have gaps, where texts have empty nodes, and where mentions are paired in
stages (:mod:`corefscope.matching.stages`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from corefscope.corpus import Corpus
from corefscope.findings import Code, Finding
from corefscope.matching.alignment import Alignment, Identities, identities
from corefscope.matching.documents import Pairing
from corefscope.matching.mentions import compared, refuse_unlike
from corefscope.matching.overlap import Side
from corefscope.matching.stages import Rules
from corefscope.matching.words import MentionWords, mention_words, parents

FEW_HEADS = 3
"""Response mentions of several words from which on it is odd that all begin with their head."""


def has_words(corpus: Corpus) -> bool:
    """Return whether mentions are spans of tokens, and not ids."""
    return corpus.mention_spans is not None or not len(corpus.mention_entity)


def needs_words(key: Corpus, response: Corpus, rules: Rules) -> bool:
    """Return whether spans of token numbers are not enough to tell what is the same mention."""
    if not has_words(key) or not has_words(response):
        return False
    has_more = (
        bool(side.mention_parts or side.mention_cuts or side.empty_nodes)
        for side in (key, response)
    )
    return rules.match != "exact" or any(has_more)


def missing_heads(key: Corpus, response: Corpus, rules: Rules) -> Iterator[Finding]:
    """Report mentions without words or heads, where these decide what is paired."""
    sides = {"key": key, "response": response}
    if rules.needs_words:
        yield from (without_words(side) for side in sides.values() if not has_words(side))
    bare = [
        name
        for name, side in sides.items()
        if len(side.mention_entity) and side.mention_heads is None and has_words(side)
    ]
    if bare and rules.match != "exact":
        message = (
            f"the mentions of the {' and the '.join(bare)} have no heads; expected them for "
            f"{rules.match} matching, as CorefUD files have them: match mentions exactly instead"
        )
        yield Finding(Code.NO_HEADS, message, file=sides[bare[0]].path)


def without_words(corpus: Corpus) -> Finding:
    """Report mentions that are ids where their words are needed."""
    message = (
        "mentions are ids without words; expected first and last token, because the words of "
        "mentions are compared"
    )
    return Finding(Code.NO_WORD_SETS, message, file=corpus.path)


def heads_at_first_word(
    words: tuple[MentionWords, MentionWords], rules: Rules
) -> Iterator[Finding]:
    """Report a response that gives the first word as the head of every mention."""
    if rules.match != "head":
        return
    key, response = words
    is_long = response.size > 1
    is_first = response.head == response.first
    is_usual = ((key.size > 1) & (key.head != key.first)).any()
    if is_long.sum() >= FEW_HEADS and is_usual and is_first[is_long].all():
        message = (
            f"all {int(is_long.sum()):,} mentions of two or more words have their first word as "
            "head, unlike those of the key; expected the syntactic heads: without them, head "
            "matching misses mentions"
        )
        yield Finding(Code.FIRST_WORD_HEADS, message, file=response.corpus.path)


def zeros_without_dependencies(
    words: tuple[MentionWords, MentionWords], rules: Rules
) -> Iterator[Finding]:
    """Report zeros that cannot be paired by dependency, because they depend on nothing."""
    if rules.zeros != "dependent" or not all(side.is_zero.any() for side in words):
        return
    for side in words:
        nodes = side.corpus.empty_nodes
        assert nodes is not None
        rows = side.node[side.is_zero].tolist()
        bare = sum(not parents(nodes.dependencies[row]) for row in rows)
        if bare:
            message = (
                f"{bare:,} of {len(rows):,} zeros depend on nothing; expected their parents in "
                "the column DEPS, by which zeros are paired: these are paired by position"
            )
            yield Finding(Code.NO_DEPENDENCIES, message, file=side.corpus.path)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WordSets:
    """The mentions of key and response as sets of words, and their numbers."""

    words: tuple[MentionWords, MentionWords]
    ids: tuple[Identities, Identities]
    sides: tuple[Side, Side]
    """What is compared, numbered by what mentions are; repeated mentions are still there."""
    notes_ties: bool = False

    @classmethod
    def of(cls, key: Corpus, response: Corpus, pairing: Pairing, rules: Rules) -> WordSets:
        """Put the words of both corpora into one line, and number their mentions."""
        refuse_unlike(key, response)
        words = mention_words(key, response, pairing.key_document)
        ids = identities(*words, by_head=rules.is_by_head)
        sides = []
        for side, of_words, numbers in zip(
            compared(key, response, pairing), words, ids, strict=True
        ):
            is_kept = np.ones(len(side.mention_row), dtype=bool)
            if rules.zeros == "drop":
                is_kept = ~of_words.is_zero[side.mention_row]
            kept = side.keep(is_kept)
            sides.append(replace(kept, mention=numbers.mention[kept.mention_row]))
        return cls(
            words=words, ids=ids, sides=(sides[0], sides[1]), notes_ties=not rules.same_words
        )

    def needs_stages(self, rules: Rules) -> bool:
        """Return whether mentions that are not equal can be paired."""
        has_zeros = all(side.is_zero.any() for side in self.words)
        return rules.match != "exact" or (rules.zeros == "dependent" and has_zeros)

    def alignment(self, sides: tuple[Side, Side], rules: Rules) -> Alignment:
        """Return the pairs that the stages make of two sides."""
        return Alignment(
            sides=sides, words=self.words, ids=self.ids, notes_ties=self.notes_ties
        ).run(rules)
