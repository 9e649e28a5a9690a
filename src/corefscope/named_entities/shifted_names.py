"""Detect whether separately given names follow another convention of token offsets.

If tokens are counted from 1, or ends are exclusive, the given names do not match the names in the
text. They are compared with the named entities of the key, or, if it has none, with its mentions
and capitalised words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from msgspec import Struct

from corefscope.corpus.mentions import Span
from corefscope.corpus.offsets import CONVENTIONS, DEFAULT, Verdict
from corefscope.findings import Code, Finding
from corefscope.language import Text
from corefscope.matching.shifts import OffsetShift, ShiftCounts
from corefscope.named_entities.heads import Name
from corefscope.named_entities.text import without_possessive

READINGS = {OffsetShift(*each.shift): each for each in CONVENTIONS if each != DEFAULT}
"""Other conventions of offsets, by what they add to starts and ends."""


class ComparedNames(Struct, frozen=True, kw_only=True):
    """The separately given names of a document, and what they are compared with."""

    names: Sequence[Name]
    text: Text
    marked: Set[Span]
    """The named entities of the key itself."""
    mentions: Set[Span]
    """The mentions of the key."""

    def is_marked(self, span: Span) -> bool:
        """Return whether the key has a named entity with this span."""
        return span in self.marked

    def looks_like_name(self, span: Span) -> bool:
        """Return whether a span is a mention of the key or a complete run of capitalised words."""
        return span in self.mentions or self._is_capitalised(span)

    def _is_capitalised(self, span: Span) -> bool:
        if not 0 <= span[0] <= span[1] < len(self.text):
            return False
        first, last = without_possessive(self.text.words, span)
        outside = [token for token in (first - 1, last + 1) if 0 <= token < len(self.text)]
        is_capitalised = self.text.is_capitalised
        is_name = is_capitalised(first) and is_capitalised(last)
        return is_name and not any(map(is_capitalised, outside))


def shifted_names(documents: Sequence[ComparedNames], file: str | None) -> list[Finding]:
    """Report names that match the key far better with another convention of offsets."""
    marked = [document for document in documents if document.marked]
    if marked:
        counts, what = _counted(marked, ComparedNames.is_marked), "named entities marked in the key"
    else:
        counts = _counted(documents, ComparedNames.looks_like_name)
        what = "mentions of the key or capitalised words"
    best = counts.best()
    if best is None:
        return []
    reading, shifted = best
    looks, advice = _explained(reading)
    verdict = Verdict(
        looks=looks,
        observed=f"names match {what}",
        total=counts.response,
        as_read=counts.common,
        otherwise=shifted,
        expected="tokens counted from 0 and inclusive ends",
        advice=advice,
    )
    return [verdict.finding(Code.SHIFTED, file)]


def _counted(
    documents: Sequence[ComparedNames], matches: Callable[[ComparedNames, Span], bool]
) -> ShiftCounts:
    """Count the names that match as they are, and with each of the other conventions.

    Agreement is measured as a share of the given names, because the key may have names of types
    that the file leaves out.
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


def _explained(reading: OffsetShift) -> tuple[str, str]:
    """Return the convention of a reading in words, and what to change in the names."""
    words = {"base": "tokens look counted from 1", "ends": "ends look exclusive"}
    why = " and ".join(words[part] for part in READINGS[reading].changes_from(DEFAULT))
    if reading.start == reading.end:
        return why, "subtract 1 from every first and last token"
    first = f"{-reading.start} from every first token and " if reading.start else ""
    return why, f"subtract {first}{-reading.end} from every last token"
