"""Turn the positions of a draft into tokens: the one place that converts units.

A corpus counts the tokens of a document from 0. Files count those of sentences, word pieces, code
points, UTF-16 units or bytes, from 0 or 1, with inclusive or exclusive ends
(:class:`corefscope.corpus.offsets.Convention`). Where a file has text but no tokens, the text is
divided into words and signs, and also wherever a mention begins or ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from corefscope.corpus.mentions import Parts
from corefscope.corpus.offsets import DEFAULT, OF_TEXT, Convention
from corefscope.findings import Code
from corefscope.formats.draft import Draft, DraftMention, Place

TOKEN = re.compile(r"\w+|[^\w\s]")
"""A token of a text whose file has no tokens: a word, or any other sign that is not blank."""

Characters = list[tuple[int, int]]


class Misplaced(ValueError):
    """A place that is not in its document."""


class NotThere(ValueError):
    """The words of a draft are not those of its text."""


@dataclass(slots=True, kw_only=True)
class Tokens:
    """The tokens of a document."""

    words: list[str]
    sentences: list[range]
    text: str | None = None
    characters: Characters | None = None
    columns: dict[str, list[str]] = field(default_factory=dict)
    places: Sequence[int] = ()
    """The token here for each token of the file; they differ where tokens are divided."""


@dataclass(slots=True, kw_only=True)
class Located:
    """The mentions of a draft as spans of tokens."""

    tokens: Tokens | None
    """None if the file has neither words nor text."""
    spans: list[list[Parts | None]]
    """The parts of each mention of each entity; None if a mention is not in the text."""
    findings: list[tuple[Code, str]] = field(default_factory=list)


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
    found = Located(tokens=None, spans=[])
    if draft.convention.unit in OF_TEXT:
        _locate_in_text(draft, found)
        return found
    found.tokens = tokens_of(draft)
    finder = token_finder(draft, None if found.tokens is None else len(found.tokens.words))
    for entity in draft.entities:
        spans: list[Parts | None] = []
        for mention in entity.mentions:
            try:
                # Nearly all mentions have one place.
                places = mention.places
                spans.append(
                    (finder(places[0]),) if len(places) == 1 else tuple(map(finder, places))
                )
            except Misplaced as error:
                spans.append(None)
                found.findings.append((Code.BAD_SPAN, _wrong(entity.label, mention, str(error))))
        found.spans.append(spans)
    return found


def _wrong(label: str, mention: DraftMention, expected: str) -> str:
    shown = " and ".join(str(list(place)) for place in mention.places)
    said = f" ({mention.string!r})" if mention.string else ""
    return f"mention {shown}{said} of entity {label}; expected {expected}"


# ---- Positions that count tokens ----


def token_finder(draft: Draft, length: int | None) -> Callable[[Place], tuple[int, int]]:
    """Return a function that gives the first and the last token of a place.

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
    is_default = convention == DEFAULT

    def tokens(place: Place) -> tuple[int, int]:
        # A file that counts tokens of the document may name the sentence as well.
        first, last = place[-2:] if is_default else convention.convert(*place[-2:])
        if first < 0 or last < first or (length is not None and last >= length):
            raise Misplaced(_expected(convention, place, length))
        return first, last

    return tokens


def _expected(convention: Convention, place: Place, length: int | None) -> str:
    start, end = place[-2:]
    return convention.expected(length) + convention.hint(start, end, length)


class SentenceTokens:
    """Finds tokens that are counted in their sentence."""

    def __init__(
        self, convention: Convention, sentences: Sequence[int], sentences_from_base: bool = False
    ) -> None:
        self.convention = convention
        self.sentences = sentences
        self._convert = convention.convert
        self.first = convention.base if sentences_from_base else 0
        self.begins = [0, *accumulate(sentences)]

    def __call__(self, place: Place) -> tuple[int, int]:
        """Return the first and the last token of a place, counted in the document."""
        if len(place) != 3:
            raise Misplaced("three numbers, the index of the sentence first")
        sentence, start, end = place[0] - self.first, place[1], place[2]
        if not 0 <= sentence < len(self.sentences):
            raise Misplaced(f"the number of a sentence; there are {len(self.sentences)}")
        first, last = self._convert(start, end)
        length = self.sentences[sentence]
        if first < 0 or last < first or last >= length:
            expected = _expected(self.convention, place[1:], length)
            raise Misplaced(f"{expected}, in its sentence")
        return self.begins[sentence] + first, self.begins[sentence] + last


