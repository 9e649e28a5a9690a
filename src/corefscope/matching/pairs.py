"""The entities of one document in key and response, and properties of their mentions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice, pairwise
from typing import Any, TypeVar

import numpy as np

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import MentionId
from corefscope.language import Text
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.mentions import distinct
from corefscope.matching.overlap import Side
from corefscope.matching.paired_spans import GAP, parts_of
from corefscope.matching.texts import ABSENT_ZERO, WITHOUT_WORDS, ZERO, Span, Traits, traits_in
from corefscope.records import dataclass

NamesByDocument = Mapping[str, Mapping[Span, str]]
"""Named entities from another file: their spans and tags by document."""
Entity = list[Span]
"""The mentions of an entity, sorted."""
K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DocumentPair:
    """The entities of a document on both sides, without repeated mentions, and its text."""

    name: str
    number: int
    """The position of the document in the key."""
    key: list[Entity]
    response: list[Entity]
    key_places: Sequence[int]
    """The places of the key's entities in the order of their file, from 1."""
    response_places: Sequence[int]
    """The same of the response's entities."""
    key_names: Sequence[str]
    """K1, K2, …, by these places."""
    response_names: Sequence[str]
    """R1, R2, …, by these places."""
    key_labels: Sequence[str]
    """The labels of the key's entities in their file."""
    response_labels: Sequence[str]
    text: Text | None
    """The words; None if neither file has them."""
    ids: Sequence[MentionId] | None = None
    """The ids of the mentions, by position, if they are not spans of tokens."""
    borrowed: Sequence[str] = ()
    """Text layers that are taken from the response because the key lacks them."""
    is_text_dropped: bool = False
    """Whether the document has words that are no longer in memory."""
    _traits: dict[Span, Traits] = field(default_factory=dict)

    def without_text(self) -> DocumentPair:
        """Return the document without its words, to save memory.

        Traits that were already computed are kept; computing others raises ``LookupError``.
        """
        return replace(self, text=None, is_text_dropped=self.text is not None)

    def with_text(self, text: Text | None) -> DocumentPair:
        """Return the document with its words, which were read again."""
        return replace(self, text=text, is_text_dropped=False)

    def is_in_text(self, mention: Span) -> bool:
        """Return whether the text has the words of a mention."""
        if self.is_text_dropped:
            raise LookupError(f"the words of document {self.name!r} are no longer in memory")
        return self.text is not None and mention[1] < len(self.text.words)

    def traits(self, mention: Span) -> Traits:
        """Return the traits of a mention; a mention without words counts as nominal.

        Raises
        ------
        LookupError
            If the text was dropped before the traits of this mention were computed.
        """
        known = self._traits.get(mention)
        if known is None:
            is_in_text = self.is_in_text(mention)
            known = traits_in(self.text, mention) if self.text and is_in_text else WITHOUT_WORDS
            if not parts_of(mention):
                known = ABSENT_ZERO
            self._traits[mention] = known
        return known

    def words(self, mention: Span) -> str | None:
        """Return the words of a mention for a reader, with an ellipsis for each gap."""
        if not self.is_in_text(mention) or self.text is None:
            return None
        return GAP.join(self.text.phrase(*part) for part in parts_of(mention)) or ZERO

    def identity(self, mention: Span) -> MentionId:
        """Return the id of a mention, which is the same for all responses.

        If mentions are not spans, their positions depend on the other mentions of the response.
        """
        return mention if self.ids is None else distinct(self.ids[mention[0]])

    def is_pronoun(self, mention: Span) -> bool:
        """Return whether a mention is a pronoun; a zero is one."""
        return self.traits(mention).is_pronoun

    def first_np(self, mentions: Sequence[Span]) -> Span | None:
        """Return the earliest of sorted mentions that is not a pronoun."""
        return next((mention for mention in mentions if not self.is_pronoun(mention)), None)


