"""Prove from the strings of mentions how a file counts positions.

Some files repeat the words of each mention. If these words stand elsewhere than the positions say,
the positions are counted in another way, such as with exclusive ends. Without strings, some ways
to count are improbable: nearly all texts have mentions of one token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TypeAlias, TypeVar, get_args

from corefscope.corpus.offsets import OF_TEXT, UNITS, Base, Convention, Ends, Unit
from corefscope.findings import Code
from corefscope.formats.draft import Draft, DraftMention, Place
from corefscope.formats.options import ReadingOptions
from corefscope.formats.spellings import SIGNS
from corefscope.formats.units import (
    Misplaced,
    NotThere,
    Stretches,
    token_finder,
    tokens_of,
)

MOST = 1000
"""How many mentions of a file are examined."""
PROVEN = 0.99
"""The share of strings that a convention must bring back to be proven."""
REFUTED = 0.5
"""The share of strings below which a convention is refuted."""
FEWEST = 3
"""How many strings are needed to refute a convention; fewer may match by chance."""
MOST_WHOLE = 0.9
"""The share of mentions that may begin and end with words if positions are to be doubted."""
FEWEST_WITHOUT_STRINGS = 20
"""How many mentions are needed to doubt that none of them has one token."""
FEWEST_PAIRS = 4
"""How many mentions are needed to doubt that all of them have two tokens."""
MOST_SENTENCES = 200
SHOWN = 3
BRACKET = re.compile("|".join(map(re.escape, SIGNS)))
BLANKS = re.compile(r"\s+")
Item = TypeVar("Item")
Said: TypeAlias = Callable[[DraftMention], bool]
"""Tells whether the string of a mention stands at its place."""


def sample(items: Iterator[Item], size: Callable[[Item], int]) -> list[Item]:
    """Return the first items of an iterator: as many as have ``MOST`` mentions together."""
    taken, count = [], 0
    for item in items:
        taken.append(item)
        count += size(item)
        if count >= MOST:
            break
    return taken


def echo_of(
    drafts: Iterable[Draft], format: str, options: ReadingOptions
) -> tuple[Code, str] | None:
    """Return what the strings of mentions say against the way in which positions are read.

    Parameters
    ----------
    drafts
        The first documents of a file.
    format
        The name of its format.
    options
        What the user said about the format.

    Returns
    -------
    tuple of Code and str
        ``REFUTED_CONVENTION`` with the option that makes it right, or ``DOUBTFUL_CONVENTION``; None
        if nothing speaks against it.
    """
    groups: dict[Convention, list[Draft]] = {}
    for draft in drafts:
        groups.setdefault(draft.convention, []).append(draft)
    for convention, alike in groups.items():
        echoes = [_Echo(draft) for draft in alike]
        case = _Case(
            declared=convention,
            echoes=[echo for echo in echoes if echo.mentions],
            format=format,
            options=options,
        )
        found = case.verdict() if case.echoes else _soft(alike, convention, format, options)
        if found is not None:
            return found
    return None


# ---- With strings ----


@dataclass(eq=False)
class _Echo:
    """The mentions of a document that have strings, and where these strings are found."""

    draft: Draft
    _hits: dict[Convention, int] = field(default_factory=dict)

    @cached_property
    def mentions(self) -> list[DraftMention]:
        return [m for entity in self.draft.entities for m in entity.mentions if m.string][:MOST]

    def hits(self, convention: Convention) -> int:
        """Return how many strings stand at their places."""
        if convention not in self._hits:
            said = self.said(convention)
            self._hits[convention] = 0 if said is None else sum(map(said, self.mentions))
        return self._hits[convention]

    def said(self, convention: Convention) -> Said | None:
        """Return a function that tells whether a string stands at its place, if it can be told."""
        draft = replace(self.draft, convention=convention)
        try:
            if convention.unit in OF_TEXT:
                return None if draft.text is None else self._in_text(draft, draft.text)
            if convention.unit == "sentence" and self.is_pair:
                return self._in_some_sentence(draft)
            return self._in_tokens(draft)
        except NotThere:
            return None

    @cached_property
    def is_pair(self) -> bool:
        """Whether places have no sentence."""
        return all(len(place) == 2 for mention in self.mentions for place in mention.places)

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the document."""
        words = self.draft.words
        if words is None:
            tokens = tokens_of(self.draft)
            words = [] if tokens is None else tokens.words
        return words

    @staticmethod
    def _in_text(draft: Draft, text: str) -> Said:
        stretches = Stretches(text, draft.convention)

        def said(mention: DraftMention) -> bool:
            try:
                edges = [stretches.edges(place) for place in mention.places]
            except Misplaced:
                return False
            parts = " ".join([text[begin:end] for begin, end in edges])
            string = mention.string or ""
            return parts == string or BLANKS.sub(" ", parts) == BLANKS.sub(" ", string)

        return said

    def _in_tokens(self, draft: Draft) -> Said:
        finder, words = token_finder(draft, len(self.words)), self.words

        def said(mention: DraftMention) -> bool:
            try:
                spans = [finder(place) for place in mention.places]
            except Misplaced:
                return False
            found = [word for first, last in spans for word in words[first : last + 1]]
            string = mention.string or ""
            return " ".join(found) == string or _joined(found) == _letters(string)

        return said

    def _in_some_sentence(self, draft: Draft) -> Said:
        """Look into every sentence, because the file does not say which one is meant."""
        count = len(draft.sentences or ())
        finder = token_finder(draft, len(self.words))
        words = self.words

        def said(mention: DraftMention) -> bool:
            ((start, end),) = mention.places[:1]
            letters = _letters(mention.string or "")
            for sentence in range(min(count, MOST_SENTENCES)):
                try:
                    first, last = finder((sentence, start, end))
                except Misplaced:
                    continue
                if _joined(words[first : last + 1]) == letters:
                    return True
            return False

        return said


