"""Named entity coreference: how well named entities are resolved (Agarwal et al. 2019)."""

from __future__ import annotations

from corefscope.named_entities.measure import Nec, NecSettings, measure_names
from corefscope.named_entities.options import NecOptions, make_nec_options
from corefscope.named_entities.rows import ChainRow
from corefscope.named_entities.summary import ALL, TypeScore

__all__ = [
    "ALL",
    "Nec",
    "NecOptions",
    "NecSettings",
    "ChainRow",
    "TypeScore",
    "make_nec_options",
    "measure_names",
]
