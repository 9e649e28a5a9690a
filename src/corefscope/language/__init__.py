"""What the words of a document say about it: heads, mention types, names and constituents."""

from __future__ import annotations

from corefscope.corpus.mentions import Span
from corefscope.language.checking import LanguageCheck
from corefscope.language.dependencies import NO_FEATURES, UniversalLayers, universal_relation
from corefscope.language.heads import HeadScan, inner_tokens
from corefscope.language.names import read_names
from corefscope.language.tables import Features, MentionType, NominalRules, known_types
from corefscope.language.text import NOTHING, Text, says_something
from corefscope.language.trees import Tree
from corefscope.language.universal import (
    UniversalText,
    has_universal_tags,
    is_universal,
)

__all__ = [
    "Features",
    "HeadScan",
    "LanguageCheck",
    "MentionType",
    "NOTHING",
    "NO_FEATURES",
    "NominalRules",
    "Span",
    "Text",
    "Tree",
    "UniversalLayers",
    "UniversalText",
    "has_universal_tags",
    "inner_tokens",
    "is_universal",
    "known_types",
    "read_names",
    "says_something",
    "universal_relation",
]
