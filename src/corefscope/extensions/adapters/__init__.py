"""Bridges to the interfaces of other libraries and of pasted evaluation code.

``CorefEvaluator`` and ``MentionEvaluator`` need nothing else. The modules ``torchmetrics``,
``hugging_face`` and ``spacy`` need the packages of the extras ``corefscope[torchmetrics]``,
``corefscope[evaluate]`` and ``corefscope[spacy]``.
"""

from __future__ import annotations

from corefscope.extensions.adapters.evaluator import CorefEvaluator, MentionEvaluator

__all__ = ["CorefEvaluator", "MentionEvaluator"]
