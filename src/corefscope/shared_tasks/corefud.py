"""The figures of the CorefUD scorer (v1.2), its faults included.

In nearly every document its figures are those of :mod:`corefscope.metrics`. They are not where

* zeros are paired by dependency, and a mention of the key stands where another mention of the
  response than its partner stands. The scorer looks up mentions by position, so that it takes them
  for each other (:class:`_Lookup`);
* a mention is in two entities. The scorer counts it in both, and finds it only in the later one;
* several choices of pairs are equally good. The scorer takes the one that its solver happens to
  find.

Only such documents are counted again here, mention by mention. Everything else is read off the
table of overlaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import TypeAlias

import numpy as np

from corefscope.corpus import Integers
from corefscope.findings import Code, Finding, documents_have
from corefscope.formatting import PERCENT
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats, Side
from corefscope.matching.stages import (
    Cell,
    Markable,
    Rules,
    Solver,
    align,
    first_best,
    of_whole_lists,
)
from corefscope.matching.word_sets import WordSets
from corefscope.matching.words import MentionWords
from corefscope.metrics.metric import Metric
from corefscope.metrics.mor import pair_by_words

Row: TypeAlias = tuple[float, ...]
LARGEST_MATRIX = 10_000_000
"""Cells of a matrix of a whole document; in larger documents ties are broken by our own rule."""
FAULTS = (Code.ZERO_COLLISION, Code.MENTION_OF_TWO, Code.TIED_PAIRS)


@dataclass(frozen=True, slots=True, eq=False)
class OfficialCounts:
    """Counts of metrics as the CorefUD scorer has them, and where they differ from ours."""

    counts: Mapping[str, Floats]
    findings: Sequence[Finding]


def official_counts(
    matching: Matching,
    singletons: SingletonRule,
    metrics: Sequence[Metric],
    counts: Mapping[str, Floats],
) -> OfficialCounts:
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
    OfficialCounts
        The scorer's counts, and a finding for each of its faults that changes a figure.
    """
    official = _Official.of(matching, singletons)
    changed = {id: np.array(each) for id, each in counts.items()}
    causes: dict[Code, list[int]] = {code: [] for code in FAULTS}
    tied = official.tied
    for number, document in official.documents(sorted(tied | official.doubtful)):
        rows = _count(document, of_whole_lists)
        by_our_rule = _count(document, first_best) if number in tied else rows
        if rows != by_our_rule:
            causes[Code.TIED_PAIRS].append(number)
        ours = {id: counts[id][number] for id in counts.keys() & rows.keys()}
        if not all(np.allclose(row, by_our_rule[id], atol=1e-12) for id, row in ours.items()):
            causes[official.cause(number)].append(number)
        for id in ours:
            changed[id][number] = rows[id]
    findings = [
        finding
        for code, documents in causes.items()
        for finding in _finding(code, matching, metrics, counts, _only(counts, changed, documents))
    ]
    return OfficialCounts(changed, findings)


def _only(
    counts: Mapping[str, Floats], changed: Mapping[str, Floats], documents: Collection[int]
) -> dict[str, Floats]:
    """Return our counts with those of some documents changed."""
    chosen = sorted(documents)
    mixed = {id: np.array(each) for id, each in counts.items()}
    for id, each in mixed.items():
        each[chosen] = changed[id][chosen]
    return mixed


WHY = {
    Code.ZERO_COLLISION: "the CorefUD scorer takes zeros for others that stand at their place",
    Code.MENTION_OF_TWO: "the CorefUD scorer counts mentions of two entities in both",
    Code.TIED_PAIRS: "several pairings of mentions are equally good, and the CorefUD scorer takes "
    "one by chance",
}


def _finding(
    code: Code,
    matching: Matching,
    metrics: Sequence[Metric],
    clean: Mapping[str, Floats],
    faulty: Mapping[str, Floats],
) -> Iterator[Finding]:
    """Report what a fault changes: the figure of the scorer, and the one without the fault."""
    rows = [(faulty[metric.id] != clean[metric.id]).any(axis=1) for metric in metrics]
    documents = int(np.any(rows, axis=0).sum()) if rows else 0
    changes = []
    for metric in metrics:
        found, expected = metric.total(faulty[metric.id]), metric.total(clean[metric.id])
        if max(abs(found.recall - expected.recall), abs(found.precision - expected.precision)) > 0:
            changes.append(
                f"{metric.name} {PERCENT.shown(found.f1)} instead of {PERCENT.shown(expected.f1)}"
            )
    if changes:
        has = documents_have(documents, len(matching.key)).rsplit(" ", 1)[0]
        message = (
            f"in {has}, {WHY[code]}: {', '.join(changes)}. The figures given are those of the "
            "CorefUD scorer; report the others where no official figure is needed"
        )
        yield Finding(code, message, file=matching.response.path)


