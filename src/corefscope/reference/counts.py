"""The arithmetic of the reference scorer (Perl, v8.01; docs/howto/shared-tasks.md).

On well-formed input its counts are those of :mod:`corefscope.metrics`, with two exceptions: its
order of summing B³ and CEAFe shows in the truncated percentages that it prints, and it treats
repeated mentions in a way that we do not follow by default. This module follows it in both, and is
needed only to reproduce its output to the last digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from corefscope.corpus import Corpus
from corefscope.corpus.mentions import MentionId
from corefscope.matching.assignment import best_alignment
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Side
from corefscope.metrics import Metric
from corefscope.metrics.counts import CountRow
from corefscope.official import Counted, OfficialScorer, OwnCounts
from corefscope.profiles import Profile

ReferenceEntities: TypeAlias = Sequence[Sequence[MentionId]]
OverlapCells: TypeAlias = Mapping[tuple[int, int], int]
Homes: TypeAlias = tuple[frozenset[int], ...]
"""The entities that contain a mention, for each of one or two sides."""

MOST_REPEATS = 10
"""The scorer rejects a response from which it removed more repeated mentions than this."""


class ReferenceDocument(Struct, frozen=True, kw_only=True):
    """A document as the reference scorer reads and counts it."""

    name: str
    key: ReferenceEntities
    response: ReferenceEntities
    """Key and response as they were read, with repeated mentions."""
    is_missing: bool
    key_mentions: int
    """The number of distinct mentions; the other numbers count distinct mentions as well."""
    response_mentions: int
    found: int
    invented: int
    """The number of ids that the scorer assigned beyond the key's distinct mentions."""
    messages: tuple[str, ...]
    """The messages that the scorer prints about repeated mentions."""
    removed: int
    """The number of repeated mentions that the scorer removed from the response."""
    counts: Mapping[str, CountRow]
    """For each metric a row of counts, in the layout of the metric."""


def reference_documents(
    matching: Matching, singletons: SingletonRule
) -> Iterator[ReferenceDocument]:
    """Yield the documents in the order of the key."""
    key, response = matching.key, matching.response
    key_side, response_side = matching.annotated_sides(singletons)
    # For the reference scorer, a document without tokens is not missing.
    missing = {name for name in matching.pairing.missing if name not in response}
    ours, theirs = _entities(key, key_side), _entities(response, response_side)
    for document, name in enumerate(key.document_names):
        yield _document(name, ours[document], theirs[document], name in missing)


def _entities(corpus: Corpus, side: Side) -> Mapping[int, ReferenceEntities]:
    """Return the entities of each document of the key, with repeated mentions."""
    entities: list[list[MentionId]] = [[] for _ in side.entity_document]
    rows = zip(side.mention_entity.tolist(), side.mention_row.tolist(), strict=True)
    for entity, row in rows:
        entities[entity].append(corpus.mention_id(row))
    documents = defaultdict(list)
    for document, mentions in zip(side.entity_document.tolist(), entities, strict=True):
        documents[document].append(mentions)
    return documents


def _document(
    name: str, key: ReferenceEntities, response: ReferenceEntities, is_missing: bool
) -> ReferenceDocument:
    ids, key_messages = _number(key)
    kept, response_messages = _without_repeated(response, ids)
    distinct = {mention for entity in kept for mention in entity}
    found = len(distinct & ids.keys())
    copies = sum(map(len, key)) - len(ids)
    return ReferenceDocument(
        name=name,
        key=key,
        response=response,
        is_missing=is_missing,
        key_mentions=len(ids),
        response_mentions=len(distinct),
        found=found,
        invented=len(distinct) - found + copies,
        messages=(*key_messages, *response_messages),
        removed=len(response_messages),
        counts={
            "mentions": (found, len(ids), found, len(distinct)),
            "muc": _muc(key, kept),
            "b3": _b3(key, kept),
            "ceafm": _ceaf(key, kept, by_entities=False),
            "ceafe": _ceaf(key, kept, by_entities=True),
            "blanc": _blanc(key, kept),
        },
    )


