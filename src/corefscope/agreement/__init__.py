"""The agreement of annotators: scores of every pair, Krippendorff's α, and where they disagree."""

from __future__ import annotations

from corefscope.agreement.alpha import Alpha
from corefscope.agreement.measure import agree, measure_agreement
from corefscope.agreement.pairs import PairAgreement
from corefscope.agreement.result import Agreement

__all__ = ["Agreement", "Alpha", "PairAgreement", "agree", "measure_agreement"]
