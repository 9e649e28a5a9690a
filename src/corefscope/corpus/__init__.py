"""What was annotated: documents, entities and mentions, and the layers of the text."""

from __future__ import annotations

from corefscope.corpus.arrays import Integers
from corefscope.corpus.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.corpus.entities import Entity, Mention

__all__ = ["UNKNOWN_LENGTH", "Corpus", "Document", "Entity", "Integers", "Mention"]