class _Pieces:
    """Finds the tokens of word pieces."""

    def __init__(self, convention: Convention, pieces: Sequence[int]) -> None:
        self.convention = convention
        self.pieces = pieces

    def __call__(self, place: Place) -> tuple[int, int]:
        first, last = self.convention.convert(*place[-2:])
        if first < 0 or last < first or last >= len(self.pieces):
            raise Misplaced(_expected(self.convention, place, len(self.pieces)))
        return self.pieces[first], self.pieces[last]


# ---- Positions that count the text ----


def _locate_in_text(draft: Draft, found: Located) -> None:
    if draft.text is None:
        raise NotThere("there is no text, whose characters could be counted")
    stretch = Stretches(draft.text, draft.convention)
    located: list[list[list[tuple[int, int]] | None]] = []
    for entity in draft.entities:
        located.append([])
        for mention in entity.mentions:
            try:
                located[-1].append([stretch(place) for place in mention.places])
            except Misplaced as error:
                located[-1].append(None)
                found.findings.append((Code.BAD_SPAN, _wrong(entity.label, mention, str(error))))
    tokens, first, last = _with_edges(tokens_of(draft), located)
    found.tokens = tokens
    inside = 0 if draft.words is None else len(tokens.words) - len(draft.words)
    if inside:
        message = (
            f"{inside} edges of mentions lie inside a token; expected mentions of whole tokens: "
            "these tokens are divided"
        )
        found.findings.append((Code.INSIDE_TOKEN, message))
    for of_entity in located:
        found.spans.append(
            [
                None if places is None else tuple([(first[a], last[b]) for a, b in places])
                for places in of_entity
            ]
        )


def _with_edges(
    tokens: Tokens | None, located: Sequence[Sequence[Sequence[tuple[int, int]] | None]]
) -> tuple[Tokens, dict[int, int], dict[int, int]]:
    """Divide tokens at the edges of mentions; return the token that each edge begins or ends.

    If an edge lies in text that is no token, the next token counts.
    """
    assert tokens is not None and tokens.characters is not None
    pairs = {pair for entity in located for places in entity for pair in places or ()}
    first, last = _tokens_at(tokens.characters)
    if not all(begin in first and end in last for begin, end in pairs):
        tokens = divided(tokens, {edge for pair in pairs for edge in pair})
        assert tokens.characters is not None
        first, last = _tokens_at(tokens.characters)
        begins, ends = zip(*tokens.characters, strict=True) if tokens.characters else ((), ())
        for begin, end in pairs:
            first.setdefault(begin, bisect_left(begins, begin))
            last.setdefault(end, bisect_left(ends, end))
    return tokens, first, last


def _tokens_at(characters: Characters) -> tuple[dict[int, int], dict[int, int]]:
    """Return the token that begins, and the token that ends, at each character."""
    begins, ends = zip(*characters, strict=True) if characters else ((), ())
    tokens = range(len(characters))
    return dict(zip(begins, tokens, strict=True)), dict(zip(ends, tokens, strict=True))


class Stretches:
    """Finds stretches of a text in code points, without blanks at their edges."""

    def __init__(self, text: str, convention: Convention) -> None:
        self.text = text
        self.convention = convention
        self._convert = convention.convert
        self.points = code_points(text, convention)
        self.length = len(text) if self.points is None else len(self.points) - 1

    def __call__(self, place: Place) -> tuple[int, int]:
        """Return where a stretch begins and ends, without the blanks at its edges."""
        start, stop = self.edges(place)
        inside = self.text[start:stop]
        if not (inside[0].isspace() or inside[-1].isspace()):
            return start, stop
        begin = start + len(inside) - len(inside.lstrip())
        end = stop - len(inside) + len(inside.rstrip())
        if begin >= end:
            raise Misplaced("more than blanks")
        return begin, end

    def edges(self, place: Place) -> tuple[int, int]:
        """Return where a stretch begins and ends, with the blanks at its edges."""
        start, last = self._convert(place[-2], place[-1])
        stop = last + 1
        if not 0 <= start < stop <= self.length:
            expected = f"a stretch of the text, which has {self.length} {self._units()}"
            raise Misplaced(expected + self.convention.hint(place[-2], place[-1], None))
        if self.points is not None:
            start, stop = self.points[start], self.points[stop]
            if min(start, stop) < 0:
                raise Misplaced("an edge between two characters, not inside one")
        return start, stop

    def _units(self) -> str:
        return {"character": "characters", "utf16": "UTF-16 units", "byte": "bytes"}[
            self.convention.unit
        ]


