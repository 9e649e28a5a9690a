"""Stage 1, alter span: a mention with a wrong boundary becomes the one that was meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import TypeAlias

from corefscope.error_analysis.closest import closest
from corefscope.matching.pairs import DocumentPair
from corefscope.matching.texts import Span

Alteration: TypeAlias = tuple[Span, Span]
"""A mention of the response, and the mention of the key that it becomes."""


@dataclass(frozen=True, slots=True)
class Alterations:
    """The pairs of both passes, and the classes in which more than one pair was possible."""

    pairs: list[Alteration]
    ambiguous: list[list[Span]]


def alter_spans(pair: DocumentPair) -> tuple[DocumentPair, Alterations]:
    """Return the document with wrong boundaries mended, and how.

    The paper pairs mentions of one head; the published tool first pairs those that are equal once
    articles, possessives and single signs are trimmed off. Exact matches take part in neither.
    """
    trimmed, ambiguous = _same_trimmed(pair)
    between = _with_spans(pair, dict(trimmed))
    headed = _same_head(between)
    pairs = sorted(trimmed + headed)
    return _with_spans(between, dict(headed)), Alterations(pairs, ambiguous)


def _only_one_side(pair: DocumentPair) -> tuple[set[Span], set[Span]]:
    """Return the mentions that only the response has, and those that only the key has."""
    key = {mention for entity in pair.key for mention in entity}
    response = {mention for entity in pair.response for mention in entity}
    return (
        {mention for mention in response - key if pair.is_in_text(mention)},
        {mention for mention in key - response if pair.is_in_text(mention)},
    )


def _buckets(
    pair: DocumentPair, name: Callable[[Span], Hashable]
) -> Iterable[tuple[list[Span], list[Span]]]:
    """Put unmatched mentions of both sides that have something in common side by side."""
    buckets: dict[Hashable, tuple[list[Span], list[Span]]] = defaultdict(lambda: ([], []))
    for side, mentions in enumerate(_only_one_side(pair)):
        for mention in sorted(mentions):
            buckets[name(mention)][side].append(mention)
    return [(ours, theirs) for ours, theirs in buckets.values() if ours and theirs]


def _same_trimmed(pair: DocumentPair) -> tuple[list[Alteration], list[list[Span]]]:
    """Pair mentions that are equal when trimmed: one pair a class, the closest one.

    The tool makes one pair a class, too; which one depends on the order of a set there.
    """
    if pair.text is None:
        return [], []
    pairs, ambiguous = [], []
    for ours, theirs in _buckets(pair, Trimmer(pair.text.words).trimmed):
        pairs.append(closest(ours, theirs))
        if len(ours) + len(theirs) > 2:
            ambiguous.append(sorted(ours + theirs))
    return pairs, ambiguous


def _same_head(pair: DocumentPair) -> list[Alteration]:
    """Pair mentions that have one head token, where just one of each side has it."""
    text = pair.text
    if text is None:
        return []
    return [
        (ours[0], theirs[0])
        for ours, theirs in _buckets(pair, lambda mention: text.head(*mention))
        if len(ours) == 1 == len(theirs)
    ]


class Trimmer:
    """Drops what annotators disagree on: ``the`` and signs before, ``'s`` and signs after."""

    def __init__(self, words: Sequence[str]) -> None:
        count = len(words)
        self.next_kept = list(range(count))
        """The first token from each on that is not dropped at the beginning of a mention."""
        self.last_kept = list(range(count))
        """The last token up to each that is not dropped at the end of a mention."""
        for token in reversed(range(count - 1)):
            if words[token] == "the" or _is_sign(words[token]):
                self.next_kept[token] = self.next_kept[token + 1]
        for token in range(1, count):
            if words[token] == "'s" or _is_sign(words[token]):
                self.last_kept[token] = self.last_kept[token - 1]

    def trimmed(self, mention: Span) -> Span:
        """Return the span that is left, at least one token."""
        start = min(self.next_kept[mention[0]], mention[1])
        return start, max(self.last_kept[mention[1]], start)


def _is_sign(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters


def _with_spans(pair: DocumentPair, altered: dict[Span, Span]) -> DocumentPair:
    """Return the document with response mentions replaced in place; entities stay together."""
    if not altered:
        return pair
    response = [sorted(altered.get(m, m) for m in entity) for entity in pair.response]
    return replace(pair, response=response)
