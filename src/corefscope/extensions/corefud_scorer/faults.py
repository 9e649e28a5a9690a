"""The figures of the CorefUD scorer (v1.2), its faults included.

In nearly every document its figures are those of :mod:`corefscope.metrics`. They are not where

* zeros are paired by dependency, and a mention of the key stands where another mention of the
  response than its partner stands. The scorer looks up mentions by position, so that it takes them
  for each other (:class:`OfficialDocument`);
* a mention is in two entities. The scorer counts it in both, and finds it only in the later one;
* several choices of pairs are equally good. The scorer takes the one that its solver happens to
  find.

Only such documents are counted again here: by the same metrics, on tables of what the scorer finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.words import Comments
from corefscope.extensions.corefud_scorer.mor import count_words
from corefscope.findings import Code, Finding, some_documents
from corefscope.matching.alignment import Alignment
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Overlap, Side, overlap_of
from corefscope.matching.stages import align, of_whole_lists
from corefscope.matching.word_sets import WordSets
from corefscope.matching.words import MentionWords
from corefscope.metrics import STANDARD
from corefscope.metrics.counts import CountRow
from corefscope.metrics.metric import Metric, OverlapMetric
from corefscope.official import changed_figures


class Fault(Enum):
    """What the scorer does that changes its figures."""

    ZERO_COLLISION = "the CorefUD scorer takes zeros for others that stand at their place"
    MENTION_OF_TWO = "the CorefUD scorer counts mentions of two entities in both"
    TIED_PAIRS = (
        "several pairings of mentions are equally good, and the CorefUD scorer takes one by chance"
    )


def official_counts(
    matching: Matching,
    singletons: SingletonRule,
    metrics: Sequence[Metric],
    counts: Mapping[str, Floats],
) -> tuple[Mapping[str, Floats], list[Finding]]:
    """Replace the counts of documents in which the scorer has figures of its own.

    Parameters
    ----------
    matching
        Key and response, paired for the CorefUD scorer.
    singletons
        What becomes of entities of one mention.
    metrics
        The metrics that were counted.
    counts
        Our own counts of each metric.

    Returns
    -------
    tuple
        The scorer's counts, and a finding for each of its faults that changes a figure.
    """
    official = _Official.of(matching, singletons)
    wanted = [metric for metric in metrics if metric.id in COUNTED]
    changed = {id: np.array(each) for id, each in counts.items()}
    causes: dict[Fault, list[int]] = {fault: [] for fault in Fault}
    for number, document in official.documents():
        rows = {metric.id: _row(metric, document) for metric in wanted}
        by_our_rule = rows
        if document.untied is not None:
            by_our_rule = {metric.id: _row(metric, document.untied) for metric in wanted}
            if rows != by_our_rule:
                causes[Fault.TIED_PAIRS].append(number)
        if any(
            not np.allclose(counts[id][number], row, atol=1e-9) for id, row in by_our_rule.items()
        ):
            causes[official.cause(number)].append(number)
        for id, row in rows.items():
            changed[id][number] = row
    if "mor" in counts and official.sets and official.with_copies:
        changed["mor"] = count_words(official.sets, official.sides, len(matching.key))
        fault = Fault.MENTION_OF_TWO
        causes[fault] = sorted({*causes[fault], *official.with_copies})
    findings = [
        finding
        for fault, documents in causes.items()
        for finding in _finding(fault, matching, metrics, counts, _only(counts, changed, documents))
    ]
    return changed, findings


def _only(
    counts: Mapping[str, Floats], changed: Mapping[str, Floats], documents: Collection[int]
) -> dict[str, Floats]:
    """Return our counts with those of some documents changed."""
    chosen = sorted(documents)
    mixed = {id: np.array(each) for id, each in counts.items()}
    for id, each in mixed.items():
        each[chosen] = changed[id][chosen]
    return mixed


def _finding(
    fault: Fault,
    matching: Matching,
    metrics: Sequence[Metric],
    clean: Mapping[str, Floats],
    faulty: Mapping[str, Floats],
) -> Iterator[Finding]:
    """Report what a fault changes: the figure of the scorer, and the one without the fault."""
    rows = [(faulty[metric.id] != clean[metric.id]).any(axis=1) for metric in metrics]
    documents = int(np.any(rows, axis=0).sum()) if rows else 0
    changes = changed_figures(metrics, faulty, clean)
    if changes:
        message = (
            f"in {some_documents(documents, len(matching.key))}, {fault.value}: {changes}. The "
            "figures given are those of the CorefUD scorer; report the others where no official "
            "figure is needed"
        )
        yield Finding(Code.OFFICIAL_FAULT, message, file=matching.response.path)


def refused_by_scorer(matching: Matching) -> Iterator[Finding]:
    """Report documents that the scorer does not accept: it walks through both files in parallel."""
    pairing = matching.pairing
    codes = {finding.code for finding in pairing.findings}
    is_paired = pairing.key_document >= 0
    paired = pairing.key_document[is_paired]
    comments = list(_comments(matching))
    key_names = matching.key.document_names
    names = zip(pairing.key_document.tolist(), matching.response.document_names, strict=True)
    found = {
        "documents of the key are missing": bool(pairing.missing),
        # Those after all others are ignored.
        "documents that the key does not have stand before others": bool(
            (np.diff(is_paired.astype(np.int8)) > 0).any()
        ),
        "documents have other names than in the key": any(
            ours.newdoc != theirs.newdoc for _, _, ours, theirs in comments
        )
        or (not comments and any(key_names[at] != name for at, name in names if at >= 0)),
        "documents with entities have no '# newdoc'": any(
            ours.newdoc is theirs.newdoc is None
            and (matching.key.mentions_of(document) or matching.given.mentions_of(number))
            for document, number, ours, theirs in comments
        ),
        "documents are in another order than in the key": bool((np.diff(paired) < 0).any()),
        "sentences have another sent_id than in the key": any(
            _have_other_ids(ours, theirs) for _, _, ours, theirs in comments
        ),
        "words differ from those of the key": Code.WORDS_DIFFER in codes,
    }
    reasons = [reason for reason, holds in found.items() if holds]
    if reasons:
        yield Finding(
            Code.SCORER_FAILS,
            ", and ".join(reasons),
            expected=(
                "the same documents, sentences and words in the same order: the CorefUD scorer "
                "refuses such files, so there is no official score"
            ),
            file=matching.response.path,
        )


def _comments(matching: Matching) -> Iterator[tuple[int, int, Comments, Comments]]:
    """Yield paired documents of key and response with their comments, if both have some."""
    ours, theirs = matching.key.comments, matching.given.comments
    if ours is None or theirs is None:
        return
    for number, document in enumerate(matching.pairing.key_document.tolist()):
        one, other = (ours[document] if document >= 0 else None), theirs[number]
        if one is not None and other is not None:
            yield document, number, one, other


def _have_other_ids(ours: Comments, theirs: Comments) -> bool:
    """Return whether sentences have different ids; one without an id has its number as such."""
    # The scorer does not notice that sentences are missing at the end.
    pairs = zip(ours.sentence_ids, theirs.sentence_ids, strict=False)
    return any(
        one != other and not (b"" in (one, other) and (one or other).isdigit())
        for one, other in pairs
    )


# ---- What is counted again ----


class ScorerMention(NamedTuple):
    """A mention as the scorer sees it."""

    id: int
    """The same number for the same mention on both sides."""
    order: tuple[int, int, int, int]
    """What mentions are sorted by: first word, last word, number of words; then the head."""
    is_zero: bool


ScorerEntities: TypeAlias = Sequence[Sequence[ScorerMention]]


class OfficialDocument(Struct, eq=False, kw_only=True, dict=True):
    """A document of both sides, and how the scorer finds a mention on the other side.

    It looks a mention up in a dictionary, and takes it for itself if it is not there. The
    dictionary has the pairs of mentions that are not equal, from the key to the response, and then
    from the response to the key; later entries replace earlier ones.
    """

    entities: tuple[ScorerEntities, ScorerEntities]
    """The entities of key and response; a mention may be in several."""
    pairs: Mapping[int, int]
    """The mentions that are paired, from the key to the response."""
    untied: OfficialDocument | None = None
    """The document with the pairs that our rule for ties makes, if these are others."""

    @cached_property
    def translated(self) -> dict[int, int]:
        """What a mention is looked up by, if that is not itself."""
        unequal = [(ours, theirs) for ours, theirs in self.pairs.items() if ours != theirs]
        return dict(unequal) | {theirs: ours for ours, theirs in unequal}

    @cached_property
    def owners(self) -> list[dict[int, int]]:
        """The entity of each mention on each side; of several, the last."""
        return [
            {mention.id: number for number, entity in enumerate(side) for mention in entity}
            for side in self.entities
        ]

    def sizes(self, side: int) -> list[int]:
        """Return the number of mentions of each entity."""
        return list(map(len, self.entities[side]))

    def found_as(self, mention: ScorerMention) -> int:
        """Return what a mention is looked up by."""
        return self.translated.get(mention.id, mention.id)

    def homes(self, mentions: Sequence[ScorerMention], other: int) -> Counter[int]:
        """Count the entities of the other side in which the mentions are found."""
        owners = self.owners[other]
        found = map(self.found_as, mentions)
        return Counter(owners[mention] for mention in found if mention in owners)


class _Official(Struct, frozen=True, eq=False, kw_only=True):
    """What the scorer compares: copies of mentions within an entity are gone, others stay."""

    matching: Matching
    sets: WordSets | None
    """The words of the mentions; None if they are ids, which only equal ids are paired with."""
    sides: tuple[Side, Side]
    alignment: Alignment | None
    """The pairs of the mentions, each of which is there once, by our rule for ties."""
    with_copies: frozenset[int]
    """Documents in which a mention is in two entities."""

    @classmethod
    def of(cls, matching: Matching, singletons: SingletonRule) -> _Official:
        once = [side.once_in_each() for side in matching.numbered]
        with_copies = {document for side in once for document in _with_copies(side)}
        if singletons != "keep":
            once[1] = once[1].without_singletons()
        if singletons == "drop":
            once[0] = once[0].without_singletons()
        # Without copies these are the sides that are compared anyway.
        unique = (once[0].first_copies()[0], once[1].first_copies()[0])
        sets, alignment = matching.word_sets, None
        if sets is not None:
            alignment = (
                sets.alignment(unique, matching.rules)
                if with_copies
                else matching.alignment(singletons)
            )
        return cls(
            matching=matching,
            sets=sets,
            sides=(once[0], once[1]),
            alignment=alignment,
            with_copies=frozenset(with_copies),
        )

    def cause(self, document: int) -> Fault:
        """Return why the scorer has figures of its own in a document."""
        is_of_two = document in self.with_copies
        return Fault.MENTION_OF_TWO if is_of_two else Fault.ZERO_COLLISION

    def documents(self) -> Iterator[tuple[int, OfficialDocument]]:
        """Go through the documents in which a fault of the scorer may show."""
        tied = self.alignment.tied if self.alignment else set()
        chosen = sorted({*self.with_copies, *tied, *self._collisions()})
        corpora, words = (self.matching.key, self.matching.response), (None, None)
        sides = [
            _entities(side, corpus, of_words, chosen)
            for side, corpus, of_words in zip(
                self.sides, corpora, self.sets.words if self.sets else words, strict=True
            )
        ]
        pairs = self._pairs(chosen)
        for document in chosen:
            entities = sides[0][document], sides[1][document]
            found = OfficialDocument(entities=entities, pairs=pairs[document])
            if document in tied:
                by_solver = self._solved(document)
                if by_solver != pairs[document]:
                    found = OfficialDocument(entities=entities, pairs=by_solver, untied=found)
            yield document, found

    def _collisions(self) -> set[int]:
        """Return the documents in which equal mentions are not each other's partners."""
        if self.alignment is None:
            return set()
        ours, theirs = self._ids(self.alignment)
        _, key, response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
        wrong = key[self.alignment.partner[key] != response]
        return set(_documents(self.alignment.sides[0])[wrong].tolist())

    def _ids(self, alignment: Alignment) -> tuple[Integers, Integers]:
        """Return the numbers of the mentions that are aligned."""
        ours, theirs = (
            ids.mention[side.mention_row]
            for ids, side in zip(alignment.ids, alignment.sides, strict=True)
        )
        return ours, theirs

    def _pairs(self, documents: Sequence[int]) -> Mapping[int, dict[int, int]]:
        """Return the pairs of some documents by our rule for ties."""
        pairs: dict[int, dict[int, int]] = {document: {} for document in documents}
        if self.alignment is None:
            return pairs  # Equal ids need no entry in the scorer's dictionary.
        ours, theirs = self._ids(self.alignment)
        document, partner = _documents(self.alignment.sides[0]), self.alignment.partner
        chosen = np.flatnonzero((partner >= 0) & np.isin(document, documents))
        for place, key, response in zip(
            document[chosen].tolist(),
            ours[chosen].tolist(),
            theirs[partner[chosen]].tolist(),
            strict=True,
        ):
            pairs[place][key] = response
        return pairs

    def _solved(self, document: int) -> dict[int, int]:
        """Return the pairs of a document that the scorer's solver finds."""
        assert self.alignment is not None
        mentions, numbers = [], []
        for side, words, ids in zip(
            self.alignment.sides, self.alignment.words, self._ids(self.alignment), strict=True
        ):
            places = np.flatnonzero(_documents(side) == document)
            mentions.append([words.markable(row) for row in side.mention_row[places].tolist()])
            numbers.append(ids[places].tolist())
        pairs = align(mentions[0], mentions[1], self.matching.rules, of_whole_lists)
        return {numbers[0][pair.key]: numbers[1][pair.response] for pair in pairs}


