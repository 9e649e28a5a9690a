"""The mentions of a document as one table: a mention is the number of its row, on both sides.

Where mentions have gaps, where key and response have different empty nodes, and where mentions are
paired by head, first and last token do not tell which mentions are the same. Their numbers do: a
mention that is paired has one row, described by the key. Rows are in the order of the text, so that
sorted numbers are mentions in order. Spans are for looking at the text, and for readers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct, field

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import MentionId, Parts, Span
from corefscope.matching.mentions import distinct
from corefscope.matching.overlap import Side
from corefscope.matching.words import MentionWords, NodePlace

K = TypeVar("K")
GAP = " … "
"""What a reader sees in place of a gap."""


class Zero(NamedTuple):
    """Where a zero stands that the key has no token for."""

    nodes: tuple[NodePlace, ...]
    """Its empty nodes; zeros in the order of these are in the order of the text."""
    is_before: bool
    """Whether it stands before the token of its span, or after it."""


class Where(NamedTuple):
    """Where a mention stands in the text of the key."""

    span: Span
    """First and last token; of a zero that the key has no token for, the token beside it."""
    parts: Parts
    """First and last token of each part; none if the key has no token for it."""
    zero: Zero | None = None
    """Where a zero without parts stands."""
    mark: Hashable = None
    """What tells it from another mention of the same tokens, such as its head."""

    @property
    def is_plain(self) -> bool:
        """Whether first and last token say everything."""
        return self.parts == (self.span,) and self.mark is None

    def identified(self) -> str:
        """Return a text that no other mention has: ``3-5``, or ``3-3,5-5`` with a gap.

        A zero that the key has no token for is named by its place, as ``after-7.1``: the first node
        after the seventh word of the document. ``after-7+.1`` opens the sentence after that word.
        """
        if self.zero:
            return "after-" + ",".join(map(str, self.zero.nodes))
        return ",".join(f"{start}-{end}" for start, end in self.parts)

    def tokens(self) -> str:
        """Return the tokens for a reader, such as ``3`` or ``3–5``.

        A mention with gaps has several parts, as ``3, 5–6``. A zero that the key has no token for
        is ``after 3``, or ``before 3`` at the beginning of a sentence.
        """
        if self.zero:
            return f"{'before' if self.zero.is_before else 'after'} {self.span[0]}"
        return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in self.parts)

    def words(self, words: Sequence[str], most: int) -> str:
        """Return the mention as text, with an ellipsis for each gap.

        Parameters
        ----------
        words
            The words of the document.
        most
            How many words of a part, and characters of a word, are of interest. A mention, or a
            single word, may be as long as a book.

        Returns
        -------
        str
            The text, at least as long as what is of interest, if there is as much.
        """
        return GAP.join(
            " ".join([word[: most + 1] for word in words[first : min(last, first + most) + 1]])
            for first, last in self.parts
        )


class MentionTable(Struct, frozen=True, eq=False, kw_only=True):
    """The mentions of one document that are compared, of both sides, in the order of the text."""

    spans: Sequence[Span] = ()
    """First and last token of each in the key; nothing if mentions are ids."""
    odd: Mapping[int, Where] = field(default_factory=dict)
    """The mentions that are not told by first and last token, by number."""
    ids: Sequence[MentionId] = ()
    """The id of each mention, if they are not spans of tokens."""

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans of tokens, and not ids."""
        return not self.ids

    def where(self, mention: int) -> Where:
        """Return where a mention stands."""
        return self.odd.get(mention) or Where(self.spans[mention], (self.spans[mention],))

    def is_absent(self, mention: int) -> bool:
        """Return whether a mention is a zero that the key has no token for."""
        return mention in self.odd and not self.odd[mention].parts

    def mention_id(self, mention: int) -> MentionId:
        """Return the id of a mention, or first and last token of what it is, or of its parts."""
        if self.ids:
            return self.ids[mention]
        where = self.odd.get(mention)
        return where.parts if where and len(where.parts) > 1 else self.spans[mention]

    def identity(self, mention: int) -> Hashable:
        """Return what a mention is for all responses; its number depends on the response."""
        return distinct(self.ids[mention]) if self.ids else self.where(mention)


def mention_tables(
    corpora: tuple[Corpus, Corpus],
    sides: tuple[Side, Side],
    words: tuple[MentionWords, MentionWords] | None,
) -> tuple[Iterator[MentionTable], tuple[Integers, Integers]]:
    """Return the table of each document of the key, and the number of each mention of both sides.

    Parameters
    ----------
    corpora
        Key and response.
    sides
        What is compared of them; mentions have the same number if and only if they are paired.
    words
        The mentions of both as words, where token numbers do not tell which are the same.
    """
    _, shown, which = np.unique(
        np.concatenate([side.mention for side in sides]), return_index=True, return_inverse=True
    )
    document = np.concatenate([side.entity_document[side.mention_entity] for side in sides])[shown]
    rows = _rows(corpora, sides, shown, words)
    order = rows.order(document, shown)
    bounds = np.searchsorted(document[order], np.arange(len(corpora[0]) + 1))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order)) - bounds[document[order]]
    key, response = np.split(number[which], [len(sides[0].mention)])
    return rows.tables(order, bounds), (key, response)