# ---- What is counted again ----


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Annotation:
    """The entities of one side of a document, as the scorer sees them."""

    entities: Sequence[Sequence[Markable]]
    """The mentions of each entity; a mention may be in several."""

    @property
    def mentions(self) -> list[Markable]:
        """All mentions, copies included."""
        return [mention for entity in self.entities for mention in entity]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OfficialDocument:
    """A document of both sides, and how its mentions are paired."""

    key: Annotation
    response: Annotation
    rules: Rules


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Official:
    """What the scorer compares: copies of mentions within an entity are gone, others stay."""

    matching: Matching
    singletons: SingletonRule
    sets: WordSets
    sides: tuple[Side, Side]
    with_copies: frozenset[int]
    """Documents in which a mention is in two entities."""

    @classmethod
    def of(cls, matching: Matching, singletons: SingletonRule) -> _Official:
        assert matching.word_sets is not None
        once = [_once_per_entity(side) for side in matching.annotated]
        with_copies = {document for side in once for document in _with_copies(side)}
        if singletons != "keep":
            once = [
                side if singletons == "drop-response" and place == 0 else side.without_singletons()
                for place, side in enumerate(once)
            ]
        return cls(
            matching=matching,
            singletons=singletons,
            sets=matching.word_sets,
            sides=(once[0], once[1]),
            with_copies=frozenset(with_copies),
        )

    @property
    def tied(self) -> Set[int]:
        """The documents in which several choices of pairs are equally good."""
        aligned = self.matching.is_aligned
        return self.matching.alignment(self.singletons).tied if aligned else frozenset()

    @property
    def doubtful(self) -> Set[int]:
        """The documents in which mentions may be looked up wrongly."""
        return self.with_copies | (self._collisions() if self.matching.is_aligned else set())

    def cause(self, document: int) -> Code:
        """Return why the scorer has figures of its own in a document."""
        is_of_two = document in self.with_copies
        return Code.MENTION_OF_TWO if is_of_two else Code.ZERO_COLLISION

    def _collisions(self) -> set[int]:
        """Return the documents in which equal mentions are not each other's partners."""
        alignment = self.matching.alignment(self.singletons)
        ours, theirs = (
            ids.mention[side.mention_row]
            for ids, side in zip(alignment.ids, alignment.sides, strict=True)
        )
        _, key, response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
        side = alignment.sides[0]
        wrong = key[alignment.partner[key] != response]
        return set(side.entity_document[side.mention_entity[wrong]].tolist())

    def documents(self, chosen: Sequence[int]) -> Iterator[tuple[int, OfficialDocument]]:
        """Go through some documents."""
        sides = [
            _annotations(side, words, chosen)
            for side, words in zip(self.sides, self.sets.words, strict=True)
        ]
        for document in chosen:
            yield (
                document,
                OfficialDocument(
                    key=sides[0][document],
                    response=sides[1][document],
                    rules=self.matching.rules,
                ),
            )


def _once_per_entity(side: Side) -> Side:
    """Drop copies of a mention in its own entity but the first."""
    order = np.lexsort((side.mention, side.mention_entity))
    entity, mention = side.mention_entity[order], side.mention[order]
    is_copy = np.zeros(len(order), dtype=bool)
    is_copy[order[1:]] = (entity[1:] == entity[:-1]) & (mention[1:] == mention[:-1])
    return side.keep(~is_copy)


def _with_copies(side: Side) -> list[int]:
    """Return the documents in which a mention occurs twice."""
    numbers, counts = np.unique(side.mention, return_counts=True)
    copies = np.isin(side.mention, numbers[counts > 1])
    return list(set(side.entity_document[side.mention_entity[copies]].tolist()))


def _annotations(
    side: Side, words: MentionWords, documents: Sequence[int]
) -> Mapping[int, Annotation]:
    """Return the entities of some documents, by first mention as the scorer sorts them."""
    entities: dict[int, dict[int, list[Markable]]] = {document: {} for document in documents}
    of_mention: Integers = side.entity_document[side.mention_entity]
    for place in np.flatnonzero(np.isin(of_mention, documents)).tolist():
        of_document = entities[int(of_mention[place])]
        markable = words.markable(int(side.mention_row[place]))
        of_document.setdefault(int(side.mention_entity[place]), []).append(markable)
    labels = words.corpus.entity_labels
    found = {}
    for document, by_entity in entities.items():
        first = {
            entity: (min(map(_reading_order, mentions)), labels[int(side.entity_row[entity])])
            for entity, mentions in by_entity.items()
        }
        ordered = sorted(by_entity, key=first.__getitem__)
        found[document] = Annotation(entities=[by_entity[entity] for entity in ordered])
    return found


