"""Errors of each key entity, and estimates from a sample of entities.

Entity resolution reports these. ĉ(r) is the response entity of record r of the key entity c.
Records that the response lacks count as missing; the means of extra records, and of differences in
size, are over the records that the response has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

import numpy as np

from corefscope.choices import KeySample
from corefscope.corpus import Integers
from corefscope.formatting import Value
from corefscope.matching.overlap import Floats, Overlap, sums, whole_sums
from corefscope.metrics.blanc import pairs
from corefscope.records import dataclass


class SampleEstimate(NamedTuple):
    """An estimate from a sample, and its standard error."""

    value: float | None
    """None if nothing was sampled that counts."""
    standard_error: float | None
    """None if fewer than two entities were sampled."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EntityErrors:
    """The errors of all key entities, in the order of documents."""

    documents: Sequence[str]
    """The document of each entity."""
    labels: Sequence[str]
    """The name of each entity in the key."""
    size: Integers
    found: Integers
    """How many of its records the response has."""
    extra: Floats
    """Mean of |ĉ(r) ∖ c|; NaN if the response has no record of the entity."""
    relative_extra: Floats
    """Mean of |ĉ(r) ∖ c| / |ĉ(r)|."""
    missing: Floats
    """Mean of |c ∖ ĉ(r)|."""
    relative_missing: Floats
    """Mean of |c ∖ ĉ(r)| / |c|."""
    size_difference: Floats
    """Mean of |ĉ(r)| − |c|."""
    is_exact: Integers
    """1 if the entity is an entity of the response."""
    splitting_entropy: Floats
    """The exponential of the entropy of the parts: the effective number of parts."""
    links: Integers
    """Links within the entity that the response has, Σⱼ C(nⱼ, 2)."""
    extra_links: Floats
    """½ Σⱼ nⱼ (|Rⱼ| − nⱼ): half of the wrong links of its records."""

    def __len__(self) -> int:
        return len(self.size)

    def worst(self, most: int) -> list[int]:
        """Return the positions of the entities with the most errors, the worst first.

        Parameters
        ----------
        most
            How many to return.

        Returns
        -------
        list of int
            Positions, by the errors of all records of an entity: relative missing and extra.
        """
        errors = self.size * (self.relative_missing + np.nan_to_num(self.relative_extra))
        order: list[int] = np.argsort(-errors, kind="stable")[:most].tolist()
        return order

    def rows(self) -> list[dict[str, Value]]:
        """Return the errors of each entity by name; None where nothing is defined.

        Returns
        -------
        list of dict
            One record per entity.
        """
        columns: dict[str, list[Value]] = {
            "document": list(self.documents),
            "entity": list(self.labels),
            "size": self.size.tolist(),
            "found": self.found.tolist(),
            "exact": self.is_exact.tolist(),
            **{
                name: [None if value != value else value for value in getattr(self, name).tolist()]
                for name in FIGURES_OF_ENTITIES
            },
        }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def estimates(self, sample: KeySample) -> Mapping[str, Mapping[str, SampleEstimate]]:
        """SampleEstimate recall and precision of the whole response.

        Parameters
        ----------
        sample
            Whether entities were sampled, or records with the entities that they are in.

        Returns
        -------
        Mapping
            For ``pairwise`` and ``b3``, the estimates of ``recall`` and ``precision``.
        """
        weight = np.ones(len(self)) if sample == "entities" else 1 / self.size
        one, has_records = np.ones(len(self)), (self.found > 0).astype(np.float64)
        precision = np.where(self.found > 0, 1 - np.nan_to_num(self.relative_extra), 0.0)

        def ratio(above: Floats | Integers, below: Floats | Integers) -> SampleEstimate:
            return _ratio_estimate(above * weight, below * weight)

        return {
            "pairwise": {
                "recall": ratio(self.links, pairs(self.size)),
                "precision": ratio(self.links, self.links + self.extra_links),
            },
            "b3": {
                "recall": ratio(1 - self.relative_missing, one),
                "precision": ratio(precision, has_records),
            },
        }


FIGURES_OF_ENTITIES = (
    "extra",
    "relative_extra",
    "missing",
    "relative_missing",
    "size_difference",
    "splitting_entropy",
)


def entity_errors(
    overlap: Overlap, documents: Sequence[str], labels: Sequence[str]
) -> EntityErrors:
    """Return the errors of all key entities; ``documents`` are the names of all documents."""
    count, n, size = len(overlap.key_size), overlap.n, overlap.key_size
    others = overlap.response_size[overlap.response]
    found, squares = overlap.key_common, whole_sums(overlap.key, n * n, count)
    wrong = whole_sums(overlap.key, n * (others - n), count)
    some = np.where(found > 0, found, np.nan)
    share = n / found[overlap.key]
    same = (n == others) & (n == size[overlap.key])
    return EntityErrors(
        documents=[documents[place] for place in overlap.key_document.tolist()],
        labels=labels,
        size=size,
        found=found,
        extra=wrong / some,
        relative_extra=1 - sums(overlap.key, n * (n / others), count) / some,
        missing=size - squares / size,
        relative_missing=1 - squares / size**2,
        size_difference=whole_sums(overlap.key, n * others, count) / some - size,
        is_exact=whole_sums(overlap.key, same.astype(np.int64), count),
        splitting_entropy=np.where(
            found > 0, np.exp(-sums(overlap.key, share * np.log(share), count)), np.nan
        ),
        links=whole_sums(overlap.key, pairs(n), count),
        extra_links=wrong / 2,
    )


def _ratio_estimate(above: Floats, below: Floats) -> SampleEstimate:
    """Return the estimate of a ratio of means, corrected for its bias, and its standard error."""
    count = len(above)
    mean = fsum(below) / count if count else 0.0
    if not mean:
        return SampleEstimate(None, None)
    ratio = fsum(above) / fsum(below)
    if count == 1:
        return SampleEstimate(ratio, None)
    rest = above - ratio * below
    bias = fsum(below * rest) / count / ((count - 1) * mean**2)
    return SampleEstimate(ratio + bias, sqrt(fsum(rest**2) / (count * (count - 1))) / mean)
