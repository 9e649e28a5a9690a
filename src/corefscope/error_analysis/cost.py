"""What each entity costs: its share of the recall, or of the precision, that a metric finds lost.

For every metric what is lost is a sum over the entities of the key (recall) and over those of the
response (precision), so that each entity's share can be read off the table of overlaps, and the
shares add up to what is lost. A side that has nothing to count loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from corefscope.corpus import Integers
from corefscope.exceptions import UnknownName
from corefscope.matching.overlap import Floats, Overlap, sums
from corefscope.metrics import CONLL, GROUPS
from corefscope.metrics.blanc import pairs
from corefscope.metrics.ceaf import align_by_entities, align_by_mentions, mentions_of_both
from corefscope.metrics.muc import parts

Shares = tuple[Floats, Floats]
"""Lost recall of each key entity, and lost precision of each response entity."""


def _both(lost: Callable[[Overlap], Floats]) -> Callable[[Overlap], Shares]:
    """Return the losses of the key's entities, and by swapped roles those of the response's."""
    return lambda overlap: (lost(overlap), lost(overlap.transposed))


def _mentions(overlap: Overlap) -> Floats:
    return _of(overlap.key_size - overlap.key_common, overlap.key_size.sum())


def _muc(overlap: Overlap) -> Floats:
    return _of(parts(overlap) - 1, (overlap.key_size - 1).sum())


def _b3(overlap: Overlap) -> Floats:
    size = overlap.key_size
    found = sums(overlap.key, overlap.n**2, len(size)) / size
    return _of(size - found, size.sum())


def _lea(overlap: Overlap) -> Floats:
    size = overlap.key_size
    alone = (size[overlap.key] == 1) & (overlap.response_size[overlap.response] == 1)
    resolved = sums(overlap.key, overlap.n * (overlap.n - 1) + alone, len(size))
    return _of(size - resolved / np.maximum(size - 1, 1), size.sum())


def _blanc(overlap: Overlap) -> Shares:
    """The mean over the kinds of links that the key has, as the score is.

    Half the loss of a non-coreference link goes to each of its two entities.
    """
    key, response = _blanc_links(overlap), _blanc_links(overlap.transposed)
    kinds = [kind for kind, (_, total) in enumerate(key) if total]

    def mean(links: Sequence[tuple[Floats, float]], entities: int) -> Floats:
        lost = [_of(*links[kind]) for kind in kinds]
        return np.mean(lost, axis=0) if lost else np.zeros(entities)

    return mean(key, len(overlap.key_size)), mean(response, len(overlap.response_size))


def _blanc_links(overlap: Overlap) -> tuple[tuple[Floats, float], tuple[Floats, float]]:
    """Return the lost links of each key entity, and all links, of both kinds."""
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


def _ceafm(overlap: Overlap) -> Shares:
    cells = align_by_mentions(overlap)
    aligned = overlap.n[cells].astype(np.float64)
    size, other = overlap.key_size, overlap.response_size
    return (
        _of(size - sums(overlap.key[cells], aligned, len(size)), size.sum()),
        _of(other - sums(overlap.response[cells], aligned, len(other)), other.sum()),
    )


def _ceafe(overlap: Overlap) -> Shares:
    cells = align_by_entities(overlap)
    similarity = 2 * overlap.n[cells] / mentions_of_both(overlap)[cells]
    count, other = len(overlap.key_size), len(overlap.response_size)
    return (
        _of(1 - sums(overlap.key[cells], similarity, count), count),
        _of(1 - sums(overlap.response[cells], similarity, other), other),
    )


def _of(lost: Floats | Integers, total: float) -> Floats:
    return np.asarray(lost / total if total else np.zeros(len(lost)))


COSTS: Mapping[str, Callable[[Overlap], Shares]] = {
    "mentions": _both(_mentions),
    "muc": _both(_muc),
    "b3": _both(_b3),
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "blanc": _blanc,
    "lea": _both(_lea),
}


def cost_metric(name: str) -> str:
    """Return the id of a metric whose losses can be shared out; ``conll`` is one, too."""
    ids = GROUPS.get(name, ())
    id = ids[0] if len(ids) == 1 else name
    if id not in COSTS and id != CONLL.id:
        raise UnknownName("metric", name, [*COSTS, CONLL.id])
    return id


def costs(overlap: Overlap, metric: str) -> Shares:
    """Return each entity's share of what is lost in a metric, or in the mean of the CoNLL score."""
    if metric == CONLL.id:
        key, response = zip(*(COSTS[id](overlap) for id in CONLL.ids), strict=True)
        return np.mean(key, axis=0), np.mean(response, axis=0)
    return COSTS[metric](overlap)
