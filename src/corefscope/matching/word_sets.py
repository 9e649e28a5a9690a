"""Mentions of key and response as sets of words, where spans of token numbers do not tell enough.

That is where mentions have gaps, where texts have empty nodes, and where mentions are paired in
stages (:mod:`corefscope.matching.stages`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import Corpus
from corefscope.exceptions import refuse_errors
from corefscope.findings import Code, Finding
from corefscope.matching.alignment import Alignment, Identities, identities
from corefscope.matching.documents import Pairing
from corefscope.matching.heads import (
    Heads,
    file_heads,
    head_findings,
    heads_of_one_side,
    known_heads,
    tree_heads,
)
from corefscope.matching.mentions import compared, refuse_unlike
from corefscope.matching.overlap import Side
from corefscope.matching.shared_texts import Texts
from corefscope.matching.stages import MatchingRules
from corefscope.matching.words import MentionWords, mention_words, parents

FEW_HEADS = 3
"""Response mentions of several words from which on it is odd that all begin with their head."""


def heads_at_first_word(
    words: tuple[MentionWords, MentionWords], rules: MatchingRules
) -> Iterator[Finding]:
    """Report a response that gives the first word as the head of every mention."""
    if rules.match != "head":
        return
    key, response = words
    is_long = response.size > 1
    is_first = response.head == response.first
    is_usual = ((key.size > 1) & (key.head != key.first)).any()
    if is_long.sum() >= FEW_HEADS and is_usual and is_first[is_long].all():
        yield Finding(
            Code.FIRST_WORD_HEADS,
            f"all {int(is_long.sum()):,} mentions of two or more words have their first word as "
            "head, unlike those of the key",
            expected="the syntactic heads: without them, head matching misses mentions",
            file=response.corpus.path,
        )


def zeros_without_dependencies(
    words: tuple[MentionWords, MentionWords], rules: MatchingRules
) -> Iterator[Finding]:
    """Report zeros that cannot be paired by dependency, because they depend on nothing."""
    if rules.zeros != "dependent" or not all(side.is_zero.any() for side in words):
        return
    for side in words:
        yield from _without_dependencies(side)


def _without_dependencies(side: MentionWords) -> Iterator[Finding]:
    nodes = side.corpus.empty_nodes
    rows = side.node[side.is_zero].tolist()
    bare = sum(not parents(nodes.dependencies[row]) for row in rows)
    if bare:
        yield Finding(
            Code.ZEROS_IN_DOUBT,
            f"{bare:,} of {len(rows):,} zeros depend on nothing",
            expected=(
                "their parents in the column DEPS, by which zeros are paired: these are paired by "
                "position"
            ),
            file=side.corpus.path,
        )


class WordSets(Struct, frozen=True, eq=False, kw_only=True):
    """The mentions of key and response as sets of words, and their numbers."""

    words: tuple[MentionWords, MentionWords]
    ids: tuple[Identities, Identities]
    sides: tuple[Side, Side]
    """What is compared, numbered by what mentions are; repeated mentions are still there."""
    notes_ties: bool = False

    @classmethod
    def of(
        cls,
        key: Corpus,
        response: Corpus,
        pairing: Pairing,
        rules: MatchingRules,
        heads: tuple[Heads, Heads] | None = None,
    ) -> WordSets:
        """Put the words of both corpora into one line, and number their mentions.

        ``heads`` are those of the files, unless others are given.
        """
        refuse_unlike(key, response)
        heads = heads or (file_heads(key), file_heads(response))
        words = mention_words(key, response, pairing.key_document, heads)
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

    def needs_stages(self, rules: MatchingRules) -> bool:
        """Return whether mentions that are not equal can be paired."""
        has_zeros = all(side.is_zero.any() for side in self.words)
        return rules.needs_heads or (rules.zeros == "dependent" and has_zeros)

    def alignment(self, sides: tuple[Side, Side], rules: MatchingRules) -> Alignment:
        """Return the pairs that the stages make of two sides."""
        return Alignment(
            sides=sides, words=self.words, ids=self.ids, notes_ties=self.notes_ties
        ).run(rules)


def sets_of_words(
    key: Corpus, response: Corpus, pairing: Pairing, rules: MatchingRules, texts: Texts
) -> tuple[WordSets, list[Finding]]:
    """Return the mentions as sets of words with their heads, and what is odd about these.

    Raises
    ------
    InvalidInput
        If heads are needed, and neither the files nor dependency trees have them (``E220``).
    """
    heads = (
        known_heads(key, rules, lambda: texts.tree_heads),
        known_heads(response, rules, lambda: tree_heads(response)),
    )
    findings = [
        *head_findings(key, heads[0], rules, "key"),
        *head_findings(response, heads[1], rules, "response"),
        *heads_of_one_side(key, response, rules),
    ]
    refuse_errors(findings)
    sets = WordSets.of(key, response, pairing, rules, heads)
    if all(finding.code is not Code.NO_HEAD_FIELD for finding in findings):
        findings += heads_at_first_word(sets.words, rules)
    findings += zeros_without_dependencies(sets.words, rules)
    return sets, findings
