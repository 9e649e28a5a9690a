"""The costliest entities: each entity's share of the recall, or precision, that a metric loses.

In every metric, lost recall is a sum over the entities of the key, and lost precision is a sum over
those of the response: what was possible without what was found (the metric's credits). The shares
add up to the whole loss. A side that has nothing to count loses nothing. BLANC counts links between
entities; each of the two entities of a lost link gets half of the loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from corefscope.corpus import Integers
from corefscope.exceptions import UnknownName
from corefscope.matching.overlap import Floats, Overlap, sums
from corefscope.metrics import CONLL, METRICS, STANDARD, ids_of, without_text
from corefscope.metrics.blanc import pairs

if TYPE_CHECKING:
    from corefscope.error_analysis.analysis import DocumentAnalysis

Shares = tuple[Floats, Floats]
"""Lost recall of each key entity, and lost precision of each response entity."""


def _blanc(overlap: Overlap) -> Shares:
    """Return the mean loss over the kinds of links that the key has, as in the score.

    Each of the two entities of a lost non-coreference link gets half of the loss.
    """
    key, response = _blanc_links(overlap), _blanc_links(overlap.transposed)
    kinds = [kind for kind, (_, total) in enumerate(key) if total]

    def mean(links: Sequence[tuple[Floats, float]], entities: int) -> Floats:
        lost = [_of(*links[kind]) for kind in kinds]
        return np.mean(lost, axis=0) if lost else np.zeros(entities)

    return mean(key, len(overlap.key_size)), mean(response, len(overlap.response_size))


def _blanc_links(overlap: Overlap) -> tuple[tuple[Floats, float], tuple[Floats, float]]:
    """Return for both kinds of links those that each key entity loses, and the total number."""
    size, documents = overlap.key_size, overlap.key_document
    count = len(size)
    links = pairs(size)
    kept = sums(overlap.key, pairs(overlap.n), count)
    mentions = overlap.by_document(documents, size)[documents]
    outside = size * (mentions - size)
    common = sums(overlap.key, overlap.n, count)
    response_common = sums(overlap.response, overlap.n, len(overlap.response_size))
    everywhere = overlap.by_document(documents, common)[documents]
    together = overlap.n * (response_common[overlap.response] - overlap.n)
    apart = common * (everywhere - common) - sums(overlap.key, together, count)
    return (links - kept, links.sum()), ((outside - apart) / 2, outside.sum() / 2)


def _of(lost: Floats | Integers, total: float) -> Floats:
    return np.asarray(lost / total if total else np.zeros(len(lost)))


def cost_metric(name: str) -> str:
    """Return the id of a metric whose losses can be divided among entities, or ``conll``."""
    ids = ids_of(name)
    id = ids[0] if len(ids) == 1 else name
    if id not in STANDARD and id != CONLL.id:
        raise UnknownName("metric", name, [*STANDARD, CONLL.id])
    return id


def costs(overlap: Overlap, metric: str) -> Shares:
    """Return each entity's share of the loss in a metric, or the mean over the CoNLL metrics."""
    if metric == CONLL.id:
        key, response = zip(*(costs(overlap, id) for id in CONLL.ids), strict=True)
        return np.mean(key, axis=0), np.mean(response, axis=0)
    (counted,) = without_text([METRICS[metric]])
    credits = counted.credits(overlap)
    if credits is None:
        return _blanc(overlap)
    ours, theirs = (_of(side.lost, float(side.possible.sum())) for side in credits)
    return ours, theirs


class EntityCost(Struct, frozen=True, kw_only=True):
    """An entity and what it costs: recall for a key entity, precision for a response entity."""

    is_key: bool
    document: str
    entity: str
    """K1, K2, … for the key, R1, R2, … for the response."""
    label: str
    """Its label in its file."""
    title: str
    """Its first name, or else its first noun, or else a pronoun."""
    size: int
    share: float
    pieces: int
    """The number of entities of the other side that contain mentions of it."""
    unmatched: int
    """The number of mentions that the other side lacks."""
    group: int
    """The number of its confusion group in the document."""


def costliest(
    documents: Sequence[DocumentAnalysis], overlap: Overlap, metric: str, most: int | None
) -> list[EntityCost]:
    """Return the costliest entities of both sides, the costliest first."""
    key, response = costs(overlap, metric)
    of_key = _cost_of(documents, overlap, key, is_key=True)
    of_response = _cost_of(documents, overlap.transposed, response, is_key=False)
    ranked = [
        (float(shares[entity]), cost_of, entity)
        for shares, cost_of in ((key, of_key), (response, of_response))
        for entity in np.argsort(-shares, kind="stable")[:most].tolist()
    ]
    ranked.sort(key=lambda each: -each[0])
    return [cost_of(entity) for share, cost_of, entity in ranked[:most] if share > 0]


def _cost_of(
    documents: Sequence[DocumentAnalysis], overlap: Overlap, shares: Floats, *, is_key: bool
) -> Callable[[int], EntityCost]:
    """Return what describes an entity of one side: the side that is the key in this table."""
    of = {document.number: document for document in documents}
    place = _places(overlap.key_document)
    pieces = np.bincount(overlap.key, minlength=len(shares))
    unmatched = overlap.key_size - overlap.key_common

    def cost(entity: int) -> EntityCost:
        document = of[int(overlap.key_document[entity])]
        pair, number = document.transformation.pair, int(place[entity])
        shown = document.entities
        return EntityCost(
            is_key=is_key,
            document=document.name,
            entity=(pair.key_names if is_key else pair.response_names)[number],
            label=(pair.key_labels if is_key else pair.response_labels)[number],
            title=(shown.key_titles if is_key else shown.response_titles)[number],
            size=int(overlap.key_size[entity]),
            share=float(shares[entity]),
            pieces=int(pieces[entity]),
            unmatched=int(unmatched[entity]),
            group=(shown.key_groups if is_key else shown.response_groups)[number],
        )

    return cost


def _places(document: Integers) -> Integers:
    """Return the position of each entity within its document."""
    order = np.argsort(document, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(document[order], document[order])
    return place