class _Rows(Struct, frozen=True, eq=False, kw_only=True):
    """The different mentions of all documents, in any order."""

    spans: Integers
    odd: Mapping[int, Where]
    ids: Sequence[MentionId]

    def order(self, document: Integers, shown: Integers) -> Integers:
        """Return the rows by document, and then in the order of the text, or of the ids."""
        if not self.ids:
            return np.lexsort((shown, self.spans[:, 1], self.spans[:, 0], document))
        groups: defaultdict[int, dict[int, MentionId]] = defaultdict(dict)
        for row in np.lexsort((shown, document)).tolist():
            groups[int(document[row])][row] = self.ids[row]
        rows = [row for group in groups.values() for row in in_order(group)]
        return np.array(rows, dtype=np.int64)

    def tables(self, order: Integers, bounds: Integers) -> Iterator[MentionTable]:
        """Yield the table of each document, whose rows are between two bounds."""
        rows = order.tolist() if self.odd or self.ids else []
        spans = [] if self.ids else list(map(tuple, self.spans[order].tolist()))
        for first, last in pairwise(bounds.tolist()):
            own = rows[first:last]
            yield MentionTable(
                spans=spans[first:last],
                odd={n: self.odd[row] for n, row in enumerate(own) if row in self.odd},
                ids=[self.ids[row] for row in own] if self.ids else (),
            )


def _rows(
    corpora: tuple[Corpus, Corpus],
    sides: tuple[Side, Side],
    shown: Integers,
    words: tuple[MentionWords, MentionWords] | None,
) -> _Rows:
    """Describe mentions, given as places in the mentions of the key and then of the response."""
    rows = np.concatenate([side.mention_row for side in sides])[shown]
    is_key = shown < len(sides[0].mention)
    spans = np.zeros((len(rows), 2), dtype=np.int64)
    if not all(corpus.has_spans for corpus in corpora):
        ids = [
            corpora[0 if of_key else 1].mention_id(row)
            for of_key, row in zip(is_key.tolist(), rows.tolist(), strict=True)
        ]
        return _Rows(spans=spans, odd={}, ids=ids)
    for corpus, chosen in zip(corpora, (is_key, ~is_key), strict=True):
        spans[chosen] = corpus.mention_spans[rows[chosen]]
    odd: dict[int, Where] = {}
    if words is not None:
        namer = _Namer(words)
        for place in np.argsort(shown, kind="stable").tolist():
            where = namer.where(int(rows[place]), is_key=bool(is_key[place]))
            if not where.is_plain:
                odd[place] = where
            spans[place] = where.span
    return _Rows(spans=spans, odd=odd, ids=())


class _Namer(Struct):
    """Says where mentions stand in the key, no two of a document in the same way.

    How a mention is described must not depend on the system, so that systems can be compared.
    """

    words: tuple[MentionWords, MentionWords]
    taken: set[tuple[int, Where]] = field(default_factory=set)

    def where(self, row: int, *, is_key: bool) -> Where:
        """Return where a mention of the key, or one that only the response has, stands."""
        words = self.words[0 if is_key else 1]
        document, head = int(words.document[row]), int(words.head[row])
        if is_key:
            parts = words.corpus.parts_of(row)
            return self._new(document, Where((parts[0][0], parts[-1][1]), parts), ("key", head))
        places, key = words.words(row), self.words[0]
        parts = _runs(key.tokens(document, places))
        cuts = words.corpus.mention_cuts.get(row)
        if cuts is not None:
            # It is not the mention that consists of these tokens.
            return Where((parts[0][0], parts[-1][1]), parts, mark=("cut", cuts))
        mark = "response", places, head
        if parts:
            return self._new(document, Where((parts[0][0], parts[-1][1]), parts), mark)
        # A zero that the key lacks stands beside a token of the key.
        token, is_before = key.token_beside(document, min(places))
        nodes = tuple(key.node_place(document, place) for place in sorted(places))
        return self._new(document, Where((token, token), parts, Zero(nodes, is_before)), mark)

    def _new(self, document: int, where: Where, mark: Hashable) -> Where:
        if (document, where) in self.taken:
            where = where._replace(mark=mark)
        self.taken.add((document, where))
        return where


def _runs(tokens: Integers) -> Parts:
    """Return the first and last of each run of consecutive tokens."""
    if not len(tokens):
        return ()
    runs = np.split(tokens, np.flatnonzero(np.diff(tokens) > 1) + 1)
    return tuple((int(run[0]), int(run[-1])) for run in runs)


def in_order(ids: Mapping[K, Any]) -> dict[K, MentionId]:
    """Sort the ids of mentions, as strings if they cannot be compared."""
    try:
        return dict(sorted(ids.items(), key=lambda item: item[1]))
    except TypeError:
        return dict(sorted(ids.items(), key=lambda item: (type(item[1]).__name__, str(item[1]))))