def _documents(side: Side) -> Integers:
    """Return the document of each mention of a side."""
    return side.entity_document[side.mention_entity]


def _with_copies(side: Side) -> list[int]:
    """Return the documents in which a mention occurs twice."""
    numbers, counts = np.unique(side.mention, return_counts=True)
    copies = np.isin(side.mention, numbers[counts > 1])
    return list(set(_documents(side)[copies].tolist()))


def _entities(
    side: Side, corpus: Corpus, words: MentionWords | None, documents: Sequence[int]
) -> Mapping[int, ScorerEntities]:
    """Return the entities of some documents, by first mention as the scorer reads them."""
    chosen = np.flatnonzero(np.isin(_documents(side), documents))
    rows = side.mention_row[chosen]
    columns, zeros = (rows, rows, rows, rows), np.zeros(len(rows), dtype=bool)
    if words is not None:
        places = words.first[rows], words.last[rows], words.size[rows], words.head[rows]
        columns, zeros = places, words.is_zero[rows]
    mentions = zip(
        side.mention_entity[chosen].tolist(),
        side.mention[chosen].tolist(),
        zip(*(column.tolist() for column in columns), strict=True),
        zeros.tolist(),
        strict=True,
    )
    by_entity: dict[int, list[ScorerMention]] = {}
    for entity, id, order, is_zero in mentions:
        by_entity.setdefault(entity, []).append(ScorerMention(id, order, is_zero))
    labels = corpus.entity_labels
    first = {
        entity: (min(map(_reading_order, of_entity)), labels[int(side.entity_row[entity])])
        for entity, of_entity in by_entity.items()
    }
    found: dict[int, list[list[ScorerMention]]] = {document: [] for document in documents}
    for entity in sorted(by_entity, key=first.__getitem__):
        found[int(side.entity_document[entity])].append(by_entity[entity])
    return found


