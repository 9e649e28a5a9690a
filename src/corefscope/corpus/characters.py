"""Detect that clusters count the characters of a text whose tokens are expected.

Few files say in what unit their numbers are. If hardly any of them are mentions of the other side,
or lie in the text, but most begin and end at words when they are read as characters, they are
characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.corpus.offsets import Convention, Ends, Verdict
from corefscope.findings import Code, Finding

SEVERAL = 4
"""How many mentions must begin and end at words if none is on the other side."""
FAR = 2
"""How many times the number of words a position must be to be far beyond them."""
CLOSING = re.compile(r"[.,;:!?%)\]}’”]+|n't|['’](?:s|re|ve|ll|d|m)?", re.IGNORECASE)
"""Tokens that follow a word without a blank."""
OPENING = frozenset("([{“‘$#")
NO_SPANS = np.zeros((0, 2), np.int64)


class CharacterEvidence:
    """What speaks for characters: mentions at words, mentions of the other side, far positions."""

    def __init__(self) -> None:
        self.total = self.far = self.points = 0
        self.at_words: Counter[Ends] = Counter()
        self.in_other: Counter[Ends] = Counter()

    def add(
        self,
        own: Integers,
        words: Sequence[str],
        others: Integers = NO_SPANS,
        characters: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        """Add the mentions of a document.

        ``words`` are those of its text, ``others`` the mentions of the other side, in words, and
        ``characters`` where words begin and end, if that is known.
        """
        self.total += len(own)
        self.points += int((own[:, 0] == own[:, 1]).sum())
        self.far += int((own[:, 1] >= FAR * len(words)).sum())
        edges = list(_edges(words, characters))
        for ends in ENDS:
            last = own[:, 1] + (ends == "inclusive")
            found = [_found(own[:, 0], last, each, others) for each in edges]
            self.at_words[ends] += max(at_words for at_words, _ in found)
            self.in_other[ends] += max(in_other for _, in_other in found)

    @property
    def ends(self) -> Ends:
        """The meaning of ends that fits best."""
        return max(ENDS, key=lambda each: (self.in_other[each], self.at_words[each]))

    @property
    def convention(self) -> Convention:
        """How positions look counted."""
        return Convention(0, self.ends, "character")

    def is_enough(self, common: int) -> bool:
        """Return whether positions cannot be tokens, or are far more likely to be characters.

        A single mention may begin and end at words by chance, but hardly be one of the other side.
        """
        if not self.total:
            return False
        is_far = self.far > 0 and not common and not self.points
        is_other = 2 * self.in_other[self.ends] >= self.total
        return is_far or (self.are_words and (is_other or self.total >= SEVERAL))

    @property
    def are_words(self) -> bool:
        """Whether most mentions begin and end at words."""
        return 5 * self.at_words[self.ends] >= 4 * self.total

    def finding(self, name: str, as_read: int, advice: str, path: str | None = None) -> Finding:
        """Return the error, with what to do."""
        verdict = Verdict(
            looks=f"positions of the {name} look like characters",
            observed="mentions begin and end at words",
            total=self.total,
            as_read=as_read,
            otherwise=self.at_words[self.ends],
            expected="tokens",
            advice=advice,
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


def _edges(
    words: Sequence[str], characters: Sequence[tuple[int, int]] | None
) -> Iterator[tuple[Integers, Integers]]:
    """Yield where words begin and end in a text, in the ways in which it may be written."""
    if characters is not None:
        places = np.array(characters, dtype=np.int64).reshape(-1, 2)
        yield places[:, 0], places[:, 1]
    sizes = np.array(list(map(len, words)))
    for is_joined in (False, True):
        blanks = [
            not (is_joined and (before in OPENING or CLOSING.fullmatch(word)))
            for before, word in pairwise(words)
        ]
        ends = np.cumsum(sizes) + np.cumsum([0, *blanks])
        yield ends - sizes, ends
