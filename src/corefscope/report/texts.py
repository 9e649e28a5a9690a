"""The documents of a report: words, sentences, and the entities of key and systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import MentionId, Span
from corefscope.error_analysis.cost import costs
from corefscope.error_analysis.properties import RANK, entity_title
from corefscope.matching.matching import Matching
from corefscope.matching.mention_table import Where, in_order
from corefscope.matching.overlap import Floats, Overlap
from corefscope.matching.pairs import DocumentPair
from corefscope.matching.texts import ZERO
from corefscope.metrics import CONLL
from corefscope.metrics.ceaf import align_by_entities
from corefscope.report.record import DocumentText, EntityText, MentionPlaces

SharesByDocument: TypeAlias = tuple[list[list[float]], list[list[float]]]
"""What each entity of the key, and of the response, costs, document by document."""


class Places:
    """The places of the mentions of a document, the same for all systems.

    Mentions that are not spans get a place in a list of ids. Mentions that are not identified by
    their first and last token get a number as well.
    """

    def __init__(self, pairs: Sequence[DocumentPair]) -> None:
        self.ids: list[MentionId] = []
        self._marks: dict[Where, int] = {}
        if any(pair.table.ids for pair in pairs):
            known = {
                pair.table.identity(mention): pair.table.mention_id(mention)
                for pair in pairs
                for entity in (*pair.key, *pair.response)
                for mention in entity
            }
            self.ids = list(in_order(known).values())
            self._place = {identity: place for place, identity in enumerate(in_order(known))}

    def of(self, pair: DocumentPair, mention: int) -> Span:
        """Return the place of a mention in one system's pair."""
        if not self.ids:
            return pair.span(mention)
        place = self._place[pair.table.identity(mention)]
        return place, place

    def mark(self, where: Where | None) -> int | None:
        """Return the number of a mention that first and last token do not identify, or None."""
        if where is None or where.is_plain:
            return None
        return self._marks.setdefault(where, len(self._marks))

    def marked(self) -> list[list[Span]]:
        """Return the parts of the mentions that have numbers, by number."""
        return [list(where.parts) for where in self._marks]

    def absent(self) -> list[tuple[int, bool]]:
        """Return the zeros that the key has no token for, in the order of the text.

        Each is the number of the mention, and whether it stands before its token or after it.
        """
        zeros = [(each.zero, mark) for each, mark in self._marks.items() if each.zero]
        return [(mark, zero.is_before) for zero, mark in sorted(zeros)]


def text_record(gold: Corpus, pairs: Sequence[DocumentPair], places: Places) -> DocumentText:
    """Return the words of a document by sentence; without words, one dot per token."""
    pair = next((pair for pair in pairs if pair.text is not None), pairs[0])
    tokens = max((end + 1 for pair in pairs for _, end in pair.table.spans), default=0)
    if places.ids:
        words, tokens = [str(id) for id in places.ids], 0
    elif pair.text is None:
        words = ["·"] * max(tokens, int(gold.document_tokens[pair.number]))
    else:
        words = list(pair.text.words)
    words += ["·"] * (tokens - len(words))
    sentences = [(0, len(words) - 1)] if words else []
    if pair.text is not None and gold.layers is not None:
        ranges = gold.layers.text(pair.number).sentences
        if ranges and ranges[-1].stop == len(words):
            sentences = [(each.start, each.stop - 1) for each in ranges if each]
    speakers = gold[pair.name].layer("speakers") if pair.text is not None else None
    spoken = None
    if speakers and any(speaker not in ("-", "", "*") for speaker in speakers):
        spoken = [speakers[first] if first < len(speakers) else "-" for first, _ in sentences]
    return DocumentText(
        name=pair.name,
        has_text=pair.text is not None,
        words=words,
        sentences=sentences,
        speakers=spoken,
        zeros=_zeros(gold, pair),
    )


def _zeros(gold: Corpus, pair: DocumentPair) -> list[tuple[int, str]]:
    """Return the empty nodes of a document, with the lemmas of those that have no word."""
    if pair.text is None:
        return []
    words, lemmas = pair.text.words, gold[pair.name].lemmas
    return [
        (token, lemmas[token].strip("_") if lemmas and words[token] == ZERO else "")
        for token in gold.empty_nodes.tokens_of(pair.number)
    ]


def entity_records(pair: DocumentPair, places: Places, *, is_key: bool) -> Iterator[EntityText]:
    """Yield the entities of the key or of the response."""
    entities = pair.key if is_key else pair.response
    names = pair.key_names if is_key else pair.response_names
    for name, entity in zip(names, entities, strict=True):
        mentions = [_mention(pair, mention, places) for mention in entity]
        marks = [places.mark(pair.table.odd.get(mention)) for mention in entity]
        yield EntityText(
            name=name,
            title=entity_title(pair, entity),
            mentions=mentions,
            marks=None if all(mark is None for mark in marks) else marks,
        )


def _mention(pair: DocumentPair, mention: int, places: Places) -> MentionPlaces:
    traits = pair.traits(mention)
    return (*places.of(pair, mention), RANK[traits.type], traits.head_token)


def shares_by_document(overlap: Overlap) -> SharesByDocument:
    """Return what the entities of each document cost in the CoNLL score."""
    key, response = costs(overlap, CONLL.id)
    return (
        _divided(key, overlap.key_document, overlap.documents),
        _divided(response, overlap.response_document, overlap.documents),
    )


def _divided(shares: Floats, document: Integers, documents: int) -> list[list[float]]:
    order = np.argsort(document, kind="stable")
    bounds = np.searchsorted(document[order], np.arange(1, documents))
    return [some.tolist() for some in np.split(shares[order], bounds)]


def aligned(matching: Matching) -> dict[tuple[int, int], int]:
    """Return the key entity that each response entity is aligned with, by document and number."""
    overlap = matching.overlap("keep")
    first_key = _firsts(overlap.key_document.tolist())
    first_response = _firsts(overlap.response_document.tolist())
    found = {}
    for cell in align_by_entities(overlap).tolist():
        key, response = int(overlap.key[cell]), int(overlap.response[cell])
        document = int(overlap.key_document[key])
        place = response - first_response[document]
        found[document, place] = key - first_key[document]
    return found


def _firsts(documents: Sequence[int]) -> dict[int, int]:
    """Return the number of the first entity of each document."""
    firsts: dict[int, int] = {}
    for place, document in enumerate(documents):
        firsts.setdefault(document, place)
    return firsts
