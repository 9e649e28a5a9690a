"""Prove from the strings of mentions how a file counts positions.

Some files repeat the words of each mention. If these words stand elsewhere than the positions say,
the positions are counted in another way, such as with exclusive ends. Without strings, some ways
to count are improbable: nearly all texts have mentions of one token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from typing import TypeVar, cast, get_args

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.corpus.characters import SEVERAL, CharacterEvidence
from corefscope.corpus.offsets import (
    OF_TEXT,
    UNITS,
    Base,
    Convention,
    Ends,
    Unit,
    Verdict,
    fittest,
    needs_text,
)
from corefscope.findings import Code, Finding
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import Draft, Mentions, Place
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.units import (
    BLANK,
    Finder,
    NotThere,
    Stretches,
    Tokens,
    is_same_text,
    kinds_of,
    positions,
    shown,
    token_finder,
    tokens_of,
)

SIGNS: Mapping[str, str] = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
"""The signs by their spellings."""


MOST = 1000
"""How many mentions of a file are examined."""
PROVEN = 0.99
"""The share of strings that a convention must bring back to be proven."""
REFUTED = 0.5
"""The share of strings below which a convention is refuted."""
FEWEST = 3
"""How many strings are needed to refute a convention; fewer may match by chance."""
FEWEST_WITHOUT_STRINGS = 20
"""How many mentions are needed to doubt that none of them has one token."""
FEWEST_PAIRS = 4
"""How many mentions are needed to doubt that all of them have two tokens."""
FEWEST_MOSTLY_PAIRS = 8
"""How many are needed if two thirds of them have two tokens, and none has one."""
MOST_SENTENCES = 200
SHOWN = 3
MOST_OFTEN_DIVIDED = 50
"""Of how many words and signs at least one token may be two."""
BRACKET = re.compile("|".join(map(re.escape, SIGNS)))
Item = TypeVar("Item")


def sample(items: Iterator[Item], size: Callable[[Item], int]) -> list[Item]:
    """Return the first items of an iterator: as many as have ``MOST`` mentions together."""
    taken, count = [], 0
    for item in items:
        taken.append(item)
        count += size(item)
        if count >= MOST:
            break
    return taken


def echo_of(drafts: Iterable[Draft], reading: Reading) -> Finding | None:
    """Return what the strings of mentions say against the way in which positions are read.

    Parameters
    ----------
    drafts
        The first documents of a file.
    reading
        Its format, and what the user said about it.

    Returns
    -------
    Finding or None
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
            echoes=[echo for echo in echoes if echo.mentions.count],
            reading=reading,
        )
        found = case.verdict() if case.echoes else _soft(alike, convention, reading)
        if found is not None:
            return found
    return None


def is_refuted(drafts: Iterable[Draft], builder: Builder, file: str) -> bool:
    """Report what speaks against the way in which positions of a file are read.

    Parameters
    ----------
    drafts
        The first documents of the file.
    builder
        Collects findings.
    file
        The name of the file.

    Returns
    -------
    bool
        Whether the way is refuted, so that the file must not be read.
    """
    echo = echo_of(drafts, builder.reading)
    if echo is not None:
        builder.add(echo.at(file))
    return echo is not None and echo.code is Code.REFUTED_CONVENTION


# ---- With strings ----