def _reading_order(mention: ScorerMention) -> tuple[int, int, int]:
    """Return what the reader sorts mentions by: first word, more words first, last word."""
    first, last, size, _ = mention.order
    return first, -size, last


# ---- How the scorer counts: our metrics, on tables of what it finds ----


def _row(metric: Metric, document: OfficialDocument) -> CountRow:
    """Count a row of one document."""
    if not isinstance(metric, OverlapMetric):
        return _zero(document)
    if metric.credit is not None:
        tables = (_found(document, side) for side in (0, 1))
        credits = ((metric.credit(table), table) for table in tables)
        sums = (credit.by_document(table, table.key_document) for credit, table in credits)
        return tuple(float(each[0]) for counts in sums for each in counts)
    is_aligned = metric.credit_both is not None
    table = _looked_for(document) if is_aligned else _found(document, 0)
    return tuple(metric.counts(table)[0].tolist())


def _found(document: OfficialDocument, side: int) -> Overlap:
    """Return where the mentions of a side are found: each in one entity of the other side."""
    cells = {
        (number, home): n
        for number, entity in enumerate(document.entities[side])
        for home, n in document.homes(entity, 1 - side).items()
    }
    return overlap_of(document.sizes(side), document.sizes(1 - side), cells)


def _looked_for(document: OfficialDocument) -> Overlap:
    """Return where mentions of the key are looked for: a copy is in every entity that has it."""
    having: dict[int, list[int]] = {}
    for number, entity in enumerate(document.entities[1]):
        for mention in entity:
            having.setdefault(mention.id, []).append(number)
    cells = Counter(
        (number, home)
        for number, entity in enumerate(document.entities[0])
        for mention in entity
        for home in having.get(document.found_as(mention), ())
    )
    return overlap_of(document.sizes(0), document.sizes(1), cells)


