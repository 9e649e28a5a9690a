"""Detect that clusters given in Python count the characters of a text whose tokens are expected.

Nobody says in what unit the numbers of such clusters are. If hardly any of them are mentions of the
other side, but most begin and end at words when they are read as characters, they are characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers
from corefscope.corpus.offsets import CHARACTERS, Ends, Verdict
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Side

ALMOST_NONE = 0.1
"""The share of mentions that may be on the other side by chance."""
SEVERAL = 4
"""How many mentions must begin and end at words if none is on the other side."""
FAR = 2
"""How many times the number of words a position must be to be far beyond them."""
SAMPLED = 1000
"""How many mentions are examined, at least."""
CLOSING = re.compile(r"[.,;:!?%)\]}’”]+|n't|['’](?:s|re|ve|ll|d|m)?", re.IGNORECASE)
"""Tokens that follow a word without a blank."""
OPENING = frozenset("([{“‘$#")


def character_findings(
    key: Corpus, response: Corpus, sides: tuple[Side, Side], key_document: Integers
) -> Iterator[Finding]:
    """Report clusters whose positions are characters, where the other side has words."""
    common = len(np.intersect1d(sides[0].mention, sides[1].mention))
    pairs = [(d, n) for n, d in enumerate(key_document.tolist()) if d >= 0]
    both = (
        ("response", response, key, [(n, d) for d, n in pairs]),
        ("key", key, response, pairs),
    )
    for name, spans, words, documents in both:
        if _may_be_characters(spans, words, common):
            evidence = _Evidence()
            for number, document in documents:
                if evidence.total < SAMPLED:
                    evidence.add(spans, number, words, document)
            if evidence.is_enough(common):
                yield evidence.finding(name, common, spans.path)


def _may_be_characters(spans: Corpus, words: Corpus, common: int) -> bool:
    """Return whether a side has only numbers, few of which are mentions of the other side."""
    if spans.offsets.is_file or spans.offsets.convention is None or spans.layers is not None:
        return False
    count = len(spans.mention_entity)
    is_known = (spans.document_tokens != UNKNOWN_LENGTH).any()
    has_words = words.has_spans and words.layers is not None
    return spans.has_spans and not is_known and has_words and common <= ALMOST_NONE * count


class _Evidence:
    """What speaks for characters: mentions at words, mentions of the other side, far positions."""

    def __init__(self) -> None:
        self.total = self.far = self.points = 0
        self.at_words: Counter[Ends] = Counter()
        self.in_other: Counter[Ends] = Counter()

    def add(self, spans: Corpus, number: int, words: Corpus, document: int) -> None:
        """Add the mentions of a document of numbers, whose text has words."""
        rows, others = spans.mentions_of(number), words.mentions_of(document)
        text = Document(words, document)
        if not rows or text.words is None:
            return
        own = spans.mention_spans[rows.start : rows.stop].astype(np.int64)
        self.total += len(own)
        self.points += int((own[:, 0] == own[:, 1]).sum())
        self.far += int((own[:, 1] >= FAR * len(text)).sum())
        theirs = words.mention_spans[others.start : others.stop]
        for ends in ENDS:
            last = own[:, 1] + (ends == "inclusive")
            found = [_found(own[:, 0], last, edges, theirs) for edges in _edges(text)]
            self.at_words[ends] += max(at_words for at_words, _ in found)
            self.in_other[ends] += max(in_other for _, in_other in found)

    @property
    def ends(self) -> Ends:
        """The meaning of ends that fits best."""
        return max(ENDS, key=lambda each: (self.in_other[each], self.at_words[each]))

    def is_enough(self, common: int) -> bool:
        """Return whether positions cannot be tokens, or are far more likely to be characters.

        A single mention may begin and end at words by chance, but hardly be one of the other side.
        """
        if not self.total:
            return False
        is_far = self.far > 0 and not common and not self.points
        is_other = 2 * self.in_other[self.ends] >= self.total
        are_words = 5 * self.at_words[self.ends] >= 4 * self.total
        return is_far or (are_words and (is_other or self.total >= SEVERAL))

    def finding(self, name: str, common: int, path: str | None) -> Finding:
        """Return the error, with what to do."""
        given = "" if self.ends == CHARACTERS.ends else f", ends={self.ends!r}"
        verdict = Verdict(
            looks=f"positions of the {name} look like characters",
            observed="mentions begin and end at words",
            total=self.total,
            as_read=common,
            otherwise=self.at_words[self.ends],
            expected="tokens",
            advice=(
                f"make the {name} with Corpus.from_clusters(documents, unit='characters'{given}, "
                "text=texts)"
            ),
        )
        return verdict.finding(Code.REFUTED_CONVENTION, path)


ENDS: tuple[Ends, ...] = ("exclusive", "inclusive")


def _found(
    first: Integers, last: Integers, edges: tuple[Integers, Integers], others: Integers
) -> tuple[int, int]:
    """Return how many spans begin and end at words, and how many are mentions of the other side."""
    begins, ends = edges
    is_word = np.isin(first, begins) & np.isin(last, ends) & (first < last)
    known = set(zip(begins[others[:, 0]].tolist(), ends[others[:, 1]].tolist(), strict=True))
    return int(is_word.sum()), sum(
        span in known for span in zip(first.tolist(), last.tolist(), strict=True)
    )


def _edges(document: Document) -> Iterator[tuple[Integers, Integers]]:
    """Yield where words begin and end in a text, in the ways in which it may be written."""
    if document.characters is not None:
        places = np.array(document.characters, dtype=np.int64).reshape(-1, 2)
        yield places[:, 0], places[:, 1]
    words = document.words or []
    sizes = np.array(list(map(len, words)))
    for is_joined in (False, True):
        blanks = [
            not (is_joined and (before in OPENING or CLOSING.fullmatch(word)))
            for before, word in pairwise(words)
        ]
        ends = np.cumsum(sizes) + np.cumsum([0, *blanks])
        yield ends - sizes, ends
