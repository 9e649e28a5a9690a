"""Scores of slices of a corpus, in four senses that are often confused.

*filter*: only mentions with a label are kept on both sides and scored; this splits entities.
*credit*: entities stay whole, and B³ sums only the credit of mentions with the label.
*anaphor*: how many mentions with the label that have an antecedent have a correct one.
*links*: the same, as a table of the labels of anaphor and antecedent.

A slice gives mentions labels, such as their type: see :mod:`corefscope.breakdown.slices`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct, field

from corefscope.breakdown.slices import NO_TYPE, SLICES, Labels, Slice, needs_no_tables
from corefscope.choices import SliceKind
from corefscope.error_analysis.sources import Sources
from corefscope.error_analysis.transformation import homes
from corefscope.findings import Finding
from corefscope.language import LanguageCheck
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import count_overlap, side_of
from corefscope.matching.pairs import DocumentPair, NumberedEntity, document_pairs
from corefscope.metrics import Metric, OverlapMetric, Score, without_text
from corefscope.metrics.counts import BLOCK, plain_scores


class AnaphorLinks(Struct, kw_only=True):
    """Links of an anaphor to its closest antecedent, for one pair of labels."""

    key: int = 0
    found: int = 0
    """Links of the key whose two mentions are in one entity of the response."""
    response: int = 0
    right: int = 0
    """Links of the response whose two mentions are in one entity of the key."""


class ByType(Struct, frozen=True, eq=False, kw_only=True):
    """Scores by label, such as the type of mentions, in four senses."""

    kind: SliceKind
    filter: Mapping[str, Mapping[str, Score]]
    credit: Mapping[str, Score]
    anaphor: Mapping[str, Score]
    links: Mapping[tuple[str, str], AnaphorLinks]
    """By the labels of anaphor and antecedent."""
    findings: Sequence[Finding] = ()
    """Findings about layers of the text that were missing."""

    def mentions(self, label: str) -> tuple[int, int]:
        """Return how many mentions of the key and of the response have a label."""
        credit = self.credit[label]
        return int(credit.recall_counts[1]), int(credit.precision_counts[1])


class _Document(Struct, eq=False):
    """One document with the labels of its mentions on each side."""

    pair: DocumentPair
    key: Labels
    response: Labels

    @property
    def labels(self) -> Iterator[str]:
        return (label for side in (self.key, self.response) for e in side for label in e)


def score_by_type(
    matching: Matching, singletons: SingletonRule, kind: SliceKind, metrics: Iterable[Metric]
) -> ByType:
    """Score a response by type of mention, or by another slice."""
    chosen = SLICES[kind]
    sources, language = Sources(), LanguageCheck()
    documents = []
    for pair in document_pairs(matching, singletons):
        labels = chosen.labeller(pair, matching)
        documents.append(_Document(pair, labels(pair.key), labels(pair.response)))
        if not chosen.layers:
            continue
        if pair.text and not (kind == "mention-type" and needs_no_tables(pair, matching)):
            language.add(pair.text)
        sources.add(pair, matching.key.file_of(pair.number), matching.response.path)
    types = _ordered(documents, chosen)
    work = _Counts()
    for document in documents:
        work.add(document)
    return ByType(
        kind=kind,
        filter=_filtered(documents, types, without_text(metrics)),
        credit=_by_type(work.credits, types),
        anaphor=_by_type(work.anaphors, types),
        links=dict(sorted(work.links.items())),
        findings=[
            *sources.findings(matching.key.path, chosen.layers),
            *language.findings(matching.key.path, levels=kind == "mention-type"),
        ],
    )


def _ordered(documents: Sequence[_Document], chosen: Slice) -> list[str]:
    """Return the labels that occur, in the order in which they are shown."""
    found = Counter(label for document in documents for label in document.labels)
    if chosen.order is not None:
        return [label for label in chosen.order if label in found or label in chosen.always]
    return sorted(found, key=lambda label: (label == NO_TYPE, -found[label], label))


def _by_type(counts: Mapping[str, list[float]], types: Sequence[str]) -> dict[str, Score]:
    """Return the score of each type."""
    rows = np.array([counts[type] for type in types]).reshape(-1, BLOCK)
    return dict(zip(types, plain_scores(rows), strict=True))


def _filtered(
    documents: Sequence[_Document], types: Sequence[str], metrics: Iterable[OverlapMetric]
) -> dict[str, dict[str, Score]]:
    """Keep only the mentions of each label in turn on both sides, and score them."""
    kept: dict[str, list[tuple[list[NumberedEntity], list[NumberedEntity]]]] = {
        type: [] for type in types
    }
    for document in documents:
        pair = document.pair
        key, response = (
            _by_label(entities, labels)
            for entities, labels in ((pair.key, document.key), (pair.response, document.response))
        )
        for label in {**key, **response}:
            kept[label].append((key.get(label, []), response.get(label, [])))
    counted = list(metrics)
    return {type: _scored(parts, counted) for type, parts in kept.items()}


def _by_label(
    entities: Sequence[NumberedEntity], labels: Labels
) -> dict[str, list[NumberedEntity]]:
    """Return what is left of the entities if only the mentions of one label are kept."""
    found: dict[str, list[NumberedEntity]] = defaultdict(list)
    for entity, own in zip(entities, labels, strict=True):
        parts: dict[str, NumberedEntity] = defaultdict(list)
        for mention, label in zip(entity, own, strict=True):
            parts[label].append(mention)
        for label, part in parts.items():
            found[label].append(part)
    return found


def _scored(
    documents: Sequence[tuple[list[NumberedEntity], list[NumberedEntity]]],
    metrics: Sequence[OverlapMetric],
) -> dict[str, Score]:
    key, response = (side_of([each[side] for each in documents]) for side in (0, 1))
    overlap = count_overlap(len(documents), key, response)
    return {metric.id: metric.score_overlap(overlap) for metric in metrics}


class _Counts(Struct):
    """Counts by label, summed over documents: numerator and denominator of recall and precision."""

    credits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 4))
    anaphors: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 4))
    links: dict[tuple[str, str], AnaphorLinks] = field(
        default_factory=lambda: defaultdict(AnaphorLinks)
    )

    def add(self, document: _Document) -> None:
        pair = document.pair
        key_home, response_home = homes(pair.key), homes(pair.response)
        for side, entities, labels, home in (
            (0, pair.key, document.key, response_home),
            (1, pair.response, document.response, key_home),
        ):
            for entity, own in zip(entities, labels, strict=True):
                types = dict(zip(entity, own, strict=True))
                self._add_credit(side, types, home)
                self._add_links(side, types, home)
        self._add_right_anaphors(document, key_home)

    def _add_credit(self, side: int, entity: Mapping[int, str], home: Mapping[int, int]) -> None:
        """Add B³ credit: the share of a mention's entity that the other side has in one entity."""
        together = Counter(home[m] for m in entity if m in home)
        for mention, type in entity.items():
            counts = self.credits[type]
            counts[2 * side + 1] += 1
            if mention in home:
                counts[2 * side] += together[home[mention]] / len(entity)

    def _add_links(self, side: int, entity: Mapping[int, str], home: Mapping[int, int]) -> None:
        for antecedent, anaphor in pairwise(entity):
            links = self.links[entity[anaphor], entity[antecedent]]
            other = home.get(anaphor)
            is_kept = other is not None and other == home.get(antecedent)
            if side == 0:
                links.key += 1
                links.found += is_kept
            else:
                links.response += 1
                links.right += is_kept
            self.anaphors[entity[anaphor]][2 * side + 1] += 1

    def _add_right_anaphors(self, document: _Document, key_home: Mapping[int, int]) -> None:
        """Count anaphors whose closest antecedent in the response is an antecedent in the key."""
        pair = document.pair
        firsts = {entity[0] for entity in pair.key}
        key_labels = _labels(pair.key, document.key)
        response_labels = _labels(pair.response, document.response)
        for entity in pair.response:
            for antecedent, anaphor in pairwise(entity):
                home = key_home.get(anaphor)
                if home is None or anaphor in firsts or key_home.get(antecedent) != home:
                    continue
                self.anaphors[key_labels[anaphor]][0] += 1
                self.anaphors[response_labels[anaphor]][2] += 1


def _labels(entities: Sequence[NumberedEntity], labels: Labels) -> dict[int, str]:
    pairs = zip(entities, labels, strict=True)
    return {m: label for entity, own in pairs for m, label in zip(entity, own, strict=True)}
