"""Turn the positions of a draft into tokens: the one place that converts units.

A corpus counts the tokens of a document from 0. Files count those of sentences, word pieces, code
points, UTF-16 units or bytes, from 0 or 1, with inclusive or exclusive ends
(:class:`corefscope.corpus.offsets.Convention`). Where a file has text but no tokens, the text is
divided into words and signs, and also wherever a mention begins or ends.

All places of a document are converted at once, as arrays. Places that are wrong are looked at one
by one, to say what was expected.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from corefscope.corpus.mentions import LAST_TOKEN, Parts
from corefscope.corpus.offsets import OF_TEXT, Convention, Suggestion
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, Mentions, Place

Characters: TypeAlias = Sequence[tuple[int, int]]
Positions: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.uint8] | NDArray[np.uint32]
Kinds: TypeAlias = NDArray[np.uint8]
BLANK, OF_WORD, SIGN = range(3)
"""Kinds of characters. In a text without tokens, each word and each sign is one."""
FAR = 2**60
"""A position that no document has; those beyond it may not fit into an array."""
OF_TEXTS = {"character": "characters", "utf16": "UTF-16 units", "byte": "bytes"}
BLANKS = re.compile(r"\s+")


class NotThere(ValueError):
    """The words of a draft are not those of its text."""

    def __init__(self, found: str, *, expected: str | None = None) -> None:
        self.finding = Finding(Code.BAD_SHAPE, found, expected=expected)
        super().__init__(self.finding.message)


class Edges(NamedTuple):
    """The first and the last position of places, counted from 0."""

    first: Positions
    last: Positions
    is_wrong: NDArray[np.bool_]
    """Whether a place is not in its document; its positions then mean nothing."""


class Finder(Protocol):
    """Converts places."""

    def __call__(self, places: Sequence[Place]) -> Edges:
        """Return where places begin and end."""
        ...

    def expected(self, place: Place) -> str:
        """Describe what was expected instead of a wrong place."""
        ...

    def suggestion(self, place: Place) -> Suggestion | None:
        """Return the other convention that a wrong place suggests, if any."""
        ...


class Located(Struct, kw_only=True):
    """The mentions of a draft as spans of tokens."""

    tokens: Tokens | None
    """None if the file has neither words nor text."""
    edges: Edges
    """The first and the last token of each mention."""
    parts: dict[int, Parts]
    """The parts of each mention with several places, in order."""
    findings: list[Finding]


def locate(draft: Draft) -> Located:
    """Turn the mentions of a draft into spans of tokens.

    Parameters
    ----------
    draft
        A document as its file gives it.

    Returns
    -------
    Located
        Its tokens, the spans of its mentions, and what was found wrong.
    """
    given = draft.mentions
    tokens: Tokens | None
    if draft.convention.unit in OF_TEXT:
        tokens, edges, findings = _in_text(draft, given)
    else:
        tokens = tokens_of(draft)
        finder = token_finder(draft, draft.length if tokens is None else len(tokens))
        edges = finder(given.places)
        findings = _findings(draft, edges.is_wrong, partial(_expected, draft, finder))
    edges, parts = _mentions(edges, given.parts)
    return Located(tokens=tokens, edges=edges, parts=parts, findings=findings)


def _mentions(edges: Edges, parts: Sequence[int]) -> tuple[Edges, dict[int, Parts]]:
    """Put the places of each mention together."""
    if not parts:
        return edges, {}
    sizes = np.array(parts)
    begins = np.cumsum(sizes) - sizes
    together = Edges(
        np.minimum.reduceat(edges.first, begins),
        np.maximum.reduceat(edges.last, begins),
        np.logical_or.reduceat(edges.is_wrong, begins),
    )
    several = np.flatnonzero((sizes > 1) & ~together.is_wrong)
    pairs = list(zip(edges.first.tolist(), edges.last.tolist(), strict=True))
    bounds = zip(several.tolist(), begins[several].tolist(), sizes[several].tolist(), strict=True)
    return together, {row: tuple(sorted(pairs[at : at + size])) for row, at, size in bounds}


def _findings(
    draft: Draft, is_wrong: NDArray[np.bool_], expected: Callable[[Place], str], why: str = ""
) -> list[Finding]:
    """Say which mentions are wrong, perhaps why, and what was expected."""
    if not is_wrong.any():
        return []
    given = draft.mentions
    found, wrong = [], iter(is_wrong.tolist())
    strings = given.strings or [None] * given.count
    rows = zip(given.of_mentions(given.labels), given.all_places(), strings, strict=True)
    for label, places, string in rows:
        astray = [place for place in places if next(wrong)]
        if astray:
            said = f" ({string!r})" if string else ""
            found.append(
                Finding(
                    Code.BAD_SPAN,
                    f"mention {shown(places)}{said} of entity {label}{why}",
                    expected=expected(astray[0]),
                )
            )
    return found


def _expected(draft: Draft, finder: Finder, place: Place) -> str:
    """Say what was expected in place of a wrong place."""
    hint = draft.reading.hint(draft.convention, finder.suggestion(place))
    return f"{finder.expected(place)}{hint}"


def shown(places: Iterable[Place]) -> str:
    """Return the numbers of places as a message shows them."""
    return " and ".join(str(list(place)) for place in places)


def _columns(places: Sequence[Place]) -> Positions:
    """Return the numbers of places, one row for each number: the last two are start and end."""
    width = len(places[0]) if places else 2
    if not {width}.issuperset(map(len, places)):
        # A sentence that is not given becomes one that no document has.
        return _columns([(*[FAR] * (3 - len(place)), *place) for place in places])
    return positions(chain.from_iterable(places)).reshape(-1, width).T


def positions(numbers: Iterable[int]) -> Positions:
    """Return numbers as an array; those that do not fit become others that no document has."""
    given = list(numbers)
    try:
        return np.array(given, np.int64)
    except OverflowError:
        return np.array([max(-FAR, min(number, FAR)) for number in given], np.int64)


# ---- Positions that count tokens ----


def token_finder(draft: Draft, length: int | None) -> Finder:
    """Return what gives the first and the last token of places.

    ``length`` is the number of tokens, if it is known.
    """
    convention = draft.convention
    if convention.unit == "sentence":
        if draft.sentences is None:
            raise NotThere("there are no sentences, in which tokens could be counted")
        return SentenceTokens(convention, draft.sentences, draft.sentences_from_base)
    if convention.unit == "piece":
        if draft.pieces is None:
            raise NotThere("there are no word pieces, which could be counted")
        return _Pieces(convention, draft.pieces)
    return _DocumentTokens(convention, length)


class _DocumentTokens(Struct):
    """Finds tokens that are counted in the document."""

    convention: Convention
    length: int | None

    def __call__(self, places: Sequence[Place]) -> Edges:
        # A file that counts tokens of the document may name the sentence as well.
        first, last = self.convention.convert(*_columns(places)[-2:])
        limit = LAST_TOKEN if self.length is None else self.length - 1
        return Edges(first, last, (first < 0) | (last < first) | (last > limit))

    def expected(self, place: Place) -> str:
        return self.convention.expected(self.length)

    def suggestion(self, place: Place) -> Suggestion | None:
        return self.convention.suggestion(place[-2], place[-1], self.length)


class SentenceTokens:
    """Finds tokens that are counted in their sentence."""

    def __init__(
        self, convention: Convention, sentences: Sequence[int], sentences_from_base: bool = False
    ) -> None:
        self.convention = convention
        self.base = convention.base if sentences_from_base else 0
        # A sentence without tokens stands for all that are not there.
        self.lengths = np.array([*sentences, 0], np.int64)
        self.begins = np.cumsum(self.lengths) - self.lengths

    def __call__(self, places: Sequence[Place]) -> Edges:
        """Return the first and the last token of places, counted in the document."""
        columns = _columns(places)
        first, last = self.convention.convert(*columns[-2:])
        if len(columns) < 3:
            return Edges(first, last, np.ones(len(places), np.bool_))
        sentence = columns[0] - self.base
        length = self.lengths.take(sentence, mode="clip")
        is_wrong = (sentence < 0) | (first < 0) | (last < first) | (last >= length)
        begin = self.begins.take(sentence, mode="clip")
        return Edges(begin + first, begin + last, is_wrong)

    def expected(self, place: Place) -> str:
        """Describe what was expected instead of a wrong place."""
        if len(place) != 3:
            return "three numbers, the index of the sentence first"
        length = self.length_at(place)
        if length is None:
            return f"the number of a sentence; there are {len(self.lengths) - 1}"
        return f"{self.convention.expected(length)}, in its sentence"

    def suggestion(self, place: Place) -> Suggestion | None:
        """Return the other convention that a wrong place suggests, if any."""
        length = self.length_at(place) if len(place) == 3 else None
        if length is None:
            return None
        return self.convention.suggestion(place[-2], place[-1], length)

    def length_at(self, place: Place) -> int | None:
        """Return the length of the sentence of a place; None if there is no such sentence."""
        sentence = place[0] - self.base
        return int(self.lengths[sentence]) if 0 <= sentence < len(self.lengths) - 1 else None


class _Pieces:
    """Finds the tokens of word pieces."""

    def __init__(self, convention: Convention, pieces: Sequence[int]) -> None:
        self.convention = convention
        self.pieces = np.array([*pieces, 0], np.int64)
        self.count = len(pieces)

    def __call__(self, places: Sequence[Place]) -> Edges:
        first, last = self.convention.convert(*_columns(places)[-2:])
        is_wrong = (first < 0) | (last < first) | (last >= self.count)
        # The piece after all others stands for those that are not there.
        first[is_wrong] = last[is_wrong] = self.count
        return Edges(self.pieces[first], self.pieces[last], is_wrong)

    def expected(self, place: Place) -> str:
        return self.convention.expected(self.count)

    def suggestion(self, place: Place) -> Suggestion | None:
        return self.convention.suggestion(place[-2], place[-1], self.count)


# ---- Positions that count the text ----


def _in_text(draft: Draft, given: Mentions) -> tuple[Tokens, Edges, list[Finding]]:
    if draft.text is None:
        raise NotThere("there is no text, whose characters could be counted")
    stretches = Stretches(draft.text, draft.convention)
    whole = stretches.with_blanks(given.places)
    edges = stretches.trimmed(whole)
    findings = _findings(draft, edges.is_wrong, partial(_expected, draft, stretches))
    ends = edges.last + 1
    is_right = ~edges.is_wrong
    tokens = tokens_of(draft, np.concatenate((edges.first[is_right], ends[is_right])))
    assert tokens is not None
    tokens.kinds = stretches.kinds
    inside = 0 if draft.words is None else len(tokens) - len(draft.words)
    if inside:
        found = "1 edge of a mention lies" if inside == 1 else f"{inside:,} edges of mentions lie"
        divided = "this token is" if inside == 1 else "these tokens are"
        findings.append(
            Finding(
                Code.INSIDE_TOKEN,
                f"{found} inside a token",
                expected=f"mentions of whole tokens: {divided} divided",
            )
        )
    (first, begins_there), (last, ends_there) = (
        _at(*pair) for pair in zip(tokens.edges, (edges.first, ends), strict=True)
    )
    is_astray = is_right & ~(begins_there & ends_there)
    why = "; it begins or ends in text that no token covers"
    findings += _findings(draft, is_astray, lambda _: "the text of tokens", why)
    return tokens, Edges(first, last, edges.is_wrong | is_astray), findings


def _at(edges: Positions, wanted: Positions) -> tuple[Positions, NDArray[np.bool_]]:
    """Return the token that begins, or ends, at each position, and whether there is one."""
    found = np.maximum(np.searchsorted(edges, wanted, side="right") - 1, 0)
    return found, edges[found] == wanted if len(edges) else np.zeros(len(wanted), np.bool_)


def is_same_text(one: str, other: str | None) -> bool:
    """Return whether two texts are the same, whatever blanks they have between words."""
    return one == other or BLANKS.sub(" ", one) == BLANKS.sub(" ", other or "")


class Stretches:
    """Finds stretches of a text in code points, without blanks at their edges."""

    def __init__(self, text: str, convention: Convention) -> None:
        self.text = text
        self.convention = convention
        self.points = code_points(text, convention)
        self.length = len(text) if self.points is None else len(self.points) - 1

    @cached_property
    def kinds(self) -> Kinds:
        """What each character is."""
        return kinds_of(self.text)

    def __call__(self, places: Sequence[Place]) -> Edges:
        """Return where stretches begin and end, without the blanks at their edges."""
        return self.trimmed(self.with_blanks(places))

    def trimmed(self, edges: Edges) -> Edges:
        """Return edges without blanks; a stretch of nothing but blanks is wrong."""
        first, last, is_wrong = edges
        right = np.flatnonzero(~is_wrong)
        is_blank = (self.kinds[first[right]] == BLANK) | (self.kinds[last[right]] == BLANK)
        if not is_blank.any():
            return edges
        first, last, is_wrong = np.array(first), np.array(last), np.array(is_wrong)
        for number in right[is_blank].tolist():
            inside = self.text[first[number] : last[number] + 1]
            first[number] += len(inside) - len(inside.lstrip())
            last[number] -= len(inside) - len(inside.rstrip())
            is_wrong[number] = first[number] > last[number]
        return Edges(first, last, is_wrong)

    def with_blanks(self, places: Sequence[Place]) -> Edges:
        """Return where stretches begin and end, with the blanks at their edges."""
        first, last = self.convention.convert(*_columns(places)[-2:])
        is_wrong = (first < 0) | (last < first) | (last >= self.length)
        if self.points is not None:
            first[is_wrong] = last[is_wrong] = 0
            first, last = self.points[first], self.points[last + 1] - 1
            is_wrong |= (first < 0) | (last < 0)
        return Edges(first, last, is_wrong)

    def expected(self, place: Place) -> str:
        """Describe what was expected instead of a wrong place."""
        start, last = self.convention.convert(place[-2], place[-1])
        if not 0 <= start <= last < self.length:
            unit = OF_TEXTS[self.convention.unit]
            return f"a stretch of the text, which has {self.length} {unit}"
        if self.points is not None and min(self.points[start], self.points[last + 1]) < 0:
            return "an edge between two characters, not inside one"
        return "more than blanks"

    def suggestion(self, place: Place) -> Suggestion | None:
        """Return the other convention that a wrong place suggests, if any."""
        return self.convention.suggestion(place[-2], place[-1], None)


def code_points(text: str, convention: Convention) -> Positions | None:
    """Return the code point at each position of a text, −1 inside one; None if they are the same.

    One more position stands for the end of the text.
    """
    if convention.unit == "character" or text.isascii():
        return None
    characters = codes_of(text).astype(np.uint32)
    steps = (0xFFFF,) if convention.unit == "utf16" else (0x7F, 0x7FF, 0xFFFF)
    sizes = 1 + np.sum([characters > step for step in steps], axis=0)
    ends = np.cumsum(sizes)
    if ends[-1] == len(text):
        return None
    points = np.full(ends[-1] + 1, -1)
    points[ends - sizes] = np.arange(len(text))
    points[-1] = len(text)
    return points


# ---- Tokens ----


class Tokens(Struct, eq=False, kw_only=True, dict=True):
    """The tokens of a document."""

    given: Sequence[str] | None
    """The words, if the file has them; otherwise they are found in the text."""
    text: str | None = None
    given_characters: Characters | None = None
    """Where each word is in the text, if there are words and a text."""
    lengths: Sequence[int] | None = None
    """The number of tokens of each sentence; None if all tokens are one sentence."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    places: Sequence[int] | None = None
    """The token here for each token of the file; None unless tokens are divided."""
    cuts: Positions | None = None
    """Where a text without words is divided apart from the edges of words."""

    def __len__(self) -> int:
        return len(self.edges[0]) if self.given is None else len(self.given)

    @cached_property
    def edges(self) -> tuple[Positions, Positions]:
        """Where tokens begin and end in the text, ends exclusive."""
        if self.given is None:
            return _word_edges(self.kinds, self.cuts)
        flat = chain.from_iterable(self.given_characters or ())
        begins, ends = np.fromiter(flat, np.int64).reshape(-1, 2).T
        return begins, ends

    @cached_property
    def kinds(self) -> Kinds:
        """What each character of the text is."""
        return kinds_of(self.text or "")

    @property
    def words(self) -> list[str]:
        """The words of the tokens."""
        if self.given is not None:
            return list(self.given)
        text = self.text or ""
        return [text[begin:end] for begin, end in self.characters or ()]

    @property
    def characters(self) -> Characters | None:
        """Where each token begins and ends in the text, if there is one; ends are exclusive."""
        if self.given is not None:
            return self.given_characters
        return list(zip(*(column.tolist() for column in self.edges), strict=True))

    @property
    def sentences(self) -> list[range]:
        """The tokens of each sentence that has some."""
        ends = [0, *accumulate([len(self)] if self.lengths is None else self.lengths)]
        return [range(begin, end) for begin, end in pairwise(ends) if begin < end]

    def joined(self) -> bytes:
        """Return the words of a text, each with a line break after it.

        This is much faster than making a string of each word.
        """
        codes = codes_of(self.text or "")
        begins, ends = self.edges
        breaks = np.cumsum(ends - begins + 1) - 1
        is_break = np.zeros(len(breaks) + np.count_nonzero(self.kinds), np.bool_)
        is_break[breaks] = True
        found = np.full(len(is_break), ord("\n"), codes.dtype)
        found[~is_break] = codes[self.kinds != BLANK]
        encoding = "latin-1" if codes.dtype == np.uint8 else "utf-32-le"
        return found.tobytes().decode(encoding, "surrogatepass").encode(errors="surrogatepass")