class _Echo(Struct, eq=False, dict=True):
    """The mentions of a document that have strings, and where these strings are found."""

    draft: Draft
    _hits: dict[Convention, list[bool]] = field(default_factory=dict)

    @cached_property
    def mentions(self) -> Mentions:
        """The first mentions that have strings."""
        given = self.draft.mentions
        return _some(given, [n for n, string in enumerate(given.strings) if string][:MOST])

    def hits(self, convention: Convention) -> int:
        """Return how many strings stand at their places."""
        return sum(self.said(convention))

    def said(self, convention: Convention) -> list[bool]:
        """Return for each string whether it stands at its place; it does not if nobody knows."""
        if convention not in self._hits:
            try:
                self._hits[convention] = self.stand(self.mentions, convention)
            except NotThere:
                self._hits[convention] = [False] * self.mentions.count
        return self._hits[convention]

    def stand(self, mentions: Mentions, convention: Convention) -> list[bool]:
        """Return for each of some mentions whether its string stands at its place."""
        draft = replace(self.draft, convention=convention)
        if convention.unit in OF_TEXT:
            return _in_text(mentions, draft)
        finder = token_finder(draft, len(self.words))
        if convention.unit == "sentence" and self.is_pair:
            return self._in_some_sentence(mentions, finder)
        return self._in_tokens(mentions, finder)

    @cached_property
    def is_pair(self) -> bool:
        """Whether places have no sentence."""
        return {2}.issuperset(map(len, self.mentions.places))

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the document."""
        words = self.draft.words
        if words is None:
            tokens = tokens_of(self.draft)
            words = [] if tokens is None else tokens.words
        return words

    def _in_tokens(self, mentions: Mentions, finder: Finder) -> list[bool]:
        words = self.words

        first, last, is_wrong = finder(mentions.places)
        ends = (last + 1).tolist()
        parts = [words[begin:end] for begin, end in zip(first.tolist(), ends, strict=True)]
        found = (list(chain.from_iterable(each)) for each in mentions.grouped(parts))
        rows = zip(found, mentions.strings, mentions.grouped(is_wrong.tolist()), strict=True)
        return [
            True not in wrong
            and (" ".join(given) == string or _joined(given) == _letters(string or ""))
            for given, string, wrong in rows
        ]

    def _in_some_sentence(self, mentions: Mentions, finder: Finder) -> list[bool]:
        """Look into every sentence, because the file does not say which one is meant."""
        sentences = range(min(len(self.draft.sentences or ()), MOST_SENTENCES))
        rows = zip(mentions.all_places(), mentions.strings, strict=True)
        return [
            any(
                self._in_tokens(
                    _table([[(each, *places[0])] for each in sentences], [string] * len(sentences)),
                    finder,
                )
            )
            for places, string in rows
        ]


def _in_text(mentions: Mentions, draft: Draft) -> list[bool]:
    text = draft.text
    if text is None:
        raise NotThere("there is no text")

    first, last, is_wrong = Stretches(text, draft.convention).with_blanks(mentions.places)
    ends = (last + 1).tolist()
    parts = [text[begin:end] for begin, end in zip(first.tolist(), ends, strict=True)]
    found = [" ".join(each) for each in mentions.grouped(parts)] if mentions.parts else parts
    rows = zip(found, mentions.strings, mentions.grouped(is_wrong.tolist()), strict=True)
    return [True not in wrong and is_same_text(one, other) for one, other, wrong in rows]


def _some(mentions: Mentions, numbers: Sequence[int]) -> Mentions:
    """Return the places and strings of some mentions."""
    if len(numbers) == mentions.count:
        return mentions
    places = list(mentions.all_places())
    return _table([places[n] for n in numbers], [mentions.strings[n] for n in numbers])


def _table(places: Sequence[Sequence[Place]], strings: Sequence[str | None]) -> Mentions:
    """Return mentions with the given places and strings."""
    flat = list(chain.from_iterable(places))
    parts = list(map(len, places)) if len(flat) > len(places) else ()
    return Mentions(labels=(), sizes=(), places=flat, parts=parts, strings=strings)


def _letters(text: str) -> str:
    """Return a text without blanks, and with the brackets that some tokenisers rename."""
    return BRACKET.sub(lambda found: SIGNS[found[0]], "".join(text.split()))


def _joined(words: Sequence[str]) -> str:
    """Return the letters of words."""
    return "".join(map(_letters, words))


class _Case(Struct, eq=False, kw_only=True):
    """The documents of a file that are read with one convention."""

    declared: Convention
    echoes: list[_Echo]
    reading: Reading

    @property
    def total(self) -> int:
        return sum(echo.mentions.count for echo in self.echoes)

    def hits(self, convention: Convention) -> int:
        return sum(echo.hits(convention) for echo in self.echoes)

    def verdict(self) -> Finding | None:
        """Return what the strings say against the declared convention, if anything."""
        total, hits = self.total, self.hits(self.declared)
        if hits >= PROVEN * total:
            return None
        best, most = fittest(
            sorted(self._others(), key=lambda o: len(o.options(self.declared))), self.hits
        )
        if most >= PROVEN * total and self._is_refuted_by(best):
            return self._refutation(best)
        if hits >= REFUTED * total:
            return self._mismatches()
        return self._tokens() or self._nothing(best)

    def _tokens(self) -> Finding | None:
        """Say that positions look like tokens which are not in the file, if they do."""
        if self.declared.unit not in OF_TEXT:
            return None
        total, found = self.total, sum(map(_hits_in_unknown_tokens, self.echoes))
        if found < max(PROVEN * total, FEWEST):
            return None
        return Finding(
            self._error(),
            "positions look like tokens, but the file does not say where tokens begin and end: "
            f"{found} of {total} strings can stand there so, {self.hits(self.declared)} as the "
            "file is read",
            expected=(
                f"{UNITS[self.declared.unit]}: write the tokens into the file in place of the "
                "text, or convert the positions"
            ),
        )

    def _nothing(self, best: Convention) -> Finding:
        """Say that positions mean nothing in any way of counting."""
        hits, most = self.hits(self.declared), self.hits(best)
        others = "" if best == self.declared else f", and at most {most} if counted in another way"
        return Finding(
            self._error(),
            f"{hits} of {self.total} strings of mentions stand where the positions say{others}",
            expected=(
                "the strings that stand there: text and positions do not belong "
                f"together{self._examples()}"
            ),
        )

    def _error(self) -> Code:
        """Return an error, unless strings are few or the user said how positions are counted."""
        is_error = not self.reading.is_counted_as_told and self.total >= FEWEST
        return Code.REFUTED_CONVENTION if is_error else Code.DOUBTFUL_CONVENTION

    def _others(self) -> list[Convention]:
        """Return the conventions that can be declared; that of the format if it has no choice."""
        parts = product(get_args(Base), get_args(Ends), get_args(Unit))
        others = [other for each in parts if (other := Convention(*each)) != self.declared]
        return [o for o in others if self.reading.can_be(self.declared, o)] or [self.declared]

    def _is_refuted_by(self, other: Convention) -> bool:
        """Tell whether few strings match as declared in the documents that show a difference.

        A text in ASCII does not show whether characters or bytes are counted.
        """
        apart = [echo for echo in self.echoes if echo.hits(other) != echo.hits(self.declared)]
        total = sum(echo.mentions.count for echo in apart)
        return sum(echo.hits(self.declared) for echo in apart) < REFUTED * total

    def _refutation(self, best: Convention) -> Finding:
        advice = self.reading.advice(self.declared, best)
        # The number of the sentence cannot be given as an option.
        if best.unit == "sentence" and any(echo.is_pair for echo in self.echoes):
            advice = (
                "the file does not say in which sentence; count from the beginning of the document"
            )
        verdict = Verdict(
            looks=_looks(self.declared, best),
            observed="strings match",
            total=self.total,
            as_read=self.hits(self.declared),
            otherwise=self.hits(best),
            expected="the words of mentions at their positions",
            advice=advice,
        )
        return verdict.finding(self._error())

    def _mismatches(self) -> Finding:
        wrong, total = self.total - self.hits(self.declared), self.total
        drift = next(filter(None, (_drift(echo) for echo in self.echoes)), None)
        return Finding(
            Code.DOUBTFUL_CONVENTION,
            f"{wrong} of {total} strings of mentions do not stand where the positions say",
            expected=f"the same words{drift or self._examples()}",
        )

    def _examples(self) -> str:
        found: list[str] = []
        for echo in self.echoes:
            given, said = echo.mentions, echo.said(self.declared)
            rows = zip(given.strings, given.all_places(), said, strict=True)
            wrong = [(string, places) for string, places, is_right in rows if not is_right]
            where = f" of document {echo.draft.name!r}" if echo.draft.name is not None else ""
            found += [
                f"{string!r} at {shown(places)}{where}"
                for string, places in wrong[: SHOWN - len(found)]
            ]
        return ": " + ", ".join(found)


def _looks(declared: Convention, best: Convention) -> str:
    """Describe how positions look counted, where it is not as declared."""
    return " and ".join(_difference(name, value) for name, value in best.options(declared))


def _difference(name: str, value: str | int) -> str:
    """Describe a part of a convention that is not as declared."""
    if name == "unit":
        return f"positions look like {UNITS[cast(Unit, value)]}"
    if name == "base":
        return f"positions look counted from {value}"
    return "second numbers look like lengths" if value == "length" else f"ends look {value}"


def _drift(echo: _Echo) -> str | None:
    """Say from where on positions are wrong, if all of them are wrong by the same number.

    That happens if the text was changed after positions were counted.
    """
    draft = echo.draft
    if draft.convention.unit not in OF_TEXT or draft.text is None:
        return None
    given, said = echo.mentions, echo.said(draft.convention)
    rows = zip(map(list, given.all_places()), given.strings, said, strict=True)
    ordered = sorted(rows, key=lambda row: list(row[0][0]))
    right = [is_right for _, _, is_right in ordered]
    if all(right) or not any(right):
        return None
    begin = right.index(False)
    if any(right[begin:]):
        return None
    wrong = [(places, string) for places, string, _ in ordered[begin:]]
    moved = {_moved(echo, places, string) for places, string in wrong}
    if len(moved) != 1 or (by := moved.pop()) is None:
        return None
    (place, *_), first = wrong[0]
    name = f" of document {draft.name!r}" if draft.name is not None else ""
    return (
        f"; from character {place[0]}{name} on, where {first!r} should stand, all positions "
        f"are too {'low' if by > 0 else 'high'} by {abs(by)}: the text may have been changed after "
        "positions were counted, for example its line ends"
    )


def _moved(echo: _Echo, places: Sequence[Place], string: str | None) -> int | None:
    """Return how far a mention must be moved to its string; None if it is not near."""
    ways = [by for distance in range(1, 100) for by in (distance, -distance)]
    moved = [[[number + by for number in place] for place in places] for by in ways]
    right = echo.stand(_table(moved, [string] * len(ways)), echo.draft.convention)
    return ways[right.index(True)] if True in right else None


def _hits_in_unknown_tokens(echo: _Echo) -> int:
    """Return how many strings can stand at their places, if these count tokens of any program.

    Tokens are at least what stands between blanks, and at most words and signs. A few words are
    divided further, such as "cannot".
    """
    text, given = echo.draft.text, echo.mentions
    if not text or echo.draft.words is not None or given.parts:
        return 0
    is_first = np.zeros(len(text), np.int64)
    is_first[Tokens(given=None, text=text).edges[0]] = 1
    after_blank = is_first * np.append(True, kinds_of(text)[:-1] == BLANK)
    most, fewest = np.cumsum(is_first), np.cumsum(after_blank) - after_blank
    numbers = chain.from_iterable(place[-2:] for place in given.places)
    starts, ends = positions(numbers).reshape(-1, 2).T
    begin = np.searchsorted(most + most // MOST_OFTEN_DIVIDED, starts)
    end = np.searchsorted(fewest, starts, side="right")
    found = 0
    for string, first, last, size in zip(
        given.strings, begin.tolist(), end.tolist(), (ends - starts).tolist(), strict=True
    ):
        words, parts = len((string or "").split()), len(Tokens(given=None, text=string))
        is_there = text.find(string or "", first, last + len(string or "")) >= 0
        found += is_there and words - 1 <= size <= parts + 1
    return found


# ---- Without strings ----


def _soft(drafts: Sequence[Draft], declared: Convention, reading: Reading) -> Finding | None:
    """Doubt inclusive ends if no mention has one token, which nearly every text has."""
    if declared.unit in OF_TEXT:
        return None
    if found := _beyond_words(drafts, declared, reading):
        return found
    better = replace(declared, ends="exclusive")
    if declared.ends != "inclusive" or reading.options.ends is not None:
        return None
    if not reading.can_be(declared, better):
        return None
    lengths = [
        places[0][-1] - places[0][-2] for draft in drafts for places in draft.mentions.all_places()
    ]
    if min(lengths, default=0) < 0:
        # These mentions are errors, whose messages say what second numbers may be.
        return None
    pairs = lengths.count(1)
    enough = FEWEST_WITHOUT_STRINGS
    if 3 * pairs >= 2 * len(lengths):
        enough = FEWEST_PAIRS if pairs == len(lengths) else FEWEST_MOSTLY_PAIRS
    if 0 in lengths or not pairs or len(lengths) < enough:
        return None
    verdict = Verdict(
        looks="ends look exclusive",
        observed="mentions have one token",
        total=len(lengths),
        as_read=0,
        otherwise=pairs,
        expected="some of one token",
        advice=f"if ends are exclusive, {reading.advice(declared, better)}",
    )
    return verdict.finding(Code.DOUBTFUL_CONVENTION)


def _beyond_words(
    drafts: Sequence[Draft], declared: Convention, reading: Reading
) -> Finding | None:
    """Refuse positions beyond the words of their documents, if as characters they are at words."""
    better = replace(declared, unit="character")
    if declared.unit != "token" or not reading.can_be(declared, better):
        return None
    evidence, inside = CharacterEvidence(), 0
    for draft in drafts:
        last = max((place[-1] for place in draft.mentions.places), default=0)
        if draft.words and last > len(draft.words):
            pairs = chain.from_iterable(place[-2:] for place in draft.mentions.places)
            own = positions(pairs).reshape(-1, 2)
            evidence.add(own, draft.words)
            inside += int((own[:, 1] < len(draft.words)).sum())
    if evidence.total < SEVERAL or not evidence.are_words:
        return None
    format = reading.named(declared, evidence.convention)
    return evidence.finding("file", inside, needs_text("file", format))
