"""Find the mentions of a copy in its source, by the words of both, and keep a ledger.

A mention is never placed by its position alone: words of it, or words beside it, must be those of
the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus.copies import EMPTY, NEVER_CLOSED, NO_NAME, Copy
from corefscope.transfer.ledger import (
    NO_COUNTERPART,
    OUTSIDE,
    REPEATED,
    UNCERTAIN,
    Ledger,
    Status,
    WordCounts,
)
from corefscope.transfer.repetitions import repetitions
from corefscope.transfer.texts import LetterText, Stretch, gaps, refined
from corefscope.transfer.words import UNMATCHED, align

FAILED_BELOW = 0.1
"""The share of the source that must come back."""
SCATTERED_BELOW = 0.5
"""The same, if no two words in a row come back: a refusal has words of any text."""
FEW = 2
"""Words that may be missing at the end, or stand after the end, without a meaning."""
FENCE = "`"
"""The sign around a block of code in Markdown, in which a model may answer."""
SURE = 3
"""Words in a row that need no neighbour to be certain."""


Fate: TypeAlias = Literal["exact", "edited", "shrunk"]
Tagged: TypeAlias = tuple[int, Stretch]
"""The entity of a mention, and its letters in the copy."""


class Aligned(Struct, kw_only=True, dict=True):
    """A copy, its source, and which words of both are the same."""

    source: LetterText
    copy: LetterText
    match: list[int]
    """The word of the source for each word of the copy, or −1."""
    is_text: Sequence[bool] = ()
    """Whether each word of the copy is text, and not an opening tag that is never closed."""
    is_aside: Sequence[bool] = ()
    """Whether each word of the copy is no part of it, as a repetition is."""

    def __post_init__(self) -> None:
        self.is_text = self.is_text or [True] * len(self.match)
        self.is_aside = self.is_aside or [False] * len(self.match)

    @cached_property
    def rest(self) -> list[int]:
        """The words of the copy that are text, without those that are no part of it."""
        kept = zip(self.is_text, self.is_aside, strict=True)
        return [word for word, (is_one, aside) in enumerate(kept) if is_one and not aside]

    @cached_property
    def at(self) -> dict[int, int]:
        """The place of each of these among them."""
        return {word: place for place, word in enumerate(self.rest)}

    @cached_property
    def found(self) -> list[int]:
        """The word of the source for each of these, or −1."""
        return [self.match[word] for word in self.rest]

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The first of these that is matched, and the one after the last."""
        matched = [place for place, at in enumerate(self.found) if at >= 0]
        return (matched[0], matched[-1] + 1) if matched else (0, 0)

    @cached_property
    def runs(self) -> set[tuple[str, ...]]:
        """All runs of ``SURE`` words in the source."""
        keys = self.source.keys
        return set(zip(*(keys[step:] for step in range(SURE)), strict=False))

    @property
    def matched(self) -> int:
        """How many words are matched."""
        return sum(place >= 0 for place in self.found)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every word of both texts is matched, as in a copy of a text of one word."""
        return self.found == list(range(len(self.source.keys)))

    @cached_property
    def counts(self) -> list[bool]:
        """Whether each word of the text counts as a neighbour: signs that are inserted do not."""
        words = self.copy.words
        return [
            at >= 0 or words[word][0].isalnum()
            for word, at in zip(self.rest, self.found, strict=True)
        ]

    @cached_property
    def before(self) -> list[int]:
        """The nearest word before each place that counts, or −1."""
        numbered = (place if counts else -1 for place, counts in enumerate(self.counts))
        return list(accumulate(numbered, max, initial=-1))

    @cached_property
    def after(self) -> list[int]:
        """The nearest word from each place on that counts, or the number of words."""
        size = len(self.counts)
        numbered = (place if self.counts[place] else size for place in range(size - 1, -1, -1))
        return list(accumulate(numbered, min, initial=size))[::-1]

    @cached_property
    def said(self) -> list[int]:
        """How many words of the source stand before each place, without signs."""
        return list(accumulate((word[0].isalnum() for word in self.source.words), initial=0))

    def are_next(self, place: int, other: int) -> bool:
        """Return whether two words are matched, and beside each other except for signs."""
        if place < 0 or other >= len(self.found) or min(self.found[place], self.found[other]) < 0:
            return False
        return self.said[self.found[place] + 1] == self.said[self.found[other]]

    @property
    def asides(self) -> int:
        """How many words are no part of the copy."""
        return sum(self.is_aside)

    @property
    def stray(self) -> int:
        """How many words stand after the last one that is matched; the end of a fence is none."""
        matched = self.bounds[1]
        last = self.rest[matched - 1] + 1 if matched else 0
        return sum(word != FENCE for word in self.copy.words[last:])

    def places(self, stretch: Stretch) -> range:
        """Return the words of a stretch of the copy, among those that are text."""
        inside = [self.at[w] for w in self.copy.words_in(stretch) if w in self.at]
        return range(inside[0], inside[-1] + 1) if inside else range(0)


def aligned(
    source: LetterText,
    copy: LetterText,
    tags: Sequence[Stretch] = (),
    asides: Sequence[Stretch] = (),
) -> Aligned:
    """Align a copy with its source.

    Parameters
    ----------
    source, copy
        The two texts.
    tags
        Opening tags that may be text.
    asides
        What is no part of the copy.

    Returns
    -------
    Aligned
        Which words are the same.
    """
    is_aside = _are_in(copy, asides)
    kept = [word for word, aside in enumerate(is_aside) if not aside]
    found = align(source.keys, [copy.keys[word] for word in kept])
    match = [UNMATCHED] * len(is_aside)
    for word, at in zip(kept, found, strict=True):
        match[word] = at
    source, copy, match = refined(source, copy, match)
    is_text = [True] * len(match)
    for tag in tags:
        words = copy.words_in(tag)
        if words and match[words[0]] == UNMATCHED:
            for word in words:
                is_text[word] = False
                match[word] = UNMATCHED
    is_aside = _are_in(copy, asides)
    return Aligned(source=source, copy=copy, match=match, is_text=is_text, is_aside=is_aside)


def _are_in(text: LetterText, stretches: Sequence[Stretch]) -> list[bool]:
    """Return whether each word of a text is in one of some stretches."""
    found = [False] * len(text.words)
    for stretch in stretches:
        for word in text.words_in(stretch):
            found[word] = True
    return found


# ---- Mentions ----


def placed(pair: Aligned, stretch: Stretch) -> tuple[Fate | str, Stretch | None]:
    """Return what becomes of a mention, and where it is in the source; None if it is dropped."""
    if stretch.begin == stretch.end:
        return _placed_zero(pair, stretch)
    words = pair.places(stretch)
    if not words:
        is_aside = any(pair.is_aside[word] for word in pair.copy.words_in(stretch))
        return (OUTSIDE if is_aside else EMPTY), None
    at = [place for place in pair.found[words.start : words.stop] if place >= 0]
    if _is_exact(pair, words, at):
        return "exact", pair.source.stretch(at[0], at[-1])
    said = sum(map(pair.counts.__getitem__, words))
    if len(at) == 1 and said <= 2 and _is_lone(pair, words):
        return (UNCERTAIN if _is_inside(pair, words) else OUTSIDE), None
    most = 2 * len(words) + 2
    edges = _first(pair, words), _last(pair, words)
    if min(edges) >= 0 and 0 < edges[1] - edges[0] + 1 <= most:
        return "edited", pair.source.stretch(*edges)
    if at and 2 * len(at) >= said and at[-1] - at[0] + 1 <= most:
        return "shrunk", pair.source.stretch(at[0], at[-1])
    is_copied = _is_inside(pair, words) and not _is_repetition(pair, words)
    return (NO_COUNTERPART if is_copied else OUTSIDE), None


def _placed_zero(pair: Aligned, stretch: Stretch) -> tuple[Fate | str, Stretch | None]:
    """Place what has no letters between the words beside it."""
    word = pair.copy.words_in(stretch).start
    at = [pair.match[place] if 0 <= place < len(pair.match) else -1 for place in (word - 1, word)]
    if max(at) < 0:
        return UNCERTAIN, None
    begin = pair.source.begins[at[0] + 1 if at[0] >= 0 else at[1]]
    is_sure = at[1] == at[0] + 1 or (at[0] >= 0 and word == len(pair.match))
    return ("exact" if is_sure else "edited"), Stretch(begin, begin)


def _is_exact(pair: Aligned, words: range, at: Sequence[int]) -> bool:
    """Return whether all words are matched in a row, and are enough to be certain."""
    if len(at) < len(words) or at[-1] - at[0] + 1 != len(words):
        return False
    return len(words) >= SURE or _is_beside(pair, words) or pair.is_complete


def _is_lone(pair: Aligned, words: range) -> bool:
    """Return whether no neighbour of the only matched word of a mention is matched beside it."""
    place = next(place for place in words if pair.found[place] >= 0)
    return not _is_beside(pair, range(place, place + 1))


def _is_beside(pair: Aligned, words: range) -> bool:
    """Return whether a neighbour of matched words is matched beside them."""
    before, after = pair.before[words.start], pair.after[words.stop]
    return pair.are_next(before, words.start) or pair.are_next(words.stop - 1, after)


def _first(pair: Aligned, words: range) -> int:
    """Return the word of the source that a mention begins with, or −1.

    It is the first word of the mention, or that after its neighbour. If the mention begins with as
    many signs as the source has there, these are signs that were replaced.
    """
    outer, inner = pair.before[words.start], pair.after[words.start]
    is_known = outer >= 0 and pair.found[outer] >= 0
    beside = pair.found[outer] + 1 if is_known else UNMATCHED
    at = pair.found[inner] if inner in words else UNMATCHED
    is_replaced = is_known and beside == at - (inner - words.start)
    return beside if at < 0 or is_replaced else at


def _last(pair: Aligned, words: range) -> int:
    """Return the word of the source that a mention ends with, or −1."""
    outer, inner = pair.after[words.stop], pair.before[words.stop]
    is_known = outer < len(pair.found) and pair.found[outer] >= 0
    beside = pair.found[outer] - 1 if is_known else UNMATCHED
    at = pair.found[inner] if inner in words else UNMATCHED
    is_replaced = is_known and beside == at + words.stop - 1 - inner
    return beside if at < 0 or is_replaced else at


def _is_inside(pair: Aligned, words: range) -> bool:
    """Return whether a mention lies between the first and the last matched word."""
    first, stop = pair.bounds
    return first < words.stop and words.start < stop


def _is_repetition(pair: Aligned, words: range) -> bool:
    """Return whether a mention stands in a stretch that the source has, but is copied elsewhere."""
    keys, runs = pair.copy.keys, pair.runs
    for start in range(max(0, words.start - SURE + 1), min(words.stop, len(pair.rest) - SURE + 1)):
        places = range(start, start + SURE)
        is_unmatched = all(pair.found[place] == UNMATCHED for place in places)
        if is_unmatched and tuple(keys[pair.rest[place]] for place in places) in runs:
            return True
    return False


# ---- The ledger ----


class Marks(Struct, frozen=True, kw_only=True):
    """Stretches of a copy that are no words of it, or may be none."""

    unclosed: Sequence[Stretch] = ()
    """Opening tags that are never closed."""
    nameless: Sequence[Stretch] = ()
    """Opening tags whose closing tags name no entity."""
    thoughts: Sequence[Stretch] = ()
    """What a model thinks before it answers, which is no part of the copy."""


class Outcome(NamedTuple):
    """What becomes of a mention."""

    fate: Fate | str
    """How it was placed, or why it is dropped."""
    place: Stretch | None
    """Where it is in the source; None if it is dropped."""


class Carried(Struct, kw_only=True):
    """The mentions of a copy in its source."""

    ledger: Ledger
    outcomes: list[Outcome]
    """What becomes of each mention."""


def carried(
    source: LetterText,
    text: LetterText,
    copy: Copy,
    marks: Marks,
    mentions: Sequence[Tagged],
) -> Carried:
    """Find the mentions of a copy in its source.

    Parameters
    ----------
    source
        The text of the key.
    text
        The text of the copy, with tags that may be text.
    copy
        What else is known of the copy.
    marks
        Where these tags are, and other stretches that are no part of the copy.
    mentions
        The entity and the letters of each mention.

    Returns
    -------
    Carried
        Where the mentions are, and the ledger.
    """
    tags = [*marks.unclosed, *marks.nameless]
    asides = _asides(source, text, mentions, marks.thoughts)
    pair = aligned(source, text, tags, asides)
    unclosed, nameless = (
        sum(not pair.is_text[pair.copy.words_in(tag).start] for tag in each)
        for each in (marks.unclosed, marks.nameless)
    )
    dropped = Counter(copy.dropped) + Counter({NEVER_CLOSED: unclosed, NO_NAME: nameless})
    is_failed = _is_failed(pair)
    outcomes = _outcomes(pair, mentions, is_failed=is_failed)
    fates = Counter(each.fate for each in outcomes)
    count = _failed if is_failed else _counts
    counts, missing_tail, outside = count(pair)
    ledger = Ledger(
        style=copy.style,
        opened=copy.opened - len(tags) + unclosed + nameless,
        closed=copy.closed + nameless,
        foreign=copy.foreign,
        parsed=len(mentions) + copy.dropped.get(EMPTY, 0),
        exact=fates.pop("exact", 0),
        edited=fates.pop("edited", 0),
        shrunk=fates.pop("shrunk", 0),
        dropped={reason: count for reason, count in (dropped + fates).items() if count},
        words=counts,
        missing_tail=missing_tail,
        outside=outside,
        antecedent_not_found=copy.antecedent_not_found,
        windows=copy.windows,
    )
    status: Status = "failed" if is_failed else _status(ledger, pair)
    return Carried(
        ledger=replace(ledger, status=status),
        outcomes=outcomes,
    )


def _is_failed(pair: Aligned) -> bool:
    """Return whether next to nothing of the source comes back, or only words here and there."""
    share = FAILED_BELOW if _has_row(pair) else SCATTERED_BELOW
    return pair.matched < share * len(pair.source.words) or not pair.matched


def _has_row(pair: Aligned) -> bool:
    """Return whether two words in a row are matched, which happens seldom by chance."""
    return any(one >= 0 and other == one + 1 for one, other in pairwise(pair.found))


def _asides(
    source: LetterText, text: LetterText, mentions: Sequence[Tagged], thoughts: Sequence[Stretch]
) -> list[Stretch]:
    """Return what is no part of the copy."""
    # Nothing in the source equals a thought, so that no part of the copy is a repetition of it.
    keys = [
        "" if is_thought else key
        for key, is_thought in zip(text.keys, _are_in(text, thoughts), strict=True)
    ]
    starts = sorted(text.words_in(stretch).start for _, stretch in mentions)
    found = [
        text.stretch(words.start, words.stop - 1)
        for words in repetitions(source.keys, keys, starts)
    ]
    return [*thoughts, *found]


def _outcomes(pair: Aligned, mentions: Sequence[Tagged], *, is_failed: bool) -> list[Outcome]:
    """Return what becomes of each mention."""
    outcomes: list[Outcome] = []
    seen: set[Tagged] = set()
    for entity, stretch in mentions:
        fate, place = (OUTSIDE, None) if is_failed else placed(pair, stretch)
        if place is not None and (entity, place) in seen:
            fate, place = REPEATED, None
        if place is not None:
            seen.add((entity, place))
        outcomes.append(Outcome(fate, place))
    return outcomes


def _status(ledger: Ledger, pair: Aligned) -> Status:
    if ledger.missing_tail > FEW and pair.stray <= FEW:
        return "cut off"
    words = ledger.words
    changes = words.respelt + words.replaced + words.inserted + words.deleted
    changes += ledger.missing_tail + ledger.outside + ledger.foreign
    changes += ledger.edited + ledger.shrunk + sum(ledger.dropped.values())
    return "repaired" if changes else "ok"


def _failed(pair: Aligned) -> tuple[WordCounts, int, int]:
    """Return the counts of a copy that has next to nothing of its source."""
    output = len(pair.found) + pair.asides
    return WordCounts(source=len(pair.source.words), output=output), 0, output


def _counts(pair: Aligned) -> tuple[WordCounts, int, int]:
    """Count the words; also return those of the missing tail, and those outside."""
    source, copy = pair.source.words, [pair.copy.words[word] for word in pair.rest]
    equal = sum(at >= 0 and source[at] == word for at, word in zip(pair.found, copy, strict=True))
    first, stop = pair.bounds
    replaced = inserted = deleted = 0
    # What the copy has before the first matched word, or after the last one, is outside.
    for ours, theirs in gaps(pair.found[first:stop], pair.found[stop - 1] + 1):
        common = min(len(ours), len(theirs))
        replaced += common
        deleted += len(ours) - common
        inserted += len(theirs) - common
    missing_tail = len(source) - pair.found[stop - 1] - 1
    outside = first + len(copy) - stop + pair.asides
    counts = WordCounts(
        source=len(source),
        output=len(copy) + pair.asides,
        equal=equal,
        respelt=pair.matched - equal,
        replaced=replaced,
        inserted=inserted,
        deleted=deleted,
    )
    return counts, missing_tail, outside