def _reading_order(mention: Markable) -> tuple[int, int, int]:
    """Return what the reader sorts mentions by: first word, more words first, last word."""
    return min(mention.words), -len(mention.words), max(mention.words)


# ---- How the scorer counts ----


@dataclass(slots=True, eq=False, kw_only=True)
class _Lookup:
    """How the scorer finds a mention on the other side: by a dictionary, else by what it is.

    The dictionary has the pairs of mentions that are not equal, from the key to the response, and
    then from the response to the key; later entries replace earlier ones.
    """

    document: OfficialDocument
    solve: Solver
    translated: dict[Hashable, Hashable] = field(default_factory=dict)
    owners: list[dict[Hashable, int]] = field(default_factory=list)
    """The entity of each mention on each side; of several, the last."""

    def __post_init__(self) -> None:
        document, identity = self.document, self.document.rules.identity
        sides = [
            {identity(mention): mention for mention in reversed(side.mentions)}
            for side in (document.key, document.response)
        ]
        key, response = (list(side.values()) for side in sides)
        fits = len(key) * len(response) <= LARGEST_MATRIX
        pairs = align(key, response, document.rules, self.solve if fits else first_best)
        unequal = [
            (ours, theirs)
            for ours, theirs in (
                (identity(key[pair.key]), identity(response[pair.response])) for pair in pairs
            )
            if ours != theirs
        ]
        self.translated.update(unequal)
        self.translated.update((theirs, ours) for ours, theirs in unequal)
        self.owners = [
            {
                identity(mention): number
                for number, entity in enumerate(side.entities)
                for mention in entity
            }
            for side in (document.key, document.response)
        ]

    def homes(self, mentions: Sequence[Markable], other: int) -> list[int]:
        """Return the entities of the other side in which the mentions are found."""
        found = (self.owners[other].get(self.found_as(mention)) for mention in mentions)
        return [home for home in found if home is not None]

    def found_as(self, mention: Markable) -> Hashable:
        """Return what a mention is looked up by."""
        itself = self.document.rules.identity(mention)
        return self.translated.get(itself, itself)


def _count(document: OfficialDocument, solve: Solver) -> Mapping[str, Row]:
    """Count all metrics of one document."""
    lookup = _Lookup(document=document, solve=solve)
    key, response = document.key.entities, document.response.entities

    def both(recall: Callable[[_Lookup, int], Row]) -> Row:
        return (*recall(lookup, 0), *recall(lookup, 1))

    aligned = _aligned(lookup)
    mentions = [sum(map(len, entities)) for entities in (key, response)]
    return {
        "muc": both(_muc),
        "b3": both(_b3),
        "lea": both(_lea),
        "ceafm": (aligned[0], mentions[0], aligned[0], mentions[1]),
        "ceafe": (aligned[1], len(key), aligned[1], len(response)),
        "blanc": _blanc(lookup),
        "mor": _mor(document),
        "zero": _zero(lookup),
    }


def _entities(lookup: _Lookup, side: int) -> Sequence[Sequence[Markable]]:
    return (lookup.document.key, lookup.document.response)[side].entities


def _muc(lookup: _Lookup, side: int) -> Row:
    links = total = 0
    for entity in _entities(lookup, side):
        homes = lookup.homes(entity, 1 - side)
        links += len(homes) - len(set(homes))
        total += len(entity) - 1
    return links, total


def _b3(lookup: _Lookup, side: int) -> Row:
    credit, total = Fraction(0), 0
    for entity in _entities(lookup, side):
        homes = Counter(lookup.homes(entity, 1 - side))
        credit += Fraction(sum(n * n for n in homes.values()), len(entity))
        total += len(entity)
    return float(credit), total


def _lea(lookup: _Lookup, side: int) -> Row:
    credit, total = Fraction(0), 0
    others = _entities(lookup, 1 - side)
    for entity in _entities(lookup, side):
        homes = Counter(lookup.homes(entity, 1 - side))
        total += len(entity)
        if len(entity) == 1:
            credit += sum(len(others[home]) == 1 for home in homes)
        else:
            links = sum(comb(n, 2) for n in homes.values())
            credit += Fraction(links * len(entity), comb(len(entity), 2))
    return float(credit), total


