"""What the words of a document say about it: heads, mention types, names and constituents."""

from __future__ import annotations

from corefscope.language.checking import LanguageCheck
from corefscope.language.heads import HeadScan, inner_tokens
from corefscope.language.names import read_names
from corefscope.language.nominal import NominalRules, smallest
from corefscope.language.tables import Features, MentionType
from corefscope.language.text import NO_FEATURES, Text, says_something
from corefscope.language.trees import Node

__all__ = [
    "Features",
    "HeadScan",
    "LanguageCheck",
    "MentionType",
    "NO_FEATURES",
    "Node",
    "NominalRules",
    "Text",
    "inner_tokens",
    "read_names",
    "says_something",
    "smallest",
]
