"""A text as words and as letters, whatever tokens it has.

Positions count the letters of the words, without blanks. Tokens are stretches of letters, and so
are words; mentions are carried from one text to another as stretches of letters.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from msgspec import Struct

from corefscope.transfer.letters import ZEROS, as_written, letters_of, respelled

WORD = re.compile(r"\w+|[^\w\s]")
ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
"""Signs that a copy may write differently."""


class Stretch(NamedTuple):
    """A stretch of a text: its first letter, and the one after its last."""

    begin: int
    end: int


class LetterTokens(Struct, frozen=True):
    """The tokens of a text as stretches of its letters; a token without letters is empty."""

    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> LetterTokens:
        """Put tokens of these sizes one after the other."""
        edges = list(accumulate(sizes, initial=0))
        return cls(edges[:-1], edges[1:])

    def __len__(self) -> int:
        return len(self.begins)

    def spoken(self) -> list[int]:
        """Return the tokens that have letters."""
        edges = zip(self.begins, self.ends, strict=True)
        return [token for token, (begin, end) in enumerate(edges) if begin < end]


def letter_tokens(
    words: Sequence[str],
    spelled: Sequence[str] | None = None,
    *,
    has_zeros: bool = False,
) -> tuple[str, LetterTokens]:
    """Return the letters of a text, and its tokens.

    ``spelled`` has the words with the spellings that :func:`with_spellings` puts together. Words
    that a tokeniser spelled as one, such as ``-``, ``LRB`` and ``-``, then have the same letter.
    """
    spelled = words if spelled is None else spelled
    letters = letters_of(spelled, has_zeros=has_zeros)
    tokens = LetterTokens.of(list(map(len, letters)))
    if spelled is words:
        return "".join(letters), tokens
    begins, ends = list(tokens.begins), list(tokens.ends)
    for token, word in enumerate(words):
        if word and not spelled[token]:
            begins[token], ends[token] = begins[token - 1], ends[token - 1]
    return "".join(letters), LetterTokens(begins, ends)


def written_tokens(words: Sequence[str]) -> tuple[str, LetterTokens]:
    """Return the letters of a text and its tokens, without undoing spellings of tokenisers."""
    letters = as_written(words)
    return "".join(letters), LetterTokens.of(list(map(len, letters)))


def text_tokens(text: str, places: Sequence[tuple[int, int]]) -> tuple[str, LetterTokens]:
    """Return the letters of tokens as a text spells them; tokens of one place share its letters."""
    groups = [(place, len(list(group))) for place, group in groupby(places)]
    letters, tokens = letter_tokens([text[begin:end] for (begin, end), _ in groups])
    sizes = [size for _, size in groups]
    begins, ends = (
        [edge for edge, size in zip(edges, sizes, strict=True) for _ in range(size)]
        for edges in (tokens.begins, tokens.ends)
    )
    return letters, LetterTokens(begins, ends)


class LetterText(Struct, frozen=True, kw_only=True, dict=True):
    """A text as words that can be aligned."""

    words: Sequence[str]
    begins: Sequence[int]
    """Where each word begins, and where the last one ends."""
    tokens: LetterTokens

    @cached_property
    def keys(self) -> list[str]:
        """The words in the form in which they are compared."""
        known = {word: _key(word) for word in set(self.words)}
        return [known[word] for word in self.words]

    def words_in(self, stretch: Stretch) -> range:
        """Return the words that begin in a stretch, and the one that it begins in."""
        first = bisect_right(self.begins, stretch.begin) - 1
        return range(first, max(first, bisect_left(self.begins, stretch.end)))

    def stretch(self, first: int, last: int) -> Stretch:
        """Return the stretch from one word to another."""
        return Stretch(self.begins[first], self.begins[last + 1])


def _key(word: str) -> str:
    return unicodedata.normalize("NFKC", word).translate(ALIKE).casefold()


def text_of(
    tokens: Sequence[str],
    characters: Sequence[tuple[int, int]] | None = None,
    *,
    has_zeros: bool = False,
) -> LetterText:
    """Return the words of tokens.

    Parameters
    ----------
    tokens
        The tokens of a text.
    characters
        Where they begin and end in the text, if that is known. Then spellings of tokenisers are
        also found where they are divided, as ``-LRB-`` is.
    has_zeros
        Whether the tokens ``##`` and ``_`` stand for words that are not said.

    Returns
    -------
    Text
        The words, and the tokens as stretches of them.
    """
    words: list[str] = []
    begins, ends = [0] * len(tokens), [0] * len(tokens)
    size = 0
    # The same tokens occur again and again.
    spell, divide = cache(partial(_spelled, has_zeros=has_zeros)), cache(_words_in)
    for group in _groups(tokens, characters):
        joined = "".join([tokens[token] for token in group])
        spelled = spell(joined)
        if len(group) > 1 and spelled == joined:
            # Nothing is spelled by a tokeniser: the tokens stay apart.
            for token in group:
                found, length = divide(tokens[token])
                words += found
                begins[token], size = size, size + length
                ends[token] = size
            continue
        found, length = divide(spelled)
        words += found
        end = size + length
        for token in group:
            begins[token], ends[token] = size, end
        size = end
    edges = list(accumulate(map(len, words), initial=0))
    return LetterText(words=words, begins=edges, tokens=LetterTokens(begins, ends))


def _spelled(token: str, *, has_zeros: bool) -> str:
    """Return a token as it is spelled in the text."""
    return "" if has_zeros and token in ZEROS else respelled(token)


def _words_in(text: str) -> tuple[list[str], int]:
    """Return the words of a text, and their length."""
    marks = "" if text.isascii() else "".join(filter(_is_mark, text))
    # Marks such as accents belong to words, but are no letters.
    words = re.findall(rf"[\w{re.escape(marks)}]+|[^\w\s]" if marks else WORD, text)
    return words, sum(map(len, words))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _groups(tokens: Sequence[str], characters: Sequence[tuple[int, int]] | None) -> Iterator[range]:
    """Yield tokens that stand together without a blank; each alone if places are not known."""
    if characters is None or len(characters) != len(tokens):
        yield from (range(token, token + 1) for token in range(len(tokens)))
        return
    edges = [
        number
        for number, ((_, end), (begin, _)) in enumerate(pairwise(characters), start=1)
        if end != begin
    ]
    yield from (range(a, b) for a, b in pairwise([0, *edges, len(tokens)]) if a < b)


def refined(
    source: LetterText, copy: LetterText, match: Sequence[int]
) -> tuple[LetterText, LetterText, list[int]]:
    """Divide words where both texts have the same letters but other words.

    ``do n't`` and ``don't`` have no word in common, but the same letters: their words are divided
    at the edges of both, and matched.
    """
    matched: dict[int, int] = {}
    """Where matched pieces begin in the copy, and in the source."""
    for ours, theirs in _equal_gaps(source, copy, match):
        begin, copy_begin = source.begins[ours.start], copy.begins[theirs.start]
        cuts = {edge - begin for edge in source.begins[ours.start : ours.stop]}
        cuts |= {edge - copy_begin for edge in copy.begins[theirs.start : theirs.stop]}
        matched.update((copy_begin + cut, begin + cut) for cut in cuts)
    if not matched:
        return source, copy, list(match)
    new = _divided(source, set(matched.values())), _divided(copy, set(matched))
    for place, at in enumerate(match):
        if at >= 0:
            matched[copy.begins[place]] = source.begins[at]
    place_of = {begin: place for place, begin in enumerate(new[0].begins)}
    again = [place_of[matched[b]] if b in matched else -1 for b in new[1].begins[:-1]]
    return new[0], new[1], again


def _equal_gaps(
    source: LetterText, copy: LetterText, match: Sequence[int]
) -> Iterator[tuple[range, range]]:
    """Yield the words between two matched ones that have the same letters on both sides."""
    ours, theirs = source.keys, copy.keys
    for own, other in gaps(match, len(source.words)):
        size = source.begins[own.stop] - source.begins[own.start]
        if not size or size != copy.begins[other.stop] - copy.begins[other.start]:
            continue
        if "".join(ours[own.start : own.stop]) == "".join(theirs[other.start : other.stop]):
            yield own, other


def _divided(text: LetterText, edges: set[int]) -> LetterText:
    """Divide the words of a text at some letters."""
    begins = sorted(edges.union(text.begins))
    letters = "".join(text.words)
    words = [letters[begin:end] for begin, end in pairwise(begins)]
    return LetterText(words=words, begins=begins, tokens=text.tokens)


def gaps(match: Sequence[int], size: int) -> Iterator[tuple[range, range]]:
    """Yield the words of source and copy between two matched words, also before and after all."""
    start = copy_start = 0
    for place, at in enumerate(match):
        if at >= 0:
            if start < at or copy_start < place:
                yield range(start, at), range(copy_start, place)
            start, copy_start = at + 1, place + 1
    if start < size or copy_start < len(match):
        yield range(start, size), range(copy_start, len(match))