def _letters(text: str) -> str:
    """Return a text without blanks, and with the brackets that some tokenisers rename."""
    return BRACKET.sub(lambda found: SIGNS[found[0]], "".join(text.split()))


def _joined(words: Sequence[str]) -> str:
    """Return the letters of words."""
    return "".join(map(_letters, words))


@dataclass(slots=True, eq=False, kw_only=True)
class _Case:
    """The documents of a file that are read with one convention."""

    declared: Convention
    echoes: list[_Echo]
    format: str
    options: ReadingOptions

    @property
    def total(self) -> int:
        return sum(len(echo.mentions) for echo in self.echoes)

    def hits(self, convention: Convention) -> int:
        return sum(echo.hits(convention) for echo in self.echoes)

    def verdict(self) -> tuple[Code, str] | None:
        """Return what the strings say against the declared convention, if anything."""
        total, hits = self.total, self.hits(self.declared)
        if hits >= PROVEN * total:
            return None
        best = min(self._others(), key=lambda other: (-self.hits(other), self._distance(other)))
        if self.hits(best) >= PROVEN * total and self._is_refuted_by(best):
            return self._error(), self._refutation(best)
        if hits >= REFUTED * total:
            return Code.DOUBTFUL_CONVENTION, self._mismatches()
        message = (
            f"{hits} of {total} strings of mentions stand where the positions say, and at most "
            f"{self.hits(best)} if positions are counted in another way; expected the strings that "
            f"stand there: text and positions do not belong together{self._examples()}"
        )
        return self._error(), message

    def _error(self) -> Code:
        """Return an error, unless strings are few or the user said how positions are counted."""
        given = (self.options.unit, self.options.base, self.options.ends)
        is_said = any(value is not None for value in given)
        is_error = not is_said and self.total >= FEWEST
        return Code.REFUTED_CONVENTION if is_error else Code.DOUBTFUL_CONVENTION

    def _others(self) -> list[Convention]:
        parts = product(get_args(Base), get_args(Ends), get_args(Unit))
        return [other for each in parts if (other := Convention(*each)) != self.declared]

    def _distance(self, other: Convention) -> tuple[int, int]:
        """Return how much another convention differs; code points come before other units."""
        order: Sequence[Unit] = (self.declared.unit, *get_args(Unit))
        return len(other.options(self.declared)), order.index(other.unit)

    def _is_refuted_by(self, other: Convention) -> bool:
        """Tell whether few strings match as declared in the documents that show a difference.

        A text in ASCII does not show whether characters or bytes are counted.
        """
        apart = [echo for echo in self.echoes if echo.hits(other) != echo.hits(self.declared)]
        total = sum(len(echo.mentions) for echo in apart)
        return sum(echo.hits(self.declared) for echo in apart) < REFUTED * total

    def _refutation(self, best: Convention) -> str:
        looks = " and ".join(_difference(name, value) for name, value in self._changes(best))
        counts = (
            f"{looks}: {self.hits(best)} of {self.total} strings match so, "
            f"{self.hits(self.declared)} as the file is read; expected the words of mentions at "
            "their positions"
        )
        # The number of the sentence cannot be given as an option.
        if best.unit == "sentence" and any(echo.is_pair for echo in self.echoes):
            return (
                f"{counts}: the file does not say in which sentence; count from the beginning of "
                "the document"
            )
        return f"{counts}: {advice(self.format, self.options, self.declared, best)}"

    def _changes(self, best: Convention) -> list[tuple[str, str | int]]:
        return best.options(self.declared)

    def _mismatches(self) -> str:
        hits, total = self.hits(self.declared), self.total
        message = (
            f"{total - hits} of {total} strings of mentions do not stand where the positions say; "
            "expected the same words"
        )
        drift = next(filter(None, (_drift(echo) for echo in self.echoes)), None)
        return f"{message}{drift}" if drift else f"{message}{self._examples()}"

    def _examples(self) -> str:
        found: list[str] = []
        for echo in self.echoes:
            said = echo.said(self.declared)
            wrong = [m for m in echo.mentions if said is None or not said(m)]
            where = f" of document {echo.draft.name!r}" if echo.draft.name is not None else ""
            found += [f"{m.string!r} at {_shown(m)}{where}" for m in wrong[: SHOWN - len(found)]]
        return ": " + ", ".join(found)


