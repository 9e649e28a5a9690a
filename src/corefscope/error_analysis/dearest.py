"""The entities that cost most, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefscope.corpus import Integers
from corefscope.error_analysis.cost import costs
from corefscope.matching.overlap import Floats, Overlap

if TYPE_CHECKING:
    from corefscope.error_analysis.analysis import DocumentAnalysis


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityCost:
    """An entity, and the recall (of the key's) or precision (of the response's) that it loses."""

    is_key: bool
    document: str
    entity: str
    """K1, K2, … of the key, R1, R2, … of the response."""
    label: str
    """Its label in its file."""
    title: str
    """The words by which a reader knows it."""
    size: int
    share: float
    pieces: int
    """Entities of the other side that hold mentions of it."""
    unmatched: int
    """Mentions that the other side lacks."""
    group: int
    """Its confusion group in the document."""


def dearest(
    documents: Sequence[DocumentAnalysis], overlap: Overlap, metric: str, most: int | None
) -> list[EntityCost]:
    """Return the entities of both sides that cost most, the dearest first."""
    key, response = costs(overlap, metric)
    found = [
        *_largest(documents, overlap, key, most, is_key=True),
        *_largest(documents, overlap.transposed, response, most, is_key=False),
    ]
    found.sort(key=lambda cost: -cost.share)
    return [cost for cost in found[:most] if cost.share > 0]


def _largest(
    documents: Sequence[DocumentAnalysis],
    overlap: Overlap,
    shares: Floats,
    most: int | None,
    *,
    is_key: bool,
) -> Iterator[EntityCost]:
    """Go through the dearest entities of one side, which is the key's of this table."""
    of = {document.number: document for document in documents}
    place = _places(overlap.key_document)
    pieces = np.bincount(overlap.key, minlength=len(shares))
    unmatched = overlap.key_size - overlap.key_common
    for entity in np.argsort(-shares, kind="stable")[:most].tolist():
        document = of[int(overlap.key_document[entity])]
        pair, number = document.transformation.pair, int(place[entity])
        yield EntityCost(
            is_key=is_key,
            document=document.name,
            entity=(pair.key_names if is_key else pair.response_names)[number],
            label=(pair.key_labels if is_key else pair.response_labels)[number],
            title=(document.key_titles if is_key else document.response_titles)[number],
            size=int(overlap.key_size[entity]),
            share=float(shares[entity]),
            pieces=int(pieces[entity]),
            unmatched=int(unmatched[entity]),
            group=(document.key_groups if is_key else document.response_groups)[number],
        )


def _places(document: Integers) -> Integers:
    """Return the place of each entity among those of its document."""
    order = np.argsort(document, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(document[order], document[order])
    return place
