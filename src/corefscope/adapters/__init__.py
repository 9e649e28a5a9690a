"""Bridges to the interfaces of other libraries and of pasted evaluation code.

``CorefEvaluator`` and what belongs to it need nothing else. The modules ``torchmetrics``,
``hugging_face`` and ``spacy`` need the packages of the extras ``corefscope[torchmetrics]``,
``corefscope[evaluate]`` and ``corefscope[spacy]``.
"""

from __future__ import annotations

from corefscope.adapters.evaluator import (
    CorefEvaluator,
    Evaluator,
    MentionEvaluator,
    b_cubed,
    ceafe,
    evaluate_documents,
    f1,
    lea,
    muc,
    phi4,
)

__all__ = [
    "CorefEvaluator",
    "Evaluator",
    "MentionEvaluator",
    "b_cubed",
    "ceafe",
    "evaluate_documents",
    "f1",
    "lea",
    "muc",
    "phi4",
]