def tokens_of(draft: Draft, cuts: Positions | None = None) -> Tokens | None:
    """Return the tokens of a draft; None if it has neither words nor text.

    Tokens are divided at ``cuts``, which are positions of the text.
    """
    if draft.words is None and draft.text is None:
        return None
    tokens = Tokens(
        given=draft.words,
        text=draft.text,
        lengths=draft.sentences,
        columns=draft.columns,
        cuts=cuts,
    )
    if draft.words is not None:
        tokens.given_characters = draft.characters or found_words(draft)
    if draft.words is None or cuts is None or not len(tokens):
        return tokens
    begins, ends = tokens.edges
    before = np.searchsorted(begins, cuts, side="right") - 1
    inside = cuts[(before >= 0) & (begins[before] < cuts) & (cuts < ends[before])]
    return divided(tokens, inside.tolist()) if len(inside) else tokens


def found_words(draft: Draft) -> Characters | None:
    """Return where the words of a draft are in its text, one after the other."""
    if draft.text is None or draft.words is None:
        return None
    end, found = 0, []
    for number, word in enumerate(draft.words):
        begin = draft.text.find(word, end)
        if begin < 0 or draft.text[end:begin].strip():
            raise NotThere(
                f"token {number}, {word!r}, is not in the text after character {end}",
                expected="the tokens of the text",
            )
        end = begin + len(word)
        found.append((begin, end))
    return found


