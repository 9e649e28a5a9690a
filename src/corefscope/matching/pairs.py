"""The entities of one document in key and response, and properties of their mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import Span
from corefscope.language import Text
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.mention_table import GAP, MentionTable, Where, mention_tables
from corefscope.matching.overlap import Side
from corefscope.matching.texts import ABSENT_ZERO, WITHOUT_WORDS, ZERO, Traits, traits_in

NamesByDocument = Mapping[str, Mapping[Span, str]]
"""Named entities from another file: their spans and tags by document."""
NumberedEntity: TypeAlias = list[int]
"""The mentions of an entity by number, sorted, which is the order of the text."""


class DocumentPair(Struct, frozen=True, eq=False, kw_only=True):
    """The entities of a document on both sides, and its text."""

    name: str
    number: int
    """The position of the document in the key."""
    table: MentionTable
    """The mentions of both sides."""
    key: list[NumberedEntity]
    response: list[NumberedEntity]
    key_places: Sequence[int]
    """The places of the key's entities in the order of their file, from 1."""
    response_places: Sequence[int]
    """The same of the response's entities."""
    key_labels: Sequence[str]
    """The labels of the key's entities in their file."""
    response_labels: Sequence[str]
    text: Text | None = None
    """The words; None if neither file has them."""
    borrowed: Sequence[str] = ()
    """Text layers that are taken from the response because the key lacks them."""
    is_text_dropped: bool = False
    """Whether the document has words that are no longer in memory."""
    _traits: dict[Span, Traits] = field(default_factory=dict)
    """The traits of what stands at a span, which the systems of an evaluation share."""
    _known: dict[int, Traits] = field(default_factory=dict)
    """The traits of mentions, by number."""

    @property
    def key_names(self) -> list[str]:
        """K1, K2, …, by the places of the key's entities in their file."""
        return [f"K{place}" for place in self.key_places]

    @property
    def response_names(self) -> list[str]:
        """R1, R2, …, by the places of the response's entities in their file."""
        return [f"R{place}" for place in self.response_places]

    def without_text(self) -> DocumentPair:
        """Return the document without its words, to save memory.

        Traits that were already computed are kept; computing others raises ``LookupError``.
        """
        return replace(self, text=None, is_text_dropped=self.text is not None)

    def with_text(self, text: Text | None) -> DocumentPair:
        """Return the document with its words, which were read again."""
        return replace(self, text=text, is_text_dropped=False)

    def span(self, mention: int) -> Span:
        """Return the first and last token of a mention that is not an id."""
        return self.table.spans[mention]

    def where(self, mention: int) -> Where:
        """Return where a mention stands that is not an id."""
        return self.table.where(mention)

    def is_in_text(self, mention: int) -> bool:
        """Return whether the text has the words of a mention."""
        return self.table.has_spans and self._has_words(self.table.spans[mention])

    def _has_words(self, span: Span) -> bool:
        if self.is_text_dropped:
            raise LookupError(f"the words of document {self.name!r} are no longer in memory")
        return self.text is not None and span[1] < len(self.text.words)

    def traits(self, mention: int) -> Traits:
        """Return the traits of a mention; that of a mention without words is unknown.

        Raises
        ------
        LookupError
            If the text was dropped before the traits of this mention were computed.
        """
        known = self._known.get(mention)
        if known is None:
            self._known[mention] = known = self._traits_of(mention)
        return known

    def _traits_of(self, mention: int) -> Traits:
        if not self.table.has_spans:
            return WITHOUT_WORDS
        if self.table.is_absent(mention):
            return ABSENT_ZERO
        return self.traits_at(self.table.spans[mention])

    def traits_at(self, span: Span) -> Traits:
        """Return the traits of a phrase, whether it is a mention or not."""
        known = self._traits.get(span)
        if known is None:
            has_words = self._has_words(span)
            known = traits_in(self.text, span) if self.text and has_words else WITHOUT_WORDS
            self._traits[span] = known
        return known

    def words(self, mention: int) -> str | None:
        """Return the words of a mention for a reader, with an ellipsis for each gap."""
        if not self.is_in_text(mention) or self.text is None:
            return None
        return GAP.join(self.text.phrase(*part) for part in self.where(mention).parts) or ZERO

    def is_pronoun(self, mention: int) -> bool:
        """Return whether a mention is a pronoun; a zero is one."""
        return self.traits(mention).is_pronoun

    def first_np(self, mentions: Sequence[int]) -> int | None:
        """Return the earliest of sorted mentions that is not a pronoun."""
        return next((mention for mention in mentions if not self.is_pronoun(mention)), None)


