"""Quote the words of spans up to a limit, and compare spans without copying the text.

Mentions can be long and nested: thousands of mentions of a long text would need as many copies of
it. So at most ``LONGEST_QUOTE`` characters are stored per mention. To compare longer texts, their
polynomial hashes are compared (Karp and Rabin 1987), which are computed from the hashes of all
prefixes of the document.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

LONGEST_QUOTE = 400
"""How many characters of a text are quoted; an ellipsis stands for the rest."""

_MODULUS = 2**127 - 1
"""A prime; two different texts have the same hash in about one of 10³⁸ pairs."""


def quote(words: Sequence[str], start: int, end: int) -> str:
    """Return the words of a span; a text longer than ``LONGEST_QUOTE`` ends with an ellipsis."""
    text, is_cut = _cut(words, start, end)
    return f"{text}…" if is_cut else text


def _cut(words: Sequence[str], start: int, end: int) -> tuple[str, bool]:
    """Return the part of a span that is quoted, and whether the rest was cut off."""
    last = min(end, start + LONGEST_QUOTE // 2)
    some = words[start : last + 1]
    # A single word can be as long as a book.
    if max(map(len, some), default=0) > LONGEST_QUOTE:
        some = [word[: LONGEST_QUOTE + 1] for word in some]
    text = " ".join(some)
    return text[:LONGEST_QUOTE], last < end or len(text) > LONGEST_QUOTE


class Wording:
    """Compares spans of a document by their words in lower case."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def of(self, start: int, end: int) -> Hashable:
        """Return the words of a short span in lower case, or the length and hash of a long one."""
        text, is_cut = _cut(self._lower, start, end)
        if not is_cut:
            return text
        hashes, ends = self._beginnings
        length = ends[end + 1] - ends[start]
        before = hashes[start] * pow(256, length, _MODULUS)
        return length, (hashes[end + 1] - before) % _MODULUS

    @cached_property
    def _lower(self) -> list[str]:
        return [word.lower() for word in self.words]

    @cached_property
    def _beginnings(self) -> tuple[list[int], list[int]]:
        """The hash and the number of bytes of the words before each token."""
        hashes, ends = [0], [0]
        for word in self._lower:
            data = f"{word} ".encode("utf-8", "surrogatepass")
            moved = hashes[-1] * pow(256, len(data), _MODULUS)
            hashes.append((moved + int.from_bytes(data)) % _MODULUS)
            ends.append(ends[-1] + len(data))
        return hashes, ends
