"""Key and response side by side: paired, made comparable, and counted in one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, cast

import numpy as np

from corefscope.corpus import Corpus
from corefscope.corpus.clusters import of_both_sides
from corefscope.exceptions import refuse_errors
from corefscope.findings import Code, Finding
from corefscope.language import LanguageChoice
from corefscope.matching.documents import Absent, PairBy, Pairing, Tokens, pair_documents
from corefscope.matching.mentions import exact, unlike_ids
from corefscope.matching.overlap import Overlap, Side, count_overlap
from corefscope.matching.shifts import (
    ShiftCounts,
    count_shifts,
    nothing_in_common,
    shift_finding,
    unexplained,
)
from corefscope.matching.texts import Texts

T = TypeVar("T")
Singletons: TypeAlias = Literal["keep", "drop"]
SingletonRule: TypeAlias = Singletons | Literal["drop-response"]
"""Entities of one mention: kept, dropped on both sides, or dropped from the response alone."""
Duplicates: TypeAlias = Literal["first", "error", "reference"]
"""A mention that is annotated twice on one side: the first counts, it is refused, or it is treated
as the reference scorer does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingOptions:
    """How documents and mentions of a response are paired with those of a key."""

    missing: Absent = "empty"
    tokens: Tokens = "error"
    pair_by: PairBy = "auto"
    duplicates: Duplicates = "first"
    language: LanguageChoice = "auto"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Matching:
    """Two corpora side by side: what was paired, what is compared, and how it overlaps.

    It holds singletons; whoever reads it says whether they count.
    """

    key: Corpus
    response: Corpus
    pairing: Pairing
    unique: tuple[Side, Side]
    """Key and response with every mention once."""
    annotated: tuple[Side, Side]
    """Key and response as the reference scorer gets them: repeated mentions may still be there."""
    findings: tuple[Finding, ...]
    shifts: ShiftCounts
    """How many mentions both would share if the response were shifted."""
    texts: Texts
    """The texts of the documents, read when they are asked for."""
    _overlaps: dict[SingletonRule, Overlap] = field(default_factory=dict)
    _made: dict[tuple[object, SingletonRule], object] = field(default_factory=dict)

    def sides(self, singletons: SingletonRule) -> tuple[Side, Side]:
        """Return what is compared of key and response: every mention once."""
        return _sides_under(singletons, self.unique)

    def annotated_sides(self, singletons: SingletonRule) -> tuple[Side, Side]:
        """Return what the reference scorer gets of key and response."""
        return _sides_under(singletons, self.annotated)

    def overlap(self, singletons: SingletonRule) -> Overlap:
        """Return the table of what is compared."""
        if singletons not in self._overlaps:
            self._overlaps[singletons] = _overlap_under(singletons, self._overlaps["keep"])
        return self._overlaps[singletons]

    def once(self, make: Callable[[Matching, SingletonRule], T], singletons: SingletonRule) -> T:
        """Return what a function makes of this matching; the function is called only once."""
        if (make, singletons) not in self._made:
            self._made[make, singletons] = make(self, singletons)
        return cast(T, self._made[make, singletons])


def match_corpora(
    key: Corpus, response: Corpus, options: MatchingOptions, texts: Texts | None = None
) -> Matching:
    """Pair documents and mentions, and count the table; ``texts`` of the key can be shared."""
    pairing = pair_documents(key, response, options.missing, options.tokens, options.pair_by)
    findings = of_both_sides(key.findings, response.findings)
    findings += [*pairing.findings, *unlike_ids(key, response)]
    annotated, unique = [], []
    for corpus, side in zip((key, response), exact(key, response, pairing), strict=True):
        # Copies go before singletons, so that what is a singleton does not depend on copies.
        once, copies = side.first_copies()
        findings += [_repeated(corpus, row, first, options.duplicates) for row, first in copies]
        annotated.append(side if options.duplicates == "reference" else once)
        unique.append(once)
    refuse_errors(findings)
    overlap = count_overlap(len(key), unique[0], unique[1])
    shifts = count_shifts(key, unique[0], response, unique[1], overlap)
    findings += shift_finding(shifts, key.offsets, response.offsets, response.path)
    findings += unexplained(findings, nothing_in_common(shifts, response.path))
    return Matching(
        key=key,
        response=response,
        pairing=pairing,
        unique=(unique[0], unique[1]),
        annotated=(annotated[0], annotated[1]),
        findings=tuple(findings),
        shifts=shifts,
        texts=texts or Texts(key, options.language),
        _overlaps={"keep": overlap},
    )


def _sides_under(rule: SingletonRule, sides: Sequence[Side]) -> tuple[Side, Side]:
    """Return key and response as a rule leaves them."""
    key, response = sides
    return (
        key.without_singletons() if rule == "drop" else key,
        response if rule == "keep" else response.without_singletons(),
    )


def _overlap_under(rule: SingletonRule, overlap: Overlap) -> Overlap:
    """Return the table as a rule leaves it."""
    return overlap.keep(
        (overlap.key_size > 1) | (rule == "drop-response"), overlap.response_size > 1
    )


def repeated_mentions(
    corpus: Corpus, *, across: str | None = None, within: str | None = None
) -> list[Finding]:
    """Report the mentions of a corpus that are annotated twice.

    What becomes of a copy is that of scores, unless it is said for copies ``across`` two entities
    and ``within`` one.
    """
    itself = Pairing(key_document=np.arange(len(corpus)))
    _, copies = exact(corpus, corpus, itself)[0].first_copies()
    entity = corpus.mention_entity
    return [
        _repeated(corpus, row, first, "first", within if entity[row] == entity[first] else across)
        for row, first in copies
    ]


def _repeated(
    corpus: Corpus, row: int, first: int, duplicates: Duplicates, outcome: str | None = None
) -> Finding:
    """Report a copy of a mention, with both entities, both lines, and what becomes of it."""
    document = corpus.document_of(row)
    label, first_label = (corpus.entity_labels[int(corpus.mention_entity[r])] for r in (row, first))
    line, first_line = (
        (int(corpus.mention_lines[r]) or None) if corpus.mention_lines is not None else None
        for r in (row, first)
    )
    where = f" on line {first_line}" if first_line else ""
    ends = {
        "error": "expected each mention once",
        "first": "the first is kept",
        "reference": "counted as the reference scorer does",
    }
    end = outcome or ends[duplicates]
    message = (
        f"mention {corpus.mention_id(row)} of entity {label} in document "
        f"{corpus.document_names[document]!r} is already in entity {first_label}{where}; {end}"
    )
    code = Code.REPEATED_REFUSED if duplicates == "error" else Code.REPEATED
    return Finding(code, message, file=corpus.file_of(document), line=line)
