"""Whether names from elsewhere count tokens otherwise, and what to change then.

Names that count tokens from 1, or whose ends are exclusive, lie beside the names of the text. They
are compared with the named entities that the key marks; if it marks none, with its mentions and
with capitalised words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from corefscope.corpus.offsets import CONVENTIONS, DEFAULT
from corefscope.findings import Code, Finding
from corefscope.language import Text
from corefscope.matching.shifts import Reading, ShiftCounts
from corefscope.named_entities.heads import Name, Span
from corefscope.named_entities.text import without_possessive

READINGS = {Reading(*each.shift): each for each in CONVENTIONS if each != DEFAULT}
"""The conventions of offsets that a file may have instead, and what they add to starts and ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenNames:
    """The names of a document that are from elsewhere, and what they are compared with."""

    names: Sequence[Name]
    text: Text
    marked: Set[Span]
    """The named entities that the key itself marks."""
    mentions: Set[Span]
    """The mentions of the key."""

    def is_marked(self, span: Span) -> bool:
        """Tell whether the key marks a named entity here."""
        return span in self.marked

    def looks_like_name(self, span: Span) -> bool:
        """Tell whether a span is a mention of the key or a whole stretch of capitalised words."""
        return span in self.mentions or self._is_capitalised(span)

    def _is_capitalised(self, span: Span) -> bool:
        if not 0 <= span[0] <= span[1] < len(self.text):
            return False
        first, last = without_possessive(self.text.words, span)
        outside = [token for token in (first - 1, last + 1) if 0 <= token < len(self.text)]
        is_capitalised = self.text.is_capitalised
        is_name = is_capitalised(first) and is_capitalised(last)
        return is_name and not any(map(is_capitalised, outside))


def shifted_names(documents: Sequence[GivenNames], file: str | None) -> list[Finding]:
    """Warn of names that match the key far better by another convention of offsets."""
    marked = [document for document in documents if document.marked]
    if marked:
        counts, what = _counted(marked, GivenNames.is_marked), "named entities marked in the key"
    else:
        counts = _counted(documents, GivenNames.looks_like_name)
        what = "mentions of the key or capitalised words"
    best = counts.best()
    if best is None:
        return []
    reading, shifted = best
    why, how = _explained(reading)
    match = "matches" if counts.common == 1 else "match"
    message = (
        f"{counts.common:,} of {counts.response:,} names {match} {what}, and {shifted:,} would "
        f"match if {why}; expected tokens counted from 0 and inclusive ends: {how}"
    )
    return [Finding(Code.SHIFTED_NAMES, message, file=file)]


def _counted(
    documents: Sequence[GivenNames], matches: Callable[[GivenNames, Span], bool]
) -> ShiftCounts:
    """Count the names that match as they are, and by each of the other conventions.

    The agreement is the share of these names: the key may mark types that the file leaves out.
    """
    names = [(document, name.span) for document in documents for name in document.names]

    def count(start: int, end: int) -> int:
        return sum(matches(document, (s + start, e + end)) for document, (s, e) in names)

    return ShiftCounts(
        key=len(names),
        response=len(names),
        common=count(0, 0),
        shifted={reading: count(reading.start, reading.end) for reading in READINGS},
    )


def _explained(reading: Reading) -> tuple[str, str]:
    """Say which convention a reading is, and what to change in the names."""
    words = {"base": "tokens were counted from 1", "ends": "ends were exclusive"}
    why = " and ".join(words[part] for part in READINGS[reading].changes_from(DEFAULT))
    if reading.start == reading.end:
        return why, "subtract 1 from every first and last token"
    first = f"{-reading.start} from every first token and " if reading.start else ""
    return why, f"subtract {first}{-reading.end} from every last token"