def code_point_pairs(words: Sequence[str], pairs: Characters) -> list[tuple[int, int]]:
    """Turn the places of words in UTF-16 units into code points; blanks have one unit each."""
    surplus, found = 0, []
    for word, (begin, end) in zip(words, pairs, strict=True):
        inside = sum(character > "\uffff" for character in word)
        found.append((begin - surplus, end - surplus - inside))
        surplus += inside
    return found


def divided(tokens: Tokens, edges: Iterable[int]) -> Tokens:
    """Divide the words of a file at edges that lie inside them."""
    assert tokens.text is not None
    cuts = sorted(set(edges))
    characters: list[tuple[int, int]] = []
    places: list[int] = []
    for begin, end in tokens.given_characters or ():
        places.append(len(characters))
        inside = cuts[bisect_right(cuts, begin) : bisect_left(cuts, end)]
        characters += pairwise([begin, *inside, end])
    places.append(len(characters))
    sizes = [after - before for before, after in pairwise(places)]
    begins = None if tokens.lengths is None else [0, *accumulate(tokens.lengths)]
    return Tokens(
        given=[tokens.text[begin:end] for begin, end in characters],
        text=tokens.text,
        given_characters=characters,
        lengths=None if begins is None else [places[b] - places[a] for a, b in pairwise(begins)],
        columns={
            layer: [value for value, size in zip(values, sizes, strict=True) for _ in range(size)]
            for layer, values in tokens.columns.items()
        },
        places=places,
    )


