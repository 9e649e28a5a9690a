"""The entities that cost most, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from corefscope.corpus import Integers
from corefscope.errors.analysis import Analysis
from corefscope.errors.cost import costs
from corefscope.overlap import Floats, Overlap


@dataclass(frozen=True, slots=True)
class EntityCost:
    """An entity, and the recall (of the key's) or precision (of the response's) that it loses."""

    is_key: bool
    document: str
    label: str
    title: str
    """The words by which a reader knows it."""
    size: int
    share: float
    pieces: int
    """Entities of the other side that hold mentions of it."""
    unmatched: int
    """Mentions that the other side lacks."""

    def to_dict(self) -> dict[str, object]:
        """Return the cost for JSON."""
        return {
            "side": "key" if self.is_key else "response",
            "document": self.document,
            "entity": self.label,
            "title": self.title,
            "size": self.size,
            "loses": "recall" if self.is_key else "precision",
            "share": self.share,
            "pieces": self.pieces,
            "unmatched": self.unmatched,
        }


def dearest(analysis: Analysis, metric: str = "conll", most: int = 10) -> list[EntityCost]:
    """Return the entities of both sides that cost most, the dearest first.

    The shares of all key entities add up to the recall that the metric finds lost, those of all
    response entities to the precision; of the CoNLL score, to the mean of its three metrics'.
    """
    overlap = analysis.comparison.overlap
    key, response = costs(overlap, metric)
    found = [
        *_largest(analysis, overlap, key, most, is_key=True),
        *_largest(analysis, overlap.transposed, response, most, is_key=False),
    ]
    found.sort(key=lambda cost: -cost.share)
    return [cost for cost in found[:most] if cost.share > 0]


def _largest(
    analysis: Analysis, overlap: Overlap, shares: Floats, most: int, *, is_key: bool
) -> Iterator[EntityCost]:
    """Go through the dearest entities of one side, which is the key's of this table."""
    documents = {document.number: document for document in analysis.documents}
    place = _places(overlap.key_document)
    pieces = np.bincount(overlap.key, minlength=len(shares))
    unmatched = overlap.key_size - overlap.key_common
    for entity in np.argsort(-shares, kind="stable")[:most].tolist():
        document = documents[int(overlap.key_document[entity])]
        pair, number = document.transformation.pair, int(place[entity])
        yield EntityCost(
            is_key,
            document.name,
            (pair.key_labels if is_key else pair.response_labels)[number],
            (document.key_titles if is_key else document.response_titles)[number],
            int(overlap.key_size[entity]),
            float(shares[entity]),
            int(pieces[entity]),
            int(unmatched[entity]),
        )


def _places(document: Integers) -> Integers:
    """Return the place of each entity among those of its document."""
    order = np.argsort(document, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(document[order], document[order])
    return place