def document_pairs(
    matching: Matching, singletons: SingletonRule, names: NamesByDocument | None = None
) -> Iterator[DocumentPair]:
    """Yield the documents of the key that are compared.

    ``names`` replaces the named entities of the files.
    """
    key, response = matching.key, matching.response
    number_of = {k: r for r, k in enumerate(matching.pairing.key_document.tolist())}
    ignored = set(matching.pairing.ignored)
    is_text = key.mention_spans is not None and response.mention_spans is not None
    key_side, response_side = matching.sides(singletons)
    key_spans, response_spans = matching.spans(singletons) or (None, None)
    key_sides = _by_document(key, key_side, len(key), is_text, key_spans)
    response_sides = _by_document(response, response_side, len(key), is_text, response_spans)
    for number, (ours, theirs) in enumerate(zip(key_sides, response_sides, strict=True)):
        if key.document_names[number] in ignored:
            continue
        ids = None if is_text else in_order({**ours.ids, **theirs.ids})
        read = None
        if is_text:
            given = None if names is None else names.get(key.document_names[number], {})
            read = matching.texts.read(number, response, number_of.get(number), given)
        yield DocumentPair(
            name=key.document_names[number],
            number=number,
            key=_entities(ours, ids),
            response=_entities(theirs, ids),
            key_places=ours.places,
            response_places=theirs.places,
            key_names=[f"K{place}" for place in ours.places],
            response_names=[f"R{place}" for place in theirs.places],
            key_labels=ours.labels,
            response_labels=theirs.labels,
            text=None if read is None else read.text,
            ids=None if ids is None else list(ids.values()),
            borrowed=() if read is None else read.borrowed,
            _traits={} if read is None else read.traits,
        )


def read_text(matching: Matching, document: int, names: NamesByDocument | None) -> Text | None:
    """Read the text of a document of the key again."""
    paired = np.flatnonzero(matching.pairing.key_document == document).tolist()
    given = None if names is None else names.get(matching.key.document_names[document], {})
    number = paired[0] if paired else None
    read = matching.texts.read(document, matching.response, number, given)
    return None if read is None else read.text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotation:
    """One side of one document."""

    mentions: list[Span]
    """The mentions; if they are not spans, both tokens are the number of the mention."""
    ids: dict[int, MentionId]
    """The id of each mention by its number, if mentions are not spans."""
    sizes: list[int]
    """The number of mentions of each entity."""
    places: list[int]
    """The position of each entity in its document, from 1."""
    labels: list[str]


def _by_document(
    corpus: Corpus,
    side: Side,
    documents: int,
    is_text: bool,
    spans: Sequence[Span] | None,
) -> Iterator[_Annotation]:
    """Split a side, whose documents may be in any order, into the documents of the key.

    ``spans`` are those of the mentions of the side, if they are not the spans of the corpus.
    """
    entities = np.argsort(side.entity_document, kind="stable")
    bounds = np.searchsorted(side.entity_document[entities], np.arange(documents + 1)).tolist()
    sizes = np.bincount(side.mention_entity, minlength=len(side.entity_document))
    ends = np.cumsum(sizes)
    starts = ends - sizes
    for first, last in pairwise(bounds):
        chosen = entities[first:last]
        rows = [
            row
            for start, end in zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True)
            for row in range(start, end)
        ]
        if corpus.mention_spans is None or not is_text:
            # Numbers distinguish 1 and true, which are equal in Python.
            ids = {int(side.mention[r]): corpus.mention_id(int(side.mention_row[r])) for r in rows}
            mentions = [(number, number) for number in ids]
        elif spans is not None:
            ids, mentions = {}, [spans[row] for row in rows]
        else:
            own = corpus.mention_spans[side.mention_row[rows]].tolist()
            ids, mentions = {}, [(start, end) for start, end in own]
        yield _Annotation(
            mentions=mentions,
            ids=ids,
            sizes=sizes[chosen].tolist(),
            places=_places(corpus, side.entity_row[chosen]),
            labels=[corpus.entity_labels[row] for row in side.entity_row[chosen].tolist()],
        )


def _places(corpus: Corpus, rows: Integers) -> list[int]:
    documents = corpus.entity_document
    first = np.searchsorted(documents, documents[rows])
    return [int(place) for place in rows - first + 1]


def _entities(side: _Annotation, ids: Mapping[int, MentionId] | None) -> list[Entity]:
    """Return the entities, sorted; mentions that are not spans are sorted by id."""
    mentions = iter(side.mentions)
    if ids is not None:
        place = {number: (i, i) for i, number in enumerate(ids)}
        mentions = iter([place[number] for number, _ in side.mentions])
    return [sorted(islice(mentions, size)) for size in side.sizes]


def in_order(ids: Mapping[K, Any]) -> dict[K, MentionId]:
    """Sort the ids of mentions, as strings if they cannot be compared."""
    try:
        return dict(sorted(ids.items(), key=lambda item: item[1]))
    except TypeError:
        return dict(sorted(ids.items(), key=lambda item: (type(item[1]).__name__, str(item[1]))))
