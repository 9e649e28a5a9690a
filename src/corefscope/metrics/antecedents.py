"""Antecedent-based scores, as metrics; what they count is in :mod:`corefscope.antecedents`."""

from __future__ import annotations

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics.counts import BLOCK, Metric, plain_figures, ratios


def anchor_figures(counts: Floats) -> Floats:
    """Harmonic mean of detection and mentions, of each figure: F is the tool's F_harm.

    That F is also the harmonic mean of the recall and the precision given here.
    """
    parts = plain_figures(counts.reshape(*counts.shape[:-1], 2, BLOCK))
    detection, mentions = parts[..., 0, :], parts[..., 1, :]
    return ratios(2 * detection * mentions, detection + mentions)


def _need_texts(overlap: Overlap) -> Floats:
    """Refuse to count from the table alone."""
    message = (
        "scores of antecedents need texts, to tell pronouns and what comes first; expected "
        "corpora with words"
    )
    raise InvalidInput([Finding(Code.NO_HEAD_LAYER, message)])


IMMEDIATE = Metric("immediate", "Immediate antecedent", _need_texts, needs_text=True)
INFERRED = Metric("inferred", "Inferred antecedent", _need_texts, needs_text=True)
ANCHOR = Metric(
    "anchor",
    "Anchor",
    _need_texts,
    anchor_figures,
    parts={"detection": 0, "mentions": 1},
    is_mean=True,
    needs_text=True,
)