def code_points(text: str, convention: Convention) -> list[int] | None:
    """Return the code point at each position of a text, −1 inside one; None if they are the same.

    One more position stands for the end of the text.
    """
    if convention.unit == "character" or text.isascii():
        return None
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    steps = (0xFFFF,) if convention.unit == "utf16" else (0x7F, 0x7FF, 0xFFFF)
    sizes = 1 + np.sum([characters > step for step in steps], axis=0)
    ends = np.cumsum(sizes)
    if ends[-1] == len(text):
        return None
    points = np.full(ends[-1] + 1, -1)
    points[ends - sizes] = np.arange(len(text))
    points[-1] = len(text)
    found: list[int] = points.tolist()
    return found


# ---- Tokens ----


def tokens_of(draft: Draft) -> Tokens | None:
    """Return the tokens of a draft; None if it has neither words nor text."""
    if draft.words is None:
        if draft.text is None:
            return None
        text = draft.text
        characters = [match.span() for match in TOKEN.finditer(text)]
        words = [text[begin:end] for begin, end in characters]
    else:
        words = list(draft.words)
        characters = list(draft.characters or found_words(draft))
    lengths = draft.sentences if draft.sentences is not None else [len(words)]
    ends = [0, *accumulate(lengths)]
    return Tokens(
        words=words,
        sentences=[range(begin, end) for begin, end in pairwise(ends) if begin < end],
        text=draft.text,
        characters=None if not characters and draft.text is None else characters,
        columns=draft.columns,
        places=range(len(words) + 1),
    )


def found_words(draft: Draft) -> Iterator[tuple[int, int]]:
    """Yield where the words of a draft are in its text, one after the other."""
    if draft.text is None or draft.words is None:
        return
    end = 0
    for number, word in enumerate(draft.words):
        begin = draft.text.find(word, end)
        if begin < 0 or draft.text[end:begin].strip():
            raise NotThere(
                f"token {number}, {word!r}, is not in the text after character {end}; expected the "
                "tokens of the text"
            )
        end = begin + len(word)
        yield begin, end


def code_point_pairs(words: Sequence[str], pairs: Characters) -> Characters:
    """Turn the places of words in UTF-16 units into code points; blanks have one unit each."""
    surplus, found = 0, []
    for word, (begin, end) in zip(words, pairs, strict=True):
        inside = sum(character > "\uffff" for character in word)
        found.append((begin - surplus, end - surplus - inside))
        surplus += inside
    return found


def divided(tokens: Tokens | None, edges: Iterable[int]) -> Tokens:
    """Divide tokens at edges that lie inside them."""
    assert tokens is not None and tokens.text is not None and tokens.characters is not None
    cuts = sorted(edges)
    characters: Characters = []
    places: list[int] = []
    for begin, end in tokens.characters:
        places.append(len(characters))
        inside = cuts[bisect_right(cuts, begin) : bisect_left(cuts, end)]
        characters += pairwise([begin, *inside, end])
    places.append(len(characters))
    if len(characters) == len(tokens.words):
        return tokens
    sizes = [after - before for before, after in pairwise(places)]
    return Tokens(
        words=[tokens.text[begin:end] for begin, end in characters],
        sentences=[range(places[s.start], places[s.stop]) for s in tokens.sentences],
        text=tokens.text,
        characters=characters,
        columns={
            layer: [value for value, size in zip(values, sizes, strict=True) for _ in range(size)]
            for layer, values in tokens.columns.items()
        },
        places=places,
    )