def _number(key: ReferenceEntities) -> tuple[dict[MentionId, int], list[str]]:
    """Assign an id to each mention of the key; the id of a copy replaces that of the first."""
    ids: dict[MentionId, int] = {}
    messages = []
    for number, mention in enumerate(mention for entity in key for mention in entity):
        if mention in ids:
            messages.append(f"Repeated mention in the key: {shown(mention)} {ids[mention]}{number}")
        ids[mention] = number
    return ids, messages


def _without_repeated(
    response: ReferenceEntities, ids: Mapping[MentionId, int]
) -> tuple[list[list[MentionId]], list[str]]:
    """Remove copies of mentions that are in the key; copies of other mentions are kept."""
    seen: set[MentionId] = set()
    messages = []
    kept = []
    for entity in response:
        mentions = []
        for mention in entity:
            if mention in seen:
                id = ids[mention]
                messages.append(f"Repeated mention in the response: {shown(mention)} {id}{id}")
            else:
                mentions.append(mention)
                seen |= {mention} & ids.keys()
        if mentions:
            kept.append(mentions)
    return kept, messages


def shown(mention: MentionId, comma: str = ", ") -> str:
    """Return a span as the reference scorer prints it."""
    return comma.join(map(str, mention)) if isinstance(mention, tuple) else str(mention)


def _owners(entities: ReferenceEntities) -> dict[MentionId, int]:
    """Return the entity of each mention; the last one if it is in several."""
    return {mention: e for e, entity in enumerate(entities) for mention in entity}


def _muc(key: ReferenceEntities, response: ReferenceEntities) -> CountRow:
    owner = _owners(key)
    right = 0
    for entity in response:
        parts = Counter(owner[mention] for mention in entity if mention in owner)
        right += sum(n - 1 for n in parts.values())
    return right, sum(len(e) - 1 for e in key), right, sum(len(e) - 1 for e in response)


def _b3(key: ReferenceEntities, response: ReferenceEntities) -> CountRow:
    """Sum the credit mention by mention, in the order of the response."""
    owner, homes = _owners(key), _entities_of_mentions(key)
    recall = precision = 0.0
    for entity in response:
        common = Counter(home for mention in entity for home in homes.get(mention, ()))
        for mention in entity:
            if mention in owner:
                precision += common[owner[mention]] / len(entity)
                recall += common[owner[mention]] / len(key[owner[mention]])
    return recall, sum(map(len, key)), precision, sum(map(len, response))


def _common(key: ReferenceEntities, response: ReferenceEntities) -> OverlapCells:
    """Count the mentions, with copies, that each key entity shares with each response entity."""
    homes = _entities_of_mentions(response)
    return Counter(
        (e, home) for e, entity in enumerate(key) for m in entity for home in homes.get(m, ())
    )


def _ceaf(key: ReferenceEntities, response: ReferenceEntities, *, by_entities: bool) -> CountRow:
    """Sum the similarities in the order of the key, each converted to a distance and back."""
    cells = sorted(_common(key, response).items())
    weight = np.array(
        [2 * n / (len(key[k]) + len(response[r])) if by_entities else n for (k, r), n in cells],
        dtype=np.float64,
    )
    rows = np.array([k for (k, _), _ in cells], dtype=np.int64)
    columns = np.array([r for (_, r), _ in cells], dtype=np.int64)
    chosen = best_alignment(rows, columns, weight)
    alike = 0.0
    for similarity in weight[chosen].tolist():
        alike += 1 - (1 - similarity)
    if by_entities:
        return alike, len(key), alike, len(response)
    return alike, sum(map(len, key)), alike, sum(map(len, response))