def _shown(mention: DraftMention) -> str:
    return " and ".join(str(list(place)) for place in mention.places)


def _difference(name: str, value: str | int) -> str:
    """Describe a part of a convention that is not as declared."""
    if name == "unit":
        (unit,) = (unit for unit in UNITS if unit == value)
        return f"positions look like {UNITS[unit]}"
    if name == "base":
        return f"positions look counted from {value}"
    return "second numbers look like lengths" if value == "length" else f"ends look {value}"


def advice(format: str, options: ReadingOptions, declared: Convention, better: Convention) -> str:
    """Return how to read a file with another convention."""
    changed = {name for name, _ in better.options(declared)}
    parts = {"unit": better.unit, "base": better.base, "ends": better.ends}
    written = [
        f"{name}={value}"
        for name, value in parts.items()
        if name in changed or getattr(options, name) is not None
    ]
    details = ",".join([options.clusters, *written] if options.clusters else written)
    return f"read the file with the format '{format}:{details}'"


def _drift(echo: _Echo) -> str | None:
    """Say from where on positions are wrong, if all of them are wrong by the same number.

    That happens if the text was changed after positions were counted.
    """
    draft, said = echo.draft, echo.said(echo.draft.convention)
    if draft.convention.unit not in OF_TEXT or draft.text is None or said is None:
        return None
    ordered = sorted(echo.mentions, key=lambda mention: mention.places[0])
    right = [said(mention) for mention in ordered]
    if all(right) or not any(right):
        return None
    begin = right.index(False)
    wrong = [mention for mention, is_right in zip(ordered, right, strict=True) if not is_right]
    if any(right[begin:]):
        return None
    moved = {_moved(echo, mention) for mention in wrong}
    if len(moved) != 1 or (by := moved.pop()) is None:
        return None
    place = wrong[0].places[0][0]
    name = f" of document {draft.name!r}" if draft.name is not None else ""
    return (
        f"; from character {place}{name} on, where {wrong[0].string!r} should stand, all positions "
        f"are too {'low' if by > 0 else 'high'} by {abs(by)}: the text may have been changed after "
        "positions were counted, for example its line ends"
    )


