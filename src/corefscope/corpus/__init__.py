"""Corpora: documents, entities, mentions and text layers."""

from __future__ import annotations

from corefscope.corpus.arrays import Integers
from corefscope.corpus.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.corpus.mentions import Entity, Mention

__all__ = ["UNKNOWN_LENGTH", "Corpus", "Document", "Entity", "Integers", "Mention"]