def _blanc(key: ReferenceEntities, response: ReferenceEntities) -> CountRow:
    """Count links as sets of pairs of mentions, which may overlap if mentions are repeated.

    A repeated mention is in two entities: its link to another mention can be both a coreference and
    a non-coreference link, and it has a link to itself.
    """
    ours, theirs = _entities_of_mentions(key), _entities_of_mentions(response)
    both = [(ours[mention], theirs[mention]) for mention in ours.keys() & theirs.keys()]
    key_links = _links([(homes,) for homes in ours.values()])
    response_links = _links([(homes,) for homes in theirs.values()])
    common = _links(both)
    within, within_theirs = _twice_in_one(key), _twice_in_one(response)
    c = common[0] + len(within & within_theirs)
    n = common[1] + sum(len(k) > 1 and len(r) > 1 for k, r in both)
    return (
        c,
        key_links[0] + len(within),
        c,
        response_links[0] + len(within_theirs),
        n,
        key_links[1] + sum(len(homes) > 1 for homes in ours.values()),
        n,
        response_links[1] + sum(len(homes) > 1 for homes in theirs.values()),
    )


def _entities_of_mentions(entities: ReferenceEntities) -> dict[MentionId, frozenset[int]]:
    homes: dict[MentionId, list[int]] = {}
    for e, entity in enumerate(entities):
        for mention in entity:
            homes.setdefault(mention, []).append(e)
    return {mention: frozenset(several) for mention, several in homes.items()}


def _twice_in_one(entities: ReferenceEntities) -> set[MentionId]:
    return {m for entity in entities for m, n in Counter(entity).items() if n > 1}


def _links(mentions: Sequence[Homes]) -> tuple[int, int]:
    """Count the pairs of mentions that are coreferent, and those that are not, on every side.

    Mentions in the same entities are counted together, so only repeated mentions have to be
    compared with others.
    """
    groups = Counter(mentions)
    return _together(groups), _apart(groups)


def _together(groups: Mapping[Homes, int]) -> int:
    """Count the pairs that share an entity on every side."""
    pairs = sum(comb(n, 2) for n in groups.values())
    near = defaultdict(list)
    for group in groups:
        for home in group[0]:
            near[home].append(group)
    compared: set[Homes] = set()
    for group in groups:
        if any(len(homes) > 1 for homes in group):
            compared.add(group)
            others = {other for home in group[0] for other in near[home]} - compared
            pairs += groups[group] * sum(
                groups[other]
                for other in others
                if all(a & b for a, b in zip(group, other, strict=True))
            )
    return pairs


def _apart(groups: Mapping[Homes, int]) -> int:
    """Count the pairs that are in two different entities on every side.

    By inclusion and exclusion, pairs are subtracted whose mentions are both in the same single
    entity.
    """
    sides = range(len(next(iter(groups)))) if groups else range(0)
    pairs = comb(sum(groups.values()), 2)
    for size in range(1, len(sides) + 1):
        for chosen in combinations(sides, size):
            alone: Counter[Homes] = Counter()
            for group, n in groups.items():
                if all(len(group[side]) == 1 for side in chosen):
                    alone[tuple(group[side] for side in chosen)] += n
            pairs += (-1) ** size * sum(comb(n, 2) for n in alone.values())
    return pairs


class ReferenceScorer(OfficialScorer, frozen=True):
    """The reference scorer, which counts repeated mentions in the metrics that it has."""

    def count(
        self, matching: Matching, profile: Profile, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return its counts, and ours of the metrics that it lacks."""
        documents = list(reference_documents(matching, profile.singletons))
        has = documents[0].counts if documents else {}
        counts = own([metric for metric in metrics if metric.id not in has])
        found = {
            metric.id: counts[metric.id]
            if metric.id in counts
            else np.array([each.counts[metric.id] for each in documents], dtype=np.float64)
            for metric in metrics
        }
        return found, ()


REFERENCE = ReferenceScorer()