def document_pairs(
    matching: Matching,
    singletons: SingletonRule,
    names: NamesByDocument | None = None,
    given: Iterable[DocumentPair] | None = None,
) -> Iterator[DocumentPair]:
    """Yield the documents of the key that are compared, with their texts.

    ``names`` replaces the named entities of the files, ``given`` are some of the documents, if they
    are known without their texts.
    """
    number_of = {k: r for r, k in enumerate(matching.pairing.key_document.tolist())}
    ignored = set(matching.pairing.ignored)
    if given is None:
        given = paired_entities(matching, matching.sides(singletons))
    for pair in given:
        if pair.name in ignored:
            continue
        read = None
        if pair.table.has_spans:
            own = None if names is None else names.get(pair.name, {})
            read = matching.texts.read(
                pair.number, matching.response, number_of.get(pair.number), own
            )
        if read is None:
            yield pair
        else:
            yield replace(pair, text=read.text, borrowed=read.borrowed, _traits=read.traits)


def read_text(matching: Matching, document: int, names: NamesByDocument | None) -> Text | None:
    """Read the text of a document of the key again."""
    paired = np.flatnonzero(matching.pairing.key_document == document).tolist()
    given = None if names is None else names.get(matching.key.document_names[document], {})
    number = paired[0] if paired else None
    read = matching.texts.read(document, matching.response, number, given)
    return None if read is None else read.text


def paired_entities(matching: Matching, sides: tuple[Side, Side]) -> Iterator[DocumentPair]:
    """Yield all documents of the key with the entities of some sides, without their texts."""
    corpora = matching.key, matching.response
    words = None if matching.word_sets is None else matching.word_sets.words
    tables, numbers = mention_tables(corpora, sides, words)
    key, response = (
        _by_document(corpus, side, own, len(matching.key))
        for corpus, side, own in zip(corpora, sides, numbers, strict=True)
    )
    named = enumerate(matching.key.document_names)
    for (number, name), table, ours, theirs in zip(named, tables, key, response, strict=True):
        yield DocumentPair(
            name=name,
            number=number,
            table=table,
            key=ours.entities,
            response=theirs.entities,
            key_places=ours.places,
            response_places=theirs.places,
            key_labels=ours.labels,
            response_labels=theirs.labels,
        )


class _Annotation(NamedTuple):
    """One side of one document."""

    entities: list[NumberedEntity]
    places: list[int]
    """The position of each entity in its document, from 1."""
    labels: list[str]


def _by_document(
    corpus: Corpus, side: Side, numbers: Integers, documents: int
) -> Iterator[_Annotation]:
    """Split a side, whose documents may be in any order, into the documents of the key.

    ``numbers`` are those of its mentions in the tables of the documents.
    """
    in_entities = numbers[np.lexsort((numbers, side.mention_entity))].tolist()
    sizes = np.bincount(side.mention_entity, minlength=len(side.entity_document))
    ends = np.cumsum(sizes)
    order = np.argsort(side.entity_document, kind="stable")
    starts, ends = (ends - sizes)[order].tolist(), ends[order].tolist()
    rows = side.entity_row[order]
    first_rows = np.searchsorted(corpus.entity_document, corpus.entity_document[rows])
    places = (rows - first_rows + 1).tolist()
    labels = [corpus.entity_labels[row] for row in rows.tolist()]
    bounds = np.searchsorted(side.entity_document[order], np.arange(documents + 1)).tolist()
    for first, last in pairwise(bounds):
        yield _Annotation(
            entities=[
                in_entities[start:end]
                for start, end in zip(starts[first:last], ends[first:last], strict=True)
            ],
            places=places[first:last],
            labels=labels[first:last],
        )
