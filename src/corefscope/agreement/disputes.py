"""Where annotators disagree: kinds of disagreements, and the most disputed entities and documents.

Kinds are those of the error analysis, in words that take no side. Boundaries are compared as there:
mentions that differ only in articles and signs at their ends, or that have the same head, are one
mention with different boundaries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.agreement.common_texts import Booleans, CommonTexts
from corefscope.agreement.pairs import PairAgreement
from corefscope.choices import LanguageChoice
from corefscope.corpus import Corpus, Integers
from corefscope.corpus.arrays import rows_between
from corefscope.error_analysis.properties import entity_title
from corefscope.error_analysis.properties import shown as mention_text
from corefscope.error_analysis.spans import alter_spans
from corefscope.error_analysis.transformation import Piece, cut, homes
from corefscope.findings import Code, Finding
from corefscope.formatting import counted, cut_right
from corefscope.language import LanguageCheck, MentionType
from corefscope.matching.mention_table import MentionTable, mention_tables
from corefscope.matching.overlap import Floats, Side, count_overlap
from corefscope.matching.pairs import DocumentPair, NumberedEntity, paired_entities
from corefscope.matching.shared_texts import Texts
from corefscope.matching.texts import ReadText
from corefscope.metrics.b3 import B3
from corefscope.results.record import Record, about

Kind: TypeAlias = Literal["boundaries", "entities", "marked_by_one"]
KINDS: Mapping[Kind, str] = {
    "boundaries": "boundaries differ",
    "entities": "one entity here, several there",
    "marked_by_one": "marked by one only",
}
"""The kinds of disagreements, in words."""
MOST_TOKENS = 1_000_000
"""How many tokens of texts are kept in memory for further pairs."""


class Dispute(Record, frozen=True, kw_only=True):
    """One disagreement of two annotators."""

    a: str
    b: str
    kind: Kind
    document: str
    sentence: Annotated[
        int | None, about("the sentence of the first mention, from 1; null without words")
    ]
    in_a: Annotated[str | None, about("what a marked; null if only b marked it")]
    in_b: Annotated[str | None, about("what b marked; null if only a marked it")]


class DisagreementCounts(Record, frozen=True, kw_only=True):
    """How often two annotators disagree, by kind."""

    boundaries: Annotated[int, about("mentions that both marked with different boundaries")]
    one_in_a: Annotated[int, about("entities of a whose mentions are in several entities of b")]
    one_in_b: Annotated[int, about("entities of b whose mentions are in several entities of a")]
    only_in_a: Annotated[int, about("mentions that only a marked")]
    only_in_b: Annotated[int, about("mentions that only b marked")]


class DisputedEntity(Record, frozen=True, kw_only=True):
    """An entity of an annotator, and how far the others agree with it."""

    annotator: str
    document: str
    place: Annotated[
        int, about("its number among the annotator's entities of the document, from 1")
    ]
    label: Annotated[str, about("its label in its file")]
    title: Annotated[str, about("its first name, or else its first noun, or else a pronoun")]
    mentions: int
    b3: Annotated[float, about("its B³ score in each other annotator, averaged")]


class DisputedDocument(Record, frozen=True, kw_only=True):
    """A document, and how far its annotators agree."""

    document: str
    annotators: list[str]
    b3: Annotated[
        float | None, about("B³ F1, averaged over pairs; null if nobody marked a mention")
    ]


# ---- Kinds of disagreements ----


class SharedTexts:
    """The texts of documents, read once for all pairs of annotators, who have the same tokens."""

    def __init__(self, texts: CommonTexts, language: LanguageChoice) -> None:
        self.first = texts.annotators[0].response
        self.texts = Texts(self.first, language)
        self._kept: dict[str, ReadText | None] = {}
        self._tokens = 0

    def read(self, pair: PairAgreement, number: int) -> ReadText | None:
        """Return the text of a document of a pair; None without words."""
        matching = pair.matching
        name = matching.key.document_names[number]
        if name in self._kept:
            return self._kept[name]
        if name in self.first:
            place = self.first.index(name)
            found = self.texts.read(place, self.first, place)
        else:
            paired = np.flatnonzero(matching.pairing.key_document == number).tolist()
            found = matching.texts.read(number, matching.response, paired[0] if paired else None)
        self._tokens += len(found.text) if found else 0
        if self._tokens <= MOST_TOKENS:
            self._kept[name] = found
        return found

    def doubts(self, pair: PairAgreement) -> Sequence[Finding]:
        """Report texts whose heads, by which boundaries are compared, are not meaningful."""
        check = LanguageCheck()
        for number in range(len(pair.matching.key)):
            read = self.read(pair, number)
            if read is not None:
                check.add(read.text)
        found = check.findings(pair.matching.key.path, features=False)
        return [each for each in found if each.code is Code.OTHER_LANGUAGE]


def disagreements(pair: PairAgreement, texts: SharedTexts) -> Iterator[Dispute]:
    """Yield all disagreements of two annotators, document by document."""
    sides = pair.matching.sides(pair.scores.profile.singletons)
    for document in paired_entities(pair.matching, sides):
        read = texts.read(pair, document.number) if document.table.has_spans else None
        shown = replace(document, text=read.text, _traits=read.traits) if read else document
        yield from _Document.of(pair, shown).listed()


def count_disagreements(pair: PairAgreement, texts: SharedTexts) -> DisagreementCounts:
    """Count the disagreements of two annotators by kind.

    They follow from the table of overlaps. Words are read for mentions without a counterpart.
    """
    key, response = pair.matching.sides(pair.scores.profile.singletons)
    ours, theirs = _other_boundaries(pair, (key, response), texts)
    mention = np.array(response.mention)
    mention[theirs] = key.mention[ours]
    overlap = count_overlap(len(pair.matching.key), key, replace(response, mention=mention))
    names = ("b", "a") if pair.is_swapped else ("a", "b")
    found: dict[str, int] = {}
    for side, table in zip(names, (overlap, overlap.transposed), strict=True):
        pieces = np.bincount(table.key, minlength=len(table.key_size))
        found[f"one_in_{side}"] = int((pieces > 1).sum())
        found[f"only_in_{side}"] = int(table.key_size.sum() - table.n.sum())
    return DisagreementCounts(
        boundaries=len(ours),
        one_in_a=found["one_in_a"],
        one_in_b=found["one_in_b"],
        only_in_a=found["only_in_a"],
        only_in_b=found["only_in_b"],
    )


def _other_boundaries(
    pair: PairAgreement, sides: tuple[Side, Side], texts: SharedTexts
) -> tuple[Integers, Integers]:
    """Return the mentions of both that differ only in their boundaries, as places in the sides."""
    nothing = np.zeros(0, dtype=np.int64)
    matching = pair.matching
    if matching.key.layers is None and matching.response.layers is None:
        return nothing, nothing
    alone = [
        np.flatnonzero(~np.isin(side.mention, other.mention))
        for side, other in (sides, sides[::-1])
    ]
    rest = _of(sides[0], alone[0]), _of(sides[1], alone[1])
    words = None if matching.word_sets is None else matching.word_sets.words
    tables, numbers = mention_tables((matching.key, matching.response), rest, words)
    documents = [side.entity_document[side.mention_entity] for side in rest]
    places: list[dict[tuple[int, int], int]] = [
        dict(zip(zip(where.tolist(), own.tolist(), strict=True), at.tolist(), strict=True))
        for where, own, at in zip(documents, numbers, alone, strict=True)
    ]
    both = set(documents[0].tolist()) & set(documents[1].tolist())
    found = []
    for number, table in enumerate(tables):
        if number in both:
            own = (
                part[where == number].tolist()
                for part, where in zip(numbers, documents, strict=True)
            )
            for theirs, ours in _boundaries_in(pair, number, table, own, texts):
                found.append((places[0][number, ours], places[1][number, theirs]))
    ordered = np.array(found, dtype=np.int64).reshape(-1, 2)
    return ordered[:, 0], ordered[:, 1]


def _of(side: Side, mentions: Integers) -> Side:
    """Return a side with some of its mentions."""
    keep = np.zeros(len(side.mention), dtype=bool)
    keep[mentions] = True
    return side.keep(keep)


def _boundaries_in(
    pair: PairAgreement,
    number: int,
    table: MentionTable,
    mentions: Iterator[NumberedEntity],
    texts: SharedTexts,
) -> Sequence[tuple[int, int]]:
    """Return the mentions of one document that differ in their boundaries: theirs, and ours."""
    read = texts.read(pair, number)
    if read is None or not table.has_spans:
        return ()
    ours, theirs = mentions
    document = DocumentPair(
        name=pair.matching.key.document_names[number],
        number=number,
        table=table,
        key=[ours],
        response=[theirs],
        key_places=[1],
        response_places=[1],
        key_labels=[""],
        response_labels=[""],
        text=read.text,
        _traits=read.traits,
    )
    return alter_spans(document)[1].pairs


class _Document(Struct, frozen=True, kw_only=True):
    """One document of two annotators, cut into the pieces that they have in common."""

    pair: PairAgreement
    original: DocumentPair
    altered: DocumentPair
    boundaries: Sequence[tuple[int, int]]
    """The mention of the response and that of the key."""
    pieces: tuple[list[list[Piece]], list[list[Piece]]]
    """The pieces of each entity of key and response."""

    @classmethod
    def of(cls, pair: PairAgreement, document: DocumentPair) -> _Document:
        altered, alterations = alter_spans(document)
        ours, theirs = homes(altered.response), homes(altered.key)
        return cls(
            pair=pair,
            original=document,
            altered=altered,
            boundaries=alterations.pairs,
            pieces=(
                [cut(entity, ours) for entity in altered.key],
                [cut(entity, theirs) for entity in altered.response],
            ),
        )

    @property
    def sides(self) -> Iterator[tuple[Literal["a", "b"], list[list[Piece]]]]:
        """The pieces of each annotator."""
        names: tuple[Literal["a", "b"], ...] = ("b", "a") if self.pair.is_swapped else ("a", "b")
        return zip(names, self.pieces, strict=True)

    def listed(self) -> Iterator[Dispute]:
        """Yield the disagreements in the order of the text, kind by kind."""
        for theirs, ours in sorted(self.boundaries, key=lambda both: both[1]):
            key, response = self._said(ours), self._said(theirs)
            texts = (response, key) if self.pair.is_swapped else (key, response)
            yield self._of("boundaries", ours, texts)
        for side, entities in self.sides:
            for pieces in entities:
                shared = [piece.mentions for piece in pieces if piece.other is not None]
                if len(shared) > 1:
                    whole = [mention for piece in pieces for mention in piece.mentions]
                    one = self._entity(sorted(whole))
                    several = "; ".join(map(self._entity, shared))
                    yield self._of("entities", min(whole), _in_order(side, one, several))
        for side, entities in self.sides:
            alone = [p.mentions[0] for pieces in entities for p in pieces if p.other is None]
            for mention in sorted(alone):
                yield self._of("marked_by_one", mention, _in_order(side, self._said(mention), None))

    def _of(self, kind: Kind, mention: int, texts: tuple[str | None, str | None]) -> Dispute:
        text = self.original.text
        is_in_text = text is not None and self.original.is_in_text(mention)
        return Dispute(
            a=self.pair.a,
            b=self.pair.b,
            kind=kind,
            document=self.original.name,
            sentence=text.sentence_of(self.original.span(mention)[0]) + 1
            if text is not None and is_in_text
            else None,
            in_a=texts[0],
            in_b=texts[1],
        )

    def _said(self, mention: int) -> str:
        return str(mention_text(self.original, mention))

    def _entity(self, mentions: NumberedEntity) -> str:
        return f"{entity_title(self.original, mentions)} ({counted(len(mentions), 'mention')})"


def _in_order(
    side: Literal["a", "b"], own: str | None, other: str | None
) -> tuple[str | None, str | None]:
    return (own, other) if side == "a" else (other, own)


# ---- Disputed entities and documents ----


def entity_scores(sides: Sequence[Side], annotated: Booleans) -> list[Floats]:
    """Return how much of each entity other annotators have: B³, averaged over the others."""
    documents = annotated.shape[1]
    total = [np.zeros(len(side.entity_document)) for side in sides]
    for number, side in enumerate(sides):
        for other, others in enumerate(sides):
            if other > number:
                overlap = count_overlap(documents, side, others)
                for place, table in ((number, overlap), (other, overlap.transposed)):
                    credit = B3.credit(table) if B3.credit else None
                    assert credit is not None and credit.over is not None
                    total[place] += credit.found / credit.over / credit.possible
    count = annotated.sum(axis=0) - 1
    return [
        found / np.maximum(count[side.entity_document], 1)
        for found, side in zip(total, sides, strict=True)
    ]


def most_disputed(
    texts: CommonTexts, sides: Sequence[Side], language: LanguageChoice, most: int | None
) -> list[DisputedEntity]:
    """Return the entities that others agree with least, the largest of equals first.

    ``most`` is how many are wanted; None for all that someone disagrees with.
    """
    scores = entity_scores(sides, texts.annotated)
    annotator = np.repeat(np.arange(len(sides)), [len(each) for each in scores])
    entity = np.concatenate([np.arange(len(each)) for each in scores]) if scores else annotator
    b3 = np.concatenate(scores) if scores else np.zeros(0)
    sizes = [
        np.bincount(side.mention_entity, minlength=len(side.entity_document)) for side in sides
    ]
    size = np.concatenate(sizes) if sizes else annotator
    order = np.lexsort((entity, annotator, -size, b3))
    order = order[b3[order] < 1][:most]
    corpora = [_Titles(each.response, language) for each in texts.annotators]
    return [
        DisputedEntity(
            annotator=texts.annotators[number].name,
            document=corpora[number].document(row),
            place=corpora[number].place(row),
            label=corpora[number].corpus.entity_labels[row],
            title=corpora[number].title(row),
            mentions=int(size[at]),
            b3=float(b3[at]),
        )
        for at in order.tolist()
        for number in [int(annotator[at])]
        for row in [int(sides[number].entity_row[entity[at]])]
    ]


class _Titles:
    """Finds titles for the entities of an annotator."""

    def __init__(self, corpus: Corpus, language: LanguageChoice) -> None:
        self.corpus = corpus
        self.texts = Texts(corpus, language)

    def document(self, entity: int) -> str:
        """Return the name of the document of an entity."""
        return self.corpus.document_names[int(self.corpus.entity_document[entity])]

    def place(self, entity: int) -> int:
        """Return the number of an entity in its document, from 1."""
        documents = self.corpus.entity_document
        return entity - int(np.searchsorted(documents, documents[entity])) + 1

    def title(self, entity: int) -> str:
        """Return its first name, or else its first noun, or else a pronoun."""
        corpus = self.corpus
        rows = rows_between(corpus.mention_entity, entity, entity + 1)
        if not corpus.has_spans:
            return min(str(corpus.mention_id(row)) for row in rows)
        spans = sorted(map(tuple, corpus.mention_spans[rows.start : rows.stop].tolist()))
        document = int(corpus.entity_document[entity])
        read = self.texts.read(document, corpus, document)
        if read is None or spans[-1][1] >= len(read.text.words):
            return f"tokens {spans[0][0]}–{spans[0][1]}"
        types = [read.text.mention_type(*span) for span in spans]
        best = min(range(len(spans)), key=lambda place: list(MentionType).index(types[place]))
        return cut_right(read.text.phrase(*spans[best]))


def document_scores(
    texts: CommonTexts, pairs: Mapping[tuple[int, int], PairAgreement]
) -> list[DisputedDocument]:
    """Return B³ F1 of each document that two annotators have, the most disputed one first."""
    found: dict[str, list[float]] = {}
    for pair in pairs.values():
        overlap = pair.matching.overlap(pair.scores.profile.singletons)
        scores = B3.scores(B3.counts(overlap))
        for name, score in zip(pair.matching.key.document_names, scores, strict=True):
            if not score.is_undefined:
                found.setdefault(name, []).append(score.f1)
    rows = [
        DisputedDocument(
            document=name,
            annotators=[
                each.name
                for each, is_there in zip(texts.annotators, has_it.tolist(), strict=True)
                if is_there
            ],
            b3=sum(found[name]) / len(found[name]) if name in found else None,
        )
        for name, has_it in zip(texts.documents, texts.annotated.T, strict=True)
        if has_it.sum() > 1
    ]
    return sorted(rows, key=lambda row: (row.b3 is None, row.b3 or 0.0))