# ---- Characters ----


def codes_of(text: str) -> Codes:
    """Return the code points of a text, in one byte each if they fit."""
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def kinds_of(text: str) -> Kinds:
    """Return for each character whether it is blank, part of a word, or another sign."""
    codes = codes_of(text)
    if codes.dtype == np.uint8:
        return KINDS[codes]
    found = KINDS[np.minimum(codes, len(KINDS) - 1)]
    rare = np.flatnonzero(codes >= len(KINDS))
    characters, place = np.unique(codes[rare], return_inverse=True)
    found[rare] = np.array([_kind(chr(code)) for code in characters.tolist()], np.uint8)[place]
    return found


def _kind(character: str) -> int:
    if character.isspace():
        return BLANK
    is_of_word = character.isalnum() or character == "_" or _is_accent(character)
    return OF_WORD if is_of_word else SIGN


def _is_accent(character: str) -> bool:
    """Return whether a character belongs to the letter before it, such as an accent or a vowel."""
    # Variation selectors stand after emoji.
    return unicodedata.category(character) in ("Mn", "Mc") and not "\ufe00" <= character <= "\ufe0f"


KINDS = np.array([_kind(chr(code)) for code in range(256)], np.uint8)
"""The kinds of the characters that fit into a byte."""


def _word_edges(kinds: Kinds, cuts: Positions | None) -> tuple[Positions, Positions]:
    """Return where words and signs begin and end; words are divided at ``cuts``."""
    is_of_word, is_of_token = kinds == OF_WORD, kinds != BLANK
    goes_on = np.zeros(len(kinds) + 1, np.bool_)
    """Whether a word goes on at a position, which is before the character with its number."""
    goes_on[1:-1] = is_of_word[1:] & is_of_word[:-1]
    if cuts is not None:
        goes_on[cuts] = False
    is_first, is_last = is_of_token & ~goes_on[:-1], is_of_token & ~goes_on[1:]
    return is_first.nonzero()[0], is_last.nonzero()[0] + 1