def _aligned(lookup: _Lookup) -> tuple[float, float]:
    """Return the totals of the best alignments of entities, by mentions and by entities."""
    identity = lookup.document.rules.identity
    having: dict[Hashable, list[int]] = {}
    for number, entity in enumerate(_entities(lookup, 1)):
        for mention in entity:
            having.setdefault(identity(mention), []).append(number)
    by_mentions, by_entities = [], []
    for number, entity in enumerate(_entities(lookup, 0)):
        overlap = Counter(
            home for mention in entity for home in having.get(lookup.found_as(mention), ())
        )
        for home, n in overlap.items():
            both = len(entity) + len(_entities(lookup, 1)[home])
            by_mentions.append(Cell(number, home, Fraction(n)))
            by_entities.append(Cell(number, home, Fraction(2 * n, both)))
    return _best_total(by_mentions), _best_total(by_entities)


def _best_total(cells: Sequence[Cell]) -> float:
    weight = {(cell.key, cell.response): cell.weight for cell in cells}
    return float(sum((weight[pair] for pair in first_best(cells)), Fraction(0)))


def _blanc(lookup: _Lookup) -> Row:
    """Count links as the scorer does: those of the key whose mentions are found."""
    rows = [Counter(lookup.homes(entity, 1)) for entity in _entities(lookup, 0)]
    columns = sum(rows, Counter[int]())
    both = sum(comb(n, 2) for row in rows for n in row.values())
    neither = (
        comb(columns.total(), 2)
        - sum(comb(row.total(), 2) for row in rows)
        - sum(comb(n, 2) for n in columns.values())
        + both
    )
    links = []
    for side in (0, 1):
        sizes = [len(entity) for entity in _entities(lookup, side)]
        coreferent = sum(comb(size, 2) for size in sizes)
        links.append((coreferent, comb(sum(sizes), 2) - coreferent))
    (key, key_not), (response, response_not) = links
    return both, key, both, response, neither, key_not, neither, response_not


def _mor(document: OfficialDocument) -> Row:
    """Count words in common; a mention in two entities counts twice."""
    key, response = document.key.mentions, document.response.mentions
    common = sum(words for _, words in pair_by_words(key, response))
    totals = [sum(len(mention.words) for mention in side) for side in (key, response)]
    return common, totals[0], common, totals[1]


def _zero(lookup: _Lookup) -> Row:
    """Count zero anaphors; a mention that is equal comes before the partner."""
    counted = _ZeroCounts(lookup)
    for entity in _entities(lookup, 0):
        counted.add(sorted(entity, key=lambda mention: mention.order))
    right, linked = counted.right, counted.linked
    return right, counted.anaphors, right, linked + counted.spurious()


class _ZeroCounts:
    """Counts the zero anaphors of a document, entity by entity."""

    def __init__(self, lookup: _Lookup) -> None:
        self.lookup = lookup
        self.identity = lookup.document.rules.identity
        self.anaphors = self.linked = self.right = 0
        self.partners: set[Hashable] = set()
        self.response = [
            sorted(entity, key=lambda mention: mention.order) for entity in _entities(lookup, 1)
        ]
        self.members = [set(map(self.identity, entity)) for entity in self.response]

    def partner(self, mention: Markable) -> Hashable | None:
        """Return the equal mention of the response, if there is one, else what is looked up."""
        itself = self.identity(mention)
        owners = self.lookup.owners[1]
        found = itself if itself in owners else self.lookup.translated.get(itself)
        return found if found in owners else None

    def add(self, entity: Sequence[Markable]) -> None:
        """Count the anaphors of an entity of the key, whose mentions are sorted."""
        partners = [self.partner(mention) for mention in entity]
        for place, (mention, partner) in enumerate(zip(entity, partners, strict=True)):
            if place == 0 or not mention.is_zero:
                continue
            self.anaphors += 1
            if partner is None:
                continue
            self.partners.add(partner)
            home = self.lookup.owners[1][partner]
            if self.identity(self.response[home][0]) == partner:
                continue
            self.linked += 1
            self.right += any(before in self.members[home] for before in partners[:place])

    def spurious(self) -> int:
        """Return how many zero anaphors of the response are nobody's partner."""
        return sum(
            mention.is_zero and self.identity(mention) not in self.partners
            for entity in self.response
            for mention in entity[1:]
        )
