"""The reference scorer's own arithmetic (Perl, v8.01; specification part B).

On well-formed input its counts are those of :mod:`corefscope.metrics`. Two things are its own: it
adds B³ and CEAFe in an order that shows in the truncated percentages that it prints, and it treats
a mention that is annotated twice in a way that we do not follow by default. Both are needed to give
its figures to the last digit, and only for that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from corefscope.alignment import Pairing
from corefscope.corpus import Corpus, MentionId
from corefscope.metrics.best_alignment import best_alignment
from corefscope.overlap import Side

Entities: TypeAlias = Sequence[Sequence[MentionId]]
Row: TypeAlias = tuple[float, ...]
Cells: TypeAlias = Mapping[tuple[int, int], int]

MOST_REPEATS = 10
"""The scorer refuses a response from which it had to remove more repeated mentions."""


@dataclass(frozen=True, slots=True)
class ReferenceDocument:
    """A document as the reference scorer sees it."""

    name: str
    key: Entities
    response: Entities
    """Both as they were read, copies included."""
    is_missing: bool
    key_mentions: int
    """Distinct mentions, as all the numbers of mentions are."""
    response_mentions: int
    found: int
    invented: int
    """What the scorer calls so: ids given beyond the key's distinct mentions."""
    messages: tuple[str, ...]
    """What it prints on repeated mentions."""
    removed: int
    """Number of repeated mentions that it removed from the response."""
    counts: Mapping[str, Row]
    """For each metric a row of counts, as the metrics have them."""


def reference_documents(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side, pairing: Pairing
) -> Iterator[ReferenceDocument]:
    """Go through the documents of the key in its order."""
    ours, theirs = _entities(key, key_side), _entities(response, response_side)
    paired = set(pairing.key_document.tolist())
    for document, name in enumerate(key.document_names):
        yield _document(name, ours[document], theirs[document], document not in paired)


def _entities(corpus: Corpus, side: Side) -> Mapping[int, Entities]:
    """Return the entities of each document of the key, copies of mentions included."""
    entities: list[list[MentionId]] = [[] for _ in side.entity_document]
    rows = zip(side.mention_entity.tolist(), side.mention_row.tolist(), strict=True)
    for entity, row in rows:
        entities[entity].append(corpus.mention_id(row))
    documents = defaultdict(list)
    for document, mentions in zip(side.entity_document.tolist(), entities, strict=True):
        documents[document].append(mentions)
    return documents


def _document(name: str, key: Entities, response: Entities, is_missing: bool) -> ReferenceDocument:
    ids, key_messages = _number(key)
    kept, response_messages = _without_twins_repeated(response, ids)
    distinct = {mention for entity in kept for mention in entity}
    found = len(distinct & ids.keys())
    copies = sum(map(len, key)) - len(ids)
    return ReferenceDocument(
        name,
        key,
        response,
        is_missing,
        len(ids),
        len(distinct),
        found,
        len(distinct) - found + copies,
        (*key_messages, *response_messages),
        len(response_messages),
        {
            "mentions": (found, len(ids), found, len(distinct)),
            "muc": _muc(key, kept),
            "b3": _b3(key, kept),
            "ceafm": _ceaf(key, kept, by_entities=False),
            "ceafe": _ceaf(key, kept, by_entities=True),
            "blanc": _blanc(key, kept),
        },
    )


def _number(key: Entities) -> tuple[dict[MentionId, int], list[str]]:
    """Give each mention of the key an id; a copy's id replaces that of the first."""
    ids: dict[MentionId, int] = {}
    messages = []
    for number, mention in enumerate(mention for entity in key for mention in entity):
        if mention in ids:
            messages.append(f"Repeated mention in the key: {shown(mention)} {ids[mention]}{number}")
        ids[mention] = number
    return ids, messages


def _without_twins_repeated(
    response: Entities, ids: Mapping[MentionId, int]
) -> tuple[list[list[MentionId]], list[str]]:
    """Remove copies of mentions that are in the key; copies of others go unnoticed."""
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


def _owners(entities: Entities) -> dict[MentionId, int]:
    """The last entity that has a mention is the one it belongs to."""
    return {mention: e for e, entity in enumerate(entities) for mention in entity}


def _muc(key: Entities, response: Entities) -> Row:
    owner = _owners(key)
    right = 0
    for entity in response:
        parts = Counter(owner[mention] for mention in entity if mention in owner)
        right += sum(n - 1 for n in parts.values())
    return right, sum(len(e) - 1 for e in key), right, sum(len(e) - 1 for e in response)


def _b3(key: Entities, response: Entities) -> Row:
    """Add the credit mention by mention, in the order of the response."""
    owner = _owners(key)
    homes: dict[MentionId, set[int]] = {}
    for e, entity in enumerate(key):
        for mention in entity:
            homes.setdefault(mention, set()).add(e)
    recall = precision = 0.0
    for entity in response:
        common = Counter(home for mention in entity for home in homes.get(mention, ()))
        for mention in entity:
            if mention in owner:
                precision += common[owner[mention]] / len(entity)
                recall += common[owner[mention]] / len(key[owner[mention]])
    return recall, sum(map(len, key)), precision, sum(map(len, response))


def _common(key: Entities, response: Entities) -> Cells:
    """Count the mentions of each key entity, copies included, that each response entity has."""
    homes: dict[MentionId, set[int]] = {}
    for e, entity in enumerate(response):
        for mention in entity:
            homes.setdefault(mention, set()).add(e)
    return Counter(
        (e, home) for e, entity in enumerate(key) for m in entity for home in homes.get(m, ())
    )


def _ceaf(key: Entities, response: Entities, *, by_entities: bool) -> Row:
    """Add the similarities in the order of the key, each turned into a distance and back."""
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


def _blanc(key: Entities, response: Entities) -> Row:
    """Count links; with copies they are sets of pairs, which have to be enumerated."""
    if _has_copies(key) or _has_copies(response):
        (ck, nk), (cr, nr) = _link_sets(key), _link_sets(response)
        c, n = len(ck & cr), len(nk & nr)
        return c, len(ck), c, len(cr), n, len(nk), n, len(nr)
    cells = _common(key, response)
    both = sum(map(_pairs, cells.values()))
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    for (k, r), n in cells.items():
        rows[k] += n
        columns[r] += n
    kept = sum(map(_pairs, rows.values())) + sum(map(_pairs, columns.values()))
    neither = _pairs(sum(cells.values())) - kept + both
    (ck_, nk_), (cr_, nr_) = _link_numbers(key), _link_numbers(response)
    return both, ck_, both, cr_, neither, nk_, neither, nr_


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _has_copies(entities: Entities) -> bool:
    return len(_owners(entities)) < sum(map(len, entities))


def _link_numbers(entities: Entities) -> tuple[int, int]:
    coreferent = sum(_pairs(len(entity)) for entity in entities)
    return coreferent, _pairs(sum(map(len, entities))) - coreferent


def _link_sets(
    entities: Entities,
) -> tuple[set[frozenset[MentionId]], set[frozenset[MentionId]]]:
    """Pairs inside an entity, and across two; a pair can be both, or a mention with its copy."""
    coreferent = {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}
    across = {
        frozenset(pair) for one, other in combinations(entities, 2) for pair in product(one, other)
    }
    return coreferent, across