def _moved(echo: _Echo, mention: DraftMention) -> int | None:
    """Return how far a mention must be moved to its string; None if it is not near."""
    said = echo.said(echo.draft.convention)
    assert said is not None
    for distance in range(1, 100):
        for by in (distance, -distance):
            places: list[Place] = [tuple(n + by for n in place) for place in mention.places]
            if said(DraftMention(places=tuple(places), string=mention.string)):
                return by
    return None


# ---- Without strings ----


def _soft(
    drafts: Sequence[Draft], declared: Convention, format: str, options: ReadingOptions
) -> tuple[Code, str] | None:
    """Doubt inclusive ends if no mention has one token, which nearly every text has."""
    if declared.unit in OF_TEXT:
        return _soft_in_text(drafts, declared, format, options)
    if declared.ends != "inclusive" or options.ends is not None:
        return None
    lengths = [
        place[-1] - place[-2]
        for draft in drafts
        for entity in draft.entities
        for mention in entity.mentions
        for place in mention.places[:1]
    ]
    if len(lengths) >= FEWEST_WITHOUT_STRINGS and 0 not in lengths:
        found = f"none of the first {len(lengths)} mentions has one token"
    elif len(lengths) >= FEWEST_PAIRS and set(lengths) == {1}:
        found = f"all of the first {len(lengths)} mentions have two tokens"
    else:
        return None
    better = replace(declared, ends="exclusive")
    message = (
        f"{found}; expected some of one token: ends are probably exclusive; if they are, "
        f"{advice(format, options, declared, better)}"
    )
    return Code.DOUBTFUL_CONVENTION, message


def _soft_in_text(
    drafts: Sequence[Draft], declared: Convention, format: str, options: ReadingOptions
) -> tuple[Code, str] | None:
    """Doubt positions that lie inside words, if hardly any does when they are counted otherwise."""
    if (options.unit, options.base, options.ends) != (None, None, None):
        return None
    total = sum(len(entity.mentions) for draft in drafts for entity in draft.entities)
    whole = _whole_words(drafts, declared)
    if whole > MOST_WHOLE * total or total - whole < FEWEST:
        return None
    others = [Convention(*each) for each in product(get_args(Base), get_args(Ends), OF_TEXT)]
    others.sort(key=lambda other: len(other.options(declared)))
    found = [_whole_words(drafts, other) for other in others]
    if max(found) < PROVEN * total:
        return None
    better = others[found.index(max(found))]
    looks = " and ".join(_difference(name, value) for name, value in better.options(declared))
    message = (
        f"{total - whole} of {total} mentions begin or end inside a word, at a blank or outside "
        f"the text, but next to none if positions are counted in another way; expected whole words:"
        f" {looks}; if so, {advice(format, options, declared, better)}"
    )
    return Code.DOUBTFUL_CONVENTION, message


def _whole_words(drafts: Sequence[Draft], convention: Convention) -> int:
    """Return how many mentions begin and end with a word or a sign."""
    found = 0
    for draft in drafts:
        text = draft.text or ""
        stretches = Stretches(text, convention)
        for entity in draft.entities:
            for mention in entity.mentions:
                try:
                    edges = [stretches.edges(place) for place in mention.places]
                except Misplaced:
                    continue
                found += all(_is_whole(text, begin, end) for begin, end in edges)
    return found


def _is_whole(text: str, begin: int, end: int) -> bool:
    """Return whether a stretch of a text has no blank at its edges, and cuts no word."""
    if text[begin].isspace() or text[end - 1].isspace():
        return False
    cuts_first = begin > 0 and text[begin - 1].isalnum() and text[begin].isalnum()
    return not cuts_first and not (text[end - 1].isalnum() and text[end : end + 1].isalnum())
