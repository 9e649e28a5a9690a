"""Find problems that show only when documents of a CoNLL file are compared (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from typing import NamedTuple

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.findings import Code, Finding
from corefscope.formats.conll.brackets import as_text
from corefscope.formats.conll.document import ConllDocument
from corefscope.formats.conll.doubts import (
    NEXT_STEP,
    are_words,
    column_of,
    example_id,
    has_roles,
    marks,
)
from corefscope.formats.conll.layout import FEWEST_2012
from corefscope.records import dataclass

FEWEST_MENTIONS = 10
MENTIONS_PER_WORD = 5
MOST_WORDS = 20
"""Ids that are words are considered types if there are few of them with many mentions each."""


class _Documents(NamedTuple):
    """Documents with the same problem: their number, and the name and line of the first."""

    total: int = 0
    name: str = ""
    line: int = 0

    def plus(self, document: ConllDocument) -> _Documents:
        """Return the documents with one more."""
        if self.total:
            return self._replace(total=self.total + 1)
        return _Documents(1, document.name, document.rows.first_line)


NO_DOCUMENT = _Documents()


def _more(documents: int) -> str:
    return f" ({documents:,} such documents, this is the first)" if documents > 1 else ""


@dataclass(slots=True, kw_only=True)
class FileDoubts:
    """Compares the documents of a file with each other, and reports each problem once."""

    words: _Words = field(default_factory=lambda: _Words())
    widths: _Widths = field(default_factory=lambda: _Widths())
    empty: _EmptyDocuments = field(default_factory=lambda: _EmptyDocuments())
    numbers: _SameNumbers = field(default_factory=lambda: _SameNumbers())

    def add(self, document: ConllDocument, *, in_doubt: bool) -> None:
        """Add a document; ``in_doubt`` says whether its column was reported as doubtful."""
        if not in_doubt and not document.named:
            self.words.add(document)
            self.widths.add(document)
        self.empty.add(document)
        self.numbers.add(document)

    def problems(self) -> Iterator[Finding]:
        """Yield the problems, after the last document."""
        doubts = (self.words, self.widths, self.empty, self.numbers)
        yield from filter(None, (doubt.problem() for doubt in doubts))


@dataclass(slots=True, kw_only=True)
class _Words:
    """Ids that are words, which may be types such as ``person``, not entities."""

    numbers: bool = False
    """Whether a document has entities with numbers as ids."""
    words: set[bytes] = field(default_factory=set)
    """The ids of the documents whose ids are all words."""
    mentions: int = 0
    documents: int = 0
    first: tuple[str, int] | None = None
    """The column and the first line of the first such document."""

    def add(self, document: ConllDocument) -> None:
        ids = document.brackets.entities
        if not ids:
            return
        if next(iter(ids)).isdigit():
            self.numbers = True
        elif are_words(ids) and not _overlap(document.brackets.spans):
            self.words.update(ids)
            self.mentions += len(document.brackets.spans)
            self.documents += 1
            self.first = self.first or (column_of(document), document.rows.first_line)

    def problem(self) -> Finding | None:
        """Return a problem if the words are probably types.

        They are if there are few words with many mentions each, or if other documents of the file
        have numbers. Documents with overlapping mentions do not count: named entities do not
        overlap.
        """
        few = len(self.words) <= MOST_WORDS
        repeated = self.mentions >= max(FEWEST_MENTIONS, MENTIONS_PER_WORD * len(self.words))
        if self.first is None or not (self.numbers or (few and repeated)):
            return None
        example = example_id(sorted(self.words))
        why = (
            "other documents of the file have numbers"
            if self.numbers
            else f"{len(self.words):,} words in {self.mentions:,} mentions"
        )
        column, line = self.first
        message = (
            f"{column} has words in its brackets, such as {example!r} ({why}), "
            "which may be types of named entities; each word is read as an entity; "
            f"{NEXT_STEP}{_more(self.documents)}"
        )
        return Finding(Code.DOUBTFUL_COLUMN, message, line=line)


def _overlap(spans: Integers) -> bool:
    """Return whether two mentions have a token in common."""
    ordered = spans[np.argsort(spans[:, 0], kind="stable")]
    return bool((ordered[1:, 0] <= np.maximum.accumulate(ordered[:, 1])[:-1]).any())


@dataclass(slots=True)
class _Widths:
    """The numbers of columns, which may show that documents lost their coreference column."""

    fewest: int | None = None
    """The smallest number of columns that a document with mentions has or could have."""
    without: dict[int, _Documents] = field(default_factory=dict)
    """The documents with only marks for no mention, by their number of columns."""

    def add(self, document: ConllDocument) -> None:
        rows, trailing = document.rows, document.layout.trailing
        if document.brackets.entities:
            width = rows.narrowest - trailing
            if has_roles(document.layout, rows.widest):
                # Documents without any predicate have no column of semantic roles.
                width = min(width, FEWEST_2012)
            self.fewest = min(width, self.fewest or width)
        elif rows.tokens and not document.brackets.marked:
            width = rows.widest - trailing
            self.without[width] = self.without.get(width, NO_DOCUMENT).plus(document)

    def problem(self) -> Finding | None:
        """Return a problem if documents have no mentions and fewer columns than those with some."""
        lost = {width: few for width, few in self.without.items() if width < (self.fewest or 0)}
        if not lost:
            return None
        width, first = min(lost.items(), key=lambda item: item[1].line)
        message = (
            f"document {first.name!r} has no mention and {width} column{'s' * (width > 1)}, while "
            f"those with mentions have {self.fewest} or more; check that it has not lost its "
            "coreference column: the last one is read"
            f"{_more(sum(few.total for few in lost.values()))}"
        )
        return Finding(Code.DOUBTFUL_COLUMN, message, line=first.line)


@dataclass(slots=True)
class _EmptyDocuments:
    """Documents whose coreference cells are all empty."""

    marks: bool = False
    """Whether another document marks tokens without a mention."""
    empty: _Documents = NO_DOCUMENT

    def add(self, document: ConllDocument) -> None:
        rows = document.rows
        if rows.tokens and rows.empty.total == rows.tokens:
            self.empty = self.empty.plus(document)
        elif not self.marks:
            self.marks = marks(document) > 0

    def problem(self) -> Finding | None:
        if not (self.marks and self.empty.total):
            return None
        return Finding(
            Code.EMPTY_CELLS,
            f"all coreference cells of document {self.empty.name!r} are empty, while other "
            "documents have '-', '_' or '*' there; they are read as no mention",
            expected=f"such marks, or lost brackets{_more(self.empty.total)}",
            line=self.empty.line,
        )


@dataclass(slots=True)
class _SameNumbers:
    """Documents in which two entities have the same number, except for leading zeros."""

    documents: int = 0
    first: Finding | None = None

    def add(self, document: ConllDocument) -> None:
        pair = _same_number(document.brackets.entities)
        if pair is None:
            return
        self.documents += 1
        if self.first is None:
            one, other = (as_text(id)[:40] for id in pair)
            message = (
                f"document {document.name!r} has the entities {one!r} and {other!r}, which differ "
                "only in leading zeros; they are read as two entities; if they are one, write its "
                "number in one way"
            )
            line = document.brackets.first_line(pair[1]) or document.rows.first_line
            self.first = Finding(Code.SAME_NUMBER, message, line=line)

    def problem(self) -> Finding | None:
        return self.first and self.first.followed_by(_more(self.documents))


def _same_number(ids: Collection[bytes]) -> tuple[bytes, bytes] | None:
    """Return the first two ids that are the same number, in the order of the document."""
    if not any(id.startswith(b"0") and id != b"0" for id in ids):
        return None
    met: dict[bytes, bytes] = {}
    for id in filter(bytes.isdigit, ids):
        number = id.lstrip(b"0") or b"0"
        if number in met:
            return met[number], id
        met[number] = id
    return None