def _zero(document: OfficialDocument) -> CountRow:
    """Count zero anaphors; here a mention that is equal comes before the partner."""
    counted = _ZeroCounts(document)
    for entity in document.entities[0]:
        counted.add(sorted(entity, key=_order))
    right, linked = counted.right, counted.linked
    return right, counted.anaphors, right, linked + counted.spurious()


def _order(mention: ScorerMention) -> tuple[int, int, int, int]:
    return mention.order


class _ZeroCounts:
    """Counts the zero anaphors of a document, entity by entity."""

    def __init__(self, document: OfficialDocument) -> None:
        self.document = document
        self.anaphors = self.linked = self.right = 0
        self.partners: set[int] = set()
        self.response = [sorted(entity, key=_order) for entity in document.entities[1]]
        self.first = {entity[0].id for entity in self.response}
        """The first mention of each entity. A mention of two entities that is the first of one of
        them is no anaphor in the other: the scorer compares mentions, not their places."""
        self.members = [{mention.id for mention in entity} for entity in self.response]

    def partner(self, mention: ScorerMention) -> int | None:
        """Return the equal mention of the response, if there is one, else what is looked up."""
        owners = self.document.owners[1]
        if mention.id in owners:
            return mention.id
        found = self.document.translated.get(mention.id)
        return found if found in owners else None

    def add(self, entity: Sequence[ScorerMention]) -> None:
        """Count the anaphors of an entity of the key, whose mentions are sorted."""
        if not any(mention.is_zero for mention in entity[1:]):
            return
        partners = [self.partner(mention) for mention in entity]
        for place, (mention, partner) in enumerate(zip(entity, partners, strict=True)):
            if place == 0 or not mention.is_zero:
                continue
            self.anaphors += 1
            if partner is None:
                continue
            self.partners.add(partner)
            if partner in self.first:
                continue
            home = self.document.owners[1][partner]
            self.linked += 1
            self.right += any(before in self.members[home] for before in partners[:place])

    def spurious(self) -> int:
        """Return how many zero anaphors of the response are nobody's partner."""
        known = self.partners | self.first
        return sum(
            mention.is_zero and mention.id not in known
            for entity in self.response
            for mention in entity[1:]
        )


COUNTED = (*STANDARD, "zero")
"""The metrics that faults change; MOR differs only in that copies count."""
